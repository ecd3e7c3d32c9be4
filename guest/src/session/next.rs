//! The next request's tokens, and what they come to (docs/compaction.md).

use std::collections::BTreeMap;

use super::Session;
use super::pending::{Pending, closed_text};
use super::shorten::Stored;
use super::unstub::Unstubbed;
use crate::assembly::Made;
use crate::budget::pressure::Load;
use crate::budget::{Counter, Limits, Pressure, Sending, Tally, TokenEstimate, limits};
use crate::compaction::{self, Asked, Planner};
use crate::conversation::{Item, machine_message};
use crate::error::Error;
use crate::message::{Part, Sender};
use crate::ports::{FileSystem, Storage};
use crate::record::{Kind, Stage};
use crate::request::{Items, Parameters};
use crate::state::{Sent, State, Talk};
use crate::tokens::{self, Estimate};

/// What decides the next request's tokens.
#[derive(Clone, Copy)]
pub struct Next<'a> {
    /// The session.
    pub state: &'a State,
    /// Its conversation.
    pub talk: &'a Talk,
    /// The caller's parameters.
    pub parameters: &'a Parameters,
    /// The prompt, if it is made again.
    pub prompt: Option<&'a Made>,
    /// The number of the result that the first open call is about to get, and those results' texts.
    pub closing: u32,
    /// As the model reads them.
    pub closed: &'a [(u32, String)],
    /// Results that are shown otherwise from then on.
    pub shorter: &'a [Unstubbed],
}

