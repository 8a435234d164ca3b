//! Recall: from a question to the few memories that answer it (REC-1 to REC-12).
//!
//! Embed the question within the deadline, open the scopes, score words and vectors together, keep
//! what is relevant and fits the budget, note that it was used.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use myosotis_core::block::{self, BlockItem};
use myosotis_core::budget::{estimate_tokens, fit};
use myosotis_core::recall::params::MIN_COSINE;
use myosotis_core::recall::{self, Hit, Kinds, Profile, Query, Ranked, Terms, Window};
use myosotis_core::words::Term;
use myosotis_core::{Kind, MemoryId, Role, Scope, Slot, State, text, when, words};
use serde::Serialize;

use crate::cache::SharedScope;
use crate::consent::OffReason;
use crate::error::Error;
use crate::user::UserMemory;

/// Most memories one recall may return (REC-1).
pub const MAX_K: usize = 50;

/// Longest question that is looked at, in characters; the rest is ignored. More than any embedder
/// reads, and enough for words.
const MAX_QUERY_CHARS: usize = 8_000;

/// A cosine no two vectors reach, whatever share of it is asked for.
const NEVER: f32 = 4.0;

/// Share of a question the model has to have words for.
const READABLE: f32 = 0.5;

/// Said when some memories could only be found by their words (REC-12).
const LACKS_VECTORS: &str = "some memories have no vectors of this embedder yet; run `myosotis reindex`";

/// A question to memory. Everything but the text has a default.
#[derive(Debug, Clone)]
pub struct RecallRequest {
    /// The user's latest message.
    pub query: String,
    /// How many memories to return, 1 to 50. Default 5 (REC-1).
    pub k: usize,
    /// Most tokens the returned texts may take together, by estimate. Default: no limit (REC-9).
    pub budget: Option<usize>,
    /// When the question is asked, for "yesterday" and for recency; it filters nothing. Default: the
    /// moment of `as_of`, or else now (REC-10).
    pub at: Option<Timestamp>,
    /// What was current at this moment is searched, past values included. Default: what is current.
    pub as_of: Option<Timestamp>,
    /// The user's time zone, for "yesterday". Default UTC (REC-10).
    pub time_zone: TimeZone,
    /// Where to look. Default: namespace `chat`, no workspace.
    pub scope: Scope,
    /// Also look in the namespace's workspace-less scope (REC-11). Default false.
    pub inherit: bool,
    /// Only these kinds; empty means all.
    pub kinds: Vec<Kind>,
    /// Cosine from which on a memory that shares no word with the question counts as relevant, 0 to
    /// 1; `None` takes the measured default (REC-4).
    pub min_cosine: Option<f32>,
    /// How relevance is computed. Default: hybrid.
    pub profile: Profile,
    /// Whether to note that the returned items were used (REC-6). Default true.
    pub touch: bool,
}

impl RecallRequest {
    /// A question with defaults for everything else.
    #[must_use]
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            k: 5,
            budget: None,
            at: None,
            as_of: None,
            time_zone: TimeZone::UTC,
            scope: Scope::default(),
            inherit: false,
            kinds: Vec::new(),
            min_cosine: None,
            profile: Profile::default(),
            touch: true,
        }
    }

    /// Sets how many memories to return.
    ///
    /// # Errors
    /// [`Error::Invalid`] unless `k` is 1 to 50.
    pub fn k(mut self, k: usize) -> Result<Self, Error> {
        self.k = k;
        self.check()?;
        Ok(self)
    }

    /// Sets the token budget.
    #[must_use]
    pub fn budget(mut self, tokens: Option<usize>) -> Self {
        self.budget = tokens;
        self
    }

    /// Sets when the question is asked.
    #[must_use]
    pub fn at(mut self, at: Option<Timestamp>) -> Self {
        self.at = at;
        self
    }

    /// Searches what was current at a moment.
    #[must_use]
    pub fn as_of(mut self, as_of: Option<Timestamp>) -> Self {
        self.as_of = as_of;
        self
    }

    /// Sets the user's time zone.
    #[must_use]
    pub fn time_zone(mut self, time_zone: TimeZone) -> Self {
        self.time_zone = time_zone;
        self
    }

    /// Sets where to look.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Also looks in the namespace's workspace-less scope.
    #[must_use]
    pub fn inherit(mut self, inherit: bool) -> Self {
        self.inherit = inherit;
        self
    }

    /// Sets whether to note that the returned items were used.
    #[must_use]
    pub fn touch(mut self, touch: bool) -> Self {
        self.touch = touch;
        self
    }

    fn check(&self) -> Result<(), Error> {
        if !(1..=MAX_K).contains(&self.k) {
            return Err(Error::invalid("k", format!("{} is not between 1 and {MAX_K}", self.k)));
        }
        if let Some(least) = self.min_cosine.filter(|least| !(0.0..=1.0).contains(least)) {
            return Err(Error::invalid("min_cosine", format!("{least} is not between 0 and 1")));
        }
        Ok(())
    }
}

