//! The recordings through the rules themselves, natively: every file that a plan reads is found,
//! nothing is refused, and the report adds up.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

mod common;

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use common::fixtures;
use waybread_guest as guest;
use waybread_recordings::{
    BuiltRequest, Context, Delivery, InsertResult, Message, Options, Outcome, PolicyReport,
    PromptSource, ReplayedContext, ReplayedFile, ReplayedResult, ReplayedSession, Sender, Settings,
    Step, Tool, Treatment, measure, plan, report, report_json, summary, summary_json,
};

/// A tree in memory. Files are found by their absolute paths alone.
#[derive(Clone, Default)]
struct Tree(Rc<RefCell<HashMap<String, String>>>);

impl guest::FileSystem for Tree {
    fn identify(&mut self, path: &str) -> Result<String, guest::FileError> {
        let there = self.0.borrow().contains_key(path);
        there
            .then(|| path.to_owned())
            .ok_or(guest::FileError::NotFound)
    }

    fn read(&mut self, path: &str) -> Result<guest::File, guest::FileError> {
        let identity = self.identify(path)?;
        let hashed = hashed(self.0.borrow()[path].clone());
        Ok(guest::File { identity, hashed })
    }
}

/// The rules only compare hashes, so any will do here.
fn hashed(text: String) -> guest::HashedContent {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let sha256 = format!("{:064x}", hasher.finish());
    guest::HashedContent {
        content: guest::Content::Text(text),
        sha256,
    }
}

#[derive(Default)]
struct Memory {
    log: Vec<String>,
    texts: HashMap<String, String>,
}

