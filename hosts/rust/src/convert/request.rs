//! What requests say of themselves.

use crate::bindings::exports::waybread::context::context as wit;
use crate::request::{Difference, DifferenceCause, RequestPart, RequestReport};
use crate::usage::Usage;

impl From<wit::Difference> for Difference {
    fn from(difference: wit::Difference) -> Self {
        Self {
            part: match difference.part {
                wit::RequestPart::Model => RequestPart::Model,
                wit::RequestPart::Tools => RequestPart::Tools,
                wit::RequestPart::System => RequestPart::System,
                wit::RequestPart::Messages => RequestPart::Messages,
            },
            message: difference.message,
            cause: cause(difference.cause),
        }
    }
}

fn cause(cause: wit::DifferenceCause) -> DifferenceCause {
    match cause {
        wit::DifferenceCause::Model => DifferenceCause::Model,
        wit::DifferenceCause::Tools => DifferenceCause::Tools,
        wit::DifferenceCause::System => DifferenceCause::System,
        wit::DifferenceCause::TurnBoundaryReasoning => DifferenceCause::TurnBoundaryReasoning,
        wit::DifferenceCause::EarlierResults => DifferenceCause::EarlierResults,
        wit::DifferenceCause::Rewind => DifferenceCause::Rewind,
        wit::DifferenceCause::Compaction => DifferenceCause::Compaction,
        wit::DifferenceCause::Shortened => DifferenceCause::Shortened,
        wit::DifferenceCause::CacheBreakpoint => DifferenceCause::CacheBreakpoint,
    }
}

impl From<wit::RequestReport> for RequestReport {
    fn from(report: wit::RequestReport) -> Self {
        Self {
            number: report.number,
            length: report.length,
            shared: report.shared,
            difference: report.difference.map(Into::into),
            usage: report.usage.map(Into::into),
        }
    }
}

impl From<wit::Usage> for Usage {
    fn from(usage: wit::Usage) -> Self {
        Self {
            input: usage.input,
            cached: usage.cached,
            written: usage.written,
            output: usage.output,
        }
    }
}
