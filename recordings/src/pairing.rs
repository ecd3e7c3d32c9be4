//! Joins results to their calls.
//!
//! A result may stand before its call, an id may be used twice, a call may never be answered and a
//! result may have no call at all; real recordings hold each of these.

use std::collections::{HashMap, VecDeque};

use serde_json::Value;

use crate::About;
use crate::act::{Act, Shown};
use crate::measures::measure_of;
use crate::model::{Exchange, Recorded};
use crate::name::Names;

/// Counted where a call has no result.
pub(crate) const UNANSWERED: &str = "a call without a result";
/// Counted where a result has no call.
pub(crate) const NO_CALL: &str = "a result without its call";
/// Counted where a call has a second result.
pub(crate) const SECOND: &str = "a second result of one call";

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

/// Calls and results of one session, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    calls: Vec<Call>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
enum Entry {
    Call(usize),
    Answer(Answer),
    /// What stands between calls and results.
    Beside(Act),
}

impl Pairing {
    /// The call's number, for [`Of::Call`].
    pub(crate) fn call(&mut self, call: Call) -> usize {
        let at = self.calls.len();
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

    /// Joins, understands each result with its call, and adds the exchanges to `session`.
    pub(crate) fn finish(
        self,
        session: &mut Recorded,
        mut understand: impl FnMut(&Call, &mut Answer, &mut About) -> Act,
    ) {
        session.about.calls += self.calls.len() as u64;
        let (found, answered) = Waiting::new(&self.calls).join(&self.entries, &mut session.about);
        let mut names = Names::default();
        for (entry, found) in self.entries.into_iter().zip(found) {
            let exchange = match entry {
                Entry::Beside(act) => Exchange::without_result("", act),
                Entry::Call(at) if answered.get(at) == Some(&true) => continue,
                Entry::Call(at) => match self.calls.get(at) {
                    Some(call) => {
                        session.about.skip(UNANSWERED, call.line);
                        Exchange::without_result(&call.tool, Act::Unanswered)
                    }
                    None => continue,
                },
                Entry::Answer(mut answer) => {
                    let lost = lost_call(&answer.of);
                    let call = found.and_then(|at| self.calls.get(at)).unwrap_or(&lost);
                    let act = understand(call, &mut answer, &mut session.about);
                    session.about.results += 1;
                    Exchange {
                        context: answer.context,
                        id: names.unique(exchange_id(call, found)),
                        tool: call.tool.clone(),
                        arguments: call.arguments.clone(),
                        line: answer.line,
                        act,
                    }
                }
            };
            session.exchanges.push(exchange);
        }
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

/// Calls that wait for their result.
struct Waiting<'a> {
    by_id: HashMap<&'a str, VecDeque<usize>>,
    by_tool: HashMap<&'a str, VecDeque<usize>>,
    /// The newest answered call of each id.
    last: HashMap<String, usize>,
    answered: Vec<bool>,
}

impl<'a> Waiting<'a> {
    fn new(calls: &'a [Call]) -> Self {
        let mut waiting = Self {
            by_id: HashMap::new(),
            by_tool: HashMap::new(),
            last: HashMap::new(),
            answered: vec![false; calls.len()],
        };
        for (at, call) in calls.iter().enumerate() {
            match &call.id {
                Some(id) => waiting.by_id.entry(id).or_default().push_back(at),
                None => waiting.by_tool.entry(&call.tool).or_default().push_back(at),
            }
        }
        waiting
    }

    /// The call of each entry that is a result, and which calls have one.
    fn join(mut self, entries: &[Entry], about: &mut About) -> (Vec<Option<usize>>, Vec<bool>) {
        let found = entries.iter().map(|entry| match entry {
            Entry::Answer(answer) => self.take(&answer.of, answer.line, about),
            Entry::Call(_) | Entry::Beside(_) => None,
        });
        (found.collect(), self.answered)
    }

    fn take(&mut self, of: &Of, line: Option<u32>, about: &mut About) -> Option<usize> {
        let found = match of {
            Of::Call(at) => Some(*at),
            Of::Id(id) => self.by_id(id, line, about),
            Of::Tool(tool) => self
                .by_tool
                .get_mut(tool.as_str())
                .and_then(VecDeque::pop_front),
            Of::Nothing => None,
        };
        match found.and_then(|at| self.answered.get_mut(at)) {
            Some(answered) => *answered = true,
            None => about.as_text(NO_CALL, line),
        }
        found
    }

    fn by_id(&mut self, id: &str, line: Option<u32>, about: &mut About) -> Option<usize> {
        if let Some(at) = self.by_id.get_mut(id).and_then(VecDeque::pop_front) {
            self.last.insert(id.to_owned(), at);
            return Some(at);
        }
        let again = self.last.get(id).copied()?;
        about.as_text(SECOND, line);
        Some(again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: Option<&str>, tool: &str) -> Call {
        Call {
            id: id.map(str::to_owned),
            tool: tool.into(),
            ..Call::default()
        }
    }

    fn answer(of: Of, text: &str) -> Answer {
        Answer {
            of,
            text: text.into(),
            line: Some(9),
            ..Answer::default()
        }
    }

    #[test]
    fn joins_by_id_whatever_the_order() {
        let mut pairing = Pairing::default();
        let id = |id: &str| Of::Id(id.to_owned());
        pairing.answer(answer(id("b"), "early"));
        pairing.call(call(Some("a"), "one"));
        pairing.call(call(Some("b"), "two"));
        pairing.call(call(None, "three"));
        pairing.call(call(Some("a"), "four"));
        pairing.call(call(Some("z"), "five"));
        for (of, text) in [
            (id("a"), "1"),
            (Of::Tool("three".into()), "3"),
            (id("a"), "4"),
            (id("a"), "again"),
            (id("x"), "lost"),
            (Of::Tool("grep".into()), "lost too"),
        ] {
            pairing.answer(answer(of, text));
        }
        let mut session = Recorded::default();
        pairing.finish(&mut session, |_, answer, _| {
            Act::Output(answer.text.clone())
        });
        let joined: Vec<_> = session
            .exchanges
            .iter()
            .map(|exchange| match &exchange.act {
                Act::Output(text) => (&*exchange.id, &*exchange.tool, text.as_str()),
                Act::Unanswered => ("", &*exchange.tool, "unanswered"),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            joined,
            [
                ("b", "two", "early"),
                ("", "five", "unanswered"),
                ("a", "one", "1"),
                ("call-3", "three", "3"),
                ("a~2", "four", "4"),
                ("a~3", "four", "again"),
                ("x", "unknown", "lost"),
                ("result", "grep", "lost too"),
            ]
        );
        let about = session.about;
        assert_eq!((about.calls, about.results), (5, 7));
        let reasons: Vec<_> = about
            .not_replayed
            .iter()
            .map(|r| (&*r.reason, r.count))
            .collect();
        assert_eq!(reasons, [(SECOND, 1), (NO_CALL, 2)]);
        assert_eq!(
            (&*about.skipped[0].reason, about.skipped[0].count),
            (UNANSWERED, 1)
        );
    }
}
