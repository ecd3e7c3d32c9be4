//! A host: it keeps the body, and holds every request to what must be true of it.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use waybread_guest::{
    Assembly, Change, ChangeKind, CompactionEnd, CompactionRequest, CompactionStart, Dialect,
    Image, Kind, LineWindow, Message, Outcome, Part, Prefix, Prompt, PromptPart, PromptSource,
    ReadRequest, Request, Sender, Session, Settings, Snapshot, Stage, StorageError, SummaryOutcome,
    SummaryResult, SummaryTarget, Tool, ToolCall, UserMessage,
};

use crate::checks::{self, Since};
use crate::report;
use crate::steps::{Answer, How, PARAMETERS, Setup, Step};
use crate::support::{Files, Memory, Stored};

pub struct Talker {
    settings: Settings,
    memory: Memory,
    files: Files,
    session: Session<Memory, Files>,
    body: String,
    /// The previous request's parameters; none before any.
    parameters: Option<&'static str>,
    since: Since,
    calls: usize,
    /// What the previous request held.
    snapshot: Option<Snapshot>,
    prefix: Option<Prefix>,
    /// The stages that were applied since the last reply.
    stages: Vec<Stage>,
}

impl Talker {
    pub fn open(setup: Setup) -> Self {
        let settings = settings(&setup);
        let (memory, files) = (Memory::default(), Files::default());
        files.write("/work/app/a.ts", "x\ny\n");
        files.write("/work/app/b.ts", "z\n");
        files.write("/work/app/AGENTS.md", "Be brief.\n");
        let session = open(&settings, &memory, &files);
        Self {
            settings,
            memory,
            files,
            session,
            body: String::new(),
            parameters: None,
            since: Since::default(),
            calls: 0,
            snapshot: None,
            prefix: None,
            stages: Vec::new(),
        }
    }

    pub fn perform(&mut self, step: Step) {
        match step {
            Step::User {
                starts_turn,
                text,
                date,
                image,
            } => self.say(starts_turn, text, date, image),
            Step::Reply {
                reasoning,
                text,
                calls,
                incomplete,
            } => {
                self.reply(reasoning.as_deref(), &text, calls, incomplete);
            }
            Step::Answer { call, with } => self.answer(call, with),
            Step::Build { parameters } => self.build(parameters),
            Step::BuildOnFullDisk => {
                self.memory.0.borrow_mut().failure = Some(StorageError::Full);
                self.session.build_request(PARAMETERS[1]).unwrap_err();
                self.memory.0.borrow_mut().failure = None;
            }
            Step::Rewind { back, messages } => self.rewind(back, messages),
            Step::Note {
                kind,
                name,
                text,
                by_model,
            } => {
                let (name, text) = (name.to_owned(), text.to_owned());
                let change = Change { kind, name, text };
                self.session.note(&change, by_model).unwrap();
            }
            Step::SetPrompt(text) => self.session.set_prompt(&prompt(text)).unwrap(),
            Step::Condition(met) => self.session.set_condition("page", met).unwrap(),
            Step::Withdraw => self.session.withdraw_tool("bash", "No more.").unwrap(),
            Step::Connect(server) => {
                let name = format!("server-{server}");
                let tools = [tool(&format!("{name}-tool"), &[])];
                self.since.connected = true;
                let said = Some("Be kind to it.");
                self.session.connect_server(&name, &tools, said).unwrap();
            }
            Step::WrapUp => {
                // One with nothing before it is refused.
                let _ = self.session.add_message(Message::WrapUp);
            }
            Step::Reopen => {
                self.session = open(&self.settings, &self.memory, &self.files);
                self.body.clear();
            }
            Step::Fork => self.fork(),
            Step::Diagnose { parameters } => self.diagnose(parameters),
            Step::EnableSkill { name, text } => {
                let text = Some(text.to_owned());
                self.session.enable_skill(name, text).unwrap();
            }
            // One that is not on is refused.
            Step::DisableSkill(name) => drop(self.session.disable_skill(name)),
            Step::EditInstructions(text) => {
                self.files.write("/work/app/AGENTS.md", &text);
                // An instance keeps what it read; the one that the next request is held against has
                // read nothing yet.
                self.session = open(&self.settings, &self.memory, &self.files);
                self.body.clear();
            }
            Step::Compact { stage, how } => self.compact(stage, how),
        }
    }

