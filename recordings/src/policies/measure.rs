//! Waybread's own requests, counted as the other policies' are: from what `build-request` answered.

use serde::{Deserialize, Serialize};

use crate::WindowCounts;

use super::body::Body;
use super::costs::Costs;
use super::meter::Meter;
use super::{BuiltRequest, PromptCounts};

/// The requests of one context, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayedPrompt {
    /// As for any policy.
    pub counts: PromptCounts,
    /// Messages and requests that the session refused, and requests that are none.
    pub errors: u64,
    /// What came of the window; nothing without one.
    #[serde(default, skip_serializing_if = "WindowCounts::is_empty")]
    pub window: WindowCounts,
}

/// Counts the requests of one context, in the dialect `openai-chat`. The cost of one is its tail and
/// a glance at each message before.
pub fn measure(requests: &[BuiltRequest]) -> ReplayedPrompt {
    let mut measuring = Measuring::default();
    let taken = requests.iter().map(|request| measuring.take(request));
    let errors = taken.filter(Result::is_err).count() as u64;
    ReplayedPrompt {
        counts: measuring.meter.counts,
        errors,
        window: measuring.costs.counts,
    }
}

#[derive(Default)]
struct Measuring {
    body: Body,
    meter: Meter,
    costs: Costs,
}

impl Measuring {
    fn take(&mut self, request: &BuiltRequest) -> Result<(), String> {
        match request {
            BuiltRequest::Failed { error } => return Err(error.clone()),
            BuiltRequest::Stopped { stopped } => self.costs.stopped(stopped),
            BuiltRequest::Compaction { compaction } => {
                self.costs.compaction(compaction);
                if let Some(request) = &compaction.request {
                    // It stands beside the last request, which the next one goes on from.
                    let mut body = self.body.clone();
                    let texts = body.next(request.keep, &request.tail)?;
                    self.costs.summary(request, texts, body.prompt());
                }
            }
            BuiltRequest::Built {
                keep,
                tail,
                pressure,
            } => {
                let texts = self.body.next(*keep, tail)?;
                if let Some(pressure) = pressure {
                    self.costs.request(pressure, texts.clone());
                }
                self.meter.request(texts);
            }
        }
        Ok(())
    }
}
