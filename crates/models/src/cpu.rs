//! Chooses the vector instructions of the machine at run time. The arithmetic is written once,
//! against [`Simd`], and compiled for each; this is the crate's only `unsafe`.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as x86;

/// An instruction set. A value of it is the proof that the machine has it: outside this module there
/// is no way to make one, so its methods are safe to call.
pub(crate) trait Simd: Copy {
    /// A register full of numbers.
    type Vector: Copy;
    /// How many.
    const WIDTH: usize;
    /// How many rows of two vectors fit the registers, with three to spare.
    const TILE_ROWS: usize;

    /// The same number everywhere.
    fn splat(self, value: f32) -> Self::Vector;
    /// The first [`Simd::WIDTH`] of `values`; panics if there are fewer.
    fn load(self, values: &[f32]) -> Self::Vector;
    /// Overwrites the first [`Simd::WIDTH`] of `values`; panics if there are fewer.
    fn store(self, vector: Self::Vector, values: &mut [f32]);
    /// `a * b + c`.
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// The same for one number, for loops that the compiler makes vectors of by itself.
    fn mul_add_one(self, a: f32, b: f32, c: f32) -> f32;
}

/// A piece of arithmetic to be compiled for each instruction set. `run` and all that it calls must
/// be `#[inline(always)]`, or they are compiled for the plainest one.
pub(crate) trait Kernel {
    /// Does it.
    fn run<S: Simd>(self, simd: S);
}

/// The instructions to use. Only [`Cpu::available`] makes one, which is what makes [`Cpu::run`] sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cpu(Set);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Set {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Cpu {
    /// The best this machine has.
    pub(crate) fn detect() -> Self {
        Self::available().next().unwrap_or(Self(Set::Portable))
    }

    /// All this machine has, best first.
    pub(crate) fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let wide = {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            let avx512 = avx2 && is_x86_feature_detected!("avx512f");
            [avx512.then_some(Set::Avx512), avx2.then_some(Set::Avx2)]
        };
        #[cfg(not(target_arch = "x86_64"))]
        let wide: [Option<Set>; 0] = [];
        wide.into_iter().flatten().chain([Set::Portable]).map(Self)
    }

    /// Runs `kernel` with these instructions.
    pub(crate) fn run(self, kernel: impl Kernel) {
        match self.0 {
            // SAFETY: `available` saw that the machine has what the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { run_avx512(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { run_avx2(kernel) },
            Set::Portable => kernel.run(Portable(())),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
fn run_avx512(kernel: impl Kernel) {
    kernel.run(Avx512(()));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2(kernel: impl Kernel) {
    kernel.run(Avx2(()));
}

/// Implements [`Simd`] with the named intrinsics.
#[cfg(target_arch = "x86_64")]
macro_rules! x86 {
    ($name:ident, $vector:ident, $width:literal, $rows:literal, $splat:ident, $load:ident, $store:ident, $fma:ident) => {
        #[derive(Clone, Copy)]
        struct $name(());

        // SAFETY of all calls: a `$name` exists only where the machine has the instructions, and the
        // slices are cut to as many numbers as are read or written; alignment is not required.
        impl Simd for $name {
            type Vector = x86::$vector;
            const WIDTH: usize = $width;
            const TILE_ROWS: usize = $rows;

            #[inline(always)]
            fn splat(self, value: f32) -> Self::Vector {
                unsafe { x86::$splat(value) }
            }

            #[inline(always)]
            fn load(self, values: &[f32]) -> Self::Vector {
                unsafe { x86::$load(values[..$width].as_ptr()) }
            }

            #[inline(always)]
            fn store(self, vector: Self::Vector, values: &mut [f32]) {
                unsafe { x86::$store(values[..$width].as_mut_ptr(), vector) }
            }

            #[inline(always)]
            fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
                unsafe { x86::$fma(a, b, c) }
            }

            #[inline(always)]
            fn mul_add_one(self, a: f32, b: f32, c: f32) -> f32 {
                a.mul_add(b, c)
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
x86!(Avx512, __m512, 16, 12, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_fmadd_ps);
#[cfg(target_arch = "x86_64")]
x86!(Avx2, __m256, 8, 6, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_fmadd_ps);

/// Any machine: short arrays, of which the compiler makes what vectors there are (NEON, SSE2).
#[derive(Clone, Copy)]
struct Portable(());

impl Simd for Portable {
    type Vector = [f32; 4];
    const WIDTH: usize = 4;
    const TILE_ROWS: usize = 6;

    #[inline(always)]
    fn splat(self, value: f32) -> Self::Vector {
        [value; 4]
    }

    #[inline(always)]
    fn load(self, values: &[f32]) -> Self::Vector {
        [values[0], values[1], values[2], values[3]]
    }

    #[inline(always)]
    fn store(self, vector: Self::Vector, values: &mut [f32]) {
        values[..4].copy_from_slice(&vector);
    }

    #[inline(always)]
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
        std::array::from_fn(|i| self.mul_add_one(a[i], b[i], c[i]))
    }

    #[inline(always)]
    fn mul_add_one(self, a: f32, b: f32, c: f32) -> f32 {
        // Without the instruction, `f32::mul_add` is a call into the C library.
        if cfg!(any(target_arch = "aarch64", target_feature = "fma")) { a.mul_add(b, c) } else { a * b + c }
    }
}
