//! What providers report corrects the estimate, for each model (docs/compaction.md, "Calibration").

use std::collections::BTreeMap;

use crate::rules::TokenRules;
use crate::tokens::Estimate;

/// What a number of tokens was counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The estimate alone.
    Weights,
    /// The estimate, corrected.
    ProviderUsage,
}

/// How far a number is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words say it")]
pub enum Confidence {
    Low,
    Medium,
    High,
}

/// How many tokens a request has. `wit/context.wit` explains each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct TokenEstimate {
    pub tokens: u32,
    pub raw: u32,
    pub strategy: Strategy,
    pub confidence: Confidence,
}

/// The factors of the models whose usage was reported.
#[derive(Clone, Debug, Default)]
pub struct Calibration(BTreeMap<String, Factor>);

#[derive(Clone, Copy, Debug)]
struct Factor {
    factor: f64,
    /// What a provider adds to every request, in tokens.
    hidden: f64,
    /// How many reports in a row the factor was learnt from.
    samples: u32,
}

impl Factor {
    const NONE: Self = Self {
        factor: 1.0,
        hidden: 0.0,
        samples: 0,
    };

    /// With one more report; none if it cannot be one of the whole request.
    fn learn(self, input: f64, raw: f64, rules: &TokenRules) -> Option<Self> {
        let (least, most) = (
            thousandths(rules.ratio_least),
            thousandths(rules.ratio_most),
        );
        if input / raw < least {
            return None;
        }
        let is_small = raw < f64::from(rules.ratio_from);
        let is_high = most > 0.0 && input / raw > most;
        let ratio = (input - self.hidden) / raw;
        if is_small || is_high || ratio < least {
            let hidden = (input - raw * self.factor).max(0.0);
            let is_possible = hidden <= f64::from(rules.hidden_most);
            return is_possible.then_some(Self { hidden, ..self });
        }
        let smoothing = f64::from(rules.smoothing_percent) / 100.0;
        Some(Self {
            factor: self.factor + smoothing * (ratio - self.factor),
            samples: self.samples.saturating_add(1),
            ..self
        })
    }
}

fn thousandths(setting: u32) -> f64 {
    f64::from(setting) / 1000.0
}

impl Calibration {
    /// A provider counted `input` tokens where `raw` were estimated.
    pub fn observe(&mut self, model: &str, input: u32, raw: u32, rules: &TokenRules) {
        let model = model.trim();
        if model.is_empty() || input == 0 || raw == 0 {
            return;
        }
        let known = self.0.get(model).copied();
        let learnt = known
            .unwrap_or(Factor::NONE)
            .learn(input.into(), raw.into(), rules);
        // A report that cannot be true says that the others are less sure.
        let doubted = known.map(|known| Factor {
            samples: 0,
            ..known
        });
        if let Some(factor) = learnt.or(doubted) {
            self.0.insert(model.to_owned(), factor);
        }
    }

    /// The tokens of a whole request, for a model by its name; empty for none.
    pub fn tokens(&self, model: &str, estimate: Estimate, rules: &TokenRules) -> TokenEstimate {
        self.corrected(model, estimate, rules, true)
    }

    /// The tokens of a part of a request, without what the provider adds to the whole.
    pub fn part(&self, model: &str, estimate: Estimate, rules: &TokenRules) -> u32 {
        self.corrected(model, estimate, rules, false).tokens
    }

    fn corrected(
        &self,
        model: &str,
        estimate: Estimate,
        rules: &TokenRules,
        whole: bool,
    ) -> TokenEstimate {
        let (entry, named) = rules.models.find(model);
        let raw = u32::try_from(entry.tokens(estimate)).unwrap_or(u32::MAX);
        let Some(known) = self.0.get(model.trim()) else {
            return TokenEstimate {
                tokens: raw,
                raw,
                strategy: Strategy::Weights,
                confidence: if named {
                    Confidence::Medium
                } else {
                    Confidence::Low
                },
            };
        };
        let sure = known.samples >= rules.confident_samples;
        TokenEstimate {
            tokens: corrected(raw, known.factor, if whole { known.hidden } else { 0.0 }),
            raw,
            strategy: Strategy::ProviderUsage,
            confidence: if sure {
                Confidence::High
            } else {
                Confidence::Medium
            },
        }
    }
}

/// Rounded half up; something stays something. A conversion of this kind stops at the largest number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the conversion saturates, and factors are not negative"
)]
fn corrected(raw: u32, factor: f64, hidden: f64) -> u32 {
    let tokens = (f64::from(raw) * factor + hidden).round() as u32;
    tokens.max(u32::from(raw > 0))
}
