//! How what a model reads is spelled to be counted: a line with the role, the text, a newline. The
//! same for every policy, so that only what they do differs.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// What the system prompt's text begins with.
const SYSTEM: &str = "system\n";

/// A message, or what stands before all messages, as a model reads it.
#[derive(Clone, Debug)]
pub(super) struct Text {
    text: Rc<str>,
    chars: u64,
    hash: u64,
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.text, &other.text) || self.hash == other.hash && self.text == other.text
    }
}

impl Text {
    fn new(text: String) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self {
            chars: characters(&text),
            hash: hasher.finish(),
            text: text.into(),
        }
    }

    /// A tool's definition.
    pub(super) fn tool(name: &str, description: &str, parameters: &str) -> Self {
        Self::new(format!("{name}\n{description}\n{parameters}\n"))
    }

    /// The system prompt.
    pub(super) fn system(text: &str) -> Self {
        Self::new(format!("{SYSTEM}{text}\n"))
    }

    pub(super) fn is_system(&self) -> bool {
        self.text.starts_with(SYSTEM)
    }

    /// A person's or a machine's message.
    pub(super) fn user(text: &str) -> Self {
        Self::new(format!("user\n{text}\n"))
    }

    /// A reply. `calls`: names and arguments.
    pub(super) fn reply<'a>(
        reasoning: &str,
        text: &str,
        calls: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let mut spelled = "assistant\n".to_owned();
        for part in [reasoning, text] {
            if !part.is_empty() {
                spelled.push_str(part);
                spelled.push('\n');
            }
        }
        for (name, arguments) in calls {
            spelled.extend([name, " ", arguments, "\n"]);
        }
        Self::new(spelled)
    }

    /// A tool's result.
    pub(super) fn result(text: &str) -> Self {
        Self::new(format!("tool\n{text}\n"))
    }

    /// Its length in characters.
    pub(super) fn chars(&self) -> u64 {
        self.chars
    }

    /// Tells texts apart as well as 64 bits can.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// How many characters, from the first, both have in common.
    pub(super) fn in_common(&self, other: &Self) -> u64 {
        let pairs = self.text.chars().zip(other.text.chars());
        pairs.take_while(|(one, other)| one == other).count() as u64
    }
}

/// Unicode scalar values.
pub(super) fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}

/// Tokens, as opencode estimates them: four characters each, rounded half up.
pub(super) fn tokens(chars: u64) -> u64 {
    chars.saturating_add(2) / 4
}
