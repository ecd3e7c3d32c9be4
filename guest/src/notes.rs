//! What changes during a session and is told at its end, as a note (§10.3).
//!
//! A note is owed for what differs from what the model was last told. Told is a fold over the
//! conversation, so what a message told is owed again when the message is taken back.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::lines;
use crate::record::NoteRecord;
use crate::rules::NoteTexts;

/// What can change. The order is that in which a note tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// The permission mode.
    Mode,
    /// The plan.
    Plan,
    /// A memory file.
    Memory,
    /// An instruction file.
    Instructions,
    /// The personality.
    Personality,
    /// An MCP server's instructions.
    McpInstructions,
}

impl ChangeKind {
    /// Whether there is one for each name.
    pub fn is_named(self) -> bool {
        matches!(
            self,
            Self::Memory | Self::Instructions | Self::McpInstructions
        )
    }

    /// Whether the name is a file's path.
    pub fn is_file(self) -> bool {
        matches!(self, Self::Memory | Self::Instructions)
    }
}

/// The value that something has now. `wit/context.wit` explains each field; a file's name is as it
/// is shown (§11), a text without newlines at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Change {
    pub kind: ChangeKind,
    pub name: String,
    pub text: String,
}

impl Change {
    fn thing(&self) -> Thing {
        let name = if self.kind.is_named() {
            self.name.clone()
        } else {
            String::new()
        };
        (self.kind, name)
    }
}

/// What has a value: there is one mode, and a memory for each name.
type Thing = (ChangeKind, String);

/// Something that the model was told, and by when.
#[derive(Clone, Debug)]
struct Telling {
    by: Teller,
    changes: Vec<Change>,
    date: Option<String>,
}

/// What told something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Teller {
    /// The system prompt: until it is made again.
    Prompt,
    /// A message, or the model's own act as of it: until it is taken back.
    Message(u32),
}

/// Values, and what the model knows of them.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    current: BTreeMap<Thing, Change>,
    told: BTreeMap<Thing, Change>,
    date: Option<String>,
    tellings: Vec<Telling>,
}

impl Notes {
    /// Something has a value now. `learnt`: the model knows, as of that message.
    pub fn change(&mut self, change: Change, learnt: Option<u32>) {
        if let Some(message) = learnt {
            self.tell(Telling {
                by: Teller::Message(message),
                changes: vec![change.clone()],
                date: None,
            });
        }
        self.current.insert(change.thing(), change);
    }

    /// What a system prompt tells is so as it is given, whenever the model comes to read it.
    pub fn prompt_given(&mut self, changes: &[Change]) {
        for change in changes {
            self.current.insert(change.thing(), change.clone());
        }
    }

    /// The system prompt tells these from now on, and the one before it nothing more.
    pub fn prompt_made(&mut self, changes: &[Change]) {
        self.forget(|by| by == Teller::Prompt);
        self.tell(Telling {
            by: Teller::Prompt,
            changes: changes.to_vec(),
            date: None,
        });
    }

    /// A message told these.
    pub fn message_tells(&mut self, message: u32, note: &NoteRecord) {
        self.tell(Telling {
            by: Teller::Message(message),
            changes: note.told.clone(),
            date: note.date.clone(),
        });
    }

    /// Messages are gone, and what they told.
    pub fn take_back(&mut self, gone: &BTreeSet<u32>) {
        self.forget(|by| matches!(by, Teller::Message(number) if gone.contains(&number)));
    }

    fn forget(&mut self, forgotten: impl Fn(Teller) -> bool) {
        let mut tellings = std::mem::take(&mut self.tellings);
        tellings.retain(|telling| !forgotten(telling.by));
        self.told.clear();
        self.date = None;
        for telling in tellings {
            self.tell(telling);
        }
    }

    fn tell(&mut self, telling: Telling) {
        for change in &telling.changes {
            self.told.insert(change.thing(), change.clone());
        }
        if telling.date.is_some() {
            self.date.clone_from(&telling.date);
        }
        self.tellings.push(telling);
    }

    /// Whether a change would alter anything.
    pub fn is_news(&self, change: &Change, by_model: bool) -> bool {
        let thing = change.thing();
        self.current.get(&thing) != Some(change)
            || (by_model && self.told.get(&thing) != Some(change))
    }

    /// The note that is owed with a message that starts a turn.
    pub fn owed(&self, date: Option<&str>, texts: &NoteTexts, nul: &str) -> Option<NoteRecord> {
        let told: Vec<Change> = self
            .current
            .iter()
            .filter(|(thing, change)| self.owes(thing, change))
            .map(|(_, change)| change.clone())
            .collect();
        let date = date.filter(|date| self.date.as_deref() != Some(date));
        let mut blocks: Vec<String> = told.iter().map(|change| block(change, texts)).collect();
        blocks.extend(date.map(|date| texts.date.fill(&[("text", date)])));
        if blocks.is_empty() {
            return None;
        }
        let text = texts.frame.fill(&[("blocks", &blocks.join("\n\n"))]);
        Some(NoteRecord {
            text: lines::shown(&text, nul).into_owned(),
            told,
            date: date.map(str::to_owned),
        })
    }

    fn owes(&self, thing: &Thing, change: &Change) -> bool {
        match self.told.get(thing) {
            None => !change.text.is_empty(),
            Some(told) => told != change && !(told.text.is_empty() && change.text.is_empty()),
        }
    }
}

fn block(change: &Change, texts: &NoteTexts) -> String {
    let template = match change.kind {
        ChangeKind::Mode => &texts.mode,
        ChangeKind::Plan => &texts.plan,
        ChangeKind::Memory => &texts.memory,
        ChangeKind::Instructions => &texts.instructions,
        ChangeKind::Personality => &texts.personality,
        ChangeKind::McpInstructions => &texts.mcp,
    };
    let text = if change.text.is_empty() {
        &texts.empty
    } else {
        &change.text
    };
    template.fill(&[("name", &change.name), ("text", text)])
}
