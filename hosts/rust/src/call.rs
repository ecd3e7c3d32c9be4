//! Tool calls, and what came of them.

/// A model's tool call, as the provider gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The provider's id of the call, not empty. In a session of results only it is unique; with a
    /// dialect it is that of an open call of the last reply.
    pub id: String,
    /// The tool's name. It decides whether equal results are deduplicated (§6).
    pub name: String,
    /// The arguments, exactly as the model wrote them. Compared as JSON with sorted keys, or as text
    /// where they are not JSON.
    pub arguments: String,
}

/// What a recall shows of a stored result; the default is its first 2000 lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecallWindow {
    /// The first line, from 1. 0 and none read as 1.
    pub offset: Option<u32>,
    /// How many lines: at most, and by default, 2000, and only as many as have 100,000 characters. 0
    /// and none read as the default.
    pub limit: Option<u32>,
    /// The first character of the one line `offset`, from 1, where that line is too long. 0 and none
    /// read as 1.
    pub char_offset: Option<u32>,
    /// How many characters of that line. 0 and none read as all that fit.
    pub char_limit: Option<u32>,
}

impl ToolCall {
    /// A call by its id, the tool's name and its arguments.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        }
    }
}

/// What came of a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// A file to read, which the session does itself (§1, §2).
    Read(Read),
    /// Files that the tool has changed (§5).
    Changes(Changes),
    /// What the tool said (§3, §6).
    Output(String),
    /// The tool failed: its message.
    Failure(String),
    /// What a subagent brought.
    Delegated(Delegated),
}

impl Outcome {
    /// A read of a whole file, up to the window of 2000 lines. [`Read`] says more.
    pub fn read(path: impl Into<String>) -> Self {
        Self::Read(Read::new(path))
    }

    /// One changed file. [`Changes`] takes several, and a note.
    pub fn change(change: FileChange) -> Self {
        Self::Changes(Changes::new([change]))
    }

    /// What the tool said.
    pub fn output(text: impl Into<String>) -> Self {
        Self::Output(text.into())
    }

    /// Why the tool failed.
    pub fn failure(message: impl Into<String>) -> Self {
        Self::Failure(message.into())
    }

    /// What the subagent brought whose session has this key
    /// ([`Session::delegate`](crate::Session::delegate)).
    pub fn delegated(key: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Delegated(Delegated {
            key: key.into(),
            text: text.into(),
        })
    }
}

impl From<Read> for Outcome {
    fn from(read: Read) -> Self {
        Self::Read(read)
    }
}

impl From<Changes> for Outcome {
    fn from(changes: Changes) -> Self {
        Self::Changes(changes)
    }
}

/// What a subagent brought (`docs/assembly.md`, "Subagents").
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delegated {
    /// The key of its session, as [`Delegation::key`](crate::Delegation::key).
    pub key: String,
    /// Its answer: held to the setting `delegation.max_chars`, and stored in full.
    pub text: String,
}

/// A read of a file.
///
/// ```
/// use waybread::Read;
///
/// let read = Read::new("src/app.ts").offset(50).limit(31);
/// # assert_eq!(read.offset, Some(50));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Read {
    /// The path as the call gave it. The answer's bracket repeats it.
    pub path: String,
    /// The first line to show, from 1. 0 and none read as 1.
    pub offset: Option<u32>,
    /// How many lines to show, at most and by default 2000. 0 and none read as the default.
    pub limit: Option<u32>,
    /// Answer in full even where a stub would do: for callers that are programs.
    pub force: bool,
}

impl Read {
    /// A read from the first line.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            offset: None,
            limit: None,
            force: false,
        }
    }

    /// The same from another first line.
    #[must_use]
    pub fn offset(mut self, offset: impl Into<Option<u32>>) -> Self {
        self.offset = offset.into();
        self
    }

    /// The same with fewer lines.
    #[must_use]
    pub fn limit(mut self, limit: impl Into<Option<u32>>) -> Self {
        self.limit = limit.into();
        self
    }

    /// The same, never answered with a stub.
    #[must_use]
    pub fn force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }
}

/// What `edit`, `multiedit`, `apply_patch` or `write` did (§5).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// At least one, in the patch's order.
    pub files: Vec<FileChange>,
    /// A note that the tool adds. It follows the diff.
    pub note: Option<String>,
}

impl Changes {
    /// Changed files, in the patch's order.
    pub fn new(files: impl IntoIterator<Item = FileChange>) -> Self {
        Self {
            files: files.into_iter().collect(),
            note: None,
        }
    }

    /// The same with a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

/// One file that a tool created, changed or deleted. The tool has done so already.
///
/// Contents are bytes: one that is not UTF-8 is named by its size and never shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileChange {
    /// The path as the call gave it.
    pub path: String,
    /// The content before; none if the file is new.
    pub before: Option<Vec<u8>>,
    /// The content after; none if the file was deleted.
    pub after: Option<Vec<u8>>,
}

impl FileChange {
    /// A change from one content to another, where none stands for no file.
    pub fn new(path: impl Into<String>, before: Option<Vec<u8>>, after: Option<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            before,
            after,
        }
    }

    /// A file that was not there.
    pub fn created(path: impl Into<String>, after: impl Into<Vec<u8>>) -> Self {
        Self::new(path, None, Some(after.into()))
    }

    /// A file with another content.
    pub fn edited(
        path: impl Into<String>,
        before: impl Into<Vec<u8>>,
        after: impl Into<Vec<u8>>,
    ) -> Self {
        Self::new(path, Some(before.into()), Some(after.into()))
    }

    /// A file that is gone.
    pub fn deleted(path: impl Into<String>, before: impl Into<Vec<u8>>) -> Self {
        Self::new(path, Some(before.into()), None)
    }
}
