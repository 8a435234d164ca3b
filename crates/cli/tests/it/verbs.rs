//! Every verb does what its help says.

use crate::kit::{Home, json, path, program, said, transcript};

#[test]
fn memory_is_off_until_consent() {
    // OPT-1
    let home = Home::blank();
    let error = home.run(&["remember", "Likes tea"]).fails(3);
    assert!(error.contains("consent on"), "{error}");
    assert!(home.run(&["recall", "tea"]).fails(3).contains("consent on"));
    home.run(&["consent", "on"]).ok();
    home.run(&["remember", "Likes tea"]).ok();
    assert!(home.run(&["recall", "tea"]).ok().contains("Likes tea"));
    home.run(&["consent", "pause"]).ok();
    assert!(home.run(&["recall", "tea"]).ok().contains("Likes tea"));
    home.run(&["remember", "Likes rain"]).fails(3);
    home.run(&["consent", "off"]).ok();
    home.run(&["recall", "tea"]).fails(3);
    assert!(home.run(&["memories"]).ok().contains("Likes tea"));
}

#[test]
fn remembering_twice_is_said_to_be_unchanged() {
    // MEM-7, MEM-10
    let home = Home::new();
    let id = home.remember("Likes tea");
    let again = json(&home.run(&["remember", "--json", "likes  TEA"]).ok());
    assert_eq!((again["outcome"].as_str(), again["id"].as_str()), (Some("unchanged"), Some(id.as_str())));
    let long = home.run(&["remember", &"x".repeat(301)]).fails(3);
    assert!(long.contains("301") && long.contains("300"), "{long}");
}

#[test]
fn a_slot_changes_and_its_past_can_be_asked_for() {
    // MEM-6, Must show 8
    let home = Home::new();
    home.run(&["remember", "Works at Acme", "--slot", "employer", "--said", "2023-01-01"]).ok();
    home.run(&["remember", "Works at Globex", "--slot", "employer", "--said", "2024-01-01"]).ok();
    let now = home.run(&["recall", "where does she work?"]).ok();
    assert!(now.contains("Globex") && now.contains("current") && !now.contains("Acme"), "{now}");
    let then = home.run(&["recall", "where does she work?", "--as-of", "2023-06-01"]).ok();
    assert!(then.contains("Acme") && !then.contains("Globex"), "{then}");
    let id = json(&home.run(&["memories", "--json"]).ok())["id"].as_str().unwrap().to_owned();
    let history = home.run(&["history", &id]).ok();
    assert!(history.contains("Acme") && history.contains("Globex"), "{history}");
}

#[test]
fn recall_explains_itself() {
    // REC-8
    let home = Home::new();
    home.remember("Is allergic to peanuts");
    let out = home.run(&["recall", "peanuts", "--explain"]).ok();
    for word in ["score", "relevance", "recency", "importance", "left out"] {
        assert!(out.contains(word), "{word} is missing in:\n{out}");
    }
    let block = home.run(&["recall", "peanuts", "--block"]).ok();
    assert!(block.contains("<recalled-memories>") && block.contains("peanuts"));
}

#[test]
fn edit_pin_forget() {
    // MEM-11
    let home = Home::new();
    let id = home.remember("Plays the violin");
    home.run(&["edit", &id, "--text", "Plays the cello"]).ok();
    assert!(home.run(&["recall", "instrument cello"]).ok().contains("cello"));
    assert!(home.run(&["pin", &id]).ok().contains("pinned"));
    assert!(home.run(&["memories"]).ok().contains("pinned"));
    home.run(&["pin", &id, "--remove"]).ok();
    let proposed = home.run(&["forget", "--query", "cello"]).ok();
    assert!(proposed.contains(&id) && proposed.contains("nothing was forgotten"));
    assert_eq!(home.texts(), ["Plays the cello"]);
    home.run(&["forget", &id]).ok();
    assert!(home.texts().is_empty());
    home.run(&["forget", &id]).fails(4);
    home.run(&["edit", &id, "--text", "x"]).fails(4);
    home.run(&["history", &id]).fails(4);
    home.run(&["edit", &id]).fails(2);
}

