//! Claude Code's session files: one record a line, and the records form a tree.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::formats::blocks::{answers, blocks, calls, has_tools};
use crate::formats::claude_speech::{ATTACHMENT, INTERRUPTED, attached, said};
use crate::formats::claude_tools::{SEARCHES, understand};
use crate::formats::speech::reply;
use crate::formats::tree::{Node, Tree};
use crate::json::{flag, list, take, text};
use crate::lines::read_lines;
use crate::measures;
use crate::model::{Place, Recorded, Reply, Said, Sender, after_compaction, subagent};
use crate::pairing::Pairing;
use crate::undecorate::between;

/// Counted where a rewind left calls or results behind.
pub(crate) const ABANDONED: &str = "a record with calls or results on an abandoned branch";
/// Counted where two records have one `uuid`.
const REPEATED: &str = "a record that is in the file twice";

struct Record {
    line: u32,
    role: Role,
    node: Node,
    message: Value,
    /// What the harness adds to the conversation beside its messages.
    attachment: Value,
    /// What the tool returned, beside the text that the model was given.
    result: Value,
    directory: Option<String>,
    /// A compaction, or the summary that follows it.
    compaction: bool,
    sender: Sender,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    User,
    Assistant,
    Other,
}

/// Reads a session file.
pub(crate) fn read(content: &str) -> Vec<Recorded> {
    let mut session = Recorded {
        searches: SEARCHES,
        ..Recorded::default()
    };
    let mut records: Vec<Record> = Vec::new();
    let mut seen = HashSet::new();
    let faults = read_lines(content, |line, mut value| {
        if let Some(uuid) = text(&value, "uuid") {
            if seen.insert(uuid.to_owned()) {
                session.root = session
                    .root
                    .take()
                    .or_else(|| text(&value, "cwd").map(str::to_owned));
                for _ in list(
                    value.get("microcompactMetadata").unwrap_or(&Value::Null),
                    "compactedToolIds",
                ) {
                    session.about.measure(measures::MASKED);
                }
                records.push(record(line, &mut value));
            } else {
                session.about.skip(REPEATED, Some(line));
            }
        }
        true
    });
    session.about.skipped.extend(faults);
    converse(&mut session, &records);
    vec![session]
}

fn record(line: u32, value: &mut Value) -> Record {
    let own = |value: &Value, key| text(value, key).map(str::to_owned);
    let compaction =
        flag(value, "isCompactSummary") || text(value, "subtype") == Some("compact_boundary");
    Record {
        line,
        role: match text(value, "type") {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            _ => Role::Other,
        },
        node: Node {
            id: own(value, "uuid").unwrap_or_default(),
            parent: own(value, "parentUuid").or_else(|| own(value, "logicalParentUuid")),
            // A summary carries the conversation on, in older files without saying from where.
            continues: flag(value, "isCompactSummary"),
            side: flag(value, "isSidechain"),
        },
        directory: own(value, "cwd"),
        compaction,
        sender: if compaction || flag(value, "isMeta") || flag(value, "isSidechain") {
            Sender::Machine
        } else {
            Sender::Person
        },
        result: take(value, "toolUseResult"),
        message: take(value, "message"),
        attachment: take(value, "attachment"),
    }
}

fn converse(session: &mut Recorded, records: &[Record]) {
    let nodes: Vec<&Node> = records.iter().map(|record| &record.node).collect();
    let spoken = |at: usize| {
        records
            .get(at)
            .is_some_and(|record| record.role != Role::Other)
    };
    let tree = Tree::new(&nodes, spoken);
    let on_path = with_siblings(records, &tree.on_path);
    let mut pairing = Pairing::default();
    let mut contexts = Contexts::default();
    for (at, record) in records.iter().enumerate() {
        let thread = tree.root(at);
        if !on_path.get(at).copied().unwrap_or(false) {
            if has_tools(&record.message) {
                session.about.skip(ABANDONED, Some(record.line));
            }
            continue;
        }
        let context = contexts.of(thread, record);
        match record.role {
            // What the harness says in the model's place, of an error of the API, is no reply.
            Role::Assistant if text(&record.message, "model") == Some("<synthetic>") => {}
            Role::Assistant => {
                pairing.reply(Reply {
                    key: text(&record.message, "id").map(str::to_owned),
                    ..reply(&record.message, context)
                });
                calls(
                    &record.message,
                    record.directory.as_deref(),
                    Some(record.line),
                    &mut pairing,
                );
            }
            Role::User => {
                if let Some(command) = typed_command(&record.message) {
                    pairing.aside(command);
                }
                answers(
                    &record.message,
                    context,
                    &record.result,
                    Some(record.line),
                    &mut pairing,
                );
                user(record, context, &mut pairing);
            }
            Role::Other => match attached(&record.attachment, context) {
                Some(said) => pairing.said(said),
                None => session.about.skip(ATTACHMENT, Some(record.line)),
            },
        }
    }
    session.contexts = contexts.names;
    pairing.finish(session, understand);
}

