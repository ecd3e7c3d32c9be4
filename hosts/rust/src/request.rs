//! A request: its body, and what it says of itself.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::answer::Inserted;
use crate::pressure::Pressure;
use crate::usage::Usage;

/// The next request of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// From 1, counted in the session. [`Session::record_usage`](crate::Session::record_usage)
    /// takes it.
    pub number: u32,
    /// The whole body, to be sent as it is.
    pub body: Body,
    /// How many bytes of the previous body stand at the front of this one. 0 for the first request
    /// since the session was opened.
    pub keep: u32,
    /// SHA-256 of the whole body, 64 lowercase hex digits.
    pub sha256: String,
    /// How many bytes, from the first, equal those of the session's previous request. 0 for the
    /// session's first.
    pub shared: u32,
    /// None if everything that the previous request had up to its last message stands.
    pub difference: Option<Difference>,
    /// Results that calls got which were left open: they say that none came.
    pub closed: Vec<Inserted>,
    /// How full the model's window is with this request.
    pub pressure: Pressure,
}

impl Request {
    /// What is new in the body: what follows the `keep` bytes that stand.
    #[must_use]
    pub fn tail(&self) -> &str {
        self.body.get(self.keep as usize..).unwrap_or_default()
    }
}

/// A request's body: JSON, UTF-8.
///
/// The session keeps it, since the next request begins with the same bytes, and shares it with whoever
/// sends it: nothing is copied, and nothing is borrowed, so a request can go to another thread or task
/// and the session be used meanwhile. An HTTP client that takes bytes it owns takes this without a
/// copy (`bytes::Bytes::from_owner(request.body)`); one that borrows takes it as `&str` or `&[u8]`.
///
/// A body that is still held when the next request is built stays what it is: the session then copies
/// what stands of it. Dropped before, the session's own grows in place.
#[derive(Clone, PartialEq, Eq)]
pub struct Body(Arc<String>);

impl Body {
    pub(crate) fn new(body: Arc<String>) -> Self {
        Self(body)
    }

    /// The body as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Body {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Body {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Display for Body {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self)
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

impl From<Body> for String {
    /// Copies, unless nobody else holds the body.
    fn from(body: Body) -> Self {
        Arc::unwrap_or_clone(body.0)
    }
}

/// Where a request first differs from the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Difference {
    /// The part in which it stands.
    pub part: RequestPart,
    /// In `messages`: the number that the message had in this session.
    pub message: Option<u32>,
    /// Why.
    pub cause: DifferenceCause,
}

/// A part of a request, in the order in which a model reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RequestPart {
    /// The model's name.
    Model,
    /// The tools.
    Tools,
    /// The system prompt.
    System,
    /// The messages.
    Messages,
}

impl RequestPart {
    /// The name that the contract gives it: `messages`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Tools => "tools",
            Self::System => "system",
            Self::Messages => "messages",
        }
    }
}

impl fmt::Display for RequestPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Why a request differs from the previous one before the end of its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DifferenceCause {
    /// Another model: everything is read again, and the system prompt was made again.
    Model,
    /// A server's tools were added (§10.4).
    Tools,
    /// The system prompt was made again.
    System,
    /// A turn began, and the turn before no longer carries its reasoning (§8).
    TurnBoundaryReasoning,
    /// A turn began in a chat, and the turn before no longer carries its tool results (§2).
    EarlierResults,
    /// Messages were taken back.
    Rewind,
    /// A summary took the place of messages, and the system prompt was made again (§7).
    Compaction,
    /// Results that a request held are shown shorter: nothing else made room.
    Shortened,
    /// A breakpoint of the prompt cache moved, which is nothing that a model reads.
    CacheBreakpoint,
}

impl DifferenceCause {
    /// The name that the contract gives it: `turn-boundary-reasoning`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Tools => "tools",
            Self::System => "system",
            Self::TurnBoundaryReasoning => "turn-boundary-reasoning",
            Self::EarlierResults => "earlier-results",
            Self::Rewind => "rewind",
            Self::Compaction => "compaction",
            Self::Shortened => "shortened",
            Self::CacheBreakpoint => "cache-breakpoint",
        }
    }
}

impl fmt::Display for DifferenceCause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One request in a session's cache report (§10.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestReport {
    /// The request's number.
    pub number: u32,
    /// The body's length in bytes.
    pub length: u32,
    /// How many of them, from the first, equal those of the request before.
    pub shared: u32,
    /// Where it first differs from the one before, if before the end of that one's messages.
    pub difference: Option<Difference>,
    /// What the provider reported, if that was recorded.
    pub usage: Option<Usage>,
}
