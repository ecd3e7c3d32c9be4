//! What fits a model's window (docs/compaction.md, "Limits").

use serde_json::{Map, Value};

use crate::record::Stage;
use crate::rules::{BudgetRules, CompactionRules, Rules, SummaryLimit};

/// The parameters that limit a reply's tokens, in the order in which they count.
pub const MOST_TOKENS: [&str; 3] = ["max_tokens", "max_completion_tokens", "max_output_tokens"];

/// A model's window and the most tokens that it writes; 0 is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub window: u32,
    pub max_output: u32,
}

/// How a prompt stands to a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fit {
    pub margin: u32,
    pub hard_limit: u32,
    pub reserve: u32,
    pub fits: bool,
}

impl Limits {
    /// Those of a model by its name; empty for none.
    pub fn of(model: &str, rules: &BudgetRules) -> Self {
        if let Some((window, max_output)) = rules.models.find(model) {
            return Self { window, max_output };
        }
        if rules.window == 0 && rules.max_output == 0 {
            return Self {
                window: rules.fallback_window,
                max_output: rules.fallback_output,
            };
        }
        Self {
            window: rules.window,
            max_output: rules.max_output,
        }
    }

    /// What the estimate may miss.
    pub fn margin(self, rules: &BudgetRules) -> u32 {
        if self.window == 0 {
            return 0;
        }
        share(self.window, rules.margin_percent)
            .max(rules.margin_least)
            .min(rules.margin_most)
    }

    /// From how many tokens on a compaction is due.
    pub fn soft_limit(self, rules: &CompactionRules) -> u32 {
        match (self.window, rules.threshold_tokens) {
            (0, _) => 0,
            (window, 0) => share_up(window, rules.threshold_percent),
            (_, threshold) => threshold,
        }
    }

    /// How a request stands to the window. `explicit` is the most tokens that its caller lets the reply
    /// have, if it says so.
    pub fn fit(self, prompt: u32, explicit: Option<u32>, rules: &BudgetRules) -> Fit {
        if self.window == 0 {
            return Fit {
                fits: true,
                ..Fit::default()
            };
        }
        let margin = self.margin(rules);
        let reserve = match explicit {
            Some(explicit) if self.max_output == 0 || explicit < self.max_output => explicit,
            Some(_) => self.max_output,
            None => {
                let left = self.window.saturating_sub(prompt).saturating_sub(margin);
                let floor = self.max_output.min(rules.default_output);
                self.max_output.min(left).max(floor)
            }
        };
        Fit {
            margin,
            hard_limit: self.window.saturating_sub(margin),
            reserve,
            fits: fits(prompt, reserve, margin, self.window),
        }
    }

    /// Whether a request for a summary fits that lets the model write some tokens.
    pub fn fits_summary(self, prompt: u32, most: u32, rules: &BudgetRules) -> bool {
        self.window == 0 || fits(prompt, most, self.margin(rules), self.window)
    }

    /// The most tokens that a model may write for a summary with its limit, if it may think some of them.
    pub fn written(self, limit: u32, thinking: u32) -> u32 {
        let most = limit.saturating_add(thinking);
        // A budget that leaves nothing to be written is the caller's to explain.
        if self.max_output > thinking {
            most.min(self.max_output)
        } else {
            most
        }
    }

    /// The most tokens that a summary may have; 0 for no limit.
    pub fn summary_limit(self, stage: Stage, rules: &Rules) -> u32 {
        let SummaryLimit {
            percent,
            least,
            most,
        } = match stage {
            Stage::Normal => &rules.compaction.normal,
            Stage::Emergency | Stage::Shorten => &rules.compaction.emergency,
        };
        let limit = match self.window {
            0 => rules.compaction.summary_max,
            window => share(window, *percent).max(*least).min(*most),
        };
        match (limit, self.max_output) {
            (0, most) => most,
            (limit, 0) => limit,
            (limit, most) => limit.min(most),
        }
    }
}

/// The most tokens that a request's caller lets the reply have, if it says so.
pub fn explicit(rules: &BudgetRules, parameters: &Map<String, Value>) -> Option<u32> {
    let own = (rules.max_tokens > 0).then_some(rules.max_tokens);
    let set = || {
        let known = |name: &&str| {
            let mut entries = rules.parameters.iter();
            let entry = entries.find(|(key, value)| key == *name && *value > 0);
            entry.map(|(_, value)| *value)
        };
        MOST_TOKENS.iter().find_map(known)
    };
    own.or_else(|| given(parameters)).or_else(set)
}

/// The most tokens that a request's own parameters let the reply have.
pub fn given(parameters: &Map<String, Value>) -> Option<u32> {
    let mut names = MOST_TOKENS.iter();
    names.find_map(|name| positive(parameters.get(*name)?))
}

fn positive(value: &Value) -> Option<u32> {
    let number = value.as_u64().filter(|number| *number > 0)?;
    Some(u32::try_from(number).unwrap_or(u32::MAX))
}

fn fits(prompt: u32, reserve: u32, margin: u32, window: u32) -> bool {
    u64::from(prompt) + u64::from(reserve) + u64::from(margin) <= u64::from(window)
}

/// A share in percent, rounded down.
pub fn share(whole: u32, percent: u32) -> u32 {
    let share = u64::from(whole) * u64::from(percent) / 100;
    u32::try_from(share).unwrap_or(u32::MAX)
}

/// A share in percent, rounded up.
pub fn share_up(whole: u32, percent: u32) -> u32 {
    let share = (u64::from(whole) * u64::from(percent)).div_ceil(100);
    u32::try_from(share).unwrap_or(u32::MAX)
}
