//! The engine: what is shared by all users of one store, and how to open it.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use myosotis_core::recall::Weights;
use myosotis_core::{Clock, Embedder, EmbedderSpec, Ids, Ledger, MemoryId, UserId};
use myosotis_store::{FileVault, KeyVault, MemoryLedger, MemoryVault, SqliteLedger, SqliteOptions};

use crate::cache::ScopeCache;
use crate::consent::parse_enabled;
use crate::embedding::QueryEmbedder;
use crate::error::Error;
use crate::limits::Limits;
use crate::user::UserMemory;

/// A memory engine over one store. Cheap to clone, thread-safe; several processes may open the same
/// store at once.
///
/// ```
/// use myosotis::{ConsentState, Engine, RecallRequest, Remember, UserId};
///
/// let engine = Engine::in_memory()?;
/// let alice = engine.user(UserId::new("alice")?);
/// alice.set_consent(ConsentState::On, "example", None)?;
/// alice.remember(Remember::new("Alice is allergic to peanuts"))?;
/// let recall = alice.recall(&RecallRequest::new("what is she allergic to?"))?;
/// assert_eq!(recall.items[0].text, "Alice is allergic to peanuts");
/// # Ok::<(), myosotis::Error>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
}

/// What every handle of an engine works with.
pub(crate) struct Shared {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) vault: Arc<dyn KeyVault>,
    pub(crate) embedder: Option<QueryEmbedder>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) limits: Limits,
    pub(crate) weights: Weights,
    pub(crate) environment: Option<bool>,
    pub(crate) cache: ScopeCache,
}

impl Shared {
    pub(crate) fn spec(&self) -> Option<&EmbedderSpec> {
        self.embedder.as_ref().map(QueryEmbedder::spec)
    }

    /// The id of the vector space in use.
    pub(crate) fn model(&self) -> Option<&str> {
        self.spec().map(|spec| spec.id.as_str())
    }
}

impl Engine {
    /// Opens the store in `dir` with the embedded defaults: SQLite, keys beside it, the built-in
    /// embedder. The folder is made if it is missing, readable by its owner only.
    ///
    /// # Errors
    /// If the folder cannot be made, or the store or its keys cannot be opened.
    pub fn open(dir: impl AsRef<Path>) -> Result<Self, Error> {
        Self::builder().open(dir)
    }

    /// An engine that keeps everything in this process and nothing on disk.
    ///
    /// # Errors
    /// If the system gives no randomness for keys.
    pub fn in_memory() -> Result<Self, Error> {
        Self::builder().in_memory()
    }

    /// Opens an engine with other parts than the defaults.
    #[must_use]
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    /// The handle of one user: everything that can be done with a person's memory is a method of it
    /// (ID-4).
    #[must_use]
    pub fn user(&self, user: UserId) -> UserMemory {
        UserMemory::new(Arc::clone(&self.shared), user)
    }

    /// Derives a valid user id from any identifier of an identity provider, with this store's own
    /// secret (ID-2).
    ///
    /// # Errors
    /// If `external` is empty, or the key cannot be read.
    pub fn user_id_from_external(&self, external: &str) -> Result<UserId, Error> {
        Ok(UserId::from_external(&self.shared.vault.external_id_key(), external)?)
    }

    /// Waits until everything written so far, access times included, is on disk.
    ///
    /// # Errors
    /// If the store failed.
    pub fn flush(&self) -> Result<(), Error> {
        Ok(self.shared.ledger.flush()?)
    }
}

/// Builds an [`Engine`] from parts.
pub struct EngineBuilder {
    embedder: EmbedderChoice,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    limits: Limits,
    weights: Weights,
    environment: Option<bool>,
    master_key_file: Option<std::path::PathBuf>,
}

enum EmbedderChoice {
    BuiltIn,
    None,
    Given(Arc<dyn Embedder>),
}

impl Default for EngineBuilder {
    fn default() -> Self {
        Self {
            embedder: EmbedderChoice::BuiltIn,
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds),
            limits: Limits::default(),
            weights: Weights::default(),
            environment: std::env::var("MYOSOTIS_ENABLED").ok().and_then(|value| parse_enabled(&value)),
            master_key_file: None,
        }
    }
}

impl EngineBuilder {
    /// Uses `embedder` instead of the built-in one.
    #[must_use]
    pub fn embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.embedder = EmbedderChoice::Given(embedder);
        self
    }

    /// Uses no embedder: recall works from words alone.
    #[must_use]
    pub fn without_embedder(mut self) -> Self {
        self.embedder = EmbedderChoice::None;
        self
    }

    /// Uses `clock` instead of the system's.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Uses `ids` instead of random ones.
    #[must_use]
    pub fn ids(mut self, ids: Arc<dyn Ids>) -> Self {
        self.ids = ids;
        self
    }

    /// Sets the bounds of what is kept.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the weights of relevance, recency and importance (REC-2).
    #[must_use]
    pub fn weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// What `MYOSOTIS_ENABLED` says; read from the environment unless given here (OPT-1).
    #[must_use]
    pub fn environment(mut self, enabled: Option<bool>) -> Self {
        self.environment = enabled;
        self
    }

    /// Reads the master key from `file` instead of `master.key` beside the store.
    #[must_use]
    pub fn master_key_file(mut self, file: Option<std::path::PathBuf>) -> Self {
        self.master_key_file = file;
        self
    }

    /// Opens the store in `dir`.
    ///
    /// # Errors
    /// If the folder cannot be made, or the store or its keys cannot be opened.
    pub fn open(self, dir: impl AsRef<Path>) -> Result<Engine, Error> {
        let dir = dir.as_ref();
        let ledger = SqliteLedger::open(dir, SqliteOptions::default())?;
        let vault = FileVault::open(dir, self.master_key_file.clone())?;
        Ok(self.build(Arc::new(ledger), Arc::new(vault)))
    }

    /// Keeps everything in this process.
    ///
    /// # Errors
    /// If the system gives no randomness for keys.
    pub fn in_memory(self) -> Result<Engine, Error> {
        let vault = MemoryVault::new()?;
        Ok(self.build(Arc::new(MemoryLedger::new()), Arc::new(vault)))
    }

    /// Puts the engine together over any ledger and vault.
    #[must_use]
    pub fn build(self, ledger: Arc<dyn Ledger>, vault: Arc<dyn KeyVault>) -> Engine {
        let embedder: Option<Arc<dyn Embedder>> = match self.embedder {
            EmbedderChoice::BuiltIn => Some(Arc::new(myosotis_models::BuiltIn::lazy())),
            EmbedderChoice::Given(embedder) => Some(embedder),
            EmbedderChoice::None => None,
        };
        Engine {
            shared: Arc::new(Shared {
                ledger,
                vault,
                embedder: embedder.map(QueryEmbedder::new),
                clock: self.clock,
                ids: self.ids,
                cache: ScopeCache::new(self.limits.cache_bytes),
                limits: self.limits,
                weights: self.weights,
                environment: self.environment,
            }),
        }
    }
}

/// The system's clock.
struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Ids from the system's randomness.
struct RandomIds;

impl Ids for RandomIds {
    fn memory(&self, now: Timestamp) -> MemoryId {
        let mut random = [0; 10];
        // Without the system's randomness no key could have been made either, so this was reached
        // never; and if it were, ids only have to be unique, not secret.
        if getrandom::fill(&mut random).is_err() {
            static COUNTER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
            let count = COUNTER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            random[2..].copy_from_slice(&count.to_be_bytes());
        }
        MemoryId::from_parts(now.as_millisecond(), random)
    }
}
