//! What providers reported, as far as the budget needs it (docs/compaction.md, "Pressure").

use std::collections::BTreeMap;

use crate::record::Usage;

/// What a stateful provider's transcript has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reported {
    /// Input and output of the newest usage; 0 without one.
    pub used: u32,
    /// The input of the first usage since the last applied compaction.
    pub floor: Option<u32>,
}

/// A fold over the usage of requests.
#[derive(Clone, Debug, Default)]
pub struct Reports {
    /// The model of the newest usage, and its input and output: another model drops it.
    newest: Option<(String, u32)>,
    /// For each model.
    floors: BTreeMap<String, u32>,
    /// Requests up to this number were made before the provider's state was begun anew.
    begun_after: u32,
    /// Requests up to this number were made before the last applied compaction; none before any.
    compacted_after: Option<u32>,
}

impl Reports {
    /// What is known of a model.
    pub fn of(&self, model: &str) -> Reported {
        let model = model.trim();
        let newest = self.newest.as_ref().filter(|(of, _)| of == model);
        Reported {
            used: newest.map(|(_, used)| *used).unwrap_or_default(),
            floor: self.floors.get(model).copied(),
        }
    }

    /// A request's usage was reported.
    pub(super) fn used(&mut self, model: &str, request: u32, usage: Usage) {
        let model = model.trim().to_owned();
        if self.compacted_after.is_some_and(|number| request > number) {
            self.floors.entry(model.clone()).or_insert(usage.input);
        }
        if request > self.begun_after {
            let output = usage.output.unwrap_or_default();
            self.newest = Some((model, usage.input.saturating_add(output)));
        }
    }

    /// The provider's state is begun anew after request `number`; `compacted`: by an applied compaction.
    pub(super) fn begin_anew(&mut self, number: u32, compacted: bool) {
        self.newest = None;
        self.begun_after = number;
        if compacted {
            self.floors.clear();
            self.compacted_after = Some(number);
        }
    }
}
