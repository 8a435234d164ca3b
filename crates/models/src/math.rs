//! The arithmetic between the matrix products: layer norm, GELU, softmax. Written without branches
//! or library calls, so that the compiler turns the loops into vector instructions.

use crate::cpu::{Kernel, Simd};
use crate::gemm::LANES;

/// Scale and shift of a layer norm, for rows of their length (a multiple of [`LANES`]).
#[derive(Debug)]
pub(crate) struct Norm {
    pub(crate) scale: Vec<f32>,
    pub(crate) shift: Vec<f32>,
}

/// BERT's `layer_norm_eps`.
const EPSILON: f32 = 1e-12;

/// Adds `residual` to `values`, row by row, and brings each row to mean 0 and variance 1.
pub(crate) struct Normalise<'a> {
    pub(crate) norm: &'a Norm,
    pub(crate) values: &'a mut [f32],
    pub(crate) residual: Option<&'a [f32]>,
}

impl Kernel for Normalise<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Norm { scale, shift } = self.norm;
        if let Some(residual) = self.residual {
            for (value, residual) in self.values.iter_mut().zip(residual) {
                *value += residual;
            }
        }
        for row in self.values.chunks_exact_mut(scale.len()) {
            let count = row.len() as f32;
            let mean = sum(row, |value| value) / count;
            let variance = sum(row, |value| (value - mean) * (value - mean)) / count;
            let inverse = 1.0 / (variance + EPSILON).sqrt();
            for ((value, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
                *value = simd.mul_add_one((*value - mean) * inverse, *scale, *shift);
            }
        }
    }
}

/// `x * P(X <= x)` for a standard normal X, the exact GELU to 1e-6.
pub(crate) struct Gelu<'a>(pub(crate) &'a mut [f32]);

impl Kernel for Gelu<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for value in self.0 {
            let x = *value;
            *value = 0.5 * x * (1.0 + erf(simd, x * std::f32::consts::FRAC_1_SQRT_2));
        }
    }
}

/// Softmax of `scale * row` in place; what lies past `length` counts as minus infinity.
#[inline(always)]
pub(crate) fn softmax<S: Simd>(simd: S, row: &mut [f32], length: usize, scale: f32) {
    row[length..].fill(f32::NEG_INFINITY);
    let (lanes, _) = row.as_chunks::<LANES>();
    let mut most = [f32::NEG_INFINITY; LANES];
    for lane in lanes {
        for (most, value) in most.iter_mut().zip(lane) {
            *most = if *value > *most { *value } else { *most };
        }
    }
    let most = most.into_iter().fold(f32::NEG_INFINITY, f32::max);
    for value in row.iter_mut() {
        *value = exp(simd, (*value - most) * scale);
    }
    let inverse = 1.0 / sum(row, |value| value);
    for value in row {
        *value *= inverse;
    }
}

/// A sum in [`LANES`] partial sums, which can go side by side.
#[inline(always)]
fn sum(row: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let (lanes, _) = row.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for lane in lanes {
        for (sum, value) in sums.iter_mut().zip(lane) {
            *sum += term(*value);
        }
    }
    sums.iter().sum()
}

/// e^x for x <= 0, relative error 2e-7; below -87 it stays at e^-87.
#[inline(always)]
fn exp<S: Simd>(simd: S, x: f32) -> f32 {
    /// 1.5 * 2^23: adding it rounds to a whole number and leaves that number in the low bits.
    const ROUND: f32 = 12_582_912.0;
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let x = if x < -87.0 { -87.0 } else { x };
    let shifted = simd.mul_add_one(x, std::f32::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    let rest = simd.mul_add_one(whole, -LN2_LOW, simd.mul_add_one(whole, -LN2_HIGH, x));
    // Coefficients: Cephes, expf.
    let mut series = 1.987_569_1e-4;
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        series = simd.mul_add_one(series, rest, coefficient);
    }
    let series = simd.mul_add_one(series, rest * rest, rest) + 1.0;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0f32.to_bits()));
    series * power
}

/// The error function, to 2e-7. Abramowitz and Stegun, 7.1.26.
#[inline(always)]
fn erf<S: Simd>(simd: S, x: f32) -> f32 {
    let t = 1.0 / simd.mul_add_one(0.327_591_1, x.abs(), 1.0);
    let mut series = 1.061_405_4;
    for coefficient in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
        series = simd.mul_add_one(series, t, coefficient);
    }
    (1.0 - series * t * exp(simd, -x * x)).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Cpu;

    /// The error function by its series in double precision, for |x| < 5.
    fn reference_erf(x: f64) -> f64 {
        let (mut term, mut total) = (x, x);
        for n in 1..200 {
            term *= -x * x / f64::from(n);
            total += term / f64::from(2 * n + 1);
        }
        (total * 2.0 / std::f64::consts::PI.sqrt()).clamp(-1.0, 1.0)
    }

    #[test]
    fn gelu_is_the_exact_one_on_every_instruction_set() {
        let inputs: Vec<f32> = (-1200..=1200).map(|i| i as f32 / 200.0).collect();
        for cpu in Cpu::available() {
            let mut values = inputs.clone();
            cpu.run(Gelu(&mut values));
            for (x, value) in inputs.iter().map(|x| f64::from(*x)).zip(values) {
                let expected = 0.5 * x * (1.0 + reference_erf(x / std::f64::consts::SQRT_2));
                assert!((expected - f64::from(value)).abs() < 2e-6, "{cpu:?} {x}: {value} for {expected}");
            }
        }
    }

    #[test]
    fn gelu_of_anything_is_a_number_or_as_large_as_its_input() {
        for cpu in Cpu::available() {
            let mut values = [0.0, -0.0, 1e30, -1e30, f32::MIN_POSITIVE];
            cpu.run(Gelu(&mut values));
            assert_eq!(values[2], 1e30);
            assert!(values.iter().all(|value| value.is_finite()));
        }
    }

    #[test]
    fn softmax_agrees_with_the_plain_formula() {
        struct Run<'a>(&'a mut [f32], usize);
        impl Kernel for Run<'_> {
            #[inline(always)]
            fn run<S: Simd>(self, simd: S) {
                softmax(simd, self.0, self.1, 0.5);
            }
        }
        let scores: Vec<f32> = (0..64).map(|i| ((i * 37) % 64) as f32 - 40.0).collect();
        let total: f64 = scores[..45].iter().map(|s| (f64::from(*s) * 0.5).exp()).sum();
        for cpu in Cpu::available() {
            let mut row = scores.clone();
            cpu.run(Run(&mut row, 45));
            for (score, value) in scores.iter().zip(&row[..45]) {
                assert!(((f64::from(*score) * 0.5).exp() / total - f64::from(*value)).abs() < 1e-6);
            }
            assert!(row[45..].iter().all(|value| *value < 1e-30));
        }
    }
}
