//! What a provider says that a request cost.

/// What a provider reported of one request, in tokens (§10.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// The whole prompt, what was cached of it included.
    pub input: u32,
    /// Of it, read from the cache. None: not reported.
    pub cached: Option<u32>,
    /// Of it, written to the cache. None: not reported.
    pub written: Option<u32>,
    /// The reply. None: not reported.
    pub output: Option<u32>,
}
