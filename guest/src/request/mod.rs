//! Requests: what was sent stands, what is new follows (docs/requests.md).

mod anthropic;
mod body;
mod carrying;
mod changed;
mod chat;
mod difference;
mod head;
mod marks;
mod messages;
mod parameters;
mod responses;
mod view;
mod writer;

pub use body::{Body, ResultTexts, Rewrite};
pub use carrying::Carrying;
pub use difference::{Difference, DifferenceCause, RequestPart};
pub use head::Head;
pub use messages::block as part_block;
pub use parameters::Parameters;
pub use view::{Items, View};
