//! Any two requests: an answer or an error, never a panic; and a single change is found where it was
//! made.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use waybread_recordings::audit::{Audit, Cause, Part, audit, audit_json, audit_list_json};

/// Words without digits, so that no change of one looks like a date or an id.
fn words() -> impl Strategy<Value = String> {
    "[a-zé中🙂]{1,6}( [a-z]{1,6}){0,6}"
}

fn turn() -> impl Strategy<Value = Vec<Value>> {
    let step = (
        words(),
        words(),
        select(vec!["read", "grep", "bash"]),
        any::<bool>(),
    );
    (words(), prop::collection::vec(step, 0..3), words()).prop_map(|(asked, steps, said)| {
        let mut messages = vec![json!({"role":"user","content":asked})];
        for (argument, output, tool, reasons) in steps {
            let id = "c";
            let mut call = json!({"role":"assistant","content":null,"tool_calls":[{"id":id,
                "type":"function","function":{"name":tool,"arguments":json!({"a":argument,"n":1}).to_string()}}]});
            if reasons {
                call["reasoning_content"] = json!(format!("why {argument}"));
            }
            messages.push(call);
            messages.push(json!({"role":"tool","tool_call_id":id,"content":output}));
        }
        messages.push(json!({"role":"assistant","content":said}));
        messages
    })
}

/// A conversation in chat completions, whose messages differ from each other by a number in them.
fn conversation() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(turn(), 1..5).prop_map(|turns| {
        let mut messages: Vec<Value> = turns.into_iter().flatten().collect();
        for (at, message) in messages.iter_mut().enumerate() {
            number(message, at);
        }
        messages
    })
}

fn number(message: &mut Value, at: usize) {
    if let Some(text) = message["content"].as_str() {
        message["content"] = json!(format!("{text} {at}"));
    }
    for key in ["/tool_calls/0/id", "/tool_call_id"] {
        if let Some(id) = message.pointer_mut(key) {
            *id = json!(format!("call-{}", at / 2));
        }
    }
}

fn body(messages: &[Value]) -> Value {
    let tool = |name: &str| {
        json!({"type":"function","function":{"name":name,"description":format!("Does {name}."),
            "parameters":{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}}}}})
    };
    let system = json!({"role":"system","content":"Be brief."});
    let messages: Vec<Value> = [system]
        .into_iter()
        .chain(messages.iter().cloned())
        .collect();
    json!({"model":"m","tools":[tool("read"),tool("grep"),tool("bash")],"messages":messages})
}

fn compared(previous: &Value, next: &Value) -> Audit {
    let audit = audit(&previous.to_string(), &next.to_string()).unwrap();
    let chars = audit.chars;
    assert_eq!(chars.next, chars.kept + chars.again + chars.new);
    assert!(chars.kept + chars.again <= chars.previous);
    assert_eq!(
        audit.broken,
        !matches!(audit.cause, Cause::None | Cause::Append)
    );
    audit
}