/// What memory has to say to a question.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Recall {
    /// The memories, best first.
    pub items: Vec<Recalled>,
    /// Why the answer comes from words alone, if it does (REC-7).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// What else was found, and why it is not here (REC-8, REC-9).
    pub left_out: LeftOut,
    /// Why memory was not used at all, if it was not (OPT-5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off: Option<OffReason>,
}

/// Counts of what a recall did not return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Relevant, but over the token budget (REC-9).
    pub budget: usize,
    /// Relevant, but beyond the first k.
    pub limit: usize,
    /// Below the least relevance (REC-4).
    pub irrelevant: usize,
    /// Says the same as one that is returned.
    pub duplicate: usize,
}

/// One recalled memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recalled {
    /// Its id.
    pub id: MemoryId,
    /// The message's own id where it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<String>,
    /// The text.
    pub text: String,
    /// Its kind.
    pub kind: Kind,
    /// Its score.
    pub score: f64,
    /// Whether it is current; false for a past value found with `as_of`.
    pub current: bool,
    /// The slot it is a value of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<Slot>,
    /// Who said it.
    pub role: Role,
    /// The name of who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// The conversation it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// When it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<Timestamp>,
    /// When what it tells of happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<Timestamp>,
    /// The namespace and workspace it was found in.
    pub scope: Scope,
    /// The terms of its score (REC-8).
    pub terms: Terms,
}

impl Recalled {
    /// The time to show beside it: of a message when it was said, of anything learned when it happened
    /// if that is known.
    #[must_use]
    pub fn date(&self) -> Option<Timestamp> {
        match self.kind {
            Kind::Message => self.created,
            _ => self.event.or(self.created),
        }
    }
}

impl Recalled {
    /// Who said it, if that was not simply the user: a name, or the assistant.
    #[must_use]
    pub fn said_by(&self) -> Option<&str> {
        self.speaker.as_deref().or((self.role == Role::Assistant).then_some("Assistant"))
    }
}

impl Recall {
    /// The recalled memories as the block that goes into a prompt right before the user's message, or
    /// nothing if nothing was recalled (BLK-1 to BLK-4). Recalled text reaches a prompt no other way.
    #[must_use]
    pub fn render_block(&self, time_zone: &TimeZone) -> Option<String> {
        let items: Vec<_> = self
            .items
            .iter()
            .map(|item| BlockItem {
                kind: item.kind,
                date: item.date().map(|at| at.to_zoned_datetime(time_zone.clone()).date()),
                speaker: item.said_by(),
                text: &item.text,
                current: item.current,
            })
            .collect();
        block::render(&items)
    }
}

impl UserMemory {
    /// The memories that answer a question. With memory off the answer is empty and says why; if the
    /// embedder is late or fails, words alone answer and `degraded` says so (REC-7).
    ///
    /// # Errors
    /// If the request is outside its limits or the store cannot be read.
    pub fn recall(&self, request: &RecallRequest) -> Result<Recall, Error> {
        let recall = self.search(request, true)?;
        // Looking into the past is no use of what is there now.
        if request.touch && request.as_of.is_none() {
            self.touch(&recall, request.at);
        }
        Ok(recall)
    }

