//! The one writer of a ledger: a thread that owns the writing connection, takes whatever jobs wait
//! and commits them together. While one commit is on its way to the disk the next jobs queue up, so
//! that the costly part is shared by all who write at the same time.
//!
//! Each job is a savepoint: one that fails or panics is undone alone. Jobs that nobody waits for
//! ride along with those somebody waits for; by themselves they are committed without forcing the
//! disk, which costs nobody anything: the next durable commit or a flush brings them down too.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use myosotis_core::LedgerError;
use myosotis_core::ports::WriteJob;
use rusqlite::Connection;

use super::errors::Whereabouts;
use super::view::View;

/// Jobs in one commit. Bounds how long the first of them waits for the last.
const MOST_JOBS: usize = 256;

/// Unwaited-for jobs that ride along with waited-for ones; more would be felt as a delay.
const MOST_RIDERS: usize = 32;

/// How long unwaited-for jobs alone wait for company.
const LEISURE: Duration = Duration::from_millis(50);

/// Log pages after which they are copied into the file, after the answers are given. 8 MB.
const CHECKPOINT_PAGES: i32 = 1000;

type Answer = SyncSender<Result<(), LedgerError>>;

/// What the writer is asked for.
pub(crate) enum Request {
    /// Do this and answer when it is durable.
    Write(WriteJob, Answer),
    /// Do this at leisure.
    Later(WriteJob),
    /// Answer when everything before is durable.
    Flush(Answer),
    /// Answer when free pages were given back, everything before being durable.
    Shrink(Answer),
    /// Do what is left and end.
    Stop,
}

/// The state of the writer's thread.
pub(crate) struct Writer {
    conn: Connection,
    whereabouts: Arc<Whereabouts>,
    requests: Receiver<Request>,
    writes: VecDeque<(WriteJob, Answer)>,
    riders: VecDeque<WriteJob>,
    flushes: Vec<Answer>,
    shrinks: Vec<Answer>,
    /// Something was committed without forcing the disk since the last commit that did.
    unsynced: bool,
    /// Whether the connection's commits force the disk now.
    forcing: bool,
    stopping: bool,
    log_pages: Arc<AtomicI32>,
}

