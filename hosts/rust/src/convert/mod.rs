//! Between the public types and the contract's. Nothing is decided here.

mod answer;
mod assembly;
mod call;
mod compaction;
mod conversation;
mod delegation;
mod error;
mod fallback;
mod pressure;
mod report;
mod request;
mod settings;
mod snapshot;

pub(crate) use assembly::with_assembly;
pub(crate) use call::{call, with_outcome};
pub(crate) use compaction::{compaction, with_result};
pub(crate) use conversation::with_message;
pub(crate) use delegation::with_delegation;
pub(crate) use fallback::{main_request, model, moment, span};
pub(crate) use settings::{change, with_prompt, with_settings, with_tools};
pub(crate) use snapshot::{hashes, snapshot};
