//! What a session is told that was summarised again and again (docs/compaction.md, "Escalation").

use crate::rules::EscalationRules;

/// How urgent it is to do something about a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is to be done.
    Info,
    /// A new session soon is advisable.
    Warning,
    /// A new session is due.
    Critical,
}

/// What became of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthState {
    /// A compaction begins.
    Compacting,
    /// It can go on.
    Stable,
    /// What is left is still far over the limit, or this turn was compacted before.
    Fragile,
    /// Much of what the model knew is probably gone.
    LikelyLossy,
}

/// What a harness tells the person of the session's context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// How urgent it is.
    pub severity: Severity,
    /// What became of the session.
    pub state: HealthState,
    /// What the person can do: `escalation.guidance`.
    pub guidance: String,
}

impl Health {
    fn new(severity: Severity, state: HealthState, rules: &EscalationRules) -> Self {
        let guidance = match severity {
            Severity::Info => &rules.guidance_info,
            Severity::Warning => &rules.guidance_warning,
            Severity::Critical => &rules.guidance_critical,
        };
        Self {
            severity,
            state,
            guidance: guidance.clone(),
        }
    }
}

/// Whether a session is still far over its limit, with the next request's `tokens` after the
/// compaction. The limit is the hard one, or the window if that is 0.
#[must_use]
pub fn is_fragile(tokens: u32, hard_limit: u32, window: u32, rules: &EscalationRules) -> bool {
    let limit = if hard_limit > 0 { hard_limit } else { window };
    let over = u64::from(tokens.saturating_sub(limit));
    window > 0 && over > 0 && over * 100 >= u64::from(limit) * u64::from(rules.fragile_percent)
}

/// The health after the `stages`th applied stage of a turn.
#[must_use]
pub fn after(stages: u32, fragile: bool, rules: &EscalationRules) -> Health {
    let (severity, state) = graded(stages, fragile, rules);
    Health::new(severity, state, rules)
}

/// The health when a compaction begins, in a turn of which `stages` stages were applied.
#[must_use]
pub fn begins(stages: u32, rules: &EscalationRules) -> Health {
    let (severity, _) = graded(stages, false, rules);
    Health::new(severity, HealthState::Compacting, rules)
}

/// The health of a session that has to stop.
#[must_use]
pub fn stopped(rules: &EscalationRules) -> Health {
    Health::new(Severity::Critical, HealthState::LikelyLossy, rules)
}

fn graded(stages: u32, fragile: bool, rules: &EscalationRules) -> (Severity, HealthState) {
    let warned = stages >= rules.warning;
    match (warned, fragile) {
        _ if stages >= rules.critical => (Severity::Critical, HealthState::LikelyLossy),
        (true, true) => (Severity::Critical, HealthState::LikelyLossy),
        (true, false) | (false, true) => (Severity::Warning, HealthState::Fragile),
        (false, false) => (Severity::Info, HealthState::Stable),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::HealthState::{Compacting, Fragile, LikelyLossy, Stable};
    use super::Severity::{Critical, Info, Warning};
    use super::*;

    fn rules() -> EscalationRules {
        let guidance = json!({"info": "Go on.", "warning": "Soon.", "critical": "Now."});
        let given = json!({"escalation": {"guidance": guidance}});
        crate::rules::with_overrides(&given).unwrap().1.escalation
    }

    fn told(health: &Health) -> (Severity, HealthState, &str) {
        (health.severity, health.state, &health.guidance)
    }

    #[test]
    fn each_row_of_the_table() {
        let rules = rules();
        for (stages, firm, fragile) in [
            (0, (Info, Stable, "Go on."), (Warning, Fragile, "Soon.")),
            (1, (Info, Stable, "Go on."), (Warning, Fragile, "Soon.")),
            (
                2,
                (Warning, Fragile, "Soon."),
                (Critical, LikelyLossy, "Now."),
            ),
            (
                3,
                (Critical, LikelyLossy, "Now."),
                (Critical, LikelyLossy, "Now."),
            ),
            (
                9,
                (Critical, LikelyLossy, "Now."),
                (Critical, LikelyLossy, "Now."),
            ),
        ] {
            assert_eq!(told(&after(stages, false, &rules)), firm, "{stages}");
            assert_eq!(told(&after(stages, true, &rules)), fragile, "{stages}");
            let begins = begins(stages, &rules);
            assert_eq!(told(&begins), (firm.0, Compacting, firm.2), "{stages}");
        }
        assert_eq!(told(&stopped(&rules)), (Critical, LikelyLossy, "Now."));
    }

    #[test]
    fn fragile_is_a_fifth_over_the_limit() {
        let rules = rules();
        for (tokens, fragile) in [
            (0, false),
            (400, false),
            (460, false),
            (479, false),
            (480, true),
            (560, true),
        ] {
            assert_eq!(is_fragile(tokens, 0, 400, &rules), fragile, "{tokens}");
            assert_eq!(is_fragile(tokens, 400, 500, &rules), fragile, "{tokens}");
            assert!(!is_fragile(tokens, 0, 0, &rules));
        }
        assert!(is_fragile(u32::MAX, 1, u32::MAX, &rules));
        let any = EscalationRules {
            fragile_percent: 0,
            ..rules
        };
        assert!(!is_fragile(400, 400, 500, &any));
        assert!(is_fragile(401, 400, 500, &any));
    }
}
