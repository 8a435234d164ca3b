//! The elements of a big JSON array, one at a time.
//!
//! Exports of chats are one array of conversations, easily a gigabyte. This finds where each element
//! begins and ends by counting brackets outside strings, and leaves reading it to serde_json. So memory
//! is bounded by one conversation, and an element that is not valid JSON inside costs only itself.
//! A file whose top is an object is either one element, or holds the array under a known key.

use std::io::BufRead;

use super::Unit;
use super::error::ImportError;
use super::input::stopped;

/// Largest element. A conversation of a year is some ten megabytes.
const MAX_ELEMENT: usize = 128 << 20;

/// What an object at the top of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Top {
    /// Keys under which the array of elements may be.
    pub(super) keys: &'static [&'static str],
    /// Whether an object without them is an element itself.
    pub(super) alone: bool,
}

enum State {
    Start,
    /// In the array; whether an element was read, and whether it is inside an object.
    Array {
        first: bool,
        inside: bool,
    },
    /// In the object at the top, with what it would be as an element, unless the array was in it.
    Object {
        first: bool,
        whole: Option<Vec<u8>>,
    },
    Done,
}

/// Yields the elements.
pub(super) struct Elements<'a> {
    reader: Box<dyn BufRead + 'a>,
    top: Top,
    state: State,
    number: u64,
    line: u64,
    column: u64,
}

/// An object at the top held neither of the keys.
#[derive(Debug)]
pub(super) struct NotThere;

impl<'a> Elements<'a> {
    pub(super) fn new(reader: Box<dyn BufRead + 'a>, top: Top) -> Self {
        Self { reader, top, state: State::Start, number: 0, line: 1, column: 1 }
    }

    pub(super) fn next(&mut self) -> Result<Result<Option<Unit>, NotThere>, ImportError> {
        loop {
            match std::mem::replace(&mut self.state, State::Done) {
                State::Done => return Ok(Ok(None)),
                State::Start => match self.after_space()? {
                    Some(b'[') => {
                        self.skip();
                        self.state = State::Array { first: true, inside: false };
                    }
                    Some(b'{') => {
                        self.skip();
                        self.state = State::Object { first: true, whole: Some(b"{".to_vec()) };
                    }
                    _ => return Err(self.syntax("expected `[` or `{`")),
                },
                State::Array { first, inside } => {
                    if !self.another(first, b']')? {
                        if inside {
                            self.state = State::Object { first: false, whole: None };
                        } else {
                            self.expect_end()?;
                        }
                        continue;
                    }
                    self.number += 1;
                    let content = self.value()?;
                    self.state = State::Array { first: false, inside };
                    return Ok(Ok(Some(Unit { number: self.number, content })));
                }
                State::Object { first, mut whole } => {
                    if !self.another(first, b'}')? {
                        self.expect_end()?;
                        let Some(mut whole) = whole else { continue };
                        if !self.top.alone {
                            return Ok(Err(NotThere));
                        }
                        whole.push(b'}');
                        let content = if whole.len() > MAX_ELEMENT { Err(too_large()) } else { Ok(whole) };
                        return Ok(Ok(Some(Unit { number: 1, content })));
                    }
                    let key = self.key()?;
                    let in_keys =
                        serde_json::from_slice::<String>(&key).is_ok_and(|key| self.top.keys.contains(&&*key));
                    if in_keys && self.after_space()? == Some(b'[') {
                        self.skip();
                        self.state = State::Array { first: true, inside: true };
                        continue;
                    }
                    match (self.value()?, &mut whole) {
                        (Ok(value), Some(whole)) if self.top.alone && whole.len() + value.len() <= MAX_ELEMENT => {
                            let comma: &[u8] = if first { b"" } else { b"," };
                            for piece in [comma, &key, b":", &value] {
                                whole.extend_from_slice(piece);
                            }
                        }
                        // Too large: remembered as such by its length.
                        (_, Some(whole)) if self.top.alone => whole.resize(MAX_ELEMENT + 1, b' '),
                        _ => {}
                    }
                    self.state = State::Object { first: false, whole };
                }
            }
        }
    }

    /// Stands before the next member of an array or object and takes the comma; `false` after its end.
    fn another(&mut self, first: bool, close: u8) -> Result<bool, ImportError> {
        let next = self.after_space()?;
        if next == Some(close) {
            self.skip();
            return Ok(false);
        }
        if first {
            return Ok(true);
        }
        if next != Some(b',') {
            return Err(self.syntax(match next {
                None => "the file ends in the middle of the JSON",
                Some(_) if close == b']' => "expected `,` or `]`",
                Some(_) => "expected `,` or `}`",
            }));
        }
        self.skip();
        Ok(true)
    }

    /// The key of an object's member, with its quotes; stands behind the colon after it.
    fn key(&mut self) -> Result<Vec<u8>, ImportError> {
        if self.after_space()? != Some(b'"') {
            return Err(self.syntax("expected a key in quotes"));
        }
        let Ok(key) = self.value()? else { return Err(self.syntax("the key is far too long")) };
        if self.after_space()? != Some(b':') {
            return Err(self.syntax("expected `:`"));
        }
        self.skip();
        Ok(key)
    }

