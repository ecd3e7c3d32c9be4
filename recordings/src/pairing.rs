//! Joins results to their calls, and keeps what was said between them.
//!
//! A result may stand before its call, an id may be used twice, a call may never be answered and a
//! result may have no call at all; real recordings hold each of these.

mod waiting;

use std::collections::HashMap;

use serde_json::Value;

use crate::About;
use crate::act::{Act, Shown};
use crate::measures::measure_of;
use crate::model::{Event, Exchange, Recorded, Reply, ReplyCall, Said};
use crate::name::Names;

use waiting::Waiting;

/// Counted where a call has no result.
pub(crate) const UNANSWERED: &str = "a call without a result";

/// A recorded call.
#[derive(Debug, Default)]
pub(crate) struct Call {
    pub(crate) id: Option<String>,
    pub(crate) tool: String,
    pub(crate) arguments: String,
    pub(crate) line: Option<u32>,
    /// The directory that relative paths of this call mean, where the record has it.
    pub(crate) directory: Option<String>,
}

/// Which call a result answers.
#[derive(Debug, Default)]
pub(crate) enum Of {
    /// The next call with this id.
    Id(String),
    /// This call.
    Call(usize),
    /// The next call of this tool.
    Tool(String),
    /// None that the recording names.
    #[default]
    Nothing,
}

/// A recorded result.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) of: Of,
    pub(crate) context: usize,
    /// What the model was given.
    pub(crate) text: String,
    pub(crate) failed: bool,
    /// What the format records beside the text.
    pub(crate) extra: Value,
    pub(crate) line: Option<u32>,
}

impl Answer {
    /// What the model was given, and whether a measure of the harness shaped it, which is counted.
    pub(crate) fn take_text(&mut self, about: &mut About) -> (String, bool) {
        let text = std::mem::take(&mut self.text);
        let measure = measure_of(&text);
        if let Some(measure) = measure {
            about.measure(measure);
        }
        (text, measure.is_some())
    }
}

/// Messages, replies with their calls, and results of one session, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    calls: Vec<Call>,
    replies: Vec<(Reply, Vec<usize>)>,
    /// The newest reply of each context.
    newest: HashMap<usize, usize>,
    /// The reply that calls are added to.
    open: Option<usize>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
enum Entry {
    Said(Said),
    Reply(usize),
    Call(usize),
    Answer(Answer),
    /// What stands between calls and results.
    Beside(Act),
}

impl Pairing {
    /// A message to the model. A blank one is none.
    pub(crate) fn said(&mut self, said: Said) {
        if !said.text.trim().is_empty() {
            self.entries.push(Entry::Said(said));
        }
    }

    /// A reply, to which the calls that follow belong; or a part more of the context's newest, if
    /// both have the same key.
    pub(crate) fn reply(&mut self, part: Reply) {
        let newest = self.newest.get(&part.context).copied();
        let same = newest.filter(|at| {
            let reply = self.replies.get(*at).map(|(reply, _)| reply);
            part.key.is_some() && reply.is_some_and(|reply| reply.key == part.key)
        });
        if let Some(at) = same {
            if let Some((reply, _)) = self.replies.get_mut(at) {
                join(&mut reply.text, &part.text);
                join(&mut reply.reasoning, &part.reasoning);
                reply.incomplete |= part.incomplete;
            }
            self.open = Some(at);
            return;
        }
        let at = self.replies.len();
        self.newest.insert(part.context, at);
        self.open = Some(at);
        self.replies.push((part, Vec::new()));
        self.entries.push(Entry::Reply(at));
    }

    /// The context's newest reply was broken off.
    pub(crate) fn broken_off(&mut self, context: usize) {
        let newest = self.newest.get(&context).copied();
        if let Some((reply, _)) = newest.and_then(|at| self.replies.get_mut(at)) {
            reply.incomplete = true;
        }
    }

    /// A call of the newest reply. Its number, for [`Of::Call`].
    pub(crate) fn call(&mut self, call: Call) -> usize {
        let at = self.calls.len();
        if let Some((_, calls)) = self.open.and_then(|open| self.replies.get_mut(open)) {
            calls.push(at);
        }
        self.calls.push(call);
        self.entries.push(Entry::Call(at));
        at
    }

    pub(crate) fn answer(&mut self, answer: Answer) {
        self.entries.push(Entry::Answer(answer));
    }

    /// A file that the model was shown by other means than a tool.
    pub(crate) fn seen(&mut self, shown: Shown) {
        self.entries.push(Entry::Beside(Act::Seen(shown)));
    }

    /// A command that the person ran.
    pub(crate) fn aside(&mut self, command: &str) {
        let act = Act::Aside(command.to_owned());
        self.entries.push(Entry::Beside(act));
    }

