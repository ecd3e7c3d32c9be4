//! How many tokens a request has, and whether they fit (docs/compaction.md).

pub mod calibration;
pub mod count;
mod data;
pub mod limits;
pub mod pressure;
pub mod tally;

pub use calibration::{Calibration, Confidence, Strategy, TokenEstimate};
pub use count::{Counter, ReplyTokens};
pub use limits::Limits;
pub use pressure::{Pressure, PressureAction};
pub use tally::{Sending, Tally};
