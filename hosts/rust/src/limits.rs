//! How much a session may use.

/// How much a session may use of the machine.
///
/// ```
/// use waybread::Limits;
///
/// let limits = Limits::default().memory_bytes(64 << 20);
/// # assert_eq!(limits.memory_bytes, Some(67_108_864));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The memory of the session's component, in bytes. It holds the session's state and, during a
    /// call, the texts of that call. None: up to the 4 GiB that a component can have.
    pub memory_bytes: Option<usize>,
}

impl Limits {
    /// The same with a limit on memory. A call that would need more fails with
    /// [`Cause::Trapped`](crate::Cause::Trapped), and the session goes on.
    #[must_use]
    pub fn memory_bytes(mut self, bytes: usize) -> Self {
        self.memory_bytes = Some(bytes);
        self
    }
}
