//! The second pass: decided exchanges become the steps of a host.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Value, json};

use crate::About;
use crate::files::{Content, Files, StateId};
use crate::name::unique;
use crate::plan::{As, Changes, Context, InsertResult, Outcome, Read, Settings, Step};
use crate::planner::{Planned, PlannedRead, What};

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
    let mut contents = Contents {
        files,
        made: HashMap::new(),
    };
    let mut all: Vec<Steps> = names.iter().map(|_| Steps::default()).collect();
    for one in planned {
        if let Some(steps) = all.get_mut(one.context) {
            steps.perform(one, &mut contents, about);
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

/// Contents of states, each put together once.
struct Contents<'a> {
    files: &'a Files,
    made: HashMap<StateId, Rc<Content>>,
}

impl Contents<'_> {
    fn of(&mut self, state: StateId) -> Option<Rc<Content>> {
        if let Some(content) = self.made.get(&state) {
            return Some(Rc::clone(content));
        }
        let content = Rc::new(self.files.content_of(state)?);
        self.made.insert(state, Rc::clone(&content));
        Some(content)
    }
}

/// The steps of one context, and the tree that they leave.
#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    /// What lies in the host's tree, by absolute path.
    tree: HashMap<String, Rc<Content>>,
    calls: HashSet<String>,
}

impl Steps {
    fn perform(&mut self, planned: Planned, contents: &mut Contents<'_>, about: &mut About) {
        let Planned {
            call,
            tool,
            arguments,
            what,
            ..
        } = planned;
        let outcomes = match what {
            What::Nothing => return,
            What::Text(counted, outcome) => vec![(counted, outcome)],
            What::Changes(files) => vec![(As::Change, Outcome::Changes(Changes { files }))],
            What::Reads { reads, text } => match self.reads(&reads, contents) {
                Some(outcomes) => outcomes,
                None => {
                    about.as_text(NO_LINE, None);
                    vec![(As::Output, Outcome::Output(text))]
                }
            },
        };
        for (counted, outcome) in outcomes {
            let call = unique(call.clone(), &mut self.calls);
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

    /// Puts the files into the tree. None where one of the reads would show nothing.
    fn reads(
        &mut self,
        reads: &[PlannedRead],
        contents: &mut Contents<'_>,
    ) -> Option<Vec<(As, Outcome)>> {
        let mut outcomes = Vec::new();
        for read in reads {
            let content = contents.of(read.state)?;
            let (offset, limit) = window(read, &content.text)?;
            let counted = self.put(&content);
            outcomes.push((
                counted,
                Outcome::Read(Read {
                    path: read.path.clone(),
                    offset,
                    limit,
                }),
            ));
        }
        Some(outcomes)
    }

    /// Writes the file where the tree has another content. A read of what is there already equals
    /// the earlier read only as far as the recording shows every line.
    fn put(&mut self, content: &Rc<Content>) -> As {
        if self
            .tree
            .get(&content.path)
            .is_some_and(|there| there.text == content.text)
        {
            return if content.complete {
                As::Read
            } else {
                As::ReadAssumed
            };
        }
        self.steps.push(Step::WriteFile {
            path: content.path.clone(),
            content: content.text.clone(),
        });
        self.tree.insert(content.path.clone(), Rc::clone(content));
        As::Read
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
