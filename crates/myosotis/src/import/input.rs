//! The bytes of an import: opened, unpacked if gzip, without a byte order mark, and with enough of
//! the beginning at hand to tell the format.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

use super::detect::detect;
use super::error::ImportError;
use super::format::Format;

/// Most bytes a packed file may unpack to. A ChatGPT export of ten years is some hundred megabytes.
pub const MAX_UNPACKED: u64 = 4 << 30;

/// How much of the beginning is kept to tell the format.
pub const HEAD_BYTES: usize = 64 << 10;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A file to import, open and unpacked.
///
/// ```
/// use myosotis::import::{Format, Input};
/// let input = Input::new(r#"{"role": "user", "content": "I moved to Lisbon."}"#.as_bytes())?;
/// assert_eq!(input.detect(), Some(Format::Transcript));
/// # Ok::<(), myosotis::import::ImportError>(())
/// ```
pub struct Input<'a> {
    head: Vec<u8>,
    rest: Box<dyn BufRead + 'a>,
    name: Option<String>,
    size: Option<u64>,
    taken: Arc<AtomicU64>,
}

impl std::fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input").field("name", &self.name).field("size", &self.size).finish_non_exhaustive()
    }
}

impl Input<'static> {
    /// Opens a file, packed or not.
    ///
    /// # Errors
    /// If it is a folder, cannot be read, is empty, or is no text.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let path = path.as_ref();
        let shown = || path.display().to_string();
        let failed = |source| ImportError::Open { path: shown(), source };
        let meta = std::fs::metadata(path).map_err(failed)?;
        if meta.is_dir() {
            return Err(ImportError::Folder(shown()));
        }
        let mut input = Input::new(File::open(path).map_err(failed)?)?;
        input.name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        input.size = meta.is_file().then_some(meta.len());
        Ok(input)
    }
}

impl<'a> Input<'a> {
    /// Reads from anything, the standard input for one; unpacks it if it is packed.
    ///
    /// # Errors
    /// If it cannot be read, is empty, or is no text.
    pub fn new(reader: impl Read + 'a) -> Result<Self, ImportError> {
        let taken = Arc::new(AtomicU64::new(0));
        let mut raw = BufReader::with_capacity(HEAD_BYTES, Counted { reader, taken: Arc::clone(&taken) });
        let mut magic = Vec::new();
        raw.by_ref().take(4).read_to_end(&mut magic).map_err(stopped)?;
        refuse_containers(&magic)?;
        let packed = magic.starts_with(&GZIP);
        let raw = Cursor::new(magic).chain(raw);
        let mut rest: Box<dyn BufRead + 'a> = if packed {
            let unpacked = Bounded { reader: MultiGzDecoder::new(raw), left: MAX_UNPACKED };
            Box::new(BufReader::with_capacity(HEAD_BYTES, unpacked))
        } else {
            Box::new(raw)
        };
        let mut head = Vec::new();
        rest.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(stopped)?;
        if packed {
            refuse_containers(&head)?;
        }
        if head.starts_with(b"\xef\xbb\xbf") {
            head.drain(..3);
        }
        if head.len() < HEAD_BYTES / 2 && head.iter().all(u8::is_ascii_whitespace) {
            return Err(ImportError::Empty);
        }
        Ok(Self { head, rest, name: None, size: None, taken })
    }

    /// The first bytes, unpacked, up to [`HEAD_BYTES`].
    #[must_use]
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The format its beginning or else its name tells.
    #[must_use]
    pub fn detect(&self) -> Option<Format> {
        detect(&self.head, self.name.as_deref())
    }

    /// The size of the file on disk, if it is one; with [`Progress`] it makes a progress bar.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Tells how far reading is, also after the input was handed to the reader.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress(Arc::clone(&self.taken))
    }

    /// Everything from the beginning on.
    pub(super) fn into_reader(self) -> Box<dyn BufRead + 'a> {
        Box::new(Cursor::new(self.head).chain(self.rest))
    }
}

/// How many bytes of a file were read so far.
#[derive(Debug, Clone)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Bytes read, as they lie on disk (packed, if they are).
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Refuses what is not text before anything reads it as such.
fn refuse_containers(magic: &[u8]) -> Result<(), ImportError> {
    let (what, fix) = match magic {
        [b'P', b'K', 3 | 5, 4 | 6, ..] => ("a zip archive", "unpack it and import the JSON file in it"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => ("packed with zstd", "unpack it first, or pack it with gzip"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ("UTF-16 text", "save it as UTF-8"),
        _ => return Ok(()),
    };
    Err(ImportError::Unsupported { what, fix })
}

/// The import error for a failed read.
pub(super) fn stopped(error: io::Error) -> ImportError {
    if error.get_ref().is_some_and(|inner| inner.is::<Bomb>()) {
        return ImportError::TooLarge { limit: MAX_UNPACKED };
    }
    match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            ImportError::Gzip(error)
        }
        _ => ImportError::Io(error),
    }
}

/// Counts what passes.
struct Counted<R> {
    reader: R,
    taken: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.taken.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Fails after a number of bytes.
struct Bounded<R> {
    reader: R,
    left: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("unpacks to too much")]
struct Bomb;

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(io::Error::other(Bomb)),
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bomb_stops() {
        let mut bounded = Bounded { reader: io::repeat(b' '), left: 1_000 };
        let error = bounded.read_to_end(&mut Vec::new()).unwrap_err();
        assert!(matches!(stopped(error), ImportError::TooLarge { .. }));
    }
}
