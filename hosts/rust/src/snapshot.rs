//! What a request held, and what two requests have in common (`docs/assembly.md`, "Snapshots").

use wasmtime::Store;

use crate::bindings::Harness;
use crate::convert;
use crate::engine;
use crate::error::Error;
use crate::host::Host;
use crate::session::stopped;

/// What the newest request held, for a diagnosis. It is a copy: what happens later does not reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The request's number.
    pub request: u32,
    /// Its messages, those that the prompt put in front first.
    pub messages: Vec<MessageHash>,
    /// Bytes of all messages' roles and contents.
    pub prompt_bytes: u32,
    /// Bytes of the prompt's blocks.
    pub blocks_bytes: u32,
    /// Bytes of the tools as they are encoded.
    pub tools_bytes: u32,
    /// The most tokens that the reply may have, if the request says so.
    pub max_tokens: Option<u32>,
}

/// A message's hash.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageHash {
    /// The message's number; none of one that the prompt put in front.
    pub message: Option<u32>,
    /// `system`, `user`, `assistant`, `tool`.
    pub role: String,
    /// The first four bytes of SHA-256, 8 lowercase hex digits; empty of an empty message.
    pub hash: String,
}

/// What two snapshots have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// Whether there is an earlier one: nothing shared and nothing to share are not the same.
    pub predecessor_known: bool,
    /// Messages that are equal from the first on.
    pub shared: u32,
    /// Messages of the earlier one.
    pub earlier: u32,
    /// The number of the later one's message at which they part; none if all of the earlier one stands.
    pub differs_at: Option<u32>,
    /// A hash of the part that is shared; empty for none.
    pub prefix: String,
}

impl Snapshot {
    /// Where two snapshots part, of one session or of two. Neither is changed.
    ///
    /// # Errors
    ///
    /// [`Cause::Trapped`](crate::Cause::Trapped).
    pub fn diagnose(earlier: Option<&Self>, later: &Self) -> Result<Diagnosis, Error> {
        let engine = engine::loaded().map_err(stopped)?;
        // The rule has no state: an instance with neither storage nor files answers and is gone.
        let mut store = engine.store(Host::default());
        let component = engine.instantiate(&mut store);
        let answer = component.and_then(|component| ask(&component, &mut store, earlier, later));
        answer.map_err(|trap| stopped(format!("{trap:#}")))
    }
}

fn ask(
    component: &Harness,
    store: &mut Store<Host>,
    earlier: Option<&Snapshot>,
    later: &Snapshot,
) -> wasmtime::Result<Diagnosis> {
    let hashes = earlier.map(convert::hashes);
    let earlier = earlier.zip(hashes.as_deref());
    let earlier = earlier.map(|(snapshot, hashes)| convert::snapshot(snapshot, hashes));
    let hashes = convert::hashes(later);
    let later = convert::snapshot(later, &hashes);
    let api = component.waybread_context_context();
    Ok(api.call_diagnose(store, earlier, later)?.into())
}
