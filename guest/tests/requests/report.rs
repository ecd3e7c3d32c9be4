//! What a session tells of a request, held against the request's body.

use serde_json::Value;
use waybread_guest::{
    ContextKind, ContextReport, Dialect, Difference, Kind, RequestPart, Settings, Snapshot,
    diagnose,
};

/// Bytes by what stands in a body, read from the body alone.
#[derive(Default)]
struct Bytes {
    tools: usize,
    system: usize,
    /// What the prompt put in front in the user zone.
    front: usize,
    /// Texts and blocks of messages to the model.
    said: usize,
    /// The model's texts.
    replies: usize,
    reasoning: usize,
    calls: usize,
    results: Vec<usize>,
}

pub fn check(settings: &Settings, report: &ContextReport, body: &str) {
    let parts = &report.parts;
    let all: u32 = parts.iter().map(|part| part.bytes).sum();
    assert_eq!((report.bytes as usize, all), (body.len(), report.bytes));
    assert!(parts.is_sorted_by_key(|part| part.kind));
    let tokens: u32 = parts.iter().map(|part| part.tokens).sum();
    let difference = tokens.abs_diff(report.pressure.estimate.tokens) as usize;
    assert!(difference <= parts.len(), "only rounding differs");

    let chat = settings.dialect == Some(Dialect::OpenaiChat);
    let found = Bytes::of(settings.dialect.unwrap(), body);
    let bytes = |kinds: &[ContextKind]| of(report, kinds, |part| part.bytes);
    let count = |kinds: &[ContextKind]| of(report, kinds, |part| part.count);
    assert_eq!(bytes(&[ContextKind::Tools]), found.tools);
    // Preamble, environment and context in one text; of the other zone two files and the date, in chat
    // with the phase prompt between them.
    let system = count(&[ContextKind::System]) - if chat { 2 } else { 1 };
    let blank_lines = system * BLANK_LINE;
    assert_eq!(bytes(&[ContextKind::System]) + blank_lines, found.system);
    let newlines = if chat { 1 } else { 2 } * r"\n".len();
    assert_eq!(bytes(&[ContextKind::Front]) + newlines, found.front);
    assert_eq!(count(&[ContextKind::Front]), 3);
    assert_eq!(bytes(&[ContextKind::Calls]), found.calls);
    assert_eq!(bytes(&[ContextKind::Reasoning]), found.reasoning);
    assert_eq!(
        bytes(&[ContextKind::Results]),
        found.results.iter().sum::<usize>()
    );
    assert_eq!(count(&[ContextKind::Results]), found.results.len());
    biggest(report, found.results);

    // Between pieces of one text stand blank lines, which are framing.
    let joined = |pieces: usize, told: usize, found: usize| {
        assert!(told <= found && (found - told).is_multiple_of(BLANK_LINE));
        assert!((found - told) / BLANK_LINE <= pieces);
    };
    let notes = count(&[ContextKind::Notes]) * usize::from(chat);
    let skills = count(&[ContextKind::Skills]);
    joined(notes + skills, bytes(&SAID), found.said);
    let replies = count(&[ContextKind::Replies]);
    let one_text = chat || settings.kind == Kind::Chat;
    let within = 2 * replies * usize::from(one_text);
    joined(within, bytes(&[ContextKind::Replies]), found.replies);
}

/// Messages in front in chat: preamble, files, phase prompt, date.
const FRONT: usize = 4;

/// As it is spelled in a body.
const BLANK_LINE: usize = r"\n\n".len();

const SAID: [ContextKind; 6] = [
    ContextKind::Skills,
    ContextKind::Summary,
    ContextKind::Person,
    ContextKind::Machine,
    ContextKind::Subagent,
    ContextKind::Notes,
];

fn of(
    report: &ContextReport,
    kinds: &[ContextKind],
    field: fn(&waybread_guest::ContextPart) -> u32,
) -> usize {
    let parts = report.parts.iter();
    let parts = parts.filter(|part| kinds.contains(&part.kind));
    parts.map(field).sum::<u32>() as usize
}

fn biggest(report: &ContextReport, mut results: Vec<usize>) {
    results.sort_unstable_by(|one, other| other.cmp(one));
    results.truncate(10);
    let told = report.biggest.iter().map(|result| result.bytes as usize);
    assert_eq!(told.collect::<Vec<_>>(), results);
    assert!(
        report
            .biggest
            .is_sorted_by(|one, other| (other.bytes, &one.id) < (one.bytes, &other.id))
    );
}

