//! Any text through what every memory and question goes through: cleaning, dates, normal form,
//! words, passages, token estimate.
#![no_main]

use jiff::{Timestamp, tz::TimeZone};
use libfuzzer_sys::fuzz_target;
use myosotis_core::{budget, claim, passage, text, when, words};

fuzz_target!(|input: &str| {
    let clean = text::canonical(input);
    assert_eq!(text::canonical(&clean), clean);
    for found in when::find(&clean, Timestamp::UNIX_EPOCH, &TimeZone::UTC) {
        assert!(clean.get(found.range.clone()).is_some());
        assert!(found.span.start < found.span.end);
    }
    let form = claim::normal_form(&clean);
    assert_eq!(claim::normal_form(&form), form);
    let _ = words::analyse(&clean);
    let _ = budget::estimate_tokens(&clean);
    assert!(!passage::passages(&clean).is_empty());
});
