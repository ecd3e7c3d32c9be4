//! What fills a session's window, for people: as JSON, a table and a page (`docs/context.md`).
//!
//! ```
//! use waybread::context::{context_table, report};
//! use waybread::{Dialect, MemoryStorage, MemoryTree, Session, Settings, UserMessage};
//!
//! let settings = Settings::agent("/work/app").dialect(Dialect::OpenaiChat);
//! let mut session = Session::open("chat-7", settings, MemoryStorage::new(), MemoryTree::new())?;
//! session.add_message(UserMessage::person("Where is the parser?"))?;
//!
//! let report = report(&mut session, r#"{"model":"some-model"}"#)?;
//! assert_eq!(report.parts.iter().map(|part| part.bytes).sum::<u64>(), report.bytes);
//! println!("{}", context_table(&report));
//! # Ok::<(), waybread::Error>(())
//! ```

pub use waybread_recordings::{
    BigResult, ContextKind, ContextPart, ContextPressure, ContextReport, context_page,
    context_table,
};

use crate::aside::Aside;
use crate::error::{Cause, Error};
use crate::filesystem::MemoryTree;
use crate::session::Session;
use crate::settings::{Dialect, Kind, Settings};
use crate::storage::Storage;
use crate::{Pressure, report as told};

/// A root for sessions of which only what is stored is looked at: it has no files.
const NOWHERE: &str = "/";

/// What the next request of a session would hold, with the session's key. `parameters` as
/// [`Session::context_report`] takes them.
///
/// # Errors
///
/// As [`Session::context_report`].
pub fn report(session: &mut Session, parameters: &str) -> Result<ContextReport, Error> {
    let found = session.context_report(parameters)?;
    Ok(ContextReport {
        session: session.key().to_owned(),
        bytes: found.bytes.into(),
        pressure: pressure(found.pressure),
        parts: found.parts.into_iter().map(part).collect(),
        biggest: found.biggest.into_iter().map(big_result).collect(),
    })
}

/// The same of a stored session of which only the key is known. Nothing is written to the storage.
///
/// # Errors
///
/// As [`report`] and [`Session::open`]; [`Cause::InvalidArgument`] for a key that no session has, and for
/// parameters with another model than the newest request's: the prompt would be made again, of what only
/// its harness knows.
pub fn report_on_stored(
    key: &str,
    storage: impl Storage + 'static,
    parameters: &str,
) -> Result<ContextReport, Error> {
    let mut session = look_at(key, storage)?;
    let report = report(&mut session, parameters)?;
    // With the newest request's own parameters nothing is made again.
    let as_made = self::report(&mut session, "")?;
    if prompt(&report).eq(prompt(&as_made)) {
        Ok(report)
    } else {
        Err(refused(
            "parameters",
            "name another model than the session's newest request, for which its harness would make the \
             prompt again; must name the same model",
        ))
    }
}

/// What stands of the prompt, in bytes: tokens differ from model to model.
fn prompt(report: &ContextReport) -> impl Iterator<Item = (ContextKind, &str, u64, u64)> {
    let parts = report.parts.iter();
    let of_prompt =
        parts.filter(|part| matches!(part.kind, ContextKind::System | ContextKind::Front));
    of_prompt.map(|part| (part.kind, part.name.as_str(), part.count, part.bytes))
}

/// Opens a stored session without a trace. What it began with it says itself, where it was given something
/// else.
fn look_at(key: &str, mut storage: impl Storage + 'static) -> Result<Session, Error> {
    let log = storage.read_log(key, 0).map_err(|error| {
        let message = format!("storage `read-log` failed: {error}");
        let operation = "read-log".to_owned();
        Error::new(Cause::Storage { operation, error }, message)
    })?;
    if log.is_empty() {
        return Err(refused("key", &format!("is `{key}`, which no session has")));
    }
    let aside = Aside::new(key, log, storage);
    let mut settings = Settings::agent(NOWHERE).dialect(Dialect::OpenaiChat);
    loop {
        let opened = Session::open(key, settings.clone(), aside.clone(), MemoryTree::new());
        let Err(error) = opened else { return opened };
        if !adopt(&mut settings, error.cause()) {
            return Err(error);
        }
    }
}

/// Takes what the session began with into the settings; false if that is not what the error was of.
fn adopt(settings: &mut Settings, cause: &Cause) -> bool {
    let Cause::SettingsDiffer { name, kept, .. } = cause else {
        return false;
    };
    let before = settings.clone();
    match name.as_str() {
        "kind" if kept == "chat" => settings.kind = Kind::Chat,
        "dialect" => settings.dialect = Dialect::named(kept),
        _ => {}
    }
    *settings != before
}

fn refused(argument: &str, problem: &str) -> Error {
    let message = format!("argument `{argument}` {problem}");
    let (argument, problem) = (argument.to_owned(), problem.to_owned());
    Error::new(Cause::InvalidArgument { argument, problem }, message)
}

fn pressure(pressure: Pressure) -> ContextPressure {
    ContextPressure {
        tokens: pressure.estimate.tokens.into(),
        strategy: pressure.estimate.strategy.name().to_owned(),
        confidence: pressure.estimate.confidence.name().to_owned(),
        window: pressure.window.into(),
        soft_limit: pressure.soft_limit.into(),
        hard_limit: pressure.hard_limit.into(),
        reserve: pressure.reserve.into(),
        margin: pressure.margin.into(),
        action: pressure.action.name().to_owned(),
        reason: pressure.reason,
    }
}

fn part(part: told::ContextPart) -> ContextPart {
    ContextPart {
        kind: kind(part.kind),
        name: part.name,
        count: part.count.into(),
        bytes: part.bytes.into(),
        tokens: part.tokens.into(),
    }
}

fn big_result(result: told::BigResult) -> BigResult {
    BigResult {
        id: result.id,
        tool: result.tool,
        bytes: result.bytes.into(),
        tokens: result.tokens.into(),
    }
}

fn kind(kind: told::ContextKind) -> ContextKind {
    use told::ContextKind as Told;
    match kind {
        Told::System => ContextKind::System,
        Told::Front => ContextKind::Front,
        Told::Tools => ContextKind::Tools,
        Told::Skills => ContextKind::Skills,
        Told::Summary => ContextKind::Summary,
        Told::Person => ContextKind::Person,
        Told::Machine => ContextKind::Machine,
        Told::Subagent => ContextKind::Subagent,
        Told::Notes => ContextKind::Notes,
        Told::Replies => ContextKind::Replies,
        Told::Reasoning => ContextKind::Reasoning,
        Told::Calls => ContextKind::Calls,
        Told::Results => ContextKind::Results,
        Told::Framing => ContextKind::Framing,
    }
}
