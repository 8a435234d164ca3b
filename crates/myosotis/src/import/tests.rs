//! Each format's own fixture, hostile files, and arbitrary ones.

use std::io::{Cursor, Write};

use myosotis_core::{Kind, Role, State};
use proptest::prelude::*;

use super::*;

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!(concat!("../../tests/fixtures/import/", $name)).as_slice()
    };
}

const FIXTURES: [(Format, &[u8]); 9] = [
    (Format::Myosotis, fixture!("myosotis.jsonl")),
    (Format::Transcript, fixture!("transcript.jsonl")),
    (Format::ChatGpt, fixture!("chatgpt.json")),
    (Format::Claude, fixture!("claude.json")),
    (Format::Mem0, fixture!("mem0.json")),
    (Format::McpMemory, fixture!("mcp-memory.jsonl")),
    (Format::Locomo, fixture!("locomo.json")),
    (Format::Locomo, fixture!("locomo-list.json")),
    (Format::Beam, fixture!("beam.json")),
];

/// What a file gave: records, broken lines, and the error that ended it.
#[derive(Debug, Default)]
struct Got {
    records: Vec<Record>,
    broken: Vec<String>,
    stopped: Option<ImportError>,
}

impl Got {
    fn turns(&self) -> Vec<&Turn> {
        let turn = |record| match record {
            &Record { content: Content::Turn(ref turn), .. } => Some(turn),
            _ => None,
        };
        self.records.iter().filter_map(turn).collect()
    }

    fn facts(&self) -> Vec<&str> {
        let fact = |record| match record {
            &Record { content: Content::Fact(ref fact), .. } => Some(fact.text.as_str()),
            _ => None,
        };
        self.records.iter().filter_map(fact).collect()
    }

    fn skipped(&self) -> Vec<&str> {
        let skipped = |record| match record {
            &Record { content: Content::Skipped(why), .. } => Some(why),
            _ => None,
        };
        self.records.iter().filter_map(skipped).collect()
    }
}

fn get(format: Format, bytes: &[u8]) -> Got {
    let mut got = Got::default();
    let input = match Input::new(bytes) {
        Ok(input) => input,
        Err(error) => return Got { stopped: Some(error), ..got },
    };
    let mut records = read(format, input);
    for record in records.by_ref() {
        match record {
            Ok(record) => got.records.push(record),
            Err(ReadError::Broken(broken)) => got.broken.push(broken.to_string()),
            Err(ReadError::Stopped(error)) => {
                assert!(got.stopped.is_none(), "stopped twice");
                got.stopped = Some(error);
            }
        }
    }
    assert!(records.next().is_none());
    got
}

/// All of a good file.
fn whole(format: Format, bytes: &[u8]) -> Got {
    let got = get(format, bytes);
    assert!(got.broken.is_empty() && got.stopped.is_none(), "{got:?}");
    got
}

fn stopped(format: Format, bytes: &[u8]) -> String {
    get(format, bytes).stopped.expect("an error").to_string()
}

