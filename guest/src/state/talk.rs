//! What requests are built of: a fold over the events of a conversation.

use serde_json::Value;

use super::bound::Sent;
use super::delegates::Delegates;
use super::lineage::Lineage;
use super::reports::Reports;
use super::skills::Skills;
use crate::assembly::{Assembly, Made};
use crate::budget::{Calibration, Counter};
use crate::conversation::{Conversation, Item};
use crate::fallback::MainRequest;
use crate::notes::{Change, Notes, PromptTells};
use crate::prompt::{Prompt, PromptSource};
use crate::record::{
    CompactedRecord, Dialect, Event, OpenedConversation, RequestRecord, ResultRecord, Usage,
};
use crate::request::{Carrying, Items, Parameters};
use crate::rules::Reasoning;
use crate::tokens::Estimate;
use crate::tools::{self, Tool, Toolset};

/// What requests are built of.
#[derive(Clone, Debug)]
pub struct Talk {
    /// The provider's API.
    pub dialect: Dialect,
    /// The messages.
    pub conversation: Conversation,
    /// What changes and is told in notes.
    pub notes: Notes,
    /// The tools.
    pub tools: Toolset,
    /// Whether the model is told of recall.
    pub recall: bool,
    /// The prompt as it is sent.
    pub made: Made,
    /// What is read when it is made again.
    pub assembly: Assembly,
    /// What the last `open` gave to be read.
    pub assembly_at_open: Assembly,
    /// Skills that come and go.
    pub skills: Skills,
    /// Subagents.
    pub delegates: Delegates,
    /// The session's date that it tells.
    pub date: Option<PromptSource>,
    /// What it is to be made of next.
    pub given: Prompt,
    /// What that tells, as it is shown.
    pub told: Vec<Change>,
    /// What the last `open` gave.
    pub given_at_open: Prompt,
    /// The requests so far.
    pub requests: Vec<SentRequest>,
    /// How many results there were when the previous request was built.
    pub sent_results: usize,
    /// Whether the newest request told the provider to store nothing.
    pub unstored: bool,
    /// What the previous request was built of.
    pub previous: Option<Previous>,
    /// What compactions came to.
    pub lineage: Lineage,
    /// What providers reported, for the budget.
    pub reports: Reports,
    /// What they reported, for the estimate.
    pub calibration: Calibration,
    /// The last request that the main model answered.
    pub main_request: Option<MainRequest>,
    /// The tokens of the prompt.
    prompt_tokens: Estimate,
    /// The tokens of the first tools, by their number less 1.
    tool_tokens: Vec<Estimate>,
}

/// A request in the cache report.
#[derive(Clone, Debug)]
pub struct SentRequest {
    /// The request.
    pub record: RequestRecord,
    /// Its model's name; empty for none.
    pub model: String,
    /// What the provider reported.
    pub usage: Option<Usage>,
}

/// What the previous request was built of, as far as it is not the conversation's any more.
#[derive(Clone, Debug)]
pub struct Previous {
    /// How many of its messages are still the conversation's first.
    pub common: usize,
    /// Those that followed them.
    pub rest: Vec<Item>,
    /// How it sent its messages.
    pub sent: Sent,
    /// How many tools it had.
    pub tools: usize,
    /// The caller's parameters.
    pub parameters: String,
    /// Its prompt, where another has been made since.
    pub made: Option<Made>,
    /// Whether a summary took the place of its messages.
    pub compacted: bool,
    /// Its stubs that are shown in full by now.
    pub stubs: Vec<ResultRecord>,
}

impl Talk {
    pub(super) fn begin(opened: &OpenedConversation, counter: Counter<'_>) -> Result<Self, String> {
        check_tools(&opened.tools)?;
        let given = opened.prompt.clone();
        let mut notes = Notes::default();
        notes.prompt_given(&opened.told);
        notes.prompt_made(PromptTells {
            given: &opened.told,
            read: &opened.made.told,
            date: given.date_told(),
        });
        let (filter, tools) = (opened.filter.clone(), opened.tools.clone());
        let mut talk = Self {
            dialect: opened.dialect,
            conversation: Conversation::default(),
            notes,
            recall: opened.recall,
            tools: Toolset::new(opened.dialect, filter, tools, opened.conditions.clone()),
            made: opened.made.clone(),
            assembly: opened.assembly.clone(),
            assembly_at_open: opened.assembly.clone(),
            skills: Skills::default(),
            delegates: Delegates::default(),
            given_at_open: given.clone(),
            told: opened.told.clone(),
            date: given.session_date().cloned(),
            given,
            requests: Vec::new(),
            sent_results: 0,
            unstored: false,
            previous: None,
            lineage: Lineage::default(),
            reports: Reports::default(),
            calibration: Calibration::default(),
            main_request: None,
            prompt_tokens: counter.prompt(&opened.made, opened.dialect),
            tool_tokens: Vec::new(),
        };
        talk.count_tools(counter);
        Ok(talk)
    }

