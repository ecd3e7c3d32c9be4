//! A compaction ends: the summary in the place of what it covers, or everything as it was
//! (docs/compaction.md, "The reply", "What a compaction leaves").

use std::collections::BTreeSet;

use super::Session;
use super::compact::{Begun, NotApplied};
use super::delegate::{ONE_LINE, is_one_line};
use super::fallback::FallbackUse;
use super::history::Archive;
use super::unstub::Unstubbed;
use crate::assembly::Made;
use crate::budget::{Pressure, Tally};
use crate::compaction::{self, Envelopes, Fault, Reason};
use crate::draft::size;
use crate::error::Error;
use crate::escalation::{self, Health};
use crate::lines;
use crate::notes::PromptTells;
use crate::ports::{FileSystem, Storage};
use crate::record::{CompactedRecord, Event, NoteRecord, PlacedMessage, Stage, SummaryMessage};
use crate::state::Talk;
use crate::tokens;

/// What came of the request for a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SummaryOutcome {
    /// The reply.
    Reply(String),
    /// The provider's error.
    Failed(String),
    /// The person, or a program, gave up.
    Cancelled,
}

/// A subagent whose result is still to come. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct PendingSubagent {
    pub id: String,
    pub kind: String,
    pub state: String,
}

/// What a compaction is finished with. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct SummaryResult {
    pub outcome: SummaryOutcome,
    pub state_retired: bool,
    pub pending_subagents: Vec<PendingSubagent>,
}

/// A compaction that came about. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Compacted {
    pub stage: Stage,
    pub generation: u32,
    pub message: u32,
    pub summary: String,
    pub text: String,
    pub covered: u32,
    pub retained: u32,
    pub tokens_before: u32,
    pub tokens_after: u32,
    pub pressure: Pressure,
    pub health: Health,
    pub fallback: Option<FallbackUse>,
    pub state_cleared: bool,
    pub warnings: Vec<String>,
}

/// What `compact_finish` answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompactionEnd {
    /// It came about.
    Applied(Box<Compacted>),
    /// It did not.
    NotApplied(NotApplied),
}

/// A summary, and its tokens.
struct Summary {
    text: String,
    tokens: u32,
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Takes the reply to the request that `compact_begin` gave.
    ///
    /// # Errors
    ///
    /// As `compact-finish` in `wit/context.wit`.
    pub fn compact_finish(&mut self, result: &SummaryResult) -> Result<CompactionEnd, Error> {
        self.talk()?;
        let begun = self.begun.clone().ok_or_else(|| {
            let problem = "no compaction is under way: none was begun, it is finished, the session was \
                           opened again or messages were taken back since; begin one";
            Error::OutOfOrder(problem.to_owned())
        })?;
        self.still_begins(&begun)?;
        let summary = match self.summary(&begun, &result.outcome) {
            Ok(summary) => self.held(&begun, summary)?,
            Err(fault) => Err(fault),
        };
        let end = match summary {
            Ok(summary) => {
                let compacted = self.apply(&begun, summary, result)?;
                CompactionEnd::Applied(Box::new(compacted))
            }
            Err(fault) => CompactionEnd::NotApplied(self.fail(&begun, fault, result)?),
        };
        self.begun = None;
        Ok(end)
    }

    /// What was to be covered is still the conversation's beginning.
    fn still_begins(&self, begun: &Begun) -> Result<(), Error> {
        let talk = self.talk()?;
        let items = talk.conversation.items();
        let number = |at: Option<usize>| Some(items.get(at?)?.number());
        let (first, last) = (number(Some(0)), number(begun.covers.checked_sub(1)));
        let same = talk.requests.len() == begun.requests
            && talk.lineage.active() == begun.generation
            && (first, last) == (Some(begun.covered.0), Some(begun.covered.1));
        if same {
            return Ok(());
        }
        let problem = "the conversation is another one since the compaction was begun: a request was built or \
                       another compaction was finished; begin again";
        Err(Error::OutOfOrder(problem.to_owned()))
    }

    /// The summary that a reply holds.
    fn summary(&self, begun: &Begun, outcome: &SummaryOutcome) -> Result<Summary, Fault> {
        let json = match outcome {
            SummaryOutcome::Reply(json) => json,
            SummaryOutcome::Failed(error) => return Err(Fault::failed(error)),
            SummaryOutcome::Cancelled => {
                return Err(Fault::new(
                    Reason::Cancelled,
                    "the compaction was cancelled",
                ));
            }
        };
        let rules = &self.state.rules;
        let Some(talk) = &self.state.talk else {
            return Err(Fault::new(Reason::Failed, "there is no conversation"));
        };
        let summary = compaction::read_summary(talk.dialect, json, rules)?;
        let estimate = tokens::estimate(&summary);
        let tokens = talk.calibration.part(&begun.model, estimate, &rules.tokens);
        Ok(Summary {
            text: summary,
            tokens,
        })
    }