fn time(turn: &Turn) -> String {
    turn.created.map(|at| at.to_string()).unwrap_or_default()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn every_fixture_is_told_and_read_packed_or_not() {
    for (format, bytes) in FIXTURES {
        let packed = gzip(bytes);
        assert_eq!(detect(bytes, None), Some(format));
        assert_eq!(detect(&packed, None), Some(format));
        let marked = [b"\xef\xbb\xbf", bytes].concat();
        let got = whole(format, bytes);
        assert_eq!(got.records, whole(format, &packed).records);
        assert_eq!(got.records, whole(format, &marked).records);
        if format.is_lines() {
            let crlf = String::from_utf8(bytes.to_vec()).unwrap().replace('\n', "\r\n");
            assert_eq!(got.records, whole(format, crlf.as_bytes()).records);
        }
    }
}

#[test]
fn every_other_format_is_refused_by_name() {
    for (format, bytes) in FIXTURES {
        for other in Format::ALL.into_iter().filter(|other| *other != format) {
            let error = stopped(other, bytes);
            assert!(error.contains(other.describe()) && error.contains(format.describe()), "{error}");
        }
    }
}

#[test]
fn our_export_gives_the_items_back() {
    let got = whole(Format::Myosotis, fixture!("myosotis.jsonl"));
    assert_eq!(got.skipped(), ["consent (importing never switches memory on)"]);
    let items: Vec<&Item> = got
        .records
        .iter()
        .filter_map(|record| if let Content::Item(item) = &record.content { Some(item.as_ref()) } else { None })
        .collect();
    assert_eq!(items.len(), 2);
    assert!(items[0].pinned && items[0].text == "Works at Globex" && items[0].access_count == 3);
    assert_eq!((items[1].state, items[1].created), (State::Superseded, None));
    assert_eq!(items[1].lineage, items[0].id);
}

#[test]
fn an_export_of_a_newer_version_or_without_a_header_is_refused() {
    let newer = b"{\"type\":\"myosotis-export\",\"version\":2,\"shape\":\"unknown\"}\n{\"type\":\"memory\"}";
    let error = stopped(Format::Myosotis, newer);
    assert!(error.contains("version 2") && error.contains("update Myosotis"), "{error}");
    let error = stopped(Format::Myosotis, b"{\"type\":\"memory\",\"id\":\"x\"}");
    assert!(error.contains("without the first line"), "{error}");
    let odd = "{\"type\":\"myosotis-export\",\"version\":1}\n{\"type\":\"memory\",\"id\":1}\n{\"type\":\"vector\"}";
    let got = get(Format::Myosotis, odd.as_bytes());
    assert_eq!(got.broken.len(), 2, "{got:?}");
}

#[test]
fn a_transcript_gives_its_messages() {
    let got = whole(Format::Transcript, fixture!("transcript.jsonl"));
    let turns = got.turns();
    let ids: Vec<_> = turns.iter().map(|turn| turn.message.as_deref()).collect();
    assert_eq!(ids, [Some("m1"), Some("2"), Some("m4"), Some("m5"), None]);
    let sessions: Vec<_> = turns.iter().map(|turn| (turn.session.as_deref(), turn.position)).collect();
    assert_eq!(
        sessions,
        [(Some("s1"), Some(0)), (Some("s1"), Some(1)), (Some("s1"), Some(2)), (Some("2"), Some(0)), (None, Some(0))]
    );
    let times: Vec<_> = turns.iter().map(|turn| time(turn)).collect();
    assert_eq!(
        times,
        ["2023-05-08T13:56:00Z", "2023-05-08T13:57:00Z", "2023-05-08T13:58:00Z", "2023-05-09T00:00:00Z", ""]
    );
    assert_eq!((turns[0].speaker.as_deref(), turns[1].role), (Some("Nora"), Role::Assistant));
    assert_eq!(turns[2].text, "The light is 真好 🌞");
    assert_eq!(got.skipped(), [UNSPOKEN]);
    assert_eq!(got.records.iter().map(|record| record.line).collect::<Vec<_>>(), [1, 2, 3, 5, 6, 7]);
}

#[test]
fn broken_lines_are_told_by_number_and_the_rest_is_read() {
    let good = "{\"role\":\"user\",\"content\":\"ok\"}";
    let long_id = format!("{{\"role\":\"user\",\"content\":\"x\",\"id\":\"{}\"}}", "i".repeat(600));
    let deep = format!("{{\"role\":\"user\",\"content\":{}", "[".repeat(100_000));
    let cases: Vec<(&[u8], &str)> = vec![
        (b"{\"role\":\"user\"}", "it has no `content`"),
        (b"{\"content\":\"x\"}", "it has no `role`"),
        (b"{\"role\":\"user\",\"content\":null}", "it has no `content`"),
        (b"{\"role\":\"user\",\"content\":[1]}", "`content` is not text"),
        (b"{\"role\":\"martian\",\"content\":\"x\"}", "`role` is \"martian\""),
        (b"{\"role\":\"user\",\"content\":\"x\",\"timestamp\":\"soon\"}", "`timestamp` is no time: soon"),
        (b"{\"role\":\"user\",\"content\":\"x\",\"timestamp\":NaN}", "not valid JSON"),
        (b"{\"role\":\"user\",\"content\":\"x\",\"id\":{}}", "`id` is neither text nor a number"),
        (long_id.as_bytes(), "`id` is longer than 512 characters"),
        (b"{\"role\":\"user\",\"content\":\"\\ud800\"}", "half of a surrogate pair"),
        (b"{\"role\":\"user\",\"content\":\"\\ud800x\"}", "half of a surrogate pair"),
        (b"{\"role\":\"user\",\"content\":\"\\udc00\"}", "half of a surrogate pair"),
        (b"{\"role\":\"user\",\"content\":\"\xff\"}", "not UTF-8 from its byte 27"),
        (b"{\"role\":\"user\",\"content\":\"\0\"}", "not valid JSON"),
        (b"{\"role\":\"user\",\"content\":\"x\"", "not valid JSON"),
        (b"[1]", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b"garbage", "not valid JSON"),
        (deep.as_bytes(), "recursion limit"),
    ];
    for (line, reason) in cases {
        let file = [good.as_bytes(), line, good.as_bytes()].join(&b'\n');
        let got = get(Format::Transcript, &file);
        assert_eq!(got.turns().len(), 2, "{reason}");
        assert_eq!(got.broken.len(), 1, "{reason}");
        let broken = &got.broken[0];
        assert!(broken.starts_with("line 2: ") && broken.contains(reason), "{broken} / {reason}");
        assert!(got.stopped.is_none());
    }
    let nul = get(Format::Transcript, b"{\"role\":\"user\",\"content\":\"a\\u0000b\"}");
    assert_eq!(nul.turns()[0].text, "a\0b");
}

#[test]
fn chatgpt_gives_the_branch_last_seen() {
    let got = whole(Format::ChatGpt, fixture!("chatgpt.json"));
    let turns = got.turns();
    let texts: Vec<_> = turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(texts, ["Where was this picture taken?\nI think in Porto.", "At the Ribeira.", "Second try"]);
    assert_eq!((turns[1].session.as_deref(), turns[1].position), (Some("c-porto"), Some(1)));
    assert_eq!((turns[0].message.as_deref(), turns[2].message.as_deref()), (Some("q-new"), Some("y")));
    assert_eq!(time(turns[0]), "2023-11-09T21:21:00.5Z");
    assert_eq!(got.skipped(), [UNSPOKEN, "hidden messages", UNSPOKEN, UNSPOKEN, TEXTLESS]);
    // The session of a conversation without an id must never change: a second import goes by it.
    assert_eq!(turns[2].session.as_deref(), Some("untitled-aaed3148ad92076d"));
}

#[test]
fn chatgpt_survives_broken_trees() {
    let circle = r#"[{"mapping": {"a": {"parent": "b"}, "b": {"parent": "a"}}, "current_node": "a"},
        {"mapping": {"a": {"parent": "gone", "message": {"content": {}}}}, "current_node": "a"},
        {"mapping": 7}, 7, {"mapping": {}, "current_node": "x"},
        {"id": "c", "mapping": {"a": {"message": {"author": {"role": "user"}, "create_time": 1e300,
            "content": {"parts": ["hi"]}}}}},
        {"id": "d", "mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["hello"]}}}}}]"#;
    let got = get(Format::ChatGpt, circle.as_bytes());
    assert_eq!(got.turns().len(), 1);
    let reasons = [
        "conversation 1: its messages form a circle",
        "conversation 2: its message \"a\"",
        "conversation 3: it has no `mapping`",
    ];
    assert!(reasons.iter().zip(&got.broken).all(|(start, broken)| broken.starts_with(start)), "{:?}", got.broken);
    assert_eq!(got.broken.len(), 5, "{:?}", got.broken);
    assert!(got.stopped.is_none());
}

#[test]
fn claude_gives_text_blocks() {
    let got = whole(Format::Claude, fixture!("claude.json"));
    let turns = got.turns();
    let texts: Vec<_> = turns.iter().map(|turn| (turn.role, turn.text.as_str())).collect();
    assert_eq!(
        texts,
        [
            (Role::User, "I only drink green tea."),
            (Role::Assistant, "Noted.\nAnything else?"),
            (Role::User, "From the days before blocks")
        ]
    );
    assert_eq!((turns[2].session.as_deref(), turns[2].position), (Some("c1"), Some(2)));
    assert_eq!((turns[2].message.as_deref(), time(turns[0])), (Some("m4"), "2024-07-01T08:00:01.5Z".into()));
    assert_eq!(got.skipped(), [TEXTLESS]);
}

#[test]
fn mem0_gives_facts_and_no_user() {
    let got = whole(Format::Mem0, fixture!("mem0.json"));
    assert_eq!(got.facts(), ["Is allergic to peanuts", "Plays the cello"]);
    let Content::Fact(fact) = &got.records[0].content else { panic!("a fact") };
    assert_eq!((fact.kind, fact.id.as_deref(), fact.updated), (Kind::Fact, Some("7d1c"), None));
    assert_eq!(fact.created.unwrap().to_string(), "2024-07-20T08:30:36.275141Z");
    let bare = get(Format::Mem0, br#"[{"memory": "Likes tea"}, {"text": 1}, {"memory": "Likes cake"}]"#);
    assert_eq!(bare.facts(), ["Likes tea", "Likes cake"]);
    assert_eq!(bare.broken, ["memory 2: it has no `memory`"]);
    assert!(stopped(Format::Mem0, b"{\"a\": 1}").contains("other keys"));
}

#[test]
fn the_mcp_server_gives_a_fact_an_observation_or_relation() {
    let got = whole(Format::McpMemory, fixture!("mcp-memory.jsonl"));
    assert_eq!(
        got.facts(),
        [
            "Alice Smith (person): works at Acme",
            "Alice Smith speaks Basque",
            "Acme (software company): has its office in Bilbao",
            "Bilbao: is rainy",
            "Alice Smith works at Acme"
        ]
    );
    assert_eq!(got.skipped(), ["entities without observations"]);
}

#[test]
fn locomo_gives_turns_in_the_order_of_sessions() {
    let got = whole(Format::Locomo, fixture!("locomo.json"));
    let ids: Vec<_> = got.turns().iter().filter_map(|turn| turn.message.as_deref()).collect();
    assert_eq!(ids, ["D1:1", "D1:2", "D2:1", "D10:1"]);
    let turn = got.turns()[1];
    assert_eq!(turn.text, "Look at my garden! [a photo of a garden with tomatoes]");
    assert_eq!((turn.speaker.as_deref(), turn.role), (Some("Tom"), Role::User));
    assert_eq!((turn.session.as_deref(), turn.position), (Some("session_1"), Some(1)));
    assert_eq!(time(turn), "2023-05-08T13:56:00Z");
}

#[test]
fn the_samples_of_a_locomo_list_stay_apart() {
    let got = whole(Format::Locomo, fixture!("locomo-list.json"));
    let sessions: Vec<_> = got.turns().iter().filter_map(|turn| turn.session.as_deref()).collect();
    assert_eq!(sessions, ["conv-1/session_1", "2/session_1"]);
}

#[test]
fn beam_gives_messages() {
    let got = whole(Format::Beam, fixture!("beam.json"));
    let turns: Vec<_> = got.turns().iter().map(|turn| (turn.message.as_deref(), turn.position)).collect();
    assert_eq!(turns, [(Some("0"), Some(0)), (Some("1"), Some(1)), (Some("2"), Some(0))]);
    assert_eq!(time(got.turns()[2]), "2024-04-02T00:00:00Z");
}

#[test]
fn a_broken_conversation_costs_only_itself() {
    let file = br#"[{"chat_messages": [{"sender": "human", "text": "one"}]},
        {"chat_messages": [{"sender": "human", "text": "\ud800"}]},
        {"chat_messages": [NaN}},
        {"chat_messages": [{"sender": "human", "text": "four"}, {"sender": "robot", "text": ""}]}]"#;
    let got = get(Format::Claude, file);
    assert_eq!(got.turns().iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>(), ["one", "four"]);
    assert_eq!(got.broken.len(), 3, "{got:?}");
    assert!(got.broken[2].starts_with("conversation 4: its message 2: `sender`"), "{:?}", got.broken);
}

#[test]
fn a_cut_off_array_tells_where_and_what_came_before_is_read() {
    let got =
        get(Format::Claude, b"[{\"chat_messages\": [{\"sender\": \"human\", \"text\": \"one\"}]},\n {\"chat_mess");
    assert_eq!(got.turns().len(), 1);
    let error = got.stopped.unwrap().to_string();
    assert!(error.starts_with("line 2, column 13: the file ends in the middle"), "{error}");
}

#[test]
fn files_that_are_nothing_of_the_kind_are_refused() {
    for format in Format::ALL {
        for empty in [&b""[..], b" \r\n\t", b"\xef\xbb\xbf"] {
            assert!(matches!(Input::new(empty), Err(ImportError::Empty)));
        }
        assert!(stopped(format, b"Dear diary,\nnothing.").contains(format.describe()));
        assert!(stopped(format, &[7, 0, 1, 2, 200]).contains("binary data"));
        assert!(stopped(format, b"PK\x03\x04rest").contains("zip archive"));
        assert!(stopped(format, b"\xff\xfe{\0}\0").contains("UTF-16"));
        if format.is_lines() {
            assert!(stopped(format, b"[{}]").contains("one JSON array"));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let error = Input::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("is a folder"), "{error}");
    let error = Input::open(folder.path().join("gone.json")).unwrap_err().to_string();
    assert!(error.contains("gone.json cannot be opened"), "{error}");
}

#[test]
fn a_packed_file_that_is_cut_off_says_so() {
    let line = "{\"role\":\"user\",\"content\":\"hello there\"}\n";
    let packed = gzip(line.repeat(20_000).as_bytes());
    let got = get(Format::Transcript, &packed[..packed.len() - 30]);
    assert!(matches!(got.stopped, Some(ImportError::Gzip(_))), "{:?}", got.stopped);
    assert!(!got.turns().is_empty());
    assert!(matches!(Input::new(&packed[..15]), Err(ImportError::Gzip(_))));
}

#[test]
fn progress_counts_what_was_read() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), gzip(fixture!("transcript.jsonl"))).unwrap();
    let input = Input::open(file.path()).unwrap();
    let (size, progress) = (input.size().unwrap(), input.progress());
    assert_eq!(read(input.detect().unwrap(), input).count(), 6);
    assert_eq!(progress.bytes(), size);
}