impl guest::Storage for Memory {
    fn append(
        &mut self,
        _: &str,
        _: u32,
        records: &[&str],
        texts: &[guest::StoredText<'_>],
    ) -> Result<(), guest::StorageError> {
        self.log
            .extend(records.iter().map(|record| (*record).to_owned()));
        self.texts.extend(
            texts
                .iter()
                .map(|text| (text.id.to_owned(), text.text.to_owned())),
        );
        Ok(())
    }

    fn read_log(&mut self, _: &str, start: u32) -> Result<Vec<String>, guest::StorageError> {
        Ok(self.log[start as usize..].to_vec())
    }

    fn read_text(&mut self, _: &str, id: &str) -> Result<String, guest::StorageError> {
        self.texts
            .get(id)
            .cloned()
            .ok_or(guest::StorageError::NotFound)
    }
}

fn perform(name: &str, context: &Context) -> ReplayedContext {
    let tree = Tree::default();
    let settings = settings(&context.settings);
    let mut session =
        guest::Session::open("s", &settings, Memory::default(), tree.clone()).expect(name);
    let mut results = Vec::new();
    let mut requests = Vec::new();
    for step in &context.steps {
        match step {
            Step::WriteFile { path, content } => {
                tree.0.borrow_mut().insert(path.clone(), content.clone());
            }
            Step::DeleteFile { path } => drop(tree.0.borrow_mut().remove(path)),
            Step::InsertResult(insert) => results.push(insert_result(name, insert, &mut session)),
            Step::AddMessage(given) => {
                let added = session.add_message(message(given)).expect(name);
                assert!(
                    added.calls.iter().all(|call| call.refused.is_none()),
                    "{name}"
                );
            }
            Step::BuildRequest => {
                let request = session.build_request("").expect(name);
                check_request(name, requests.last(), &request);
                requests.push(BuiltRequest::Built {
                    keep: request.keep.into(),
                    tail: request.tail,
                    pressure: None,
                });
            }
        }
    }
    ReplayedContext {
        name: context.name.clone(),
        results,
        prompt: measure(&requests),
    }
}

/// Nothing is rewritten but a turn's reasoning when the next one begins.
fn check_request(name: &str, previous: Option<&BuiltRequest>, request: &guest::Request) {
    assert_eq!(previous.is_none(), request.keep == 0, "{name}");
    if let Some(difference) = &request.difference {
        let cause = difference.cause;
        assert_eq!(
            cause,
            guest::DifferenceCause::TurnBoundaryReasoning,
            "{name}"
        );
    }
}

fn settings(given: &Settings) -> guest::Settings {
    let mut settings = guest::Settings::new(guest::Kind::Agent, &given.root);
    assert_eq!(
        (given.kind.as_str(), given.dialect.as_str()),
        ("agent", "openai-chat")
    );
    settings.dialect = Some(guest::Dialect::OpenaiChat);
    settings.home.clone_from(&given.home);
    settings.overrides = given.overrides.to_string();
    settings.recall = given.recall;
    let source = |source: &PromptSource| guest::PromptSource {
        part: guest::PromptPart::GlobalInstructions,
        name: source.name.clone(),
        text: source.text.clone(),
    };
    settings.prompt.sources = given.prompt.sources.iter().map(source).collect();
    let tool = |tool: &Tool| guest::Tool {
        name: tool.name.clone(),
        description: tool.description.clone(),
        parameters: tool.parameters.clone(),
        definition: None,
        requires: Vec::new(),
        unavailable: None,
        kinds: Vec::new(),
        vision: false,
    };
    settings.tools = given.tools.iter().map(tool).collect();
    settings
}

fn message(message: &Message) -> guest::Message {
    match message {
        Message::User(said) => guest::Message::User(guest::UserMessage {
            sender: match said.sender {
                Sender::Person => guest::Sender::Person,
                Sender::Machine => guest::Sender::Machine,
            },
            starts_turn: said.delivery == Delivery::StartsTurn,
            text: said.text.clone(),
            parts: Vec::new(),
            date: None,
        }),
        Message::Reply(reply) => guest::Message::Reply {
            json: reply.json.clone(),
            incomplete: reply.incomplete,
        },
    }
}

fn insert_result(
    name: &str,
    insert: &InsertResult,
    session: &mut guest::Session<Memory, Tree>,
) -> ReplayedResult {
    let call = guest::ToolCall {
        id: insert.call.clone(),
        name: insert.tool.clone(),
        arguments: insert.arguments.clone(),
    };
    let inserted = session
        .insert_result(&call, outcome(&insert.outcome))
        .expect(name);
    let treatment = match inserted.treatment {
        guest::Treatment::Full => Treatment::Full,
        guest::Treatment::Capped => Treatment::Capped,
        guest::Treatment::UnchangedRead => Treatment::UnchangedRead,
        guest::Treatment::SameResult => Treatment::SameResult,
        guest::Treatment::Failed => Treatment::Failed,
    };
    let failure = matches!(insert.outcome, Outcome::Failure(_));
    assert_eq!(
        treatment == Treatment::Failed,
        failure,
        "{name}: {}",
        inserted.text
    );
    ReplayedResult {
        counted: insert.counted,
        treatment: Some(treatment),
        chars_in: inserted.chars_in.into(),
        chars_out: inserted.chars_out.into(),
        error: None,
    }
}

fn outcome(outcome: &Outcome) -> guest::Outcome {
    match outcome {
        Outcome::Output(text) => guest::Outcome::Output(text.clone()),
        Outcome::Failure(text) => guest::Outcome::Failure(text.clone()),
        Outcome::Read(read) => guest::Outcome::Read(guest::ReadRequest {
            path: read.path.clone(),
            window: guest::LineWindow {
                offset: read.offset,
                limit: read.limit,
            },
            force: false,
        }),
        Outcome::Changes(changes) => guest::Outcome::Changes(guest::ChangeSet {
            files: changes
                .files
                .iter()
                .map(|file| guest::FileChange {
                    path: file.path.clone(),
                    before: file.before.clone().map(guest::Content::Text),
                    after: file.after.clone().map(hashed),
                })
                .collect(),
            note: None,
        }),
    }
}

fn replayed(shell_reads: bool) -> Vec<ReplayedFile> {
    let options = Options {
        shell_reads,
        ..Options::default()
    };
    let replay = |(name, content): (String, String)| {
        let plan = plan(&name, &content, &options).expect(&name);
        let session = |session: &waybread_recordings::Session| ReplayedSession {
            name: session.name.clone(),
            about: session.about.clone(),
            policies: session.policies.clone(),
            window: session.window.clone(),
            contexts: session
                .contexts
                .iter()
                .map(|context| perform(&name, context))
                .collect(),
        };
        let sessions = plan.sessions.iter().map(session).collect();
        ReplayedFile {
            file: name.clone(),
            format: Some(plan.format),
            sessions,
            error: None,
        }
    };
    fixtures().into_iter().map(replay).collect()
}

/// The bundled recordings show every measure at work.
#[test]
fn every_measure_acts_and_the_report_adds_up() {
    let replayed = replayed(false);
    let report = report(&replayed);
    let total = &report.total;
    let sum = |count: fn(&waybread_recordings::Counts) -> u64| {
        report
            .sessions
            .iter()
            .map(|session| count(&session.counts))
            .sum::<u64>()
    };
    assert_eq!(total.errors, 0);
    assert_eq!(total.results, sum(|counts| counts.results));
    assert_eq!(total.chars_out, sum(|counts| counts.chars_out));
    assert_eq!(
        (
            total.unchanged,
            total.assumed,
            total.same_search,
            total.capped
        ),
        (9, 6, 3, 4),
        "{total:?}"
    );
    assert!(total.chars_out < total.chars_in);
    let from_json = report_json(&serde_json::to_string(&replayed).unwrap()).unwrap();
    assert_eq!(from_json, serde_json::to_string(&report).unwrap());
    let text = summary(&report, false);
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    assert_eq!(summary_json(&from_json, false), Ok(text));
}

/// The policies in the report, side by side.
#[test]
fn every_policy_makes_every_request() {
    let report = report(&replayed(false));
    let names = [
        "full-history",
        "waybread",
        "prune-old-outputs",
        "sliding-window",
        "clear-tool-uses",
    ];
    let adds_up = |policies: &[PolicyReport]| {
        assert_eq!(
            policies
                .iter()
                .map(|one| one.policy.as_str())
                .collect::<Vec<_>>(),
            names
        );
        for policy in policies {
            assert_eq!(policy.requests, policies[0].requests);
            assert_eq!(policy.sent, policy.kept + policy.reread);
            assert!(policy.again <= policy.reread);
        }
    };
    adds_up(&report.policies);
    for session in &report.sessions {
        adds_up(&session.policies);
        // What Waybread breaks off is a turn's reasoning, as the templates do under every policy.
        let [full, waybread, ..] = session.policies.as_slice() else {
            panic!("{}", session.name);
        };
        assert_eq!(waybread.breaks, full.breaks, "{}", session.name);
    }
    assert!(report.policies[0].requests > 200);
}

#[test]
fn shell_reads_find_more_unchanged_ones() {
    let total = report(&replayed(true)).total;
    assert_eq!(
        (total.errors, total.unchanged, total.shell_rereads),
        (0, 13, 4),
        "{total:?}"
    );
}

/// Whatever stands where in a recording, a session takes all that its plan holds.
#[test]
fn any_order_of_lines_is_taken() {
    let mut state: u64 = 1;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let options = Options {
        shell_reads: true,
        ..Options::default()
    };
    let small = fixtures().into_iter();
    let small = small.filter(|(name, content)| name.ends_with(".jsonl") && content.len() < 60_000);
    let mut planned = 0;
    for (name, content) in small {
        for _ in 0..5 {
            let mut lines: Vec<&str> = content.lines().collect();
            for at in (1..lines.len()).rev() {
                lines.swap(at, next(at + 1));
            }
            lines.truncate(1 + next(lines.len()));
            let Ok(plan) = plan(&name, &lines.join("\n"), &options) else {
                continue;
            };
            planned += 1;
            for context in plan.sessions.iter().flat_map(|session| &session.contexts) {
                assert_eq!(perform(&name, context).prompt.errors, 0, "{name}");
            }
        }
    }
    assert!(planned > 20, "{planned}");
}
