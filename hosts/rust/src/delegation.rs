//! Subagents, to which a part of the work is given (`docs/assembly.md`, "Subagents").

use crate::assembly::Assembly;
use crate::prompt::Prompt;

/// A subagent to which a part of the work is given.
///
/// ```
/// use waybread::{Delegation, Prompt};
///
/// let delegation = Delegation::new("chat-7/explore-1", "explore")
///     .prompt(Prompt::new().preamble("explore", "You look for code and report where it is."))
///     .only_tools(["read", "grep"]);
/// # assert_eq!(delegation.kind, "explore");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delegation {
    /// The key of its session: one line without `<` and `;`. Not a session's that exists, but for one
    /// that this session delegated before: that is a follow-up, which without a prompt goes on with its own.
    pub key: String,
    /// What kind of subagent it is: one line without `<` and `;`.
    pub kind: String,
    /// Its prompt: what the parent's is made of is not inherited, but for the session's date.
    pub prompt: Prompt,
    /// What is read for its prompt: the parent's is not inherited.
    pub assembly: Assembly,
    /// The tools that it is offered, of the parent's. None: all. A follow-up goes on with those that it has.
    pub only_tools: Option<Vec<String>>,
}

impl Delegation {
    /// A subagent with all of the parent's tools, and a prompt of the component's own blocks only.
    pub fn new(key: impl Into<String>, kind: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            kind: kind.into(),
            prompt: Prompt::new(),
            assembly: Assembly::new(),
            only_tools: None,
        }
    }

    /// The same with a prompt.
    #[must_use]
    pub fn prompt(mut self, prompt: Prompt) -> Self {
        self.prompt = prompt;
        self
    }

    /// The same with what is read for its prompt.
    #[must_use]
    pub fn assembly(mut self, assembly: Assembly) -> Self {
        self.assembly = assembly;
        self
    }

    /// The same with only the tools of these names.
    #[must_use]
    pub fn only_tools<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.only_tools = Some(names.into_iter().map(Into::into).collect());
        self
    }
}

/// A subagent of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DelegateState {
    /// The key of its session.
    pub key: String,
    /// What kind of subagent it is.
    pub kind: String,
    /// `running`, `queued`, `finished` or what the harness says. Empty once it ended.
    pub state: String,
}
