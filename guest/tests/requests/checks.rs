//! What must be true of a request.

use serde_json::Value;
use sha2::{Digest, Sha256};
use waybread_guest::{Dialect, DifferenceCause, Request, SummaryRequest};

/// What happened since the previous request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Since {
    pub turn: bool,
    pub replied: bool,
    pub rewound: bool,
    pub connected: bool,
    pub compacted: bool,
}

/// What a request is held against.
pub struct Context<'a> {
    pub dialect: Dialect,
    pub chat: bool,
    pub breakpoints: bool,
    pub previous: Option<&'a str>,
    /// The previous request's parameters and this one's.
    pub parameters: (Option<&'a str>, &'a str),
    /// Whether the host has no body.
    pub fresh: bool,
}

pub fn request(context: &Context<'_>, since: &Since, request: &Request, body: &str) {
    assert_eq!(request.length as usize, body.len());
    assert_eq!(request.sha256, hex(body));
    let parsed: Value = serde_json::from_str(body).unwrap();
    pairing(context.dialect, &parsed);
    stubs(&parsed.to_string());
    assert!(!body.contains("\\u0000"), "NUL is shown");
    if context.fresh {
        assert_eq!(request.keep, 0);
    }
    if let Some(previous) = context.previous {
        prefix(context, request, previous, body);
    }
    cause(context, since, request);
}

/// The sent part stands, as far as the request says and no further.
fn prefix(context: &Context<'_>, request: &Request, previous: &str, body: &str) {
    let equal = previous.bytes().zip(body.bytes());
    let shared = equal.take_while(|(old, new)| old == new).count();
    assert_eq!(request.shared as usize, shared);
    assert!(request.keep <= request.shared);
    let closing = closing(context.dialect, context.parameters.0.unwrap());
    let end = previous.strip_suffix(&closing).unwrap().len();
    assert_eq!(
        request.difference.is_none(),
        shared >= end,
        "{previous}\n{body}"
    );
    if shared >= end {
        assert_eq!(request.keep as usize, end, "all that was sent is kept");
    }
}

/// What stands in a body after the last message's last block.
fn closing(dialect: Dialect, parameters: &str) -> String {
    let message = if dialect == Dialect::AnthropicMessages {
        "]}"
    } else {
        ""
    };
    let rest = match parameters {
        "" => "",
        r#"{"model":"other"}"# => "",
        r#"{"model":"m","temperature":1.0}"# => r#","temperature":1.0"#,
        _ => r#","max_tokens":1E3,"stream":true"#,
    };
    format!("{message}]{rest}}}")
}

/// Every difference has a cause, and one that happened.
fn cause(context: &Context<'_>, since: &Since, request: &Request) {
    let Some(difference) = request.difference else {
        return;
    };
    let model = |parameters: &str| {
        let parsed: Option<Value> = serde_json::from_str(parameters).ok();
        parsed.and_then(|parsed| parsed.get("model").cloned())
    };
    let (old, new) = context.parameters;
    let happened = match difference.cause {
        DifferenceCause::Model => model(old.unwrap()) != model(new),
        DifferenceCause::Tools => since.connected,
        // It is made again at a change of model, which differs before it.
        DifferenceCause::System => false,
        // Thinking in Anthropic waits for the reply that follows.
        DifferenceCause::TurnBoundaryReasoning => {
            since.turn || (since.replied && context.dialect == Dialect::AnthropicMessages)
        }
        DifferenceCause::EarlierResults => since.turn && context.chat,
        DifferenceCause::Rewind => since.rewound,
        DifferenceCause::Compaction => since.compacted,
        DifferenceCause::CacheBreakpoint => context.breakpoints,
        // These sessions have no window.
        DifferenceCause::Shortened => false,
    };
    assert!(happened, "{difference:?} after {since:?}");
}