    /// Joins, understands each result with its call, and adds the events to `session`.
    pub(crate) fn finish(
        self,
        session: &mut Recorded,
        mut understand: impl FnMut(&Call, &mut Answer, &mut About) -> Act,
    ) {
        let Self {
            calls,
            replies,
            entries,
            ..
        } = self;
        session.about.calls += calls.len() as u64;
        let (found, answered) = Waiting::new(&calls).join(&entries, &mut session.about);
        let mut ids = Ids::new(&calls, &entries, &found);
        let mut replies: Vec<Option<Reply>> = replies
            .into_iter()
            .map(|(reply, numbers)| Some(ids.named(reply, &numbers, &calls, &answered)))
            .collect();
        for ((entry, found), id) in entries.into_iter().zip(found).zip(ids.of_entries) {
            let event = match entry {
                Entry::Said(said) => Event::Said(said),
                Entry::Reply(at) => match replies.get_mut(at).and_then(Option::take) {
                    Some(reply) => Event::Reply(reply),
                    None => continue,
                },
                Entry::Beside(act) => Event::Exchange(Exchange::without_result("", act)),
                Entry::Call(at) if answered.get(at) == Some(&true) => continue,
                Entry::Call(at) => match calls.get(at) {
                    Some(call) => {
                        session.about.skip(UNANSWERED, call.line);
                        Event::Exchange(Exchange::without_result(&call.tool, Act::Unanswered))
                    }
                    None => continue,
                },
                Entry::Answer(mut answer) => {
                    let lost = lost_call(&answer.of);
                    let call = found.and_then(|at| calls.get(at)).unwrap_or(&lost);
                    let act = understand(call, &mut answer, &mut session.about);
                    session.about.results += 1;
                    Event::Exchange(Exchange {
                        context: answer.context,
                        call: found,
                        id,
                        tool: call.tool.clone(),
                        arguments: call.arguments.clone(),
                        line: answer.line,
                        act,
                    })
                }
            };
            session.events.push(event);
        }
    }
}

/// Adds a further part of a text.
fn join(whole: &mut String, part: &str) {
    if !whole.is_empty() && !part.is_empty() {
        whole.push_str("\n\n");
    }
    whole.push_str(part);
}

/// The ids of results, and of calls without one: unique in the session.
struct Ids {
    names: Names,
    /// Empty for an entry that is no result.
    of_entries: Vec<String>,
    /// That of the first result.
    of_calls: Vec<Option<String>>,
}

impl Ids {
    fn new(calls: &[Call], entries: &[Entry], found: &[Option<usize>]) -> Self {
        let mut ids = Self {
            names: Names::default(),
            of_entries: Vec::with_capacity(entries.len()),
            of_calls: vec![None; calls.len()],
        };
        for (entry, found) in entries.iter().zip(found) {
            let id = match entry {
                Entry::Answer(answer) => {
                    let lost = lost_call(&answer.of);
                    let call = found.and_then(|at| calls.get(at)).unwrap_or(&lost);
                    ids.names.unique(exchange_id(call, *found))
                }
                _ => String::new(),
            };
            if let Some(known) = found.and_then(|at| ids.of_calls.get_mut(at)) {
                known.get_or_insert_with(|| id.clone());
            }
            ids.of_entries.push(id);
        }
        ids
    }

    /// The reply with its calls.
    fn named(
        &mut self,
        mut reply: Reply,
        numbers: &[usize],
        calls: &[Call],
        answered: &[bool],
    ) -> Reply {
        for number in numbers {
            let Some(call) = calls.get(*number) else {
                continue;
            };
            let id = self.of_calls.get(*number).cloned().flatten();
            reply.calls.push(ReplyCall {
                number: *number,
                id: id.unwrap_or_else(|| self.names.unique(exchange_id(call, Some(*number)))),
                tool: call.tool.clone(),
                arguments: call.arguments.clone(),
                answered: answered.get(*number) == Some(&true),
            });
        }
        reply
    }
}

fn exchange_id(call: &Call, at: Option<usize>) -> String {
    match (call.id.as_deref(), at) {
        (Some(id), _) if !id.is_empty() => id.to_owned(),
        (_, Some(at)) => format!("call-{}", at + 1),
        (_, None) => "result".to_owned(),
    }
}

/// What stands in for the call of a result that has none.
fn lost_call(of: &Of) -> Call {
    let (id, tool) = match of {
        Of::Id(id) => (Some(id.clone()), "unknown"),
        Of::Tool(tool) => (None, tool.as_str()),
        Of::Call(_) | Of::Nothing => (None, "unknown"),
    };
    let tool = if tool.is_empty() { "unknown" } else { tool };
    Call {
        id,
        tool: tool.to_owned(),
        arguments: "{}".to_owned(),
        ..Call::default()
    }
}

#[cfg(test)]
mod tests;
