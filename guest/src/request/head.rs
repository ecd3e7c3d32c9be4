//! What stands before the messages: model, tools, system prompt. Their order is the one in which a
//! model reads them.

use serde_json::{Value, json};

use super::difference::{DifferenceCause, RequestPart};
use super::writer::Role;
use crate::assembly::{FrontMessage, Made, Zone};
use crate::json::JsonStyle;
use crate::record::Dialect;
use crate::rules::Requests;

/// The front of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Up to the first message.
    pub text: Vec<u8>,
    /// The message that is open at its end.
    pub open: Option<Role>,
    /// Where the model and the tools end.
    ends: [usize; 2],
}

impl Head {
    /// Writes the front of a body.
    pub fn new(
        dialect: Dialect,
        rules: &Requests,
        style: &JsonStyle,
        model: Option<&Value>,
        tools: &[Value],
        prompt: &Made,
    ) -> Self {
        let mut text = b"{".to_vec();
        if let Some(model) = model {
            field(&mut text, style, "model", model);
        }
        let model = text.len();
        let breakpoint = breakpoint(dialect, rules);
        if !tools.is_empty() {
            let marked = breakpoint.clone().filter(|_| prompt.system.is_empty());
            field(&mut text, style, "tools", &marked_last(tools, marked));
        }
        let tools = text.len();
        write_system(&mut text, dialect, style, &prompt.system, breakpoint);
        let open = write_front(&mut text, dialect, rules, style, &prompt.front);
        Self {
            open,
            text,
            ends: [model, tools],
        }
    }

    /// The first part in which the next body's front differs, and why.
    pub fn difference(&self, next: &Self) -> Option<(RequestPart, DifferenceCause)> {
        let parts = [
            (RequestPart::Model, DifferenceCause::Model),
            (RequestPart::Tools, DifferenceCause::Tools),
            (RequestPart::System, DifferenceCause::System),
        ];
        let pieces = self.pieces().into_iter().zip(next.pieces());
        let mut differing = parts.into_iter().zip(pieces);
        let (part, _) = differing.find(|(_, (old, new))| old != new)?;
        Some(part)
    }

    fn pieces(&self) -> [&[u8]; 3] {
        let [model, tools] = self.ends;
        [0..model, model..tools, tools..self.text.len()]
            .map(|range| self.text.get(range).unwrap_or_default())
    }
}

fn write_system(
    text: &mut Vec<u8>,
    dialect: Dialect,
    style: &JsonStyle,
    system: &str,
    breakpoint: Option<Value>,
) {
    let some = !system.is_empty();
    match dialect {
        // It is the first of the messages in front.
        Dialect::OpenaiChat => open_list(text, "messages"),
        Dialect::AnthropicMessages => {
            if some {
                let block = json!({"type": "text", "text": system});
                field(text, style, "system", &marked_last(&[block], breakpoint));
            }
            open_list(text, "messages");
        }
        Dialect::OpenaiResponses => {
            if some {
                field(text, style, "instructions", &Value::from(system));
            }
            open_list(text, "input");
        }
    }
}

/// Writes the messages that the prompt puts in front.
fn write_front(
    text: &mut Vec<u8>,
    dialect: Dialect,
    rules: &Requests,
    style: &JsonStyle,
    front: &[FrontMessage],
) -> Option<Role> {
    let mut open = None;
    for (at, message) in front.iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        match dialect {
            Dialect::OpenaiChat => {
                let role = match message.zone {
                    Zone::System => rules.system_role.as_str(),
                    Zone::User => message.zone.role(),
                };
                style.write(text, &json!({"role": role, "content": message.text}));
            }
            // What the person says first goes on in it.
            Dialect::AnthropicMessages => {
                text.extend_from_slice(br#"{"role":"user","content":["#);
                style.write(text, &json!({"type": "text", "text": message.text}));
                open = Some(Role::User);
            }
            Dialect::OpenaiResponses => {
                let content = json!([{"type": "input_text", "text": message.text}]);
                let message = json!({"type": "message", "role": "user", "content": content});
                style.write(text, &message);
            }
        }
    }
    open
}

fn separate(text: &mut Vec<u8>) {
    if text.len() > 1 {
        text.push(b',');
    }
}

fn field(text: &mut Vec<u8>, style: &JsonStyle, name: &str, value: &Value) {
    separate(text);
    style.write(text, name);
    text.push(b':');
    style.write(text, value);
}

fn open_list(text: &mut Vec<u8>, name: &str) {
    separate(text);
    text.push(b'"');
    text.extend_from_slice(name.as_bytes());
    text.extend_from_slice(b"\":[");
}

/// The breakpoint of the prompt cache, if the session sets any.
pub fn breakpoint(dialect: Dialect, rules: &Requests) -> Option<Value> {
    if dialect != Dialect::AnthropicMessages || rules.cache_breakpoints == 0 {
        return None;
    }
    Some(match rules.cache_ttl.as_str() {
        "" => json!({"type": "ephemeral"}),
        ttl => json!({"type": "ephemeral", "ttl": ttl}),
    })
}

fn marked_last(blocks: &[Value], breakpoint: Option<Value>) -> Value {
    let mut blocks = blocks.to_vec();
    if let (Some(Value::Object(last)), Some(breakpoint)) = (blocks.last_mut(), breakpoint) {
        last.entry("cache_control").or_insert(breakpoint);
    }
    Value::Array(blocks)
}
