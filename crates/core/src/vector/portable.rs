//! The plain bodies: safe Rust with independent accumulators, which the compiler turns into
//! whatever vector instructions the target's baseline has.

const LANES: usize = 16;

/// See [`super::dots`].
pub(super) fn dots(query: &[f32], rows: &[f32], out: &mut [f32]) {
    for (row, out) in rows.chunks_exact(query.len()).zip(out) {
        let mut lanes = [0.0_f32; LANES];
        let (a, b) = (query.chunks_exact(LANES), row.chunks_exact(LANES));
        let tail: f32 = a.remainder().iter().zip(b.remainder()).map(|(x, y)| x * y).sum();
        for (x, y) in a.zip(b) {
            for (lane, (x, y)) in lanes.iter_mut().zip(x.iter().zip(y)) {
                *lane += x * y;
            }
        }
        *out = lanes.iter().sum::<f32>() + tail;
    }
}

/// See [`super::dots_i8`].
pub(super) fn dots_i8(query: &[i8], rows: &[i8], out: &mut [i32]) {
    for (row, out) in rows.chunks_exact(query.len()).zip(out) {
        *out = query.iter().zip(row).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum();
    }
}
