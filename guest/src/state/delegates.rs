//! The subagents of a session (docs/assembly.md, "Subagents", "Pending subagents").

use std::collections::BTreeSet;

use crate::record::Fact;

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
pub struct Delegates(Vec<Delegate>);

/// A subagent, and what tells that nothing is to come of it any more.
#[derive(Clone, Debug)]
struct Delegate {
    told: DelegateState,
    /// The newest message when it was delegated last.
    since: u32,
    /// The calls that were open then, one of which is its own, and have no result yet.
    calls: BTreeSet<String>,
}

/// What a subagent is when it is delegated.
const RUNNING: &str = "running";

impl Delegate {
    fn is_pending(&self) -> bool {
        !self.told.state.is_empty()
    }

    fn end(&mut self) {
        self.told.state.clear();
        self.calls.clear();
    }
}

impl Delegates {
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &DelegateState> {
        self.0.iter().map(|delegate| &delegate.told)
    }

    /// One by the key of its session.
    pub fn get(&self, key: &str) -> Option<&DelegateState> {
        self.all().find(|delegate| delegate.key == key)
    }

    /// The one of which a result is still to come, if there is no other.
    pub fn only_pending(&self) -> Option<&DelegateState> {
        let mut pending = self.0.iter().filter(|delegate| delegate.is_pending());
        let only = pending.next()?;
        pending.next().is_none().then_some(&only.told)
    }

    /// The how manieth one is, from 1, or would be.
    pub fn ordinal_of(&self, key: &str) -> u32 {
        let known = self.all().position(|delegate| delegate.key == key);
        let before = known.unwrap_or(self.0.len());
        u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// The key of the one with that ordinal.
    pub fn key_of(&self, ordinal: u32) -> Option<&str> {
        let at = usize::try_from(ordinal).ok()?.checked_sub(1)?;
        self.0.get(at).map(|delegate| delegate.told.key.as_str())
    }

    /// One is delegated, behind the message `since`, while some calls are open.
    pub(super) fn add(&mut self, key: String, kind: String, since: u32, calls: BTreeSet<String>) {
        let state = RUNNING.to_owned();
        let known = self.0.iter().position(|delegate| delegate.told.key == key);
        let told = DelegateState { key, kind, state };
        let delegate = Delegate { told, since, calls };
        match known.and_then(|at| self.0.get_mut(at)) {
            Some(known) => *known = delegate,
            None => self.0.push(delegate),
        }
    }

    fn find(&mut self, key: &str) -> Option<&mut Delegate> {
        self.0.iter_mut().find(|delegate| delegate.told.key == key)
    }

    /// How far one is. Of one that ended nothing is to come, whatever is told late.
    pub(super) fn progress(
        &mut self,
        key: &str,
        state: String,
        ended: &[String],
    ) -> Result<(), String> {
        let delegate = self.find(key);
        let delegate =
            delegate.ok_or_else(|| format!("tells of `{key}`, which was not delegated"))?;
        if ended.contains(&state) {
            delegate.end();
        } else if delegate.is_pending() {
            delegate.told.state = state;
        }
        Ok(())
    }

    /// A call has its result. A subagent ends with its own; and when each call that can be its own has failed or is
    /// another's.
    pub(super) fn result(&mut self, call: &str, fact: &Fact) {
        if let Fact::Delegated(answer) = fact
            && let Some(delegate) = self.find(&answer.key)
        {
            delegate.end();
        }
        let is_none_of_its = matches!(fact, Fact::Failed | Fact::Delegated(_));
        for delegate in &mut self.0 {
            if delegate.calls.remove(call) {
                if !is_none_of_its {
                    // Perhaps it says that the subagent goes on behind the call.
                    delegate.calls.clear();
                } else if delegate.calls.is_empty() {
                    delegate.end();
                }
            }
        }
    }

    /// A subagent says something in a message: it is the one that is still to come, if there is no other.
    pub(super) fn brought(&mut self) {
        if let Some(key) = self.only_pending().map(|only| only.key.clone())
            && let Some(delegate) = self.find(&key)
        {
            delegate.end();
        }
    }

    /// Messages are taken back, and with them what was delegated there.
    pub(super) fn take_back(&mut self, gone: &BTreeSet<u32>) {
        let taken = self.0.iter_mut();
        for delegate in taken.filter(|delegate| gone.contains(&delegate.since)) {
            delegate.end();
        }
    }
}
