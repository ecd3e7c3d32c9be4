//! Between the public types and the contract's. Nothing is decided here.

mod answer;
mod call;
mod conversation;
mod error;
mod request;
mod settings;

pub(crate) use call::{call, with_outcome};
pub(crate) use conversation::with_message;
pub(crate) use settings::{change, with_prompt, with_settings, with_tools};
