//! Seeing and changing what is stored: list, get, history, edit, pin (MEM-6, MEM-11, ERA-1). Seeing
//! works with memory off; all of it works without an embedder (OPT-4).

use jiff::Timestamp;
use myosotis_core::item::MAX_SLOT_CHARS;
use myosotis_core::{Importance, Item, Kind, LedgerError, MemoryId, Origin, Scope, Slot, State, ports, text};

use crate::commit::{Commit, Sight};
use crate::embedding::embed_all;
use crate::error::Error;
use crate::remember::tag_of;
use crate::rows::Opened;
use crate::spoken::texts_of;
use crate::user::{Session, UserMemory};

/// Which memories to list.
#[derive(Debug, Clone, Default)]
pub struct ListRequest {
    /// Only this scope; `None` lists all of the user's.
    pub scope: Option<Scope>,
    /// Only these kinds; empty means all.
    pub kinds: Vec<Kind>,
    /// Only this state; `None` means live ones.
    pub state: Option<State>,
    /// Only texts that contain this, in any case.
    pub contains: Option<String>,
    /// At most this many; `None` for all.
    pub limit: Option<usize>,
}

/// What to change about a memory; `None` leaves a thing as it is.
#[derive(Debug, Clone, Default)]
pub struct Edit {
    /// The new text.
    pub text: Option<String>,
    /// The new kind.
    pub kind: Option<Kind>,
    /// The new importance.
    pub importance: Option<f64>,
    /// The new slot; an empty name takes the slot away.
    pub slot: Option<String>,
    /// Pins or unpins it.
    pub pinned: Option<bool>,
}

