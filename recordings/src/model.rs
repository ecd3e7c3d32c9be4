//! What every importer makes of its format: sessions of messages, replies and results, in order.

use serde::Serialize;

use crate::About;
use crate::act::Act;

/// A recording, before it is planned.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) format: &'static str,
    /// May be empty: the file then holds nothing to replay.
    pub(crate) sessions: Vec<Recorded>,
}

/// One recorded session.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    /// What tells it from the other sessions of its file.
    pub(crate) name: Option<String>,
    /// The project root, if the recording names one.
    pub(crate) root: Option<String>,
    /// Names of the harness's search and listing tools (§6).
    pub(crate) searches: &'static [&'static str],
    /// What the main conversation's requests begin with.
    pub(crate) prompt: Prompt,
    /// Names of the contexts; an event points into it.
    pub(crate) contexts: Vec<String>,
    /// In the order of the file, over all contexts: what one context does to a file is seen by the
    /// next.
    pub(crate) events: Vec<Event>,
    pub(crate) about: About,
}

/// What stands before a conversation's messages, as far as it is recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Prompt {
    pub(crate) system: Option<String>,
    pub(crate) tools: Vec<Tool>,
}

impl Prompt {
    /// Characters of what a model reads of it.
    pub(crate) fn characters(&self) -> u64 {
        let tools = self.tools.iter();
        let tools = tools.flat_map(|tool| [&tool.name, &tool.description, &tool.parameters]);
        let texts = tools.chain(&self.system);
        texts.map(|text| text.chars().count() as u64).sum()
    }
}

/// A tool that the model was offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Not empty, unique in its context.
    pub name: String,
    /// May be empty.
    pub description: String,
    /// The JSON Schema of its arguments, as JSON; empty where none is recorded.
    pub parameters: String,
}

/// What happened, in a context.
#[derive(Debug)]
pub(crate) enum Event {
    Said(Said),
    Reply(Reply),
    Exchange(Exchange),
}

/// A message to the model that is no tool's result.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) context: usize,
    pub(crate) sender: Sender,
    pub(crate) place: Place,
    /// Images are noted in it.
    pub(crate) text: String,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sender {
    /// A person.
    #[default]
    Person,
    /// The harness.
    Machine,
}

/// Where a message stands, if the format tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// It does not: at a step boundary while a turn runs, else at a turn's beginning.
    #[default]
    Untold,
    StartsTurn,
    StepBoundary,
    /// It says that the running turn was broken off.
    EndsTurn,
}

/// A model's reply.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    pub(crate) context: usize,
    /// What parts of one reply have in common, where a format splits them.
    pub(crate) key: Option<String>,
    pub(crate) text: String,
    pub(crate) reasoning: String,
    /// It was broken off.
    pub(crate) incomplete: bool,
    /// In their order. Filled in as results are joined to calls.
    pub(crate) calls: Vec<ReplyCall>,
}

/// A call of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplyCall {
    /// Its number in the session, for [`Exchange::call`].
    pub(crate) number: usize,
    /// Not empty, unique in the session.
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) arguments: String,
    /// It has a result, somewhere in the session.
    pub(crate) answered: bool,
}

/// What a subagent's contexts are called, after a number.
const SUBAGENT: &str = "subagent";

/// The name of a subagent's context; `number` from 1.
pub(crate) fn subagent(number: usize) -> String {
    format!("{SUBAGENT} {number}")
}

/// Whether a context is a subagent's.
pub(crate) fn is_subagent(name: &str) -> bool {
    name.starts_with(SUBAGENT)
}

impl Recorded {
    /// The main conversation was compacted: what follows goes into its next context.
    pub(crate) fn compacted(&mut self) {
        let count = self.contexts.len();
        self.contexts.push(after_compaction("main", count));
    }
}

/// What stands between a conversation's name and the number of its compaction.
const AFTER_COMPACTION: &str = " after compaction ";

/// The name of the context that a compaction of a conversation begins.
pub(crate) fn after_compaction(conversation: &str, number: usize) -> String {
    format!("{conversation}{AFTER_COMPACTION}{number}")
}

/// The context that a compaction of the context `at` began.
pub(crate) fn compacted_into(contexts: &[String], at: usize) -> Option<usize> {
    let name = contexts.get(at)?;
    let conversation = name
        .split_once(AFTER_COMPACTION)
        .map_or(name.as_str(), |(conversation, _)| conversation);
    let begins = |other: &String| {
        let rest = other.strip_prefix(conversation);
        rest.is_some_and(|rest| rest.starts_with(AFTER_COMPACTION))
    };
    let later = contexts.get(at + 1..)?.iter().position(begins)?;
    Some(at + 1 + later)
}

/// A call with its result, understood.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) context: usize,
    /// The number of the call; none if the recording does not hold it.
    pub(crate) call: Option<usize>,
    /// Not empty, unique in the session.
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) arguments: String,
    /// Where the result stands in the file, from 1.
    pub(crate) line: Option<u32>,
    pub(crate) act: Act,
}

impl Exchange {
    /// Something without a result, which tells of files all the same. It belongs to no context.
    pub(crate) fn without_result(tool: &str, act: Act) -> Self {
        Self {
            context: 0,
            call: None,
            id: String::new(),
            tool: tool.to_owned(),
            arguments: String::new(),
            line: None,
            act,
        }
    }
}
