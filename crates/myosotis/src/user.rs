//! The handle of one user: the only way to a person's memory (ID-4).

use std::sync::Arc;

use myosotis_core::{LedgerRead, Scope, UserId, UserRow, ports};
use myosotis_store::UserKey;

use crate::cache::SharedScope;
use crate::consent::{Consent, ConsentState, OffReason, Status, decide};
use crate::engine::Shared;
use crate::error::Error;
use crate::rows::Rows;

/// Everything that can be done with one person's memory. No method takes a user id, so a call that
/// reaches somebody else's cannot be written. Cheap to clone.
#[derive(Clone)]
pub struct UserMemory {
    pub(crate) shared: Arc<Shared>,
    pub(crate) user: UserId,
    pub(crate) enabled: Option<bool>,
}

/// What a call knows of its user while it runs: their key, and the epoch it started in.
#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) key: UserKey,
    pub(crate) epoch: u64,
    pub(crate) consent: Option<Consent>,
}

impl UserMemory {
    pub(crate) fn new(shared: Arc<Shared>, user: UserId) -> Self {
        Self { shared, user, enabled: None }
    }

    /// Whose memory this is.
    #[must_use]
    pub fn id(&self) -> &UserId {
        &self.user
    }

    /// The same handle with the caller's own word on whether memory is used: `Some(false)` is a veto
    /// for this turn or session (OPT-1, OPT-2), `Some(true)` a yes, `None` leaves it to the user's
    /// consent.
    #[must_use]
    pub fn with_enabled(mut self, enabled: Option<bool>) -> Self {
        self.enabled = enabled;
        self
    }

    /// Whether memory is on for this user, and if not, why (OPT-5).
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn status(&self) -> Result<Status, Error> {
        Ok(self.status_of(self.consent()?.as_ref()))
    }

    /// What the user last said about being remembered, if they ever did (OPT-3).
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn consent(&self) -> Result<Option<Consent>, Error> {
        self.read(|_, session| Ok(session.and_then(|session| session.consent.clone())))
    }

    /// Records the user's answer: when, how (`command line`, `web page`, ...) and under which version
    /// of a policy. Withdrawing or pausing raises the user's epoch, so that no job that is queued or
    /// running commits anything any more (OPT-3).
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn set_consent(&self, state: ConsentState, how: &str, policy: Option<&str>) -> Result<Consent, Error> {
        let consent =
            Consent { state, at: self.shared.clock.now(), how: how.to_owned(), policy: policy.map(str::to_owned) };
        // Never a second key beside rows of a lost one.
        let key = self.session_to_write()?.key;
        let (user, sealed) = (self.user.clone(), self.rows(&key).seal_consent(&consent)?);
        ports::write(self.shared.ledger.as_ref(), move |tx| {
            let epoch = tx.user(&user)?.unwrap_or_default().epoch;
            let raised = if state == ConsentState::On { epoch } else { epoch + 1 };
            Ok::<_, Error>(tx.put_user(&user, raised, Some(&sealed))?)
        })?;
        Ok(consent)
    }

    pub(crate) fn status_of(&self, consent: Option<&Consent>) -> Status {
        decide(self.enabled, self.shared.environment, consent.map(|consent| consent.state))
    }

    /// `Err` with the reason unless new memories may be written.
    pub(crate) fn check_writable(&self, session: &Session) -> Result<(), OffReason> {
        self.status_of(session.consent.as_ref()).writable()
    }

    pub(crate) fn rows<'a>(&'a self, key: &'a UserKey) -> Rows<'a> {
        Rows { user: &self.user, key }
    }

    /// Runs `job` in one read view with the user's session, or without one if nothing is stored.
    pub(crate) fn read<T>(
        &self,
        job: impl FnOnce(&dyn LedgerRead, Option<&Session>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        ports::read(self.shared.ledger.as_ref(), |view| {
            let session = match view.user(&self.user)? {
                Some(row) => self.session(&row)?,
                None => None,
            };
            job(view, session.as_ref())
        })
    }

    /// The session under `row`; none if the user has no key and nothing that would need one.
    fn session(&self, row: &UserRow) -> Result<Option<Session>, Error> {
        let Some(key) = self.shared.vault.data_key(&self.user)? else {
            if row.items > 0 || row.consent.is_some() {
                return Err(Error::KeyGone);
            }
            return Ok(None);
        };
        let consent = match row.consent.as_deref().map(|sealed| self.rows(&key).open_consent(sealed)) {
            // An answer that cannot be read is no yes.
            Some(Err(Error::Seal(_))) | None => None,
            Some(consent) => Some(consent?),
        };
        Ok(Some(Session { key, epoch: row.epoch, consent }))
    }

    /// A session to write under; makes the user's key if this is their first row.
    pub(crate) fn session_to_write(&self) -> Result<Session, Error> {
        if let Some(session) = self.read(|_, session| Ok(session.cloned()))? {
            return Ok(session);
        }
        let key = self.shared.vault.data_key_or_create(&self.user)?;
        let epoch = self.read(|view, _| Ok(view.user(&self.user)?.unwrap_or_default().epoch))?;
        Ok(Session { key, epoch, consent: None })
    }

    /// A scope as `view` sees it, or none if nothing was ever stored in it.
    pub(crate) fn open_scope(
        &self,
        view: &dyn LedgerRead,
        session: &Session,
        scope: &Scope,
    ) -> Result<Option<Arc<SharedScope>>, Error> {
        let Some(row) = view.scope(&self.user, session.key.scope_key(scope))? else { return Ok(None) };
        let spec = self.shared.spec();
        let dims = spec.map_or(0, |spec| spec.dimensions);
        let rows = self.rows(&session.key);
        let model = spec.map(|spec| spec.id.as_str());
        self.shared.cache.fresh(view, &rows, session.epoch, &row, (dims, model)).map(Some)
    }
}
