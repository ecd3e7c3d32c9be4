//! What stands before the messages: model, tools, system prompt. Their order is the one in which a
//! model reads them.

use serde::Serialize;
use serde_json::{Value, json};

use super::difference::{DifferenceCause, RequestPart};
use super::marks::Mark;
use super::writer::Role;
use crate::assembly::{FrontMessage, Made, Zone};
use crate::breakpoints::Own;
use crate::json::JsonStyle;
use crate::record::Dialect;
use crate::rules::Requests;

/// What closes the system prompt's block and the list that holds it.
const BLOCK_AND_LIST: usize = "}]".len();

/// The front of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Up to the first message, without the session's breakpoint of the prompt cache.
    bare: Vec<u8>,
    /// The message that is open at its end.
    pub open: Option<Role>,
    /// Where the model and the tools end.
    ends: [usize; 2],
    /// Where the session's breakpoint can stand: before what closes the system prompt's block, or a tool.
    pub mark_at: Option<usize>,
    /// The breakpoint with its name, as it stands there.
    written: Vec<u8>,
    mark: Option<Mark>,
    /// The caller's breakpoints on the tools: those before that place, and those after it.
    pub own: [Own; 2],
}

impl Head {
    /// Writes the front of a body, which has no breakpoint of the session's yet.
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
        let (bearer, own) = bearer(tools, !prompt.system.is_empty());
        let mut mark_at = None;
        if !tools.is_empty() {
            open_list(&mut text, "tools");
            mark_at = write_tools(&mut text, style, tools, bearer);
        }
        let tools = text.len();
        mark_at = write_system(&mut text, dialect, style, &prompt.system).or(mark_at);
        let open = write_front(&mut text, dialect, rules, style, &prompt.front);
        Self {
            open,
            bare: text,
            ends: [model, tools],
            mark_at,
            own,
            ..Self::default()
        }
    }

    /// Whether this is the session's breakpoint.
    pub fn has_mark(&self, mark: Option<Mark>) -> bool {
        self.mark == mark
    }

    /// Puts the session's breakpoint in its place, or takes it from there.
    pub fn set_mark(&mut self, mark: Option<Mark>, rules: &Requests, style: &JsonStyle) {
        self.mark = mark;
        self.written.clear();
        if let Some(mark) = mark {
            field(
                &mut self.written,
                style,
                "cache_control",
                &mark.value(rules),
            );
        }
    }

    /// Up to the first message.
    pub fn text(&self) -> Vec<u8> {
        let at = self.mark_at.unwrap_or(self.bare.len());
        let (before, after) = self.bare.split_at_checked(at).unwrap_or((&self.bare, &[]));
        if self.written.is_empty() {
            return self.bare.clone();
        }
        [before, b",", &self.written, after].concat()
    }

    /// The first part in which the next body's front differs, and why.
    pub fn difference(&self, next: &Self) -> Option<(RequestPart, DifferenceCause)> {
        let parts = [
            (RequestPart::Model, DifferenceCause::Model),
            (RequestPart::Tools, DifferenceCause::Tools),
            (RequestPart::System, DifferenceCause::System),
        ];
        let pieces = self.pieces().into_iter().zip(next.pieces());
        let marks = self.marks().into_iter().zip(next.marks());
        let found = parts.into_iter().zip(pieces).zip(marks);
        let mut found = found.filter_map(|(((part, cause), (old, new)), (before, now))| {
            if old != new {
                return Some((part, cause));
            }
            (before != now).then_some((part, DifferenceCause::CacheBreakpoint))
        });
        found.next()
    }

    /// The session's breakpoint, by the part in which it stands.
    fn marks(&self) -> [&[u8]; 3] {
        let [_, tools] = self.ends;
        match self.mark_at.is_some_and(|at| at < tools) {
            true => [&[], &self.written, &[]],
            false => [&[], &[], &self.written],
        }
    }

    fn pieces(&self) -> [&[u8]; 3] {
        let [model, tools] = self.ends;
        [0..model, model..tools, tools..self.bare.len()]
            .map(|range| self.bare.get(range).unwrap_or_default())
    }
}

fn write_system(
    text: &mut Vec<u8>,
    dialect: Dialect,
    style: &JsonStyle,
    system: &str,
) -> Option<usize> {
    let some = !system.is_empty();
    let mut mark_at = None;
    match dialect {
        // It is the first of the messages in front.
        Dialect::OpenaiChat => open_list(text, "messages"),
        Dialect::AnthropicMessages => {
            if some {
                let block = json!({"type": "text", "text": system});
                field(text, style, "system", &[block]);
                mark_at = text.len().checked_sub(BLOCK_AND_LIST);
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
    mark_at
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

fn field(text: &mut Vec<u8>, style: &JsonStyle, name: &str, value: &(impl Serialize + ?Sized)) {
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

/// The tool that takes the session's breakpoint where no system prompt does, and the caller's breakpoints
/// up to that place and behind it. A tool that the provider defers takes none.
fn bearer(tools: &[Value], has_system: bool) -> (Option<usize>, [Own; 2]) {
    let defers = |tool: &Value| tool.get("defer_loading").and_then(Value::as_bool) == Some(true);
    let last = tools.iter().rposition(|tool| !defers(tool));
    let last = last.filter(|_| !has_system);
    let (before, after) = match last {
        Some(at) => tools.split_at_checked(at + 1).unwrap_or((tools, &[])),
        None => (tools, [].as_slice()),
    };
    let own = |tools: &[Value]| {
        let tools = tools.iter().filter_map(Value::as_object);
        tools.map(Own::of_object).sum()
    };
    let bearer = last.filter(|at| {
        tools
            .get(*at)
            .is_some_and(|tool| tool.get("cache_control").is_none())
    });
    (bearer, [own(before), own(after)])
}

/// Writes the tools, and the list's end; says where the bearer's breakpoint goes.
fn write_tools(
    text: &mut Vec<u8>,
    style: &JsonStyle,
    tools: &[Value],
    bearer: Option<usize>,
) -> Option<usize> {
    let mut mark_at = None;
    for (at, tool) in tools.iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        style.write(text, tool);
        if bearer == Some(at) {
            mark_at = text.len().checked_sub(1);
        }
    }
    text.push(b']');
    mark_at
}