impl Writer {
    pub(crate) fn new(
        mut conn: Connection,
        whereabouts: Arc<Whereabouts>,
        requests: Receiver<Request>,
    ) -> Result<Self, LedgerError> {
        let log_pages = Arc::new(AtomicI32::new(0));
        let seen = Arc::clone(&log_pages);
        // Takes the place of SQLite's own automatic checkpoint, which would run before the answers.
        conn.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, pages| {
            seen.store(pages, Ordering::Relaxed);
            Ok(())
        }))
        .map_err(|error| whereabouts.sqlite(&error))?;
        Ok(Self {
            conn,
            whereabouts,
            requests,
            writes: VecDeque::new(),
            riders: VecDeque::new(),
            flushes: Vec::new(),
            shrinks: Vec::new(),
            unsynced: false,
            forcing: true,
            stopping: false,
            log_pages,
        })
    }

    /// Serves until told to stop or nobody can ask any more.
    pub(crate) fn run(mut self) {
        loop {
            self.gather();
            let flushing = !self.flushes.is_empty() || !self.shrinks.is_empty() || self.stopping;
            self.commit_some(flushing);
            self.checkpoint_if_due();
            if !self.writes.is_empty() || (flushing && !self.riders.is_empty()) {
                continue;
            }
            if flushing {
                self.settle();
            }
            if self.stopping && self.writes.is_empty() {
                return;
            }
        }
    }

    /// Waits for the next request, takes all that are there, and lets riders wait for company.
    fn gather(&mut self) {
        if self.idle() {
            match self.requests.recv() {
                Ok(request) => self.sort(request),
                Err(_) => self.stopping = true,
            }
        }
        let company = Instant::now() + LEISURE;
        loop {
            while let Ok(request) = self.requests.try_recv() {
                self.sort(request);
            }
            let only_riders = self.writes.is_empty() && self.flushes.is_empty() && self.shrinks.is_empty();
            if !only_riders || self.stopping || self.riders.len() >= MOST_JOBS {
                return;
            }
            match self.requests.recv_timeout(company.saturating_duration_since(Instant::now())) {
                Ok(request) => self.sort(request),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => self.stopping = true,
            }
        }
    }

    fn idle(&self) -> bool {
        self.writes.is_empty() && self.riders.is_empty() && self.flushes.is_empty() && self.shrinks.is_empty()
    }

    fn sort(&mut self, request: Request) {
        match request {
            Request::Write(job, answer) => self.writes.push_back((job, answer)),
            Request::Later(job) => self.riders.push_back(job),
            Request::Flush(answer) => self.flushes.push(answer),
            Request::Shrink(answer) => self.shrinks.push(answer),
            Request::Stop => self.stopping = true,
        }
    }

    /// One transaction with some of what waits.
    fn commit_some(&mut self, flushing: bool) {
        let writes = self.writes.len().min(MOST_JOBS);
        let most_riders = if writes > 0 && !flushing { MOST_RIDERS } else { MOST_JOBS };
        let riders = self.riders.len().min(most_riders);
        if writes + riders == 0 {
            return;
        }
        let durable = writes > 0 || flushing;
        if let Err(error) = self.force_disk(durable).and_then(|()| self.statement("BEGIN IMMEDIATE")) {
            self.refuse(writes, riders, &error);
            return;
        }

        let mut answers = Vec::with_capacity(writes);
        let mut lost = None;
        while answers.len() < writes && lost.is_none() {
            let Some((job, answer)) = self.writes.pop_front() else { break };
            let outcome = self.in_savepoint(job);
            lost = self.lost(&outcome);
            answers.push((answer, outcome));
        }
        for _ in 0..riders {
            if lost.is_some() {
                break;
            }
            let Some(job) = self.riders.pop_front() else { break };
            let outcome = self.in_savepoint(job);
            lost = self.lost(&outcome);
        }
        let committed = match lost {
            Some(error) => Err(error),
            None => self.commit(),
        };
        if committed.is_ok() {
            self.unsynced = !durable;
        }
        for (answer, outcome) in answers {
            // Nobody listening means that the caller's thread is gone; the change stands.
            let _ = answer.send(outcome.and_then(|()| committed.clone()));
        }
    }

    /// After some errors (a full disk, say) SQLite undoes the whole transaction by itself. Then the
    /// jobs done so far are lost with it, and their callers must hear of it.
    fn lost(&self, outcome: &Result<(), LedgerError>) -> Option<LedgerError> {
        self.conn.is_autocommit().then(|| match outcome {
            Err(error) => error.clone(),
            Ok(()) => LedgerError::Other("the transaction ended before its commit".into()),
        })
    }

    fn commit(&self) -> Result<(), LedgerError> {
        self.statement("COMMIT").inspect_err(|_| {
            if !self.conn.is_autocommit() {
                // If this fails too, the next BEGIN reports it.
                let _ = self.statement("ROLLBACK");
            }
        })
    }

    /// The batch could not begin: nothing of it was done.
    fn refuse(&mut self, writes: usize, riders: usize, error: &LedgerError) {
        for (_, answer) in self.writes.drain(..writes) {
            let _ = answer.send(Err(error.clone()));
        }
        self.riders.drain(..riders);
    }

    fn in_savepoint(&self, job: WriteJob) -> Result<(), LedgerError> {
        self.statement("SAVEPOINT job")?;
        let mut view = View::new(&self.conn, &self.whereabouts);
        let outcome = catch_unwind(AssertUnwindSafe(|| job(&mut view)))
            .unwrap_or_else(|_| Err(LedgerError::Other("the change panicked and was undone".into())));
        let outcome = match outcome {
            Ok(()) if view.broken.get() => {
                Err(LedgerError::Other("a statement failed, so the change was undone".into()))
            }
            other => other,
        };
        if self.conn.is_autocommit() {
            return outcome;
        }
        match outcome {
            Ok(()) => self.statement("RELEASE job"),
            Err(error) => {
                self.statement("ROLLBACK TO job")?;
                self.statement("RELEASE job")?;
                Err(error)
            }
        }
    }

    /// Makes the connection's next commits reach the disk, or not wait for it.
    fn force_disk(&mut self, force: bool) -> Result<(), LedgerError> {
        if self.forcing != force {
            // Not a kept statement: SQLite obeys this pragma when it is prepared, not when it is run.
            let level = if force { "FULL" } else { "NORMAL" };
            self.conn.pragma_update(None, "synchronous", level).map_err(|error| self.whereabouts.sqlite(&error))?;
            self.forcing = force;
        }
        Ok(())
    }

    /// Answers flushes and shrinks once all before them is done.
    fn settle(&mut self) {
        let durable = if self.unsynced { self.force_down() } else { Ok(()) };
        for answer in self.flushes.drain(..) {
            let _ = answer.send(durable.clone());
        }
        if self.shrinks.is_empty() {
            return;
        }
        let shrunk = durable.and_then(|()| self.shrink());
        for answer in self.shrinks.drain(..) {
            let _ = answer.send(shrunk.clone());
        }
    }

    /// A commit that forces the log down, and with it everything committed before.
    fn force_down(&mut self) -> Result<(), LedgerError> {
        self.force_disk(true)?;
        self.statement("UPDATE meta SET value = value + 1 WHERE name = 'flushes'")?;
        self.unsynced = false;
        Ok(())
    }

    /// Gives free pages back to the file system.
    fn shrink(&mut self) -> Result<(), LedgerError> {
        self.force_disk(true)?;
        let told = |error: rusqlite::Error| self.whereabouts.sqlite(&error);
        let mut statement = self.conn.prepare("PRAGMA incremental_vacuum").map_err(told)?;
        let mut rows = statement.query([]).map_err(told)?;
        while rows.next().map_err(told)?.is_some() {}
        Ok(())
    }

    /// Moves the log into the file as far as readers allow. A failure leaves the log as it is, which
    /// loses nothing; what is really wrong shows at the next commit.
    fn checkpoint_if_due(&self) {
        if self.log_pages.load(Ordering::Relaxed) >= CHECKPOINT_PAGES {
            self.log_pages.store(0, Ordering::Relaxed);
            let _ = self.conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        }
    }

    fn statement(&self, sql: &str) -> Result<(), LedgerError> {
        self.conn
            .prepare_cached(sql)
            .and_then(|mut statement| statement.raw_execute_any())
            .map_err(|error| self.whereabouts.sqlite(&error))
    }
}

/// Runs a statement whatever it returns: a pragma may answer with a row.
trait ExecuteAny {
    fn raw_execute_any(&mut self) -> rusqlite::Result<()>;
}

impl ExecuteAny for rusqlite::Statement<'_> {
    fn raw_execute_any(&mut self) -> rusqlite::Result<()> {
        let mut rows = self.query([])?;
        while rows.next()?.is_some() {}
        Ok(())
    }
}

#[cfg(test)]
mod tests;
