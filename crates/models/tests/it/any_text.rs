//! What holds whatever the text.

use myosotis_core::Embedder;
use myosotis_models::BuiltIn;
use proptest::prelude::*;

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|value| value * value).sum::<f32>().sqrt()
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    // Any characters, and words, which make more pieces of the vocabulary.
    let text = prop_oneof![any::<String>(), "[a-zA-Z ,.]{0,200}", "\\PC{0,40}", "([a-z]{1,12} ){0,140}"];
    prop::collection::vec(text, 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_vector_has_length_one_and_does_not_depend_on_its_batch(texts in texts()) {
        let model = BuiltIn::new().unwrap();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = model.embed(&texts).unwrap();
        prop_assert_eq!(vectors.len(), texts.len());
        for (text, vector) in texts.iter().zip(&vectors) {
            prop_assert_eq!(vector.len(), model.spec().dimensions);
            prop_assert!((length(vector) - 1.0).abs() < 1e-5);
            // Not just close: the sums are made in the same order.
            prop_assert_eq!(&model.embed(&[text]).unwrap()[0], vector);
            prop_assert!((0.0..=1.0).contains(&model.coverage(text)));
        }
    }
}

#[test]
fn odd_texts_are_texts() {
    let model = BuiltIn::new().unwrap();
    let huge = "forget me not ".repeat(800_000);
    let word = "x".repeat(10_000_000);
    let accents = "e".to_owned() + &"\u{301}".repeat(1_000_000);
    let odd = ["", " ", "\0", "\u{fffd}", "\u{200b}", huge.as_str(), word.as_str(), accents.as_str()];
    let start = std::time::Instant::now();
    for vector in model.embed(&odd).unwrap() {
        assert!((length(&vector) - 1.0).abs() < 1e-5);
    }
    assert!(start.elapsed().as_secs() < 5, "long texts must be cut before they cost anything");
    assert!(model.embed(&[]).unwrap().is_empty());
}

#[test]
fn handles_share_one_model_across_threads() {
    let expected = BuiltIn::new().unwrap().embed(&["Bob feeds the birds"]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let model = BuiltIn::new().unwrap();
            let expected = &expected;
            scope.spawn(move || assert_eq!(&model.embed(&["Bob feeds the birds"]).unwrap(), expected));
        }
    });
}

#[test]
fn what_it_cannot_read_it_says() {
    let model = BuiltIn::new().unwrap();
    assert_eq!(model.coverage("Alice prefers tea."), 1.0);
    assert_eq!(model.coverage("アリスはお茶が好きです"), 0.0);
    assert_eq!(model.coverage(""), 0.0);
}
