//! Of what a reply's body is made: its words, its reasoning, its calls' arguments (docs/assembly.md,
//! "What fills the window").

use serde_json::Value;

use super::anthropic::is_reasoning as is_reasoning_block;
use super::chat::{ChatReply, Content};
use super::responses::is_reasoning as is_reasoning_item;
use super::{Call, Form, Reply, kind};
use crate::rules::Reasoning;

/// A piece as it stands in a body.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// Within quotes.
    Text(&'a str),
    /// A block, an item or another value.
    Json(&'a Value),
}

/// What is sent of a reply, by what it is. Keys, ids and names are not told.
#[derive(Debug, Default)]
pub struct Shares<'a> {
    /// Texts, and blocks and items that are nothing else.
    pub words: Vec<Piece<'a>>,
    /// Blocks, items and fields of reasoning.
    pub reasoning: Vec<Piece<'a>>,
    /// Of each call, in their order.
    pub arguments: Vec<Piece<'a>>,
}

impl Reply {
    /// What is sent of it with its reasoning, or without.
    pub fn shares(&self, carries: bool, rules: &Reasoning) -> Shares<'_> {
        match &self.form {
            Form::Chat(chat) => of_chat(chat, &self.calls, carries, rules),
            Form::Anthropic(blocks) => of_blocks(blocks, carries, rules),
            Form::Responses(items) => of_items(items, carries || !self.reasons),
        }
    }
}

/// A text stands in quotes, another value as it is.
fn value(value: &Value) -> Piece<'_> {
    value.as_str().map_or(Piece::Json(value), Piece::Text)
}

/// A content block's text, or the block.
fn block(block: &Value) -> Piece<'_> {
    let text = block.get("text").and_then(Value::as_str);
    let text = text.filter(|_| kind(block) == "text");
    text.map_or(Piece::Json(block), Piece::Text)
}

fn of_chat<'a>(
    chat: &'a ChatReply,
    calls: &'a [Call],
    carries: bool,
    rules: &Reasoning,
) -> Shares<'a> {
    let mut shares = Shares::default();
    match &chat.content {
        Content::None => {}
        Content::Text(text) => shares.words.push(Piece::Text(text)),
        Content::Blocks(blocks) => {
            let (reasoning, words): (Vec<&Value>, Vec<&Value>) = blocks
                .iter()
                .partition(|block| is_reasoning_block(block, rules));
            shares.words.extend(words.into_iter().map(block));
            shares
                .reasoning
                .extend(reasoning.into_iter().map(Piece::Json));
        }
    }
    if carries {
        shares
            .reasoning
            .extend(chat.reasoning.as_deref().map(Piece::Text));
        shares.reasoning.extend(chat.details.values().map(value));
    }
    // What was left as it came.
    let named = |name: &str| {
        let mut fields = rules.fields.iter().chain(&rules.details);
        name == "reasoning_content" || fields.any(|field| field == name)
    };
    let others = chat.others.iter().filter(|(name, _)| named(name));
    shares
        .reasoning
        .extend(others.map(|(_, other)| value(other)));
    let arguments = calls.iter().map(|call| Piece::Text(&call.arguments));
    shares.arguments.extend(arguments);
    shares
}

fn of_blocks<'a>(blocks: &'a [Value], carries: bool, rules: &Reasoning) -> Shares<'a> {
    let mut shares = Shares::default();
    for one in blocks {
        if is_reasoning_block(one, rules) {
            shares.reasoning.extend(carries.then_some(Piece::Json(one)));
        } else if kind(one) == "tool_use" {
            shares.arguments.extend(one.get("input").map(Piece::Json));
        } else {
            shares.words.push(block(one));
        }
    }
    shares
}

fn of_items(items: &[Value], whole: bool) -> Shares<'_> {
    let mut shares = Shares::default();
    for item in items {
        match kind(item) {
            "message" => shares.words.extend(said(item)),
            "function_call" => shares.arguments.extend(item.get("arguments").map(value)),
            "custom_tool_call" => shares.arguments.extend(item.get("input").map(value)),
            _ if !whole => {}
            _ if is_reasoning_item(item) => shares.reasoning.push(Piece::Json(item)),
            _ => shares.words.push(Piece::Json(item)),
        }
    }
    shares
}

