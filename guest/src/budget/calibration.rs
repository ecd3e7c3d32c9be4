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
    samples: u32,
}

impl Calibration {
    /// A provider counted `input` tokens where `raw` were estimated.
    pub fn observe(&mut self, model: &str, input: u32, raw: u32, rules: &TokenRules) {
        let model = model.trim();
        if model.is_empty() || input == 0 || raw == 0 {
            return;
        }
        let known = self.0.entry(model.to_owned()).or_insert(Factor {
            factor: 1.0,
            samples: 0,
        });
        let ratio = f64::from(input) / f64::from(raw);
        known.factor += f64::from(rules.smoothing_percent) / 100.0 * (ratio - known.factor);
        known.samples = known.samples.saturating_add(1);
    }

    /// The tokens of an estimate, for a model by its name; empty for none.
    pub fn tokens(&self, model: &str, estimate: Estimate, rules: &TokenRules) -> TokenEstimate {
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
            tokens: corrected(raw, known.factor),
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
fn corrected(raw: u32, factor: f64) -> u32 {
    let tokens = (f64::from(raw) * factor).round() as u32;
    tokens.max(u32::from(raw > 0))
}
