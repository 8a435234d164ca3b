//! Writing memories: clean, cut into parts, embed, then one transaction that finds repeats,
//! supersedes slots and keeps the caps (MEM-3 to MEM-14).

use std::collections::HashSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use myosotis_core::claim::normal_form;
use myosotis_core::item::MAX_SLOT_CHARS;
use myosotis_core::{Importance, Kind, Origin, Role, Scope, Slot, Source, Span, Tag, ports, text, when};
use myosotis_store::UserKey;

use crate::commit::{Commit, Prepared, Sight};
use crate::embedding::embed_all;
use crate::error::Error;
use crate::outcome::{Refusal, Remembered};
use crate::spoken::{embedding_texts, parts};
use crate::user::{Session, UserMemory};

/// Items written in one transaction at most; a larger batch becomes several.
pub(crate) const BATCH: usize = 256;

/// Longest text one call may hand over as a message, in characters; beyond it is a file, not a turn.
pub const MAX_MESSAGE_CHARS: usize = 1_000_000;

/// Below this share of words the model can read, its cosine is not believed (MEM-5).
const TRUSTED_COVERAGE: f32 = 0.9;

/// One thing to remember, with everything but its text optional.
///
/// ```
/// use myosotis::{Kind, Remember};
/// let memory = Remember::new("Works at Globex").kind(Kind::Fact).slot("employer").importance(0.8);
/// assert_eq!(memory.text, "Works at Globex");
/// ```
#[derive(Debug, Clone)]
pub struct Remember {
    /// What to remember.
    pub text: String,
    /// What kind of thing it is. Default: fact.
    pub kind: Kind,
    /// How strongly it counts. Default: 0.5.
    pub importance: Importance,
    /// The single-valued fact it is a value of, in any spelling (MEM-6).
    pub slot: Option<String>,
    /// Where it comes from. Default: the user asked for it.
    pub source: Source,
    /// When it was said. `None`: now if the user asked for it, unknown if it was imported (MEM-13).
    pub created: Option<Timestamp>,
    /// When what it tells of happened. `None`: as its own words tell ("yesterday"), if they do.
    pub event: Option<Span>,
    /// Kept whatever the cap says.
    pub pinned: bool,
    /// The time zone in which the speaker said "yesterday". Default: UTC.
    pub time_zone: TimeZone,
    /// Where it goes. Default: namespace `chat`, no workspace.
    pub scope: Scope,
}

impl Remember {
    /// A fact the user asked to be remembered.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            kind: Kind::Fact,
            importance: Importance::default(),
            slot: None,
            source: Source::default(),
            created: None,
            event: None,
            pinned: false,
            time_zone: TimeZone::UTC,
            scope: Scope::default(),
        }
    }

    /// Sets the kind.
    #[must_use]
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the importance; clamped to 0..1, not finite becomes 0.5 (MEM-3).
    #[must_use]
    pub fn importance(mut self, importance: f64) -> Self {
        self.importance = Importance::new(importance);
        self
    }

    /// Makes it the value of a slot.
    #[must_use]
    pub fn slot(mut self, slot: impl Into<String>) -> Self {
        self.slot = Some(slot.into());
        self
    }

    /// Sets where it comes from.
    #[must_use]
    pub fn source(mut self, source: Source) -> Self {
        self.source = source;
        self
    }

    /// Sets when it was said.
    #[must_use]
    pub fn created(mut self, created: Option<Timestamp>) -> Self {
        self.created = created;
        self
    }

    /// Sets when what it tells of happened.
    #[must_use]
    pub fn event(mut self, event: Option<Span>) -> Self {
        self.event = event;
        self
    }

    /// Pins it.
    #[must_use]
    pub fn pinned(mut self, pinned: bool) -> Self {
        self.pinned = pinned;
        self
    }

    /// Sets the speaker's time zone.
    #[must_use]
    pub fn time_zone(mut self, time_zone: TimeZone) -> Self {
        self.time_zone = time_zone;
        self
    }

    /// Sets the scope.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }
}

