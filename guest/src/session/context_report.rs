//! What fills the window (docs/assembly.md).

use std::collections::BTreeMap;

use super::Session;
use super::next::Next;
use super::pending::Pending;
use super::request::{Texts, head, view};
use super::shorten::Stored;
use crate::assembly::front;
use crate::draft::size;
use crate::error::Error;
use crate::id::ResultNumber;
use crate::ports::{FileSystem, Storage};
use crate::report::{
    BigResult, ContextKind, ContextPart, ContextReport, FoundResult, Messages, Part, Parts,
    Weigher, Weight,
};
use crate::request::{Body, Items, Parameters, Rewrite, View};

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
        let parameters = &self.or_newest(parameters)?;
        let pressure = self.pressure(parameters)?;
        let parameters = Parameters::read(parameters)
            .map_err(|problem| Error::argument("parameters", problem))?;
        let apart = self.take_apart(&parameters)?;
        let (talk, rules) = (self.talk()?, &self.state.rules);
        let (calibration, model) = (&talk.calibration, parameters.name());
        let tokens = |weight: Weight| calibration.part(model, weight.tokens, &rules.tokens);
        let parts = apart.parts.into_iter().map(|part| ContextPart {
            tokens: match part.kind {
                // What the provider adds stands around all parts.
                ContextKind::Framing => {
                    let framing = part.weight.tokens;
                    calibration.tokens(model, framing, &rules.tokens).tokens
                }
                _ => tokens(part.weight),
            },
            kind: part.kind,
            name: part.name,
            count: part.count,
            bytes: size(part.weight.bytes),
        });
        let biggest = biggest(apart.results, rules.biggest);
        let biggest = biggest.into_iter().map(|result| BigResult {
            id: ResultNumber(result.number).show(&rules.ids),
            tool: result.tool,
            bytes: size(result.weight.bytes),
            tokens: tokens(result.weight),
        });
        Ok(ContextReport {
            bytes: size(apart.bytes),
            pressure,
            parts: parts.collect(),
            biggest: biggest.collect(),
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
        let (_, shortening) = next.pressure_or_shorten(&mut self.tally, &mut stored)?;
        let next = Next {
            shorter: &shortening.results,
            ..next
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
        let written = Body::default().rewrite(whole(next), &mut texts)?;
        Ok(found(next, &written))
    }
}

/// What the next request is written from, with its front.
fn whole(next: Next<'_>) -> View<'_> {
    let Next { state, talk, .. } = next;
    let items = Items {
        first: talk.conversation.items(),
        rest: &[],
    };
    let (tools, prompt) = (talk.tools.count(), next.prompt.unwrap_or(&talk.made));
    let (sent, _) = next.sent(next.parameters.name());
    View {
        head: Some(head(state, talk, next.parameters, tools, prompt)),
        ..view(state, sent, talk, items, next.parameters, next.closing)
    }
}

/// The parts of a request that was written whole.
fn found(next: Next<'_>, written: &Rewrite) -> TakenApart {
    let weigher = Weigher {
        counter: next.counter(),
    };
    let mut parts = Parts::default();
    add_front(&mut parts, next, weigher);
    let lengths: BTreeMap<u32, usize> = written.results().collect();
    let tokens = |number| next.result(number);
    let view = whole(next);
    let (sent, _) = next.sent(next.parameters.name());
    let messages = Messages {
        view: &view,
        weigher,
        results: &lengths,
        tokens: &tokens,
    };
    let results = messages.add_to(&mut parts);
    let sending = next.sending(sent, view.items.first, &tokens);
    let all = Weight {
        bytes: written.length(),
        tokens: next.head() + sending.messages(0, view.items.len()),
    };
    TakenApart {
        parts: parts.of(all),
        results,
        bytes: all.bytes,
    }
}

/// What stands before the messages: the prompt's blocks, and the tools.
fn add_front(parts: &mut Parts, next: Next<'_>, weigher: Weigher<'_>) {
    let prompt = next.prompt.unwrap_or(&next.talk.made);
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
