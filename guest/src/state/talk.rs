//! What requests are built of: a fold over the events of a conversation.

use crate::conversation::{Conversation, Item};
use crate::notes::{Change, Notes};
use crate::prompt::Prompt;
use crate::record::{Dialect, Event, OpenedConversation, RequestRecord, Usage};
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
    /// The system prompt as it is sent.
    pub system: String,
    /// What it is to be made of next.
    pub given: Prompt,
    /// What that tells, as it is shown.
    pub told: Vec<Change>,
    /// What the last `open` gave.
    pub given_at_open: Prompt,
    /// The requests so far.
    pub requests: Vec<SentRequest>,
    /// What the previous request was built of.
    pub previous: Option<Previous>,
}

/// A request in the cache report.
#[derive(Clone, Debug)]
pub struct SentRequest {
    /// The request.
    pub record: RequestRecord,
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
    /// How many tools it had.
    pub tools: usize,
    /// The caller's parameters.
    pub parameters: String,
}

impl Talk {
    pub(super) fn begin(opened: &OpenedConversation) -> Result<Self, String> {
        check_tools(&opened.tools)?;
        let given = opened.prompt.clone();
        let mut notes = Notes::default();
        notes.prompt_given(&opened.told);
        notes.prompt_made(&opened.told);
        let (filter, tools) = (opened.filter.clone(), opened.tools.clone());
        Ok(Self {
            dialect: opened.dialect,
            conversation: Conversation::default(),
            notes,
            recall: opened.recall,
            tools: Toolset::new(opened.dialect, filter, tools, opened.conditions.clone()),
            system: opened.system.clone(),
            given_at_open: given.clone(),
            told: opened.told.clone(),
            given,
            requests: Vec::new(),
            previous: None,
        })
    }

    pub(super) fn apply(&mut self, event: Event) -> Result<(), String> {
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
            Event::PromptMade { system } => {
                self.system = system;
                self.notes.prompt_made(&self.told);
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
            }
            Event::Requested(request) => return self.requested(*request),
            Event::Used { number, usage, .. } => {
                let at = (number as usize).checked_sub(1);
                let request = at.and_then(|at| self.requests.get_mut(at));
                let request = request.ok_or("tells the usage of no request")?;
                request.usage = Some(usage);
            }
            _ => return Err("stands where it cannot".to_owned()),
        }
        Ok(())
    }

    fn requested(&mut self, record: RequestRecord) -> Result<(), String> {
        if record.number as usize != self.requests.len() + 1 {
            return Err(format!("is request {} out of turn", record.number));
        }
        let last = self.previous.take().map(|previous| previous.parameters);
        let parameters = record.parameters.clone().or(last);
        self.previous = Some(Previous {
            common: self.conversation.items().len(),
            rest: Vec::new(),
            tools: self.tools.count(),
            parameters: parameters.ok_or("has no parameters, nor has one before it")?,
        });
        self.requests.push(SentRequest {
            record,
            usage: None,
        });
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