    /// The bytes of one value, read by counting brackets outside strings; the inner error says that it
    /// was too large to keep.
    fn value(&mut self) -> Result<Result<Vec<u8>, String>, ImportError> {
        if matches!(self.after_space()?, None | Some(b',' | b':' | b']' | b'}')) {
            return Err(self.syntax("expected a value"));
        }
        let (mut kept, mut length) = (Vec::new(), 0usize);
        let mut shape = Shape::default();
        loop {
            let chunk = self.reader.fill_buf().map_err(stopped)?;
            if chunk.is_empty() {
                return match shape.scalar() {
                    true => Ok(Ok(kept)),
                    false => Err(self.syntax("the file ends in the middle of the JSON")),
                };
            }
            let end = chunk.iter().position(|b| shape.ends_before(*b)).unwrap_or(chunk.len());
            for byte in &chunk[..end] {
                self.column += 1;
                if *byte == b'\n' {
                    (self.line, self.column) = (self.line + 1, 1);
                }
            }
            if length + end <= MAX_ELEMENT {
                kept.extend_from_slice(&chunk[..end]);
            }
            length += end;
            let ended = end < chunk.len();
            self.reader.consume(end);
            if ended {
                return Ok(if length > MAX_ELEMENT { Err(too_large()) } else { Ok(kept) });
            }
        }
    }

    /// The next byte that is not white space, not taken.
    fn after_space(&mut self) -> Result<Option<u8>, ImportError> {
        loop {
            let Some(byte) = self.reader.fill_buf().map_err(stopped)?.first().copied() else { return Ok(None) };
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.column += 1;
            if byte == b'\n' {
                (self.line, self.column) = (self.line + 1, 1);
            }
            self.reader.consume(1);
        }
    }

    fn skip(&mut self) {
        self.column += 1;
        self.reader.consume(1);
    }

    fn expect_end(&mut self) -> Result<(), ImportError> {
        match self.after_space()? {
            None => Ok(()),
            Some(_) => Err(self.syntax("something follows the end of the JSON")),
        }
    }

    fn syntax(&self, reason: &'static str) -> ImportError {
        ImportError::Syntax { line: self.line, column: self.column, reason }
    }
}

fn too_large() -> String {
    format!("it is larger than {MAX_ELEMENT} bytes")
}

/// How much of a value was seen.
#[derive(Debug, Default)]
struct Shape {
    depth: u64,
    in_string: bool,
    escaped: bool,
    closed: bool,
}

impl Shape {
    /// Whether the value is over before this byte; otherwise the byte is counted in.
    fn ends_before(&mut self, byte: u8) -> bool {
        if self.closed {
            return true;
        }
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => {
                    self.in_string = false;
                    self.closed = self.depth == 0;
                }
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' | b',' | b':' if self.depth == 0 => return true,
            b'}' | b']' => {
                self.depth -= 1;
                self.closed = self.depth == 0;
            }
            _ if self.depth == 0 && byte.is_ascii_whitespace() => return true,
            _ => {}
        }
        false
    }

    /// Whether the value may end with the file.
    fn scalar(&self) -> bool {
        self.closed || (self.depth == 0 && !self.in_string)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    const TOP: Top = Top { keys: &["results"], alone: true };

    fn all(text: &str, top: Top) -> (Vec<String>, Option<String>) {
        let mut elements = Elements::new(Box::new(BufReader::with_capacity(2, text.as_bytes())), top);
        let mut seen = Vec::new();
        loop {
            match elements.next() {
                Ok(Ok(Some(unit))) => seen.push(String::from_utf8(unit.content.unwrap()).unwrap()),
                Ok(Ok(None)) => return (seen, None),
                Ok(Err(NotThere)) => return (seen, Some("not there".into())),
                Err(error) => return (seen, Some(error.to_string())),
            }
        }
    }

    #[test]
    fn elements_are_cut_out_whatever_is_in_them() {
        let (seen, error) = all(" [ {\"a\": \"]}\\\"\"} ,[1,\n[2]], \"x,y\", 3 ] \n", TOP);
        assert_eq!(seen, ["{\"a\": \"]}\\\"\"}", "[1,\n[2]]", "\"x,y\"", "3"]);
        assert_eq!(error, None);
        assert_eq!(all("[]", TOP), (vec![], None));
    }

    #[test]
    fn an_object_is_an_element_or_holds_them() {
        let inside = all("{\"count\": 2, \"results\": [{\"a\":1}, 2], \"next\": null}", TOP);
        assert_eq!(inside, (vec!["{\"a\":1}".into(), "2".into()], None));
        assert_eq!(all("{\"a\" : [1], \"b\":{} }", TOP), (vec!["{\"a\":[1],\"b\":{}}".into()], None));
        let other = all("{\"a\" : [1]}", Top { alone: false, ..TOP });
        assert_eq!(other, (vec![], Some("not there".into())));
    }

    #[test]
    fn a_syntax_error_tells_the_place_and_what_came_before_is_read() {
        let (seen, error) = all("[1,\n2 3]", TOP);
        assert_eq!(seen, ["1", "2"]);
        assert!(error.unwrap().starts_with("line 2, column 3: expected `,` or `]`"));
        for (text, part) in [
            ("[1,", "expected a value"),
            ("[1, {\"a\": ", "ends in the middle"),
            ("[1", "ends in the middle"),
            ("[,]", "expected a value"),
            ("[] []", "follows the end"),
            ("{\"a\" 1}", "expected `:`"),
            ("{a: 1}", "key in quotes"),
        ] {
            let error = all(text, TOP).1.unwrap();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