fn user(record: &Record, context: usize, pairing: &mut Pairing) {
    let said = said(
        &record.message,
        Said {
            context,
            sender: record.sender,
            place: if record.compaction {
                Place::StartsTurn
            } else {
                Place::Untold
            },
            ..Said::default()
        },
    );
    if said.text == INTERRUPTED {
        pairing.broken_off(context);
    }
    pairing.said(said);
}

/// The shell command that the person typed after a `!`.
fn typed_command(message: &Value) -> Option<&str> {
    between(text(message, "content")?, "<bash-input>", "</bash-input>")
}

/// The path, with what belongs to it but stands beside it: an assistant message is split over
/// several records, and the results of parallel calls hang on their own calls.
fn with_siblings(records: &[Record], path: &[bool]) -> Vec<bool> {
    let mut kept = path.to_vec();
    let mut messages = HashSet::new();
    for (record, kept) in records.iter().zip(&kept) {
        if *kept && record.role == Role::Assistant {
            messages.extend(text(&record.message, "id"));
        }
    }
    let mut open: HashSet<&str> = HashSet::new();
    for (record, kept) in records.iter().zip(kept.iter_mut()) {
        let same = text(&record.message, "id").is_some_and(|id| messages.contains(id));
        *kept |= record.role == Role::Assistant && same;
        if *kept {
            open.extend(ids(&record.message, "tool_use", "id"));
        }
    }
    for (record, _) in records.iter().zip(&kept).filter(|(_, kept)| **kept) {
        for id in ids(&record.message, "tool_result", "tool_use_id") {
            open.remove(id);
        }
    }
    for (record, kept) in records.iter().zip(kept.iter_mut()) {
        *kept |= ids(&record.message, "tool_result", "tool_use_id").any(|id| open.remove(id));
    }
    kept
}

fn ids<'a>(
    message: &'a Value,
    kind: &'static str,
    key: &'static str,
) -> impl Iterator<Item = &'a str> {
    let of_kind = move |block: &&Value| text(block, "type") == Some(kind);
    blocks(message)
        .iter()
        .filter(of_kind)
        .filter_map(move |block| text(block, key))
}

/// The contexts of a file: each conversation in it has its own, a compaction begins the next.
#[derive(Default)]
struct Contexts {
    names: Vec<String>,
    /// By the conversation's first record.
    current: HashMap<usize, Current>,
    conversations: u32,
    subagents: usize,
}

struct Current {
    context: usize,
    name: String,
    compactions: usize,
    /// It has a reply or results.
    used: bool,
}

impl Contexts {
    fn of(&mut self, thread: usize, record: &Record) -> usize {
        if !self.current.contains_key(&thread) {
            let name = self.name(record.node.side);
            let context = self.begin(name.clone());
            self.current.insert(
                thread,
                Current {
                    context,
                    name,
                    compactions: 0,
                    used: false,
                },
            );
        }
        let next = self.names.len();
        let Some(current) = self.current.get_mut(&thread) else {
            return 0;
        };
        // A boundary and the summary after it are one compaction.
        if record.compaction && std::mem::take(&mut current.used) {
            current.compactions += 1;
            current.context = next;
            self.names
                .push(after_compaction(&current.name, current.compactions));
        }
        current.used |= record.role == Role::Assistant || has_tools(&record.message);
        current.context
    }

    fn begin(&mut self, name: String) -> usize {
        self.names.push(name);
        self.names.len() - 1
    }

    fn name(&mut self, side: bool) -> String {
        if side {
            self.subagents += 1;
            return subagent(self.subagents);
        }
        self.conversations += 1;
        match self.conversations {
            1 => "main".to_owned(),
            count => format!("main {count}"),
        }
    }
}
