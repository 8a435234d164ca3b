//! Asking the embedder without ever waiting longer than allowed (REC-7).
//!
//! An embedder that ends every call by itself within milliseconds, as the built-in one does, is called
//! directly. For others a few threads hold it; a query is handed to them and awaited up to its deadline.
//! Past it the caller goes on with words alone. The hand-over queue is short: when every thread is stuck,
//! callers are told at once instead of lining up behind them.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use myosotis_core::{EmbedError, Embedder, EmbedderSpec};

/// Threads that answer queries. Two, so that one slow call does not hold up the next.
const WORKERS: usize = 2;

/// Queries that may wait for a thread.
const WAITING: usize = 16;

struct Query {
    text: String,
    answer: SyncSender<Result<Vec<f32>, EmbedError>>,
}

/// Answers queries with a deadline; dropped with the engine, its threads end.
pub(crate) struct QueryEmbedder {
    embedder: Arc<dyn Embedder>,
    /// None for an embedder that answers by itself in time.
    queue: Option<SyncSender<Query>>,
}

impl QueryEmbedder {
    pub(crate) fn new(embedder: Arc<dyn Embedder>) -> Self {
        if embedder.is_prompt() {
            return Self { embedder, queue: None };
        }
        let (queue, waiting) = sync_channel::<Query>(WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..WORKERS {
            let (embedder, waiting) = (Arc::clone(&embedder), Arc::clone(&waiting));
            std::thread::spawn(move || answer_queries(embedder.as_ref(), &waiting));
        }
        Self { embedder, queue: Some(queue) }
    }

    /// What the embedder is.
    pub(crate) fn spec(&self) -> &EmbedderSpec {
        self.embedder.spec()
    }

    /// The embedder itself, for work without a deadline.
    pub(crate) fn embedder(&self) -> &Arc<dyn Embedder> {
        &self.embedder
    }

    /// The vector of a question, or why there is none in time. Carries no text.
    pub(crate) fn query(&self, text: &str, deadline: Duration) -> Result<Vec<f32>, String> {
        let text = format!("{}{text}", self.spec().query_prefix);
        let answer = match &self.queue {
            None => answer(self.embedder.as_ref(), &text),
            Some(queue) => ask(queue, text, deadline)?,
        };
        let vector = answer.map_err(|error| error.to_string())?;
        check_vector(&vector, self.spec()).map_err(|error| error.to_string())?;
        Ok(vector)
    }
}

/// Hands a question over and waits for its answer, up to the deadline.
fn ask(queue: &SyncSender<Query>, text: String, deadline: Duration) -> Result<Result<Vec<f32>, EmbedError>, String> {
    let (answer, answers) = sync_channel(1);
    match queue.try_send(Query { text, answer }) {
        Ok(()) => {}
        Err(TrySendError::Full(_)) => return Err("the embedder is busy".into()),
        Err(TrySendError::Disconnected(_)) => return Err("the embedder has stopped".into()),
    }
    answers.recv_timeout(deadline).map_err(|error| match error {
        RecvTimeoutError::Timeout => format!("the embedder took longer than {} ms", deadline.as_millis()),
        RecvTimeoutError::Disconnected => "the embedder has stopped".into(),
    })
}

fn answer_queries(embedder: &dyn Embedder, waiting: &Mutex<Receiver<Query>>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(query) = next else { return };
        let result = answer(embedder, &query.text);
        // The caller may have stopped waiting; that is their right.
        let _ = query.answer.send(result);
    }
}

/// The vector of one text; a panic is an error like any other.
fn answer(embedder: &dyn Embedder, text: &str) -> Result<Vec<f32>, EmbedError> {
    let call = std::panic::AssertUnwindSafe(|| embedder.embed(&[text]));
    std::panic::catch_unwind(call)
        .unwrap_or_else(|_| Err(failure(embedder, "it panicked")))
        .and_then(|vectors| vectors.into_iter().next().ok_or_else(|| failure(embedder, "it gave no vector")))
}

fn failure(embedder: &dyn Embedder, reason: &str) -> EmbedError {
    EmbedError { model: embedder.spec().id.clone(), reason: reason.into() }
}

/// VEC-5: the right length, all finite, not zero.
fn check_vector(vector: &[f32], spec: &EmbedderSpec) -> Result<(), EmbedError> {
    myosotis_core::vector::check(vector, spec.dimensions)
        .map_err(|error| EmbedError { model: spec.id.clone(), reason: error.to_string() })
}

/// One checked vector a text, computed on all cores: for writing, where nobody waits for one answer.
pub(crate) fn embed_all(embedder: &dyn Embedder, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let share = match texts.len() {
        // Below a handful of texts a second thread costs more than it brings, and so does asking how
        // many cores there are.
        few @ 0..=4 => few.max(1),
        many => many.div_ceil(std::thread::available_parallelism().map_or(1, usize::from)).max(4),
    };
    let mut vectors = Vec::with_capacity(texts.len());
    std::thread::scope(|scope| {
        let mut shares = texts.chunks(share);
        let first = shares.next();
        let others: Vec<_> = shares.map(|part| scope.spawn(move || embedder.embed(part))).collect();
        if let Some(part) = first {
            vectors.extend(embedder.embed(part)?);
        }
        for other in others {
            vectors.extend(other.join().map_err(|_| failure(embedder, "it panicked"))??);
        }
        Ok::<_, EmbedError>(())
    })?;
    if vectors.len() != texts.len() {
        return Err(failure(embedder, "it gave another number of vectors than texts"));
    }
    vectors.iter().try_for_each(|vector| check_vector(vector, embedder.spec()))?;
    Ok(vectors)
}
