//! A compaction begins: the request for a summary (§7, docs/compaction.md).

use super::Session;
use super::fallback::{FallbackUse, Target};
use super::next::{Next, as_sent};
use super::request::{Texts, head};
use crate::assembly::Made;
use crate::budget::{Limits, TokenEstimate};
use crate::compaction::{self, NotStarted, Plan, Reason};
use crate::conversation::{Item, UserItem, machine_message};
use crate::draft::size;
use crate::error::Error;
use crate::escalation::{self, Health};
use crate::message::Sender;
use crate::ports::{FileSystem, Storage};
use crate::record::Stage;
use crate::request::{Body, Items, Parameters, Rewrite, View};

/// A model at a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct ModelRef {
    pub provider: String,
    pub model: String,
}

/// A model that stands in for the main one. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct FallbackModel {
    pub model: ModelRef,
    pub parameters: String,
    pub window: u32,
    pub max_output: u32,
    pub reason: String,
}

/// Which model is asked for the summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SummaryTarget {
    /// The main one.
    Main,
    /// Another one.
    Fallback(FallbackModel),
    /// Another one that could not be resolved: its error.
    Unresolved(String),
}

/// A compaction that is to begin. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct CompactionRequest {
    pub stage: Stage,
    pub main: Option<ModelRef>,
    pub parameters: String,
    pub target: SummaryTarget,
    pub steering: Option<String>,
}

/// The request for a summary. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct SummaryRequest {
    pub stage: Stage,
    pub keep: u32,
    pub tail: String,
    pub length: u32,
    pub sha256: String,
    pub estimate: TokenEstimate,
    pub max_tokens: u32,
    pub covers: u32,
    pub retains: u32,
    pub on_fallback: bool,
    pub fallback: Option<FallbackUse>,
    pub health: Health,
}

/// A compaction that did not come about. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct NotApplied {
    pub stage: Stage,
    pub reason: Reason,
    pub message: String,
    pub rerun_on_main: bool,
    pub fallback: Option<FallbackUse>,
    pub state_cleared: bool,
}

/// What `compact_begin` answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompactionStart {
    /// The request.
    Request(Box<SummaryRequest>),
    /// None is made.
    NotApplied(NotApplied),
}

/// What `compact_finish` needs to know of the beginning.
#[derive(Clone, Debug)]
pub struct Begun {
    pub stage: Stage,
    /// How many messages are covered, and the numbers of the first and the last of them.
    pub covers: usize,
    pub covered: (u32, u32),
    /// How many requests and compactions there were.
    pub requests: usize,
    pub generation: u32,
    /// The main model's parameters.
    pub parameters: String,
    /// The name of the model that is asked, as its parameters have it.
    pub model: String,
    pub limit: u32,
    /// The fallback that is asked, if one is.
    pub fallback: Option<FallbackModel>,
    /// What is told of a fallback that is not.
    pub passed_over: Option<FallbackUse>,
}

/// What a compaction begins with: the stage, and the parameters of both models.
struct Given {
    stage: Stage,
    main: Parameters,
    target: Parameters,
    /// The prompt, where the next request would have another: as that has it, which goes to the main model.
    prompt: Option<Made>,
}

/// The message that asks for a summary, and whether a fallback is asked.
struct Asking {
    text: String,
    on_fallback: bool,
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Asks for a summary of the conversation.
    ///
    /// # Errors
    ///
    /// As `compact-begin` in `wit/context.wit`.
    pub fn compact_begin(&mut self, asked: &CompactionRequest) -> Result<CompactionStart, Error> {
        self.has_messages()?;
        self.no_open_calls()?;
        let asked = &CompactionRequest {
            parameters: self.or_newest(&asked.parameters)?,
            ..asked.clone()
        };
        let mut given = Given::read(asked)?;
        self.begun = None;
        given.stage = self.stage(&given)?;
        given.prompt = self.prompt_for(&given.main)?;
        let target = self.target(asked)?;
        let offered = matches!(target, Target::Fallback(_));
        let (target, planned) = self.plan(asked, &given, target)?;
        let NotStarted { reason, message } = match planned {
            Ok(plan) => {
                if let (true, Target::Main(Some(too_small))) = (offered, &target) {
                    self.skip(too_small.clone());
                }
                return self.ask(asked, &given, target, plan);
            }
            Err(why) => why,
        };
        let fallback = match target {
            // Nobody was passed over for a stage that has other reasons not to begin.
            Target::Main(_) if offered && reason != Reason::RequestDoesNotFit => None,
            Target::Main(passed_over) => passed_over,
            Target::Fallback(_) => None,
        };
        Ok(CompactionStart::NotApplied(NotApplied {
            stage: given.stage,
            reason,
            message,
            rerun_on_main: false,
            fallback,
            state_cleared: false,
        }))
    }

