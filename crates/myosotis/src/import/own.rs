//! Our own export: a header, the consent, the memories ([`crate::portable`]).

use serde_json::Value;

use super::error::ImportError;
use super::fields::{Object, excerpt};
use super::format::Format;
use super::{Out, Parser};
use crate::portable::{EXPORT_VERSION, ExportLine};

/// Reads lines after a header of a version it knows.
#[derive(Debug, Default)]
pub(super) struct Own {
    headed: bool,
}

impl Parser for Own {
    fn object(&mut self, line: Object, out: &mut Out) -> Result<(), ImportError> {
        let kind = line.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        if kind == "myosotis-export" {
            self.headed = true;
            return check_version(&line, out);
        }
        if !self.headed {
            let found = "JSON lines without the first line of an export, which tells its version".into();
            return Err(ImportError::WrongFormat { expected: Format::Myosotis, found });
        }
        if kind == "consent" {
            out.skip("consent (importing never switches memory on)");
            return Ok(());
        }
        if kind != "memory" {
            out.broken(format!("its type is \"{}\"; expected memory or consent", excerpt(&kind)));
            return Ok(());
        }
        match serde_json::from_value(Value::Object(line)) {
            Ok(ExportLine::Memory(item)) if item.event.is_some_and(|event| event.end < event.start) => {
                out.broken("its event ends before it starts");
            }
            Ok(ExportLine::Memory(item)) => out.item(item),
            Ok(_) => out.broken("its type is not memory"),
            Err(error) => {
                let reason: String = error.to_string().chars().take(200).collect();
                out.broken(format!("it is no memory: {reason}"));
            }
        }
        Ok(())
    }
}

fn check_version(header: &Object, out: &mut Out) -> Result<(), ImportError> {
    match header.get("version").and_then(Value::as_u64) {
        Some(version) if version > u64::from(EXPORT_VERSION) => {
            Err(ImportError::NewerVersion { version, supported: EXPORT_VERSION })
        }
        Some(1..) => Ok(()),
        _ => {
            out.broken("the header has no `version` of 1 or more");
            Ok(())
        }
    }
}
