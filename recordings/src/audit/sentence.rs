//! Causes in words, for people.

use super::Cause;

/// What changed, in a few words.
pub(crate) fn sentence(cause: Cause) -> &'static str {
    match cause {
        Cause::None => "the same prompt",
        Cause::Append => "only appended to",
        Cause::Rewind => "messages were taken back",
        Cause::Dialect => "the request is for another API",
        Cause::Model => "another model",
        Cause::ToolOrder => "the tools stand in another order",
        Cause::ToolAdded => "a tool was added",
        Cause::ToolRemoved => "a tool was removed",
        Cause::ToolChanged => "a tool's definition changed",
        Cause::SystemAdded => "a system prompt was added",
        Cause::SystemRemoved => "the system prompt was removed",
        Cause::KeyOrder => "the same JSON with its keys in another order",
        Cause::NumberSpelling => "the same JSON with a number spelled in another way",
        Cause::JsonFormat => "the same JSON with other white space or escapes",
        Cause::Date => "a date or a time changed",
        Cause::Identifier => "an id or a random name in a text changed",
        Cause::FilePath => "a file's path changed",
        Cause::WhiteSpace => "only white space changed",
        Cause::TextChanged => "a text changed",
        Cause::ContentShape => {
            "the same text in another shape: a string or blocks, or other blocks"
        }
        Cause::ResultShortened => "a tool's result was shortened",
        Cause::ResultReplaced => "another text stands in place of a tool's result",
        Cause::ResultChanged => "a tool's result was rewritten",
        Cause::ArgumentsChanged => "the arguments of a call changed",
        Cause::SlidingWindow => "the oldest messages were dropped",
        Cause::MessageRemoved => "messages were removed",
        Cause::MessageInserted => "messages were inserted",
        Cause::MessageOrder => "the messages stand in another order",
        Cause::Compaction => "fewer messages stand in place of several",
        Cause::OtherConversation => "nothing of the earlier conversation is there",
        Cause::Role => "a message's role changed",
        Cause::CallId => "the id of a call, a result or an item changed",
        Cause::ReasoningRemoved => "reasoning is no longer sent",
        Cause::ReasoningAdded => "reasoning is sent that was not sent before",
        Cause::ReasoningChanged => "reasoning, or its signature, changed",
        Cause::MediaRemoved => "an image or a file is no longer sent",
        Cause::MediaAdded => "an image or a file was added",
        Cause::MediaReplaced => "an image or a file is another, or spelled in another way",
        Cause::BlockAdded => "a block or a call was added",
        Cause::BlockRemoved => "a block or a call was removed",
        Cause::BlockOrder => "the blocks or calls stand in another order",
        Cause::FieldChanged => "a field changed",
    }
}
