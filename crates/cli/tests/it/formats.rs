//! The batch formats, which are a promise (docs/formats.md).

use crate::kit::{Home, json, path, transcript};

#[test]
fn a_line_in_a_line_out_in_order() {
    let home = Home::new();
    let talk = transcript(["Nora moved to Lisbon".to_owned(), "Felix plays the cello".to_owned()]);
    home.run(&["import", path(&home.file("talk.jsonl", talk))]).ok();
    let questions = home.file(
        "questions.jsonl",
        "{\"id\": \"q1\", \"query\": \"who plays the cello?\", \"k\": 1}\n\n{\"id\": 2, \"query\": \"Lisbon\", \"at\": \"2024-05-01\"}\n{\"id\": \"q3\", \"query\": \"Lisbon\", \"workspace\": \"elsewhere\"}\n",
    );
    let out = home.run(&["recall", "--queries", path(&questions)]).ok();
    let answers: Vec<_> = out.lines().map(json).collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["id"], "q1");
    assert_eq!(answers[0]["items"].as_array().unwrap().len(), 1);
    let item = &answers[0]["items"][0];
    assert_eq!(
        (&item["source_id"], &item["text"], &item["kind"]),
        (&json("\"m1\""), &json("\"Felix plays the cello\""), &json("\"message\""))
    );
    assert!(item["score"].is_number() && item["id"].is_string() && item.get("terms").is_none());
    assert_eq!(answers[0]["left_out"], 0);
    assert!(answers[0].get("degraded").is_none());
    assert_eq!((&answers[1]["id"], &answers[1]["items"][0]["source_id"]), (&json("2"), &json("\"m0\"")));
    assert_eq!(answers[2]["items"].as_array().unwrap().len(), 0);
    let piped = home.run_with_input(&["recall", "--queries", "-", "--explain"], b"{\"id\":\"q\",\"query\":\"cello\"}");
    let answer = json(&piped.ok());
    assert!(answer["items"][0]["terms"].is_object() && answer["left_out_why"].is_object());
}

#[test]
fn a_line_that_cannot_be_answered_says_why_and_the_rest_goes_on() {
    // ID-4 among them: a question never names a user.
    let home = Home::new();
    home.remember("Likes tea");
    let lines = [
        r#"{"id": "ok", "query": "tea"}"#,
        r#"{"id": "k0", "query": "tea", "k": 0}"#,
        r#"{"id": "k9", "query": "tea", "k": 1000000000}"#,
        r#"{"id": "neg", "query": "tea", "k": -1}"#,
        r#"{"id": "bob", "query": "tea", "user_id": "bob"}"#,
        r#"{"id": "words", "query": "tea", "k": "5"}"#,
        r#"["q", "tea", 2, null, null]"#,
        r#"{"id": "when", "query": "tea", "at": "soon"}"#,
        r#"{"id": "place", "query": "tea", "workspace": "{actorId}"}"#,
        r#"{"id": "surrogate", "query": "\ud800"}"#,
        "not json",
        r#"{"id": "last", "query": "tea"}"#,
    ];
    let said = home.run_with_input(&["recall", "--queries", "-"], lines.join("\n").as_bytes());
    assert_eq!(said.code, 1, "{}", said.err);
    let answers: Vec<_> = said.out.lines().map(json).collect();
    assert_eq!(answers.len(), lines.len());
    for (at, id) in [(3, "neg"), (4, "bob"), (5, "words")] {
        assert_eq!(answers[at]["id"], id, "an id that can be read is given back");
    }
    for (at, answer) in answers.iter().enumerate() {
        let fine = at == 0 || at + 1 == lines.len();
        assert_eq!(answer.get("error").is_none(), fine, "{answer}");
        assert_eq!(answer["items"].as_array().unwrap().len(), usize::from(fine), "{answer}");
    }
}
