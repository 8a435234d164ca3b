//! OPS-1: file, environment, flags; every value knows where it came from.

use crate::kit::{Home, json, path, said};

#[test]
fn flags_beat_variables_beat_the_file() {
    let home = Home::blank();
    let file = home.file("config.toml", "user = \"carol\"\nk = 7\nnamespace = \"notes\"\nmax_items = 100\n");
    let shown = said(
        home.command(&["config", "show", "--json", "--config", path(&file), "--namespace", "diary"])
            .env("MYOSOTIS_MAX_ITEMS", "50")
            .output()
            .unwrap(),
    );
    let shown = json(&shown.ok());
    let setting = |name: &str| {
        (shown[name]["value"].as_str().unwrap().to_owned(), shown[name]["from"].as_str().unwrap().to_owned())
    };
    assert_eq!(setting("user"), ("alice".into(), "variable MYOSOTIS_USER".into()));
    assert_eq!(setting("namespace"), ("diary".into(), "flag --namespace".into()));
    assert_eq!(setting("max_items"), ("50".into(), "variable MYOSOTIS_MAX_ITEMS".into()));
    assert!(setting("k").1.starts_with("file ") && setting("k").0 == "7");
    assert_eq!(setting("cache_mib"), ("256".into(), "default".into()));
}

#[test]
fn an_unknown_key_is_an_error_with_a_suggestion() {
    let home = Home::blank();
    let file = home.file("config.toml", "max_item = 100\n");
    let error = home.run(&["config", "show", "--config", path(&file)]).fails(2);
    assert!(error.contains("max_item") && error.contains("max_items"), "{error}");
}

#[test]
fn a_bad_value_names_its_key_its_place_and_the_limit() {
    let home = Home::blank();
    for (key, value, hint) in [
        ("MYOSOTIS_K", "0", "1 to 50"),
        ("MYOSOTIS_MAX_ITEMS", "-1", "whole number"),
        ("MYOSOTIS_WEIGHT_RECENCY", "NaN", "0 to 1"),
        ("MYOSOTIS_TIME_ZONE", "Mars/Olympus", "Europe/Berlin"),
        ("MYOSOTIS_EMBEDDER", "gpt", "built-in or none"),
        ("MYOSOTIS_NAMESPACE", "{actorId}", "placeholder"),
        ("MYOSOTIS_USER", "alice\n", "user id"),
    ] {
        let error = said(home.command(&["config", "show"]).env(key, value).output().unwrap()).fails(2);
        assert!(error.contains(key) && error.contains(hint), "{key}: {error}");
    }
}

#[test]
fn the_veto_of_the_environment_holds() {
    // OPT-1
    let home = Home::new();
    for veto in ["0", "False", "no", "OFF"] {
        said(home.command(&["remember", "Likes tea"]).env("MYOSOTIS_ENABLED", veto).output().unwrap()).fails(3);
    }
    let other = Home::blank();
    said(other.command(&["remember", "Likes tea"]).env("MYOSOTIS_ENABLED", "YES").output().unwrap()).ok();
}
