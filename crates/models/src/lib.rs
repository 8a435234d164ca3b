//! The models of Myosotis. [`BuiltIn`] turns texts into vectors with weights that are compiled into
//! the program, so that a bare clone recalls by meaning without a download, a file or a network.

mod bert;
mod builtin;
mod cpu;
mod gemm;
mod math;
mod weights;
mod wordpiece;

pub use builtin::{BuiltIn, BuiltInError};
