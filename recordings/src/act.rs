//! What a tool call did, as far as the recording tells. The planner makes steps of it.

/// What came of a call.
#[derive(Debug, PartialEq)]
pub(crate) enum Act {
    /// The harness's read tool showed lines of one file or of several.
    Read { text: String, files: Vec<Shown> },
    /// An edit tool changed files.
    Edit { text: String, files: Vec<FileEdit> },
    /// A shell command.
    Shell(Shell),
    /// A search or listing of the harness's own.
    Search(String),
    /// A file that the model was shown by other means than a tool.
    Seen(Shown),
    /// No result was recorded: the call was interrupted, or the recording was.
    Unanswered,
    /// A command that the person ran, beside the model's calls.
    Aside(String),
    /// Any other result.
    Output(String),
    /// Any other result, of a tool that may have changed files.
    Unknown(String),
    /// The call failed.
    Failure(String),
    /// A read that could not be understood, and why.
    Unclear { text: String, reason: &'static str },
}

/// Counted where a read can't be understood.
pub(crate) const UNREADABLE: &str = "a read whose text is not a file's lines";

impl Act {
    /// A read of one file; without its lines, it can't be understood.
    pub(crate) fn read(shown: Option<Shown>, text: String) -> Self {
        Self::reads(shown.map(|shown| vec![shown]), text)
    }

    /// The same for several files.
    pub(crate) fn reads(files: Option<Vec<Shown>>, text: String) -> Self {
        match files.filter(|files| !files.is_empty()) {
            Some(files) => Self::Read { text, files },
            None => Self::Unclear {
                text,
                reason: UNREADABLE,
            },
        }
    }

    /// What the model was given; empty where it was given nothing.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Read { text, .. }
            | Self::Edit { text, .. }
            | Self::Search(text)
            | Self::Output(text)
            | Self::Unknown(text)
            | Self::Failure(text)
            | Self::Unclear { text, .. } => text,
            Self::Shell(shell) => &shell.text,
            Self::Seen(_) | Self::Unanswered | Self::Aside(_) => "",
        }
    }

    /// Whether the recording says that the call failed.
    pub(crate) fn failed(&self) -> bool {
        matches!(self, Self::Failure(_)) || matches!(self, Self::Shell(shell) if shell.failed)
    }
}

/// Lines of a file, as a read showed them.
///
/// Lines are counted as an editor does: the empty text after a last line break is one, so a file
/// `a\n` has two and an empty file has one. That way a final line break is a known line like any
/// other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    /// As the call gave it.
    pub(crate) path: String,
    /// The first line shown, from 1.
    pub(crate) start: u32,
    /// Without their line breaks.
    pub(crate) lines: Vec<String>,
    /// The file's length in lines, if the read told it.
    pub(crate) total: Option<u32>,
    /// The same, from a tool that does not tell whether the last line ends in a break: without the
    /// empty text after it.
    pub(crate) texts: Option<u32>,
}

impl Shown {
    /// A whole file.
    pub(crate) fn whole(path: &str, content: &str) -> Self {
        let lines: Vec<String> = content.split('\n').map(str::to_owned).collect();
        let total = u32::try_from(lines.len()).ok();
        Self {
            total,
            ..Self::part(path, 1, lines)
        }
    }

    /// Lines of a file whose length is not told.
    pub(crate) fn part(path: &str, start: u32, lines: Vec<String>) -> Self {
        Self {
            path: path.to_owned(),
            start,
            lines,
            total: None,
            texts: None,
        }
    }

    /// The lines shown reach to the file's end.
    pub(crate) fn ending_here(self) -> Self {
        Self {
            total: Some(self.end()),
            ..self
        }
    }

    /// They do, and the last one ends in a break.
    pub(crate) fn with_final_break(mut self) -> Self {
        self.lines.push(String::new());
        self.ending_here()
    }

    /// The number of the last line shown.
    pub(crate) fn end(&self) -> u32 {
        let count = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        self.start.saturating_add(count).saturating_sub(1)
    }

    /// The content, if the whole file is shown.
    pub(crate) fn content(&self) -> Option<String> {
        let end = Some(self.end());
        let text = (self.start == 1).then(|| self.lines.join("\n"));
        match text {
            Some(text) if self.total == end => Some(text),
            Some(text) if self.texts == end => Some(text + "\n"),
            _ => None,
        }
    }
}

/// What an edit tool did to one file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileEdit {
    /// As the call gave it.
    pub(crate) path: String,
    pub(crate) edit: Edit,
}

/// An edit, as far as the recording tells.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    /// Both contents; none before for a new file, none after for a deleted one.
    Known {
        before: Option<String>,
        after: Option<String>,
    },
    /// The new content; whether there was a file before is not told.
    Write(String),
    /// Replacements in the content that the file has.
    Replace(Vec<Replacement>),
    /// Hunks of a patch in the content that the file has.
    Hunks(Vec<Hunk>),
    /// The lines shown afterwards.
    Result(Shown),
    /// The file is gone.
    Delete,
    /// Nothing is told.
    Opaque,
}

/// One replacement of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Replacement {
    pub(crate) old: String,
    pub(crate) new: String,
    /// Every place, where `old` would have to be unique otherwise.
    pub(crate) all: bool,
}

/// One hunk of an `apply_patch` patch.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hunk {
    /// The lines that `@@` names, outermost first: the hunk lies after them.
    pub(crate) anchors: Vec<String>,
    pub(crate) old: Vec<String>,
    pub(crate) new: Vec<String>,
    /// The hunk lies at the end of the file.
    pub(crate) at_end: bool,
}

/// A shell command and its output.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Shell {
    /// What the model was given, envelope included.
    pub(crate) text: String,
    pub(crate) failed: bool,
    pub(crate) command: String,
    /// The directory that the command ran in, if it is told.
    pub(crate) directory: Option<String>,
    /// The command's own output, whole; none where the harness cut it or it can't be told from the
    /// envelope.
    pub(crate) output: Option<String>,
    /// Nothing was trimmed off the output's end.
    pub(crate) exact: bool,
}
