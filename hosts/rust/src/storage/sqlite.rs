//! Sessions in an SQLite file, in the schema that every Waybread host shares.

use std::path::Path;
use std::time::Duration;

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};

use super::{Storage, StorageError, StoredText};

const SCHEMA: &str = include_str!("sqlite.sql");
const SCHEMA_VERSION: i64 = 1;
/// How long a call waits for another writer.
const BUSY: Duration = Duration::from_secs(5);

/// Sessions in one SQLite file. Any number of sessions, processes and Waybread hosts may share it.
///
/// An append is one transaction, on the disk when the call returns: a crash or a kill loses at most
/// the call that was under way. Two writers on one session can't both win:
/// the slower one gets [`StorageError::Conflict`].
#[derive(Debug)]
pub struct SqliteStorage {
    connection: Connection,
}

impl SqliteStorage {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    ///
    /// [`StorageError::Denied`] if the file may not be opened; [`StorageError::Other`] if it is no
    /// SQLite file, its folder is missing, or a newer version of the schema is in it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StorageError> {
        let path = path.as_ref();
        let connection = Connection::open(path).map_err(|error| failure(&error));
        connection
            .and_then(Self::with_connection)
            .map_err(|error| named(path, error))
    }

    /// Takes a connection that the caller opened, for a database with options of its own. The
    /// tables' names begin with `waybread_`; `PRAGMA user_version` is Waybread's.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn with_connection(mut connection: Connection) -> Result<Self, StorageError> {
        prepare(&mut connection).map_err(|error| failure(&error))?;
        Self::known(connection)
    }

    /// Opens the file to be read; appends are [`StorageError::Denied`].
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); [`StorageError::Other`] also if the file is not there or was never a
    /// storage.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, StorageError> {
        let path = path.as_ref();
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags);
        let connection = connection.and_then(|connection| {
            connection.busy_timeout(BUSY)?;
            Ok(connection)
        });
        let connection = connection.map_err(|error| failure(&error));
        connection
            .and_then(Self::known)
            .map_err(|error| named(path, error))
    }

    /// The keys of the sessions in it, in the order of their characters.
    ///
    /// # Errors
    ///
    /// Those of the medium.
    pub fn sessions(&self) -> Result<Vec<String>, StorageError> {
        let read = || {
            self.connection
                .prepare("SELECT DISTINCT session FROM waybread_log ORDER BY session")?
                .query_map([], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| failure(&error))
    }

    fn known(connection: Connection) -> Result<Self, StorageError> {
        match version(&connection).map_err(|error| failure(&error))? {
            SCHEMA_VERSION => Ok(Self { connection }),
            0 => Err(StorageError::Other(
                "no session was ever stored in it".to_owned(),
            )),
            other => Err(StorageError::Other(format!(
                "the database has version {other} of the schema, and this Waybread knows version \
                 {SCHEMA_VERSION}: use a newer one"
            ))),
        }
    }
}

impl Storage for SqliteStorage {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<StoredText>,
    ) -> Result<(), StorageError> {
        let sql = |error: rusqlite::Error| failure(&error);
        // Immediate: the length that is compared is still the length when the rows are written.
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(sql)?;
        let length = log_length(&transaction, session).map_err(sql)?;
        if length != expected_length {
            return Err(StorageError::Conflict(length));
        }
        write(&transaction, session, length, &records, &texts).map_err(sql)?;
        transaction.commit().map_err(sql)
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        let read = || {
            self.connection
                .prepare_cached(
                    "SELECT record FROM waybread_log WHERE session = ? AND position >= ? \
                     ORDER BY position",
                )?
                .query_map(params![session, start], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| failure(&error))
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError> {
        let read = || {
            self.connection
                .prepare_cached("SELECT text FROM waybread_text WHERE session = ? AND id = ?")?
                .query_row(params![session, id], |row| row.get(0))
                .optional()
        };
        read()
            .map_err(|error| failure(&error))?
            .ok_or(StorageError::NotFound)
    }
}

/// Sets the connection up, and makes the tables in a new database.
fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    // Every commit reaches the disk, also in WAL mode.
    connection.pragma_update(None, "synchronous", "FULL")?;
    if version(connection)? != 0 {
        return Ok(());
    }
    // Readers and a writer don't wait for each other. A database in memory answers `memory`.
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have made them since.
    if version(&transaction)? == 0 {
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    transaction.commit()
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn log_length(connection: &Connection, session: &str) -> rusqlite::Result<u32> {
    connection
        .prepare_cached(
            "SELECT coalesce(max(position) + 1, 0) FROM waybread_log WHERE session = ?",
        )?
        .query_row([session], |row| row.get(0))
}

fn write(
    transaction: &Transaction<'_>,
    session: &str,
    length: u32,
    records: &[String],
    texts: &[StoredText],
) -> rusqlite::Result<()> {
    let mut log = transaction
        .prepare_cached("INSERT INTO waybread_log (session, position, record) VALUES (?, ?, ?)")?;
    for (position, record) in (i64::from(length)..).zip(records) {
        log.execute(params![session, position, record])?;
    }
    let mut text = transaction
        .prepare_cached("INSERT INTO waybread_text (session, id, text) VALUES (?, ?, ?)")?;
    for stored in texts {
        text.execute(params![session, stored.id, stored.text])?;
    }
    Ok(())
}

/// An error of opening, with the file's name.
fn named(path: &Path, error: StorageError) -> StorageError {
    match error {
        StorageError::Other(words) => {
            StorageError::Other(format!("cannot open {}: {words}", path.display()))
        }
        known => known,
    }
}

fn failure(error: &rusqlite::Error) -> StorageError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StorageError::Full,
        Some(
            ErrorCode::ReadOnly
            | ErrorCode::PermissionDenied
            | ErrorCode::AuthorizationForStatementDenied,
        ) => StorageError::Denied,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StorageError::Other(format!(
            "another writer has held the database for over {} seconds",
            BUSY.as_secs()
        )),
        _ => StorageError::Other(error.to_string()),
    }
}
