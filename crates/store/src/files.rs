//! Folders and files that only their owner may read (OPS-3), and the lock under which processes that
//! start at the same time prepare them one after the other.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long to rest between two tries for the start-up lock. It is held for milliseconds.
const LOCK_POLL: Duration = Duration::from_millis(3);

/// Creates `dir` and its missing parents, each for the owner only. An existing folder is left as is.
pub(crate) fn private_dir(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)?;
    only_owner(dir, 0o700)
}

/// Opens `path` for reading and writing; creates it empty, for the owner only, if it is not there.
pub(crate) fn private_file(path: &Path) -> io::Result<File> {
    let fresh = !path.exists();
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    if fresh {
        only_owner(path, 0o600)?;
    }
    Ok(file)
}

/// Sets `mode` whatever the umask says. Does nothing where there are no such modes.
fn only_owner(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    #[cfg(not(unix))]
    let _ = (path, mode);
    Ok(())
}

/// Makes the names in `dir` survive a power cut.
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(dir)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = dir;
    Ok(())
}

/// The permission bits of `path` that give others access, for `doctor`; `None` where there are none.
pub(crate) fn mode(path: &Path) -> Option<u32> {
    #[cfg(unix)]
    return fs::metadata(path).ok().map(|meta| std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o777);
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// A `doctor` line on the permissions of `path`: fine if only the owner has any.
pub(crate) fn permission_line(path: &Path) -> Option<(String, String, bool)> {
    let mode = mode(path)?;
    let fine = mode & 0o077 == 0;
    let advice = if fine { "" } else { ": others may read it; chmod go= it" };
    Some((format!("permissions of {}", path.display()), format!("{mode:04o}{advice}"), fine))
}

/// Bytes of `path`, 0 if it is not there.
pub(crate) fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |meta| meta.len())
}

/// An exclusive lock on a folder, freed when dropped or when the process ends in any way.
pub(crate) struct StartLock(#[expect(dead_code, reason = "held for its lock")] File);

impl StartLock {
    /// Waits for the lock up to `patience`; `None` if another process kept it longer.
    pub(crate) fn take(dir: &Path, patience: Duration) -> io::Result<Option<Self>> {
        let file = private_file(&dir.join("myosotis.lock"))?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self(file))),
                Err(fs::TryLockError::WouldBlock) if start.elapsed() < patience => std::thread::sleep(LOCK_POLL),
                Err(fs::TryLockError::WouldBlock) => return Ok(None),
                // Not every file system has locks; SQLite's own then have to do.
                Err(fs::TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Some(Self(file)));
                }
                Err(fs::TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}
