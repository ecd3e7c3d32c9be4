//! A whole compaction: its stages, and the fallback's and the main model's part in each.

use super::Session;
use crate::compacted::{CompactionEnd, CompactionReport, NotAppliedReason};
use crate::compaction::{
    Compaction, CompactionStart, Stage, SummaryRequest, SummaryResult, SummaryTarget,
};
#[cfg(doc)]
use crate::error::Cause;
use crate::error::Error;
use crate::pressure::{Pressure, PressureAction};

impl Session {
    /// A whole compaction (`docs/compaction.md`): the stage that is given, or `emergency` where
    /// [`pressure`](Self::pressure) asks for that, before or after it. What a fallback did not bring about
    /// is asked of the main model. A cancellation ends it.
    ///
    /// `send` sends a body to the main model, or to the fallback if
    /// [`on_fallback`](SummaryRequest::on_fallback), and says what came of it. It is called up to four
    /// times. [`CompactionRun`] is the same for requests that are awaited.
    ///
    /// ```no_run
    /// # fn post(body: &str, fallback: bool) -> Result<String, String> { unimplemented!() }
    /// # fn compact(session: &mut waybread::Session) -> Result<(), waybread::Error> {
    /// use waybread::{Compaction, SummaryResult};
    ///
    /// let compaction = Compaction::new(r#"{"model":"some-model"}"#);
    /// let report = session.compact(compaction, |request| {
    ///     match post(&request.body, request.on_fallback) {
    ///         Ok(response) => SummaryResult::reply(response),
    ///         Err(error) => SummaryResult::failed(error),
    ///     }
    /// })?;
    /// println!("{}", report.applied().map_or("as it was", |compacted| &compacted.summary));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`compact_begin`](Self::compact_begin) and [`compact_finish`](Self::compact_finish). What an
    /// earlier stage applied stands then.
    pub fn compact<R: Into<SummaryResult>>(
        &mut self,
        compaction: Compaction,
        mut send: impl FnMut(&SummaryRequest) -> R,
    ) -> Result<CompactionReport, Error> {
        let mut run = CompactionRun::new(compaction);
        while let Some(request) = run.next(self)? {
            run.finish(self, send(&request))?;
        }
        run.report(self)
    }
}

/// A whole compaction, request by request: [`Session::compact`] for harnesses that await their requests.
///
/// ```no_run
/// # async fn post(body: &str, fallback: bool) -> String { unimplemented!() }
/// # async fn compact(session: &mut waybread::Session) -> Result<(), waybread::Error> {
/// use waybread::{Compaction, CompactionRun, SummaryResult};
///
/// let mut run = CompactionRun::new(Compaction::new(r#"{"model":"some-model"}"#));
/// while let Some(request) = run.next(session)? {
///     let response = post(&request.body, request.on_fallback).await;
///     run.finish(session, SummaryResult::reply(response))?;
/// }
/// let report = run.report(session)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct CompactionRun {
    given: Compaction,
    /// What is begun next; none at the end.
    next: Option<Compaction>,
    attempts: Vec<CompactionEnd>,
}

impl CompactionRun {
    /// A compaction of which nothing is done yet.
    #[must_use]
    pub fn new(compaction: Compaction) -> Self {
        Self {
            next: Some(compaction.clone()),
            given: compaction,
            attempts: Vec::new(),
        }
    }

    /// The next request to send; none at the end. Each is followed by [`finish`](Self::finish); asked
    /// again before that, it is the same one.
    ///
    /// # Errors
    ///
    /// As [`Session::compact_begin`].
    pub fn next(&mut self, session: &mut Session) -> Result<Option<SummaryRequest>, Error> {
        let is_open = self.attempts.is_empty() && self.given.stage.is_none();
        if is_open && self.is_emergency(session)? {
            self.next = Some(self.given.clone().stage(Stage::Emergency));
        }
        while let Some(compaction) = &self.next {
            match session.compact_begin(compaction)? {
                CompactionStart::Request(request) => return Ok(Some(request)),
                CompactionStart::NotApplied(not) => {
                    self.ended(session, CompactionEnd::NotApplied(not))?;
                }
            }
        }
        Ok(None)
    }

    /// Takes what came of the last request.
    ///
    /// # Errors
    ///
    /// As [`Session::compact_finish`]. What an earlier stage applied stands then.
    pub fn finish(
        &mut self,
        session: &mut Session,
        result: impl Into<SummaryResult>,
    ) -> Result<(), Error> {
        let end = session.compact_finish(result)?;
        self.ended(session, end)
    }

    /// What the run did, and how full the window is now.
    ///
    /// # Errors
    ///
    /// As [`Session::pressure`].
    pub fn report(self, session: &mut Session) -> Result<CompactionReport, Error> {
        Ok(CompactionReport {
            pressure: self.pressure(session)?,
            attempts: self.attempts,
        })
    }

    fn ended(&mut self, session: &mut Session, end: CompactionEnd) -> Result<(), Error> {
        let begun = self.next.take();
        self.attempts.push(end);
        if let Some(begun) = begun {
            self.next = self.after(&begun, session)?;
        }
        Ok(())
    }

    /// What follows an attempt.
    fn after(
        &self,
        begun: &Compaction,
        session: &mut Session,
    ) -> Result<Option<Compaction>, Error> {
        if let Some(CompactionEnd::NotApplied(not)) = self.attempts.last() {
            if not.reason == NotAppliedReason::Cancelled {
                return Ok(None);
            }
            if not.rerun_on_main && begun.target != SummaryTarget::Main {
                return Ok(Some(begun.clone().target(SummaryTarget::Main)));
            }
        }
        // The second stage has the target that the first was given: a fallback that failed is passed
        // over by the component.
        let second = || self.given.clone().stage(Stage::Emergency);
        Ok((begun.stage != Some(Stage::Emergency) && self.is_emergency(session)?).then(second))
    }

    fn is_emergency(&self, session: &mut Session) -> Result<bool, Error> {
        Ok(self.pressure(session)?.action == PressureAction::Emergency)
    }

    fn pressure(&self, session: &mut Session) -> Result<Pressure, Error> {
        match self.attempts.last() {
            Some(CompactionEnd::Applied(compacted)) => Ok(compacted.pressure.clone()),
            _ => session.pressure(&self.given.parameters),
        }
    }
}
