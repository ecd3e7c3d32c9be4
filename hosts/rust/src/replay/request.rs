//! A `build-request` step: with a window, the session is compacted before it where the rules say so
//! (`docs/replay.md`, "What a host does").

use waybread_recordings::{BuiltRequest, RequestPressure, SummaryRequest, TriedCompaction};

use crate::{
    Compaction, CompactionEnd, CompactionStart, Error, NotApplied, Pressure, PressureAction,
    Session, Stage, SummaryResult,
};

/// How many compactions are tried for one request: each stage once.
const COMPACTIONS: usize = 2;
/// Why a request is not sent for which more would be needed.
const A_THIRD: &str = "a third compaction was asked for";

/// Performs the step, and adds what came of it to `requests`. `stand_in` is the reply to each request
/// for a summary; none without a window.
pub(super) fn request(
    session: &mut Session,
    stand_in: Option<&str>,
    requests: &mut Vec<BuiltRequest>,
) -> Result<(), Error> {
    let Some(stand_in) = stand_in else {
        requests.push(built(session, |_| None)?);
        return Ok(());
    };
    for tried in 0.. {
        let pressure = session.pressure("")?;
        let stage = match pressure.action {
            PressureAction::None | PressureAction::Shorten => break,
            PressureAction::Stop => {
                requests.push(stopped(pressure.reason.unwrap_or_default()));
                return Ok(());
            }
            PressureAction::Compact => Stage::Normal,
            PressureAction::Emergency => Stage::Emergency,
        };
        if tried == COMPACTIONS {
            requests.push(stopped(A_THIRD.to_owned()));
            return Ok(());
        }
        requests.push(compact(session, stage, stand_in)?);
    }
    requests.push(built(session, |pressure| Some(of_request(pressure)))?);
    Ok(())
}

fn built(
    session: &mut Session,
    pressure: impl Fn(&Pressure) -> Option<RequestPressure>,
) -> Result<BuiltRequest, Error> {
    let built = session.build_request("")?;
    Ok(BuiltRequest::Built {
        keep: built.keep.into(),
        tail: built.tail().to_owned(),
        pressure: pressure(&built.pressure),
    })
}

fn of_request(pressure: &Pressure) -> RequestPressure {
    RequestPressure {
        window: pressure.window.into(),
        tokens: pressure.estimate.tokens.into(),
        reserve: pressure.reserve.into(),
        margin: pressure.margin.into(),
        reason: pressure.reason.clone(),
    }
}

fn stopped(stopped: String) -> BuiltRequest {
    BuiltRequest::Stopped { stopped }
}

fn compact(session: &mut Session, stage: Stage, stand_in: &str) -> Result<BuiltRequest, Error> {
    let (request, not_applied) = match session.compact_begin(&Compaction::new("").stage(stage))? {
        CompactionStart::NotApplied(not) => (None, Some(not)),
        CompactionStart::Request(request) => {
            let end = session.compact_finish(SummaryResult::reply(stand_in))?;
            (Some(summary(&request)), reason(end))
        }
    };
    let compaction = TriedCompaction {
        stage: stage.name().to_owned(),
        request,
        not_applied: not_applied.map(|not| not.reason.name().to_owned()),
    };
    Ok(BuiltRequest::Compaction { compaction })
}

fn summary(request: &crate::SummaryRequest) -> SummaryRequest {
    let tail = request.body.get(request.keep as usize..);
    SummaryRequest {
        keep: request.keep.into(),
        tail: tail.unwrap_or_default().to_owned(),
        tokens: request.estimate.tokens.into(),
    }
}

fn reason(end: CompactionEnd) -> Option<NotApplied> {
    match end {
        CompactionEnd::Applied(_) => None,
        CompactionEnd::NotApplied(not) => Some(not),
    }
}