    fn say(&mut self, starts_turn: bool, text: String, date: Option<&str>, image: bool) {
        let image = image.then(|| {
            Part::Image(Image {
                media_type: "image/png".to_owned(),
                base64: "aGk=".to_owned(),
            })
        });
        let message = Message::User(UserMessage {
            sender: Sender::Person,
            starts_turn,
            text,
            parts: image.into_iter().collect(),
            date: date.map(str::to_owned),
        });
        // A blank one, and one at a step boundary of nothing, are refused.
        if self.session.add_message(message).is_ok() {
            self.since.turn |= starts_turn;
        }
    }

    fn reply(&mut self, reasoning: Option<&str>, text: &str, calls: usize, incomplete: bool) {
        let ids: Vec<String> = (0..calls)
            .map(|_| {
                self.calls += 1;
                format!("call-{}", self.calls)
            })
            .collect();
        let json = reply_json(self.settings.dialect.unwrap(), reasoning, text, &ids);
        let json = json.to_string();
        if self
            .session
            .add_message(Message::Reply { json, incomplete })
            .is_ok()
        {
            self.since.replied = true;
            self.stages.clear();
        }
    }

    fn answer(&mut self, call: usize, with: Answer) {
        let conversation = self.session.conversation();
        let Some(last) = conversation.last() else {
            return;
        };
        let open: Vec<usize> = (0..last.results.len())
            .filter(|at| last.results[*at].is_empty())
            .collect();
        let Some(at) = open.get(call) else { return };
        let call = ToolCall {
            id: checks::call_ids(&last.given)[*at].clone(),
            name: "grep".to_owned(),
            arguments: "{}".to_owned(),
        };
        let outcome = match with {
            Answer::Read(file) => Outcome::Read(ReadRequest {
                path: ["a.ts", "b.ts"][file].to_owned(),
                window: LineWindow::default(),
                force: false,
            }),
            Answer::Search(text) => Outcome::Output(text.to_owned()),
            Answer::Output(text) => Outcome::Output(text),
            Answer::Failure => Outcome::Failure("went wrong".to_owned()),
        };
        self.session.insert_result(&call, outcome).unwrap();
    }

    fn rewind(&mut self, back: usize, messages: usize) {
        let numbers: Vec<u32> = self
            .session
            .conversation()
            .iter()
            .map(|message| message.number)
            .collect();
        let Some(first) = numbers.len().checked_sub(back) else {
            return;
        };
        let from = &numbers[first];
        let last = numbers.get(first + messages - 1).copied();
        // What would leave a reply at the beginning is refused.
        self.since.rewound |= self.session.rewind(*from, last).is_ok();
    }

    fn fork(&mut self) {
        let copy = Memory::default();
        let log = self.memory.0.borrow();
        *copy.0.borrow_mut() = Stored {
            records: log.records.clone(),
            texts: log.texts.clone(),
            failure: None,
        };
        drop(log);
        let settings = &self.settings;
        let fork = Session::open("fork", settings, copy.clone(), self.files.clone()).unwrap();
        assert_eq!(fork.conversation(), self.session.conversation());
    }

    /// The next request's body, of an instance that has only the log.
    fn next_body(&self) -> Option<String> {
        let mut other = open(&self.settings, &copy_of(&self.memory), &self.files);
        Some(other.build_request(PARAMETERS[1]).ok()?.tail)
    }

    fn compact(&mut self, stage: Stage, how: How) {
        let expected = self.next_body();
        let request = CompactionRequest {
            stage,
            main: None,
            parameters: PARAMETERS[1].to_owned(),
            target: SummaryTarget::Main,
            steering: None,
        };
        match self.session.compact_begin(&request) {
            // There is no message yet, or a call is open.
            Err(_) => {}
            Ok(CompactionStart::NotApplied(_)) => assert_eq!(self.next_body(), expected),
            Ok(CompactionStart::Request(request)) => {
                checks::summary(self.settings.dialect.unwrap(), &request, &self.body);
                self.finish(stage, how, expected);
            }
        }
    }