#[test]
fn forget_me_asks_and_then_leaves_nothing() {
    // ERA-2
    let home = Home::new();
    home.remember("Likes tea");
    let unasked = home.run(&["forget-me"]).fails(2);
    assert!(unasked.contains("--yes"), "{unasked}");
    assert_eq!(home.texts().len(), 1);
    let receipt = json(&home.run(&["forget-me", "--yes", "--json"]).ok());
    assert_eq!((receipt["memories"]["fact"].as_u64(), receipt["key_destroyed"].as_bool()), (Some(1), Some(true)));
    assert!(home.texts().is_empty());
    home.run(&["recall", "tea"]).fails(3);
}

#[test]
fn an_import_twice_changes_nothing_and_an_export_comes_back() {
    // ERA-7
    let home = Home::new();
    let file = home.file("talk.jsonl", transcript((0..30).map(|n| format!("We talked about subject number {n}"))));
    let first = json(&home.run(&["import", path(&file), "--json"]).ok());
    assert_eq!(first["stored"].as_u64(), Some(30), "{first}");
    let second = json(&home.run(&["import", path(&file), "--json"]).ok());
    assert_eq!((second["stored"].as_u64(), second["unchanged"].as_u64()), (Some(0), Some(30)), "{second}");
    home.remember("Likes tea");
    let export = home.dir.path().join("mine.jsonl");
    home.run(&["export", path(&export)]).ok();
    assert!(home.run(&["export", path(&export)]).fails(1).contains("exist"));
    let elsewhere = Home::new();
    elsewhere.run(&["import", path(&export)]).ok();
    assert_eq!(elsewhere.texts(), home.texts());
}

#[test]
fn a_broken_line_is_reported_by_its_number_and_strict_imports_nothing() {
    let home = Home::new();
    let mut lines = transcript((0..5).map(|n| format!("Message {n}")));
    lines.insert_str(lines.find('\n').unwrap() + 1, "{\"id\": \"broken\", \"role\": \"user\"\n");
    let file = home.file("talk.jsonl", lines);
    let strict = home.run(&["import", path(&file), "--strict"]).fails(1);
    assert!(strict.contains("line 2"), "{strict}");
    assert!(home.texts().is_empty());
    let lenient = home.run(&["import", path(&file)]);
    assert_eq!(lenient.code, 0);
    assert!(lenient.err.contains("line 2"), "{}", lenient.err);
    assert_eq!(home.texts().len(), 5);
}

#[test]
fn stats_doctor_completions_and_help() {
    // OPS-2
    let home = Home::new();
    home.remember("Likes tea");
    let stats = home.run(&["stats"]).ok();
    assert!(stats.contains("1 memory") && stats.contains("fact") && stats.contains('█'), "{stats}");
    let doctor = home.run(&["doctor"]).ok();
    assert!(doctor.contains("all is well"), "{doctor}");
    for shell in ["bash", "zsh", "fish"] {
        assert!(home.run(&["completions", shell]).ok().contains("myosotis"));
    }
    let help = said(program().arg("--help").output().unwrap()).ok();
    for verb in [
        "remember",
        "recall",
        "memories",
        "history",
        "edit",
        "pin",
        "forget",
        "forget-me",
        "import",
        "export",
        "stats",
        "doctor",
        "config",
        "completions",
        "consent",
    ] {
        assert!(help.contains(verb), "{verb}");
    }
    assert!(help.contains("Examples:"));
}

#[test]
fn a_user_is_needed_and_any_id_can_become_one() {
    // ID-2, ID-7
    let home = Home::new();
    let nobody = said(home.command(&["memories"]).env_remove("MYOSOTIS_USER").output().unwrap()).fails(2);
    assert!(nobody.contains("--user"), "{nobody}");
    for empty in ["", "  "] {
        home.run(&["memories", "--user", empty]).fails(2);
        said(home.command(&["memories"]).env("MYOSOTIS_USER", empty).output().unwrap()).fails(2);
    }
    let external = |args: &[&str]| said(home.command(args).env_remove("MYOSOTIS_USER").output().unwrap());
    external(&["--external-user", "auth0|alice", "consent", "on"]).ok();
    external(&["--external-user", "auth0|alice", "remember", "Likes tea"]).ok();
    assert!(external(&["--external-user", "auth0|alice", "memories"]).ok().contains("Likes tea"));
    assert!(!external(&["--external-user", "auth0|Alice", "memories"]).ok().contains("Likes tea"));
    assert!(!home.run(&["memories"]).ok().contains("Likes tea"));
}