impl<'a> Next<'a> {
    pub fn counter(self) -> Counter<'a> {
        Counter {
            rules: &self.state.rules,
            style: &self.state.style,
        }
    }

    /// Everything but the messages.
    pub fn head(self) -> Estimate {
        let prompt = match self.prompt {
            None => self.talk.prompt_tokens(),
            Some(made) => self.counter().prompt(made, self.talk.dialect),
        };
        self.counter().request() + self.talk.tool_tokens() + prompt
    }

    /// The tokens of a result's text.
    pub fn result(self, number: u32) -> Estimate {
        let shorter = self.shorter.iter().map(|(result, _)| result);
        let mut known = shorter.chain(self.state.result(number));
        if let Some(result) = known.find(|result| result.number == number) {
            return result.tokens;
        }
        let closed = closed_text(self.closed, number);
        closed.map(tokens::estimate).unwrap_or_default()
    }

    /// How a request for a model sends the messages, and the first that differs from how it was sent before.
    pub fn sent(self, model: &str) -> (Sent, usize) {
        let chat = self.state.opened.kind == Kind::Chat;
        let mut sent = self.talk.sent(model, chat, &self.state.rules.reasoning);
        if self.state.rules.reasoning.models.is_empty() {
            return (sent, usize::MAX);
        }
        let items = Items {
            first: self.talk.conversation.items(),
            rest: &[],
        };
        let differs = self.talk.differs_from(items, sent, self.prompt);
        if sent.carrying.by.binds {
            sent.carrying.unbound = differs;
        }
        (sent, differs)
    }

    /// The same where a request for a summary shows some messages otherwise.
    pub fn sent_shown(self, model: &str, shown: Option<&[Item]>) -> Sent {
        let (mut sent, _) = self.sent(model);
        if sent.carrying.by.binds {
            let same = as_sent(self.talk.conversation.items(), shown);
            sent.carrying.unbound = sent.carrying.unbound.min(same);
        }
        sent
    }

    /// Messages as they are sent.
    pub fn sending<'b>(
        self,
        sent: Sent,
        items: &'b [Item],
        results: &'b dyn Fn(u32) -> Estimate,
    ) -> Sending<'b>
    where
        'a: 'b,
    {
        let items = Items {
            first: items,
            rest: &[],
        };
        Sending {
            items,
            turn: sent.turn,
            carrying: sent.carrying,
            chat: sent.chat,
            counter: self.counter(),
            closing: self.closing,
            results,
        }
    }

    /// A model that is asked with these parameters, and its limits.
    pub fn asked_of<'b>(self, parameters: &'b Parameters, limits: Limits) -> Asked<'b> {
        Asked {
            model: parameters.name(),
            limits,
            explicit: limits::explicit(&self.state.rules.budget, &parameters.rest),
            thinking: compaction::thinking(&parameters.rest, self.talk.dialect),
        }
    }

    /// The main model.
    pub fn asked(self) -> Asked<'a> {
        let rules = &self.state.rules.budget;
        let model = self.parameters.name();
        self.asked_of(self.parameters, Limits::of(model, rules))
    }

    /// What the next request comes to.
    ///
    /// # Errors
    ///
    /// None so far: planning reads nothing.
    pub fn pressure(self, tally: &mut Tally) -> Result<Pressure, Error> {
        let results = |number| self.result(number);
        let items = self.talk.conversation.items();
        let messages =
            tally.sum(&self.sending(self.sent(self.parameters.name()).0, items, &results));
        let (asked, estimate) = (self.asked(), self.estimated(messages));
        self.load(estimate).pressure(|stage| {
            let plan = |planner: &Planner<'_>| planner.plan().map(drop);
            Ok(self.planned(stage, None, asked, estimate.tokens, plan))
        })
    }

    fn estimated(self, messages: Estimate) -> TokenEstimate {
        let (calibration, rules) = (&self.talk.calibration, &self.state.rules.tokens);
        calibration.tokens(self.parameters.name(), self.head() + messages, rules)
    }

    /// What the next request comes to with other results.
    pub fn estimate_with(self, changed: &BTreeMap<u32, Estimate>) -> TokenEstimate {
        let known = |number: u32| changed.get(&number).copied();
        let results = |number| known(number).unwrap_or_else(|| self.result(number));
        let items = self.talk.conversation.items();
        let sending = self.sending(self.sent(self.parameters.name()).0, items, &results);
        self.estimated(sending.messages(0, items.len()))
    }

    /// What is known of a next request of so many tokens.
    pub fn load(self, estimate: TokenEstimate) -> Load<'a> {
        let (asked, lineage) = (self.asked(), &self.talk.lineage);
        Load {
            estimate,
            limits: asked.limits,
            explicit: asked.explicit,
            reported: self.talk.reports.of(asked.model),
            applied: lineage.applied,
            failed: lineage.failed,
            rules: &self.state.rules,
        }
    }

    /// Hands out what a stage is planned with. `target` is the model that is asked for the summary.
    pub fn planned<T>(
        self,
        stage: Stage,
        steering: Option<&str>,
        target: Asked<'_>,
        next: u32,
        plan: impl FnOnce(&Planner<'_>) -> T,
    ) -> T {
        let rules = &self.state.rules;
        let results = |number| self.result(number);
        let items = self.talk.conversation.items();
        let sent = self.sent_for_summary(items);
        let prompt = compaction::prompt(stage, steering, &rules.compaction);
        plan(&Planner {
            sending: self.sending(self.sent(self.parameters.name()).0, items, &results),
            shown: self.sending(
                self.sent_shown(target.model, sent.as_deref()),
                sent.as_deref().unwrap_or(items),
                &results,
            ),
            head: self.head(),
            prompt: self
                .counter()
                .user(&machine_message(&prompt, Sender::Machine)),
            stage,
            main: self.asked(),
            target,
            next,
            applied: self.talk.lineage.applied,
            calibration: &self.talk.calibration,
            rules,
        })
    }

    /// The messages as a request for a summary sends them, if that differs: without images, where the
    /// session's own requests have any.
    pub fn sent_for_summary(self, items: &[Item]) -> Option<Vec<Item>> {
        let rules = &self.state.rules.compaction;
        if self.state.rules.requests.image_omitted.is_some() {
            return None;
        }
        let image = |part: &Part| matches!(part, Part::Image(_) | Part::ImageUrl(_));
        let has_image =
            |item: &Item| matches!(item, Item::User(user) if user.message.parts.iter().any(image));
        if !rules.omit_images || !items.iter().any(has_image) {
            return None;
        }
        let mut items = items.to_vec();
        for item in items.iter_mut().filter(|item| has_image(item)) {
            if let Item::User(user) = item {
                user.message.parts.retain(|part| !image(part));
                let said = user.message.text.as_str();
                let said = Some(said).filter(|said| !said.trim().is_empty());
                let note = Some(rules.image_omitted.as_str());
                let lines: Vec<&str> = said.into_iter().chain(note).collect();
                user.message.text = lines.join("\n");
                user.tokens = self.counter().user(&user.message);
            }
        }
        Some(items)
    }
}

