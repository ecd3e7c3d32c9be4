//! Whether a cheaper model is asked for a summary, because the main model's cache is cold
//! (docs/compaction.md, "Fallback").

use serde::{Deserialize, Serialize};

use crate::rules::FallbackTexts;

/// A request to the main model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MainRequest {
    /// Who was asked.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// What the provider finds its cache by.
    pub cache_key: String,
    /// When, in milliseconds since any moment that later times are told by too.
    pub at: u64,
}

/// Whether a fallback is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// None was asked for.
    Disabled,
    /// The main model's cache is warm.
    Warm,
    /// It is cold, and why.
    Cold(String),
}

/// Whether the cache of the main model, named by `provider`, `model` and `cache_key`, is cold at
/// `now`: no request to it within the last `after_ms` milliseconds. 0 is never. `last` counts if it
/// went to the same model.
#[must_use]
pub fn due(
    last: Option<&MainRequest>,
    provider: &str,
    model: &str,
    cache_key: &str,
    after_ms: u64,
    now: u64,
    texts: &FallbackTexts,
) -> Due {
    if after_ms == 0 {
        return Due::Disabled;
    }
    let same = |last: &&MainRequest| {
        (&*last.provider, &*last.model, &*last.cache_key) == (provider, model, cache_key)
    };
    let Some(last) = last.filter(same) else {
        return Due::Cold(texts.no_request.clone());
    };
    let idle_ms = now.saturating_sub(last.at);
    if idle_ms <= after_ms {
        return Due::Warm;
    }
    let (idle, after) = told_apart(idle_ms, after_ms);
    Due::Cold(texts.idle.fill(&[("idle", &idle), ("after", &after)]))
}

/// Two durations in whole minutes, or exact where that would make them equal.
fn told_apart(one: u64, other: u64) -> (String, String) {
    if one / MINUTE == other / MINUTE {
        (exact(one), exact(other))
    } else {
        (minutes(one), minutes(other))
    }
}

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

fn minutes(milliseconds: u64) -> String {
    format!("{}m", milliseconds / MINUTE)
}

/// `5m30s`, `1h0m0.5s`: hours, minutes and seconds, from the largest that is not 0.
fn exact(milliseconds: u64) -> String {
    let (hours, minutes) = (milliseconds / HOUR, milliseconds % HOUR / MINUTE);
    let (seconds, thousandths) = (milliseconds % MINUTE / SECOND, milliseconds % SECOND);
    let fraction = format!(".{thousandths:03}");
    let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
    match (hours, minutes) {
        (0, 0) => format!("{seconds}{fraction}s"),
        (0, _) => format!("{minutes}m{seconds}{fraction}s"),
        _ => format!("{hours}h{minutes}m{seconds}{fraction}s"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: u64 = 1_000_000_000;

    fn due_after(idle: u64, after: u64) -> Due {
        due_with(Some(("openai", "gpt", "key", NOW - idle)), after)
    }

    fn due_with(last: Option<(&str, &str, &str, u64)>, after: u64) -> Due {
        let texts = crate::rules::with_overrides(&json!({})).unwrap().1.fallback;
        let last = last.map(|(provider, model, cache_key, at)| MainRequest {
            provider: provider.to_owned(),
            model: model.to_owned(),
            cache_key: cache_key.to_owned(),
            at,
        });
        due(last.as_ref(), "openai", "gpt", "key", after, NOW, &texts)
    }

    fn cold(reason: &str) -> Due {
        Due::Cold(reason.to_owned())
    }

    #[test]
    fn nothing_is_due_where_none_was_asked_for() {
        assert_eq!(due_with(None, 0), Due::Disabled);
        assert_eq!(due_after(5, 0), Due::Disabled);
    }

    #[test]
    fn a_cache_is_warm_until_after_is_over() {
        assert_eq!(due_after(0, 1), Due::Warm);
        assert_eq!(due_after(5 * MINUTE, 5 * MINUTE), Due::Warm);
        assert_eq!(
            due_after(5 * MINUTE + 1, 5 * MINUTE),
            cold("idle 5m0.001s > 5m0s")
        );
        let later = Some(("openai", "gpt", "key", u64::MAX));
        assert_eq!(due_with(later, 1), Due::Warm);
    }

    #[test]
    fn only_a_request_to_the_same_cache_counts() {
        let none = cold("no recent request");
        assert_eq!(due_with(None, 5), none);
        for other in [
            ("anthropic", "gpt", "key", NOW),
            ("openai", "gpt-5", "key", NOW),
            ("openai", "gpt", "", NOW),
        ] {
            assert_eq!(due_with(Some(other), 5), none);
        }
    }

    #[test]
    fn durations_are_minutes_or_exact() {
        for (idle, after, reason) in [
            (12 * MINUTE + 59 * SECOND, 5 * MINUTE, "idle 12m > 5m"),
            (2 * HOUR, 59 * SECOND, "idle 120m > 0m"),
            (5 * MINUTE + 30 * SECOND, 5 * MINUTE, "idle 5m30s > 5m0s"),
            (HOUR + 500, HOUR, "idle 1h0m0.5s > 1h0m0s"),
            (2, 1, "idle 0.002s > 0.001s"),
            (59 * SECOND + 120, 10 * SECOND, "idle 59.12s > 10s"),
        ] {
            assert_eq!(due_after(idle, after), cold(reason));
        }
    }
}
