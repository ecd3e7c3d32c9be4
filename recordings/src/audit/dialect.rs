//! Which API a request body is for.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::json::{list, text};

/// The API that a request body is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// OpenAI chat completions, and the many servers that speak it.
    #[serde(rename = "openai-chat")]
    OpenAiChat,
    /// Anthropic messages.
    AnthropicMessages,
    /// OpenAI responses.
    #[serde(rename = "openai-responses")]
    OpenAiResponses,
}

impl Dialect {
    /// The name, as in `wit/context.wit`.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::AnthropicMessages => "anthropic-messages",
            Self::OpenAiResponses => "openai-responses",
        }
    }

    /// The keys of a body that hold its prompt; all others are parameters.
    pub(crate) fn prompt_keys(self) -> &'static [&'static str] {
        match self {
            Self::OpenAiChat => &["model", "tools", "functions", "messages"],
            Self::AnthropicMessages => &["model", "tools", "system", "messages"],
            Self::OpenAiResponses => &["model", "tools", "instructions", "input"],
        }
    }

    /// The key of the conversation.
    pub(crate) fn messages_key(self) -> &'static str {
        match self {
            Self::OpenAiResponses => "input",
            _ => "messages",
        }
    }
}

const WANTED: &str = "a request body is a JSON object with `messages` (OpenAI chat completions, \
                      Anthropic messages) or `input` (OpenAI responses)";

/// What a body shows of its dialect: none where it would be the same prompt in chat completions and
/// in Anthropic messages. An error says what the body is instead of a request.
pub(crate) fn detect(body: &Value) -> Result<Option<Dialect>, String> {
    let Value::Object(fields) = body else {
        return Err(format!("{} is no request body: {WANTED}", kind(body)));
    };
    if fields.get("messages").is_some_and(Value::is_array) {
        return Ok(of_messages(body, fields));
    }
    let named = fields.get("model").and_then(Value::as_str);
    match fields.get("input") {
        Some(Value::String(_) | Value::Array(_))
            if named.is_some_and(|name| name.contains("embed")) =>
        {
            Err(format!("this is a request for embeddings: {WANTED}"))
        }
        Some(Value::Array(_)) => of_input(fields).map(Some),
        Some(Value::String(_)) if named.is_some() => of_input(fields).map(Some),
        _ => Err(not_a_request(fields)),
    }
}

/// Responses that the provider keeps are a part of the prompt that no body shows.
fn of_input(fields: &Map<String, Value>) -> Result<Dialect, String> {
    for key in ["previous_response_id", "conversation", "prompt"] {
        if fields.get(key).is_some_and(|value| !value.is_null()) {
            return Err(format!(
                "`{key}` stands for a part of the prompt that the provider keeps, so the body does \
                 not show where it differs; only requests that carry their whole input can be \
                 compared"
            ));
        }
    }
    Ok(Dialect::OpenAiResponses)
}

fn not_a_request(fields: &Map<String, Value>) -> String {
    let has = |key: &str| fields.contains_key(key);
    let found = if has("contents") {
        "this is a Gemini request, whose dialect is not known".to_owned()
    } else if has("choices") || has("output") || fields.get("type") == Some(&"message".into()) {
        "this is a model's response, not a request".to_owned()
    } else if has("prompt") {
        "this is a completion request without messages".to_owned()
    } else if has("messages") {
        "`messages` is not a list".to_owned()
    } else if fields.is_empty() {
        "an empty object is no request body".to_owned()
    } else {
        let keys: Vec<String> = fields
            .keys()
            .take(8)
            .map(|key| format!("`{key}`"))
            .collect();
        format!(
            "an object with {} is in none of the three dialects",
            keys.join(", ")
        )
    };
    format!("{found}: {WANTED}")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

const ANTHROPIC_FIELDS: [&str; 5] = [
    "system",
    "anthropic_version",
    "anthropic_beta",
    "stop_sequences",
    "mcp_servers",
];
const CHAT_FIELDS: [&str; 14] = [
    "functions",
    "function_call",
    "response_format",
    "stream_options",
    "max_completion_tokens",
    "frequency_penalty",
    "presence_penalty",
    "logit_bias",
    "logprobs",
    "n",
    "parallel_tool_calls",
    "reasoning_effort",
    "stop",
    "seed",
];
const ANTHROPIC_BLOCKS: [&str; 5] = [
    "tool_use",
    "tool_result",
    "thinking",
    "redacted_thinking",
    "server_tool_use",
];

fn of_messages(body: &Value, fields: &Map<String, Value>) -> Option<Dialect> {
    let has = |key: &&str| fields.contains_key(*key);
    let tools = || list(body, "tools").iter();
    let messages = || list(body, "messages").iter();
    let chat_tool = |tool: &Value| tool.get("function").is_some();
    let chat_call = |message: &Value| {
        matches!(text(message, "role"), Some("tool" | "function"))
            || message.get("tool_calls").is_some()
    };
    if tools().any(chat_tool) || messages().any(chat_call) {
        return Some(Dialect::OpenAiChat);
    }
    let anthropic_tool = |tool: &Value| tool.get("name").is_some();
    if tools().any(anthropic_tool)
        || messages().any(has_anthropic_block)
        || ANTHROPIC_FIELDS.iter().any(has)
    {
        return Some(Dialect::AnthropicMessages);
    }
    let chat_role = |message: &Value| matches!(text(message, "role"), Some("system" | "developer"));
    let tool_choice = fields.get("tool_choice").is_some_and(Value::is_string);
    let chat = tool_choice || CHAT_FIELDS.iter().any(has) || messages().any(chat_role);
    chat.then_some(Dialect::OpenAiChat)
}

fn has_anthropic_block(message: &Value) -> bool {
    list(message, "content").iter().any(|block| {
        text(block, "type").is_some_and(|kind| ANTHROPIC_BLOCKS.contains(&kind))
            || block.get("source").is_some()
    })
}