    /// A summary that is not too long.
    fn held(&mut self, begun: &Begun, summary: Summary) -> Result<Result<String, Fault>, Error> {
        let over = 100 + u64::from(self.state.rules.compaction.over_percent);
        let (limit, percent) = match begun.limit {
            // Without a limit a summary may at least not be longer than the next request as it is.
            0 => (self.tokens(&begun.parameters)?, 100),
            limit => (limit, over),
        };
        let Summary { text, tokens } = summary;
        if u64::from(tokens) * 100 > u64::from(limit) * percent {
            let message =
                format!("the summary has {tokens} tokens, more than its limit of {limit}");
            return Ok(Err(Fault::new(Reason::TooLong, message)));
        }
        Ok(Ok(text))
    }

    fn state_cleared(&self, begun: &Begun, result: &SummaryResult) -> bool {
        let stateful = self.state.rules.budget.stateful;
        stateful && begun.fallback.is_none() && result.state_retired
    }

    fn fail(
        &mut self,
        begun: &Begun,
        fault: Fault,
        result: &SummaryResult,
    ) -> Result<NotApplied, Error> {
        let cancelled = fault.reason == Reason::Cancelled;
        let state_cleared = self.state_cleared(begun, result);
        let mut fallback = begun.passed_over.clone();
        let rerun = begun.fallback.is_some() && !cancelled;
        if let (Some(model), true) = (&begun.fallback, rerun) {
            let reason = self.failure(&fault.message);
            let skipped = FallbackUse::skipped(Some(model.model.shown()), reason);
            self.skip(skipped.clone());
            fallback = Some(skipped);
        } else if (!cancelled && begun.fallback.is_none()) || state_cleared {
            let event = Event::NotCompacted {
                stage: (!cancelled).then_some(begun.stage),
                state_cleared,
            };
            self.commit(vec![event], &[])?;
        }
        Ok(NotApplied {
            stage: begun.stage,
            reason: fault.reason,
            message: fault.message,
            rerun_on_main: rerun,
            fallback,
            state_cleared,
        })
    }

    fn apply(
        &mut self,
        begun: &Begun,
        summary: String,
        result: &SummaryResult,
    ) -> Result<Compacted, Error> {
        check_pending(&result.pending_subagents)?;
        let before = self.tokens(&begun.parameters)?;
        let archive = self.archive(begun.covers);
        let prompt = self.made_again()?;
        let unstubbed = self.unstubbed(begun.covers)?;
        let record = self.record(begun, summary, result, &prompt, &archive, &unstubbed)?;
        let (generation, message) = (record.generation, record.message.number);
        let summary = record.summary.clone();
        let nul = &self.state.rules.nul;
        let text = lines::shown(&record.message.text, nul).into_owned();
        let state_cleared = record.state_cleared;
        let dropped = record
            .stripped
            .iter()
            .filter(|left| left.text.is_none())
            .count();
        let count = self.talk()?.conversation.items().len();
        let events = vec![
            Event::PromptMade { prompt },
            Event::Compacted(Box::new(record)),
        ];
        let stood = self.so_far();
        self.commit(events, &[])?;
        self.adopt(unstubbed);
        let mut warnings: Vec<String> = archive.warning.into_iter().collect();
        warnings.extend(self.append_history(generation, archive.text));
        self.go_on(stood);
        let pressure = self.pressure(&begun.parameters)?;
        Ok(Compacted {
            stage: begun.stage,
            generation,
            message,
            summary,
            text,
            covered: size(begun.covers),
            retained: size(count.saturating_sub(begun.covers + dropped)),
            tokens_before: before,
            tokens_after: pressure.estimate.tokens,
            health: self.health(&pressure)?,
            pressure,
            fallback: begun
                .fallback
                .clone()
                .map(FallbackUse::used)
                .or_else(|| begun.passed_over.clone()),
            state_cleared,
            warnings,
        })
    }

    /// The session's own views of its messages follow.
    fn adopt(&mut self, unstubbed: Vec<Unstubbed>) {
        let numbers: Vec<u32> = unstubbed.iter().map(|(result, _)| result.number).collect();
        if let Some(body) = &mut self.body {
            body.compact(&numbers);
        }
        let texts = unstubbed
            .into_iter()
            .map(|(result, text)| (result.number, text));
        self.fresh.extend(texts);
        self.tally = Tally::default();
    }

    fn health(&self, pressure: &Pressure) -> Result<Health, Error> {
        let rules = &self.state.rules.escalation;
        let tokens = pressure.estimate.tokens;
        let fragile = escalation::is_fragile(tokens, pressure.hard_limit, pressure.window, rules);
        Ok(escalation::after(
            self.talk()?.lineage.stages,
            fragile,
            rules,
        ))
    }