/// One change of a message, and the path at which it is found.
fn mutate(message: &mut Value, which: usize) -> Option<(&'static str, Vec<Cause>)> {
    let arguments = message.pointer("/tool_calls/0/function/arguments").cloned();
    match which % 8 {
        0 => {
            let text = message["content"].as_str()?.to_owned();
            message["content"] = json!(format!("Q{text}"));
            Some((".content", vec![Cause::TextChanged, Cause::ResultChanged]))
        }
        1 => {
            let text = message["content"].as_str()?.to_owned();
            message["content"] = json!([{"type":"text","text":text}]);
            Some((".content", vec![Cause::ContentShape]))
        }
        2 => {
            message.as_object_mut()?.remove("reasoning_content")?;
            Some((".reasoning_content", vec![Cause::ReasoningRemoved]))
        }
        3 => {
            message["tool_calls"][0]["function"]["arguments"] =
                json!(arguments?.as_str()?.replace(":1}", ": 1}"));
            Some((".tool_calls[0].function.arguments", vec![Cause::JsonFormat]))
        }
        4 => {
            message["tool_calls"][0]["function"]["arguments"] =
                json!(arguments?.as_str()?.replace(":1}", ":1.0}"));
            Some((
                ".tool_calls[0].function.arguments",
                vec![Cause::NumberSpelling],
            ))
        }
        5 => {
            let result = message["role"] == "tool";
            message["content"] = result.then(|| json!([{"type":"text","text":"…"}]))?;
            Some((".content", vec![Cause::ResultReplaced]))
        }
        6 => {
            let result = message["role"] == "tool";
            let fields = message.as_object_mut().filter(|_| result)?;
            fields.remove("content")?;
            Some((".content", vec![Cause::ResultReplaced]))
        }
        _ => {
            *message.pointer_mut("/tool_calls/0/id")? = json!("other");
            Some((".tool_calls[0].id", vec![Cause::CallId]))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_request_is_the_same_as_itself(messages in conversation()) {
        let request = body(&messages);
        let audit = compared(&request, &request);
        prop_assert_eq!((audit.cause, audit.byte), (Cause::None, None));
        prop_assert_eq!(audit.chars.kept, audit.chars.next);
    }

    #[test]
    fn more_messages_are_an_append(messages in conversation(), at: Index) {
        let at = 1 + at.index(messages.len());
        let audit = compared(&body(&messages[..at]), &body(&messages));
        if at == messages.len() {
            prop_assert_eq!(audit.cause, Cause::None);
        } else {
            prop_assert_eq!(audit.cause, Cause::Append);
            prop_assert_eq!(audit.path, Some(format!("messages[{}]", at + 1)));
        }
        prop_assert_eq!(audit.chars.kept, audit.chars.previous);
        prop_assert_eq!(audit.chars.again, 0);
    }

    #[test]
    fn a_change_is_found_where_it_was_made(messages in conversation(), at: Index, which in 0..8usize) {
        let at = at.index(messages.len());
        let mut changed = messages.clone();
        let Some((below, causes)) = mutate(&mut changed[at], which) else { return Ok(()) };
        let audit = compared(&body(&messages), &body(&changed));
        prop_assert!(causes.contains(&audit.cause), "{:?}", audit);
        prop_assert_eq!(audit.message, Some(at as u32 + 1));
        prop_assert_eq!(audit.path, Some(format!("messages[{}]{below}", at + 1)));
    }

    #[test]
    fn messages_that_went_or_came_are_counted(messages in conversation(), at: Index, count in 1..3usize) {
        let at = at.index(messages.len());
        let end = (at + count).min(messages.len());
        let mut fewer = messages.clone();
        fewer.drain(at..end);
        let (whole, part) = (body(&messages), body(&fewer));
        let gone = compared(&whole, &part);
        let came = compared(&part, &whole);
        prop_assert_eq!(gone.part, Some(Part::Message));
        prop_assert_eq!(gone.message, Some(at as u32 + 1));
        prop_assert_eq!(came.message, Some(at as u32 + 1));
        if end == messages.len() {
            prop_assert_eq!((gone.cause, came.cause), (Cause::Rewind, Cause::Append));
        } else {
            prop_assert!(matches!(gone.cause, Cause::SlidingWindow | Cause::MessageRemoved));
            prop_assert_eq!(came.cause, Cause::MessageInserted);
            prop_assert_eq!(gone.chars.new, 0);
        }
    }

    #[test]
    fn a_tool_is_found_where_it_was_changed(messages in conversation(), at in 0..3usize, which in 0..3) {
        let before = body(&messages);
        let mut now = before.clone();
        let cause = match which {
            0 => {
                now["tools"][at]["function"]["description"] = json!("Else.");
                Cause::ToolChanged
            }
            1 => {
                now["tools"].as_array_mut().unwrap().remove(at);
                Cause::ToolRemoved
            }
            _ => {
                now["tools"].as_array_mut().unwrap().rotate_left(1);
                Cause::ToolOrder
            }
        };
        let audit = compared(&before, &now);
        prop_assert_eq!((audit.cause, audit.part), (cause, Some(Part::Tools)));
        let at = if cause == Cause::ToolOrder { 0 } else { at };
        let tool = format!("tools[{at}]");
        prop_assert!(audit.path.unwrap().starts_with(&tool));
    }
}

/// What bodies and recordings are made of.
const WORDS: [&str; 44] = [
    "model",
    "messages",
    "input",
    "instructions",
    "system",
    "tools",
    "functions",
    "type",
    "role",
    "content",
    "text",
    "user",
    "assistant",
    "tool",
    "developer",
    "tool_use",
    "tool_result",
    "thinking",
    "signature",
    "reasoning",
    "summary",
    "encrypted_content",
    "function_call",
    "function_call_output",
    "call_id",
    "id",
    "name",
    "arguments",
    "tool_calls",
    "function",
    "parameters",
    "input_schema",
    "description",
    "image",
    "source",
    "data",
    "cache_control",
    "ttl",
    "request",
    "body",
    "requests",
    "log",
    "entries",
    "{\"a\":1}",
];

fn value() -> impl Strategy<Value = Value> {
    let word = || select(WORDS.to_vec());
    let leaf = prop_oneof![
        4 => word().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => "\\PC{0,12}".prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(5, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..6).prop_map(|fields| {
                Value::Object(
                    fields
                        .into_iter()
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect(),
                )
            }),
        ]
    })
}

