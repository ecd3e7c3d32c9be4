//! The steps of a compaction, and of the models that it is asked of.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use waybread::{
    Compaction, Error, FallbackDecision, FallbackModel, MainRequest, ModelRef, PendingSubagent,
    Session, Stage, SummaryResult, SummaryTarget,
};

use crate::step::parameters;
use crate::text::verbatim;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompactBegin {
    #[serde(default)]
    stage: StageName,
    main: Option<ModelFields>,
    parameters: Option<Value>,
    #[serde(default)]
    target: TargetFields,
    steering: Option<String>,
}

impl CompactBegin {
    /// As the library takes it.
    pub fn compaction(self) -> Compaction {
        let mut compaction = Compaction::new(parameters(self.parameters.as_ref()))
            .stage(match self.stage {
                StageName::Normal => Stage::Normal,
                StageName::Emergency => Stage::Emergency,
                StageName::Shorten => Stage::Shorten,
            })
            .target(self.target.build());
        compaction.main = self.main.map(ModelFields::build);
        compaction.steering = self.steering;
        compaction
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StageName {
    #[default]
    Normal,
    Emergency,
    Shorten,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelFields {
    provider: String,
    model: String,
}

impl ModelFields {
    fn build(self) -> ModelRef {
        ModelRef::new(self.provider, self.model)
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TargetFields {
    #[default]
    Main,
    Fallback(FallbackFields),
    Unresolved(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FallbackFields {
    provider: String,
    model: String,
    parameters: Option<Value>,
    #[serde(default)]
    window: u32,
    #[serde(default)]
    max_output: u32,
    #[serde(default)]
    reason: String,
}

impl TargetFields {
    fn build(self) -> SummaryTarget {
        match self {
            Self::Main => SummaryTarget::Main,
            Self::Unresolved(error) => SummaryTarget::Unresolved(error),
            Self::Fallback(fields) => {
                let model = ModelRef::new(fields.provider, fields.model);
                FallbackModel::new(model, parameters(fields.parameters.as_ref()))
                    .window(fields.window)
                    .max_output(fields.max_output)
                    .reason(fields.reason)
                    .into()
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CompactFinish {
    reply: Option<Value>,
    failed: Option<String>,
    cancelled: Option<bool>,
    #[serde(default)]
    state_retired: bool,
    #[serde(default)]
    pending_subagents: Vec<PendingFields>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PendingFields {
    id: String,
    kind: String,
    state: String,
}

impl CompactFinish {
    /// The one outcome.
    pub fn result(self) -> Result<SummaryResult, String> {
        let result = match (self.reply, self.failed, self.cancelled) {
            (Some(reply), None, None) => SummaryResult::reply(verbatim(&reply)),
            (None, Some(error), None) => SummaryResult::failed(error),
            (None, None, Some(true)) => SummaryResult::cancelled(),
            _ => {
                return Err(
                    "exactly one of `reply`, `failed` and `cancelled: true` is given".to_owned(),
                );
            }
        };
        let pending = self.pending_subagents.into_iter();
        let pending = pending.map(|of| PendingSubagent::new(of.id, of.kind, of.state));
        Ok(result
            .state_retired(self.state_retired)
            .pending_subagents(pending))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MainRequestAnswered {
    provider: String,
    model: String,
    #[serde(default)]
    cache_key: String,
    at: u64,
}

impl MainRequestAnswered {
    /// As the library takes it.
    pub fn request(self) -> MainRequest {
        let model = ModelRef::new(self.provider, self.model);
        MainRequest::new(model, Duration::from_millis(self.at)).cache_key(self.cache_key)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FallbackDue {
    provider: String,
    model: String,
    #[serde(default)]
    cache_key: String,
    after_ms: u64,
    now: u64,
}

impl FallbackDue {
    /// What the session says.
    pub fn ask(self, session: &mut Session) -> Result<FallbackDecision, Error> {
        let main = ModelRef::new(self.provider, self.model);
        let (after, now) = (
            Duration::from_millis(self.after_ms),
            Duration::from_millis(self.now),
        );
        session.fallback_due(&main, &self.cache_key, after, now)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationNumber {
    pub number: u32,
}
