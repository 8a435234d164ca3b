"""Checks ordinary.json: counts, ids, evidence, dates, lengths, Unicode form. `python3 check.py`."""

import collections
import datetime
import json
import pathlib
import unicodedata

LANGUAGES = ["en", "de", "es", "ja", "zh"]
KINDS = {"fact", "preference", "decision", "event"}
TYPES = {"exact", "paraphrase", "name", "date", "two", "cross"}
FIELDS = {
    "facts": {"id", "language", "kind", "slot", "text", "said"},
    "questions": {"id", "language", "question", "evidence", "type"},
    "none": {"id", "language", "question"},
}
# A Chinese or Japanese sentence says in 12 characters what the others say in 20.
SHORTEST = {"ja": 12, "zh": 12}


def check(raw):
    assert unicodedata.is_normalized("NFC", raw), "the file is not in Unicode form C"
    data = json.loads(raw)
    for part, each in (("facts", 40), ("questions", 20), ("none", 4)):
        counts = collections.Counter(row["language"] for row in data[part])
        assert counts == dict.fromkeys(LANGUAGES, each), (part, counts)
        for row in data[part]:
            assert set(row) | {"slot"} == FIELDS[part] | {"slot"}, row

    ids = [row["id"] for part in FIELDS for row in data[part]]
    assert len(ids) == len(set(ids)), "an id is used twice"
    texts = [row.get("text") or row["question"] for part in FIELDS for row in data[part]]
    assert len(texts) == len(set(texts)), "a text is used twice"
    assert all(text == " ".join(text.split()) for text in texts), "stray white space"

    facts = {fact["id"]: fact for fact in data["facts"]}
    for fact in facts.values():
        assert fact["kind"] in KINDS and fact["id"].startswith(fact["language"]), fact
        assert SHORTEST.get(fact["language"], 20) <= len(fact["text"]) <= 140, fact
        assert 2023 <= datetime.date.fromisoformat(fact["said"]).year <= 2024, fact
    for question in data["questions"]:
        evidence = question["evidence"]
        assert question["type"] in TYPES and set(evidence) <= set(facts), question
        assert len(evidence) == (2 if question["type"] == "two" else 1), question
        assert all(facts[one]["language"] == question["language"] for one in evidence), question
        assert question["type"] != "cross" or question["language"] != "en", question
    return data


if __name__ == "__main__":
    data = check((pathlib.Path(__file__).parent / "ordinary.json").read_text(encoding="utf-8"))
    types = collections.Counter(question["type"] for question in data["questions"])
    print(", ".join(f"{len(data[part])} {part}" for part in FIELDS), dict(types))
