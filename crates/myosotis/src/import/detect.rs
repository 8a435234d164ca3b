//! Which format a file has, told by the keys at its beginning.
//!
//! Only the beginning of a file is at hand, so this does not parse it: it lists the keys near the top,
//! with their depth, as far as they go. The file's name decides only where the content does not.

use std::collections::HashSet;
use std::io::Read;

use super::format::Format;

/// How many lines are looked at; the first ones of a file of lines may be broken.
const LINES: usize = 50;

/// How deep keys matter: the elements of an array inside an object.
const DEPTH: usize = 3;

/// Tells the format from the first bytes of a file (some kilobytes; packed ones are fine) and, where
/// they leave it open, from its name.
///
/// ```
/// use myosotis::import::{Format, detect};
/// assert_eq!(detect(br#"[{"uuid": "c1", "chat_messages": []}]"#, None), Some(Format::Claude));
/// assert_eq!(detect(b"Dear diary", None), None);
/// ```
#[must_use]
pub fn detect(first_bytes: &[u8], file_name: Option<&str>) -> Option<Format> {
    if first_bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        let limit = super::input::HEAD_BYTES as u64;
        // A cut-off beginning always ends in an error; what came before it is enough.
        let _ = flate2::read::MultiGzDecoder::new(first_bytes).take(limit).read_to_end(&mut unpacked);
        return by_content(&unpacked).or_else(|| by_name(file_name?));
    }
    by_content(first_bytes).or_else(|| by_name(file_name?))
}

fn by_content(bytes: &[u8]) -> Option<Format> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    match bytes.first()? {
        b'[' => Keys::of(bytes).element(2),
        b'{' => Keys::of(bytes).document().or_else(|| by_lines(bytes)),
        _ => by_lines(bytes),
    }
}

/// The first line that tells.
fn by_lines(bytes: &[u8]) -> Option<Format> {
    let lines = bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_start).take(LINES);
    lines.filter(|line| line.starts_with(b"{")).find_map(|line| Keys::of(line).line())
}

fn by_name(name: &str) -> Option<Format> {
    let name = name.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name {
        "memory.json" | "memory.jsonl" => Some(Format::McpMemory),
        _ if name.ends_with(".jsonl") => Some(Format::Transcript),
        _ if name.ends_with(".json") && name.contains("locomo") => Some(Format::Locomo),
        _ if name.ends_with(".json") && name.contains("beam") => Some(Format::Beam),
        _ => None,
    }
}

/// The keys of the first value of a JSON text that may be cut off anywhere.
#[derive(Debug, Default)]
struct Keys<'a> {
    at: HashSet<(usize, &'a str)>,
    /// The value of the first `type` at the top.
    kind: Option<&'a str>,
}

impl<'a> Keys<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let mut keys = Self::default();
        let (mut depth, mut at, mut awaits_kind) = (0usize, 0usize, false);
        while let Some(byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                b'"' => {
                    let Some(length) = string_length(&bytes[at..]) else { break };
                    let text = std::str::from_utf8(&bytes[at..at + length]).unwrap_or_default();
                    at += length + 1;
                    let is_key = bytes[at..].trim_ascii_start().starts_with(b":");
                    if is_key && depth <= DEPTH {
                        keys.at.insert((depth, text));
                        awaits_kind = depth == 1 && text == "type" && keys.kind.is_none();
                    } else if awaits_kind {
                        keys.kind = Some(text);
                        awaits_kind = false;
                    }
                }
                _ => {}
            }
        }
        keys
    }

    fn has(&self, depth: usize, key: &str) -> bool {
        self.at.contains(&(depth, key))
    }

    /// A document that is one object: a line of a file of lines, one conversation, or a wrapper.
    fn document(&self) -> Option<Format> {
        if let Some(format) = self.line() {
            return Some(format);
        }
        match () {
            () if self.has(1, "conversations") => self.element(3),
            () if self.has(1, "results") => self.has(3, "memory").then_some(Format::Mem0),
            () if self.has(1, "messages") => (self.has(3, "role") && self.has(3, "text")).then_some(Format::Beam),
            () => self.element(1).filter(|format| *format != Format::Mem0),
        }
    }

    fn line(&self) -> Option<Format> {
        match self.kind {
            Some("myosotis-export") => return Some(Format::Myosotis),
            Some("entity") if self.has(1, "name") => return Some(Format::McpMemory),
            Some("relation") if self.has(1, "relationType") => return Some(Format::McpMemory),
            _ => {}
        }
        (self.has(1, "role") && self.has(1, "content")).then_some(Format::Transcript)
    }

    /// A conversation or memory whose keys are at `depth`.
    fn element(&self, depth: usize) -> Option<Format> {
        let has = |key| self.has(depth, key);
        let is_session = |(at, key): &(usize, &str)| {
            (*at == depth || *at == depth + 1) && key.strip_prefix("session_").is_some_and(starts_with_digit)
        };
        match () {
            () if has("chat_messages") => Some(Format::Claude),
            () if has("mapping") => Some(Format::ChatGpt),
            () if self.at.iter().any(is_session) || (has("qa") && !has("messages")) => Some(Format::Locomo),
            () if has("memory") => Some(Format::Mem0),
            () => None,
        }
    }
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// The length of a string whose opening quote was passed.
fn string_length(bytes: &[u8]) -> Option<usize> {
    let mut escaped = false;
    bytes.iter().position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_told_by_its_beginning() {
        for (text, format) in [
            (r#"{"type":"myosotis-export","version":1}"#, Format::Myosotis),
            (r#"{"id": 1, "role": "user", "content": "the \"mapping\": of"}"#, Format::Transcript),
            ("garbage\n{\"role\":\"user\",\"content\":\"hi\"}", Format::Transcript),
            ("{oops\n{\"role\":\"user\",\"content\":\"hi\"}", Format::Transcript),
            (r#"[{"title": "Trip", "create_time": 1.5, "mapping": {"a": {"#, Format::ChatGpt),
            (r#"{"title": "Trip", "mapping": {}}"#, Format::ChatGpt),
            (r#"[{"uuid": "1", "name": "", "chat_messages": [{"text": "cut o"#, Format::Claude),
            (r#"{"conversations": [{"uuid": "1", "chat_messages": []}]}"#, Format::Claude),
            (r#"{"results": [{"id": "1", "memory": "Likes tea"}]}"#, Format::Mem0),
            (r#"[{"id": "1", "memory": "Likes tea"}]"#, Format::Mem0),
            (r#"{"type":"entity","name":"Alice","entityType":"person","observations":[]}"#, Format::McpMemory),
            (r#"{"type":"relation","from":"a","to":"b","relationType":"knows"}"#, Format::McpMemory),
            (r#"{"speaker_a": "Ann", "session_1_date_time": "x"}"#, Format::Locomo),
            (r#"[{"qa": [{"question": "cut"#, Format::Locomo),
            (r#"[{"sample_id": "s", "conversation": {"session_1": []}}]"#, Format::Locomo),
            (r#"{"name": "b", "messages": [{"id": "0", "role": "user", "text": "hi"}]}"#, Format::Beam),
        ] {
            assert_eq!(detect(text.as_bytes(), None), Some(format), "{text}");
            assert_eq!(detect(format!("\u{feff}\n {text}").as_bytes(), None), Some(format), "{text}");
        }
        for text in ["", "[]", "{}", "42", "Dear diary", "{\"a\": 1}", "\"role\""] {
            assert_eq!(detect(text.as_bytes(), None), None, "{text}");
        }
        assert_eq!(detect(b"{}", Some("memory.jsonl")), Some(Format::McpMemory));
    }
}
