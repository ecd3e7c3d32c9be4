//! The conversation so far, as policies see it.

use crate::conversation::{Answered, Part, Performed};
use crate::model::Prompt;

use super::text::{Text, characters};

/// What stands in a request, before any policy.
#[derive(Default)]
pub(super) struct History {
    pub(super) entries: Vec<Entry>,
    /// Where the current turn begins. Replies before it carry no reasoning: the common chat templates
    /// leave it out whatever a request holds (§8).
    turn: usize,
}

pub(super) struct Entry {
    pub(super) kind: Kind,
    whole: Text,
    /// A reply without its reasoning, where it has some.
    bare: Option<Text>,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The system prompt or a tool's definition.
    Prompt,
    User,
    Reply,
    Result {
        tool: String,
        failed: bool,
        /// The length of what the tool answered, in characters.
        chars: u64,
    },
}

impl History {
    pub(super) fn new(prompt: &Prompt) -> Self {
        let mut history = Self::default();
        for tool in &prompt.tools {
            let text = Text::tool(&tool.name, &tool.description, &tool.parameters);
            history.push(Kind::Prompt, text, None);
        }
        if let Some(system) = &prompt.system {
            history.push(Kind::Prompt, Text::system(system), None);
        }
        history
    }

    /// What a request holds of an entry that its policy leaves as it is.
    pub(super) fn text(&self, at: usize) -> Option<&Text> {
        let entry = self.entries.get(at)?;
        let bare = entry.bare.as_ref().filter(|_| at < self.turn);
        Some(bare.unwrap_or(&entry.whole))
    }

    pub(super) fn add(&mut self, part: &Part) {
        match part {
            Part::Said(said) => {
                if said.starts_turn {
                    self.turn = self.entries.len();
                }
                self.push(Kind::User, Text::user(&said.text), None);
            }
            Part::Reply(reply) => self.reply(reply),
            Part::Result(result) => self.result(result),
        }
    }

    fn reply(&mut self, reply: &Answered) {
        let spelled = |reasoning: &str| {
            let calls = reply.calls.iter();
            let calls = calls.map(|call| (call.tool.as_str(), call.arguments.as_str()));
            Text::reply(reasoning, &reply.text, calls)
        };
        let bare = (!reply.reasoning.is_empty()).then(|| spelled(""));
        self.push(Kind::Reply, spelled(&reply.reasoning), bare);
    }

    fn result(&mut self, result: &Performed) {
        let kind = Kind::Result {
            tool: result.tool.clone(),
            failed: result.failed,
            chars: characters(&result.recorded),
        };
        self.push(kind, Text::result(&result.recorded), None);
    }

    fn push(&mut self, kind: Kind, whole: Text, bare: Option<Text>) {
        self.entries.push(Entry { kind, whole, bare });
    }
}
