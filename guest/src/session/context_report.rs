//! What fills the window (docs/assembly.md).

use std::collections::BTreeMap;

use super::Session;
use super::front;
use super::next::Next;
use super::pending::Pending;
use super::request::{Texts, head, view};
use crate::assembly::Made;
use crate::draft::size;
use crate::error::Error;
use crate::id::ResultNumber;
use crate::ports::{FileSystem, Storage};
use crate::report::{
    BigResult, ContextKind, ContextPart, ContextReport, FoundResult, Messages, Part, Parts,
    Weigher, Weight,
};
use crate::request::{Body, Items, Parameters, View};
use crate::tokens::Estimate;

/// The next request, taken apart.
struct TakenApart {
    parts: Vec<Part>,
    results: Vec<FoundResult>,
    bytes: usize,
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// What the next request would hold, part by part. Nothing is built.
    ///
    /// # Errors
    ///
    /// As `context-report` in `wit/context.wit`.
    pub fn context_report(&mut self, parameters: &str) -> Result<ContextReport, Error> {
        let pressure = self.pressure(parameters)?;
        let parameters = Parameters::read(parameters)
            .map_err(|problem| Error::argument("parameters", problem))?;
        let taken_apart = self.take_apart(&parameters)?;
        let tokens = |estimate: Estimate| {
            let rules = &self.state.rules.tokens;
            let talk = self.talk();
            let tokens =
                talk.map(|talk| talk.calibration.tokens(parameters.name(), estimate, rules));
            tokens.map(|tokens| tokens.tokens)
        };
        let parts = taken_apart.parts.into_iter().map(|part| {
            Ok(ContextPart {
                tokens: tokens(part.weight.tokens)?,
                kind: part.kind,
                name: part.name,
                count: part.count,
                bytes: size(part.weight.bytes),
            })
        });
        let rules = &self.state.rules;
        let biggest = biggest(taken_apart.results, rules.biggest);
        let biggest = biggest.into_iter().map(|result| {
            Ok(BigResult {
                id: ResultNumber(result.number).show(rules.ids.digits),
                tool: result.tool,
                bytes: size(result.weight.bytes),
                tokens: tokens(result.weight.tokens)?,
            })
        });
        Ok(ContextReport {
            bytes: size(taken_apart.bytes),
            pressure,
            parts: parts.collect::<Result<_, Error>>()?,
            biggest: biggest.collect::<Result<_, Error>>()?,
        })
    }

    /// Writes the whole of the next request, and finds what its bytes stand for.
    fn take_apart(&mut self, parameters: &Parameters) -> Result<TakenApart, Error> {
        let mut pending = Pending::default();
        self.close_calls(&mut pending)?;
        let closing = self.next_number(0)?;
        let remade = self.prompt_for(parameters)?;
        let talk = self.state.talk.as_ref();
        let talk = talk.ok_or_else(|| Error::OutOfOrder("there is no conversation".to_owned()))?;
        let prompt = remade.as_ref().unwrap_or(&talk.made);
        let next = Next {
            state: &self.state,
            talk,
            parameters,
            prompt: remade.as_ref(),
            closing,
            closed: pending.shown(),
        };
        let items = Items {
            first: talk.conversation.items(),
            rest: &[],
        };
        let view = view(&self.state, talk, items, parameters, closing);
        let head = head(&self.state, talk, parameters, talk.tools.count(), prompt);
        let mut texts = Texts {
            state: &self.state,
            storage: &mut self.storage,
            key: &self.key,
            fresh: &self.fresh,
            closed: pending.shown(),
            stubs: &[],
        };
        let whole = View {
            head: Some(head),
            ..view
        };
        let written = Body::default().rewrite(whole, &mut texts)?;
        let lengths: BTreeMap<u32, usize> = written.results().collect();
        let tokens = |number| next.result(number);
        let weigher = Weigher {
            counter: next.counter(),
        };
        let mut parts = Parts::default();
        add_front(&mut parts, next, prompt, weigher);
        let messages = Messages {
            view: &view,
            weigher,
            results: &lengths,
            tokens: &tokens,
        };
        let results = messages.add_to(&mut parts);
        let sending = next.sending(items.first, &tokens);
        let whole = Weight {
            bytes: written.length(),
            tokens: next.head() + sending.messages(0, items.len()),
        };
        Ok(TakenApart {
            parts: parts.of(whole),
            results,
            bytes: whole.bytes,
        })
    }
}

/// What stands before the messages: the prompt's blocks, and the tools.
fn add_front(parts: &mut Parts, next: Next<'_>, prompt: &Made, weigher: Weigher<'_>) {
    for block in front::blocks(prompt, next.talk.dialect) {
        let kind = match block.user {
            true => ContextKind::Front,
            false => ContextKind::System,
        };
        parts.add_some(kind, block.name, weigher.text(block.text));
    }
    let counter = weigher.counter;
    for (tool, sent) in next.talk.tools.listed() {
        let own = tool.definition.is_some();
        let weight = Weight {
            bytes: weigher.json(sent),
            tokens: counter.tool(&tool.name, &tool.description, sent, own),
        };
        parts.add(ContextKind::Tools, &tool.name, weight);
    }
}

/// The results with the most bytes; the earlier first of those that are equal.
fn biggest(mut results: Vec<FoundResult>, most: u32) -> Vec<FoundResult> {
    results.sort_by_key(|result| std::cmp::Reverse(result.weight.bytes));
    results.truncate(most as usize);
    results
}
