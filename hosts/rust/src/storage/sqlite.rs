//! Sessions in an SQLite file, in the schema that every Waybread host shares.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};

use super::{Storage, StorageError, StoredText};

const SCHEMA: &str = include_str!("sqlite.sql");
const SCHEMA_VERSION: i64 = 1;
/// How long a call waits for another writer.
const BUSY: Duration = Duration::from_secs(5);
/// SQLite's name of a database that is no file.
const MEMORY: &str = ":memory:";
/// How long between two tries where SQLite does not wait itself.
const PAUSE: Duration = Duration::from_millis(20);

/// Sessions in one SQLite file. Any number of sessions, processes and Waybread hosts may share it.
///
/// An append is one transaction, on the disk when the call returns: a crash or a kill loses at most
/// the call that was under way. Two writers on one session can't both win:
/// the slower one gets [`StorageError::Conflict`].
#[derive(Debug)]
pub struct SqliteStorage {
    connection: Connection,
    file: Option<OpenFile>,
}

impl SqliteStorage {
    /// Opens the file, or makes it, for its owner alone: results of tools can hold secrets.
    ///
    /// # Errors
    ///
    /// [`StorageError::Denied`] if the file may not be opened; [`StorageError::Other`] if it is no
    /// SQLite file, its folder is missing, or a newer version of the schema is in it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StorageError> {
        let path = path.as_ref();
        make(path);
        let connection = Connection::open(path).map_err(|error| failure(&error));
        let storage = connection.and_then(Self::with_connection);
        let mut storage = storage.map_err(|error| named(path, error))?;
        storage.file = OpenFile::at(path);
        Ok(storage)
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
            SCHEMA_VERSION => Ok(Self {
                connection,
                file: None,
            }),
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
        self.file.as_ref().map_or(Ok(()), OpenFile::must_stand)?;
        transaction.commit().map_err(|error| uncertain(&error))
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        let read =
            || {
                self.connection
                .prepare_cached(
                    "SELECT position, record FROM waybread_log WHERE session = ? AND position >= ? \
                     ORDER BY position",
                )?
                .query_map(params![session, start], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()
            };
        let rows: Vec<(i64, String)> = read().map_err(|error| failure(&error))?;
        let records = (i64::from(start)..)
            .zip(rows)
            .map(|(expected, (position, record))| {
                // Each append would be a conflict with a record that is not there.
                if position == expected {
                    return Ok(record);
                }
                Err(StorageError::Other(format!(
                    "the log of `{session}` lacks record {expected}: the database is damaged"
                )))
            });
        records.collect()
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
    // Every commit reaches the disk, also in WAL mode, and where that can't be had the folder does too.
    connection.pragma_update(None, "synchronous", "EXTRA")?;
    if version(connection)? == 0 {
        make_tables(connection)?;
    }
    if connection.is_readonly(rusqlite::MAIN_DB)? {
        return Ok(());
    }
    write_ahead(connection)
}

fn make_tables(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have made them since.
    if version(&transaction)? == 0 {
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    transaction.commit()
}

/// Readers and a writer don't wait for each other. SQLite itself would not wait for who opens the file at this moment.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let patience = Instant::now() + BUSY;
    let mode =
        || connection.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0));
    // A database in memory answers `memory`.
    while mode()? == "delete" {
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())) {
            Err(error) if is_busy(&error) && Instant::now() < patience => thread::sleep(PAUSE),
            other => return other,
        }
    }
    Ok(())
}

/// Makes a file that is not there. Where that fails, opening it tells why.
fn make(path: &Path) {
    if path.as_os_str() == MEMORY {
        return;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(path));
}

/// The file that was opened, to be told from another of its name.
#[derive(Debug)]
struct OpenFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl OpenFile {
    /// None for a database in memory, and where the system holds an open file fast.
    fn at(path: &Path) -> Option<Self> {
        let identity = identity(path)?;
        let path = path.to_owned();
        Some(Self { path, identity })
    }

    /// What is written to a file that was removed or replaced nobody finds again.
    fn must_stand(&self) -> Result<(), StorageError> {
        if identity(&self.path) == Some(self.identity) {
            return Ok(());
        }
        Err(StorageError::Other(format!(
            "{} was removed or replaced since it was opened: nothing was written; open it again",
            self.path.display()
        )))
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
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

fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// A commit that fails may be on the disk all the same, unless SQLite knows that it is not.
fn uncertain(error: &rusqlite::Error) -> StorageError {
    match failure(error) {
        StorageError::Other(words) if !is_busy(error) => StorageError::Uncertain(words),
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