    /// What the compaction leaves.
    fn record(
        &self,
        begun: &Begun,
        summary: String,
        result: &SummaryResult,
        prompt: &Made,
        archive: &Archive,
        unstubbed: &[Unstubbed],
    ) -> Result<CompactedRecord, Error> {
        let talk = self.talk()?;
        let rules = &self.state.rules;
        let items = talk.conversation.items();
        let envelopes = Envelopes::of(items, begun.covers, &rules.skills);
        let mut next = talk.conversation.next_number();
        let mut number = || {
            let given = next.ok_or_else(|| {
                Error::OutOfOrder("the session has no number left for a message".to_owned())
            })?;
            next = given.checked_add(1);
            Ok::<u32, Error>(given)
        };
        let message = number()?;
        let placed = |text: Option<String>, number: &mut dyn FnMut() -> Result<u32, Error>| {
            let placed = text.map(|text| {
                let number = number()?;
                Ok::<PlacedMessage, Error>(PlacedMessage { number, text })
            });
            placed.transpose()
        };
        let skills = placed(envelopes.active, &mut number)?;
        let pending = placed(self.pending_line(&result.pending_subagents), &mut number)?;
        let dropped = envelopes.stripped.iter().filter(|left| left.text.is_none());
        let gone = dropped.map(|message| message.number);
        let gone: BTreeSet<u32> = items
            .iter()
            .take(begun.covers)
            .map(|item| item.number())
            .chain(gone)
            .collect();
        Ok(CompactedRecord {
            generation: talk.lineage.active().saturating_add(1),
            stage: begun.stage,
            covers: size(begun.covers),
            message: SummaryMessage {
                number: message,
                text: self.text(&summary, begun.covers, archive.note.as_deref())?,
                note: self.owed(talk, prompt, &gone),
                system: rules.compaction.system_role,
            },
            summary,
            skills,
            stripped: envelopes.stripped,
            unstubbed: unstubbed.iter().map(|(result, _)| result.clone()).collect(),
            pending,
            fallback: begun
                .fallback
                .as_ref()
                .map(|fallback| fallback.model.shown()),
            state_cleared: self.state_cleared(begun, result),
        })
    }

    /// What is owed once the prompt is made again and some messages are gone.
    fn owed(&self, talk: &Talk, prompt: &Made, gone: &BTreeSet<u32>) -> Option<NoteRecord> {
        let rules = &self.state.rules;
        let mut notes = talk.notes.clone();
        notes.prompt_made(PromptTells {
            given: &talk.told,
            read: &prompt.told,
            date: talk.given.date_told(),
        });
        notes.take_back(gone);
        notes.owed(None, &rules.note, &rules.nul)
    }

    /// The message that holds the summary.
    fn text(&self, summary: &str, covers: usize, note: Option<&str>) -> Result<String, Error> {
        let rules = &self.state.rules;
        let conversation = &self.talk()?.conversation;
        let noted: Vec<&str> = std::iter::once(summary).chain(note).collect();
        let summary = noted.join("\n\n");
        let mut text = rules.compaction.summary.fill(&[("summary", &summary)]);
        let results = conversation.results(0, covers);
        let results = results.filter_map(|number| self.state.result(number));
        if let Some(table) = compaction::table_of_reads(results, rules) {
            text.push_str("\n\n");
            text.push_str(&table);
        }
        Ok(text)
    }

    /// The subagents of the log whose results are still to come, then those that the caller names.
    fn pending_line(&self, named: &[PendingSubagent]) -> Option<String> {
        let mut pending: Vec<PendingSubagent> = self
            .delegates()
            .into_iter()
            .filter(|delegate| !delegate.state.is_empty())
            .map(|delegate| PendingSubagent {
                id: delegate.key,
                kind: delegate.kind,
                state: delegate.state,
            })
            .collect();
        for subagent in named {
            if !pending.iter().any(|known| known.id == subagent.id) {
                pending.push(subagent.clone());
            }
        }
        if pending.is_empty() {
            return None;
        }
        let texts = &self.state.rules.delegation;
        let items = pending.iter().map(|subagent| {
            texts.pending_item.fill(&[
                ("id", &subagent.id),
                ("kind", &subagent.kind),
                ("state", &subagent.state),
            ])
        });
        let list = items.collect::<Vec<_>>().join("; ");
        Some(texts.pending.fill(&[("list", &list)]))
    }
}

/// Each has its line of the list to itself.
fn check_pending(pending: &[PendingSubagent]) -> Result<(), Error> {
    for (at, subagent) in pending.iter().enumerate() {
        let fields = [
            ("id", &subagent.id),
            ("kind", &subagent.kind),
            ("state", &subagent.state),
        ];
        if let Some((field, _)) = fields.into_iter().find(|(_, text)| !is_one_line(text)) {
            let argument = format!("outcome.pending-subagents[{at}].{field}");
            return Err(Error::argument(argument, ONE_LINE));
        }
    }
    Ok(())
}