impl UserMemory {
    /// Remembers one thing durably: when this returns, a crash does not lose it, and every process
    /// finds it (MEM-14).
    ///
    /// # Errors
    /// If the store fails. Being off, empty, too long, forgotten or over a limit is an outcome
    /// ([`Remembered::Refused`]), not an error.
    ///
    /// ```
    /// # use myosotis::*;
    /// # let engine = Engine::in_memory()?;
    /// # let alice = engine.user(UserId::new("alice")?);
    /// # alice.set_consent(ConsentState::On, "example", None)?;
    /// let first = alice.remember(Remember::new("Lives in Lisbon").slot("home city"))?;
    /// let second = alice.remember(Remember::new("Lives in Porto").slot("home_city"))?;
    /// assert!(matches!(second, Remembered::Updated { superseded, .. } if Some(superseded) == first.id()));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn remember(&self, memory: Remember) -> Result<Remembered, Error> {
        let mut outcomes = self.remember_all(vec![memory])?;
        outcomes.pop().ok_or_else(|| Error::Internal("a write gave no outcome".into()))
    }

    /// Remembers many things, one outcome each in order. Written in batches: after an error, whole
    /// batches before it are stored and doing it again is harmless (MEM-7).
    ///
    /// # Errors
    /// If the store fails.
    pub fn remember_all(&self, memories: Vec<Remember>) -> Result<Vec<Remembered>, Error> {
        let mut outcomes = Vec::with_capacity(memories.len());
        for (scope, batch) in batches(memories, |memory| &memory.scope) {
            outcomes.extend(self.remember_batch(&scope, batch)?);
        }
        Ok(outcomes)
    }

    fn remember_batch(&self, scope: &Scope, batch: Vec<Remember>) -> Result<Vec<Remembered>, Error> {
        let session = self.session_to_write()?;
        if let Err(why) = self.check_writable(&session) {
            return Ok(batch.iter().map(|_| Remembered::Refused { reason: Refusal::Off { why } }).collect());
        }
        let now = self.shared.clock.now();
        // Outcomes by place in the batch; a message may take several prepared parts.
        let mut outcomes: Vec<Option<Remembered>> = Vec::with_capacity(batch.len());
        let mut prepared: Vec<Prepared> = Vec::with_capacity(batch.len());
        for (place, memory) in batch.into_iter().enumerate() {
            match prepare(memory, place, now, &session.key) {
                Ok(parts) => {
                    prepared.extend(parts);
                    outcomes.push(None);
                }
                Err(reason) => outcomes.push(Some(Remembered::Refused { reason })),
            }
        }
        let known = self.known(scope, &session, &prepared)?;
        self.embed(&mut prepared, &known)?;
        for (place, outcome) in self.commit(scope, session, prepared)? {
            merge(&mut outcomes[place], outcome);
        }
        outcomes
            .into_iter()
            .map(|outcome| outcome.ok_or_else(|| Error::Internal("a write gave no outcome".into())))
            .collect()
    }

    /// The tags among `prepared` that are stored already, so that a repeated import embeds nothing.
    /// Brings the scope up to date on the way if repeats have to be found by their meaning.
    fn known(&self, scope: &Scope, session: &Session, prepared: &[Prepared]) -> Result<HashSet<Tag>, Error> {
        ports::read(self.shared.ledger.as_ref(), |view| {
            let key = session.key.scope_key(scope);
            let mut known = HashSet::new();
            for part in prepared {
                if view.item_by_tag(&self.user, key, part.tag)?.is_some() {
                    known.insert(part.tag);
                }
            }
            let unknown_learned = |part: &Prepared| part.kind.is_learned() && !known.contains(&part.tag);
            if prepared.iter().any(unknown_learned) {
                self.open_scope(view, session, scope)?;
            }
            Ok(known)
        })
    }

    /// Gives every part that is not stored yet the vectors of its passages. If the embedder fails the
    /// parts stay without: the word leg finds them, and `reindex` completes them.
    fn embed(&self, prepared: &mut [Prepared], known: &HashSet<Tag>) -> Result<(), Error> {
        let Some(embedder) = &self.shared.embedder else { return Ok(()) };
        let (mut texts, mut owners) = (Vec::new(), Vec::new());
        for (at, part) in prepared.iter_mut().enumerate() {
            if known.contains(&part.tag) {
                continue;
            }
            part.readable = embedder.embedder().coverage(&part.text) >= TRUSTED_COVERAGE;
            let prefix = &embedder.spec().passage_prefix;
            for passage in embedding_texts(&part.text, part.kind, &part.source, part.created, prefix) {
                texts.push(passage);
                owners.push(at);
            }
        }
        let Ok(vectors) = embed_all(embedder.embedder().as_ref(), &texts) else { return Ok(()) };
        for (at, vector) in owners.into_iter().zip(vectors) {
            prepared[at].vectors.extend(vector);
        }
        Ok(())
    }

    /// Writes in one transaction; one outcome a part, with the place in the batch it belongs to.
    fn commit(
        &self,
        scope: &Scope,
        session: Session,
        prepared: Vec<Prepared>,
    ) -> Result<Vec<(usize, Remembered)>, Error> {
        let (memory, scope) = (self.clone(), scope.clone());
        let learns = prepared.iter().any(|part| part.kind.is_learned());
        let sight = if learns { Sight::Whole } else { Sight::Tags };
        ports::write(self.shared.ledger.as_ref(), move |tx| {
            let mut commit = Commit::begin(&memory, tx, &session, &scope, sight)?;
            let mut outcomes = Vec::with_capacity(prepared.len());
            for part in prepared {
                outcomes.push((part.place, commit.remember(part)?));
            }
            commit.finish()?;
            Ok(outcomes)
        })
    }
}

