//! The contexts of an event log in which a subagent's events name the call that started it.

use std::collections::HashMap;

use serde_json::Value;

use crate::lines::read_lines;
use crate::model::{Recorded, after_compaction, subagent};
use crate::pairing::Pairing;

/// The conversations of a log.
pub(crate) struct Threads {
    names: Vec<String>,
    main: usize,
    /// The main context has had a reply.
    used: bool,
    compactions: usize,
    /// By the call that started the subagent.
    subagents: HashMap<String, usize>,
}

impl Threads {
    /// Reads a log, an event a line.
    pub(crate) fn read(
        content: &str,
        session: &mut Recorded,
        mut event: impl FnMut(u32, &Value, &mut Recorded, &mut Self, &mut Pairing),
    ) -> Pairing {
        let mut pairing = Pairing::default();
        let mut threads = Self {
            names: vec!["main".to_owned()],
            main: 0,
            used: false,
            compactions: 0,
            subagents: HashMap::new(),
        };
        let faults = read_lines(content, |line, value| {
            event(line, &value, session, &mut threads, &mut pairing);
            true
        });
        session.about.skipped.extend(faults);
        session.contexts = threads.names;
        pairing
    }

    /// The context of an event; `parent` is the call that started its subagent.
    pub(crate) fn of(&mut self, parent: Option<&str>) -> usize {
        let Some(parent) = parent else {
            return self.main;
        };
        if let Some(context) = self.subagents.get(parent) {
            return *context;
        }
        let context = self.names.len();
        self.subagents.insert(parent.to_owned(), context);
        self.names.push(subagent(self.subagents.len()));
        context
    }

    /// The context of a reply.
    pub(crate) fn of_reply(&mut self, parent: Option<&str>) -> usize {
        let context = self.of(parent);
        self.used |= context == self.main;
        context
    }

    /// The main conversation was compacted: what follows goes into its next context. Of several notes
    /// of one compaction the first counts.
    pub(crate) fn compacted(&mut self) {
        if std::mem::take(&mut self.used) {
            self.compactions += 1;
            self.main = self.names.len();
            self.names.push(after_compaction("main", self.compactions));
        }
    }
}
