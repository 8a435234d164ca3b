//! ID: no way from one user to another, whatever the ids look like.

use myosotis::{Edit, Error, Kind, ListRequest, MemoryId, RecallRequest, Remember, Scope, UserId, Workspace};
use proptest::prelude::*;

use crate::kit::{engine, store, texts, user};

#[test]
fn ids_are_checked_as_a_whole() {
    // ID-1, ID-7
    for bad in [
        "",
        " ",
        "\t",
        "alice\n",
        "\nalice",
        "alice ",
        "al ice",
        "alicé",
        "аlice",
        "alice\0",
        "-alice",
        "_alice",
        ".",
        "..",
        "../bob",
        "alice/bob",
        "alice\\bob",
        "alice%",
        "%",
        "a*",
        "{actorId}",
        "alice;drop",
        "'",
        "\"",
        "🙂",
        "\u{200b}",
        "\u{feff}alice",
        "alice\u{202e}",
        "auth0|abc",
        "a@b.c",
    ] {
        let error = UserId::new(bad).unwrap_err();
        assert!(error.to_string().contains("user id"), "{bad:?}: {error}");
    }
    assert!(UserId::new("x".repeat(64)).is_ok());
    assert!(UserId::new("x".repeat(65)).is_err());
    assert!(serde_json::from_str::<UserId>("\"alice\\n\"").is_err());
}

#[test]
fn look_alike_users_stay_apart() {
    // ID-3, case 15
    let engine = engine();
    let pairs = [("alice", "Alice"), ("acme", "acme-corp"), ("john_doe", "john-doe"), ("a_b_c", "a_b-c"), ("1", "01")];
    for (one, other) in pairs {
        let (one, other) = (user(&engine, one), user(&engine, other));
        let tea = store(&one, "Likes tea");
        assert!(texts(&other, "tea").is_empty());
        assert!(matches!(other.get(tea), Err(Error::NotFound(_))));
        assert!(other.list(&ListRequest::default()).unwrap().is_empty());
        other.forget_me().unwrap();
        assert_eq!(texts(&one, "tea"), ["Likes tea"]);
    }
}

#[test]
fn a_foreign_id_answers_like_one_that_does_not_exist() {
    // ID-5, case 16
    let engine = engine();
    let (alice, bob) = (user(&engine, "alice"), user(&engine, "bob"));
    store(&bob, "Plays chess");
    let hers = store(&alice, "Likes tea");
    let nobodys: MemoryId = "0197c4b1-0000-7000-8000-000000000000".parse().unwrap();
    let edit = Edit { text: Some("Likes coffee".into()), ..Edit::default() };
    type Verb<'a> = (&'a str, Box<dyn Fn(MemoryId) -> Result<(), Error> + 'a>);
    let verbs: [Verb<'_>; 5] = [
        ("get", Box::new(|id| bob.get(id).map(|_| ()))),
        ("history", Box::new(|id| bob.history(id).map(|_| ()))),
        ("edit", Box::new(|id| bob.edit(id, &edit).map(|_| ()))),
        ("pin", Box::new(|id| bob.pin(id, true).map(|_| ()))),
        ("forget", Box::new(|id| bob.forget(id).map(|_| ()))),
    ];
    for (verb, call) in verbs {
        let foreign = call(hers).unwrap_err().to_string().replace(&hers.to_string(), "ID");
        let absent = call(nobodys).unwrap_err().to_string().replace(&nobodys.to_string(), "ID");
        assert_eq!(foreign, absent, "{verb}");
    }
    assert_eq!(alice.get(hers).unwrap().text, "Likes tea");
}

#[test]
fn a_thousand_better_matches_of_bobs_displace_nothing_of_alices() {
    // ID-6, case 18
    let engine = engine();
    let (alice, bob) = (user(&engine, "alice"), user(&engine, "bob"));
    for text in ["The tea is in the kitchen", "Tea is at five", "Green tea, please"] {
        store(&alice, text);
    }
    let flood = (0..1000).map(|n| Remember::new(format!("tea tea tea number {n}")).kind(Kind::Message));
    bob.remember_all(flood.collect()).unwrap();
    assert_eq!(alice.recall(&RecallRequest::new("tea").k(3).unwrap()).unwrap().items.len(), 3);
}

#[test]
fn workspaces_and_namespaces_are_apart_and_inherit_only_when_asked() {
    // REC-11, ID-3
    let engine = engine();
    let alice = user(&engine, "alice");
    let trip = Scope { workspace: Some(Workspace::new("trip").unwrap()), ..Scope::default() };
    alice.remember(Remember::new("The hotel is called Aurora").scope(trip.clone())).unwrap();
    store(&alice, "Is afraid of flying, prefers a hotel near the station");
    let hotel = RecallRequest::new("which hotel?");
    let here = |request: &RecallRequest| alice.recall(request).unwrap().items.len();
    assert_eq!(here(&hotel), 1);
    assert_eq!(here(&hotel.clone().scope(trip.clone())), 1);
    assert_eq!(here(&hotel.clone().scope(trip).inherit(true)), 2);
}

#[test]
fn an_unresolved_placeholder_is_an_error() {
    // case 35
    assert!(Workspace::new("{actorId}").unwrap_err().to_string().contains("placeholder"));
}

proptest! {
    #[test]
    fn no_two_scopes_share_an_encoding(
        a in ("\\PC{1,12}", proptest::option::of("\\PC{1,12}")),
        b in ("\\PC{1,12}", proptest::option::of("\\PC{1,12}")),
    ) {
        // ID-3
        let scope = |(namespace, workspace): &(String, Option<String>)| {
            let namespace = myosotis::Namespace::new(namespace.clone()).ok()?;
            let workspace = match workspace { Some(name) => Some(Workspace::new(name.clone()).ok()?), None => None };
            Some(Scope { namespace, workspace })
        };
        if let (Some(a), Some(b)) = (scope(&a), scope(&b)) {
            prop_assert_eq!(a == b, a.encode() == b.encode());
        }
    }

    #[test]
    fn external_ids_never_meet(a in "\\PC{1,20}", b in "\\PC{1,20}") {
        // ID-2
        let key = [3; 32];
        if let (Ok(one), Ok(other)) = (UserId::from_external(&key, &a), UserId::from_external(&key, &b)) {
            prop_assert_eq!(a == b, one == other);
            prop_assert!(UserId::new(one.as_str()).is_ok());
        }
    }
}
