//! A request's body in the dialect `openai-chat`, and what a model reads of it.

use serde_json::Value;

use crate::json::{arguments, first_value, list, text, text_at};

use super::text::Text;

/// A body, and what a model reads of it.
#[derive(Clone, Default)]
pub(super) struct Body {
    json: String,
    tools: Vec<Text>,
    /// Where the list of messages begins, after its bracket; none before the first request.
    start: Option<usize>,
    /// Where each message ends.
    messages: Vec<(usize, Text)>,
}

impl Body {
    /// The next body: `keep` bytes of this one, and `tail`. In order what a model reads of it.
    pub(super) fn next(&mut self, keep: u64, tail: &str) -> Result<Vec<Text>, String> {
        let keep = usize::try_from(keep).unwrap_or(usize::MAX);
        if self.json.get(..keep).is_none() {
            return Err("keeps more than there was".to_owned());
        }
        self.json.truncate(keep);
        self.json.push_str(tail);
        let start = match self.start.filter(|start| *start <= keep) {
            Some(start) => start,
            None => self.head()?,
        };
        self.messages.retain(|(end, _)| *end <= keep);
        let mut at = self.messages.last().map_or(start, |(end, _)| *end);
        while let Some(value) = self.value_at(&mut at)? {
            self.messages.push((at, message(&value)));
        }
        let messages = self.messages.iter().map(|(_, text)| text);
        Ok(self.tools.iter().chain(messages).cloned().collect())
    }

    /// How many texts, from the first, are tools and system prompt.
    pub(super) fn prompt(&self) -> usize {
        let first = self.messages.first();
        let system = first.is_some_and(|(_, text)| text.is_system());
        self.tools.len() + usize::from(system)
    }

    /// The next message after `at`, which then is its end. None at the list's end.
    fn value_at(&self, at: &mut usize) -> Result<Option<Value>, String> {
        let rest = self.json.get(*at..).unwrap_or_default();
        let rest = rest.strip_prefix(',').unwrap_or(rest);
        if rest.starts_with(']') {
            return Ok(None);
        }
        let (value, length) = first_value(rest).map_err(|error| error.to_string())?;
        if length == 0 {
            return Err("the list of messages does not end".to_owned());
        }
        *at = self.json.len() - rest.len() + length;
        Ok(Some(value))
    }

    /// Reads the body up to its messages, and forgets what was read after that.
    fn head(&mut self) -> Result<usize, String> {
        self.messages.clear();
        self.tools.clear();
        let mut rest = self.json.strip_prefix('{').ok_or("is no JSON object")?;
        loop {
            let (key, length) = first_value(rest).map_err(|error| error.to_string())?;
            let value = rest.get(length..).and_then(|rest| rest.strip_prefix(':'));
            rest = value.ok_or("holds no messages")?;
            if key == "messages" {
                let list = rest.strip_prefix('[').ok_or("its messages are no list")?;
                let start = self.json.len() - list.len();
                self.start = Some(start);
                return Ok(start);
            }
            let (value, length) = first_value(rest).map_err(|error| error.to_string())?;
            if key == "tools" {
                self.tools = value.as_array().into_iter().flatten().map(tool).collect();
            }
            let next = rest.get(length..).and_then(|rest| rest.strip_prefix(','));
            rest = next.ok_or("holds no messages")?;
        }
    }
}

fn tool(tool: &Value) -> Text {
    let function = tool.get("function").unwrap_or(tool);
    let part = |key| text(function, key).unwrap_or_default();
    let parameters = function.get("parameters").map(Value::to_string);
    Text::tool(
        part("name"),
        part("description"),
        &parameters.unwrap_or_default(),
    )
}

fn message(message: &Value) -> Text {
    let content = content(message);
    match text(message, "role") {
        Some("assistant") => {
            let calls: Vec<(String, String)> =
                list(message, "tool_calls").iter().map(call).collect();
            let calls = calls.iter();
            let calls = calls.map(|(name, arguments)| (name.as_str(), arguments.as_str()));
            let reasoning = text(message, "reasoning_content").unwrap_or_default();
            Text::reply(reasoning, &content, calls)
        }
        Some("user") => Text::user(&content),
        Some("tool") => Text::result(&content),
        _ => Text::system(&content),
    }
}

/// A string, or the texts of parts; a part without text is noted.
fn content(message: &Value) -> String {
    message
        .get("content")
        .map(crate::json::content_text)
        .unwrap_or_default()
}

fn call(call: &Value) -> (String, String) {
    let name = text_at(call, &["function", "name"]).unwrap_or_default();
    let given = call
        .get("function")
        .and_then(|function| function.get("arguments"));
    (name.to_owned(), arguments(given))
}