    /// Recall without noting use; `gated` asks whether memory is on.
    pub(crate) fn search(&self, request: &RecallRequest, gated: bool) -> Result<Recall, Error> {
        request.check()?;
        let query: String = text::canonical(&request.query).chars().take(MAX_QUERY_CHARS).collect();
        let scopes = match self.open_scopes(request, gated)? {
            Ok(scopes) => scopes,
            Err(why) => return Ok(Recall { off: Some(why), ..Recall::default() }),
        };
        let holds_something = scopes.iter().any(|(_, shared)| !shared.read().index.is_empty());
        if query.is_empty() || !holds_something {
            return Ok(Recall::default());
        }
        let (vector, degraded) = match &self.shared.embedder {
            None => (None, None),
            Some(embedder) => match embedder.query(&query, self.shared.limits.recall_deadline) {
                Ok(vector) => (Some(vector), None),
                Err(reason) => (None, Some(reason)),
            },
        };
        let open: Vec<_> = scopes.iter().map(|(_, shared)| shared.read()).collect();
        let indexes: Vec<_> = open.iter().map(|open| &open.index).collect();
        let mut asked = Asked::new(
            &query,
            request.at.or(request.as_of).unwrap_or_else(|| self.shared.clock.now()),
            &request.time_zone,
        );
        asked.readable = self.shared.embedder.as_ref().is_some_and(|embedder| {
            query.contains(char::is_alphanumeric) && embedder.embedder().coverage(&query) >= READABLE
        });
        let ranked = recall::search(&indexes, &self.query(request, &query, vector.as_deref(), &asked));
        let unseen = vector.is_some() && indexes.iter().any(|index| index.counts().without_vectors > 0);
        let degraded = degraded.or_else(|| unseen.then(|| LACKS_VECTORS.to_owned()));
        let items = ranked.hits.iter().filter_map(|hit| {
            let (scope, _) = scopes.get(hit.index)?;
            Some(recalled(hit, indexes.get(hit.index)?.get(hit.id)?, scope))
        });
        let (items, over) = match request.budget {
            Some(tokens) => fit(items.collect(), tokens_of, tokens),
            None => (items.collect(), Vec::new()),
        };
        Ok(Recall { items, degraded, left_out: left_out(&ranked, over.len()), off: None })
    }

    fn query<'q>(
        &self,
        request: &RecallRequest,
        text: &'q str,
        vector: Option<&'q [f32]>,
        asked: &'q Asked,
    ) -> Query<'q> {
        Query {
            vector,
            time_zone: request.time_zone.clone(),
            k: request.k,
            weights: self.shared.weights,
            profile: request.profile,
            // Of a question without letters, or in letters the model cannot read, a cosine says little: it
            // may order what words found, never find by itself.
            min_cosine: if asked.readable { request.min_cosine.unwrap_or(MIN_COSINE) } else { NEVER },
            as_of: request.as_of.map(Timestamp::as_millisecond),
            kinds: if request.kinds.is_empty() { Kinds::ALL } else { Kinds::of(&request.kinds) },
            explain: true,
            windows: &asked.windows,
            past: asked.past,
            only_time: asked.only_time,
            ..Query::new(text, asked.now)
        }
    }

    /// The named scope and, with `inherit`, the namespace's workspace-less one; or why memory is off.
    fn open_scopes(&self, request: &RecallRequest, gated: bool) -> Result<Result<Scopes, OffReason>, Error> {
        let mut wanted = vec![request.scope.clone()];
        if request.inherit && request.scope.workspace.is_some() {
            wanted.push(Scope { namespace: request.scope.namespace.clone(), workspace: None });
        }
        self.read(|view, session| {
            let consent = session.and_then(|session| session.consent.as_ref());
            if gated && let Err(why) = self.status_of(consent).readable() {
                return Ok(Err(why));
            }
            let mut open = Vec::new();
            if let Some(session) = session {
                for scope in wanted {
                    if let Some(shared) = self.open_scope(view, session, &scope)? {
                        open.push((scope, shared));
                    }
                }
            }
            Ok(Ok(open))
        })
    }

    /// REC-6: notes the use of what was returned, in the index at once and on disk soon. Nobody
    /// waits for it, and a note for a memory that is gone does nothing.
    fn touch(&self, recall: &Recall, at: Option<Timestamp>) {
        let ids: Vec<_> = recall.items.iter().map(|item| item.id).collect();
        if ids.is_empty() {
            return;
        }
        // A question asked "as if" at another time must not make things look newer than now.
        let at = at.unwrap_or_else(|| self.shared.clock.now()).min(self.shared.clock.now()).as_millisecond();
        let user = self.user.clone();
        self.shared
            .ledger
            .write_later(Box::new(move |tx| ids.iter().try_for_each(|id| tx.bump_access(&user, *id, at))));
    }
}

