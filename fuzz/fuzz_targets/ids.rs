//! Any text as an id: what is accepted matches the grammar of ID-1 to the letter.
#![no_main]

use libfuzzer_sys::fuzz_target;
use myosotis_core::{MemoryId, Namespace, Slot, UserId};

fuzz_target!(|text: &str| {
    if UserId::new(text).is_ok() {
        let bytes = text.as_bytes();
        assert!((1..=64).contains(&bytes.len()) && bytes[0].is_ascii_alphanumeric());
        assert!(bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')));
    }
    if let Ok(derived) = UserId::from_external(&[1; 32], text) {
        assert!(UserId::new(derived.as_str()).is_ok());
    }
    let _ = Namespace::new(text);
    let _ = text.parse::<MemoryId>();
    if let Some(slot) = Slot::normalise(text) {
        assert_eq!(Slot::normalise(slot.as_str()).as_ref(), Some(&slot));
    }
});
