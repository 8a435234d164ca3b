//! The forward pass of a BERT encoder with three layers. Texts are packed one after the other
//! without padding, so that several share each matrix product and none pays for another's length.

use crate::builtin::BuiltInError;
use crate::cpu::{Cpu, Kernel, Simd};
use crate::gemm::{Apply, Dense, LANES, Lane, Rows, multiply};
use crate::math::{Gelu, Norm, Normalise, softmax};
use crate::weights::{Matrix, Weights};

/// Length of a token's state and of a text's vector.
pub(crate) const HIDDEN: usize = 384;
/// Longest text in tokens, both special ones included.
pub(crate) const MAX_TOKENS: usize = 128;
/// Entries of the vocabulary.
pub(crate) const VOCABULARY: usize = 30_522;
const LAYERS: usize = 3;
const WIDE: usize = 1536;
/// A head's share of the state. It equals [`LANES`], so a head's values are a panel as they lie.
const HEAD: usize = LANES;

/// The network. The dense layers are unpacked (21 MB); the word table stays packed in the program's
/// image, since a text looks up few of its rows.
#[derive(Debug)]
pub(crate) struct Bert {
    cpu: Cpu,
    words: Matrix<'static>,
    /// Position plus token type 0, the only one there is in a single text.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    /// Query, key and value side by side.
    attention: Dense,
    gathered: Dense,
    gathered_norm: Norm,
    widened: Dense,
    narrowed: Dense,
    narrowed_norm: Norm,
}

impl Bert {
    pub(crate) fn load(weights: &Weights<'static>, cpu: Cpu) -> Result<Self, BuiltInError> {
        let mut positions = vec![0.0; MAX_TOKENS * HIDDEN];
        let mut token_type = vec![0.0; HIDDEN];
        // `matrix` has checked the sizes, so `unpack` finds the rows.
        weights.matrix("embeddings.position_embeddings.weight", 512, HIDDEN)?.unpack(0, &mut positions);
        weights.matrix("embeddings.token_type_embeddings.weight", 2, HIDDEN)?.unpack(0, &mut token_type);
        for position in positions.chunks_exact_mut(HIDDEN) {
            add(position, &token_type);
        }
        Ok(Self {
            cpu,
            words: weights.matrix("embeddings.word_embeddings.weight", VOCABULARY, HIDDEN)?,
            positions,
            norm: norm(weights, "embeddings.LayerNorm")?,
            layers: (0..LAYERS).map(|index| Layer::load(weights, index)).collect::<Result<_, _>>()?,
        })
    }

    /// The mean state of each text's tokens. A text has 1 to [`MAX_TOKENS`] tokens.
    pub(crate) fn forward(&self, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
        let lengths: Vec<usize> = texts.iter().map(|text| text.len().min(MAX_TOKENS)).collect();
        let tokens = lengths.iter().sum::<usize>();
        if tokens == 0 {
            return Vec::new();
        }
        let mut state = self.embedded(texts, tokens);
        let mut parts = vec![0.0; tokens * HIDDEN * 3];
        let mut context = vec![0.0; tokens * HIDDEN];
        let mut gathered = vec![0.0; tokens * HIDDEN];
        let mut wide = vec![0.0; tokens * WIDE];
        for layer in &self.layers {
            self.cpu.run(Apply { layer: &layer.attention, input: &state, output: &mut parts });
            self.cpu.run(Attend { parts: &parts, lengths: &lengths, context: &mut context });
            self.cpu.run(Apply { layer: &layer.gathered, input: &context, output: &mut gathered });
            self.cpu.run(Normalise { norm: &layer.gathered_norm, values: &mut gathered, residual: Some(&state) });
            self.cpu.run(Apply { layer: &layer.widened, input: &gathered, output: &mut wide });
            self.cpu.run(Gelu(&mut wide));
            self.cpu.run(Apply { layer: &layer.narrowed, input: &wide, output: &mut state });
            self.cpu.run(Normalise { norm: &layer.narrowed_norm, values: &mut state, residual: Some(&gathered) });
        }
        let mut rows = state.chunks_exact(HIDDEN);
        lengths.iter().map(|length| mean(rows.by_ref().take(*length))).collect()
    }

    fn embedded(&self, texts: &[Vec<u32>], tokens: usize) -> Vec<f32> {
        let mut state = vec![0.0; tokens * HIDDEN];
        let mut rows = state.chunks_exact_mut(HIDDEN);
        for text in texts {
            let positions = self.positions.chunks_exact(HIDDEN);
            for ((token, position), row) in text.iter().zip(positions).zip(rows.by_ref()) {
                self.words.unpack(*token as usize, row);
                add(row, position);
            }
        }
        self.cpu.run(Normalise { norm: &self.norm, values: &mut state, residual: None });
        state
    }
}

