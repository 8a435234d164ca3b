//! The dense side of an index: one row of `f32` per passage, all rows one after the other, and from
//! 20,000 rows on a copy in bytes, which is scanned first and costs a quarter of the memory traffic.
//!
//! Rows that belong to nobody (freed, not yet reused) are zero.

use crate::vector;

/// From how many rows on there is a copy in bytes. Below it the exact scan takes under 3 ms, and small
/// scopes, of which many are held at once, are spared a quarter of their size.
pub(super) const CODED_FROM: usize = 20_000;

/// No row, no owner.
pub(crate) const NONE: u32 = u32::MAX;

/// Vectors and whom they belong to.
#[derive(Debug, Default)]
pub(crate) struct Vectors {
    dims: usize,
    data: Vec<f32>,
    /// The owner of each row.
    owners: Vec<u32>,
    /// The next row of the same owner.
    next: Vec<u32>,
    free: Vec<u32>,
    codes: Vec<i8>,
    scales: Vec<f32>,
}

impl Vectors {
    pub(super) fn new(dims: usize) -> Self {
        Self { dims, ..Self::default() }
    }

    /// Makes room for `rows` more, exactly.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.data.reserve_exact(rows * self.dims);
        self.owners.reserve_exact(rows);
        self.next.reserve_exact(rows);
    }

    /// Adds the vectors of `owner`, which follow each other in `vectors`, and returns the first row.
    /// What is no whole vector is left out.
    pub(super) fn insert(&mut self, owner: u32, vectors: &[f32]) -> u32 {
        let mut first = NONE;
        if self.dims == 0 {
            return first;
        }
        for vector in vectors.chunks_exact(self.dims).rev() {
            let length = vector::dot(vector, vector);
            let is_unit = (length - 1.0).abs() < 1e-5;
            if !is_unit && vector::check(vector, self.dims).is_err() {
                continue;
            }
            let row = self.place();
            let at = row as usize * self.dims;
            self.data[at..at + self.dims].copy_from_slice(vector);
            if !is_unit {
                // Products are to be cosines, whatever came. It was checked, so it cannot fail.
                let _ = vector::normalise(&mut self.data[at..at + self.dims]);
            }
            self.owners[row as usize] = owner;
            self.next[row as usize] = first;
            first = row;
            self.code(row as usize);
        }
        first
    }

    fn place(&mut self) -> u32 {
        if let Some(row) = self.free.pop() {
            return row;
        }
        let row = self.owners.len();
        if self.data.len() == self.data.capacity() {
            // By an eighth, not by doubling: this is nearly all of the index's memory.
            self.reserve((row / 8).max(16));
        }
        self.data.resize((row + 1) * self.dims, 0.0);
        self.owners.push(NONE);
        self.next.push(NONE);
        row as u32
    }

    /// Writes the bytes of a row, or of all when there have become enough of them.
    fn code(&mut self, row: usize) {
        if self.owners.len() < CODED_FROM {
            return;
        }
        let from = self.scales.len().min(row);
        self.codes.resize(self.owners.len() * self.dims, 0);
        self.scales.resize(self.owners.len(), 0.0);
        for row in from..self.owners.len() {
            if row == from || row >= self.scales.len() || self.scales[row] == 0.0 {
                let at = row * self.dims..(row + 1) * self.dims;
                self.scales[row] = vector::quantise(&self.data[at.clone()], &mut self.codes[at]);
            }
        }
    }

    /// Frees the rows from `first` on.
    pub(super) fn remove(&mut self, first: u32) {
        let mut row = first;
        while row != NONE {
            let at = row as usize;
            self.data[at * self.dims..(at + 1) * self.dims].fill(0.0);
            if at < self.scales.len() {
                self.codes[at * self.dims..(at + 1) * self.dims].fill(0);
                self.scales[at] = 0.0;
            }
            self.owners[at] = NONE;
            self.free.push(row);
            row = std::mem::replace(&mut self.next[at], NONE);
        }
    }

    /// Components of a vector.
    pub(crate) fn dims(&self) -> usize {
        self.dims
    }

    /// Rows, freed ones included.
    pub(crate) fn rows(&self) -> usize {
        self.owners.len()
    }

    /// The owner of each row; [`NONE`] for freed ones.
    pub(crate) fn owners(&self) -> &[u32] {
        &self.owners
    }

    /// All rows, one after the other.
    pub(crate) fn data(&self) -> &[f32] {
        &self.data
    }

    /// The copy in bytes and the scale of each row, if there is one.
    pub(crate) fn coded(&self) -> Option<(&[i8], &[f32])> {
        (self.scales.len() == self.owners.len() && !self.scales.is_empty()).then_some((&self.codes, &self.scales))
    }

    /// One row.
    pub(crate) fn row(&self, row: u32) -> &[f32] {
        &self.data[row as usize * self.dims..(row as usize + 1) * self.dims]
    }

    /// The rows from `first` on, of one owner.
    pub(crate) fn chain(&self, first: u32) -> impl Iterator<Item = u32> {
        std::iter::successors((first != NONE).then_some(first), |row| {
            let next = self.next[*row as usize];
            (next != NONE).then_some(next)
        })
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.data.capacity() + self.scales.capacity() + self.owners.capacity() + self.next.capacity()) * 4
            + self.free.capacity() * 4
            + self.codes.capacity()
    }

    /// Gives spare capacity back.
    pub(super) fn shrink(&mut self) {
        self.data.shrink_to_fit();
        self.owners.shrink_to_fit();
        self.next.shrink_to_fit();
        self.free.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_chained_freed_and_reused() {
        let mut vectors = Vectors::new(2);
        let a = vectors.insert(7, &[3.0, 4.0, 0.0, 2.0]);
        let rows: Vec<_> = vectors.chain(a).map(|row| vectors.row(row).to_vec()).collect();
        assert_eq!(rows, [[0.6, 0.8], [0.0, 1.0]]);
        vectors.remove(a);
        assert!(vectors.data().iter().all(|x| *x == 0.0));
        vectors.insert(8, &[1.0, 0.0]);
        assert_eq!(vectors.rows(), 2);
    }

    #[test]
    fn what_is_no_vector_is_left_out() {
        // VEC-5
        let mut vectors = Vectors::new(2);
        assert_eq!(vectors.insert(1, &[0.0, 0.0, f32::NAN, 1.0, 1.0]), NONE);
    }

    #[test]
    fn bytes_follow_the_rows() {
        let mut vectors = Vectors::new(1);
        for owner in 0..CODED_FROM as u32 + 5 {
            vectors.insert(owner, &[if owner % 2 == 0 { 1.0 } else { -1.0 }]);
        }
        vectors.remove(3);
        vectors.insert(9, &[1.0]);
        let (codes, scales) = vectors.coded().unwrap();
        assert_eq!(codes.len(), CODED_FROM + 5);
        assert!(scales.iter().all(|scale| (scale * 127.0 - 1.0).abs() < 1e-5));
        assert!(codes[..8].iter().zip([127, -127, 127, 127]).all(|(a, b)| *a == b));
    }
}
