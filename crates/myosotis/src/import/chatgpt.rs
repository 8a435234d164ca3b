//! `conversations.json` of a ChatGPT export.
//!
//! A conversation is a tree, because every edited question and regenerated answer is a branch.
//! `current_node` is the leaf the person last saw; the path from it up to the root is what was said.

use std::collections::HashSet;

use myosotis_core::Role;
use serde_json::Value;

use super::error::ImportError;
use super::fields::{self, Object};
use super::{Out, Parser, TEXTLESS, Turn, UNSPOKEN};

/// Reads conversations.
#[derive(Debug)]
pub(super) struct ChatGpt;

impl Parser for ChatGpt {
    fn object(&mut self, conversation: Object, out: &mut Out) -> Result<(), ImportError> {
        if let Err(reason) = read(&conversation, out) {
            out.broken(reason);
        }
        Ok(())
    }
}

fn read(conversation: &Object, out: &mut Out) -> Result<(), String> {
    let Some(Value::Object(mapping)) = conversation.get("mapping") else {
        return Err("it has no `mapping`, so it is no ChatGPT conversation".into());
    };
    let session = session_of(conversation)?;
    let mut position = 0;
    for (id, node) in path(conversation, mapping)? {
        let Some(Value::Object(message)) = node.get("message") else { continue };
        match turn(message, id) {
            Ok(Ok(mut turn)) => {
                (turn.session, turn.position) = (Some(session.clone()), Some(position));
                position += 1;
                out.turn(turn);
            }
            Ok(Err(skipped)) => out.skip(skipped),
            Err(reason) => out.broken(format!("its message \"{}\": {reason}", fields::excerpt(id))),
        }
    }
    Ok(())
}

/// The conversation's id. Old exports have none; title and time then stand for it.
fn session_of(conversation: &Object) -> Result<String, String> {
    for key in ["conversation_id", "id"] {
        if let Some(id) = fields::label(conversation, key)? {
            return Ok(id);
        }
    }
    let field = |key| conversation.get(key).map(Value::to_string).unwrap_or_default();
    Ok(format!("untitled-{:016x}", fnv1a(&format!("{}\n{}", field("title"), field("create_time")))))
}

/// FNV-1a: a hash that is the same for ever, so that a second import finds the first one's messages.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The nodes from the root to the leaf last seen.
fn path<'a>(conversation: &Object, mapping: &'a Object) -> Result<Vec<(&'a str, &'a Object)>, String> {
    let current = conversation.get("current_node").and_then(Value::as_str);
    let mut at = current.filter(|id| mapping.contains_key(*id)).or_else(|| newest_leaf(mapping));
    let (mut path, mut seen) = (Vec::new(), HashSet::new());
    while let Some((id, Value::Object(node))) = at.and_then(|id| mapping.get_key_value(id)) {
        if !seen.insert(id) {
            return Err("its messages form a circle".into());
        }
        path.push((id.as_str(), node));
        at = node.get("parent").and_then(Value::as_str);
    }
    path.reverse();
    Ok(path)
}

/// Without a current node: the leaf with the latest message.
fn newest_leaf(mapping: &Object) -> Option<&str> {
    let parents: HashSet<&str> =
        mapping.values().filter_map(|node| node.get("parent").and_then(Value::as_str)).collect();
    let time = |node: &Value| node.pointer("/message/create_time").and_then(Value::as_f64).unwrap_or(f64::MIN);
    let leaves = mapping.iter().filter(|(id, _)| !parents.contains(id.as_str()));
    leaves.max_by(|(_, a), (_, b)| time(a).total_cmp(&time(b))).map(|(id, _)| id.as_str())
}

/// One message; the inner error says why it is not remembered.
fn turn(message: &Object, node: &str) -> Result<Result<Turn, &'static str>, String> {
    let Some(Value::Object(author)) = message.get("author") else { return Err("it has no `author`".into()) };
    let role = fields::role(author)?;
    if matches!(role, Role::System | Role::Tool) || is_for_tool(message) {
        return Ok(Err(UNSPOKEN));
    }
    let hidden = message.get("metadata").and_then(|meta| meta.get("is_visually_hidden_from_conversation"));
    if hidden == Some(&Value::Bool(true)) {
        return Ok(Err("hidden messages"));
    }
    let Some(text) = text_of(message) else { return Ok(Err(TEXTLESS)) };
    let id = fields::label(message, "id")?.unwrap_or_else(|| node.to_owned());
    let created = fields::time(message, "create_time")?;
    Ok(Ok(Turn { text, role, speaker: None, session: None, message: Some(id), position: None, created }))
}

/// Code and queries the model writes for a tool are addressed to it.
fn is_for_tool(message: &Object) -> bool {
    message.get("recipient").and_then(Value::as_str).is_some_and(|to| to != "all" && !to.is_empty())
}

/// The text parts; in voice chats what was heard stands beside the sound.
fn text_of(message: &Object) -> Option<String> {
    let content = message.get("content")?.as_object()?;
    let kind = content.get("content_type").and_then(Value::as_str).unwrap_or("text");
    if !matches!(kind, "text" | "multimodal_text") {
        return None;
    }
    let part = |part: &'_ Value| match part {
        Value::String(text) => Some(text.clone()),
        Value::Object(part) if part.get("content_type")?.as_str()? == "audio_transcription" => {
            Some(part.get("text")?.as_str()?.to_owned())
        }
        _ => None,
    };
    let parts: Vec<String> = content.get("parts")?.as_array()?.iter().filter_map(part).collect();
    Some(parts.join("\n")).filter(|text| !text.trim().is_empty())
}
