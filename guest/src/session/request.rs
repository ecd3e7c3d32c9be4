//! Requests out.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Session;
use super::next::Next;
use super::pending::{Pending, closed_text};
use super::shorten::Stored;
use super::unstub::Unstubbed;
use crate::assembly::Made;
use crate::budget::{Pressure, Tally};
use crate::conversation::Item;
use crate::draft::{self, Inserted, size};
use crate::error::Error;
use crate::id::ResultNumber;
use crate::ports::{FileSystem, Storage};
use crate::record::{Event, Fact, RequestRecord, ResultRecord};
use crate::request::{Body, Difference, Head, Items, Parameters, ResultTexts, Rewrite, View};
use crate::state::{Previous, Sent, State, Talk};

/// A request's body, as what is new of it. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Request {
    pub number: u32,
    pub keep: u32,
    pub tail: String,
    pub length: u32,
    pub sha256: String,
    pub shared: u32,
    pub difference: Option<Difference>,
    pub closed: Vec<Inserted>,
    pub pressure: Pressure,
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// The next request.
    ///
    /// # Errors
    ///
    /// As `build-request` in `wit/context.wit`.
    pub fn build_request(&mut self, parameters: &str) -> Result<Request, Error> {
        self.has_messages()?;
        let given = parameters;
        let parameters =
            Parameters::read(given).map_err(|problem| Error::argument("parameters", problem))?;
        let body = match self.body.take() {
            Some(body) => body,
            None => self.previous_body()?,
        };
        let built = self.build(&body, given, &parameters);
        self.body = Some(body);
        self.send(built?)
    }

    /// What the next request is, in events and bytes. Nothing is changed yet.
    fn build(&mut self, body: &Body, given: &str, parameters: &Parameters) -> Result<Built, Error> {
        let mut pending = Pending::default();
        let closed = self.close_calls(&mut pending)?;
        let closing = self.next_number(0)?;
        let previous = self.talk()?.previous.as_ref();
        let repeated = previous.is_some_and(|previous| previous.parameters == given);
        let remade = if repeated {
            None
        } else {
            self.prompt_for(parameters)?
        };
        let talk = self.state.talk.as_ref();
        let talk = talk.ok_or_else(|| Error::OutOfOrder("there is no conversation".to_owned()))?;
        let previous = talk.previous.as_ref();
        let same_model = previous.is_some() && remade.is_none();
        let prompt = remade.as_ref().unwrap_or(&talk.made);
        let tools = talk.tools.count();
        let front_stands =
            same_model && previous.is_some_and(|last| last.tools == tools && last.made.is_none());
        let next = Next {
            state: &self.state,
            talk,
            parameters,
            prompt: remade.as_ref(),
            closing,
            closed: pending.shown(),
            shorter: &[],
        };
        let mut stored = Stored {
            key: &self.key,
            storage: &mut self.storage,
        };
        let (pressure, shortening) = next.pressure_or_shorten(&mut self.tally, &mut stored)?;
        let shorter = shortening.numbers();
        let (mut sent, differs) = next.sent(parameters.name());
        let differs = differs.min(behind_shorter(
            talk.conversation.items(),
            previous,
            &shorter,
        ));
        if sent.carrying.by.binds {
            sent.carrying.unbound = differs;
        }
        let conversation = &talk.conversation;
        let items = Items {
            first: conversation.items(),
            rest: &[],
        };
        let view = View {
            dialect: talk.dialect,
            rules: &self.state.rules,
            style: &self.state.style,
            head: (!front_stands).then(|| head(&self.state, talk, parameters, tools, prompt)),
            items,
            as_sent: items.len(),
            turn: sent.turn,
            marked: conversation.marked().into(),
            breakpoints: self.state.rules.requests.cache_breakpoints as usize,
            carrying: sent.carrying,
            chat: sent.chat,
            closing,
            shorter: &shorter,
            parameters: &parameters.rest,
        };
        let mut texts = Texts {
            state: &self.state,
            storage: &mut self.storage,
            key: &self.key,
            fresh: &self.fresh,
            closed: pending.shown(),
            shorter: &shortening.results,
            stubs: &[],
        };
        let rewrite = body.rewrite(view, &mut texts)?;
        self.state
            .rules
            .fits("the request's body", rewrite.length())?;
        if !shorter.is_empty() {
            let generation = talk.lineage.active().saturating_add(1);
            let record = shortening.record(generation);
            pending.events.push(Event::Shortened(record));
        }
        pending
            .events
            .extend(remade.map(|prompt| Event::PromptMade { prompt }));
        let record = RequestRecord {
            number: size(talk.requests.len() + 1),
            parameters: (!repeated).then(|| given.to_owned()),
            length: size(rewrite.length()),
            shared: size(rewrite.shared),
            difference: rewrite.difference,
            tokens: pressure.estimate.raw,
            unbound: unbound(items.first, differs),
        };
        Ok(Built {
            pressure,
            shorter: !shorter.is_empty(),
            pending,
            closed,
            rewrite,
            record,
        })
    }

    /// Appends the request to the log, and hands out what is new of its body.
    fn send(&mut self, built: Built) -> Result<Request, Error> {
        let Built {
            pressure,
            shorter,
            mut pending,
            closed,
            rewrite,
            record,
        } = built;
        let (keep, tail) = rewrite.keep_and_tail();
        let mut request = Request {
            number: record.number,
            keep: size(keep),
            tail: tail.to_owned(),
            length: record.length,
            sha256: rewrite.sha256.clone(),
            shared: record.shared,
            difference: record.difference,
            closed,
            pressure,
        };
        pending.events.push(Event::Requested(Box::new(record)));
        self.commit_pending(pending)?;
        self.fresh.clear();
        if shorter {
            self.tally = Tally::default();
        }
        if let Some(body) = &mut self.body {
            body.adopt(rewrite);
            if !self.handed_out {
                request.keep = 0;
                body.text().clone_into(&mut request.tail);
            }
        }
        self.handed_out = true;
        Ok(request)
    }

    /// The previous request's body, written again by an instance that did not build it. Empty if
    /// there was none.
    pub(super) fn previous_body(&mut self) -> Result<Body, Error> {
        let mut body = Body::default();
        let Some(talk) = &self.state.talk else {
            return Ok(body);
        };
        let Some(previous) = &talk.previous else {
            return Ok(body);
        };
        let parameters = Parameters::read(&previous.parameters).unwrap_or_default();
        let items = Items {
            first: talk
                .conversation
                .items()
                .get(..previous.common)
                .unwrap_or_default(),
            rest: &previous.rest,
        };
        let view = View {
            head: Some(head(
                &self.state,
                talk,
                &parameters,
                previous.tools,
                previous.made.as_ref().unwrap_or(&talk.made),
            )),
            ..view(&self.state, previous.sent, talk, items, &parameters, 0)
        };
        let mut texts = Texts {
            state: &self.state,
            storage: &mut self.storage,
            key: &self.key,
            fresh: &self.fresh,
            closed: &[],
            shorter: &[],
            stubs: &previous.stubs,
        };
        let rewrite = body.rewrite(view, &mut texts)?;
        body.adopt(rewrite);
        body.take_back(previous.common);
        if previous.compacted {
            let anew: Vec<u32> = previous.stubs.iter().map(|result| result.number).collect();
            body.compact(&anew);
        }
        Ok(body)
    }
}

