//! A recorded list of requests, each compared with the one before it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::body::Body;
use super::records::records;
use super::{Audit, AuditError, Cause, Chars};

/// What came of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditList {
    /// Records in the list, those without a request included.
    pub records: u64,
    /// One for each request after the first.
    pub audits: Vec<RequestAudit>,
    /// Records that hold no request that can be compared.
    pub skipped: Vec<Skipped>,
    /// The audits' sum.
    pub total: ListTotal,
}

/// A request compared with the one before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestAudit {
    /// Its place in the list, from 0.
    pub request: u64,
    /// The place of the request that it is compared with.
    pub after: u64,
    /// What came of it.
    #[serde(flatten)]
    pub audit: Audit,
}

/// A record without a request that can be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its place in the list, from 0.
    pub request: u64,
    /// Why.
    pub message: String,
}

/// The sum of a list's audits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListTotal {
    /// Requests that were compared with the one before them.
    pub compared: u64,
    /// Those that are broken.
    pub broken: u64,
    /// Their causes, the one first for which most was read again.
    pub causes: Vec<CauseCount>,
    /// The sum of their characters.
    pub chars: Chars,
    /// The share that was read again, in percent with one decimal.
    pub again_percent: String,
}

/// How often a cause was found, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CauseCount {
    /// The cause.
    pub cause: Cause,
    /// How often.
    pub count: u64,
    /// Characters that were read again for it.
    pub again: u64,
}

/// Compares each request of a recorded list with the one before it.
///
/// `content` is a JSON list, an object with one (`requests`, `entries`, `log.entries`, …), or JSON
/// lines. A record is a body, or holds one as JSON or as a string (`request`, `body`,
/// `request.body`, `request.postData.text`, …). A record without one is skipped, and the rest goes
/// on.
///
/// # Errors
///
/// It is no JSON, or holds fewer than two requests.
pub fn audit_list(content: &str) -> Result<AuditList, AuditError> {
    let records = records(content).map_err(AuditError::of_list)?;
    let mut audits = Vec::new();
    let mut skipped = Vec::new();
    let mut before: Option<(u64, Body<'_>)> = None;
    for (record, request) in records.iter().zip(0..) {
        let body = record
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|text| Body::read(text));
        match (body, before.take()) {
            (Ok(body), last) => {
                if let Some((after, last)) = last {
                    let audit = Audit::of(&last, &body);
                    audits.push(RequestAudit {
                        request,
                        after,
                        audit,
                    });
                }
                before = Some((request, body));
            }
            (Err(message), last) => {
                skipped.push(Skipped { request, message });
                before = last;
            }
        }
    }
    if audits.is_empty() {
        return Err(too_few(records.len(), &skipped));
    }
    Ok(AuditList {
        records: records.len() as u64,
        total: ListTotal::of(&audits),
        audits,
        skipped,
    })
}

fn too_few(records: usize, skipped: &[Skipped]) -> AuditError {
    let found = match records - skipped.len() {
        0 => "no request".to_owned(),
        _ => "one request".to_owned(),
    };
    let why = skipped.first().map_or(String::new(), |skipped| {
        format!("; record {}: {}", skipped.request, skipped.message)
    });
    AuditError::of_list(format!(
        "{found} among {records} record{}, and it takes two to compare{why}",
        if records == 1 { "" } else { "s" }
    ))
}

impl ListTotal {
    fn of(audits: &[RequestAudit]) -> Self {
        let mut chars = Chars::default();
        let mut causes: BTreeMap<Cause, (u64, u64)> = BTreeMap::new();
        for RequestAudit { audit, .. } in audits {
            chars.add(&audit.chars);
            let (count, again) = causes.entry(audit.cause).or_default();
            *count += 1;
            *again += audit.chars.again;
        }
        let causes = causes.into_iter();
        let mut causes: Vec<CauseCount> = causes
            .map(|(cause, (count, again))| CauseCount {
                cause,
                count,
                again,
            })
            .collect();
        causes.sort_by_key(|cause| std::cmp::Reverse((cause.again, cause.count)));
        Self {
            compared: audits.len() as u64,
            broken: audits.iter().filter(|entry| entry.audit.broken).count() as u64,
            causes,
            again_percent: chars.again_percent(),
            chars,
        }
    }
}