/// Opened scopes with their names.
type Scopes = Vec<(Scope, Arc<SharedScope>)>;

/// When a question is asked, and the stretches of time it means.
struct Asked {
    now: i64,
    windows: Vec<Window>,
    past: bool,
    only_time: bool,
    readable: bool,
}

impl Asked {
    fn new(text: &str, now: Timestamp, time_zone: &TimeZone) -> Self {
        let found = when::find(text, now, time_zone);
        let window = |found: &when::Found| Window {
            start: found.span.start.as_millisecond(),
            end: found.span.end.as_millisecond(),
        };
        let over = |found: &when::Found| found.span.end <= now;
        let past = found.iter().any(over);
        Self {
            now: now.as_millisecond(),
            windows: found.iter().map(window).collect(),
            past,
            only_time: names_only_a_time(text, &found),
            readable: true,
        }
    }
}

/// Verbs that stand for any event: "what did I do yesterday?" names nothing but a time.
const ANY_EVENT: &str = "do did done doing go went going gone happen happened happening make made say said tell told talk \
    talked speak spoke discuss discussed mention mentioned plan planned gemacht passiert geschehen gesagt gesprochen geplant \
    hice hizo paso pasado hecho dicho hablado fait passe dit parle fiz fez aconteceu disse fatto successo detto";

/// Whether a question names a time and nothing else.
fn names_only_a_time(text: &str, found: &[when::Found]) -> bool {
    static ANY: LazyLock<HashSet<Term>> =
        LazyLock::new(|| ANY_EVENT.split_whitespace().flat_map(|word| words::analyse(word).words).collect());
    if found.is_empty() {
        return false;
    }
    let mut rest = String::new();
    let mut end = 0;
    for hit in found {
        rest.push_str(text.get(end..hit.range.start).unwrap_or_default());
        end = hit.range.end;
    }
    rest.push_str(text.get(end..).unwrap_or_default());
    words::analyse(&rest).words.iter().all(|term| ANY.contains(term))
}

fn recalled(hit: &Hit, entry: myosotis_core::index::EntryRef<'_>, scope: &Scope) -> Recalled {
    let time = |ms: i64| Timestamp::from_millisecond(ms).ok();
    let source = entry.source();
    Recalled {
        id: hit.id,
        source_id: source.message,
        text: entry.text().to_owned(),
        kind: entry.kind(),
        score: hit.score,
        current: entry.state() == State::Live,
        slot: entry.slot().cloned(),
        role: source.role,
        speaker: source.speaker,
        session: source.session,
        created: entry.created().and_then(time),
        event: entry.event().and_then(|(start, _)| time(start)),
        scope: scope.clone(),
        terms: hit.terms,
    }
}

/// What a memory takes in a prompt: its escaped line with kind and date.
fn tokens_of(item: &Recalled) -> usize {
    const KIND_AND_DATE: usize = 8;
    estimate_tokens(&block::line(&item.text)) + KIND_AND_DATE
}

fn left_out(ranked: &Ranked, over_budget: usize) -> LeftOut {
    LeftOut {
        budget: over_budget,
        limit: ranked.beyond_k,
        irrelevant: ranked.below_minimum,
        duplicate: ranked.collapsed.len(),
    }
}
