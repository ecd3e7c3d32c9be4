//! What can change during a session, which a note tells.

/// The value that something has now which can change during a session. A change is told at the end,
/// as a note (§10.3).
///
/// An empty `text` says that it has no value any more; a mode has one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// What it is.
    pub kind: ChangeKind,
    /// Which one of its kind; empty for a plan and a personality.
    pub name: String,
    /// Its value.
    pub text: String,
}

impl Change {
    /// A value by its kind, its name and its text.
    pub fn new(kind: ChangeKind, name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            text: text.into(),
        }
    }

    /// The permission mode, with what it allows.
    pub fn mode(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self::new(ChangeKind::Mode, name, description)
    }

    /// The plan.
    pub fn plan(text: impl Into<String>) -> Self {
        Self::new(ChangeKind::Plan, "", text)
    }

    /// A memory file, by its path.
    pub fn memory(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(ChangeKind::Memory, path, text)
    }

    /// An instruction file, by its path.
    pub fn instructions(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(ChangeKind::Instructions, path, text)
    }

    /// The personality that was chosen, as its description.
    pub fn personality(description: impl Into<String>) -> Self {
        Self::new(ChangeKind::Personality, "", description)
    }

    /// What an MCP server says about its use.
    pub fn mcp_instructions(server: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(ChangeKind::McpInstructions, server, text)
    }
}

/// What can change during a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The permission mode: `name` is the mode's, `text` its description.
    Mode,
    /// The plan: `name` is empty.
    Plan,
    /// A memory: `name` is the path of its file.
    Memory,
    /// An instruction file: `name` is its path.
    Instructions,
    /// The personality that was chosen: `name` is empty, `text` its description.
    Personality,
    /// An MCP server's instructions: `name` is the server's.
    McpInstructions,
}
