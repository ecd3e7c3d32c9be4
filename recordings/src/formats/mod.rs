//! One importer a format. Each turns its records into calls and results, and says what a result
//! means; pairing, files and steps are shared.

use serde_json::Value;

use crate::detect::Format;
use crate::model::Recording;
use crate::ImportError;

mod blocks;
mod claude_code;
mod claude_tools;
mod codex;
mod stream_json;
mod tree;

/// Reads a file that is one JSON value.
pub(crate) fn read_document(format: Format, value: Value) -> Result<Recording, ImportError> {
    let sessions = match format {
        _ => { drop(value); Vec::new() }
    };
    Ok(Recording { format: format.name(), sessions })
}

/// Reads JSON lines.
pub(crate) fn read_lines(format: Format, content: &str) -> Result<Recording, ImportError> {
    let sessions = match format {
        Format::ClaudeCode => claude_code::read(content),
        Format::StreamJson => stream_json::read(content),
        Format::Codex => codex::read(content),
        _ => Vec::new(),
    };
    Ok(Recording { format: format.name(), sessions })
}
