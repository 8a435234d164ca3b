//! The bodies for x86-64: AVX2 with FMA, and AVX-512 with VNNI.
//!
//! The one module with `unsafe`. It is of two kinds only: calling a function compiled for a feature
//! after asking whether the processor has it, and loads through pointers into slices whose bounds
//! were computed from the slices' lengths a line before. Each carries its reason.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, __m256i, __m512, __m512i, _mm_add_epi32, _mm_add_ps, _mm_add_ss, _mm_cvtsi128_si32, _mm_cvtss_f32,
    _mm_loadu_si128, _mm_movehl_ps, _mm_shuffle_epi32, _mm_shuffle_ps, _mm256_add_epi32, _mm256_add_ps,
    _mm256_castps256_ps128, _mm256_castsi256_si128, _mm256_cvtepi8_epi16, _mm256_extractf128_ps,
    _mm256_extracti128_si256, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_madd_epi16, _mm256_setzero_ps,
    _mm256_setzero_si256, _mm512_add_epi32, _mm512_add_ps, _mm512_dpbusd_epi32, _mm512_fmadd_ps, _mm512_loadu_ps,
    _mm512_loadu_si512, _mm512_maskz_loadu_epi8, _mm512_maskz_loadu_ps, _mm512_reduce_add_epi32, _mm512_reduce_add_ps,
    _mm512_set1_epi8, _mm512_setzero_ps, _mm512_setzero_si512, _mm512_xor_si512,
};

/// Whether this processor has what the AVX2 bodies need.
#[inline]
pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Whether this processor has what the AVX-512 bodies need.
#[inline]
pub(super) fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
}

/// See [`super::dots`]. Falls back to the portable body where AVX2 or FMA is missing.
pub(super) fn dots_avx2(query: &[f32], rows: &[f32], out: &mut [f32]) {
    if !has_avx2() {
        return super::portable::dots(query, rows, out);
    }
    // SAFETY: the features `dots_avx2_body` is compiled for were found a line above.
    unsafe { dots_avx2_body(query, rows, out) }
}

/// See [`super::dots_i8`]. Falls back to the portable body where AVX2 is missing.
pub(super) fn dots_i8_avx2(query: &[i8], rows: &[i8], out: &mut [i32]) {
    if !has_avx2() {
        return super::portable::dots_i8(query, rows, out);
    }
    // SAFETY: the feature `dots_i8_avx2_body` is compiled for was found a line above.
    unsafe { dots_i8_avx2_body(query, rows, out) }
}

/// See [`super::dots`]. Falls back to the portable body where AVX-512 is missing.
pub(super) fn dots_avx512(query: &[f32], rows: &[f32], out: &mut [f32]) {
    if !has_avx512() {
        return super::portable::dots(query, rows, out);
    }
    // SAFETY: the feature `dots_avx512_body` is compiled for was found a line above.
    unsafe { dots_avx512_body(query, rows, out) }
}

/// See [`super::dots_i8`]. Falls back to the portable body where AVX-512 VNNI is missing.
pub(super) fn dots_i8_avx512(query: &[i8], rows: &[i8], out: &mut [i32]) {
    if !has_avx512() {
        return super::portable::dots_i8(query, rows, out);
    }
    // SAFETY: the features `dots_i8_avx512_body` is compiled for were found a line above.
    unsafe { dots_i8_avx512_body(query, rows, out) }
}

#[target_feature(enable = "avx2,fma")]
fn dots_avx2_body(query: &[f32], rows: &[f32], out: &mut [f32]) {
    const STEP: usize = 32;
    let dims = query.len();
    let whole = dims - dims % STEP;
    for (row, out) in rows.chunks_exact(dims).zip(out) {
        let mut sums = [_mm256_setzero_ps(); 4];
        let mut at = 0;
        while at < whole {
            for (i, sum) in sums.iter_mut().enumerate() {
                // SAFETY: at + 32 <= whole <= dims, the length of both slices, and i < 4, so that
                // the 8 floats from at + 8 i lie inside both. The loads need no alignment.
                let (x, y) = unsafe {
                    (_mm256_loadu_ps(query.as_ptr().add(at + 8 * i)), _mm256_loadu_ps(row.as_ptr().add(at + 8 * i)))
                };
                *sum = _mm256_fmadd_ps(x, y, *sum);
            }
            at += STEP;
        }
        let tail: f32 = query[whole..].iter().zip(&row[whole..]).map(|(x, y)| x * y).sum();
        let total = _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3]));
        *out = sum_of_8(total) + tail;
    }
}

#[target_feature(enable = "avx2")]
fn sum_of_8(v: __m256) -> f32 {
    let four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
}

