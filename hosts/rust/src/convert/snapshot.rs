//! Snapshots, from the contract's and to them.

use crate::bindings::exports::waybread::context::context as wit;
use crate::snapshot::{Diagnosis, MessageHash, Snapshot};

/// The list that a snapshot borrows.
pub(crate) fn hashes(snapshot: &Snapshot) -> Vec<wit::MessageHashParam<'_>> {
    let messages = snapshot.messages.iter();
    let messages = messages.map(|message| wit::MessageHashParam {
        message: message.message,
        role: &message.role,
        hash: &message.hash,
    });
    messages.collect()
}

pub(crate) fn snapshot<'a>(
    snapshot: &Snapshot,
    messages: &'a [wit::MessageHashParam<'a>],
) -> wit::SnapshotParam<'a> {
    wit::SnapshotParam {
        request: snapshot.request,
        messages,
        prompt_bytes: snapshot.prompt_bytes,
        blocks_bytes: snapshot.blocks_bytes,
        tools_bytes: snapshot.tools_bytes,
        max_tokens: snapshot.max_tokens,
    }
}

impl From<wit::SnapshotResult> for Snapshot {
    fn from(snapshot: wit::SnapshotResult) -> Self {
        let messages = snapshot.messages.into_iter();
        let hash = |message: wit::MessageHashResult| MessageHash {
            message: message.message,
            role: message.role,
            hash: message.hash,
        };
        Self {
            request: snapshot.request,
            messages: messages.map(hash).collect(),
            prompt_bytes: snapshot.prompt_bytes,
            blocks_bytes: snapshot.blocks_bytes,
            tools_bytes: snapshot.tools_bytes,
            max_tokens: snapshot.max_tokens,
        }
    }
}

impl From<wit::Diagnosis> for Diagnosis {
    fn from(diagnosis: wit::Diagnosis) -> Self {
        Self {
            predecessor_known: diagnosis.predecessor_known,
            shared: diagnosis.shared,
            earlier: diagnosis.earlier,
            differs_at: diagnosis.differs_at,
            prefix: diagnosis.prefix,
        }
    }
}
