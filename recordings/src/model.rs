//! What every importer makes of its format: sessions of exchanges in the order of their results.

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
    /// Names of the contexts; an exchange points into it.
    pub(crate) contexts: Vec<String>,
    /// In the order of their results, over all contexts: what one context does to a file is seen
    /// by the next.
    pub(crate) exchanges: Vec<Exchange>,
    pub(crate) about: About,
}

impl Recorded {
    /// The main conversation was compacted: what follows goes into its next context.
    pub(crate) fn compacted(&mut self) {
        let count = self.contexts.len();
        self.contexts.push(format!("main after compaction {count}"));
    }
}

/// A call with its result, understood.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) context: usize,
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
            id: String::new(),
            tool: tool.to_owned(),
            arguments: String::new(),
            line: None,
            act,
        }
    }
}
