//! Random bytes for keys and nonces, injected so that a simulation can replay a run.

/// The system could not give random bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the system gave no random bytes ({0}): nothing was written; check that /dev/urandom is there")]
pub struct RandomError(pub String);

/// A source of random bytes. Keys and nonces come from it: a source that repeats itself makes sealed
/// content readable, so anything but [`OsRandom`] belongs into tests.
pub trait Random: Send + Sync {
    /// Fills `bytes`.
    ///
    /// # Errors
    /// [`RandomError`]; `bytes` must not be used then.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError>;
}

/// The operating system's generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsRandom;

impl Random for OsRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError> {
        getrandom::fill(bytes).map_err(|error| RandomError(error.to_string()))
    }
}

/// `N` random bytes.
pub(crate) fn bytes<const N: usize>(random: &dyn Random) -> Result<[u8; N], RandomError> {
    let mut out = [0; N];
    random.fill(&mut out)?;
    Ok(out)
}
