//! Any bytes as any format: never a panic, and the reader always ends.
#![no_main]

use libfuzzer_sys::fuzz_target;
use myosotis::import::{Format, Input, read};

fuzz_target!(|bytes: &[u8]| {
    for format in Format::ALL {
        if let Ok(input) = Input::new(bytes) {
            for record in read(format, input) {
                let _ = record;
            }
        }
    }
});