/// What holds of a request for a summary: it is one that the provider takes, and what it keeps is the
/// previous body's.
pub fn summary(dialect: Dialect, request: &SummaryRequest, previous: &str) {
    let body = format!("{}{}", &previous[..request.keep as usize], request.tail);
    assert_eq!(request.length as usize, body.len());
    assert_eq!(request.sha256, hex(&body));
    let parsed: Value = serde_json::from_str(&body).unwrap();
    pairing(dialect, &parsed);
    stubs(&parsed.to_string());
    assert!(body.contains("Call no tool; answer with the summary alone"));
}

fn hex(body: &str) -> String {
    let digest = Sha256::digest(body.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A stub names a result that the request carries.
fn stubs(body: &str) {
    for sentence in ["Unchanged since #", "Same result as #"] {
        for (at, _) in body.match_indices(sentence) {
            let named = &body[at + sentence.len()..][..4];
            assert!(
                body.contains(&format!("[#{named}")),
                "{named} is not in {body}"
            );
        }
    }
}

/// The ids of a reply's calls.
pub fn call_ids(given: &str) -> Vec<String> {
    let reply: Value = serde_json::from_str(given).unwrap();
    let list = ["tool_calls", "content", "output"];
    let items = list.iter().find_map(|key| reply.get(key)?.as_array());
    let ids = items.unwrap().iter().filter_map(|item| {
        let call = item.get("call_id").or_else(|| item.get("id"))?;
        let is_call = item.get("type") != Some(&Value::from("message"))
            && item.get("type") != Some(&Value::from("reasoning"));
        is_call.then(|| call.as_str().unwrap().to_owned())
    });
    ids.collect()
}

/// Never a call without its result or a result without its call, and each where it belongs.
fn pairing(dialect: Dialect, body: &Value) {
    match dialect {
        Dialect::OpenaiChat => chat_pairs(body["messages"].as_array().unwrap()),
        Dialect::AnthropicMessages => anthropic_pairs(body["messages"].as_array().unwrap()),
        Dialect::OpenaiResponses => responses_pairs(body["input"].as_array().unwrap()),
    }
}

fn ids(items: &Value, kind: &str, key: &str) -> Vec<String> {
    let items = items.as_array().into_iter().flatten();
    let items = items.filter(|item| kind.is_empty() || item["type"] == kind);
    items
        .map(|item| item[key].as_str().unwrap().to_owned())
        .collect()
}

fn chat_pairs(messages: &[Value]) {
    let mut open: Vec<String> = Vec::new();
    for message in messages {
        if message["role"] == "tool" {
            assert_eq!(message["tool_call_id"], open.remove(0).as_str());
        } else {
            assert_eq!(open, Vec::<String>::new());
            open = ids(&message["tool_calls"], "", "id");
        }
    }
    assert_eq!(open, Vec::<String>::new());
}

fn anthropic_pairs(messages: &[Value]) {
    let mut open = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let role = if at % 2 == 0 { "user" } else { "assistant" };
        assert_eq!(message["role"], role, "roles alternate");
        let content = message["content"].as_array().unwrap();
        assert!(!content.is_empty());
        let results = ids(&message["content"], "tool_result", "tool_use_id");
        assert_eq!(results, open);
        let first = content.iter().take(results.len());
        assert!(
            first
                .into_iter()
                .all(|block| block["type"] == "tool_result"),
            "results come first"
        );
        open = ids(&message["content"], "tool_use", "id");
    }
    assert_eq!(open, Vec::<String>::new());
}

fn responses_pairs(items: &[Value]) {
    let mut open: Vec<String> = Vec::new();
    for item in items {
        match item["type"].as_str().unwrap() {
            "function_call" => open.push(item["call_id"].as_str().unwrap().to_owned()),
            "function_call_output" => assert_eq!(item["call_id"], open.remove(0).as_str()),
            _ => assert_eq!(open, Vec::<String>::new()),
        }
    }
    assert_eq!(open, Vec::<String>::new());
}
