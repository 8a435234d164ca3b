//! Lines of a file, one at a time, whatever their length.

use std::io::BufRead;

use super::Unit;
use super::error::ImportError;
use super::input::stopped;

/// Longest line. A message has at most a million characters; this is a file without line ends.
const MAX_LINE: usize = 64 << 20;

/// Yields the lines that are not blank.
pub(super) struct Lines<'a> {
    reader: Box<dyn BufRead + 'a>,
    number: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(reader: Box<dyn BufRead + 'a>) -> Self {
        Self { reader, number: 0 }
    }

    pub(super) fn next(&mut self) -> Result<Option<Unit>, ImportError> {
        loop {
            let (mut bytes, mut length, mut ended) = (Vec::new(), 0usize, false);
            while !ended {
                let chunk = self.reader.fill_buf().map_err(stopped)?;
                if chunk.is_empty() {
                    break;
                }
                let end = chunk.iter().position(|b| *b == b'\n');
                let content = &chunk[..end.unwrap_or(chunk.len())];
                if bytes.len() + content.len() <= MAX_LINE && length == bytes.len() {
                    bytes.extend_from_slice(content);
                }
                length += content.len();
                ended = end.is_some();
                let used = content.len() + usize::from(ended);
                self.reader.consume(used);
            }
            if length == 0 && !ended {
                return Ok(None);
            }
            self.number += 1;
            if length > bytes.len() {
                return Ok(Some(Unit {
                    number: self.number,
                    content: Err(format!("it is longer than {MAX_LINE} bytes")),
                }));
            }
            if !bytes.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some(Unit { number: self.number, content: Ok(bytes) }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_are_numbered_whatever_ends_them() {
        let text = b"{\"a\":1}\r\n\r\n  \n{\"b\":2}\n{\"c\":3}".as_slice();
        let mut lines = Lines::new(Box::new(BufReader::with_capacity(3, text)));
        let mut seen = Vec::new();
        while let Some(unit) = lines.next().unwrap() {
            seen.push((unit.number, String::from_utf8(unit.content.unwrap()).unwrap()));
        }
        assert_eq!(seen, [(1, "{\"a\":1}\r".into()), (4, "{\"b\":2}".into()), (5, "{\"c\":3}".into())]);
    }

    #[test]
    fn an_endless_line_is_broken_and_the_next_is_read() {
        let mut text = vec![b'x'; MAX_LINE + 1];
        text.extend_from_slice(b"\n{}\n");
        let mut lines = Lines::new(Box::new(text.as_slice()));
        assert!(lines.next().unwrap().unwrap().content.is_err());
        let unit = lines.next().unwrap().unwrap();
        assert_eq!((unit.number, unit.content), (2, Ok(b"{}".to_vec())));
        assert!(lines.next().unwrap().is_none());
    }
}