    fn no_open_calls(&self) -> Result<(), Error> {
        let open: Vec<&str> = self
            .talk()?
            .conversation
            .open_calls()
            .map(|call| call.id.as_str())
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        let problem = format!(
            "calls are open, `{}`; insert their results first, or build a request, which closes them",
            open.join("`, `")
        );
        Err(Error::OutOfOrder(problem))
    }

    fn next<'a>(
        &'a self,
        parameters: &'a Parameters,
        prompt: Option<&'a Made>,
    ) -> Result<Next<'a>, Error> {
        Ok(Next {
            state: &self.state,
            talk: self.talk()?,
            parameters,
            prompt,
            closing: 0,
            closed: &[],
            shorter: &[],
        })
    }

    /// Where the normal stage would retain everything and the harder one would not, that takes its place.
    fn stage(&self, given: &Given) -> Result<Stage, Error> {
        let next = self.next(&given.main, None)?;
        let finds = |stage| {
            next.planned(stage, None, next.asked(), 0, |planner| {
                planner.finds_something()
            })
        };
        let follows = self.talk()?.lineage.applied.is_some();
        let is_harder = !follows && !finds(given.stage) && finds(Stage::Emergency);
        Ok(if is_harder {
            Stage::Emergency
        } else {
            given.stage
        })
    }

    /// The plan, or why there is none, and the model that is asked: the main one where the fallback is too
    /// small.
    fn plan(
        &mut self,
        asked: &CompactionRequest,
        given: &Given,
        target: Target,
    ) -> Result<(Target, Result<Plan, NotStarted>), Error> {
        let tokens = self.tokens_with(&given.main, given.prompt.as_ref())?;
        let next = self.next(&given.main, given.prompt.as_ref())?;
        let steering = asked.steering.as_deref();
        let main = next.asked();
        let (target, model) = match target {
            Target::Main(passed_over) => (Target::Main(passed_over), main),
            Target::Fallback(fallback) => {
                let model = next.asked_of(&given.target, self.limits_of(&fallback, given));
                if next.planned(given.stage, steering, model, tokens, |planner| {
                    planner.fits_whole()
                }) {
                    (Target::Fallback(fallback), model)
                } else {
                    (Target::Main(Some(self.too_small(&fallback))), main)
                }
            }
        };
        let planned = next.planned(given.stage, steering, model, tokens, |planner| {
            planner.plan()
        });
        Ok((target, planned))
    }

    fn limits_of(&self, fallback: &FallbackModel, given: &Given) -> Limits {
        let known = Limits::of(given.target.name(), &self.state.rules.budget);
        let or = |told: u32, known| if told > 0 { told } else { known };
        Limits {
            window: or(fallback.window, known.window),
            max_output: or(fallback.max_output, known.max_output),
        }
    }

    /// What is told of a fallback that the request does not fit.
    fn too_small(&self, fallback: &FallbackModel) -> FallbackUse {
        let model = fallback.model.shown();
        let texts = &self.state.rules.fallback;
        let reason = texts.too_large.fill(&[("model", &model)]);
        FallbackUse::skipped(Some(model), reason)
    }

    fn ask(
        &mut self,
        asked: &CompactionRequest,
        given: &Given,
        target: Target,
        plan: Plan,
    ) -> Result<CompactionStart, Error> {
        let (fallback, passed_over) = match target {
            Target::Main(passed_over) => (None, passed_over),
            Target::Fallback(fallback) => (Some(fallback), None),
        };
        let parameters = given.asked(fallback.is_some());
        let rewrite = self.summary_body(asked, given, fallback.is_some(), &plan)?;
        let talk = self.talk()?;
        let items = talk.conversation.items();
        let number = |at: Option<&Item>| at.map(Item::number).unwrap_or_default();
        let covered = items.get(..plan.covers).unwrap_or_default();
        let begun = Begun {
            stage: given.stage,
            covers: plan.covers,
            covered: (number(covered.first()), number(covered.last())),
            requests: talk.requests.len(),
            generation: talk.lineage.active(),
            parameters: asked.parameters.clone(),
            model: parameters.name().to_owned(),
            limit: plan.limit,
            fallback: fallback.clone(),
            passed_over: passed_over.clone(),
        };
        let (keep, tail) = rewrite.keep_and_tail();
        let (keep, tail) = if self.handed_out {
            (keep, tail.to_owned())
        } else {
            (0, self.whole(&rewrite))
        };
        let request = SummaryRequest {
            stage: given.stage,
            keep: size(keep),
            tail,
            length: size(rewrite.length()),
            sha256: rewrite.sha256.clone(),
            estimate: plan.estimate,
            max_tokens: plan.limit,
            covers: size(plan.covers),
            retains: size(items.len() - plan.covers),
            on_fallback: fallback.is_some(),
            fallback: passed_over,
            health: escalation::begins(talk.lineage.stages, &self.state.rules.escalation),
        };
        self.begun = Some(begun);
        Ok(CompactionStart::Request(Box::new(request)))
    }

    /// The whole body, for a caller that does not have the previous one.
    fn whole(&self, rewrite: &Rewrite) -> String {
        let (keep, tail) = rewrite.keep_and_tail();
        let before = self.body.as_ref().and_then(|body| body.text().get(..keep));
        format!("{}{tail}", before.unwrap_or_default())
    }

    /// The body of the request for a summary. The session's last body stays.
    fn summary_body(
        &mut self,
        asked: &CompactionRequest,
        given: &Given,
        on_fallback: bool,
        plan: &Plan,
    ) -> Result<Rewrite, Error> {
        let parameters = given.asked(on_fallback);
        let steering = asked.steering.as_deref();
        let text = compaction::prompt(given.stage, steering, &self.state.rules.compaction);
        let prompt = given.prompt.as_ref();
        let body = match self.body.take() {
            Some(body) => body,
            None => self.previous_body()?,
        };
        let asking = Asking { text, on_fallback };
        let rewrite = self.rewrite_for_summary(&body, asking, parameters, prompt, plan);
        self.body = Some(body);
        rewrite
    }

    fn rewrite_for_summary(
        &mut self,
        body: &Body,
        asking: Asking,
        parameters: &Parameters,
        prompt: Option<&Made>,
        plan: &Plan,
    ) -> Result<Rewrite, Error> {
        let state = &self.state;
        let Some(talk) = &state.talk else {
            return Err(Error::OutOfOrder("there is no conversation".to_owned()));
        };
        let next = Next {
            state,
            talk,
            parameters,
            prompt,
            closing: 0,
            closed: &[],
            shorter: &[],
        };
        let items = talk.conversation.items();
        let shown = next.sent_for_summary(items);
        let first = shown.as_deref().unwrap_or(items).get(..plan.holds);
        let message = machine_message(&asking.text, Sender::Machine);
        // Nobody reads a fallback's cache again.
        let breakpoints = match asking.on_fallback {
            false => state.rules.requests.cache_breakpoints as usize,
            true => 0,
        };
        let number = talk.conversation.next_number().unwrap_or_default();
        let message = UserItem::new(number, message, next.counter());
        let message = [Item::User(Box::new(message))];
        let sent = Items {
            first: first.unwrap_or_default(),
            rest: &message,
        };
        let how = next.sent_shown(parameters.name(), shown.as_deref());
        let rest = compaction::parameters(
            parameters,
            plan.written,
            talk.dialect,
            &state.rules.compaction,
        );
        let prompt = prompt.unwrap_or(&talk.made);
        let view = View {
            dialect: talk.dialect,
            rules: &state.rules,
            style: &state.style,
            head: Some(head(state, talk, parameters, talk.tools.count(), prompt)),
            items: sent,
            as_sent: as_sent(items, shown.as_deref()).min(plan.holds),
            turn: how.turn,
            marked: sent.marked(),
            breakpoints,
            carrying: how.carrying,
            chat: how.chat,
            closing: 0,
            shorter: &[],
            parameters: &rest,
        };
        let mut texts = Texts {
            state,
            storage: &mut self.storage,
            key: &self.key,
            fresh: &self.fresh,
            closed: &[],
            shorter: &[],
            stubs: &[],
        };
        body.rewrite(view, &mut texts)
    }
}

impl Given {
    /// The parameters of the model that is asked.
    fn asked(&self, on_fallback: bool) -> &Parameters {
        if on_fallback {
            &self.target
        } else {
            &self.main
        }
    }

    fn read(asked: &CompactionRequest) -> Result<Self, Error> {
        let read = |argument: &str, text: &str| {
            Parameters::read(text).map_err(|problem| Error::argument(argument, problem))
        };
        let main = read("compaction.parameters", &asked.parameters)?;
        let target = match &asked.target {
            SummaryTarget::Fallback(fallback) => {
                read("compaction.target.parameters", &fallback.parameters)?
            }
            SummaryTarget::Main | SummaryTarget::Unresolved(_) => main.clone(),
        };
        let stage = asked.stage;
        if stage == Stage::Shorten {
            let problem = "is `shorten`, which needs no summary: the next request does it";
            return Err(Error::argument("compaction.stage", problem));
        }
        Ok(Self {
            stage,
            main,
            target,
            prompt: None,
        })
    }
}
