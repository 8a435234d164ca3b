//! Must show 10: bad input gives a clear error with what to do, and loses nothing.

use crate::kit::{Home, path, said, transcript};

#[test]
fn hostile_ids_are_refused_before_anything_is_opened() {
    // ID-1
    let home = Home::new();
    home.remember("Likes tea");
    let mut hostile: Vec<String> = [
        "",
        " ",
        ".",
        "..",
        "../alice",
        "alice/..",
        "alice\n",
        "alice ",
        "-alice",
        "%",
        "a%",
        "*",
        "alice;--",
        "' OR 1=1",
        "${HOME}",
        "{actorId}",
        "аlice",
        "alice\u{200b}",
        "ＡＬＩＣＥ",
        "🙂",
    ]
    .iter()
    .map(ToString::to_string)
    .collect();
    hostile.push("x".repeat(65));
    hostile.extend((1u8..0x2d).chain(0x3a..0x41).chain(0x5b..0x5f).map(|byte| format!("a{}b", char::from(byte))));
    for id in &hostile {
        let error = home.run(&[&format!("--user={id}"), "memories"]).fails(2);
        assert!(error.contains("user"), "{id:?}: {error}");
    }
    assert_eq!(home.texts(), ["Likes tea"]);
}

#[test]
fn memory_ids_that_are_none_are_refused() {
    let home = Home::new();
    for id in ["", "1", "0197", "not-a-uuid", "%", "../../etc/passwd", "0197c4b1-0000-7000-8000-00000000000g"] {
        home.run(&["forget", "--", id]).fails(2);
        home.run(&["history", "--", id]).fails(2);
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    let home = Home::new();
    for k in ["0", "51", "1000000000", "-1", "NaN", "1e9"] {
        home.run(&["recall", "tea", "-k", k]).fails(2);
    }
    // An importance that is no number counts as the default (MEM-3).
    home.run(&["remember", "Likes tea", "--importance", "NaN"]).ok();
    home.run(&["remember", "Likes rain", "--importance=-5"]).ok();
}

#[test]
fn texts_of_every_size() {
    let home = Home::new();
    home.run(&["remember", ""]).fails(3);
    let huge = "x".repeat(10_000_000);
    let error = home.run_with_input(&["remember", "-"], huge.as_bytes()).fails(3);
    assert!(error.contains("10000000") && error.contains("300"), "{error}");
    let invalid = home.run_with_input(&["remember", "-"], b"caf\xe9").fails(2);
    assert!(invalid.contains("UTF-8"), "{invalid}");
    home.run_with_input(&["remember", "-"], b"likes\0tea").ok();
    assert_eq!(home.texts(), ["likestea"]);
    let question = "tea ".repeat(30_000);
    home.run_with_input(&["recall", "--queries", "-"], format!("{{\"id\":1,\"query\":\"{question}\"}}").as_bytes())
        .ok();
}

#[test]
fn files_with_anything_in_them_lose_nothing() {
    let home = Home::new();
    let mut bytes = transcript(["First".to_owned()]).into_bytes();
    bytes.extend_from_slice(b"{\"id\":\"x\",\"role\":\"user\",\"content\":\"caf\xe9\"}\n");
    bytes.extend_from_slice(b"{\"id\":\"y\",\"role\":\"user\",\"content\":\"\\ud800\"}\n");
    bytes.extend_from_slice(b"\0\0\0\n[1,2,3]\nnull\n");
    bytes.extend_from_slice(b"{\"id\":\"z\",\"role\":\"user\",\"content\":\"Last\"}");
    let file = home.file("talk.jsonl", bytes);
    let said = home.run(&["import", path(&file), "--format", "transcript"]);
    assert_eq!(said.code, 0, "{}", said.err);
    for line in 2..=6 {
        assert!(said.err.contains(&format!("line {line}")), "{}", said.err);
    }
    assert_eq!(home.texts(), ["First", "Last"]);
    for (name, content) in [("empty", ""), ("words", "hello"), ("other.json", "{\"a\": 1}")] {
        let file = home.file(name, content);
        let error = home.run(&["import", path(&file)]).fails(1);
        assert!(
            error.contains("name its format") || error.contains("empty") || error.contains("nothing"),
            "{name}: {error}"
        );
    }
    home.run(&["import", "no-such-file"]).fails(1);
    home.run(&["import", path(home.dir.path())]).fails(1);
}

#[test]
fn a_store_that_is_none_is_not_touched() {
    // OPS-5
    let home = Home::new();
    home.remember("Likes tea");
    let db = home.data().join("myosotis.db");
    let good = std::fs::read(&db).unwrap();

    std::fs::write(&db, &good[..good.len() / 2]).unwrap();
    let error = home.run(&["memories"]).fails(1);
    assert!(error.contains("damaged") || error.contains("backup"), "{error}");

    std::fs::write(&db, "this is a diary, not a database").unwrap();
    let error = home.run(&["memories"]).fails(1);
    assert!(error.contains("backup"), "{error}");
    assert_eq!(std::fs::read(&db).unwrap(), b"this is a diary, not a database");

    // A newer schema version: bytes 60..64 of the header are the user version.
    let mut newer = good.clone();
    newer[60..64].copy_from_slice(&9_999u32.to_be_bytes());
    std::fs::write(&db, &newer).unwrap();
    let error = home.run(&["memories"]).fails(1);
    assert!(error.contains("9999") && error.contains("upgrade"), "{error}");

    std::fs::write(&db, &good).unwrap();
    assert_eq!(home.texts(), ["Likes tea"]);
}

#[test]
fn a_data_folder_that_cannot_be_is_explained() {
    let home = Home::blank();
    let file = home.file("a-file", "");
    let error =
        said(home.command(&["consent", "on"]).env("MYOSOTIS_DATA_DIR", file.join("below")).output().unwrap()).fails(1);
    assert!(error.contains("a-file"), "{error}");
    said(home.command(&["consent", "on"]).env("MYOSOTIS_DATA_DIR", "/dev/full/x").output().unwrap()).fails(1);
}

#[test]
fn a_lost_or_wrong_master_key_is_explained() {
    // OPS-3
    let home = Home::new();
    home.remember("Likes tea");
    let key = home.data().join("master.key");
    let good = std::fs::read(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    let error = home.run(&["memories"]).fails(1);
    assert!(error.contains("master.key") && error.contains("MYOSOTIS_MASTER_KEY_FILE"), "{error}");
    std::fs::write(&key, "00".repeat(32)).unwrap();
    home.run(&["memories"]).fails(1);
    std::fs::write(&key, good).unwrap();
    assert_eq!(home.texts(), ["Likes tea"]);
}

#[test]
fn an_unknown_variable_is_an_error_with_a_suggestion() {
    // OPS-1: a mistyped veto must not pass for a yes.
    let home = Home::new();
    let error = said(home.command(&["recall", "tea"]).env("MYOSOTIS_ENABELD", "0").output().unwrap()).fails(2);
    assert!(error.contains("MYOSOTIS_ENABELD") && error.contains("enabled"), "{error}");
    let error = said(home.command(&["recall", "tea"]).env("MYOSOTIS_ENABLED", "banana").output().unwrap()).fails(2);
    assert!(error.contains("on or off"), "{error}");
}

#[test]
fn doctor_reports_also_when_the_store_does_not_open() {
    // OPS-2
    let home = Home::new();
    std::fs::write(home.data().join("myosotis.db"), "not a database").unwrap();
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.code, 1);
    assert!(doctor.out.contains('✗') && doctor.out.contains("backup"), "{}", doctor.out);
}
