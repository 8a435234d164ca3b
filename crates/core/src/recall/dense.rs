//! The dense leg: the cosine of every item's best passage with the question.
//!
//! Up to 20,000 rows the scan is exact. Above, a copy in bytes is scanned (a quarter of the memory
//! traffic), which is off by a few thousandths; `refine` then replaces those cosines that could
//! decide anything by exact ones, and what is returned is scored with exact cosines only.

use super::params::{DENSE_DEVIATIONS, DENSE_FEW, DENSE_RANGE, FEW_SHARE, STANDS_OUT_DEVIATIONS, STANDS_OUT_SHARE};
use super::scratch::{NO_VECTOR, Scratch};
use crate::index::{NONE, ScopeIndex};
use crate::vector;

/// How cosines are spread over the scope.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spread {
    /// Cosines up to here count nothing.
    pub(super) floor: f32,
    /// The greatest.
    pub(super) greatest: f32,
    /// Rows with a vector.
    pub(super) count: usize,
    mean: f32,
    deviation: f32,
}

impl Spread {
    /// The cosine from which on an item is relevant though it shares no word (REC-4): `enough`, or what
    /// stands out from the scope and is not far from it.
    pub(super) fn minimum(&self, enough: f32) -> f32 {
        if self.count < DENSE_FEW {
            return FEW_SHARE * enough;
        }
        let stands_out = self.mean + STANDS_OUT_DEVIATIONS * self.deviation;
        enough.min(stands_out.max(STANDS_OUT_SHARE * enough))
    }

    /// What a cosine counts, 0 to 1.
    #[inline]
    pub(super) fn calibrated(&self, cosine: f32) -> f32 {
        if cosine == NO_VECTOR || self.count == 0 {
            return 0.0;
        }
        if self.count == 1 {
            return 1.0;
        }
        (cosine - self.floor).max(0.0) / (self.greatest - self.floor).max(DENSE_RANGE)
    }
}

/// Fills `scratch.cosine`. Returns whether it is exact.
pub(super) fn score(indexes: &[&ScopeIndex], query: &[f32], scratch: &mut Scratch) -> bool {
    let mut exact = true;
    let mut codes = vec![0_i8; query.len()];
    let query_scale = vector::quantise(query, &mut codes);
    for (number, index) in indexes.iter().enumerate() {
        let vectors = index.vectors();
        if vectors.dims() != query.len() {
            continue;
        }
        let first_row = scratch.offsets[number].row;
        if let Some((rows, scales)) = vectors.coded() {
            exact = false;
            scratch.coded_products.resize(vectors.rows(), 0);
            vector::dots_i8(&codes, rows, &mut scratch.coded_products);
            for ((owner, product), scale) in vectors.owners().iter().zip(&scratch.coded_products).zip(scales) {
                if *owner != NONE {
                    let cosine = &mut scratch.cosine[first_row + *owner as usize];
                    *cosine = cosine.max(*product as f32 * scale * query_scale);
                }
            }
        } else {
            scratch.products.resize(vectors.rows(), 0.0);
            vector::dots(query, vectors.data(), &mut scratch.products);
            for (owner, product) in vectors.owners().iter().zip(&scratch.products) {
                if *owner != NONE {
                    let cosine = &mut scratch.cosine[first_row + *owner as usize];
                    *cosine = cosine.max(*product);
                }
            }
        }
    }
    exact
}

/// Rows that might have the greatest cosine.
pub(super) fn near_greatest(spread: Spread, scratch: &Scratch) -> Vec<usize> {
    /// Twice what two quantisations of a unit vector are off by in all but freak cases.
    const OFF: f32 = 0.01;
    /// So many at most: in a scope of equal texts any will do.
    const MOST: usize = 1_000;
    let rows = scratch.cosine.iter().zip(&scratch.eligible).enumerate();
    let near = rows.filter(|(_, (cosine, eligible))| **eligible && **cosine >= spread.greatest - OFF);
    near.map(|(row, _)| row).take(MOST).collect()
}

/// Replaces the cosines of `rows` by exact ones.
pub(super) fn refine(indexes: &[&ScopeIndex], query: &[f32], rows: &[usize], scratch: &mut Scratch) {
    for &row in rows {
        let (number, local) = scratch.locate(row);
        let vectors = indexes[number].vectors();
        if vectors.dims() != query.len() {
            continue;
        }
        let Some(cold) = indexes[number].row(local) else { continue };
        let exact = vectors.chain(cold.first_vector).map(|row| vector::dot(query, vectors.row(row)));
        scratch.cosine[row] = exact.fold(NO_VECTOR, f32::max);
    }
}

/// How the cosines of eligible rows are spread.
pub(super) fn spread(scratch: &Scratch) -> Spread {
    let (mut count, mut sum, mut squares, mut greatest) = (0_usize, 0.0_f64, 0.0_f64, NO_VECTOR);
    for (cosine, eligible) in scratch.cosine.iter().zip(&scratch.eligible) {
        if *eligible && *cosine != NO_VECTOR {
            count += 1;
            sum += f64::from(*cosine);
            squares += f64::from(*cosine) * f64::from(*cosine);
            greatest = greatest.max(*cosine);
        }
    }
    if count == 0 {
        return Spread::default();
    }
    let mean = sum / count as f64;
    let deviation = (squares / count as f64 - mean * mean).max(0.0).sqrt();
    let deviations = if count < DENSE_FEW { 0.0 } else { DENSE_DEVIATIONS };
    Spread {
        floor: (mean + deviations * deviation) as f32,
        greatest,
        count,
        mean: mean as f32,
        deviation: deviation as f32,
    }
}