/// Cuts what is to be written into batches of one scope each, in order.
pub(crate) fn batches<T>(all: Vec<T>, scope_of: impl Fn(&T) -> &Scope) -> Vec<(Scope, Vec<T>)> {
    let mut batches: Vec<(Scope, Vec<T>)> = Vec::new();
    for one in all {
        match batches.last_mut() {
            Some((scope, batch)) if scope == scope_of(&one) && batch.len() < BATCH => batch.push(one),
            _ => batches.push((scope_of(&one).clone(), vec![one])),
        }
    }
    batches
}

/// Cleans one memory and cuts a long message into parts.
fn prepare(memory: Remember, place: usize, now: Timestamp, key: &UserKey) -> Result<Vec<Prepared>, Refusal> {
    let Remember { kind, mut source, .. } = memory;
    let text = text::canonical(&memory.text);
    if !text.chars().any(|c| !c.is_whitespace() && !text::is_invisible(c)) {
        return Err(Refusal::Empty);
    }
    let chars = text.chars().count();
    let limit = if kind == Kind::Message { MAX_MESSAGE_CHARS } else { kind.max_chars() };
    if chars > limit {
        return Err(Refusal::TooLong { chars, limit });
    }
    let asked = source.origin != Origin::Imported;
    // MEM-13: an imported time is kept, a missing one stays unknown, a future one is clamped.
    let created = memory.created.map(|at| at.min(now)).or(asked.then_some(now));
    for label in [&mut source.speaker, &mut source.session, &mut source.message, &mut source.quote] {
        *label = label.take().map(|value| text::canonical(&value)).filter(|value| !value.is_empty());
    }
    let slot = memory.slot.as_deref().and_then(Slot::normalise).filter(|_| kind.is_learned());
    if let Some(slot) = slot.as_ref().filter(|slot| slot.is_too_long()) {
        return Err(Refusal::SlotTooLong { chars: slot.as_str().chars().count(), limit: MAX_SLOT_CHARS });
    }
    // "Yesterday", said on 8 May, happened on 7 May, whatever day it is now.
    let event = memory.event.or_else(|| when::find(&text, created?, &memory.time_zone).first().map(|found| found.span));
    let pieces = if kind == Kind::Message { parts(&text, kind.max_chars()) } else { vec![text.as_str()] };
    let prepared = pieces.iter().zip(0u32..).map(|(part_text, part)| {
        let source = Source { part, ..source.clone() };
        Prepared {
            place,
            tag: tag_of(key, kind, part_text, &source, created),
            text: (*part_text).to_owned(),
            kind,
            importance: memory.importance,
            slot: slot.clone(),
            told: memory.created.is_some(),
            source,
            created,
            event,
            pinned: memory.pinned,
            readable: true,
            vectors: Vec::new(),
        }
    });
    Ok(prepared.collect())
}

/// By what a repeat is known (MEM-7). A message is the same if its source says so: the same id in the
/// same conversation, or without ids the same words by the same voice at the same time. Anything
/// learned is the same if it reads the same, whichever way it came in.
pub(crate) fn tag_of(key: &UserKey, kind: Kind, text: &str, source: &Source, created: Option<Timestamp>) -> Tag {
    if kind.is_learned() {
        return learned_tag(key, text);
    }
    let session = source.session.as_deref().unwrap_or_default().as_bytes();
    let part = source.part.to_le_bytes();
    if let Some(message) = &source.message {
        return key.tag(&[b"message", session, message.as_bytes(), &part]);
    }
    let at = created.map_or(i64::MIN, Timestamp::as_millisecond).to_le_bytes();
    let position = source.position.map_or([0xff; 4], u32::to_le_bytes);
    let voice = source.speaker.as_deref().unwrap_or(role_word(source.role)).as_bytes();
    key.tag(&[b"turn", session, &at, &position, voice, normal_form(text).as_bytes(), &part])
}

/// By what a learned content is known: the same words, however they are written.
pub(crate) fn learned_tag(key: &UserKey, text: &str) -> Tag {
    key.tag(&[b"learned", normal_form(text).as_bytes()])
}

fn role_word(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::System => "system",
        Role::Tool => "tool",
    }
}

/// Puts the outcome of one part into the outcome of the whole: the first part speaks for all.
fn merge(whole: &mut Option<Remembered>, part: Remembered) {
    match whole {
        None => *whole = Some(part),
        Some(Remembered::Stored { parts, .. }) => parts.extend(part.id()),
        Some(_) => {}
    }
}