    /// A compaction that fails leaves the next request as it would have been. One that is applied is
    /// the first since a reply, or the second stage of the first.
    fn finish(&mut self, stage: Stage, how: How, expected: Option<String>) {
        let reply = |text: &str| {
            let json = reply_json(self.settings.dialect.unwrap(), Some("hm"), text, &[]);
            SummaryOutcome::Reply(json.to_string())
        };
        let full = matches!(how, How::FullDisk);
        let outcome = match &how {
            How::Summary(text) => reply(text),
            How::FullDisk => reply("A summary."),
            How::Empty => reply(""),
            How::Failed => SummaryOutcome::Failed("went wrong".to_owned()),
            How::Cancelled => SummaryOutcome::Cancelled,
        };
        let result = SummaryResult {
            outcome,
            state_retired: false,
            pending_subagents: Vec::new(),
        };
        if full {
            self.memory.0.borrow_mut().failure = Some(StorageError::Full);
            self.session.compact_finish(&result).unwrap_err();
            self.memory.0.borrow_mut().failure = None;
            assert_eq!(self.next_body(), expected);
        }
        match self.session.compact_finish(&result).unwrap() {
            CompactionEnd::NotApplied(_) => assert_eq!(self.next_body(), expected),
            CompactionEnd::Applied(_) => {
                self.since.compacted = true;
                self.stages.push(stage);
                let ends = [
                    vec![Stage::Normal],
                    vec![Stage::Emergency],
                    vec![Stage::Normal, Stage::Emergency],
                ];
                assert!(ends.contains(&self.stages), "{:?} in a row", self.stages);
            }
        }
    }

    /// What a session tells of itself is what an instance tells that has only the log, and nothing
    /// comes of being asked.
    fn diagnose(&mut self, parameters: &str) {
        // None at all would be those of the newest request.
        let parameters = if parameters.is_empty() {
            "{}"
        } else {
            parameters
        };
        let records = self.memory.0.borrow().records.len();
        let mut other = open(&self.settings, &copy_of(&self.memory), &self.files);
        if let Ok(report) = self.session.context_report(parameters) {
            assert_eq!(other.context_report(parameters).unwrap(), report);
            assert_eq!(other.pressure(parameters).unwrap(), report.pressure);
            let body = other.build_request(parameters).unwrap().tail;
            report::check(&self.settings, &report, &body);
        } else {
            other.build_request(parameters).unwrap_err();
        }
        if let Ok(snapshot) = self.session.snapshot() {
            assert_eq!(
                Some(snapshot),
                self.snapshot,
                "what is new does not reach it"
            );
        }
        assert_eq!(self.memory.0.borrow().records.len(), records);
    }

    /// Holds what the newest request held against the one before it.
    fn take_snapshot(&mut self, request: &Request, other: &mut Session<Memory, Files>) {
        let snapshot = self.session.snapshot().unwrap();
        assert_eq!(other.snapshot().unwrap(), snapshot);
        assert_eq!(snapshot.request, request.number);
        if let Some(earlier) = &self.snapshot {
            report::unchanged(earlier, &snapshot, request.difference);
        }
        self.snapshot = Some(snapshot);
    }

    /// Builds the next request here and in an instance that has only the log.
    pub fn build(&mut self, parameters: &'static str) {
        let copy = copy_of(&self.memory);
        let mut other = open(&self.settings, &copy, &self.files);
        let fresh = self.body.is_empty();
        let previous = self.previous_body();
        match self.session.build_request(parameters) {
            Ok(request) => {
                let body = body_of(&self.body, &request);
                let same = other.build_request(parameters).unwrap();
                assert_eq!((same.keep, &same.tail), (0, &body));
                assert_eq!(
                    (&same.sha256, same.shared),
                    (&request.sha256, request.shared)
                );
                assert_eq!(
                    (same.difference, &same.closed),
                    (request.difference, &request.closed)
                );
                assert_eq!(
                    same.pressure, request.pressure,
                    "counted at once or by steps"
                );
                let since = std::mem::take(&mut self.since);
                self.front_stands(&since, parameters);
                let context = checks::Context {
                    dialect: self.settings.dialect.unwrap(),
                    chat: self.settings.kind == Kind::Chat,
                    breakpoints: self.settings.overrides.contains("cache_breakpoints"),
                    previous: previous.as_deref(),
                    parameters: (self.parameters, parameters),
                    fresh,
                };
                checks::request(&context, &since, &request, &body);
                self.body = body;
                self.parameters = Some(parameters);
                self.take_snapshot(&request, &mut other);
            }
            Err(error) => {
                other.build_request(parameters).unwrap_err();
                assert!(self.session.conversation().is_empty(), "{error}");
            }
        }
    }