/// A request that extends the one before it holds the same messages and more; one that differs at a
/// message holds the same before it.
pub fn unchanged(earlier: &Snapshot, later: &Snapshot, difference: Option<Difference>) {
    let diagnosis = diagnose(Some(earlier), later);
    let stand = match difference {
        None => earlier.messages.len(),
        Some(difference) if difference.part == RequestPart::Messages => {
            let mut messages = earlier.messages.iter();
            let differs = messages.position(|message| message.message == difference.message);
            differs.unwrap_or(0)
        }
        Some(_) => 0,
    };
    assert!(diagnosis.shared as usize >= stand, "{earlier:?}\n{later:?}");
    assert_eq!(diagnosis.earlier as usize, earlier.messages.len());
    if difference.is_none() {
        assert_eq!(diagnosis.differs_at, None);
    }
}

impl Bytes {
    fn of(dialect: Dialect, body: &str) -> Self {
        let body: Value = serde_json::from_str(body).unwrap();
        let mut bytes = Self {
            tools: items(&body["tools"]).map(unmarked).sum(),
            ..Self::default()
        };
        match dialect {
            Dialect::OpenaiChat => bytes.chat(&body["messages"]),
            Dialect::AnthropicMessages => {
                bytes.system = items(&body["system"])
                    .map(|block| text(&block["text"]))
                    .sum();
                for (at, message) in items(&body["messages"]).enumerate() {
                    bytes.blocks(message, at == 0);
                }
            }
            Dialect::OpenaiResponses => {
                bytes.system = text(&body["instructions"]);
                let mut input = items(&body["input"]);
                bytes.front = input.next().map_or(0, |first| blocks(&first["content"]));
                input.for_each(|item| bytes.item(item));
            }
        }
        bytes
    }

    fn chat(&mut self, messages: &Value) {
        for (at, message) in items(messages).enumerate() {
            let content = &message["content"];
            match message["role"].as_str().unwrap() {
                "system" if at < FRONT => self.system += text(content),
                "user" if at < FRONT => self.front += text(content),
                "tool" => self.results.push(text(content)),
                "assistant" => {
                    self.replies += text(content);
                    self.reasoning += text(&message["reasoning_content"]);
                    self.reasoning += text(&message["reasoning"]);
                    let calls = items(&message["tool_calls"]);
                    let arguments = calls.map(|call| text(&call["function"]["arguments"]));
                    self.calls += arguments.sum::<usize>();
                }
                _ => self.said += text(content) + blocks(content),
            }
        }
    }

    /// The first block of the first message is the prompt's.
    fn blocks(&mut self, message: &Value, first: bool) {
        let reply = message["role"] == "assistant";
        for (at, block) in items(&message["content"]).enumerate() {
            match block["type"].as_str().unwrap() {
                "text" if first && at == 0 => self.front += text(&block["text"]),
                "tool_result" => self.results.push(text(&block["content"])),
                "tool_use" => self.calls += block["input"].to_string().len(),
                "thinking" => self.reasoning += unmarked(block),
                "text" if reply => self.replies += text(&block["text"]),
                _ => self.said += said(block),
            }
        }
    }

    fn item(&mut self, item: &Value) {
        match item["type"].as_str().unwrap() {
            "function_call" => self.calls += text(&item["arguments"]),
            "function_call_output" => self.results.push(text(&item["output"])),
            "reasoning" => self.reasoning += unmarked(item),
            _ if item["role"] == "assistant" => self.replies += blocks(&item["content"]),
            _ => self.said += blocks(&item["content"]),
        }
    }
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// The bytes of a text within its quotes; none of what is no text.
fn text(value: &Value) -> usize {
    value.as_str().map_or(0, |_| value.to_string().len() - 2)
}

fn blocks(content: &Value) -> usize {
    items(content).map(said).sum()
}

/// Texts without their blocks, other blocks with them.
fn said(block: &Value) -> usize {
    match &block["text"] {
        Value::Null => unmarked(block),
        said => text(said),
    }
}

/// A block's bytes but for a breakpoint of the prompt cache.
fn unmarked(block: &Value) -> usize {
    let mut block = block.clone();
    block.as_object_mut().unwrap().shift_remove("cache_control");
    block.to_string().len()
}