/// How many of the first messages a request for a summary shows as they are; all where none differs.
pub fn as_sent(items: &[Item], shown: Option<&[Item]>) -> usize {
    let parts = |item: &Item| match item {
        Item::User(user) => user.message.parts.len(),
        Item::Reply(_) => 0,
    };
    let mut pairs = items.iter().zip(shown.unwrap_or_default());
    let changed = pairs.position(|(item, shown)| parts(item) != parts(shown));
    changed.unwrap_or(usize::MAX)
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// How full the window would be with the next request.
    ///
    /// # Errors
    ///
    /// As `pressure` in `wit/context.wit`.
    pub fn pressure(&mut self, parameters: &str) -> Result<Pressure, Error> {
        self.pressed(parameters, true)
    }

    /// The next request's tokens, with every result as it is shown so far.
    pub(super) fn tokens(&mut self, parameters: &str) -> Result<u32, Error> {
        Ok(self.pressed(parameters, false)?.estimate.tokens)
    }

    /// The next request's tokens, with this prompt where it is made again. No call is open.
    pub(super) fn tokens_with(
        &mut self,
        parameters: &Parameters,
        prompt: Option<&Made>,
    ) -> Result<u32, Error> {
        let closing = self.next_number(0)?;
        let Some(talk) = &self.state.talk else {
            return Err(Error::OutOfOrder("there is no conversation".to_owned()));
        };
        let next = Next {
            state: &self.state,
            talk,
            parameters,
            prompt,
            closing,
            closed: &[],
            shorter: &[],
        };
        Ok(next.pressure(&mut self.tally)?.estimate.tokens)
    }

    fn pressed(&mut self, parameters: &str, shortens: bool) -> Result<Pressure, Error> {
        self.has_messages()?;
        let parameters = Parameters::read(&self.or_newest(parameters)?)
            .map_err(|problem| Error::argument("parameters", problem))?;
        let mut pending = Pending::default();
        self.close_calls(&mut pending)?;
        let closing = self.next_number(0)?;
        let remade = self.prompt_for(&parameters)?;
        let Some(talk) = &self.state.talk else {
            return Err(Error::OutOfOrder("there is no conversation".to_owned()));
        };
        let next = Next {
            state: &self.state,
            talk,
            parameters: &parameters,
            prompt: remade.as_ref(),
            closing,
            closed: pending.shown(),
            shorter: &[],
        };
        if !shortens {
            return next.pressure(&mut self.tally);
        }
        let mut stored = Stored {
            key: &self.key,
            storage: &mut self.storage,
        };
        let (pressure, _) = next.pressure_or_shorten(&mut self.tally, &mut stored)?;
        Ok(pressure)
    }

    /// Parameters as they were given, or, where that is nothing, those of the newest request.
    ///
    /// # Errors
    ///
    /// `out-of-order`.
    pub(super) fn or_newest(&self, given: &str) -> Result<String, Error> {
        let previous = self.talk()?.previous.as_ref();
        let newest = previous.filter(|_| given.trim().is_empty());
        Ok(newest.map_or_else(|| given.to_owned(), |last| last.parameters.clone()))
    }

    /// There is something to send.
    ///
    /// # Errors
    ///
    /// `out-of-order`.
    pub(super) fn has_messages(&self) -> Result<(), Error> {
        if self.talk()?.conversation.items().is_empty() {
            let problem = "there is no message to send; add one first";
            return Err(Error::OutOfOrder(problem.to_owned()));
        }
        Ok(())
    }
}
