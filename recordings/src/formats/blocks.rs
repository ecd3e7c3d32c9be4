//! Content blocks of Anthropic messages, as several formats record them.

use serde_json::Value;

use crate::json::{arguments, content_text, flag, text};
use crate::pairing::{Answer, Call, Of, Pairing};

/// The blocks of a message; none where the content is plain text.
pub(crate) fn blocks(message: &Value) -> &[Value] {
    crate::json::list(message, "content")
}

/// Hands the tool calls of an assistant message to `pairing`.
pub(crate) fn calls(
    message: &Value,
    directory: Option<&str>,
    line: Option<u32>,
    pairing: &mut Pairing,
) {
    for block in blocks(message)
        .iter()
        .filter(|block| text(block, "type") == Some("tool_use"))
    {
        pairing.call(Call {
            id: text(block, "id").map(str::to_owned),
            tool: text(block, "name").unwrap_or("unknown").to_owned(),
            arguments: arguments(block.get("input")),
            line,
            directory: directory.map(str::to_owned),
        });
    }
}

/// Hands the tool results of a user message to `pairing`; `extra` goes with each.
pub(crate) fn answers(
    message: &Value,
    context: usize,
    extra: &Value,
    line: Option<u32>,
    pairing: &mut Pairing,
) {
    for block in blocks(message)
        .iter()
        .filter(|block| text(block, "type") == Some("tool_result"))
    {
        pairing.answer(answer(block, context, extra, line));
    }
}

/// A `tool_result` block.
pub(crate) fn answer(block: &Value, context: usize, extra: &Value, line: Option<u32>) -> Answer {
    Answer {
        of: text(block, "tool_use_id").map_or(Of::Nothing, |id| Of::Id(id.to_owned())),
        context,
        text: block.get("content").map(content_text).unwrap_or_default(),
        failed: flag(block, "is_error"),
        extra: extra.clone(),
        line,
    }
}

/// Whether a message holds a tool call or a result.
pub(crate) fn has_tools(message: &Value) -> bool {
    let kinds = ["tool_use", "tool_result"];
    blocks(message)
        .iter()
        .any(|block| text(block, "type").is_some_and(|kind| kinds.contains(&kind)))
}
