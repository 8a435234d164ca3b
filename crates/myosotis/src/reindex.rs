//! Giving memories the vectors of the embedder in use (REC-12).

use std::collections::HashSet;

use myosotis_core::{Item, LedgerError, MemoryId, Scope, ports};

use crate::commit::{Commit, Sight};
use crate::embedding::embed_all;
use crate::error::Error;
use crate::spoken::texts_of;
use crate::user::UserMemory;

/// Memories embedded and written at a time.
const BATCH: usize = 128;

impl UserMemory {
    /// Embeds every memory that has no vectors of the embedder in use, batch by batch: recall keeps
    /// answering meanwhile, and starting again goes on where it was left. `progress` is told how many
    /// are done, of how many. Returns how many were given vectors.
    ///
    /// # Errors
    /// [`Error::Invalid`] without an embedder; [`Error::Embed`] if it fails; what was done stays.
    pub fn reindex(&self, mut progress: impl FnMut(u64, u64)) -> Result<u64, Error> {
        let Some(embedder) = &self.shared.embedder else {
            return Err(Error::invalid("embedder", "there is none to make vectors with; choose one and try again"));
        };
        let model = embedder.spec().id.clone();
        let broken = self.with_broken_vectors()?;
        let mut waiting: Vec<Item> = Vec::new();
        self.each_item(None, |opened| {
            let damaged = broken.contains(&opened.item.id);
            if damaged || opened.item.model.as_ref() != Some(&model) {
                waiting.push(opened.item);
            }
            Ok(())
        })?;
        let total = waiting.len() as u64;
        let mut done = 0;
        progress(done, total);
        waiting.sort_by(|a, b| (&a.scope, a.id).cmp(&(&b.scope, b.id)));
        for group in waiting.chunk_by(|a, b| a.scope == b.scope) {
            for batch in group.chunks(BATCH) {
                let (mut texts, mut counts) = (Vec::new(), Vec::new());
                for item in batch {
                    let passages = texts_of(item, &embedder.spec().passage_prefix);
                    counts.push(passages.len());
                    texts.extend(passages);
                }
                let mut vectors = embed_all(embedder.embedder().as_ref(), &texts)?.into_iter();
                let fresh = batch.iter().zip(counts).map(|(item, count)| {
                    let vectors: Vec<f32> = vectors.by_ref().take(count).flatten().collect();
                    (item.id, item.text.clone(), vectors)
                });
                self.put_vectors(&batch[0].scope, &model, fresh.collect())?;
                done += batch.len() as u64;
                progress(done, total);
            }
        }
        Ok(done)
    }

    /// How many memories have vectors that do not open any more; [`UserMemory::reindex`] mends them.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn broken_vectors(&self) -> Result<usize, Error> {
        Ok(self.with_broken_vectors()?.len())
    }

    fn with_broken_vectors(&self) -> Result<HashSet<MemoryId>, Error> {
        self.read(|view, session| {
            let mut broken = HashSet::new();
            let Some(session) = session else { return Ok(broken) };
            let rows = self.rows(&session.key);
            for scope in view.scopes(&self.user)? {
                view.items(&self.user, scope.key, 0, true, &mut |row| {
                    if !rows.vectors_open(&row) {
                        broken.insert(row.id);
                    }
                    Ok::<_, LedgerError>(())
                })?;
            }
            Ok(broken)
        })
    }

    fn put_vectors(&self, scope: &Scope, model: &str, fresh: Vec<(MemoryId, String, Vec<f32>)>) -> Result<(), Error> {
        let (memory, session) = (self.clone(), self.session_to_write()?);
        let (scope, model) = (scope.clone(), model.to_owned());
        ports::write(self.shared.ledger.as_ref(), move |tx| {
            let mut commit = Commit::begin(&memory, tx, &session, &scope, Sight::Tags)?;
            for (id, text, vectors) in fresh {
                // Forgotten or reworded meanwhile: the newer state wins.
                if let Some(mut opened) = commit.opened(id)?.filter(|opened| opened.item.text == text) {
                    opened.item.model = Some(model.clone());
                    opened.vectors = vectors;
                    commit.put(opened)?;
                }
            }
            commit.finish()
        })
    }
}