/// An object that is a request by its keys, whatever is in it.
fn request() -> impl Strategy<Value = Value> {
    let list = || prop::collection::vec(value(), 0..5);
    (list(), list(), value(), any::<bool>()).prop_map(|(messages, tools, system, chat)| {
        if chat {
            json!({"model":"m","messages":messages,"tools":tools,"system":system})
        } else {
            json!({"model":"m","input":messages,"tools":tools,"instructions":system})
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 384, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_texts(previous in "\\PC{0,120}", next in "\\PC{0,120}") {
        prop_assert_eq!(audit_json(&previous, &next), audit_json(&previous, &next));
        let _ = audit_list_json(&format!("{previous}\n{next}"));
    }

    #[test]
    fn any_requests(previous in request(), next in request()) {
        let audit = compared(&previous, &next);
        let _ = audit.to_string();
        prop_assert_eq!(compared(&previous, &previous).cause, Cause::None);
        let list = format!("[{previous},{next},{previous}]");
        prop_assert!(audit_list_json(&list).is_ok());
    }

    #[test]
    fn any_list(value in value(), cut: Index) {
        let text = json!({"requests":[value, value]}).to_string();
        let _ = audit_list_json(&text);
        let mut end = cut.index(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let _ = audit_list_json(&text[..end]);
    }

    #[test]
    fn any_truncation(messages in conversation(), cut: Index) {
        let whole = body(&messages).to_string();
        let mut end = cut.index(whole.len());
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        let error = audit(&whole, &whole[..end]).unwrap_err();
        prop_assert!(!error.message.is_empty());
    }
}

/// Depth is bounded by the parser, size by nothing that grows faster.
#[test]
fn deep_and_huge_things_end() {
    for open in ["[", "{\"messages\":[", "{\"request\":"] {
        let deep = open.repeat(100_000);
        assert!(audit_json(&deep, &deep).is_err());
        assert!(audit_list_json(&deep).is_err());
    }
    let message =
        |at: usize| json!({"role":"user","content":format!("{} {}", "x".repeat(200), at % 7)});
    let many: Vec<Value> = (0..1200).map(message).collect();
    let (whole, rest) = (body(&many).to_string(), body(&many[7..]).to_string());
    assert_eq!(audit(&whole, &rest).unwrap().cause, Cause::Rewind);
    let same: Vec<Value> = (0..1200).map(|_| message(0)).collect();
    let mut changed = same.clone();
    changed[0]["content"] = json!("first");
    assert_eq!(
        audit(&body(&same).to_string(), &body(&changed).to_string())
            .unwrap()
            .message,
        Some(1)
    );
    let ends = |first: &str, last: &str| {
        let mut messages = same.clone();
        messages[0]["content"] = json!(first);
        messages[1199]["content"] = json!(last);
        body(&messages).to_string()
    };
    let alike = audit(&ends("one", "another"), &ends("two", "other")).unwrap();
    assert_eq!(alike.message, Some(1));
}
