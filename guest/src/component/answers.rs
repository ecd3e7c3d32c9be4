//! What the rules answer, as the contract says it.

use super::bindings::exports::waybread::context::context as exported;
use crate as rules;

impl From<rules::Inserted> for exported::Inserted {
    fn from(inserted: rules::Inserted) -> Self {
        Self {
            id: inserted.id,
            text: inserted.text,
            treatment: match inserted.treatment {
                rules::Treatment::Full => exported::Treatment::Full,
                rules::Treatment::Capped => exported::Treatment::Capped,
                rules::Treatment::UnchangedRead => exported::Treatment::UnchangedRead,
                rules::Treatment::SameResult => exported::Treatment::SameResult,
                rules::Treatment::Failed => exported::Treatment::Failed,
            },
            refers_to: inserted.refers_to,
            chars_in: inserted.chars_in,
            chars_out: inserted.chars_out,
        }
    }
}

impl From<rules::LastReadFile> for exported::LastRead {
    fn from(last: rules::LastReadFile) -> Self {
        Self {
            id: last.id,
            path: last.path,
            first_line: last.first_line,
            last_line: last.last_line,
            total_lines: last.total_lines,
            sha256: last.sha256,
        }
    }
}

impl From<rules::ToolCall> for exported::ToolCall {
    fn from(call: rules::ToolCall) -> Self {
        Self {
            id: call.id,
            name: call.name,
            arguments: call.arguments,
        }
    }
}

impl From<rules::Added> for exported::Added {
    fn from(added: rules::Added) -> Self {
        let call = |call: rules::ReplyCall| exported::ReplyCall {
            call: call.call.into(),
            refused: call.refused.map(Into::into),
        };
        Self {
            number: added.number,
            note: added.note,
            skills: added.skills.into_iter().map(Into::into).collect(),
            calls: added.calls.into_iter().map(call).collect(),
            closed: added.closed.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<rules::Request> for exported::Request {
    fn from(request: rules::Request) -> Self {
        Self {
            number: request.number,
            keep: request.keep,
            tail: request.tail,
            length: request.length,
            sha256: request.sha256,
            shared: request.shared,
            difference: request.difference.map(Into::into),
            closed: request.closed.into_iter().map(Into::into).collect(),
            pressure: request.pressure.into(),
        }
    }
}

impl From<rules::Difference> for exported::Difference {
    fn from(difference: rules::Difference) -> Self {
        use rules::DifferenceCause;
        Self {
            part: match difference.part {
                rules::RequestPart::Model => exported::RequestPart::Model,
                rules::RequestPart::Tools => exported::RequestPart::Tools,
                rules::RequestPart::System => exported::RequestPart::System,
                rules::RequestPart::Messages => exported::RequestPart::Messages,
            },
            message: difference.message,
            cause: match difference.cause {
                DifferenceCause::Model => exported::DifferenceCause::Model,
                DifferenceCause::Tools => exported::DifferenceCause::Tools,
                DifferenceCause::System => exported::DifferenceCause::System,
                DifferenceCause::TurnBoundaryReasoning => {
                    exported::DifferenceCause::TurnBoundaryReasoning
                }
                DifferenceCause::EarlierResults => exported::DifferenceCause::EarlierResults,
                DifferenceCause::Rewind => exported::DifferenceCause::Rewind,
                DifferenceCause::Compaction => exported::DifferenceCause::Compaction,
                DifferenceCause::Shortened => exported::DifferenceCause::Shortened,
                DifferenceCause::CacheBreakpoint => exported::DifferenceCause::CacheBreakpoint,
            },
        }
    }
}

impl From<rules::Usage> for exported::Usage {
    fn from(usage: rules::Usage) -> Self {
        Self {
            input: usage.input,
            cached: usage.cached,
            written: usage.written,
            output: usage.output,
        }
    }
}

impl From<rules::RequestReport> for exported::RequestReport {
    fn from(report: rules::RequestReport) -> Self {
        Self {
            number: report.number,
            length: report.length,
            shared: report.shared,
            difference: report.difference.map(Into::into),
            usage: report.usage.map(Into::into),
        }
    }
}

impl From<rules::StoredMessage> for exported::StoredMessage {
    fn from(message: rules::StoredMessage) -> Self {
        Self {
            number: message.number,
            speaker: match message.speaker {
                rules::Speaker::Person => exported::Speaker::Person,
                rules::Speaker::Machine => exported::Speaker::Machine,
                rules::Speaker::Subagent => exported::Speaker::Subagent,
                rules::Speaker::Model => exported::Speaker::Model,
                rules::Speaker::Summary => exported::Speaker::Summary,
            },
            starts_turn: message.starts_turn,
            text: message.text,
            given: message.given,
            note: message.note,
            incomplete: message.incomplete,
            results: message.results,
        }
    }
}
