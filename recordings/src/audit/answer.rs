//! What an audit answers.

use serde::{Deserialize, Serialize};

use super::Cause;
use super::body::Body;
use super::breakpoints::Breakpoints;
use super::compare::compare;
use super::dialect::Dialect;
use super::finding::Part;
use super::measure::Chars;
use super::parameters::{Parameter, changed};
use super::text::first_difference;
use super::thinking::InvalidThinking;

/// Where two requests first differ, why, and what that costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit {
    /// The dialect of the later body.
    pub dialect: Dialect,
    /// Whether the later prompt does not begin with the whole earlier one.
    pub broken: bool,
    /// Why it differs where it first does.
    pub cause: Cause,
    /// The part that the difference is in; none where there is none.
    pub part: Option<Part>,
    /// The place in the body's list of messages, from 0, where the part is a message.
    pub message: Option<u32>,
    /// The path in the body: of what is gone, in the earlier one, else in the later one.
    pub path: Option<String>,
    /// What changed, in words.
    pub what: String,
    /// What stood around the difference before.
    pub previous: Option<String>,
    /// What stands there now.
    pub next: Option<String>,
    /// The byte, from 0, at which the bodies first differ as they were sent; none where they are
    /// the same bytes. It need not be at `path`: the order of a body's keys does not matter.
    pub byte: Option<u64>,
    /// The prompts' characters.
    pub chars: Chars,
    /// The share of the later prompt that was read again, in percent with one decimal.
    pub again_percent: String,
    /// Parameters that changed and can drop a provider's cache although the prompt is the same.
    pub parameters: Vec<Parameter>,
    /// Breakpoints that moved; no difference to the model.
    pub cache_control: Breakpoints,
    /// Thinking that the difference makes invalid, for models that bind it to what stands before it.
    #[serde(default)]
    pub thinking: Option<InvalidThinking>,
}

impl Audit {
    pub(crate) fn of(previous: &Body<'_>, next: &Body<'_>) -> Self {
        let dialects = (previous.dialect(next), next.dialect(previous));
        let (finding, chars, thinking) =
            compare((&previous.value, dialects.0), (&next.value, dialects.1));
        // Another API's fields are other ones.
        let (parameters, cache_control) = if dialects.0 == dialects.1 {
            (
                changed(&previous.value, &next.value, dialects.1),
                Breakpoints::moved(&previous.value, &next.value),
            )
        } else {
            Default::default()
        };
        Self {
            dialect: dialects.1,
            broken: finding.cause.breaks(),
            cause: finding.cause,
            part: finding.part,
            message: finding.message,
            path: finding.path,
            what: finding.what,
            previous: finding.previous,
            next: finding.next,
            byte: first_difference(previous.text, next.text).map(|byte| byte as u64),
            again_percent: chars.again_percent(),
            chars,
            parameters,
            cache_control,
            thinking,
        }
    }
}

/// One of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Which {
    /// The earlier one.
    Previous,
    /// The later one.
    Next,
}

/// Something that can't be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditError {
    /// The body at fault; none where it is a list.
    pub body: Option<Which>,
    /// What was wrong and what would be right.
    pub message: String,
}

impl AuditError {
    pub(crate) fn of(body: Which, message: String) -> Self {
        Self {
            body: Some(body),
            message,
        }
    }

    pub(crate) fn of_list(message: String) -> Self {
        Self {
            body: None,
            message,
        }
    }
}

impl std::fmt::Display for AuditError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.body {
            Some(Which::Previous) => write!(formatter, "the earlier body: {}", self.message),
            Some(Which::Next) => write!(formatter, "the later body: {}", self.message),
            None => formatter.write_str(&self.message),
        }
    }
}

impl std::error::Error for AuditError {}
