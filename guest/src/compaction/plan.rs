//! What a stage covers, what its request holds, and whether it can begin (docs/compaction.md, "What a
//! stage covers").

use super::{NotStarted, Reason, name_of};
use crate::budget::{Calibration, Limits, Sending, TokenEstimate};
use crate::conversation::{Item, Place};
use crate::message::Sender;
use crate::record::Stage;
use crate::rules::{Anchor, RetainBy, Rules};
use crate::tokens::Estimate;

/// A model that is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Its name; empty for none.
    pub model: &'a str,
    /// Its limits.
    pub limits: Limits,
    /// The most tokens that the caller lets a reply have.
    pub explicit: Option<u32>,
    /// The tokens of what it writes that it may think.
    pub thinking: u32,
}

/// What a stage does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many messages the summary covers, from the first.
    pub covers: usize,
    /// How many messages the request holds.
    pub holds: usize,
    /// The most tokens that the summary may have; 0 for no limit.
    pub limit: u32,
    /// The most tokens that the model may write for it; 0 for no limit.
    pub written: u32,
    /// The request's tokens, for the model that is asked.
    pub estimate: TokenEstimate,
}

/// What a plan is made from.
pub struct Planner<'a> {
    /// The conversation as it is sent.
    pub sending: Sending<'a>,
    /// What of it a request for a summary sends: images may be left out.
    pub shown: Sending<'a>,
    /// Request, tools and system prompt.
    pub head: Estimate,
    /// The message that asks for the summary.
    pub prompt: Estimate,
    /// The stage.
    pub stage: Stage,
    /// The main model.
    pub main: Asked<'a>,
    /// The model that is asked for the summary.
    pub target: Asked<'a>,
    /// The next request's tokens.
    pub next: u32,
    /// The stage that was applied with no reply since.
    pub applied: Option<Stage>,
    /// What providers reported.
    pub calibration: &'a Calibration,
    /// Texts and numbers.
    pub rules: &'a Rules,
}