    /// Counts the tools that are new.
    fn count_tools(&mut self, counter: Counter<'_>) {
        let mut sum = self.tool_tokens.last().copied().unwrap_or_default();
        for (tool, sent) in self.tools.listed().skip(self.tool_tokens.len()) {
            let own = tool.definition.is_some();
            sum += counter.tool(&tool.name, &tool.description, sent, own);
            self.tool_tokens.push(sum);
        }
    }

    /// The tokens of the tools.
    pub fn tool_tokens(&self) -> Estimate {
        self.tool_tokens.last().copied().unwrap_or_default()
    }

    /// The tokens of the prompt.
    pub fn prompt_tokens(&self) -> Estimate {
        self.prompt_tokens
    }

    pub(super) fn apply(
        &mut self,
        event: Event,
        chat: bool,
        counter: Counter<'_>,
    ) -> Result<(), String> {
        match event {
            Event::Changed { change, by_model } => {
                let learnt = by_model.then(|| self.conversation.newest());
                self.notes.change(change, learnt);
            }
            Event::PromptGiven {
                prompt,
                told,
                at_open,
            } => {
                self.notes.prompt_given(&told);
                self.told = told;
                if at_open {
                    self.given_at_open.clone_from(&prompt);
                }
                self.given = prompt;
            }
            Event::PromptMade { prompt } => {
                self.prompt_tokens = counter.prompt(&prompt, self.dialect);
                let made = std::mem::replace(&mut self.made, prompt);
                if let Some(previous) = &mut self.previous {
                    previous.made.get_or_insert(made);
                }
                self.notes.prompt_made(PromptTells {
                    given: &self.told,
                    read: &self.made.told,
                    date: self.given.date_told(),
                });
                self.date = self.given.session_date().cloned();
            }
            Event::Condition { name, met } => self.tools.set_condition(name, met),
            Event::Withdrawn { name, refusal } => self.tools.withdraw(name, refusal),
            Event::Connected {
                name,
                tools,
                instructions,
            } => {
                check_tools(&tools)?;
                self.tools.connect(name, tools, instructions);
                self.count_tools(counter);
            }
            Event::Requested(request) => return self.requested(*request, chat, counter),
            Event::Used { number, usage, .. } => return self.used(number, usage, counter),
            Event::NotCompacted {
                stage,
                state_cleared,
            } => {
                if let Some(stage) = stage {
                    self.lineage.failed.add(stage);
                }
                if state_cleared {
                    self.reports.begin_anew(self.newest_request(), false);
                }
            }
            Event::Archived { generation, text } => self.lineage.archive(generation, text)?,
            Event::MainRequest(request) => self.main_request = Some(request),
            Event::AssemblyGiven { assembly, at_open } => {
                if at_open {
                    self.assembly_at_open.clone_from(&assembly);
                }
                self.assembly = assembly;
            }
            Event::SkillEnabled { name, text } => self.skills.enable(name, text),
            Event::SkillDisabled { name } => self.skills.disable(&name),
            Event::Delegated { key, kind } => {
                let open = self.conversation.open_calls();
                let calls = open.map(|call| call.id.clone()).collect();
                let since = self.conversation.newest();
                self.delegates.add(key, kind, since, calls);
            }
            Event::DelegateProgress { key, state } => {
                let ended = &counter.rules.delegation.ended;
                self.delegates.progress(&key, state, ended)?;
            }
            _ => return Err("stands where it cannot".to_owned()),
        }
        Ok(())
    }

    /// The number of the newest request; 0 before any.
    fn newest_request(&self) -> u32 {
        u32::try_from(self.requests.len()).unwrap_or(u32::MAX)
    }

    fn used(&mut self, number: u32, usage: Usage, counter: Counter<'_>) -> Result<(), String> {
        let at = (number as usize).checked_sub(1);
        let request = at.and_then(|at| self.requests.get_mut(at));
        let request = request.ok_or("tells the usage of no request")?;
        if request.usage.is_none() {
            let (model, raw) = (&request.model, request.record.tokens);
            let rules = &counter.rules.tokens;
            self.calibration.observe(model, usage.input, raw, rules);
        }
        request.usage = Some(usage);
        self.reports.used(&request.model, number, usage);
        Ok(())
    }

