//! The second pass: decided exchanges become the steps of a host.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::About;
use crate::beginning::Beginning;
use crate::closing::closed;
use crate::conversation::{Answered, Item, Part, Performed, arrange};
use crate::files::{Content, Files, StateId};
use crate::model::compacted_into;
use crate::name::Names;
use crate::plan::{
    As, Changes, Context, Delivery, InsertResult, Message, Outcome, Read, ReplyMessage, Step,
    UserMessage,
};
use crate::planner::{NO_ROOM, Planned, PlannedRead, ROOM, What};
use crate::policies::{Policies, PolicyCounts};
use crate::window::stand_in;

/// `reads.window` of `loop.json`: a read shows this many lines where it names no limit.
const WINDOW: u32 = 2000;
/// Counted where a read showed only the empty text after a file's last line break.
const NO_LINE: &str = "a read that shows no line of its file";

/// The contexts of a session, with their steps, and what its requests were under each policy.
pub(crate) fn contexts(
    beginning: &Beginning<'_>,
    items: Vec<Item<Planned>>,
    files: &Files,
    about: &mut About,
) -> (Vec<Context>, Vec<PolicyCounts>) {
    let mut room = ROOM;
    let mut all: Vec<Steps> = beginning.names.iter().map(|_| Steps::default()).collect();
    for item in items {
        if let Some(steps) = all.get_mut(context_of(&item)) {
            steps.take(item, files, &mut room, about);
        }
    }
    let arranged: Vec<Vec<Part>> = all.into_iter().map(|steps| arrange(steps.items)).collect();
    let stand_ins = stand_ins(beginning, &arranged);
    let mut policies = Policies::default();
    let mut contexts = Vec::new();
    for ((name, parts), stand_in) in beginning.names.iter().zip(arranged).zip(stand_ins) {
        policies.context(beginning.prompt_of(name), &parts);
        let parts = match beginning.window {
            Some(_) => closed(parts),
            None => parts,
        };
        contexts.push(Context {
            name: name.clone(),
            settings: beginning.settings(name, files.base()),
            stand_in,
            steps: parts.into_iter().flat_map(performed).collect(),
        });
    }
    (contexts, policies.counts())
}

/// What each context is compacted with; none without a window.
fn stand_ins(beginning: &Beginning<'_>, arranged: &[Vec<Part>]) -> Vec<Option<String>> {
    let names = beginning.names.iter().enumerate();
    let stand_in = |(at, parts): (usize, &Vec<Part>)| {
        let next = compacted_into(beginning.names, at).and_then(|next| arranged.get(next));
        let next = next.map(Vec::as_slice).unwrap_or_default();
        Some(stand_in(beginning.window?, parts, next))
    };
    names
        .zip(arranged)
        .map(|((at, _), parts)| stand_in((at, parts)))
        .collect()
}

fn context_of(item: &Item<Planned>) -> usize {
    match item {
        Item::Said(said) => said.context,
        Item::Reply(reply) => reply.context,
        Item::Result(planned) => planned.context,
    }
}

/// What the call of a result, counted from 0, was given: the results after the first are a call's
/// for several files, whose arguments need not be there as often.
fn arguments_of(result: usize, arguments: &str) -> &str {
    if result == 0 { arguments } else { "{}" }
}

/// What a host does for a part of a conversation.
fn performed(part: Part) -> Vec<Step> {
    match part {
        Part::Said(said) => vec![Step::AddMessage(Message::User(UserMessage {
            text: said.text,
            sender: said.sender,
            delivery: if said.starts_turn {
                Delivery::StartsTurn
            } else {
                Delivery::StepBoundary
            },
        }))],
        Part::Reply(reply) => {
            let request = reply.recorded.then_some(Step::BuildRequest);
            let message = Step::AddMessage(Message::Reply(ReplyMessage {
                json: reply_json(&reply),
                incomplete: reply.incomplete,
            }));
            request.into_iter().chain([message]).collect()
        }
        Part::Result(result) => result.steps,
    }
}

