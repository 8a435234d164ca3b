//! What the tests are built with: a clock that is set by hand, ids in order, embedders that fail on
//! demand, and Alice.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use jiff::Timestamp;
use myosotis::{
    Clock, ConsentState, EmbedError, Embedder, EmbedderSpec, Engine, EngineBuilder, Ids, MemoryId, RecallRequest,
    Recalled, Remember, UserId, UserMemory,
};

/// A clock that stands still until it is set.
pub(crate) struct HandClock(AtomicI64);

impl HandClock {
    pub(crate) fn at(text: &str) -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(time(text).as_millisecond())))
    }

    pub(crate) fn set(&self, text: &str) {
        self.0.store(time(text).as_millisecond(), Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

/// Ids that count up, over all engines of a test.
pub(crate) struct CountingIds;

static IDS: AtomicU64 = AtomicU64::new(0);

impl Ids for CountingIds {
    fn memory(&self, now: Timestamp) -> MemoryId {
        let mut bytes = [0; 10];
        bytes[2..].copy_from_slice(&IDS.fetch_add(1, Ordering::SeqCst).to_be_bytes());
        MemoryId::from_parts(now.as_millisecond(), bytes)
    }
}

pub(crate) fn time(text: &str) -> Timestamp {
    text.parse().unwrap_or_else(|_| format!("{text}T12:00:00Z").parse().unwrap())
}

pub(crate) fn builder() -> EngineBuilder {
    Engine::builder().environment(None).ids(Arc::new(CountingIds)).clock(HandClock::at("2024-06-01"))
}

/// An engine in memory with the built-in embedder.
pub(crate) fn engine() -> Engine {
    builder().in_memory().unwrap()
}

pub(crate) fn user(engine: &Engine, id: &str) -> UserMemory {
    let user = engine.user(UserId::new(id).unwrap());
    user.set_consent(ConsentState::On, "test", None).unwrap();
    user
}

pub(crate) fn alice() -> UserMemory {
    user(&engine(), "alice")
}

pub(crate) fn store(memory: &UserMemory, text: &str) -> MemoryId {
    memory.remember(Remember::new(text)).unwrap().id().unwrap_or_else(|| panic!("{text:?} was refused"))
}

pub(crate) fn recall(memory: &UserMemory, query: &str) -> Vec<Recalled> {
    memory.recall(&RecallRequest::new(query)).unwrap().items
}

pub(crate) fn texts(memory: &UserMemory, query: &str) -> Vec<String> {
    recall(memory, query).into_iter().map(|item| item.text).collect()
}

/// An embedder of any dimension that does what its closure says.
pub(crate) struct Scripted<F>(pub(crate) EmbedderSpec, pub(crate) F);

impl<F: Fn(&str) -> Result<Vec<f32>, EmbedError> + Send + Sync> Scripted<F> {
    pub(crate) fn new(id: &str, dimensions: usize, script: F) -> Arc<Self> {
        let spec = EmbedderSpec {
            id: id.into(),
            dimensions,
            max_tokens: 128,
            query_prefix: String::new(),
            passage_prefix: String::new(),
        };
        Arc::new(Self(spec, script))
    }
}

impl<F: Fn(&str) -> Result<Vec<f32>, EmbedError> + Send + Sync> Embedder for Scripted<F> {
    fn spec(&self) -> &EmbedderSpec {
        &self.0
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        texts.iter().map(|text| (self.1)(text)).collect()
    }
}
