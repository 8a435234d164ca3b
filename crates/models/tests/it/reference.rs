//! Agreement with the reference implementation, and with the files the reference was run on.
//! `tests/golden.md` tells how `golden.jsonl` was made.

use myosotis_core::Embedder;
use myosotis_models::BuiltIn;
use sha2::{Digest, Sha256};

/// What two faithful computations in single precision may differ by, with a wide margin.
const TOLERANCE: f32 = 1e-4;

fn golden() -> Vec<(String, Vec<f32>)> {
    let line = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        (value["text"].as_str().unwrap().to_owned(), serde_json::from_value(value["vector"].clone()).unwrap())
    };
    include_str!("../golden.jsonl").lines().map(line).collect()
}

#[test]
fn vectors_agree_with_the_reference_implementation() {
    let golden = golden();
    let texts: Vec<&str> = golden.iter().map(|(text, _)| text.as_str()).collect();
    let vectors = BuiltIn::new().unwrap().embed(&texts).unwrap();
    let mut worst = 0f32;
    for (vector, (text, expected)) in vectors.iter().zip(&golden) {
        assert_eq!(vector.len(), expected.len());
        for (value, expected) in vector.iter().zip(expected) {
            worst = worst.max((value - expected).abs());
            assert!((value - expected).abs() < TOLERANCE, "{text}: {value} for {expected}");
        }
    }
    assert!(worst.is_finite());
    eprintln!("largest difference {worst:e}");
}

#[test]
fn the_files_are_the_ones_named() {
    let readme = include_str!("../../weights/README.md");
    let files: [(&str, &[u8]); 3] = [
        ("model.safetensors", include_bytes!("../../weights/model.safetensors")),
        ("vocab.txt", include_bytes!("../../weights/vocab.txt")),
        ("LICENSE", include_bytes!("../../weights/LICENSE")),
    ];
    for (name, content) in files {
        let sum: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(readme.contains(&format!("{sum}  {name}")), "{name} is {sum}, which weights/README.md does not list");
    }
    assert!(readme.contains("dabb40d5d98a22372c8921acf048cb54bb8bf6d781b1233b2a360d5125789c7e"));
}
