//! A session: an instance of the component with the storage and the files it works on.

mod assembly;
mod compact;
mod compaction;
mod delegate;
mod history;
mod prefix;
mod report;
mod requests;
mod results;

pub use compact::CompactionRun;

use std::{fmt, mem};

use wasmtime::Store;
use wasmtime::component::ResourceAny;

use crate::bindings::Harness;
use crate::bindings::exports::waybread::context::context as wit;
use crate::body::LastBody;
use crate::convert;
use crate::engine::{self, Loaded};
use crate::error::{Cause, Error};
use crate::filesystem::FileSystem;
use crate::host::Host;
use crate::limits::Limits;
use crate::settings::Settings;
use crate::storage::Storage;

/// What a call into the component gives: a trap, the session's own error, or an answer.
type Called<T> = wasmtime::Result<Result<T, wit::SessionError>>;

/// One conversation: its messages, its results with their ids, and its requests.
///
/// Every call that changes the session appends to its storage before it answers, so a session can be
/// carried on after a crash, by any Waybread host. A call that fails changes nothing, unless its storage could not
/// tell ([`StorageError::Uncertain`](crate::StorageError::Uncertain)).
pub struct Session {
    key: String,
    settings: Settings,
    engine: &'static Loaded,
    store: Store<Host>,
    /// None after a trap, if the session could not be opened again at once.
    open: Option<Open>,
    /// Of the instance that is open: a new one knows of none.
    last_body: LastBody,
}

struct Open {
    component: Harness,
    session: ResourceAny,
}

impl Session {
    /// Begins the session `key`, or carries on one that any host began: numbering continues,
    /// answered calls stay answered.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for an empty key, a root that is not absolute, and a prompt or tools
    /// that no session accepts; [`Cause::InvalidSetting`]; [`Cause::SettingsDiffer`] when the session
    /// began with another kind, another dialect or other overrides; [`Cause::NewerRecord`], [`Cause::DamagedRecord`]; [`Cause::Conflict`],
    /// [`Cause::Storage`].
    pub fn open(
        key: impl Into<String>,
        settings: Settings,
        storage: impl Storage + 'static,
        filesystem: impl FileSystem + 'static,
    ) -> Result<Self, Error> {
        Self::open_with_limits(key, settings, storage, filesystem, Limits::default())
    }

    /// The same with limits on what the session may use.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); [`Cause::Trapped`] if the limits are too low to open it.
    pub fn open_with_limits(
        key: impl Into<String>,
        settings: Settings,
        storage: impl Storage + 'static,
        filesystem: impl FileSystem + 'static,
        limits: Limits,
    ) -> Result<Self, Error> {
        let host = Host::new(Box::new(storage), Box::new(filesystem), limits);
        Self::on_host(key.into(), settings, host)
    }

    fn on_host(key: String, settings: Settings, host: Host) -> Result<Self, Error> {
        let engine = engine::loaded().map_err(stopped)?;
        let store = engine.store(host);
        let mut session = Self {
            key,
            settings,
            engine,
            store,
            open: None,
            last_body: LastBody::default(),
        };
        session.opened()?;
        Ok(session)
    }

    /// Reads the session's log again: after a [`Cause::Conflict`], to carry on where the other writer
    /// stopped. If it fails, the next call tries again.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn reopen(&mut self) -> Result<(), Error> {
        self.leave();
        self.opened()
    }

    /// The session's key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Ends the session and gives back what it was opened with. What it stored stays. While a session
    /// that was [delegated](Self::delegate) is open, both are handles that share it.
    #[must_use]
    pub fn into_parts(self) -> (Box<dyn Storage>, Box<dyn FileSystem>) {
        self.store.into_data().into_parts()
    }

    /// Makes an instance and opens the session in it, unless there is one.
    fn opened(&mut self) -> Result<(), Error> {
        if self.open.is_none() {
            let component = self.engine.instantiate(&mut self.store);
            let component = component.map_err(|trap| self.trapped(&trap))?;
            let api = component.waybread_context_context().session();
            let called = convert::with_settings(&self.settings, |settings| {
                api.call_open(&mut self.store, &self.key, settings)
            });
            let session = match called {
                Ok(answer) => answer?,
                Err(trap) => return Err(self.trapped(&trap)),
            };
            self.open = Some(Open { component, session });
        }
        Ok(())
    }

    /// Calls a method of the session, which is opened before and, after a trap, again.
    fn call<T, U: From<T>>(
        &mut self,
        method: impl FnOnce(wit::GuestSession<'_>, &mut Store<Host>, ResourceAny) -> Called<T>,
    ) -> Result<U, Error> {
        self.opened()?;
        let Some(Open { component, session }) = &self.open else {
            return Err(stopped("the session is not open".to_owned()));
        };
        let api = component.waybread_context_context().session();
        match method(api, &mut self.store, *session) {
            Ok(answer) => {
                // An append that failed and yet was written: the instance would be behind its storage.
                if self.store.data_mut().take_uncertain() {
                    self.leave();
                }
                Ok(answer?.into())
            }
            Err(trap) => {
                let error = self.trapped(&trap);
                self.open_again();
                Err(error)
            }
        }
    }

    /// Leaves an instance whose answer cannot be.
    fn faulty(&mut self, problem: String) -> Error {
        self.leave();
        self.open_again();
        stopped(problem)
    }

    /// After a fault. If this fails too, the next call tries again and says why.
    fn open_again(&mut self) {
        drop(self.opened());
    }

    /// Leaves an instance that has trapped, which wasmtime lets nobody enter again.
    fn trapped(&mut self, trap: &wasmtime::Error) -> Error {
        let problem = match self.store.data_mut().take_refused_memory() {
            Some(bytes) => format!("it may not have the {bytes} bytes of memory that it needed"),
            None => format!("{trap:#}"),
        };
        self.leave();
        stopped(problem)
    }

    /// Moves what outlives an instance to a store of its own; the old one is freed with its memory.
    fn leave(&mut self) {
        self.open = None;
        self.last_body = LastBody::default();
        let host = mem::take(self.store.data_mut());
        self.store = self.engine.store(host);
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut session = formatter.debug_struct("Session");
        session
            .field("key", &self.key)
            .field("settings", &self.settings);
        session.finish_non_exhaustive()
    }
}

pub(crate) fn stopped(problem: String) -> Error {
    let message = format!("the component stopped: {problem}; what it had stored is not lost");
    Error::new(Cause::Trapped { problem }, message)
}
