//! `conversations.json` of a Claude export: an array of conversations with `chat_messages`.

use myosotis_core::Role;
use serde_json::Value;

use super::error::ImportError;
use super::fields::{self, Object};
use super::{Out, Parser, TEXTLESS, Turn, UNSPOKEN};

/// Reads conversations.
#[derive(Debug)]
pub(super) struct Claude;

impl Parser for Claude {
    fn object(&mut self, conversation: Object, out: &mut Out) -> Result<(), ImportError> {
        if let Err(reason) = read(&conversation, out) {
            out.broken(reason);
        }
        Ok(())
    }
}

fn read(conversation: &Object, out: &mut Out) -> Result<(), String> {
    let Some(Value::Array(messages)) = conversation.get("chat_messages") else {
        return Err("it has no `chat_messages`, so it is no Claude conversation".into());
    };
    let session = fields::label(conversation, "uuid")?;
    let mut position = 0;
    for (message, number) in messages.iter().zip(1..) {
        match turn(message) {
            Ok(Ok(turn)) => {
                out.turn(Turn { session: session.clone(), position: Some(position), ..turn });
                position += 1;
            }
            Ok(Err(skipped)) => out.skip(skipped),
            Err(reason) => out.broken(format!("its message {number}: {reason}")),
        }
    }
    Ok(())
}

/// One message; the inner error says why it is not remembered.
fn turn(message: &Value) -> Result<Result<Turn, &'static str>, String> {
    let Value::Object(message) = message else { return Err("it is not a JSON object".into()) };
    let role = match fields::text(message, "sender")? {
        "human" | "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" | "tool" => return Ok(Err(UNSPOKEN)),
        other => return Err(format!("`sender` is \"{}\"; expected human or assistant", fields::excerpt(other))),
    };
    let Some(text) = text_of(message) else { return Ok(Err(TEXTLESS)) };
    let (id, created) = (fields::label(message, "uuid")?, fields::time(message, "created_at")?);
    Ok(Ok(Turn { text, role, speaker: None, session: None, message: id, position: None, created }))
}

/// The text blocks. The plain `text` of newer exports has place-holders for the other blocks in it, so
/// it counts only where there are no blocks.
fn text_of(message: &Object) -> Option<String> {
    let text = match message.get("content") {
        Some(Value::Array(blocks)) if !blocks.is_empty() => {
            let texts: Vec<&str> = blocks.iter().filter_map(block_text).collect();
            texts.join("\n")
        }
        Some(Value::String(text)) => text.clone(),
        _ => message.get("text")?.as_str()?.to_owned(),
    };
    Some(text).filter(|text| !text.trim().is_empty())
}

fn block_text(block: &Value) -> Option<&str> {
    let kind = block.get("type")?.as_str()?;
    matches!(kind, "text" | "voice_note").then(|| block.get("text")?.as_str())?
}
