//! What changes during a session and is told at its end, as a note (§10.3).
//!
//! A note is owed for what differs from what the model was last told. Told is a fold over the
//! conversation, so what a message told is owed again when the message is taken back.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::lines;
use crate::record::NoteRecord;
use crate::rules::NoteTexts;
use crate::template::Template;

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

/// What a system prompt tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct PromptTells<'a> {
    /// What the caller says that it tells.
    pub given: &'a [Change],
    /// Instruction files that the session read itself.
    pub read: &'a [Change],
    /// The session's date.
    pub date: Option<&'a str>,
}

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
    /// Of what has a value: what the session read itself, and was not told otherwise since.
    read: BTreeSet<Thing>,
    told: BTreeMap<Thing, Change>,
    date: Option<String>,
    /// What the prompt tells, which is read before all messages.
    session_date: Option<String>,
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
        self.read.remove(&change.thing());
        self.current.insert(change.thing(), change);
    }

    /// What a system prompt tells is so as it is given, whenever the model comes to read it.
    pub fn prompt_given(&mut self, changes: &[Change]) {
        for change in changes {
            self.read.remove(&change.thing());
            self.current.insert(change.thing(), change.clone());
        }
    }

    /// The system prompt tells these from now on, and the one before it nothing more. What was read for it is so
    /// by now, whatever was told before.
    pub fn prompt_made(&mut self, tells: PromptTells<'_>) {
        for thing in std::mem::take(&mut self.read) {
            if let Some(gone) = self.current.get_mut(&thing) {
                gone.text.clear();
            }
        }
        for change in tells.read {
            self.read.insert(change.thing());
            self.current.insert(change.thing(), change.clone());
        }
        self.tellings.retain(|telling| telling.by != Teller::Prompt);
        self.tellings.push(Telling {
            by: Teller::Prompt,
            changes: [tells.given, tells.read].concat(),
            date: None,
        });
        self.session_date = tells.date.map(str::to_owned);
        self.fold();
    }

    /// A message told these.
    pub fn message_tells(&mut self, message: u32, note: &NoteRecord) {
        self.tell(Telling::of(message, note));
    }

    /// Messages are gone, and what they told.
    pub fn take_back(&mut self, gone: &BTreeSet<u32>) {
        let is_gone = |by: Teller| matches!(by, Teller::Message(number) if gone.contains(&number));
        self.tellings.retain(|telling| !is_gone(telling.by));
        self.fold();
    }

    fn fold(&mut self) {
        self.told.clear();
        self.date = None;
        for telling in std::mem::take(&mut self.tellings) {
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
        let owed = self.current.iter();
        let owed = owed.filter(|(thing, change)| self.owes(thing, change));
        let told = owed.map(|(_, change)| change.clone()).collect();
        let last = self.date.as_ref().or(self.session_date.as_ref());
        let date = date.filter(|date| last.is_none_or(|last| last != date));
        note(told, date, texts, nul)
    }

    fn owes(&self, thing: &Thing, change: &Change) -> bool {
        match self.told.get(thing) {
            None => !change.text.is_empty(),
            Some(told) => told != change && !(told.text.is_empty() && change.text.is_empty()),
        }
    }
}

impl Telling {
    fn of(message: u32, note: &NoteRecord) -> Self {
        Self {
            by: Teller::Message(message),
            changes: note.told.clone(),
            date: note.date.clone(),
        }
    }
}

fn note(told: Vec<Change>, date: Option<&str>, texts: &NoteTexts, nul: &str) -> Option<NoteRecord> {
    let mut blocks: Vec<String> = told.iter().map(|change| block(change, texts)).collect();
    blocks.extend(date.map(|date| texts.date.fill(&[("text", date)])));
    if blocks.is_empty() {
        return None;
    }
    let blocks = within(&texts.frame, &blocks.join("\n\n"));
    let text = texts.frame.fill(&[("blocks", &blocks)]);
    Some(NoteRecord {
        text: lines::shown(&text, nul).into_owned(),
        told,
        date: date.map(str::to_owned),
    })
}

/// Blocks in which the closing tag of their frame, however its letters are, ends nothing.
fn within(frame: &Template, blocks: &str) -> String {
    let around = frame.fill(&[("blocks", "\n")]);
    let closing = around
        .rsplit('\n')
        .map(str::trim)
        .find(|line| !line.is_empty());
    let Some(tag) = closing.filter(|line| line.starts_with("</")) else {
        return blocks.to_owned();
    };
    let tag = tag.trim_end_matches('>').to_ascii_lowercase();
    let lower = blocks.to_ascii_lowercase();
    let mut text = String::with_capacity(blocks.len());
    let mut from = 0;
    for (at, _) in lower.match_indices(&tag) {
        text.push_str(blocks.get(from..at).unwrap_or_default());
        text.push_str("&lt;");
        from = at + 1;
    }
    text.push_str(blocks.get(from..).unwrap_or_default());
    text
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