    /// Skills, edited files and turns change nothing of what stands in front.
    fn front_stands(&mut self, since: &Since, parameters: &str) {
        let prefix = self.session.prefix();
        let remade = since.compacted || self.parameters.is_some_and(|last| last != parameters);
        if let Some(before) = self.prefix.replace(prefix.clone()) {
            assert!(remade || before.system == prefix.system);
            assert!(since.connected || before.tools == prefix.tools);
        }
    }

    /// What was sent last, also if this instance did not send it: it is built again by nobody, so it is
    /// known only while the host keeps it.
    fn previous_body(&self) -> Option<String> {
        (!self.body.is_empty()).then(|| self.body.clone())
    }
}

fn body_of(previous: &str, request: &Request) -> String {
    let kept = &previous[..request.keep as usize];
    format!("{kept}{}", request.tail)
}

fn copy_of(memory: &Memory) -> Memory {
    let log = memory.0.borrow();
    Memory(Rc::new(RefCell::new(Stored {
        records: log.records.clone(),
        texts: log.texts.clone(),
        failure: None,
    })))
}

fn open(settings: &Settings, memory: &Memory, files: &Files) -> Session<Memory, Files> {
    Session::open("s", settings, memory.clone(), files.clone()).unwrap()
}

fn settings(setup: &Setup) -> Settings {
    Settings {
        dialect: Some(setup.dialect),
        home: Some("/home/ada".to_owned()),
        overrides: setup.overrides.to_owned(),
        prompt: prompt("one"),
        assembly: Assembly {
            instructions: setup.zones,
            ..Assembly::default()
        },
        tools: vec![tool("bash", &[]), tool("look", &["page"])],
        ..Settings::new(setup.kind, "/work/app")
    }
}

fn prompt(text: &str) -> Prompt {
    let source = |part, name: &str, text: String| PromptSource {
        part,
        name: name.to_owned(),
        text,
    };
    Prompt {
        sources: vec![
            source(
                PromptPart::Preamble,
                "preamble",
                format!("You help. {text}"),
            ),
            source(
                PromptPart::PhasePrompt,
                "phase",
                "Only \"look\".".to_owned(),
            ),
            source(
                PromptPart::ProjectContext,
                "notes.md",
                "Nul \0 here\n".to_owned(),
            ),
            source(PromptPart::ProjectContext, "more.md", format!("\t{text}")),
            source(PromptPart::SessionDate, "date", "2026-11-30".to_owned()),
        ],
        told: vec![Change {
            kind: ChangeKind::Mode,
            name: "ask".to_owned(),
            text: "Ask first.".to_owned(),
        }],
    }
}

fn tool(name: &str, requires: &[&str]) -> Tool {
    Tool {
        name: name.to_owned(),
        description: "A tool.".to_owned(),
        parameters: String::new(),
        definition: None,
        requires: requires.iter().map(|name| (*name).to_owned()).collect(),
        unavailable: None,
        kinds: Vec::new(),
        vision: false,
    }
}

fn reply_json(dialect: Dialect, reasoning: Option<&str>, text: &str, ids: &[String]) -> Value {
    let named = ids.iter().zip(["bash", "look", "grep"]);
    match dialect {
        Dialect::OpenaiChat => {
            let calls: Vec<Value> = named
                .map(|(id, name)| {
                    json!({"id": id, "type": "function",
                    "function": {"name": name, "arguments": "{\"n\":1.0}"}})
                })
                .collect();
            json!({"role": "assistant", "content": text, "reasoning": reasoning,
                "tool_calls": calls})
        }
        Dialect::AnthropicMessages => {
            let thinking = reasoning
                .map(|thought| json!({"type": "thinking", "thinking": thought, "signature": "s"}));
            let said = Some(json!({"type": "text", "text": text}));
            let calls = named
                .map(|(id, name)| json!({"type": "tool_use", "id": id, "name": name, "input": {}}));
            let blocks: Vec<Value> = thinking.into_iter().chain(said).chain(calls).collect();
            json!({"role": "assistant", "content": blocks})
        }
        Dialect::OpenaiResponses => {
            let thought = reasoning.map(|thought| {
                json!({"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": thought})
            });
            let said = Some(json!({"type": "message", "id": "m", "role": "assistant",
                "content": [{"type": "output_text", "text": text}]}));
            let calls = named.map(|(id, name)| {
                json!({"type": "function_call", "id": "fc", "call_id": id, "name": name,
                    "arguments": "{}"})
            });
            let items: Vec<Value> = thought.into_iter().chain(said).chain(calls).collect();
            json!({"output": items})
        }
    }
}
