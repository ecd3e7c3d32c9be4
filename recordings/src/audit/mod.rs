//! Where two requests' prompts first differ, why, and how much had to be read again.
//!
//! A provider keeps what it has read of a prompt for as long as the next prompt begins the same. An
//! audit compares request bodies of any harness in the order in which their model reads them.
//! `docs/audit.md` describes the JSON, the causes, and what counts as the same.

mod alike;
mod answer;
mod body;
mod breakpoints;
mod cause;
mod change;
mod compare;
mod dialect;
mod embedded;
mod finding;
mod list;
mod measure;
mod overlap;
mod parameters;
mod piece;
mod prompt;
mod records;
mod result;
mod sentence;
mod sequence;
mod show;
mod text;
mod thinking;
mod tools;
mod volatile;
mod why;

pub use answer::{Audit, AuditError, Which};
pub use breakpoints::Breakpoints;
pub use cause::Cause;
pub use dialect::Dialect;
pub use finding::Part;
pub use list::{AuditList, CauseCount, ListTotal, RequestAudit, Skipped, audit_list};
pub use measure::Chars;
pub use parameters::Parameter;
pub use thinking::InvalidThinking;

use body::Body;

/// Compares two request bodies, each as the JSON that was sent.
///
/// ```
/// use waybread_recordings::audit::{Cause, audit};
///
/// let before = r#"{"model":"m","messages":[{"role":"system","content":"It is 2026-11-29."}]}"#;
/// let now = r#"{"model":"m","messages":[{"role":"system","content":"It is 2026-11-30."}]}"#;
/// let audit = audit(before, now)?;
/// assert_eq!(audit.cause, Cause::Date);
/// assert_eq!(audit.path.as_deref(), Some("messages[0].content"));
/// # Ok::<(), waybread_recordings::audit::AuditError>(())
/// ```
///
/// # Errors
///
/// One of them is no JSON, or no request body in one of the three dialects.
pub fn audit(previous: &str, next: &str) -> Result<Audit, AuditError> {
    let read = |which, text| Body::read(text).map_err(|message| AuditError::of(which, message));
    let previous = read(Which::Previous, previous)?;
    let next = read(Which::Next, next)?;
    Ok(Audit::of(&previous, &next))
}

/// [`audit()`] as JSON.
///
/// # Errors
///
/// As [`audit()`].
pub fn audit_json(previous: &str, next: &str) -> Result<String, AuditError> {
    json(&audit(previous, next)?)
}

/// [`audit_list()`] as JSON.
///
/// # Errors
///
/// As [`audit_list()`].
pub fn audit_list_json(content: &str) -> Result<String, AuditError> {
    json(&audit_list(content)?)
}

/// What [`audit_json()`] or [`audit_list_json()`] answered, as text for people.
///
/// # Errors
///
/// `answer` is neither.
pub fn describe(answer: &str) -> Result<String, String> {
    let value = serde_json::from_str::<serde_json::Value>(answer);
    let list = value.is_ok_and(|value| value.get("audits").is_some());
    let described = if list {
        serde_json::from_str::<AuditList>(answer).map(|list| list.to_string())
    } else {
        serde_json::from_str::<Audit>(answer).map(|audit| audit.to_string())
    };
    described.map_err(|error| format!("not the answer of an audit (docs/audit.md): {error}"))
}

fn json(answer: &impl serde::Serialize) -> Result<String, AuditError> {
    serde_json::to_string(answer).map_err(|error| AuditError::of_list(error.to_string()))
}