/// What follows the first result that a request held and that is shown shorter.
fn behind_shorter(items: &[Item], previous: Option<&Previous>, shorter: &[u32]) -> usize {
    let common = previous.map_or(0, |previous| previous.common);
    let common = if shorter.is_empty() { 0 } else { common };
    let mut sent = items.iter().take(common).map(|item| {
        let results = item.as_reply().map(|reply| &reply.results);
        let mut results = results.into_iter().flatten().flatten();
        results.any(|number| shorter.contains(number))
    });
    sent.position(|is_shorter| is_shorter)
        .map_or(usize::MAX, |at| at + 1)
}

/// The first reply with thinking that was not known to be bound to nothing that stands before it any more.
fn unbound(items: &[Item], differs: usize) -> Option<u32> {
    let replies = items.iter().skip(differs).filter_map(Item::as_reply);
    let mut thinking = replies.filter(|reply| reply.reply.reasons && !reply.unbound);
    thinking.next().map(|reply| reply.number)
}

/// A request that is not in the log yet.
struct Built {
    pending: Pending,
    pressure: Pressure,
    /// Whether results are shown shorter.
    shorter: bool,
    closed: Vec<Inserted>,
    rewrite: Rewrite,
    record: RequestRecord,
}

impl Previous {
    /// The model that it was for.
    pub(super) fn model(&self) -> Option<Value> {
        Parameters::read(&self.parameters).unwrap_or_default().model
    }
}

/// Messages as a request sends them, without its front.
pub fn view<'a>(
    state: &'a State,
    sent: Sent,
    talk: &Talk,
    items: Items<'a>,
    parameters: &'a Parameters,
    closing: u32,
) -> View<'a> {
    View {
        dialect: talk.dialect,
        rules: &state.rules,
        style: &state.style,
        head: None,
        items,
        as_sent: items.len(),
        turn: sent.turn,
        carrying: sent.carrying,
        chat: sent.chat,
        marked: items.marked(),
        breakpoints: state.rules.requests.cache_breakpoints as usize,
        closing,
        shorter: &[],
        parameters: &parameters.rest,
    }
}

pub fn head(
    state: &State,
    talk: &Talk,
    parameters: &Parameters,
    tools: usize,
    prompt: &Made,
) -> Head {
    Head::new(
        talk.dialect,
        &state.rules.requests,
        &state.style,
        parameters.model.as_ref(),
        talk.tools.sent(tools),
        prompt,
    )
}

/// Where the texts of results come from: those that no request has shown are at hand, others are
/// stored.
pub struct Texts<'a, S> {
    pub state: &'a State,
    pub storage: &'a mut S,
    pub key: &'a str,
    pub fresh: &'a BTreeMap<u32, String>,
    pub closed: &'a [(u32, String)],
    /// Results that are shown otherwise from this request on.
    pub shorter: &'a [Unstubbed],
    /// Results as they were shown before.
    pub stubs: &'a [ResultRecord],
}

impl<S: Storage> ResultTexts for Texts<'_, S> {
    fn text(&mut self, number: u32) -> Result<String, Error> {
        if let Some(text) = closed_text(self.closed, number) {
            return Ok(text.to_owned());
        }
        let mut shorter = self.shorter.iter();
        if let Some((_, text)) = shorter.find(|(result, _)| result.number == number) {
            return Ok(text.clone());
        }
        let stub = self.stubs.iter().find(|stub| stub.number == number);
        if let Some(text) = self.fresh.get(&number).filter(|_| stub.is_none()) {
            return Ok(text.clone());
        }
        let Some(result) = stub.or_else(|| self.state.result(number)) else {
            return Ok(String::new());
        };
        let named = ResultNumber(number);
        let stored = self.state.stored_text(self.storage, self.key, named)?;
        Ok(draft::shown_again(result, &stored, &self.state.rules))
    }

    fn failed(&self, number: u32) -> bool {
        let result = self.state.result(number);
        // One that is not there yet says that none came.
        result.is_none_or(|result| result.fact == Fact::Failed)
    }
}
