//! Where two requests' prompts first differ, why, and how much had to be read again: of any harness,
//! in OpenAI chat completions, Anthropic messages or OpenAI responses.
//!
//! `docs/audit.md` describes the JSON and the causes. The types are those of the crate
//! `waybread-recordings`.
//!
//! ```
//! use waybread::audit::{Cause, audit};
//!
//! let before = r#"{"model":"m","messages":[{"role":"user","content":"one"}]}"#;
//! let now = r#"{"model":"m","messages":[{"role":"user","content":"one"},{"role":"user","content":"two"}]}"#;
//! let found = audit(before, now)?;
//! assert_eq!((found.cause, found.broken), (Cause::Append, false));
//! # Ok::<(), waybread::audit::AuditError>(())
//! ```

pub use waybread_recordings::audit::{
    Audit, AuditError, AuditList, Breakpoints, Cause, CauseCount, Chars, Dialect, InvalidThinking,
    ListTotal, Parameter, Part, RequestAudit, Skipped, Which, audit, audit_json, audit_list,
    audit_list_json,
};