impl Layer {
    fn load(weights: &Weights<'static>, index: usize) -> Result<Self, BuiltInError> {
        let part = |name: &str| format!("encoder.layer.{index}.{name}");
        let one = |name: &str, inputs, outputs| dense(weights, &[part(name)], inputs, outputs);
        let attention = ["query", "key", "value"].map(|name| part(&format!("attention.self.{name}")));
        Ok(Self {
            attention: dense(weights, &attention, HIDDEN, HIDDEN)?,
            gathered: one("attention.output.dense", HIDDEN, HIDDEN)?,
            gathered_norm: norm(weights, &part("attention.output.LayerNorm"))?,
            widened: one("intermediate.dense", HIDDEN, WIDE)?,
            narrowed: one("output.dense", WIDE, HIDDEN)?,
            narrowed_norm: norm(weights, &part("output.LayerNorm"))?,
        })
    }
}

/// One layer out of several of the same shape, their outputs side by side.
fn dense(weights: &Weights<'static>, names: &[String], inputs: usize, outputs: usize) -> Result<Dense, BuiltInError> {
    let mut layer = Dense::with_capacity(inputs, outputs * names.len());
    let mut rows = vec![0.0; LANES * inputs];
    for name in names {
        let matrix = weights.matrix(&format!("{name}.weight"), outputs, inputs)?;
        let bias = weights.vector(&format!("{name}.bias"), outputs)?;
        for (index, bias) in bias.as_chunks::<LANES>().0.iter().enumerate() {
            matrix.unpack(index * LANES, &mut rows);
            layer.push(&rows, *bias);
        }
    }
    Ok(layer)
}

fn norm(weights: &Weights<'static>, name: &str) -> Result<Norm, BuiltInError> {
    Ok(Norm {
        scale: weights.vector(&format!("{name}.weight"), HIDDEN)?,
        shift: weights.vector(&format!("{name}.bias"), HIDDEN)?,
    })
}

fn mean<'a>(rows: impl Iterator<Item = &'a [f32]>) -> Vec<f32> {
    let mut total = vec![0.0; HIDDEN];
    let mut count = 0.0;
    for row in rows {
        add(&mut total, row);
        count += 1.0;
    }
    for value in &mut total {
        *value /= count;
    }
    total
}

fn add(to: &mut [f32], what: &[f32]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += what;
    }
}

/// Attention of every token to the tokens of its own text.
struct Attend<'a> {
    /// A row a token: query, key and value of all heads.
    parts: &'a [f32],
    lengths: &'a [usize],
    context: &'a mut [f32],
}

impl Kernel for Attend<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        const STRIDE: usize = HIDDEN * 3;
        let scale = 1.0 / (HEAD as f32).sqrt();
        let longest = self.lengths.iter().max().map_or(0, |length| length.next_multiple_of(LANES));
        let mut keys = vec![[0.0; LANES]; longest];
        let mut values = vec![[0.0; LANES]; longest];
        let mut scores = vec![0.0; longest * longest];
        let (mut parts, mut context) = (self.parts, self.context);
        for &length in self.lengths {
            let width = length.next_multiple_of(LANES);
            for head in (0..HIDDEN).step_by(HEAD) {
                for (token, row) in parts.chunks_exact(STRIDE).take(length).enumerate() {
                    let block = &mut keys[token / LANES * LANES..][..LANES];
                    for (key, value) in block.iter_mut().zip(&row[HIDDEN + head..][..HEAD]) {
                        key[token % LANES] = *value;
                    }
                    values[token].copy_from_slice(&row[2 * HIDDEN + head..][..HEAD]);
                }
                let queries = Rows { values: &parts[head..], stride: STRIDE };
                for (block, keys) in keys[..width].chunks_exact(LANES).enumerate() {
                    multiply(simd, queries, length, keys, &ZERO, &mut scores[block * LANES..], width);
                }
                for row in scores.chunks_exact_mut(width).take(length) {
                    softmax(simd, row, length, scale);
                }
                let shares = Rows { values: &scores, stride: width };
                multiply(simd, shares, length, &values[..length], &ZERO, &mut context[head..], HIDDEN);
            }
            parts = &parts[length * STRIDE..];
            let rest = context;
            context = &mut rest[length * HIDDEN..];
        }
    }
}

const ZERO: Lane = [0.0; LANES];
