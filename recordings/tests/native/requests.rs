//! The requests of a context: with a window as `docs/replay.md` says ("What a host does").

use waybread_guest as guest;
use waybread_recordings::{BuiltRequest, RequestPressure, SummaryRequest, TriedCompaction};

use super::ports::{Memory, Tree};

type Session = guest::Session<Memory, Tree>;

pub struct Requests<'a> {
    name: &'a str,
    stand_in: Option<&'a str>,
    pub built: Vec<BuiltRequest>,
}

impl<'a> Requests<'a> {
    pub fn new(name: &'a str, stand_in: Option<&'a str>) -> Self {
        Self {
            name,
            stand_in,
            built: Vec::new(),
        }
    }

    pub fn step(&mut self, session: &mut Session) {
        let mut compacted = false;
        if let Some(stand_in) = self.stand_in {
            while let Some(stage) = self.due(session) {
                let Some(stage) = stage else { return };
                let tried = self.compact(session, stage, stand_in);
                compacted |= tried.not_applied.is_none();
                self.built
                    .push(BuiltRequest::Compaction { compaction: tried });
            }
        }
        self.build(session, compacted);
    }

    /// The stage that is due; none within it where the request is not sent.
    fn due(&mut self, session: &mut Session) -> Option<Option<guest::Stage>> {
        let pressure = session.pressure("").expect(self.name);
        match pressure.action {
            guest::PressureAction::None | guest::PressureAction::Shorten => None,
            guest::PressureAction::Compact => Some(Some(guest::Stage::Normal)),
            guest::PressureAction::Emergency => Some(Some(guest::Stage::Emergency)),
            guest::PressureAction::Stop => {
                let stopped = pressure.reason.expect(self.name);
                self.built.push(BuiltRequest::Stopped { stopped });
                Some(None)
            }
        }
    }

    fn compact(
        &self,
        session: &mut Session,
        stage: guest::Stage,
        stand_in: &str,
    ) -> TriedCompaction {
        let asked = guest::CompactionRequest {
            stage,
            main: None,
            parameters: String::new(),
            target: guest::SummaryTarget::Main,
            steering: None,
        };
        // What `pressure` asks for can begin.
        let begun = session.compact_begin(&asked).expect(self.name);
        let guest::CompactionStart::Request(request) = begun else {
            panic!("{}: {begun:?}", self.name);
        };
        let outcome = guest::SummaryOutcome::Reply(stand_in.to_owned());
        let result = guest::SummaryResult {
            outcome,
            state_retired: false,
            pending_subagents: Vec::new(),
        };
        let end = session.compact_finish(&result).expect(self.name);
        let guest::CompactionEnd::Applied(_) = end else {
            panic!("{}: {end:?}", self.name);
        };
        TriedCompaction {
            stage: if stage == guest::Stage::Normal {
                "normal"
            } else {
                "emergency"
            }
            .to_owned(),
            request: Some(SummaryRequest {
                keep: request.keep.into(),
                tail: request.tail,
                tokens: request.estimate.tokens.into(),
            }),
            not_applied: None,
        }
    }

    fn build(&mut self, session: &mut Session, compacted: bool) {
        let request = session.build_request("").expect(self.name);
        self.check(&request, compacted);
        let pressure = &request.pressure;
        let pressure = self.stand_in.map(|_| RequestPressure {
            window: pressure.window.into(),
            tokens: pressure.estimate.tokens.into(),
            reserve: pressure.reserve.into(),
            margin: pressure.margin.into(),
            reason: pressure.reason.clone(),
        });
        self.built.push(BuiltRequest::Built {
            keep: request.keep.into(),
            tail: request.tail,
            pressure,
        });
    }

    /// Nothing is rewritten but by a compaction, and a turn's reasoning when the next one begins.
    fn check(&self, request: &guest::Request, compacted: bool) {
        let mut built = self.built.iter();
        let first = !built.any(|built| matches!(built, BuiltRequest::Built { .. }));
        assert_eq!(first, request.keep == 0, "{}", self.name);
        if let Some(difference) = &request.difference {
            let cause = difference.cause;
            let expected = if compacted {
                guest::DifferenceCause::Compaction
            } else {
                guest::DifferenceCause::TurnBoundaryReasoning
            };
            assert_eq!(cause, expected, "{}", self.name);
        }
    }
}
