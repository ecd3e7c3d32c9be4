//! Settings that must agree with each other.

use serde_json::Value;

use crate::error::Error;
use crate::rules::LimitTable;

/// Numbers of which the first may not be above the second.
const ASCENDING: [(&str, &str); 4] = [
    ("budget.margin_least", "budget.margin_most"),
    ("compaction.summary_least", "compaction.summary_most"),
    ("compaction.emergency_least", "compaction.emergency_most"),
    ("escalation.warning", "escalation.critical"),
];

const THRESHOLD: &str = "compaction.threshold_tokens";

/// Checks merged settings.
///
/// # Errors
///
/// `invalid-setting` with the key of the one that is at odds.
pub fn check(merged: &Value) -> Result<(), Error> {
    check_cap(merged)?;
    for (least, most) in ASCENDING {
        let (low, high) = (number(merged, least), number(merged, most));
        if low > high {
            let problem = format!("is {low}, must not be above {most} {high}");
            return Err(Error::setting(least, problem));
        }
    }
    check_threshold(merged)
}

/// Head and tail must leave something out of a result that is over the cap.
fn check_cap(merged: &Value) -> Result<(), Error> {
    for unit in ["lines", "chars"] {
        let part = |name: &str| number(merged, &format!("context.cap.{name}_{unit}"));
        let (head, tail, most) = (part("head"), part("tail"), part("max"));
        if head + tail > most {
            let problem = format!(
                "is {head}, which with tail_{unit} {tail} is over max_{unit} {most}; \
                 head and tail together must not exceed the cap"
            );
            return Err(Error::setting(&format!("context.cap.head_{unit}"), problem));
        }
    }
    Ok(())
}

/// A threshold in tokens must be below every window that is set (docs/compaction.md, "Limits").
fn check_threshold(merged: &Value) -> Result<(), Error> {
    let threshold = number(merged, THRESHOLD);
    if threshold == 0 {
        return Ok(());
    }
    let windows = windows(merged);
    if windows.is_empty() {
        let problem = format!(
            "is {threshold}, but no window is set; set budget.window or budget.models with it"
        );
        return Err(Error::setting(THRESHOLD, problem));
    }
    let Some((key, window)) = windows.iter().find(|(_, window)| threshold >= *window) else {
        return Ok(());
    };
    let problem = format!("is {threshold}, must be below every window; {key} is {window}");
    Err(Error::setting(THRESHOLD, problem))
}

/// Every window that is set, with the key that sets it.
fn windows(merged: &Value) -> Vec<(String, u64)> {
    let limits = ["window", "max_output"];
    let unset = limits.map(|name| number(merged, &format!("budget.{name}"))) == [0, 0];
    let own = if unset {
        "budget.fallback_window"
    } else {
        "budget.window"
    };
    let entries = merged
        .pointer("/budget/models")
        .and_then(Value::as_array)
        .map(|entries| entries.iter().filter_map(Value::as_str).collect::<Vec<_>>());
    let models = entries.and_then(|entries| LimitTable::parse(&entries).ok());
    let models: Vec<u32> = models.map_or_else(Vec::new, |models| models.windows().collect());
    let models = models.into_iter().enumerate();
    let models = models.map(|(position, window)| {
        (
            format!("the window of budget.models[{position}]"),
            u64::from(window),
        )
    });
    let windows = std::iter::once((own.to_owned(), number(merged, own))).chain(models);
    windows.filter(|(_, window)| *window > 0).collect()
}

/// A number by its dotted name; the merge has checked its type.
fn number(merged: &Value, key: &str) -> u64 {
    let value = merged.pointer(&format!("/{}", key.replace('.', "/")));
    value.and_then(Value::as_u64).unwrap_or_default()
}
