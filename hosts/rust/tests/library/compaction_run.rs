//! A whole compaction in one call: its stages, and a fallback that fails.

use std::time::Duration;

use waybread::{
    Compaction, CompactionEnd, CompactionReport, CompactionRun, FallbackDecision, FallbackModel,
    FallbackStatus, MainRequest, MemoryStorage, ModelRef, NotAppliedReason, PressureAction,
    Session, Stage, SummaryRequest, SummaryResult, SummaryTarget,
};

use crate::compaction::{begin, fill, turn, windowed};
use crate::support::{PARAMETERS, conversing, reply};

const WINDOW: &str = r#"{"budget":{"window":20000,"max_output":1000}}"#;

fn main_model() -> ModelRef {
    ModelRef::new("some-provider", "m")
}

fn with_fallback() -> Compaction {
    let small = ModelRef::new("some-provider", "small");
    let fallback = FallbackModel::new(small, r#"{"model":"small"}"#).reason("no recent request");
    Compaction::new(PARAMETERS)
        .main(main_model())
        .target(fallback)
}

fn summary() -> SummaryResult {
    SummaryResult::reply(reply("It was said.").json)
}

/// Of each attempt its stage, and why it did not come about.
fn attempts(report: &CompactionReport) -> Vec<(Stage, Option<NotAppliedReason>)> {
    let attempt = |end: &CompactionEnd| match end {
        CompactionEnd::Applied(compacted) => (compacted.stage, None),
        CompactionEnd::NotApplied(not) => (not.stage, Some(not.reason)),
        other => panic!("{other:?}"),
    };
    report.attempts.iter().map(attempt).collect()
}

#[test]
fn a_fallback_that_fails_is_followed_by_the_main_model() {
    let mut session = conversing(MemoryStorage::new());
    turn(&mut session, "c1");
    let mut asked = Vec::new();
    let report = session
        .compact(with_fallback(), |request: &SummaryRequest| {
            asked.push((request.on_fallback, request.body.clone()));
            if request.on_fallback {
                SummaryResult::failed("503 overloaded")
            } else {
                summary()
            }
        })
        .unwrap();
    let [(true, to_fallback), (false, to_main)] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    assert!(
        to_fallback.starts_with(r#"{"model":"small","#),
        "{to_fallback}"
    );
    assert!(to_main.starts_with(r#"{"model":"m","#), "{to_main}");
    let failed = Some(NotAppliedReason::Failed);
    assert_eq!(
        attempts(&report),
        [(Stage::Normal, failed), (Stage::Normal, None)]
    );
    let compacted = report.applied().unwrap();
    let fallback = compacted.fallback.as_ref().unwrap();
    assert_eq!(fallback.status, FallbackStatus::Skipped);
    assert_eq!(fallback.model.as_deref(), Some("some-provider/small"));
    assert!(
        fallback.reason.starts_with("fallback failed: "),
        "{fallback:?}"
    );
    assert_eq!(report.pressure, compacted.pressure);
    assert!(!report.state_cleared());
}

#[test]
fn a_fallback_that_answers_is_used() {
    let mut session = conversing(MemoryStorage::new());
    turn(&mut session, "c1");
    let report = session.compact(with_fallback(), |_| summary()).unwrap();
    let [CompactionEnd::Applied(compacted)] = report.attempts.as_slice() else {
        panic!("{report:?}");
    };
    let fallback = compacted.fallback.as_ref().unwrap();
    assert_eq!(fallback.status, FallbackStatus::Used);
    assert_eq!(fallback.reason, "no recent request");
    let lineage = session.lineage().unwrap();
    assert_eq!(lineage[1].fallback.as_deref(), Some("some-provider/small"));
}

#[test]
fn a_fallback_that_is_not_there_is_told() {
    let mut session = conversing(MemoryStorage::new());
    turn(&mut session, "c1");
    let compaction = with_fallback().target(SummaryTarget::Unresolved("no key".to_owned()));
    let report = session
        .compact(compaction, |request| {
            assert!(!request.on_fallback);
            let fallback = request.fallback.as_ref().unwrap();
            assert_eq!(fallback.status, FallbackStatus::Skipped);
            assert_eq!(fallback.reason, "fallback failed: no key");
            summary()
        })
        .unwrap();
    assert!(report.applied().is_some());
}

#[test]
fn emergency_follows_what_did_not_help() {
    let mut session = windowed(WINDOW);
    fill(&mut session);
    let report = session
        .compact(Compaction::new(PARAMETERS), |request| match request.stage {
            Stage::Emergency => summary(),
            _ => SummaryResult::failed("503"),
        })
        .unwrap();
    let failed = Some(NotAppliedReason::Failed);
    assert_eq!(
        attempts(&report),
        [(Stage::Normal, failed), (Stage::Emergency, None)]
    );
    assert_eq!(report.applied().unwrap().generation, 2);
    assert_eq!(report.pressure.action, PressureAction::None);
}

#[test]
fn emergency_is_begun_with_where_pressure_says_so() {
    let mut session = windowed(WINDOW);
    fill(&mut session);
    begin(&mut session);
    session
        .compact_finish(SummaryResult::failed("503"))
        .unwrap();
    let pressure = session.pressure(PARAMETERS).unwrap();
    assert_eq!(pressure.action, PressureAction::Emergency);
    let report = session
        .compact(Compaction::new(PARAMETERS), |_| summary())
        .unwrap();
    assert_eq!(attempts(&report), [(Stage::Emergency, None)]);
}

#[test]
fn a_whole_compaction_that_fails_changes_nothing() {
    let (mut session, mut other) = (windowed(WINDOW), windowed(WINDOW));
    fill(&mut session);
    fill(&mut other);
    let conversation = session.conversation().unwrap();
    let mut asked = 0;
    let report = session
        .compact(with_fallback(), |_| {
            asked += 1;
            SummaryResult::failed("503")
        })
        .unwrap();
    // The fallback is not asked a second time in one operation.
    let failed = Some(NotAppliedReason::Failed);
    let expected = [
        (Stage::Normal, failed),
        (Stage::Normal, failed),
        (Stage::Emergency, failed),
    ];
    assert_eq!((attempts(&report).as_slice(), asked), (&expected[..], 3));
    assert_eq!((report.applied(), report.state_cleared()), (None, false));
    // It still fits, and there is nothing left to try.
    assert_eq!(report.pressure.action, PressureAction::None);
    assert!(report.pressure.fits && report.pressure.reason.is_some());
    assert_eq!(session.conversation().unwrap(), conversation);
    let body = session.build_request(PARAMETERS).unwrap().body;
    assert_eq!(body, other.build_request(PARAMETERS).unwrap().body);
}

#[test]
fn a_cancellation_ends_it() {
    let mut session = windowed(WINDOW);
    fill(&mut session);
    let report = session
        .compact(with_fallback(), |_| SummaryResult::cancelled())
        .unwrap();
    let cancelled = Some(NotAppliedReason::Cancelled);
    assert_eq!(attempts(&report), [(Stage::Normal, cancelled)]);
    assert_eq!(report.pressure.action, PressureAction::Compact);
}

#[test]
fn nothing_to_summarise_asks_nobody() {
    let mut session = conversing(MemoryStorage::new());
    turn(&mut session, "c1");
    let compaction = || Compaction::new(PARAMETERS);
    session.compact(compaction(), |_| summary()).unwrap();
    let report = session
        .compact(compaction(), |_| -> SummaryResult { panic!("asked") })
        .unwrap();
    let reason = Some(NotAppliedReason::NoTurnSince);
    assert_eq!(attempts(&report), [(Stage::Normal, reason)]);
}

#[test]
fn requests_that_are_awaited_take_the_same_steps() {
    let mut session = windowed(WINDOW);
    fill(&mut session);
    let mut run = CompactionRun::new(with_fallback());
    let mut asked = Vec::new();
    while let Some(request) = run.next(&mut session).unwrap() {
        assert_eq!(run.next(&mut session).unwrap().as_ref(), Some(&request));
        asked.push((request.stage, request.on_fallback));
        let result = match request.stage {
            Stage::Emergency => summary(),
            _ => SummaryResult::failed("503"),
        };
        run.finish(&mut session, result).unwrap();
    }
    let expected = [
        (Stage::Normal, true),
        (Stage::Normal, false),
        (Stage::Emergency, false),
    ];
    assert_eq!(asked, expected);
    let report = run.report(&mut session).unwrap();
    assert_eq!(report.attempts.len(), 3);
    assert_eq!(report.applied().unwrap().stage, Stage::Emergency);
}

fn due(session: &mut Session, model: &ModelRef, key: &str, now: u64) -> FallbackDecision {
    let (after, now) = (Duration::from_secs(300), Duration::from_secs(now));
    session.fallback_due(model, key, after, now).unwrap()
}

#[test]
fn a_cache_grows_cold() {
    let storage = MemoryStorage::new();
    let mut session = conversing(storage.clone());
    let cold = |reason: &str| FallbackDecision::Cold(reason.to_owned());
    assert_eq!(session.last_main_request().unwrap(), None);
    assert_eq!(
        due(&mut session, &main_model(), "k", 0),
        cold("no recent request")
    );
    let answered = MainRequest::new(main_model(), Duration::from_secs(1000)).cache_key("k");
    session.main_request_answered(&answered).unwrap();
    drop(session);
    let mut session = conversing(storage);
    assert_eq!(session.last_main_request().unwrap(), Some(answered));
    assert_eq!(
        due(&mut session, &main_model(), "k", 1300),
        FallbackDecision::Warm
    );
    assert_eq!(
        due(&mut session, &main_model(), "k", 1720),
        cold("idle 12m > 5m")
    );
    assert_eq!(
        due(&mut session, &main_model(), "", 1000),
        cold("no recent request")
    );
    let never = session.fallback_due(&main_model(), "k", Duration::ZERO, Duration::MAX);
    assert_eq!(never.unwrap(), FallbackDecision::Disabled);
    let nameless = MainRequest::new(ModelRef::new("", "m"), Duration::ZERO);
    let error = session.main_request_answered(&nameless).unwrap_err();
    assert_eq!(error.cause().name(), "invalid-argument");
}
