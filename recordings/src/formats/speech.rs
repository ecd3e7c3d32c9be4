//! What was said in a message, however its content is spelled.

use serde_json::Value;

use crate::json::{list, text};
use crate::model::{Prompt, Reply, Tool};

/// Parts that are calls, results or reasoning, by the names that formats give them.
const NO_SPEECH: &[&str] = &[
    "function_call",
    "reasoning",
    "redacted_thinking",
    "thinking",
    "toolCall",
    "tool_result",
    "tool_use",
];
const REASONING: &[&str] = &["thinking", "reasoning"];

/// The text of a message's content: a string, or parts. Calls, results and reasoning are left out,
/// an image is noted.
pub(crate) fn spoken(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(spoken_part)
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Object(_) => spoken_part(content).unwrap_or_default(),
        _ => String::new(),
    }
}

fn spoken_part(part: &Value) -> Option<String> {
    if let Value::String(text) = part {
        return Some(text.clone());
    }
    let kind = text(part, "type").unwrap_or_default();
    if NO_SPEECH.contains(&kind) {
        return None;
    }
    if kind.contains("image") {
        return Some("[image]".to_owned());
    }
    match text(part, "text") {
        Some(text) => Some(text.to_owned()),
        None if kind.is_empty() => None,
        None => Some(format!("[{kind}]")),
    }
}

/// The reasoning in a content's parts.
pub(crate) fn reasoning(content: &Value) -> String {
    let parts = content.as_array().map_or(&[][..], Vec::as_slice);
    let of_kind = |part: &&Value| text(part, "type").is_some_and(|kind| REASONING.contains(&kind));
    let told = |part| {
        text(part, "thinking")
            .or(text(part, "reasoning"))
            .or(text(part, "text"))
    };
    let told: Vec<&str> = parts.iter().filter(of_kind).filter_map(told).collect();
    told.join("\n\n")
}

/// A reply of which the content, and what else a message has of reasoning, tell all but the calls.
pub(crate) fn reply(message: &Value, context: usize) -> Reply {
    let content = message.get("content").unwrap_or(&Value::Null);
    let field = ["reasoning_content", "reasoning"];
    let field = field.iter().find_map(|key| text(message, key));
    Reply {
        context,
        text: spoken(content),
        reasoning: field.map_or_else(|| reasoning(content), str::to_owned),
        ..Reply::default()
    }
}

impl Prompt {
    /// A system prompt, or a further part of one. A blank one is none.
    pub(crate) fn add_system(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        match &mut self.system {
            Some(system) => {
                system.push_str("\n\n");
                system.push_str(text);
            }
            None => self.system = Some(text.to_owned()),
        }
    }

    /// Tools as OpenAI, Anthropic or Gemini define them. Of two with one name, the first counts.
    pub(crate) fn add_tools(&mut self, definitions: &[Value]) {
        for definition in definitions {
            let declared = list(definition, "functionDeclarations");
            if !declared.is_empty() {
                self.add_tools(declared);
            } else if let Some(tool) = tool(definition)
                && self.tools.iter().all(|known| known.name != tool.name)
            {
                self.tools.push(tool);
            }
        }
    }
}

fn tool(definition: &Value) -> Option<Tool> {
    let function = definition.get("function").unwrap_or(definition);
    let name = text(function, "name").filter(|name| !name.is_empty())?;
    let parameters = ["parameters", "input_schema", "parametersJsonSchema"];
    let parameters = parameters.iter().find_map(|key| function.get(key));
    let schema = parameters.filter(|parameters| parameters.is_object());
    Some(Tool {
        name: name.to_owned(),
        description: text(function, "description").unwrap_or_default().to_owned(),
        parameters: schema.map(Value::to_string).unwrap_or_default(),
    })
}