#[target_feature(enable = "avx2")]
fn dots_i8_avx2_body(query: &[i8], rows: &[i8], out: &mut [i32]) {
    const STEP: usize = 32;
    let dims = query.len();
    let whole = dims - dims % STEP;
    for (row, out) in rows.chunks_exact(dims).zip(out) {
        let mut sums = [_mm256_setzero_si256(); 2];
        let mut at = 0;
        while at < whole {
            for (i, sum) in sums.iter_mut().enumerate() {
                // SAFETY: at + 32 <= whole <= dims, the length of both slices, and i < 2, so that
                // the 16 bytes from at + 16 i lie inside both. The loads need no alignment.
                let (x, y) = unsafe {
                    (
                        _mm_loadu_si128(query.as_ptr().add(at + 16 * i).cast()),
                        _mm_loadu_si128(row.as_ptr().add(at + 16 * i).cast()),
                    )
                };
                let products = _mm256_madd_epi16(_mm256_cvtepi8_epi16(x), _mm256_cvtepi8_epi16(y));
                *sum = _mm256_add_epi32(*sum, products);
            }
            at += STEP;
        }
        let tail: i32 = query[whole..].iter().zip(&row[whole..]).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum();
        *out = sum_of_8_i32(_mm256_add_epi32(sums[0], sums[1])) + tail;
    }
}

#[target_feature(enable = "avx2")]
fn sum_of_8_i32(v: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
}

#[target_feature(enable = "avx512f")]
fn dots_avx512_body(query: &[f32], rows: &[f32], out: &mut [f32]) {
    const STEP: usize = 64;
    let dims = query.len();
    let whole = dims - dims % STEP;
    for (row, out) in rows.chunks_exact(dims).zip(out) {
        let mut sums = [_mm512_setzero_ps(); 4];
        let mut at = 0;
        while at < whole {
            for (i, sum) in sums.iter_mut().enumerate() {
                // SAFETY: at + 64 <= whole <= dims, the length of both slices, and i < 4, so that
                // the 16 floats from at + 16 i lie inside both. The loads need no alignment.
                let (x, y) = unsafe {
                    (_mm512_loadu_ps(query.as_ptr().add(at + 16 * i)), _mm512_loadu_ps(row.as_ptr().add(at + 16 * i)))
                };
                *sum = _mm512_fmadd_ps(x, y, *sum);
            }
            at += STEP;
        }
        while at < dims {
            let count = (dims - at).min(16);
            // SAFETY: at + count <= dims, the length of both slices; the mask keeps the load from
            // touching anything past `count` floats.
            let (x, y): (__m512, __m512) = unsafe {
                let mask = ((1_u32 << count) - 1) as u16;
                (_mm512_maskz_loadu_ps(mask, query.as_ptr().add(at)), _mm512_maskz_loadu_ps(mask, row.as_ptr().add(at)))
            };
            sums[0] = _mm512_fmadd_ps(x, y, sums[0]);
            at += count;
        }
        let total = _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3]));
        *out = _mm512_reduce_add_ps(total);
    }
}

/// VNNI multiplies unsigned by signed bytes. So the query is shifted up by 128 (flipping its top
/// bit), and 128 times the sum of the row, found by the same instruction, is taken off again.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn dots_i8_avx512_body(query: &[i8], rows: &[i8], out: &mut [i32]) {
    const STEP: usize = 64;
    let dims = query.len();
    let whole = dims - dims % STEP;
    let flip = _mm512_set1_epi8(i8::MIN);
    let ones = _mm512_set1_epi8(1);
    for (row, out) in rows.chunks_exact(dims).zip(out) {
        let mut products = [_mm512_setzero_si512(); 2];
        let mut row_sum = _mm512_setzero_si512();
        let mut at = 0;
        while at < whole {
            // SAFETY: at + 64 <= whole <= dims, the length of both slices. No alignment is needed.
            let (x, y) = unsafe {
                (_mm512_loadu_si512(query.as_ptr().add(at).cast()), _mm512_loadu_si512(row.as_ptr().add(at).cast()))
            };
            let lane = &mut products[at / STEP % 2];
            *lane = _mm512_dpbusd_epi32(*lane, _mm512_xor_si512(x, flip), y);
            row_sum = _mm512_dpbusd_epi32(row_sum, ones, y);
            at += STEP;
        }
        if at < dims {
            let mask = (1_u64 << (dims - at)) - 1;
            // SAFETY: dims - at < 64 bytes remain in both slices; the mask keeps the load from
            // touching anything past them. Masked bytes of the row are 0 and add nothing.
            let (x, y): (__m512i, __m512i) = unsafe {
                (
                    _mm512_maskz_loadu_epi8(mask, query.as_ptr().add(at)),
                    _mm512_maskz_loadu_epi8(mask, row.as_ptr().add(at)),
                )
            };
            products[0] = _mm512_dpbusd_epi32(products[0], _mm512_xor_si512(x, flip), y);
            row_sum = _mm512_dpbusd_epi32(row_sum, ones, y);
        }
        let product = _mm512_reduce_add_epi32(_mm512_add_epi32(products[0], products[1]));
        *out = product - 128 * _mm512_reduce_add_epi32(row_sum);
    }
}
