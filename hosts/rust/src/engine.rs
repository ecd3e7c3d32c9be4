//! The compiled component, loaded once for the process.

use std::sync::OnceLock;

use wasmtime::component::{Component, HasSelf, Linker};
use wasmtime::{Engine, Store};

use crate::bindings::{Harness, HarnessPre};
use crate::host::Host;

include!("engine_config.rs");

/// Compiled by the build script for what the target's processors have in common.
const COMPILED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/waybread.cwasm"));

/// The component with its imports resolved: what every session begins with.
pub(crate) struct Loaded {
    engine: Engine,
    component: HarnessPre<Host>,
}

/// Loads the component, the first time.
///
/// The error is a sentence: it happens only where this processor lacks what others of its architecture
/// have in common (`build.rs`).
pub(crate) fn loaded() -> Result<&'static Loaded, String> {
    static LOADED: OnceLock<Result<Loaded, String>> = OnceLock::new();
    LOADED
        .get_or_init(|| load().map_err(|error| format!("the component can't be loaded: {error:#}")))
        .as_ref()
        .map_err(Clone::clone)
}

fn load() -> wasmtime::Result<Loaded> {
    let engine = Engine::new(&engine_config())?;
    let component = deserialize(&engine)?;
    let mut linker = Linker::new(&engine);
    Harness::add_to_linker::<_, HasSelf<Host>>(&mut linker, |host| host)?;
    let component = HarnessPre::new(linker.instantiate_pre(&component)?)?;
    Ok(Loaded { engine, component })
}

#[allow(
    unsafe_code,
    reason = "wasmtime runs what it is given here; these bytes are its own compiler's, made by the \
              build script and embedded in the program, so nobody can have changed them since"
)]
fn deserialize(engine: &Engine) -> wasmtime::Result<Component> {
    unsafe { Component::deserialize(engine, COMPILED) }
}

impl Loaded {
    /// A store for one session.
    pub(crate) fn store(&self, host: Host) -> Store<Host> {
        let mut store = Store::new(&self.engine, host);
        store.limiter(Host::memory_limiter);
        // The component bounds what crosses (`context.max_bytes`), and says so; the engine would stop it.
        store.set_hostcall_fuel(usize::MAX);
        store
    }

    /// An instance of the component in that store.
    pub(crate) fn instantiate(&self, store: &mut Store<Host>) -> wasmtime::Result<Harness> {
        self.component.instantiate(store)
    }
}