impl Planner<'_> {
    /// The plan.
    ///
    /// # Errors
    ///
    /// Why the stage is not begun.
    pub fn plan(&self) -> Result<Plan, NotStarted> {
        self.check_turn()?;
        let plan = self.request(self.retained())?;
        self.check_retained(plan.covers)?;
        self.check_freed(&plan)?;
        Ok(plan)
    }

    /// Whether the stage would leave something to summarise.
    pub fn finds_something(&self) -> bool {
        self.retained() > self.front()
    }

    /// Whether the whole request, not made smaller, fits the model that is asked.
    pub fn fits_whole(&self) -> bool {
        let covers = self.retained();
        let plan = self.plan_of(covers, self.held(covers));
        self.fits(&plan)
    }

    /// Two compactions in a row are one of two stages, or none.
    fn check_turn(&self) -> Result<(), NotStarted> {
        let stages = match (self.applied, self.stage) {
            (None, _) | (Some(Stage::Normal), Stage::Emergency) => return Ok(()),
            (Some(applied), _) => name_of(applied),
        };
        let message = format!(
            "no reply was added since the last compaction ({stages}); another one would summarise its summary"
        );
        Err(NotStarted::new(Reason::NoTurnSince, message))
    }

    fn items(&self) -> &[Item] {
        self.sending.items.first
    }

    /// How many messages a compaction put in front.
    fn front(&self) -> usize {
        let placed = self.items().iter();
        placed.take_while(|item| item.is_front()).count()
    }

    /// The first message that is retained.
    fn retained(&self) -> usize {
        let count = self.items().len();
        let turns = match self.stage {
            Stage::Normal => self.rules.compaction.retain,
            Stage::Emergency | Stage::Shorten => self.rules.compaction.retain_emergency,
        };
        let starts = match self.rules.compaction.retain_by {
            RetainBy::Turns => self.turns(),
            RetainBy::Steps => self.steps(),
        };
        // What stands before the first turn is part of none, and not retained.
        let first = starts.len().saturating_sub(turns as usize);
        let by_turns = starts.get(first).copied().unwrap_or(count);
        let cut = by_turns.min(self.unanswered());
        self.anchored(cut)
    }

    /// Where turns begin (§8).
    fn turns(&self) -> Vec<usize> {
        let messages = self.items().iter().enumerate().skip(self.front());
        let starts = messages.filter(|(_, item)| item.starts_turn());
        starts.map(|(at, _)| at).collect()
    }

    /// Where the chunks of the document begin: at a message to the model, and at a reply after a reply.
    fn steps(&self) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut replied = true;
        for (at, item) in self.items().iter().enumerate() {
            if item.is_summary() || item.place() == Some(&Place::Pending) {
                continue;
            }
            let reply = item.as_reply().is_some();
            if !reply || replied {
                starts.push(at);
            }
            replied = reply;
        }
        starts
    }

    /// The first of the messages to the model after the last reply.
    fn unanswered(&self) -> usize {
        let last = self
            .items()
            .iter()
            .rposition(|item| item.as_reply().is_some());
        last.map_or(self.front(), |at| at + 1)
    }

    /// The last task stays, if it can.
    fn anchored(&self, cut: usize) -> usize {
        if self.stage != Stage::Normal {
            return cut;
        }
        match self.items().iter().rposition(|item| self.is_anchor(item)) {
            Some(at) if at < cut && at > self.front() && self.retained_fits(at) => at,
            _ => cut,
        }
    }

    fn is_anchor(&self, item: &Item) -> bool {
        let Item::User(user) = item else { return false };
        let (sender, starts) = (user.message.sender, user.message.starts_turn);
        match self.rules.compaction.anchor {
            Anchor::None => false,
            Anchor::Person => sender == Sender::Person,
            Anchor::Task => {
                sender == Sender::Person
                    || (sender == Sender::Machine && starts && !item.is_front())
            }
        }
    }

    fn request(&self, covers: usize) -> Result<Plan, NotStarted> {
        if covers <= self.front() {
            let message = "there is nothing to summarise: every message is retained";
            return Err(NotStarted::new(Reason::NothingToSummarise, message));
        }
        let plan = self.plan_of(covers, self.held(covers));
        if self.fits(&plan) {
            return Ok(plan);
        }
        let last = self
            .items()
            .iter()
            .rposition(|item| item.as_reply().is_some());
        let last = last.unwrap_or_default();
        let covers = covers.min(last);
        if covers > self.front() {
            let holds = if self.rules.compaction.older {
                covers
            } else {
                last
            };
            let smaller = self.plan_of(covers, holds);
            if self.fits(&smaller) {
                return Ok(smaller);
            }
        }
        let limits = self.target.limits;
        let message = format!(
            "the request for a summary does not fit: prompt={} summary={} margin={} context_window={}",
            plan.estimate.tokens,
            plan.written,
            limits.margin(&self.rules.budget),
            limits.window,
        );
        Err(NotStarted::new(Reason::RequestDoesNotFit, message))
    }

    /// How many messages the request holds that covers some.
    fn held(&self, covers: usize) -> usize {
        if self.rules.compaction.older {
            covers
        } else {
            self.items().len()
        }
    }

    fn plan_of(&self, covers: usize, holds: usize) -> Plan {
        let tokens = self.head + self.shown.messages(0, holds) + self.prompt;
        let limit = self.target.limits.summary_limit(self.stage, self.rules);
        let written = match limit {
            0 => 0,
            limit => self.target.limits.written(limit, self.target.thinking),
        };
        Plan {
            covers,
            holds,
            limit,
            written,
            estimate: self.tokens(self.target.model, tokens),
        }
    }

    fn fits(&self, plan: &Plan) -> bool {
        let limits = self.target.limits;
        limits.fits_summary(plan.estimate.tokens, plan.written, &self.rules.budget)
    }

    fn tokens(&self, model: &str, estimate: Estimate) -> TokenEstimate {
        self.calibration.tokens(model, estimate, &self.rules.tokens)
    }

    fn retained_tokens(&self, from: usize) -> u32 {
        let kept = self.sending.messages(from, self.items().len());
        self.tokens(self.main.model, self.head + kept).tokens
    }

    fn retained_fits(&self, from: usize) -> bool {
        let (main, prompt) = (self.main, self.retained_tokens(from));
        main.limits
            .fit(prompt, main.explicit, &self.rules.budget)
            .fits
    }

    fn check_retained(&self, covers: usize) -> Result<(), NotStarted> {
        if self.retained_fits(covers) {
            return Ok(());
        }
        let prompt = self.retained_tokens(covers);
        let limits = self.main.limits;
        let fit = limits.fit(prompt, self.main.explicit, &self.rules.budget);
        let message = format!(
            "what would be retained does not fit by itself: prompt={prompt} reserve={} margin={} context_window={}",
            fit.reserve, fit.margin, limits.window,
        );
        Err(NotStarted::new(Reason::RetainedDoesNotFit, message))
    }

    fn check_freed(&self, plan: &Plan) -> Result<(), NotStarted> {
        let least = self.rules.compaction.least_freed_percent;
        let covered = self.sending.messages(0, plan.covers);
        let calibration = self.calibration;
        let covered = calibration.part(self.main.model, covered, &self.rules.tokens);
        let freed = i64::from(covered) - i64::from(plan.limit);
        if least == 0 || freed * 100 >= i64::from(least) * i64::from(self.next) {
            return Ok(());
        }
        let message = format!(
            "it would free too little: {covered} tokens would become up to {}, and {least}% of {} are to be freed at least",
            plan.limit, self.next,
        );
        Err(NotStarted::new(Reason::FreesTooLittle, message))
    }
}