impl UserMemory {
    /// The user's memories, newest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn list(&self, request: &ListRequest) -> Result<Vec<Item>, Error> {
        let state = request.state.unwrap_or(State::Live);
        let wanted = request.contains.as_deref().map(|words| text::canonical(words).to_lowercase());
        let mut items = Vec::new();
        self.each_item(request.scope.as_ref(), |opened| {
            let item = opened.item;
            let kind_fits = request.kinds.is_empty() || request.kinds.contains(&item.kind);
            let text_fits = wanted.as_deref().is_none_or(|words| item.text.to_lowercase().contains(words));
            if item.state == state && kind_fits && text_fits {
                items.push(item);
            }
            Ok(())
        })?;
        newest_first(&mut items);
        items.truncate(request.limit.unwrap_or(usize::MAX));
        Ok(items)
    }

    /// One memory, whatever its state.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none, or it is somebody else's.
    pub fn get(&self, id: MemoryId) -> Result<Item, Error> {
        self.read(|view, session| {
            let Some(session) = session else { return Err(Error::NotFound(id)) };
            let row = view.item(&self.user, id)?.ok_or(Error::NotFound(id))?;
            let scope = self.scope_of(view, session, row.scope)?;
            Ok(self.rows(&session.key).open(&row, &scope)?.item)
        })
    }

    /// A memory and its past values, newest first (MEM-6).
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none, or it is somebody else's.
    pub fn history(&self, id: MemoryId) -> Result<Vec<Item>, Error> {
        self.read(|view, session| {
            let Some(session) = session else { return Err(Error::NotFound(id)) };
            let row = view.item(&self.user, id)?.ok_or(Error::NotFound(id))?;
            let scope = self.scope_of(view, session, row.scope)?;
            let rows = self.rows(&session.key);
            let mut items = Vec::new();
            for row in view.lineage(&self.user, row.lineage)? {
                items.push(rows.open(&row, &scope)?.item);
            }
            items.sort_by_key(|item| {
                let age = item.valid_to.map_or(i64::MIN, |until| -until.as_millisecond());
                (item.state == State::Superseded, age, item.id)
            });
            Ok(items)
        })
    }

    /// Changes a memory. Its former text stays in the history; its id stays the same.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Off`] if memory is off or paused; [`Error::Invalid`] if the text is empty or too long, or another memory
    /// says exactly this already. Nothing is changed then.
    pub fn edit(&self, id: MemoryId, edit: &Edit) -> Result<Item, Error> {
        self.status()?.writable().map_err(Error::Off)?;
        let before = self.get(id)?;
        let mut after = before.clone();
        if let Some(kind) = edit.kind {
            if kind.is_learned() != before.kind.is_learned() {
                return Err(Error::invalid("kind", "a verbatim message stays a message, and nothing else becomes one"));
            }
            after.kind = kind;
        }
        if let Some(new_text) = &edit.text {
            after.text = checked_text(new_text, after.kind)?;
        } else if after.text.chars().count() > after.kind.max_chars() {
            return Err(too_long(after.text.chars().count(), after.kind));
        }
        if let Some(importance) = edit.importance {
            after.importance = Importance::new(importance);
        }
        if let Some(name) = &edit.slot {
            after.slot = Slot::normalise(name);
            if after.slot.as_ref().is_some_and(Slot::is_too_long) {
                return Err(Error::invalid(
                    "slot",
                    format!("it is longer than {MAX_SLOT_CHARS} characters; shorten it"),
                ));
            }
            if after.slot.is_none() && !name.trim().is_empty() {
                return Err(Error::invalid(
                    "slot",
                    "nothing is left of the name; use letters or digits, or \"\" to remove it",
                ));
            }
        }
        if let Some(pinned) = edit.pinned {
            after.pinned = pinned;
        }
        if after == before {
            return Ok(before);
        }
        let vectors = self.vectors_of(&before, &mut after);
        self.change(before, after, vectors)
    }

    /// Keeps a memory whatever the cap says, or no longer (MEM-11).
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none, or it is somebody else's.
    pub fn pin(&self, id: MemoryId, pinned: bool) -> Result<Item, Error> {
        self.edit(id, &Edit { pinned: Some(pinned), ..Edit::default() })
    }

    /// New vectors if the text changed; `None` keeps the stored ones.
    fn vectors_of(&self, before: &Item, after: &mut Item) -> Option<Vec<f32>> {
        if before.text == after.text {
            return None;
        }
        after.model = None;
        let embedder = self.shared.embedder.as_ref()?;
        let texts = texts_of(after, &embedder.spec().passage_prefix);
        let vectors = embed_all(embedder.embedder().as_ref(), &texts).ok()?;
        after.model = Some(embedder.spec().id.clone());
        Some(vectors.concat())
    }

    fn change(&self, before: Item, after: Item, vectors: Option<Vec<f32>>) -> Result<Item, Error> {
        let memory = self.clone();
        let session = self.session_to_write()?;
        ports::write(self.shared.ledger.as_ref(), move |tx| {
            let scope = before.scope.clone();
            let mut commit = Commit::begin(&memory, tx, &session, &scope, Sight::Whole)?;
            let item = commit.change(&before, after, vectors)?;
            commit.finish()?;
            Ok(item)
        })
    }

    /// Memories that do not open because their rows were moved, altered or damaged. Nothing else is
    /// kept from working by them; restore them from a backup, or [`UserMemory::forget`] them.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn unreadable(&self) -> Result<Vec<MemoryId>, Error> {
        self.each_item(None, |_| Ok(()))
    }

    /// Walks over the user's items without their vectors. Returns the ids of those that do not open.
    pub(crate) fn each_item(
        &self,
        only: Option<&Scope>,
        mut each: impl FnMut(Opened) -> Result<(), Error>,
    ) -> Result<Vec<MemoryId>, Error> {
        let mut unreadable = Vec::new();
        self.read(|view, session| {
            let Some(session) = session else { return Ok(()) };
            let rows = self.rows(&session.key);
            for scope_row in view.scopes(&self.user)? {
                let scope = match rows.open_scope(&scope_row) {
                    Err(Error::Seal(_)) => {
                        unreadable.extend(view.item_ids(&self.user, scope_row.key)?);
                        continue;
                    }
                    body => body?.scope(),
                };
                if only.is_some_and(|only| *only != scope) {
                    continue;
                }
                let mut failure = None;
                let walked = view.items(&self.user, scope_row.key, 0, false, &mut |row| {
                    let opened = match rows.open(&row, &scope) {
                        Err(Error::Seal(_)) => {
                            unreadable.push(row.id);
                            return Ok(());
                        }
                        opened => opened,
                    };
                    opened.and_then(&mut each).map_err(|error| {
                        failure = Some(error);
                        LedgerError::RolledBack
                    })
                });
                match failure {
                    Some(error) => return Err(error),
                    None => walked?,
                }
            }
            Ok(())
        })?;
        Ok(unreadable)
    }

    /// In which scope the row with this id lies, whether it opens or not.
    pub(crate) fn place_of(&self, id: MemoryId) -> Result<Scope, Error> {
        self.read(|view, session| {
            let Some(session) = session else { return Err(Error::NotFound(id)) };
            let row = view.item(&self.user, id)?.ok_or(Error::NotFound(id))?;
            self.scope_of(view, session, row.scope)
        })
    }

    fn scope_of(
        &self,
        view: &dyn myosotis_core::LedgerRead,
        session: &Session,
        key: myosotis_core::ScopeKey,
    ) -> Result<Scope, Error> {
        let row = view.scope(&self.user, key)?;
        let row = row.ok_or_else(|| Error::Internal("an item lies in a scope that does not exist".into()))?;
        Ok(self.rows(&session.key).open_scope(&row)?.scope())
    }
}

