//! The terms of a score in words (REC-8).

use std::fmt;

use super::{Terms, Weights};

impl Terms {
    /// The score these terms make under `weights` (REC-2).
    #[must_use]
    pub fn total(&self, weights: &Weights) -> f64 {
        weights.relevance * f64::from(self.relevance)
            + weights.recency * f64::from(self.recency_gate) * f64::from(self.recency)
            + weights.importance * f64::from(self.importance)
    }
}

/// `0.93 relevance (words 0.80, meaning 0.41 at cosine 0.62, …), 0.51 recency counted 0.10 times, 0.50
/// importance`.
impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} relevance (words {:.2}", self.relevance, self.words)?;
        if let Some(cosine) = self.cosine {
            write!(f, ", meaning {:.2} at cosine {cosine:.2}", self.dense)?;
        }
        let around = [
            ("neighbours", self.neighbours),
            ("conversation", self.session),
            ("speaker", self.who),
            ("time", self.when),
            ("form", self.form),
        ];
        for (name, value) in around.into_iter().filter(|(_, value)| *value != 0.0) {
            write!(f, ", {name} {value:.2}")?;
        }
        write!(
            f,
            "), {:.2} recency counted {:.2} times, {:.2} importance",
            self.recency, self.recency_gate, self.importance
        )
    }
}
