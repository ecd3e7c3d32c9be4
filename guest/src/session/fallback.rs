//! Which model is asked for a summary (docs/compaction.md, "Fallback").

use super::Session;
use super::compact::{CompactionRequest, FallbackModel, ModelRef, SummaryTarget};
use crate::error::Error;
use crate::fallback::{self, Due, MainRequest};
use crate::ports::{FileSystem, Storage};
use crate::record::Event;

/// What became of a fallback. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct FallbackUse {
    pub used: bool,
    pub model: Option<String>,
    pub reason: String,
}

impl FallbackUse {
    /// A fallback was asked.
    pub fn used(fallback: FallbackModel) -> Self {
        Self {
            used: true,
            model: Some(fallback.model.shown()),
            reason: fallback.reason,
        }
    }

    /// A fallback is passed over.
    pub fn skipped(model: Option<String>, reason: String) -> Self {
        Self {
            used: false,
            model,
            reason,
        }
    }
}

/// A fallback that failed and is passed over, for as long as no message, result or request is added.
#[derive(Clone, Debug)]
pub struct Skipped {
    at: Place,
    fallback: FallbackUse,
}

/// How many messages, results and requests a session has.
pub type Place = (Option<u32>, Option<u32>, usize);

/// The model that is asked.
#[derive(Clone, Debug)]
pub enum Target {
    /// The main one, and what is told of a fallback.
    Main(Option<FallbackUse>),
    /// The fallback.
    Fallback(FallbackModel),
}

impl ModelRef {
    /// `provider/model`.
    pub fn shown(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }

    fn check(&self, argument: &str) -> Result<(), Error> {
        for (field, name) in [("provider", &self.provider), ("model", &self.model)] {
            if name.trim().is_empty() {
                let argument = format!("{argument}.{field}");
                return Err(Error::argument(argument, "is blank, must be a name"));
            }
        }
        Ok(())
    }
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Says that the main model answered a request.
    ///
    /// # Errors
    ///
    /// As `main-request-answered` in `wit/context.wit`.
    pub fn main_request_answered(&mut self, request: MainRequest) -> Result<(), Error> {
        self.talk()?;
        let model = ModelRef {
            provider: request.provider.clone(),
            model: request.model.clone(),
        };
        model.check("request.model")?;
        self.commit(vec![Event::MainRequest(request)], &[])
    }

    /// The last main request that was told.
    pub fn last_main_request(&self) -> Option<MainRequest> {
        self.state.talk.as_ref()?.main_request.clone()
    }

    /// Whether the main model's cache is cold.
    ///
    /// # Errors
    ///
    /// `out-of-order`.
    pub fn fallback_due(
        &self,
        main: &ModelRef,
        cache_key: &str,
        after_ms: u64,
        now: u64,
    ) -> Result<Due, Error> {
        let last = self.talk()?.main_request.as_ref();
        let texts = &self.state.rules.fallback;
        let (provider, model) = (&main.provider, &main.model);
        Ok(fallback::due(
            last, provider, model, cache_key, after_ms, now, texts,
        ))
    }

    /// Which model a compaction is to ask, as far as its window does not matter.
    pub(super) fn target(&self, asked: &CompactionRequest) -> Result<Target, Error> {
        if let Some(main) = &asked.main {
            main.check("compaction.main")?;
        }
        let skipped = self.skipped();
        match &asked.target {
            SummaryTarget::Main => Ok(Target::Main(skipped)),
            SummaryTarget::Unresolved(error) => {
                let passed_over = || FallbackUse::skipped(None, self.failure(error));
                Ok(Target::Main(Some(skipped.unwrap_or_else(passed_over))))
            }
            SummaryTarget::Fallback(fallback) => {
                fallback.model.check("compaction.target.model")?;
                if skipped.is_some() {
                    return Ok(Target::Main(skipped));
                }
                if asked.main.as_ref() == Some(&fallback.model) {
                    return Ok(Target::Main(None));
                }
                Ok(Target::Fallback(fallback.clone()))
            }
        }
    }

    /// The sentence of a fallback that failed.
    pub(super) fn failure(&self, error: &str) -> String {
        self.state.rules.fallback.failed.fill(&[("error", error)])
    }

    /// A fallback failed: it is passed over from now on.
    pub(super) fn skip(&mut self, fallback: FallbackUse) {
        let at = self.so_far();
        self.skipped = Some(Skipped { at, fallback });
    }

    /// Where the session stands.
    pub(super) fn so_far(&self) -> Place {
        let talk = self.state.talk.as_ref();
        let message = talk.and_then(|talk| talk.conversation.next_number());
        let requests = talk.map_or(0, |talk| talk.requests.len());
        (message, self.state.next_number(), requests)
    }

    /// The fallback that was passed over in this operation.
    fn skipped(&self) -> Option<FallbackUse> {
        let skipped = self.skipped.as_ref()?;
        (skipped.at == self.so_far()).then(|| skipped.fallback.clone())
    }

    /// A compaction added messages of its own, and the operation goes on.
    pub(super) fn go_on(&mut self, before: Place) {
        let at = self.so_far();
        if let Some(skipped) = self.skipped.as_mut().filter(|known| known.at == before) {
            skipped.at = at;
        }
    }
}
