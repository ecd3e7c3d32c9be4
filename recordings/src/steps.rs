//! The second pass: decided exchanges become the steps of a host.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::About;
use crate::files::{Content, Files, StateId};
use crate::name::Names;
use crate::plan::{As, Changes, Context, InsertResult, Outcome, Read, Settings, Step};
use crate::planner::{NO_ROOM, Planned, PlannedRead, ROOM, What};

/// `reads.window` of `loop.json`: a read shows this many lines where it names no limit.
const WINDOW: u32 = 2000;
/// Counted where a read showed only the empty text after a file's last line break.
const NO_LINE: &str = "a read that shows no line of its file";

/// The contexts of a session, with their steps.
pub(crate) fn contexts(
    names: &[String],
    planned: Vec<Planned>,
    files: &Files,
    searches: &[&str],
    about: &mut About,
) -> Vec<Context> {
    let mut room = ROOM;
    let mut all: Vec<Steps> = names.iter().map(|_| Steps::default()).collect();
    for one in planned {
        if let Some(steps) = all.get_mut(one.context) {
            steps.perform(one, files, &mut room, about);
        }
    }
    let settings = Settings {
        kind: "agent".to_owned(),
        root: files.base().root().to_owned(),
        home: files.base().home().map(str::to_owned),
        overrides: overrides(searches),
    };
    let steps = all.into_iter().map(|steps| steps.steps);
    let context = |(name, steps): (&String, _)| Context {
        name: name.clone(),
        settings: settings.clone(),
        steps,
    };
    names.iter().zip(steps).map(context).collect()
}

/// §6 acts on the tools that the harness itself calls searches and listings.
fn overrides(searches: &[&str]) -> Value {
    if searches.is_empty() {
        return json!({});
    }
    json!({"context": {"dedupe": {"by_result": searches}}})
}

/// The steps of one context, and the tree that they leave.
#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    /// What lies in the host's tree, by absolute path.
    tree: HashMap<String, InTree>,
    calls: Names,
}

struct InTree {
    state: StateId,
    content: Content,
}

impl Steps {
    fn perform(&mut self, planned: Planned, files: &Files, room: &mut usize, about: &mut About) {
        let Planned {
            call,
            tool,
            arguments,
            what,
            line,
            ..
        } = planned;
        let outcomes = match what {
            What::Nothing => return,
            What::Text(counted, outcome) => vec![(counted, outcome)],
            What::Changes(files) => vec![(As::Change, Outcome::Changes(Changes { files }))],
            What::Reads { reads, text } => {
                self.reads(&reads, files, room).unwrap_or_else(|reason| {
                    about.as_text(reason, line);
                    vec![(As::Output, Outcome::Output(text))]
                })
            }
        };
        for (counted, outcome) in outcomes {
            let call = self.calls.unique(call.clone());
            let (tool, arguments) = (tool.clone(), arguments.clone());
            let insert = InsertResult {
                counted,
                call,
                tool,
                arguments,
                outcome,
            };
            self.steps.push(Step::InsertResult(Box::new(insert)));
        }
    }

    /// Puts the files into the tree, and reads them. The error is why that can't be.
    fn reads(
        &mut self,
        reads: &[PlannedRead],
        files: &Files,
        room: &mut usize,
    ) -> Result<Vec<(As, Outcome)>, &'static str> {
        let mut outcomes = Vec::new();
        for read in reads {
            let (counted, content) = self.put(read.state, files, room).ok_or(NO_ROOM)?;
            let (offset, limit) = window(read, &content.text).ok_or(NO_LINE)?;
            outcomes.push((
                counted,
                Outcome::Read(Read {
                    path: read.path.clone(),
                    offset,
                    limit,
                }),
            ));
        }
        Ok(outcomes)
    }

    /// Writes the file where the tree has another content. A read of what is there already equals
    /// the earlier read only as far as the recording shows every line. None where no room is left.
    fn put(&mut self, state: StateId, files: &Files, room: &mut usize) -> Option<(As, &Content)> {
        let path = files.path_of(state)?;
        if self
            .tree
            .get(path)
            .is_some_and(|there| there.state == state)
        {
            let content = &self.tree.get(path)?.content;
            return Some((counted(content), content));
        }
        if *room == 0 {
            return None;
        }
        let content = files.content_of(state)?;
        let equal = self
            .tree
            .get(path)
            .is_some_and(|there| there.content.text == content.text);
        let counted = if equal { counted(&content) } else { As::Read };
        if !equal {
            *room = room.checked_sub(content.text.len()).unwrap_or_default();
            let (path, content) = (path.to_owned(), content.text.clone());
            self.steps.push(Step::WriteFile { path, content });
        }
        let there = InTree { state, content };
        self.tree.insert(path.to_owned(), there);
        Some((counted, &self.tree.get(path)?.content))
    }
}

/// How a read counts whose file the tree had already.
fn counted(content: &Content) -> As {
    if content.complete {
        As::Read
    } else {
        As::ReadAssumed
    }
}

/// Offset and limit such that the component shows the lines that the recording shows, as far as
/// its window reaches. None where they hold no line as the component counts them.
fn window(read: &PlannedRead, text: &str) -> Option<(Option<u32>, Option<u32>)> {
    let breaks = u32::try_from(text.matches('\n').count()).ok()?;
    let total = if text.is_empty() || text.ends_with('\n') {
        breaks
    } else {
        breaks + 1
    };
    if total == 0 {
        return Some((None, None));
    }
    if read.first > total {
        return None;
    }
    let last = read.last.min(total);
    let limit = (last < total).then(|| (last - read.first + 1).min(WINDOW));
    Some(((read.first > 1).then_some(read.first), limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_shows_the_recorded_lines() {
        let read = |first, last| PlannedRead {
            path: "a".into(),
            state: 0,
            first,
            last,
        };
        let long = "x\n".repeat(5000);
        for (first, last, text, expected) in [
            (1, 4, "a\nb\nc\n", Some((None, None))),
            (1, 3, "a\nb\nc\n", Some((None, None))),
            (1, 2, "a\nb\nc\n", Some((None, Some(2)))),
            (2, 3, "a\nb\nc", Some((Some(2), None))),
            (4, 4, "a\nb\nc\n", None),
            (1, 1, "", Some((None, None))),
            (1, 4000, &long, Some((None, Some(2000)))),
            (4000, 5001, &long, Some((Some(4000), None))),
        ] {
            assert_eq!(
                window(&read(first, last), text),
                expected,
                "{first}-{last} {}",
                text.len()
            );
        }
    }
}