/// The reply as OpenAI's chat completions spell one.
fn reply_json(reply: &Answered) -> String {
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    let content = if reply.text.is_empty() && !reply.calls.is_empty() {
        Value::Null
    } else {
        json!(reply.text)
    };
    message.insert("content".to_owned(), content);
    if !reply.reasoning.is_empty() {
        message.insert("reasoning_content".to_owned(), json!(reply.reasoning));
    }
    let calls = reply.calls.iter().flat_map(|call| {
        call.ids.iter().enumerate().map(|(at, id)| {
            let arguments = as_object(arguments_of(at, &call.arguments));
            json!({"id": id, "type": "function", "function": {"name": call.tool, "arguments": arguments}})
        })
    });
    let calls: Vec<Value> = calls.collect();
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    Value::Object(message).to_string()
}

/// Arguments as a session runs them: what a recording holds of a tool that takes plain text is an object's
/// only field.
fn as_object(arguments: &str) -> Cow<'_, str> {
    match serde_json::from_str::<Map<String, Value>>(arguments) {
        Ok(_) => Cow::Borrowed(arguments),
        Err(_) => Cow::Owned(json!({"input": arguments}).to_string()),
    }
}

/// One context's events with their steps, and the tree that they leave.
#[derive(Default)]
struct Steps {
    items: Vec<Item<Performed>>,
    /// What lies in the host's tree, by absolute path.
    tree: HashMap<String, InTree>,
    calls: Names,
}

struct InTree {
    state: StateId,
    content: Content,
}

impl Steps {
    fn take(&mut self, item: Item<Planned>, files: &Files, room: &mut usize, about: &mut About) {
        let item = match item {
            Item::Said(said) => Item::Said(said),
            Item::Reply(reply) => Item::Reply(reply),
            Item::Result(planned) => match self.perform(planned, files, room, about) {
                Some(performed) => Item::Result(performed),
                None => return,
            },
        };
        self.items.push(item);
    }

    /// None where nothing is to be done.
    fn perform(
        &mut self,
        planned: Planned,
        files: &Files,
        room: &mut usize,
        about: &mut About,
    ) -> Option<Performed> {
        let mut performed = Performed {
            number: planned.number,
            tool: planned.tool,
            arguments: planned.arguments,
            recorded: planned.recorded,
            failed: planned.failed,
            ..Performed::default()
        };
        let outcomes = match planned.what {
            What::Nothing => return None,
            What::Text(counted, outcome) => vec![(counted, outcome)],
            What::Changes(files) => vec![(As::Change, Outcome::Changes(Changes { files }))],
            What::Reads { reads, text } => self
                .reads(&reads, files, room, &mut performed.steps)
                .unwrap_or_else(|reason| {
                    about.as_text(reason, planned.line);
                    vec![(As::Output, Outcome::Output(text))]
                }),
        };
        for (counted, outcome) in outcomes {
            let call = self.calls.unique(planned.call.clone());
            let arguments = arguments_of(performed.ids.len(), &performed.arguments);
            performed.ids.push(call.clone());
            let insert = InsertResult {
                counted,
                call,
                tool: performed.tool.clone(),
                arguments: arguments.to_owned(),
                outcome,
            };
            performed.steps.push(Step::InsertResult(Box::new(insert)));
        }
        Some(performed)
    }

    /// Puts the files into the tree, and reads them. The error is why that can't be.
    fn reads(
        &mut self,
        reads: &[PlannedRead],
        files: &Files,
        room: &mut usize,
        steps: &mut Vec<Step>,
    ) -> Result<Vec<(As, Outcome)>, &'static str> {
        let mut outcomes = Vec::new();
        for read in reads {
            let put = self.put(read.state, files, room, steps);
            let (counted, content) = put.ok_or(NO_ROOM)?;
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
    fn put(
        &mut self,
        state: StateId,
        files: &Files,
        room: &mut usize,
        steps: &mut Vec<Step>,
    ) -> Option<(As, &Content)> {
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
            steps.push(Step::WriteFile { path, content });
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
