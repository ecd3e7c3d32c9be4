//! One importer a format. Each turns its records into calls and results, and says what a result
//! means; pairing, files and steps are shared.

use serde_json::Value;

use crate::ImportError;
use crate::detect::Format;
use crate::model::Recording;

mod anthropic;
mod atif;
mod blocks;
mod claude_code;
mod claude_speech;
mod claude_tools;
mod codex;
mod copilot;
mod editor;
mod gemini;
mod generic;
mod mini_swe_agent;
mod openai;
mod opencode;
mod openhands;
mod pi;
mod roo;
mod speech;
mod stream_json;
mod swe_agent;
mod threads;
mod tree;

/// Reads a file that is one JSON value.
pub(crate) fn read_document(format: Format, value: Value) -> Result<Recording, ImportError> {
    let sessions = match format {
        Format::Anthropic => anthropic::read(value),
        Format::Atif => atif::read(value),
        Format::Gemini => gemini::read(value),
        Format::InspectAi => openai::read_inspect(value),
        Format::MiniSweAgent => mini_swe_agent::read(value),
        Format::OpenAi => openai::read(value),
        Format::Opencode => opencode::read(value),
        Format::OpenHands => openhands::read(value),
        Format::SweAgent => swe_agent::read(value),
        Format::ClaudeCode | Format::StreamJson | Format::Codex | Format::Copilot | Format::Pi => {
            Vec::new()
        }
    };
    Ok(Recording {
        format: format.name(),
        sessions,
    })
}

/// Reads JSON lines.
pub(crate) fn read_lines(format: Format, content: &str) -> Result<Recording, ImportError> {
    let sessions = match format {
        Format::ClaudeCode => claude_code::read(content),
        Format::StreamJson => stream_json::read(content),
        Format::Codex => codex::read(content),
        Format::Copilot => copilot::read(content),
        Format::Pi => pi::read(content),
        Format::Atif => atif::read_lines(content),
        Format::OpenHands => openhands::read_lines(content),
        Format::OpenAi => openai::read_lines(content),
        Format::Anthropic => anthropic::read_lines(content),
        _ => Vec::new(),
    };
    Ok(Recording {
        format: format.name(),
        sessions,
    })
}
