//! Between the public types and the contract's. Nothing is decided here.

mod answer;
mod call;
mod compaction;
mod conversation;
mod error;
mod fallback;
mod pressure;
mod request;
mod settings;

pub(crate) use call::{call, with_outcome};
pub(crate) use compaction::{compaction, with_result};
pub(crate) use conversation::with_message;
pub(crate) use fallback::{main_request, model, moment, span};
pub(crate) use settings::{change, with_prompt, with_settings, with_tools};