/// The texts of a message.
fn said(message: &Value) -> Vec<Piece<'_>> {
    let Some(content) = message.get("content") else {
        return Vec::new();
    };
    if let Some(text) = content.as_str() {
        return vec![Piece::Text(text)];
    }
    let blocks = content.as_array().into_iter().flatten();
    let texts = blocks.filter(|block| kind(block) == "output_text");
    texts
        .filter_map(|block| Some(Piece::Text(block.get("text")?.as_str()?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Dialect;
    use crate::rules::{Rules, with_overrides};

    fn rules(overrides: &str) -> Rules {
        let overrides = serde_json::from_str(overrides).unwrap();
        with_overrides(&overrides).unwrap().1
    }

    /// Words, reasoning and arguments as they stand in a body, quotes aside.
    fn shares(dialect: Dialect, json: &str, carries: bool, rules: &Rules) -> [Vec<String>; 3] {
        let around = crate::reply::Around {
            rules,
            incomplete: false,
            number: 1,
            unstored: false,
            known: &|_| false,
        };
        let reply = super::super::read(dialect, json, around).unwrap();
        let shares = reply.shares(carries, &rules.reasoning);
        [shares.words, shares.reasoning, shares.arguments].map(|pieces| {
            let pieces = pieces.into_iter().map(|piece| match piece {
                Piece::Text(text) => text.to_owned(),
                Piece::Json(value) => value.to_string(),
            });
            pieces.collect()
        })
    }

    #[test]
    fn of_chat_texts_details_and_arguments_as_they_are_sent() {
        let json = r#"{"content":[{"type":"text","text":"Hi."},{"type":"image","url":"u"}],
            "reasoning":"hm","reasoning_details":[{"data":"x"}],"refusal":"no",
            "tool_calls":[{"id":"1","function":{"name":"read","arguments":{"a":1.0}}}]}"#;
        let words = ["Hi.", r#"{"type":"image","url":"u"}"#];
        let [said, thought, called] = shares(Dialect::OpenaiChat, json, true, &rules("{}"));
        assert_eq!(said, words);
        assert_eq!(thought, ["hm", r#"[{"data":"x"}]"#]);
        assert_eq!(called, [r#"{"a":1.0}"#]);
        let [said, thought, _] = shares(Dialect::OpenaiChat, json, false, &rules("{}"));
        assert_eq!(said, words);
        assert!(thought.is_empty());
    }

    #[test]
    fn as_given_reasoning_is_reasoning_under_any_name() {
        let rules = rules(r#"{"reasoning":{"carry":"as-given"}}"#);
        let json = r#"{"content":[{"type":"thinking","thinking":"a"},{"type":"text","text":"b"}],
            "reasoning":"c","reasoning_content":"d","other":"e"}"#;
        let [said, thought, _] = shares(Dialect::OpenaiChat, json, true, &rules);
        assert_eq!(said, ["b"]);
        assert_eq!(thought, [r#"{"type":"thinking","thinking":"a"}"#, "c", "d"]);
    }

    #[test]
    fn of_anthropic_thinking_has_its_signature_and_other_blocks_are_words() {
        let json = r#"[{"type":"thinking","thinking":"a","signature":"s"},{"type":"text","text":"b"},
            {"type":"server_tool_use","id":"1"},{"type":"tool_use","id":"2","name":"read","input":{"p":1e3}},
            {"type":"tool_use","id":"3","name":"look"}]"#;
        let words = ["b", r#"{"type":"server_tool_use","id":"1"}"#];
        let [said, thought, called] = shares(Dialect::AnthropicMessages, json, true, &rules("{}"));
        assert_eq!(said, words);
        assert_eq!(
            thought,
            [r#"{"type":"thinking","thinking":"a","signature":"s"}"#]
        );
        assert_eq!(called, [r#"{"p":1e3}"#, "{}"]);
        let [said, thought, _] = shares(Dialect::AnthropicMessages, json, false, &rules("{}"));
        assert_eq!(said, words);
        assert!(thought.is_empty());
    }

    #[test]
    fn of_responses_other_items_go_with_the_reasoning() {
        let json = r#"[{"type":"reasoning","id":"r","summary":[]},{"type":"web_search_call","id":"w"},
            {"type":"message","content":[{"type":"output_text","text":"a"},{"type":"refusal","refusal":"b"}]},
            {"type":"function_call","call_id":"1","name":"read","arguments":"{}"},
            {"type":"custom_tool_call","call_id":"2","name":"run","input":"ls"}]"#;
        let search = r#"{"type":"web_search_call","id":"w"}"#;
        let [said, thought, called] = shares(Dialect::OpenaiResponses, json, true, &rules("{}"));
        assert_eq!(said, [search, "a"]);
        assert_eq!(thought, [r#"{"type":"reasoning","id":"r","summary":[]}"#]);
        assert_eq!(called, ["{}", "ls"]);
        let [said, thought, called] = shares(Dialect::OpenaiResponses, json, false, &rules("{}"));
        assert_eq!(said, ["a"]);
        assert!(thought.is_empty());
        assert_eq!(called, ["{}", "ls"]);
    }
}