impl Commit<'_> {
    /// Replaces `before` by `after`, unless somebody changed it meanwhile; a new text leaves the old
    /// one as a past value.
    fn change(&mut self, before: &Item, after: Item, vectors: Option<Vec<f32>>) -> Result<Item, Error> {
        let id = before.id;
        let Some(mut current) = self.opened(id)? else { return Err(Error::NotFound(id)) };
        let tag = (current.item.state != State::Superseded)
            .then(|| tag_of(self.user_key(), after.kind, &after.text, &after.source, after.created));
        if let Some(tag) = tag
            && self.holder(tag)?.is_some_and(|other| other != id)
        {
            return Err(Error::invalid("text", "another memory says exactly this; edit or forget that one"));
        }
        let reworded = current.item.text != after.text;
        if reworded {
            self.keep_as_past(&current)?;
            current.item.source.origin = Origin::Asked;
            current.item.source.quote = None;
            current.item.valid_from = Some(self.now());
        }
        if current.item.slot != after.slot {
            current.item.slot = after.slot;
            self.take_slot(&mut current)?;
        }
        current.item.text = after.text;
        current.item.kind = after.kind;
        current.item.importance = after.importance;
        current.item.pinned = after.pinned;
        if reworded {
            current.item.model = after.model;
            current.vectors = vectors.unwrap_or_default();
        }
        current.tag = tag;
        let item = current.item.clone();
        self.put(current)?;
        if reworded {
            self.trim_history(item.lineage)?;
        }
        Ok(item)
    }

    /// Stores a copy of `current` as a value that ended now.
    fn keep_as_past(&mut self, current: &Opened) -> Result<(), Error> {
        let mut past = current.clone();
        past.item.id = self.new_id();
        past.item.state = State::Superseded;
        past.item.valid_from = past.item.valid_from.or(past.item.created);
        past.item.valid_to = Some(self.now());
        past.item.pinned = false;
        past.tag = None;
        self.add(past)
    }
}

/// The canonical form of `text`, if `kind` allows it.
fn checked_text(new_text: &str, kind: Kind) -> Result<String, Error> {
    let clean = text::canonical(new_text);
    if !clean.chars().any(|c| !c.is_whitespace() && !text::is_invisible(c)) {
        return Err(Error::invalid("text", "it is empty; to remove a memory, forget it"));
    }
    match clean.chars().count() {
        chars if chars > kind.max_chars() => Err(too_long(chars, kind)),
        _ => Ok(clean),
    }
}

fn too_long(chars: usize, kind: Kind) -> Error {
    let reason = format!("it has {chars} characters, a {kind} may have {}; shorten it", kind.max_chars());
    Error::invalid("text", reason)
}

fn newest_first(items: &mut [Item]) {
    items.sort_by_key(|item| std::cmp::Reverse((item.created, item.stored, item.id)));
}

/// What was current at a moment (MEM-6).
pub(crate) fn was_current(item: &Item, at: Timestamp) -> bool {
    let began = item.valid_from.or(item.created).is_none_or(|from| from <= at);
    began && item.valid_to.is_none_or(|to| at < to) && item.state != State::Quarantined
}

impl UserMemory {
    /// The memories that were current at `at` (MEM-6), newest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn list_as_of(&self, at: Timestamp, scope: Option<&Scope>) -> Result<Vec<Item>, Error> {
        let mut items = Vec::new();
        self.each_item(scope, |opened| {
            if was_current(&opened.item, at) {
                items.push(opened.item);
            }
            Ok(())
        })?;
        newest_first(&mut items);
        Ok(items)
    }
}
