//! Calls that wait for their result.

use std::collections::{HashMap, VecDeque};

use crate::About;

use super::{Call, Entry, Of};

/// Counted where a result has no call.
pub(crate) const NO_CALL: &str = "a result without its call";
/// Counted where a call has a second result.
pub(crate) const SECOND: &str = "a second result of one call";

/// Calls that wait for their result.
pub(super) struct Waiting<'a> {
    by_id: HashMap<&'a str, VecDeque<usize>>,
    by_tool: HashMap<&'a str, VecDeque<usize>>,
    /// The newest answered call of each id.
    last: HashMap<String, usize>,
    answered: Vec<bool>,
}

impl<'a> Waiting<'a> {
    pub(super) fn new(calls: &'a [Call]) -> Self {
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
    pub(super) fn join(
        mut self,
        entries: &[Entry],
        about: &mut About,
    ) -> (Vec<Option<usize>>, Vec<bool>) {
        let found = entries.iter().map(|entry| match entry {
            Entry::Answer(answer) => self.take(&answer.of, answer.line, about),
            _ => None,
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
