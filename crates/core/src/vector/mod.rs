//! Vector maths: dot products over contiguous rows, in `f32` and in 8 bits.
//!
//! One face, three bodies: `portable` is plain safe Rust and the definition of what is right; `x86`
//! holds the same loops for AVX2 + FMA and for AVX-512 (with VNNI for bytes). The best one this
//! processor has is chosen at run time. Sums of `f32` differ between the bodies by rounding only
//! (1e-5 for unit vectors); the byte products are equal to the last bit.
//!
//! `x86` is the one place of the project where `unsafe` is allowed.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Why a vector cannot be used (VEC-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// It has another number of dimensions than its model promises.
    #[error("the vector has {found} dimensions, {expected} were expected: it belongs to another model; run `reindex`")]
    Length {
        /// What the model's description says.
        expected: usize,
        /// What came.
        found: usize,
    },
    /// A component is infinite or not a number.
    #[error("component {at} of the vector is not a finite number: the embedder is broken or out of memory")]
    NotFinite {
        /// Which component, from 0.
        at: usize,
    },
    /// All components are zero (or too small to be told from it), so that it has no direction.
    #[error("the vector is zero: the embedder gave nothing for this text")]
    Zero,
}

/// Which body computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The best body of this processor. The detection itself is cached by the standard library.
#[inline]
fn body() -> Body {
    #[cfg(target_arch = "x86_64")]
    {
        if x86::has_avx512() {
            return Body::Avx512;
        }
        if x86::has_avx2() {
            return Body::Avx2;
        }
    }
    Body::Portable
}

/// The name of the body in use, for `doctor` and benches.
#[must_use]
pub fn body_name() -> &'static str {
    match body() {
        Body::Portable => "portable",
        #[cfg(target_arch = "x86_64")]
        Body::Avx2 => "AVX2",
        #[cfg(target_arch = "x86_64")]
        Body::Avx512 => "AVX-512",
    }
}

/// The dot product of two vectors; of the shorter one's length if they differ.
#[must_use]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let n = a.len().min(b.len());
    let mut out = [0.0];
    dots(&a[..n], &b[..n], &mut out);
    out[0]
}

/// The dot products of `query` with each row of `rows`, which lie one after the other.
///
/// Computes as many as `out` and `rows` both hold; what remains of `out` is left alone.
pub fn dots(query: &[f32], rows: &[f32], out: &mut [f32]) {
    if query.is_empty() {
        out.fill(0.0);
        return;
    }
    match body() {
        Body::Portable => portable::dots(query, rows, out),
        #[cfg(target_arch = "x86_64")]
        Body::Avx2 => x86::dots_avx2(query, rows, out),
        #[cfg(target_arch = "x86_64")]
        Body::Avx512 => x86::dots_avx512(query, rows, out),
    }
}

/// The dot products of a quantised `query` with each quantised row of `rows`, exactly.
pub fn dots_i8(query: &[i8], rows: &[i8], out: &mut [i32]) {
    if query.is_empty() {
        out.fill(0);
        return;
    }
    match body() {
        Body::Portable => portable::dots_i8(query, rows, out),
        #[cfg(target_arch = "x86_64")]
        Body::Avx2 => x86::dots_i8_avx2(query, rows, out),
        #[cfg(target_arch = "x86_64")]
        Body::Avx512 => x86::dots_i8_avx512(query, rows, out),
    }
}

/// The dot product of two byte vectors; of the shorter one's length if they differ.
#[must_use]
pub fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
    let n = a.len().min(b.len());
    let mut out = [0];
    dots_i8(&a[..n], &b[..n], &mut out);
    out[0]
}

/// Quantises `vector` to bytes, symmetric about zero, and returns the scale: `vector[i]` is about
/// `scale * out[i]`, off by at most half a scale. A zero vector has scale 0.
pub fn quantise(vector: &[f32], out: &mut [i8]) -> f32 {
    let peak = vector.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    if peak <= 0.0 || !peak.is_finite() {
        out.fill(0);
        return 0.0;
    }
    let scale = peak / 127.0;
    let inverse = 127.0 / peak;
    for (code, x) in out.iter_mut().zip(vector) {
        // In -127..=127 by construction; the cast saturates and maps NaN to 0.
        *code = (x * inverse).round_ties_even() as i8;
    }
    scale
}

/// Checks length, finiteness and that the vector is not zero (VEC-5).
///
/// # Errors
/// [`VectorError`] naming what is wrong.
pub fn check(vector: &[f32], dims: usize) -> Result<(), VectorError> {
    if vector.len() != dims {
        return Err(VectorError::Length { expected: dims, found: vector.len() });
    }
    if let Some(at) = vector.iter().position(|x| !x.is_finite()) {
        return Err(VectorError::NotFinite { at });
    }
    if vector.iter().all(|x| x.abs() < f32::MIN_POSITIVE) {
        return Err(VectorError::Zero);
    }
    Ok(())
}

