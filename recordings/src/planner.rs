//! From exchanges to steps, in two passes: the first learns what the files held, the second says
//! what a host has to do.

use std::collections::HashMap;

use crate::About;
use crate::act::{Act, Edit, FileEdit, Shell, Shown};
use crate::files::{Files, StateId};
use crate::model::{Exchange, Recorded};
use crate::patch;
use crate::path::Base;
use crate::plan::{As, FileChange, Options, Outcome, Session};
use crate::replace::replace;
use crate::shell_effects::{may_write, tool_may_write};
use crate::shell_read::shell_read;
use crate::steps::contexts;

/// Counted where an edit's diff can't be made.
pub(crate) const NO_CONTENT: &str = "an edit without the file's content";
/// Counted where lines past [`crate::files::LONGEST_FILE`] were read.
const TOO_LONG: &str = "a read of line numbers that are too high";

/// An exchange, decided.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) context: usize,
    pub(crate) call: String,
    pub(crate) tool: String,
    pub(crate) arguments: String,
    pub(crate) what: What,
}

/// What is to be inserted.
#[derive(Debug)]
pub(crate) enum What {
    /// Reads of files in a state; `text` is what the harness showed.
    Reads {
        reads: Vec<PlannedRead>,
        text: String,
    },
    Changes(Vec<FileChange>),
    Text(As, Outcome),
    Nothing,
}

/// Lines of a file in a state.
#[derive(Debug)]
pub(crate) struct PlannedRead {
    /// As the call gave it.
    pub(crate) path: String,
    pub(crate) state: StateId,
    /// From 1, counted as in [`Shown`].
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// The steps of a session. `name` is its name in the plan.
pub(crate) fn session(name: String, recorded: Recorded, options: &Options) -> Session {
    let Recorded {
        root,
        searches,
        contexts: names,
        exchanges,
        about,
        ..
    } = recorded;
    let base = Base::new(root.as_deref());
    let mut planner = Planner {
        files: Files::new(base.clone()),
        shell_reads: options.shell_reads,
        about,
        ranges: HashMap::new(),
    };
    let planned: Vec<Planned> = exchanges.into_iter().map(|one| planner.plan(one)).collect();
    let Planner {
        files, mut about, ..
    } = planner;
    let contexts = contexts(&names, planned, &files, searches, &mut about);
    Session {
        name,
        about,
        contexts,
    }
}

struct Planner {
    files: Files,
    shell_reads: bool,
    about: About,
    /// Lines that were shown of each state, by context.
    ranges: HashMap<(usize, StateId), Vec<(u32, u32)>>,
}

impl Planner {
    fn plan(&mut self, exchange: Exchange) -> Planned {
        let Exchange {
            context,
            id,
            tool,
            arguments,
            line,
            act,
        } = exchange;
        let what = match act {
            Act::Read { text, files } => self.reads(context, text, &files, line),
            Act::Edit { text, files } => self.edit(text, &files, line),
            Act::Shell(shell) => self.shell(context, shell),
            Act::Seen(shown) => {
                self.files.see(&shown);
                What::Nothing
            }
            Act::Search(text) => What::Text(As::Search, Outcome::Output(text)),
            Act::Output(text) => output(text),
            Act::Failure(text) => failure(text),
            Act::Unknown(text) => {
                if tool_may_write(&tool) {
                    self.files.may_have_changed();
                }
                output(text)
            }
            Act::Unclear { text, reason } => {
                self.about.as_text(reason, line);
                output(text)
            }
        };
        Planned {
            context,
            call: id,
            tool,
            arguments,
            what,
        }
    }

    fn reads(&mut self, context: usize, text: String, files: &[Shown], line: Option<u32>) -> What {
        let mut reads = Vec::new();
        for shown in files {
            let Some(read) = self.see(context, shown) else {
                self.about.as_text(TOO_LONG, line);
                return output(text);
            };
            reads.push(read);
        }
        What::Reads { reads, text }
    }

    fn see(&mut self, context: usize, shown: &Shown) -> Option<PlannedRead> {
        let state = self.files.see(shown)?;
        let (first, last) = (shown.start, shown.end());
        self.ranges
            .entry((context, state))
            .or_default()
            .push((first, last));
        Some(PlannedRead {
            path: shown.path.clone(),
            state,
            first,
            last,
        })
    }

    fn edit(&mut self, text: String, edits: &[FileEdit], line: Option<u32>) -> What {
        let mut changes = Vec::new();
        for edit in edits {
            changes.extend(self.change(edit));
        }
        if changes.len() == edits.len() && !changes.is_empty() {
            return What::Changes(changes);
        }
        self.about.as_text(NO_CONTENT, line);
        output(text)
    }

    /// The change that an edit was; none where a content is not known.
    fn change(&mut self, FileEdit { path, edit }: &FileEdit) -> Option<FileChange> {
        if let Edit::Known {
            before: Some(before),
            ..
        } = edit
        {
            self.files.see(&Shown::whole(path, before));
        }
        let known = self.files.content(path);
        let (before, after) = match edit {
            Edit::Known { before, after } => (before.clone(), after.clone()),
            Edit::Write(content) => (known, Some(content.clone())),
            Edit::Replace(all) => (known.clone(), known.and_then(|known| replace(&known, all))),
            Edit::Hunks(hunks) => (
                known.clone(),
                known.and_then(|known| patch::apply(&known, hunks)),
            ),
            Edit::Result(shown) => (known, shown.content()),
            Edit::Delete => (known, None),
            Edit::Opaque => (None, None),
        };
        match (&after, edit) {
            (Some(after), _) => drop(self.files.becomes(path, after)),
            (None, Edit::Result(shown)) => {
                self.files.forget(path);
                self.files.see(shown);
            }
            (None, _) => self.files.forget(path),
        }
        let complete = match edit {
            Edit::Known { .. } => before.is_some() || after.is_some(),
            Edit::Delete => before.is_some(),
            _ => before.is_some() && after.is_some(),
        };
        complete.then(|| FileChange {
            path: path.clone(),
            before,
            after,
        })
    }

    fn shell(&mut self, context: usize, shell: Shell) -> What {
        let read = if shell.failed {
            None
        } else {
            shell_read(&shell.command)
        };
        let Some(read) = read else {
            if may_write(&shell.command) {
                self.files.may_have_changed();
            }
            return if shell.failed {
                failure(shell.text)
            } else {
                output(shell.text)
            };
        };
        self.about.shell_reads += 1;
        let base = self.files.base();
        let shown = shell
            .output
            .as_deref()
            .and_then(|output| read.shown(base, shell.directory.as_deref(), output, shell.exact));
        let Some(shown) = shown else {
            return output(shell.text);
        };
        let again = self.shown_before(context, &shown);
        let Some(seen) = self.see(context, &shown) else {
            return output(shell.text);
        };
        self.about.shell_rereads += u64::from(again == Some(seen.state));
        if self.shell_reads {
            What::Reads {
                reads: vec![seen],
                text: shell.text,
            }
        } else {
            output(shell.text)
        }
    }

    /// The state of the file of which this context was shown all of these lines before.
    fn shown_before(&self, context: usize, shown: &Shown) -> Option<StateId> {
        let state = self.files.current(&shown.path)?;
        let ranges = self.ranges.get(&(context, state))?;
        let within = |(first, last): &(u32, u32)| *first <= shown.start && shown.end() <= *last;
        ranges.iter().any(within).then_some(state)
    }
}

fn output(text: String) -> What {
    What::Text(As::Output, Outcome::Output(text))
}

fn failure(text: String) -> What {
    What::Text(As::Failure, Outcome::Failure(text))
}
