//! Any text in the recalled block: one opening, one closing, one line an item (BLK-2).
#![no_main]

use libfuzzer_sys::fuzz_target;
use myosotis_core::Kind;
use myosotis_core::block::{BlockItem, CLOSE, OPEN, line, render};

fuzz_target!(|text: &str| {
    let escaped = line(text);
    assert!(!escaped.contains(['<', '>', '"', '\'', '\n', '\r']));
    if let Some(block) = render(&[BlockItem::new(Kind::Fact, text)]) {
        assert_eq!(block.matches(OPEN).count(), 1);
        assert_eq!(block.matches(CLOSE).count(), 1);
        assert_eq!(block.lines().filter(|line| line.starts_with("- ")).count(), 1);
    }
});