/// Scales `vector` to length 1, so that dot products are cosines.
///
/// # Errors
/// [`VectorError`] if a component is not finite or all are zero.
///
/// ```
/// let mut v = [3.0, 4.0];
/// myosotis_core::vector::normalise(&mut v)?;
/// assert_eq!(v, [0.6, 0.8]);
/// # Ok::<(), myosotis_core::vector::VectorError>(())
/// ```
pub fn normalise(vector: &mut [f32]) -> Result<(), VectorError> {
    check(vector, vector.len())?;
    // In f64, so that neither huge nor tiny components overflow or vanish on the way.
    let length = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    for x in vector.iter_mut() {
        *x = (f64::from(*x) / length) as f32;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scalar(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>() as f32
    }

    fn scalar_i8(a: &[i8], b: &[i8]) -> i32 {
        a.iter().zip(b).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum()
    }

    type Dots = fn(&[f32], &[f32], &mut [f32]);
    type DotsI8 = fn(&[i8], &[i8], &mut [i32]);

    fn bodies() -> Vec<(&'static str, Dots, DotsI8)> {
        let mut all: Vec<(&'static str, Dots, DotsI8)> = vec![("portable", portable::dots, portable::dots_i8)];
        #[cfg(target_arch = "x86_64")]
        {
            if x86::has_avx2() {
                all.push(("avx2", x86::dots_avx2, x86::dots_i8_avx2));
            }
            if x86::has_avx512() {
                all.push(("avx512", x86::dots_avx512, x86::dots_i8_avx512));
            }
        }
        all
    }

    fn unit(n: usize) -> impl Strategy<Value = Vec<f32>> {
        prop::collection::vec(-1.0_f32..1.0, n).prop_map(|mut v| {
            if normalise(&mut v).is_err() {
                v[0] = 1.0;
            }
            v
        })
    }

    fn sizes() -> impl Strategy<Value = (usize, usize)> {
        (1_usize..530, 1_usize..6)
    }

    proptest! {
        #[test]
        fn every_body_agrees_with_the_scalar_product(
            (query, rows, n) in sizes().prop_flat_map(|(dims, n)| {
                (unit(dims), prop::collection::vec(unit(dims), n).prop_map(|rows| rows.concat()), Just(n))
            })
        ) {
            for (name, dots, _) in bodies() {
                let mut out = vec![f32::NAN; n];
                dots(&query, &rows, &mut out);
                for (row, got) in rows.chunks_exact(query.len()).zip(&out) {
                    prop_assert!((scalar(&query, row) - got).abs() <= 1e-5, "{name}: {got}");
                }
            }
        }

        #[test]
        fn every_body_agrees_exactly_on_bytes(
            (query, rows, n) in sizes().prop_flat_map(|(dims, n)| {
                (prop::collection::vec(any::<i8>(), dims), prop::collection::vec(any::<i8>(), dims * n), Just(n))
            })
        ) {
            for (name, _, dots_i8) in bodies() {
                let mut out = vec![i32::MIN; n];
                dots_i8(&query, &rows, &mut out);
                for (row, got) in rows.chunks_exact(query.len()).zip(&out) {
                    prop_assert_eq!(scalar_i8(&query, row), *got, "{}", name);
                }
            }
        }

        #[test]
        fn quantising_is_off_by_half_a_scale_at_most(v in prop::collection::vec(-2.0_f32..2.0, 1..400)) {
            let mut codes = vec![0; v.len()];
            let scale = quantise(&v, &mut codes);
            for (x, code) in v.iter().zip(codes) {
                prop_assert!((x - scale * f32::from(code)).abs() <= scale * 0.5001);
            }
        }
    }

    #[test]
    fn the_extremes_of_a_byte_do_not_overflow() {
        let v = vec![i8::MIN; 1025];
        assert_eq!(dot_i8(&v, &v), 1025 * 128 * 128);
    }

    #[test]
    fn bad_vectors_are_told_apart() {
        // VEC-5
        assert_eq!(check(&[1.0], 2), Err(VectorError::Length { expected: 2, found: 1 }));
        assert_eq!(check(&[1.0, f32::NAN], 2), Err(VectorError::NotFinite { at: 1 }));
        assert_eq!(check(&[f32::INFINITY, 0.0], 2), Err(VectorError::NotFinite { at: 0 }));
        assert_eq!(check(&[0.0, -0.0], 2), Err(VectorError::Zero));
        assert_eq!(check(&[0.0, 1e-20], 2), Ok(()));
    }

    #[test]
    fn tiny_and_huge_vectors_normalise() {
        for scale in [1e-30_f32, 1.0, 1e30] {
            let mut v = vec![3.0 * scale, 4.0 * scale];
            normalise(&mut v).unwrap();
            assert!((v[0] - 0.6).abs() < 1e-6 && (v[1] - 0.8).abs() < 1e-6);
        }
    }

    #[test]
    fn surplus_of_either_side_is_left_alone() {
        let mut out = [9.0, 9.0];
        dots(&[1.0, 1.0], &[1.0, 2.0, 5.0], &mut out);
        assert_eq!(out, [3.0, 9.0]);
        assert!((dot(&[1.0, 2.0, 3.0], &[1.0, 1.0]) - 3.0).abs() < 1e-6);
    }
}
