//! Matrix products with the weights laid out once in the order in which they are read: panels of
//! [`LANES`] outputs, input by input. A general library arranges its right side anew at each call,
//! which counts when a question has 16 rows: `gemm-f32` took 4.0 ms for the products alone where this
//! takes 2.0 ms for the whole pass (AVX-512, one core); at 180 rows they are level.
//!
//! A sum is always made in the order of the inputs, so a text's vector does not depend on what it
//! was batched with.

use crate::cpu::{Kernel, Simd};

/// Outputs in a panel: two AVX-512 registers, four AVX2, eight NEON.
pub(crate) const LANES: usize = 32;

/// One input's weights, or the biases, for the outputs of a panel.
pub(crate) type Lane = [f32; LANES];

/// `output = input x weights + bias`, in panels.
#[derive(Debug)]
pub(crate) struct Dense {
    inputs: usize,
    panels: Vec<Lane>,
    bias: Vec<Lane>,
}

impl Dense {
    /// An empty layer with room for `outputs`, to be filled with [`Dense::push`].
    pub(crate) fn with_capacity(inputs: usize, outputs: usize) -> Self {
        let panels = outputs / LANES;
        Self { inputs, panels: Vec::with_capacity(panels * inputs), bias: Vec::with_capacity(panels) }
    }

    /// Adds [`LANES`] outputs: `rows` holds their weights one output after the other.
    pub(crate) fn push(&mut self, rows: &[f32], bias: Lane) {
        debug_assert_eq!(rows.len(), LANES * self.inputs);
        let start = self.panels.len();
        self.panels.resize(start + self.inputs, [0.0; LANES]);
        let panel = &mut self.panels[start..];
        for (lane, row) in rows.chunks_exact(self.inputs).enumerate() {
            for (weights, value) in panel.iter_mut().zip(row) {
                weights[lane] = *value;
            }
        }
        self.bias.push(bias);
    }

    /// Length of an output row.
    pub(crate) fn outputs(&self) -> usize {
        self.bias.len() * LANES
    }
}

/// Applies a layer to every row of `input`; `output` has as many rows.
pub(crate) struct Apply<'a> {
    pub(crate) layer: &'a Dense,
    pub(crate) input: &'a [f32],
    pub(crate) output: &'a mut [f32],
}

impl Kernel for Apply<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Dense { inputs, panels, bias } = self.layer;
        let (outputs, rows) = (self.layer.outputs(), self.input.len() / inputs);
        for (index, (panel, bias)) in panels.chunks_exact(*inputs).zip(bias).enumerate() {
            let left = Rows { values: self.input, stride: *inputs };
            let output = &mut self.output[index * LANES..];
            multiply(simd, left, rows, panel, bias, output, outputs);
        }
    }
}

/// Rows of a matrix, `stride` apart.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) values: &'a [f32],
    pub(crate) stride: usize,
}

/// `rows` rows of `left`, each as long as `panel`, times one panel, plus `start`. Writes [`LANES`]
/// numbers a row, `stride` apart.
#[inline(always)]
pub(crate) fn multiply<S: Simd>(
    simd: S,
    left: Rows<'_>,
    rows: usize,
    panel: &[Lane],
    start: &Lane,
    output: &mut [f32],
    stride: usize,
) {
    // Even tiles: 15 rows as 8 and 7 rather than 12 and 3, because a low tile waits for its sums.
    let tiles = rows.div_ceil(S::TILE_ROWS);
    let mut done = 0;
    for index in 0..tiles {
        let height = (rows - done).div_ceil(tiles - index);
        let left = Rows { values: &left.values[done * left.stride..], stride: left.stride };
        let output = &mut output[done * stride..];
        macro_rules! choose {
            ($($rows:literal)*) => {
                match height {
                    $($rows if $rows <= S::TILE_ROWS => tile::<S, $rows>(simd, left, panel, start, output, stride),)*
                    _ => {}
                }
            };
        }
        choose!(1 2 3 4 5 6 7 8 9 10 11 12);
        done += height;
    }
}

/// [`multiply`] for so few rows that their sums stay in registers, two vectors at a time.
#[inline(always)]
fn tile<S: Simd, const ROWS: usize>(
    simd: S,
    left: Rows<'_>,
    panel: &[Lane],
    start: &Lane,
    output: &mut [f32],
    stride: usize,
) {
    let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &left.values[row * left.stride..][..panel.len()]);
    for column in (0..LANES).step_by(2 * S::WIDTH) {
        let pair = |lane: &Lane| [simd.load(&lane[column..]), simd.load(&lane[column + S::WIDTH..])];
        let mut sums = [pair(start); ROWS];
        for (index, weights) in panel.iter().enumerate() {
            let weights = pair(weights);
            for (sums, row) in sums.iter_mut().zip(&rows) {
                let value = simd.splat(row[index]);
                *sums = [simd.mul_add(value, weights[0], sums[0]), simd.mul_add(value, weights[1], sums[1])];
            }
        }
        for (row, [low, high]) in sums.into_iter().enumerate() {
            let output = &mut output[row * stride + column..];
            simd.store(low, output);
            simd.store(high, &mut output[S::WIDTH..]);
        }
    }
}
