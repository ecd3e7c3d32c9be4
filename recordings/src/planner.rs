//! From exchanges to steps, in two passes: the first learns what the files held, the second says
//! what a host has to do.

use std::collections::HashMap;

use crate::About;
use crate::act::{Act, Edit, FileEdit, Shell, Shown};
use crate::beginning::Beginning;
use crate::conversation::Item;
use crate::files::{Files, StateId};
use crate::lacks::lacks;
use crate::model::{Event, Exchange, Recorded};
use crate::patch;
use crate::path::Base;
use crate::plan::{As, FileChange, Outcome, Session};
use crate::ranges::Ranges;
use crate::replace::replace;
use crate::shell_effects::{failure_may_write, may_write, tool_may_write};
use crate::shell_read::{ShellRead, shell_read};
use crate::steps::contexts;
use crate::window::Window;

/// Counted where an edit's diff can't be made.
const NO_CONTENT: &str = "an edit without the file's content";
/// Counted where lines past [`crate::files::LONGEST_FILE`] were read.
const TOO_LONG: &str = "a read of line numbers that are too high";
/// Counted where a plan would grow out of all proportion to its recording.
pub(crate) const NO_ROOM: &str = "a change or read past the size that a plan may have";

/// Characters of file contents that a plan may hold, in bytes: once in changes and once in the
/// tree. A recording that names a file's content once can edit it any number of times.
pub(crate) const ROOM: usize = 1 << 28;

/// An exchange, decided.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) context: usize,
    /// The number of the call, if it is recorded.
    pub(crate) number: Option<usize>,
    pub(crate) call: String,
    pub(crate) tool: String,
    pub(crate) arguments: String,
    pub(crate) line: Option<u32>,
    /// What the model was given.
    pub(crate) recorded: String,
    pub(crate) failed: bool,
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
pub(crate) fn session(
    name: String,
    recorded: Recorded,
    shell_reads: bool,
    window: Option<&Window>,
) -> Session {
    let mut about = recorded.about.clone();
    about.lacks = lacks(&recorded);
    let Recorded {
        root,
        searches,
        contexts: names,
        prompt,
        events,
        ..
    } = recorded;
    let base = Base::new(root.as_deref());
    let mut planner = Planner {
        files: Files::new(base),
        shell_reads,
        about,
        ranges: HashMap::new(),
        room: ROOM,
    };
    let items: Vec<Item<Planned>> = events
        .into_iter()
        .map(|event| planner.event(event))
        .collect();
    let Planner {
        files, mut about, ..
    } = planner;
    let begins = Beginning {
        names: &names,
        prompt: &prompt,
        searches,
        window,
    };
    let (contexts, policies) = contexts(&begins, items, &files, &mut about);
    Session {
        name,
        about,
        policies,
        window: window.cloned(),
        contexts,
    }
}

struct Planner {
    files: Files,
    shell_reads: bool,
    about: About,
    /// Lines that were shown of each state, by context.
    ranges: HashMap<(usize, StateId), Ranges>,
    room: usize,
}

impl Planner {
    fn event(&mut self, event: Event) -> Item<Planned> {
        match event {
            Event::Said(said) => Item::Said(said),
            Event::Reply(reply) => Item::Reply(reply),
            Event::Exchange(exchange) => Item::Result(self.plan(exchange)),
        }
    }

    fn plan(&mut self, exchange: Exchange) -> Planned {
        let Exchange {
            context,
            call: number,
            id,
            tool,
            arguments,
            line,
            act,
        } = exchange;
        let recorded = act.text().to_owned();
        let failed = act.failed();
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
            Act::Failure(text) => {
                if failure_may_write(&tool) {
                    self.files.may_have_changed();
                }
                failure(text)
            }
            Act::Unanswered => {
                if tool_may_write(&tool) {
                    self.files.may_have_changed();
                }
                What::Nothing
            }
            Act::Aside(command) => {
                if may_write(&command) {
                    self.files.may_have_changed();
                }
                What::Nothing
            }
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
            number,
            call: id,
            tool,
            arguments,
            line,
            recorded,
            failed,
            what,
        }
    }

    fn reads(&mut self, context: usize, text: String, files: &[Shown], line: Option<u32>) -> What {
        let reads: Option<Vec<_>> = files.iter().map(|shown| self.see(context, shown)).collect();
        match reads {
            Some(reads) => What::Reads { reads, text },
            None => {
                self.about.as_text(TOO_LONG, line);
                output(text)
            }
        }
    }

    fn see(&mut self, context: usize, shown: &Shown) -> Option<PlannedRead> {
        let state = self.files.see(shown)?;
        let (first, last) = (shown.start, shown.end());
        self.ranges
            .entry((context, state))
            .or_default()
            .add(first, last);
        Some(PlannedRead {
            path: shown.path.clone(),
            state,
            first,
            last,
        })
    }

    fn edit(&mut self, text: String, edits: &[FileEdit], line: Option<u32>) -> What {
        let changes: Vec<_> = edits.iter().map(|edit| self.change(edit)).collect();
        let known = changes.into_iter().collect::<Option<Vec<_>>>();
        let Some(changes) = known.filter(|changes| !changes.is_empty()) else {
            self.about.as_text(NO_CONTENT, line);
            return output(text);
        };
        let sides = changes
            .iter()
            .flat_map(|change| [&change.before, &change.after]);
        let size = sides.flatten().map(String::len).sum();
        match self.room.checked_sub(size) {
            Some(left) => {
                self.room = left;
                What::Changes(changes)
            }
            None => {
                self.about.as_text(NO_ROOM, line);
                output(text)
            }
        }
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
        let (before, after) = self.sides(path, edit);
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
        (complete && !path.is_empty()).then(|| FileChange {
            path: path.clone(),
            before,
            after,
        })
    }

    /// The contents before and after, as far as they are known.
    fn sides(&self, path: &str, edit: &Edit) -> (Option<String>, Option<String>) {
        if let Edit::Known { before, after } = edit {
            return (before.clone(), after.clone());
        }
        let before = self.files.content(path);
        let known = before.as_deref();
        let after = match edit {
            Edit::Write(content) => Some(content.clone()),
            Edit::Replace(all) => known.and_then(|known| replace(known, all)),
            Edit::Hunks(hunks) => known.and_then(|known| patch::apply(known, hunks)),
            Edit::Result(shown) => shown.content(),
            Edit::Known { .. } | Edit::Delete | Edit::Opaque => None,
        };
        (before, after)
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
        match self.shell_read(context, &read, &shell) {
            Some(seen) if self.shell_reads => What::Reads {
                reads: vec![seen],
                text: shell.text,
            },
            _ => output(shell.text),
        }
    }

    fn shell_read(
        &mut self,
        context: usize,
        read: &ShellRead,
        shell: &Shell,
    ) -> Option<PlannedRead> {
        let directory = shell.directory.as_deref();
        let output = shell.output.as_deref()?;
        let shown = read.shown(self.files.base(), directory, output, shell.exact)?;
        let before = self.files.current(&shown.path);
        let ranges = before.and_then(|state| self.ranges.get(&(context, state)));
        let again = ranges.is_some_and(|ranges| ranges.hold(shown.start, shown.end()));
        let seen = self.see(context, &shown)?;
        self.about.shell_rereads += u64::from(again && before == Some(seen.state));
        Some(seen)
    }
}

fn output(text: String) -> What {
    What::Text(As::Output, Outcome::Output(text))
}

fn failure(text: String) -> What {
    What::Text(As::Failure, Outcome::Failure(text))
}

#[cfg(test)]
mod tests;