#[test]
fn format_names_go_both_ways() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
    }
    let error = "excel".parse::<Format>().unwrap_err().to_string();
    assert!(Format::ALL.iter().all(|format| error.contains(format.as_str())), "{error}");
}

/// Bytes that matter to the readers, and any others.
fn snippet() -> impl Strategy<Value = Vec<u8>> {
    let telling = prop::sample::select(vec![
        &b"{"[..],
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\"",
        b"\\",
        b"\n",
        b"\r\n",
        b"null",
        b"\\ud800",
        b"1e999",
        b"-1",
        b"NaN",
        b"{}",
        b"[]",
        b"\"\"",
        b"\"role\":",
        b"\"mapping\":{",
        b"\"results\":[",
        b"\xff",
        b"\0",
        b"\xef\xbb\xbf",
        b"99999999999999999999",
        b"\"parent\":\"root\"",
        b"session_4294967296",
        b"\x1f\x8b\x08\0",
    ]);
    prop_oneof![telling.prop_map(<[u8]>::to_vec), prop::collection::vec(any::<u8>(), 0..8)]
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(snippets in prop::collection::vec(snippet(), 0..60)) {
        let bytes = snippets.concat();
        let _ = detect(&bytes, Some("memory.json"));
        for format in Format::ALL {
            get(format, &bytes);
        }
    }

    #[test]
    fn mutated_files_never_panic(
        which in 0..FIXTURES.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, snippet()), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
        packed in any::<bool>(),
    ) {
        let (format, bytes) = FIXTURES[which];
        let mut bytes = bytes.to_vec();
        for (at, removed, inserted) in edits {
            let at = at.index(bytes.len() + 1);
            let end = (at + removed).min(bytes.len());
            bytes.splice(at..end, inserted);
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        get(format, if packed { gzip(&bytes) } else { bytes }.as_slice());
    }

    #[test]
    fn small_reads_give_the_same(which in 0..FIXTURES.len(), step in 1usize..50) {
        struct Slow<'a>(Cursor<&'a [u8]>, usize);
        impl std::io::Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let end = buffer.len().min(self.1);
                self.0.read(&mut buffer[..end])
            }
        }
        let (format, bytes) = FIXTURES[which];
        let slow = read(format, Input::new(Slow(Cursor::new(bytes), step)).unwrap());
        let records: Vec<Record> = slow.map(|record| record.unwrap()).collect();
        prop_assert_eq!(records, whole(format, bytes).records);
    }
}
