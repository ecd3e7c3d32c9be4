//! What a request held, and what fills the window (`docs/assembly.md`).

use super::Session;
use crate::bindings::exports::waybread::context::context as wit;
#[cfg(doc)]
use crate::error::Cause;
use crate::error::Error;
use crate::report::ContextReport;
use crate::snapshot::Snapshot;

impl Session {
    /// What the newest request held (`docs/assembly.md`, "Snapshots").
    /// [`Snapshot::diagnose`] tells where two part.
    ///
    /// # Errors
    ///
    /// [`Cause::OutOfOrder`] without a request, or if messages of it were taken back or summarised
    /// since; [`Cause::Storage`].
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        let snapshot: wit::SnapshotResult =
            self.call(|api, store, session| api.call_snapshot(store, session))?;
        Ok(snapshot.into())
    }

    /// What the next request would hold, part by part (`docs/assembly.md`, "What fills the window").
    /// Nothing is built. `parameters` as [`build_request`](Self::build_request) takes them.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`]; [`Cause::OutOfOrder`] without a dialect or a message;
    /// [`Cause::Storage`].
    pub fn context_report(&mut self, parameters: &str) -> Result<ContextReport, Error> {
        let report: wit::ContextReport =
            self.call(|api, store, session| api.call_context_report(store, session, parameters))?;
        Ok(report.into())
    }
}
