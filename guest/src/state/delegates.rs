//! The subagents of a session (docs/assembly.md, "Subagents").

/// A subagent. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct DelegateState {
    pub key: String,
    pub kind: String,
    pub state: String,
}

/// The subagents, in the order in which they were first delegated.
#[derive(Clone, Debug, Default)]
pub struct Delegates(Vec<DelegateState>);

/// What a subagent is when it is delegated.
const RUNNING: &str = "running";

impl Delegates {
    /// All of them.
    pub fn all(&self) -> &[DelegateState] {
        &self.0
    }

    /// One by the key of its session.
    pub fn get(&self, key: &str) -> Option<&DelegateState> {
        self.0.iter().find(|delegate| delegate.key == key)
    }

    /// The how manieth one is, from 1, or would be.
    pub fn ordinal_of(&self, key: &str) -> u32 {
        let known = self.0.iter().position(|delegate| delegate.key == key);
        let before = known.unwrap_or(self.0.len());
        u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// The key of the one with that ordinal.
    pub fn key_of(&self, ordinal: u32) -> Option<&str> {
        let at = usize::try_from(ordinal).ok()?.checked_sub(1)?;
        self.0.get(at).map(|delegate| delegate.key.as_str())
    }

    pub(super) fn add(&mut self, key: String, kind: String) {
        let state = RUNNING.to_owned();
        match self.0.iter_mut().find(|delegate| delegate.key == key) {
            Some(known) => (known.kind, known.state) = (kind, state),
            None => self.0.push(DelegateState { key, kind, state }),
        }
    }

    pub(super) fn progress(&mut self, key: &str, state: String) -> Result<(), String> {
        let delegate = self.0.iter_mut().find(|delegate| delegate.key == key);
        let delegate =
            delegate.ok_or_else(|| format!("tells of `{key}`, which was not delegated"))?;
        delegate.state = state;
        Ok(())
    }

    /// Its result was given.
    pub(super) fn answered(&mut self, key: &str) {
        if let Some(delegate) = self.0.iter_mut().find(|delegate| delegate.key == key) {
            delegate.state.clear();
        }
    }
}
