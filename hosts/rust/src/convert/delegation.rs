//! Subagents.

use super::assembly::with_assembly;
use super::settings::{names, with_prompt};
use crate::bindings::exports::waybread::context::context as wit;
use crate::delegation::{DelegateState, Delegation};

/// A delegation, and the lists that it borrows.
pub(crate) fn with_delegation<T>(
    delegation: &Delegation,
    go: impl FnOnce(wit::Delegation<'_>) -> T,
) -> T {
    let only_tools = delegation.only_tools.as_deref().map(names);
    with_prompt(&delegation.prompt, |prompt| {
        with_assembly(&delegation.assembly, |assembly| {
            go(wit::Delegation {
                key: &delegation.key,
                kind: &delegation.kind,
                prompt,
                assembly,
                only_tools: only_tools.as_deref(),
            })
        })
    })
}

impl From<wit::DelegateState> for DelegateState {
    fn from(delegate: wit::DelegateState) -> Self {
        Self {
            key: delegate.key,
            kind: delegate.kind,
            state: delegate.state,
        }
    }
}