    fn requested(
        &mut self,
        record: RequestRecord,
        chat: bool,
        counter: Counter<'_>,
    ) -> Result<(), String> {
        if record.number as usize != self.requests.len() + 1 {
            return Err(format!("is request {} out of turn", record.number));
        }
        let model = match &record.parameters {
            Some(parameters) => {
                let parameters = Parameters::read(parameters).unwrap_or_default();
                self.unstored = parameters.rest.get("store") == Some(&Value::Bool(false));
                parameters.name().to_owned()
            }
            None => {
                let last = self.requests.last();
                last.map(|request| request.model.clone())
                    .unwrap_or_default()
            }
        };
        if let Some(number) = record.unbound {
            self.conversation.unbind(number);
        }
        let sent = self.sent(&model, chat, &counter.rules.reasoning);
        let last = self.previous.take().map(|previous| previous.parameters);
        let parameters = record.parameters.clone().or(last);
        self.previous = Some(Previous {
            common: self.conversation.items().len(),
            rest: Vec::new(),
            sent,
            tools: self.tools.count(),
            parameters: parameters.ok_or("has no parameters, nor has one before it")?,
            made: None,
            compacted: false,
            stubs: Vec::new(),
        });
        self.requests.push(SentRequest {
            record,
            model,
            usage: None,
        });
        Ok(())
    }

    /// Results that a request held are shown shorter.
    pub(super) fn shorten(&mut self, generation: u32) -> Result<(), String> {
        self.check_generation(generation)?;
        self.lineage.shortened(self.conversation.items().len());
        self.reports.begin_anew(self.newest_request(), true);
        Ok(())
    }

    fn check_generation(&self, generation: u32) -> Result<(), String> {
        if generation == self.lineage.active().saturating_add(1) {
            return Ok(());
        }
        Err(format!("begins generation {generation} out of turn"))
    }

    /// How a request for a model sends the messages, as far as nothing before them differs.
    pub fn sent(&self, model: &str, chat: bool, rules: &Reasoning) -> Sent {
        let turn = self.conversation.turn();
        let items = Items {
            first: self.conversation.items(),
            rest: &[],
        };
        Sent {
            chat,
            turn,
            carrying: Carrying {
                from: items.carried_from(turn, self.dialect, rules),
                by: rules.of(model),
                unbound: usize::MAX,
            },
        }
    }

    /// A summary takes the place of messages. `results` are all of the session, as they were.
    pub(super) fn compact(
        &mut self,
        position: u32,
        record: &CompactedRecord,
        results: &[ResultRecord],
        counter: Counter<'_>,
    ) -> Result<(), String> {
        let items = self.conversation.items();
        let covered = record.covers as usize;
        if covered == 0 || covered > items.len() {
            return Err(format!("covers {covered} of {} messages", items.len()));
        }
        self.check_generation(record.generation)?;
        if let Some(previous) = &mut self.previous {
            previous.keep_apart(items, 0);
            previous.compacted = true;
            let stubs = record.unstubbed.iter();
            let stubs = stubs.filter_map(|result| {
                let at = (result.number as usize).checked_sub(1)?;
                results.get(at)
            });
            previous.stubs.extend(stubs.cloned());
        }
        let dropped = record
            .stripped
            .iter()
            .filter(|message| message.text.is_none());
        let mut gone = super::numbers(items, 0, covered);
        gone.extend(dropped.map(|message| message.number));
        self.notes.take_back(&gone);
        if let Some(note) = &record.message.note {
            self.notes.message_tells(record.message.number, note);
        }
        self.lineage.compacted(items, record);
        self.reports.begin_anew(self.newest_request(), true);
        self.conversation.compact(position, record, counter);
        Ok(())
    }
}

fn check_tools(given: &[Tool]) -> Result<(), String> {
    let fault =
        |fault: tools::ToolFault| format!("holds a tool whose {} {}", fault.field, fault.problem);
    tools::check(given).map_err(fault)
}

impl Previous {
    /// Messages from `from` on are about to be taken back or to move.
    pub(super) fn keep_apart(&mut self, items: &[Item], from: usize) {
        if from < self.common {
            let moved = items.get(from..self.common).unwrap_or_default();
            self.rest.splice(0..0, moved.iter().cloned());
            self.common = from;
        }
    }
}
