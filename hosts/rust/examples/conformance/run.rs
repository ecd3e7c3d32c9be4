//! Performs a case on storage and files in memory.

use std::collections::BTreeMap;

use waybread::{Error, RecallWindow, Session, Snapshot, ToolCall};

use crate::assembled;
use crate::assembly::{AssemblyStep, Delegate, Diagnose};
use crate::case::Case;
use crate::failing::Failing;
use crate::reads::Reads;
use crate::result::{InsertResult, Recall};
use crate::settings::{Settings, tools};
use crate::step::{Note, Reopen, Step};
use crate::transcript::{self, Answer};

/// What a step answers, if it answers.
type Answered = Option<Result<Answer, Error>>;

struct Running<'a> {
    settings: &'a Settings,
    key: String,
    storage: Failing,
    files: Reads,
    session: Session,
    /// By the steps that answered them.
    snapshots: BTreeMap<usize, Snapshot>,
}

/// The lines of the case's transcript. The error is one in the case file, and says where.
pub fn case(case: &Case) -> Result<Vec<String>, String> {
    let (key, storage, files) = (
        "conformance".to_owned(),
        Failing::default(),
        Reads::default(),
    );
    for (path, entry) in &case.files {
        entry.put(&files.tree, path);
    }
    let session = match open(&key, &case.settings, &storage, &files) {
        Ok(session) => session,
        Err(error) => return Ok(vec![transcript::line(&case.name, 0, &Err(error))]),
    };
    let mut running = Running {
        settings: &case.settings,
        key,
        storage,
        files,
        session,
        snapshots: BTreeMap::new(),
    };
    let mut lines = Vec::new();
    for (step, number) in case.steps.iter().zip(1..) {
        let answer = Step::try_from(step.clone())
            .and_then(|step| running.perform(step, number))
            .map_err(|problem| format!("case `{}`, step {number}: {problem}", case.name))?;
        lines.extend(answer.map(|answer| transcript::line(&case.name, number, &answer)));
    }
    Ok(lines)
}

fn open(
    key: &str,
    settings: &Settings,
    storage: &Failing,
    files: &Reads,
) -> Result<Session, Error> {
    Session::open(key, settings.build(), storage.clone(), files.clone())
}

