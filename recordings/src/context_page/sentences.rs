//! What table and page say in sentences.

use super::kind::shown;
use super::{ContextPressure, ContextReport};
use crate::share::percent;
use crate::summary::numbers::{counted, grouped};

/// The sentences, one paragraph each.
pub(super) fn of(report: &ContextReport) -> Vec<String> {
    let pressure = &report.pressure;
    let sentences = [Some(size(report)), window(pressure), action(pressure)];
    sentences.into_iter().flatten().collect()
}

fn size(report: &ContextReport) -> String {
    let ContextPressure {
        tokens,
        strategy,
        confidence,
        ..
    } = &report.pressure;
    let counted_by = match strategy.as_str() {
        "provider-usage" => "corrected by what the provider reported",
        _ => "estimated",
    };
    format!(
        "The next request has {} and around {}, {counted_by} (confidence: {}).",
        counted(report.bytes, "byte", "bytes"),
        counted(*tokens, "token", "tokens"),
        shown(confidence)
    )
}

fn window(pressure: &ContextPressure) -> Option<String> {
    let ContextPressure {
        tokens,
        window,
        soft_limit,
        reserve,
        margin,
        ..
    } = *pressure;
    (window > 0).then(|| {
        format!(
            "That is {} % of the window of {}. A compaction is due from {}; {} are kept free for the \
             reply, {} for what the estimate misses.",
            percent(tokens.into(), window),
            counted(window, "token", "tokens"),
            grouped(soft_limit),
            grouped(reserve),
            grouped(margin)
        )
    })
}

fn action(pressure: &ContextPressure) -> Option<String> {
    let reason = pressure.reason.as_deref().map(shown);
    match (pressure.action.as_str(), reason) {
        ("none", None) => None,
        ("none", Some(reason)) => Some(format!("No compaction begins: {reason}.")),
        ("compact", _) => Some("It is to be compacted before it is sent.".to_owned()),
        ("emergency", _) => {
            Some("It is to be compacted, in the emergency stage, before it is sent.".to_owned())
        }
        (_, reason) => Some(format!(
            "It cannot be sent: {}.",
            reason.unwrap_or_else(|| "no reason is told".to_owned())
        )),
    }
}
