//! Why a prompt no longer begins as it did.

use serde::{Deserialize, Serialize};

/// Why two prompts differ where they first do. `docs/audit.md` has the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The prompts are the same.
    None,
    /// The later prompt begins with the whole earlier one.
    Append,
    /// The later prompt is the beginning of the earlier one, or leaves it at a message that was
    /// taken back: undone, edited, answered again.
    Rewind,
    /// The requests are for different APIs.
    Dialect,
    /// Another model.
    Model,
    /// The same tools in another order.
    ToolOrder,
    /// A tool that was not there, wherever it stands in the list.
    ToolAdded,
    /// A tool that is gone.
    ToolRemoved,
    /// A tool's description, schema or another field.
    ToolChanged,
    /// A system prompt where there was none.
    SystemAdded,
    /// No system prompt where there was one.
    SystemRemoved,
    /// The same JSON with its keys in another order.
    KeyOrder,
    /// The same JSON with a number spelled in another way: `1.0` and `1`, `1e3` and `1000`.
    NumberSpelling,
    /// The same JSON in a string, with other white space or escapes.
    JsonFormat,
    /// A date or a time.
    Date,
    /// A UUID, a session's id, a random name, a hash.
    Identifier,
    /// A file's path.
    FilePath,
    /// Nothing but white space.
    WhiteSpace,
    /// Any other change of a text.
    TextChanged,
    /// The same text as a string here and as a list of blocks there, or cut into other blocks.
    ContentShape,
    /// A tool's result of which a part was left out.
    ResultShortened,
    /// A tool's result in whose place another, shorter text stands.
    ResultReplaced,
    /// A tool's result that was changed in another way.
    ResultChanged,
    /// The arguments of a call.
    ArgumentsChanged,
    /// The oldest messages are gone.
    SlidingWindow,
    /// Messages from the middle are gone.
    MessageRemoved,
    /// Messages stand before others that were there.
    MessageInserted,
    /// The same messages in another order.
    MessageOrder,
    /// Fewer messages stand for several: a summary, a marker.
    Compaction,
    /// Nothing of the earlier conversation is there.
    OtherConversation,
    /// A message's role.
    Role,
    /// An id of a call, a result or an item.
    CallId,
    /// Reasoning that is no longer sent.
    ReasoningRemoved,
    /// Reasoning that was not sent before.
    ReasoningAdded,
    /// Reasoning with another text or signature.
    ReasoningChanged,
    /// An image, a file or a recording that is no longer sent.
    MediaRemoved,
    /// An image, a file or a recording that was not sent before.
    MediaAdded,
    /// Another image, file or recording.
    MediaReplaced,
    /// A block of a message, or a call, before others that were there.
    BlockAdded,
    /// A block of a message, or a call, that is gone.
    BlockRemoved,
    /// The same blocks of a message, or calls, in another order.
    BlockOrder,
    /// Any other field.
    FieldChanged,
}

impl Cause {
    /// The name, as the JSON has it.
    pub fn name(self) -> String {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::String(name)) => name,
            _ => String::new(),
        }
    }

    /// Whether something that a provider has read can't be used again.
    pub(crate) fn breaks(self) -> bool {
        !matches!(self, Self::None | Self::Append)
    }
}