impl Running<'_> {
    fn perform(&mut self, step: Step, number: usize) -> Result<Answered, String> {
        let session = &mut self.session;
        let answer = match step {
            Step::InsertResult(insert) => self.insert(insert, number)?,
            Step::Recall(recall) => self.recall(&recall, number),
            Step::StoredText(of) => session.stored_text(&of.id).map(Answer::from),
            Step::LastRead(of) => session.last_read(&of.path).map(Answer::from),
            Step::ResolvePath(of) => session.resolve_path(&of.path).map(Answer::from),
            Step::Reopen(reopen) => self.reopen(reopen),
            Step::WriteFile(file) => {
                file.content.put(&self.files.tree, &file.path);
                return Ok(None);
            }
            Step::DeleteFile(of) => {
                // One that is not there may be gone already.
                let _ = self.files.tree.remove(&of.path);
                return Ok(None);
            }
            Step::FailStorage(fail) => {
                let after = fail.after;
                self.storage.fail(fail.error(), after);
                return Ok(None);
            }
            Step::Assembly(step) => self.assemble(step, number)?,
            step => self.converse(step)?,
        };
        Ok(Some(answer))
    }

    /// The steps of a session with a dialect.
    fn converse(&mut self, step: Step) -> Result<Result<Answer, Error>, String> {
        let session = &mut self.session;
        Ok(match step {
            Step::AddMessage(add) => session.add_message(add.message()?).map(Answer::from),
            Step::BuildRequest(build) => {
                session.build_request(&build.parameters()).map(Answer::from)
            }
            Step::Rewind(to) => session.rewind(to.first, to.last).map(Answer::from),
            Step::Fork(fork) => session.fork(&fork.key, fork.after).map(Answer::from),
            Step::Note(note) => self.note(&note).map(Answer::from),
            Step::SetPrompt(set) => session.set_prompt(&set.prompt()).map(Answer::from),
            Step::SetCondition(set) => session.set_condition(&set.name, set.met).map(Answer::from),
            Step::WithdrawTool(tool) => {
                let withdrawn = session.withdraw_tool(&tool.name, &tool.refusal);
                withdrawn.map(Answer::from)
            }
            Step::ConnectServer(server) => {
                let (tools, instructions) = (tools(server.tools), server.instructions.as_deref());
                let connected = session.connect_server(&server.name, &tools, instructions);
                connected.map(Answer::from)
            }
            Step::RecordUsage(record) => {
                let usage = session.record_usage(record.number, &record.usage());
                usage.map(Answer::from)
            }
            Step::CacheReport => session.cache_report().map(Answer::from),
            Step::Conversation => session.conversation().map(Answer::from),
            Step::Prefix => session.prefix().map(Answer::from),
            Step::Setting(of) => session.setting(&of.key).map(Answer::from),
            Step::NamePath(of) => session.name_path(&of.path).map(Answer::from),
            Step::CheckPaths(check) => {
                let checked = session.check_paths(&check.name, &check.text.0);
                checked.map(Answer::from)
            }
            step => self.compact(step)?,
        })
    }

    /// The steps of a compaction, and what it leaves.
    fn compact(&mut self, step: Step) -> Result<Result<Answer, Error>, String> {
        let session = &mut self.session;
        Ok(match step {
            Step::Pressure(of) => session.pressure(&of.parameters()).map(Answer::from),
            Step::CompactBegin(begin) => {
                session.compact_begin(&begin.compaction()).map(Answer::from)
            }
            Step::CompactFinish(finish) => {
                session.compact_finish(finish.result()?).map(Answer::from)
            }
            Step::MainRequestAnswered(answered) => {
                let told = session.main_request_answered(&answered.request());
                told.map(Answer::from)
            }
            Step::LastMainRequest => session.last_main_request().map(Answer::from),
            Step::FallbackDue(due) => due.ask(session).map(Answer::from),
            Step::Lineage => session.lineage().map(Answer::from),
            Step::Generation(of) => session.generation(of.number).map(Answer::from),
            Step::History => session.history().map(Answer::from),
            Step::ContextState => session.context_state().map(Answer::from),
            _ => return Err("is no step of a conversation".to_owned()),
        })
    }

    /// The steps of the prompt, of skills and subagents, and those that look at a request.
    fn assemble(
        &mut self,
        step: AssemblyStep,
        number: usize,
    ) -> Result<Result<Answer, Error>, String> {
        let session = &mut self.session;
        Ok(match step {
            AssemblyStep::SetAssembly(set) => {
                let assembly = set.assembly.build();
                session.set_assembly(&assembly).map(Answer::from)
            }
            AssemblyStep::PromptReport => session.prompt_report().map(Answer::from),
            AssemblyStep::EnableSkill(skill) => {
                let text = skill.text.as_ref().map(|text| text.0.as_str());
                session.enable_skill(&skill.name, text).map(Answer::from)
            }
            AssemblyStep::DisableSkill(of) => session.disable_skill(&of.name).map(Answer::from),
            AssemblyStep::Skills => session.skills().map(Answer::from),
            AssemblyStep::Delegate(delegate) => self.delegate(delegate),
            AssemblyStep::DelegateProgress(of) => session
                .delegate_progress(&of.key, &of.state)
                .map(Answer::from),
            AssemblyStep::Delegates => session.delegates().map(Answer::from),
            AssemblyStep::Snapshot => self.snapshot(number),
            AssemblyStep::Diagnose(diagnose) => self.diagnose(&diagnose)?,
            AssemblyStep::ContextReport(of) => {
                let report = session.context_report(&of.parameters());
                report.map(Answer::from)
            }
            AssemblyStep::FileReads => Ok(Answer::value(self.files.take().into())),
        })
    }

    /// The case goes on with the subagent's session.
    fn delegate(&mut self, delegate: Delegate) -> Result<Answer, Error> {
        let delegation = delegate.delegation();
        self.session = self.session.delegate(&delegation)?;
        self.key = delegation.key;
        Ok(Answer::from(()))
    }

    fn snapshot(&mut self, number: usize) -> Result<Answer, Error> {
        let snapshot = self.session.snapshot()?;
        let answer = assembled::snapshot(&snapshot);
        self.snapshots.insert(number, snapshot);
        Ok(answer)
    }

    fn diagnose(&self, diagnose: &Diagnose) -> Result<Result<Answer, Error>, String> {
        let of = |step: &usize| {
            let snapshot = self.snapshots.get(step);
            snapshot.ok_or_else(|| format!("step {step} answered no snapshot"))
        };
        let earlier = diagnose.earlier.as_ref().map(of).transpose()?;
        let later = of(&diagnose.later)?;
        Ok(Snapshot::diagnose(earlier, later).map(Answer::from))
    }

    fn insert(
        &mut self,
        insert: InsertResult,
        number: usize,
    ) -> Result<Result<Answer, Error>, String> {
        let name = insert.tool.clone().unwrap_or_else(|| "tool".to_owned());
        let call = ToolCall::new(
            call_id(insert.call.clone(), number),
            name,
            insert.arguments(),
        );
        let outcome = insert.outcome()?;
        Ok(self.session.insert_result(&call, outcome).map(Answer::from))
    }

    fn recall(&mut self, recall: &Recall, number: usize) -> Result<Answer, Error> {
        let call = ToolCall::new(call_id(recall.call.clone(), number), "recall", "{}");
        let window = RecallWindow {
            offset: recall.offset,
            limit: recall.limit,
            char_offset: recall.char_offset,
            char_limit: recall.char_limit,
        };
        let answer = self.session.recall(&call, &recall.id, window);
        answer.map(Answer::from)
    }

    fn note(&mut self, note: &Note) -> Result<(), Error> {
        let change = note.change();
        if note.by_model {
            self.session.note_by_model(&change)
        } else {
            self.session.note(&change)
        }
    }

    /// A session that could not be opened again leaves the one that was open.
    fn reopen(&mut self, reopen: Reopen) -> Result<Answer, Error> {
        let key = reopen.key.unwrap_or_else(|| self.key.clone());
        let settings = reopen.settings.or(self.settings);
        self.files.take();
        self.session = open(&key, &settings, &self.storage, &self.files)?;
        self.key = key;
        Ok(Answer::from(()))
    }
}

fn call_id(given: Option<String>, number: usize) -> String {
    given.unwrap_or_else(|| format!("call-{number}"))
}
