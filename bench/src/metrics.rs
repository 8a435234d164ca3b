//! Retrieval metrics, as defined with the data: averaged over questions that have evidence.

use serde::Serialize;

/// Sums over questions.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Metrics {
    pub(crate) questions: usize,
    recall: [f64; 3],
    hit5: f64,
    all10: f64,
    reciprocal: f64,
}

/// The cut-offs of [`Metrics::recall_at`].
pub(crate) const CUTS: [usize; 3] = [5, 10, 20];

impl Metrics {
    /// Adds one question: what was found, best first, and what should have been.
    pub(crate) fn add(&mut self, found: &[String], evidence: &[String]) {
        if evidence.is_empty() {
            return;
        }
        self.questions += 1;
        let within = |cut: usize| evidence.iter().filter(|id| found.iter().take(cut).any(|at| at == *id)).count();
        for (sum, cut) in self.recall.iter_mut().zip(CUTS) {
            *sum += within(cut) as f64 / evidence.len() as f64;
        }
        self.hit5 += f64::from(within(5) > 0);
        self.all10 += f64::from(within(10) == evidence.len());
        let first = found.iter().position(|id| evidence.contains(id));
        self.reciprocal += first.map_or(0.0, |at| 1.0 / (at + 1) as f64);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.questions += other.questions;
        for (sum, more) in self.recall.iter_mut().zip(other.recall) {
            *sum += more;
        }
        self.hit5 += other.hit5;
        self.all10 += other.all10;
        self.reciprocal += other.reciprocal;
    }

    fn mean(&self, sum: f64) -> f64 {
        if self.questions == 0 { 0.0 } else { sum / self.questions as f64 }
    }

    /// Share of the evidence in the first `CUTS[at]`.
    pub(crate) fn recall_at(&self, at: usize) -> f64 {
        self.mean(self.recall[at])
    }

    /// Mean reciprocal rank of the first evidence.
    pub(crate) fn mrr(&self) -> f64 {
        self.mean(self.reciprocal)
    }

    /// Share of questions with some evidence in the first five.
    pub(crate) fn hit5(&self) -> f64 {
        self.mean(self.hit5)
    }

    /// Share of questions with all evidence in the first ten.
    pub(crate) fn all10(&self) -> f64 {
        self.mean(self.all10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_metrics_are_what_they_are_called() {
        let ids = |ids: &[&str]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut metrics = Metrics::default();
        metrics.add(&ids(&["x", "a", "y", "z", "w", "b"]), &ids(&["a", "b"]));
        metrics.add(&ids(&["x"]), &[]); // no evidence: not a question
        assert_eq!(metrics.questions, 1);
        assert_eq!(metrics.recall_at(0), 0.5);
        assert_eq!(metrics.recall_at(1), 1.0);
        assert_eq!(metrics.mrr(), 0.5);
        assert_eq!(metrics.hit5(), 1.0);
        assert_eq!(metrics.all10(), 1.0);
    }
}
