//! What a session begins with.

use std::fmt;

use crate::assembly::Assembly;
use crate::prompt::Prompt;
use crate::tool::Tool;

/// What the requests of a session carry of earlier results (§2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Every result is sent again with every request: a CLI, an evaluation script.
    Agent,
    /// No earlier reply's tool results are sent with the next reply: an earlier turn's replies are
    /// sent as their text. A stub names only what is in the request being built.
    Chat,
}

/// The provider's API that requests are built for and replies come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI chat completions, and the many servers that speak it.
    OpenaiChat,
    /// Anthropic messages.
    AnthropicMessages,
    /// OpenAI responses.
    OpenaiResponses,
}

impl Dialect {
    /// The name that the contract gives it: `openai-chat`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::AnthropicMessages => "anthropic-messages",
            Self::OpenaiResponses => "openai-responses",
        }
    }

    /// The dialect of this name.
    #[cfg(any(feature = "context", feature = "replay"))]
    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [
            Self::OpenaiChat,
            Self::AnthropicMessages,
            Self::OpenaiResponses,
        ];
        all.into_iter().find(|dialect| dialect.name() == name)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What is fixed when a session begins. The session's log keeps it.
///
/// ```
/// use waybread::{Dialect, Prompt, Settings, Tool};
///
/// let grep = Tool::new("grep", "Searches the project.")
///     .parameters(r#"{"type":"object","properties":{"pattern":{"type":"string"}}}"#);
/// let settings = Settings::agent("/work/app")
///     .dialect(Dialect::OpenaiChat)
///     .home("/home/ada")
///     .prompt(Prompt::new().preamble("harness", "You are a coding agent."))
///     .tools([grep]);
/// # assert_eq!(settings.tools.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// What the session's requests carry.
    pub kind: Kind,
    /// The API that requests are built for. None: a session of results only. It builds no requests,
    /// takes results for any call, and uses nothing else but `root`, `home` and `overrides`.
    pub dialect: Option<Dialect>,
    /// The project root, absolute: `/work/app` or `C:\work\app`. Relative paths are resolved against
    /// it (§11). A session carried on elsewhere may name another root.
    pub root: String,
    /// The person's home directory, absolute; `~/…` resolves against it. Without one, `~` is a name
    /// like any other.
    pub home: Option<String>,
    /// Changes to the rules' texts and numbers: a JSON object in the shape of
    /// `conformance/loop.json` that names only what differs. Empty: none.
    pub overrides: String,
    /// The directory that the person started in, absolute or relative to the root, at or below the
    /// root. None: the root.
    pub start: Option<String>,
    /// Made into the system prompt once (§10.1). What a later opening gives is used when the prompt
    /// is next made again.
    pub prompt: Prompt,
    /// What is read and put beside the sources of `prompt`. What a later opening gives is used when the
    /// prompt is next made again.
    pub assembly: Assembly,
    /// In the order in which they are sent. Fixed when the session begins: what a later opening
    /// gives is not used (§10.4).
    pub tools: Vec<Tool>,
    /// Whether the model is told of ids and recall (§9), and offered the tool `recall`, after
    /// `tools`, if none of them has that name. Fixed when the session begins.
    pub recall: bool,
    /// Whether the model sees images.
    pub vision: bool,
    /// A subagent's narrowing: only the tools of these names are offered. None: all.
    pub only_tools: Option<Vec<String>>,
    /// Names of tools that the configuration or the person switched off.
    pub without_tools: Vec<String>,
    /// The conditions that are met as the session begins ([`Tool::requires`]).
    pub conditions: Vec<String>,
}

impl Settings {
    /// Settings for a session that sends every result again.
    pub fn agent(root: impl Into<String>) -> Self {
        Self::new(Kind::Agent, root)
    }

    /// Settings for a session that sends no earlier reply's results.
    pub fn chat(root: impl Into<String>) -> Self {
        Self::new(Kind::Chat, root)
    }

    /// Settings for a session of results only. With a [`dialect`](Self::dialect) it has `recall` and
    /// a model that sees images, and neither a prompt nor tools of its own.
    pub fn new(kind: Kind, root: impl Into<String>) -> Self {
        Self {
            kind,
            dialect: None,
            root: root.into(),
            home: None,
            overrides: String::new(),
            start: None,
            prompt: Prompt::new(),
            assembly: Assembly::new(),
            tools: Vec::new(),
            recall: true,
            vision: true,
            only_tools: None,
            without_tools: Vec::new(),
            conditions: Vec::new(),
        }
    }

    /// The same with messages and requests, for a provider's API.
    #[must_use]
    pub fn dialect(mut self, dialect: impl Into<Option<Dialect>>) -> Self {
        self.dialect = dialect.into();
        self
    }

    /// The same with a home directory.
    #[must_use]
    pub fn home(mut self, home: impl Into<String>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// The same with overrides, as JSON: `{"context": {"cap": {"max_lines": 300}}}`.
    #[must_use]
    pub fn overrides(mut self, json: impl Into<String>) -> Self {
        self.overrides = json.into();
        self
    }

    /// The same for a person who started in a directory below the root.
    #[must_use]
    pub fn start(mut self, directory: impl Into<String>) -> Self {
        self.start = Some(directory.into());
        self
    }

    /// The same with a system prompt.
    #[must_use]
    pub fn prompt(mut self, prompt: Prompt) -> Self {
        self.prompt = prompt;
        self
    }

    /// The same with what the session reads for its prompt.
    #[must_use]
    pub fn assembly(mut self, assembly: Assembly) -> Self {
        self.assembly = assembly;
        self
    }

    /// The same with these tools, in the order in which they are sent.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools = tools.into_iter().collect();
        self
    }

    /// The same with `recall` offered to the model, or not.
    #[must_use]
    pub fn recall(mut self, recall: bool) -> Self {
        self.recall = recall;
        self
    }

    /// The same for a model that sees images, or does not.
    #[must_use]
    pub fn vision(mut self, vision: bool) -> Self {
        self.vision = vision;
        self
    }

    /// The same with only the tools of these names.
    #[must_use]
    pub fn only_tools<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.only_tools = Some(strings(names));
        self
    }

    /// The same without the tools of these names.
    #[must_use]
    pub fn without_tools<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.without_tools = strings(names);
        self
    }

    /// The same with these conditions met.
    #[must_use]
    pub fn conditions<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.conditions = strings(names);
        self
    }
}

fn strings<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Vec<String> {
    names.into_iter().map(Into::into).collect()
}
