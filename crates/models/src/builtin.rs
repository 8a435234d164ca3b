//! The embedder that comes with the program: paraphrase-MiniLM-L3-v2 in 4 bits, compiled in.

use std::sync::OnceLock;

use myosotis_core::{EmbedError, Embedder, EmbedderSpec};

use crate::bert::{Bert, HIDDEN, MAX_TOKENS};
use crate::cpu::Cpu;
use crate::weights::Weights;
use crate::wordpiece::WordPiece;

/// `weights/README.md` says where they come from.
static WEIGHTS: &[u8] = include_bytes!("../weights/model.safetensors");
static VOCABULARY: &str = include_str!("../weights/vocab.txt");

/// Names the vector space: the model and how it was quantised.
const ID: &str = "paraphrase-MiniLM-L3-v2/q4";

/// Tokens in one pass: one longest text, or several short ones that then share the reading of the
/// weights. From 64 to 384 the speed is the same within 5%; the intermediate states are 15 KB a token.
const BATCH_TOKENS: usize = MAX_TOKENS;

/// What can be wrong with the built-in model. None of it depends on a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuiltInError {
    /// A tensor is not as the model needs it.
    #[error("the built-in weights are damaged ({tensor}: {problem}): build again from a clean copy of the source")]
    Weights {
        /// Its name.
        tensor: String,
        /// What was found.
        problem: String,
    },
    /// The vocabulary is not the model's.
    #[error(
        "the built-in vocabulary has {found} usable entries instead of {expected}: build again from a clean copy of the source"
    )]
    Vocabulary {
        /// How many were read.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A vector came out as no direction at all.
    #[error("text {index} of the batch gave a vector that is zero or not finite: report it with `myosotis --version`")]
    NotFinite {
        /// Which text, from 0.
        index: usize,
    },
}

impl From<BuiltInError> for EmbedError {
    fn from(error: BuiltInError) -> Self {
        Self { model: ID.into(), reason: error.to_string() }
    }
}

/// The built-in embedder: English, 384 dimensions, 128 tokens, no file and no network.
///
/// The model is unpacked once for the process, in about 25 ms and to about 25 MB,
/// however many handles there are. A call runs on the thread that makes it; calls from several
/// threads run side by side.
///
/// ```
/// use myosotis_core::Embedder;
/// use myosotis_models::BuiltIn;
///
/// let model = BuiltIn::new()?;
/// let vectors = model.embed(&["Alice plays the cello", "What instrument does Alice play?", "It rains"])?;
/// let cosine = |a: usize, b: usize| vectors[a].iter().zip(&vectors[b]).map(|(a, b)| a * b).sum::<f32>();
/// assert!(cosine(0, 1) > cosine(0, 2) + 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct BuiltIn {
    spec: EmbedderSpec,
}

#[derive(Debug)]
struct Model {
    wordpiece: WordPiece,
    bert: Bert,
}

impl Model {
    fn load() -> Result<Self, BuiltInError> {
        let weights = Weights::parse(WEIGHTS)?;
        Ok(Self { wordpiece: WordPiece::parse(VOCABULARY)?, bert: Bert::load(&weights, Cpu::detect())? })
    }

    fn shared() -> Result<&'static Self, BuiltInError> {
        static MODEL: OnceLock<Result<Model, BuiltInError>> = OnceLock::new();
        MODEL.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, BuiltInError> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut batch = Vec::new();
        let mut tokens = 0;
        for text in texts {
            let ids = self.wordpiece.encode(text);
            if tokens + ids.len() > BATCH_TOKENS {
                vectors.append(&mut self.bert.forward(&batch));
                batch.clear();
                tokens = 0;
            }
            tokens += ids.len();
            batch.push(ids);
        }
        vectors.append(&mut self.bert.forward(&batch));
        for (index, vector) in vectors.iter_mut().enumerate() {
            if !to_length_one(vector) {
                return Err(BuiltInError::NotFinite { index });
            }
        }
        Ok(vectors)
    }
}

fn to_length_one(vector: &mut [f32]) -> bool {
    let norm = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    for value in &mut *vector {
        *value = (f64::from(*value) / norm) as f32;
    }
    norm.is_finite() && norm > 0.0
}

impl BuiltIn {
    /// A handle whose model is unpacked now, unless another handle already did.
    ///
    /// # Errors
    /// [`BuiltInError`] if the program was built from damaged files.
    pub fn new() -> Result<Self, BuiltInError> {
        Model::shared().map(|_| Self::lazy())
    }

    /// A handle whose model waits for the first text. Damaged files are an error of that call then.
    #[must_use]
    pub fn lazy() -> Self {
        Self {
            spec: EmbedderSpec {
                id: ID.into(),
                dimensions: HIDDEN,
                max_tokens: MAX_TOKENS,
                query_prefix: String::new(),
                passage_prefix: String::new(),
            },
        }
    }

    /// The share of `text`'s word pieces the model cannot read, 0 to 1: pieces that are not in its
    /// vocabulary, and letters of scripts other than Latin. 1 if there are no pieces at all. Only as
    /// much of the text counts as the model sees.
    ///
    /// # Errors
    /// As [`BuiltIn::new`].
    pub fn unknown_share(&self, text: &str) -> Result<f32, BuiltInError> {
        Ok(Model::shared()?.wordpiece.unknown_share(text))
    }
}

impl Embedder for BuiltIn {
    fn spec(&self) -> &EmbedderSpec {
        &self.spec
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(Model::shared()?.embed(texts)?)
    }

    fn is_prompt(&self) -> bool {
        true
    }

    fn coverage(&self, text: &str) -> f32 {
        self.unknown_share(text).map_or(0.0, |share| 1.0 - share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_gives_the_same_vectors() {
        let texts = ["Alice is allergic to peanuts.", "", "hi", &"and so on, ".repeat(60)];
        let vectors: Vec<_> = Cpu::available()
            .map(|cpu| {
                let bert = Bert::load(&Weights::parse(WEIGHTS).unwrap(), cpu).unwrap();
                Model { wordpiece: WordPiece::parse(VOCABULARY).unwrap(), bert }.embed(&texts).unwrap().concat()
            })
            .collect();
        for others in &vectors[1..] {
            let worst = vectors[0].iter().zip(others).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < 1e-5, "{worst}");
        }
    }
}
