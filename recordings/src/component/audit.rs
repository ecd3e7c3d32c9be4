//! The interface `audit`.

use super::Component;
use super::exports::waybread::recordings::audit::{AuditError, Guest, Which};
use crate::audit;

impl Guest for Component {
    fn audit(previous: String, next: String) -> Result<String, AuditError> {
        audit::audit_json(&previous, &next).map_err(AuditError::from)
    }

    fn audit_list(content: String) -> Result<String, AuditError> {
        audit::audit_list_json(&content).map_err(AuditError::from)
    }

    fn describe(answer: String) -> Result<String, String> {
        audit::describe(&answer)
    }
}

impl From<audit::AuditError> for AuditError {
    fn from(error: audit::AuditError) -> Self {
        Self {
            body: error.body.map(|body| match body {
                audit::Which::Previous => Which::Previous,
                audit::Which::Next => Which::Next,
            }),
            message: error.message,
        }
    }
}
