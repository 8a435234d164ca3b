//! The knowledge graph of the official MCP memory server: JSON lines of entities and relations.
//!
//! An observation becomes `Alice Smith (person): works at Acme`, a relation
//! `Alice Smith works at Acme`. The name stands in each, for it is what people ask by; these forms stay
//! as they are, because by its words a repeated import finds what is there.

use myosotis_core::Kind;
use serde_json::Value;

use super::error::ImportError;
use super::fields::{self, Object, excerpt};
use super::{Fact, Out, Parser};

/// Reads entities and relations.
#[derive(Debug)]
pub(super) struct McpMemory;

impl Parser for McpMemory {
    fn object(&mut self, line: Object, out: &mut Out) -> Result<(), ImportError> {
        let read = match line.get("type").and_then(Value::as_str) {
            Some("entity") => entity(&line, out),
            Some("relation") => relation(&line).map(|text| out.fact(fact(text))),
            Some(other) => Err(format!("its type is \"{}\"; expected entity or relation", excerpt(other))),
            None => Err("it has no `type` of entity or relation".into()),
        };
        if let Err(reason) = read {
            out.broken(reason);
        }
        Ok(())
    }
}

fn fact(text: String) -> Fact {
    Fact { text, kind: Kind::Fact, id: None, created: None, updated: None }
}

fn entity(line: &Object, out: &mut Out) -> Result<(), String> {
    let name = named(line, "name")?;
    let kind = line.get("entityType").and_then(Value::as_str).map(spaced).filter(|kind| !kind.is_empty());
    let observations = match line.get("observations") {
        Some(Value::Array(observations)) => observations.as_slice(),
        None | Some(Value::Null) => &[],
        Some(_) => return Err("`observations` is not a list".into()),
    };
    if observations.is_empty() {
        out.skip("entities without observations");
    }
    for (observation, number) in observations.iter().zip(1..) {
        match observation.as_str().map(str::trim) {
            None => out.broken(format!("its observation {number} is not text")),
            Some("") => out.skip("empty observations"),
            Some(text) => out.fact(fact(observed(name, kind.as_deref(), text))),
        }
    }
    Ok(())
}

/// An observation with the name of what was observed, unless it begins with that itself.
fn observed(name: &str, kind: Option<&str>, text: &str) -> String {
    let own_name = text.strip_prefix(name).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    match kind {
        _ if own_name => text.to_owned(),
        Some(kind) => format!("{name} ({kind}): {text}"),
        None => format!("{name}: {text}"),
    }
}

fn relation(line: &Object) -> Result<String, String> {
    let (from, to) = (named(line, "from")?, named(line, "to")?);
    Ok(format!("{from} {} {to}", spaced(named(line, "relationType")?)))
}

fn named<'a>(line: &'a Object, key: &str) -> Result<&'a str, String> {
    Some(fields::text(line, key)?.trim()).filter(|name| !name.is_empty()).ok_or_else(|| format!("`{key}` is empty"))
}

/// `works_at` as people write it.
fn spaced(word: &str) -> String {
    word.split(|c: char| c == '_' || c.is_whitespace()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
