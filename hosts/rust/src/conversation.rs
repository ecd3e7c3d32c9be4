//! A conversation: a message as it was added, and as it is stored.

use crate::answer::Inserted;
use crate::call::ToolCall;
use crate::skill::SkillChange;

/// A message as it was added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Added {
    /// The message's number, from 1, never given twice in a session.
    pub number: u32,
    /// The note that went with it (§10.3), as the model reads it.
    pub note: Option<String>,
    /// Skills whose envelopes went ahead of its text (`docs/assembly.md`, "Skills that come and go").
    pub skills: Vec<SkillChange>,
    /// A reply's calls, in its order.
    pub calls: Vec<ReplyCall>,
    /// Results that calls got which were left open: they say that none came.
    pub closed: Vec<Inserted>,
}

impl Added {
    /// The calls that are to be run: a result is inserted for each.
    pub fn open_calls(&self) -> impl Iterator<Item = &ToolCall> {
        let open = self.calls.iter().filter(|call| call.refused.is_none());
        open.map(|call| &call.call)
    }
}

/// A call of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplyCall {
    /// The call.
    pub call: ToolCall,
    /// The result that the component gave in its place: the tool is unavailable or withdrawn, or the
    /// reply is that to a wrap-up, or the arguments are no JSON object. None: the call is open, to be
    /// run.
    pub refused: Option<Inserted>,
}

/// A message of the conversation, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredMessage {
    /// The message's number, from 1.
    pub number: u32,
    /// Who it is from.
    pub speaker: Speaker,
    /// Whether it started a turn.
    pub starts_turn: bool,
    /// A reply's visible text, without reasoning; another message's text.
    pub text: String,
    /// What [`Session::add_message`](crate::Session::add_message) was given: a reply's JSON; another
    /// message's text.
    pub given: String,
    /// The note that went with it.
    pub note: Option<String>,
    /// A reply that was broken off.
    pub incomplete: bool,
    /// The ids of the results of a reply's calls, in the order of the calls; none for one that is
    /// open.
    pub results: Vec<Option<String>>,
}

/// Who a message of the conversation is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Speaker {
    /// The person.
    Person,
    /// A job, a team, the harness.
    Machine,
    /// A subagent: what it brought.
    Subagent,
    /// The model: a reply.
    Model,
    /// A compaction: its summary stands for what came before (§7).
    Summary,
}

impl Speaker {
    /// The name that the contract gives it: `person`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Machine => "machine",
            Self::Subagent => "subagent",
            Self::Model => "model",
            Self::Summary => "summary",
        }
    }
}
