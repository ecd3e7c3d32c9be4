//! From a file's text to a plan.

use serde_json::Value;

use crate::detect::{self, Format};
use crate::formats;
use crate::json::{first_value, repaired};
use crate::lines::read_lines;
use crate::model::Recording;
use crate::name::{Names, session_name};
use crate::planner;
use crate::salvage::salvage;
use crate::window::Window;
use crate::{ImportError, Options, Plan};

/// Counted where a document breaks off.
const LOST: &str = "the rest of a document that breaks off";

/// Reads one recording. `name` is the file's name without folders: it names the sessions.
/// `content` is the whole file.
///
/// # Errors
///
/// The file is empty, of no format that is read, broken from the start, or holds no result of a
/// tool; or an option is out of its range.
pub fn plan(name: &str, content: &str, options: &Options) -> Result<Plan, ImportError> {
    let window = Window::of(options)?;
    let recording = read(content.trim_start_matches('\u{feff}'))?;
    if recording
        .sessions
        .iter()
        .all(|session| session.about.results == 0)
    {
        return Err(ImportError::new(format!(
            "this {} recording holds no result of a tool call, so there is nothing to replay",
            recording.format
        )));
    }
    let mut names = Names::default();
    let sessions = recording.sessions.into_iter().map(|session| {
        let name = names.unique(session_name(name, session.name.as_deref()));
        planner::session(name, session, options.shell_reads, window.as_ref())
    });
    Ok(Plan {
        format: recording.format.to_owned(),
        sessions: sessions.collect(),
    })
}

fn read(content: &str) -> Result<Recording, ImportError> {
    if content.trim().is_empty() {
        return Err(ImportError::new("the file is empty"));
    }
    if let Some(message) = detect::unsupported(content) {
        return Err(ImportError::new(message));
    }
    match document(content) {
        Document::Whole(value) => read_document(value, content),
        Document::More(first) => read_as_lines(content).or_else(|error| cut_off(first, error)),
        Document::Broken(error) => read_as_lines(content).or_else(|unknown| {
            let first = salvage(content, &error).ok_or_else(|| better(&error, unknown))?;
            cut_off(first, broken_error(&error))
        }),
    }
}

enum Document {
    /// One JSON value and nothing else.
    Whole(Value),
    /// A JSON value, and more after it.
    More(Value),
    Broken(serde_json::Error),
}

fn document(content: &str) -> Document {
    match first_value(content) {
        Ok((value, end)) if content.get(end..).is_none_or(|rest| rest.trim().is_empty()) => {
            Document::Whole(value)
        }
        Ok((first, _)) => Document::More(first),
        Err(error) => match repaired(content).map(|sound| serde_json::from_str(&sound)) {
            Some(Ok(value)) => Document::Whole(value),
            _ => Document::Broken(error),
        },
    }
}

fn read_document(value: Value, content: &str) -> Result<Recording, ImportError> {
    match (detect::document(&value), detect::line(&value)) {
        (Some(format), _) => formats::read_document(format, value),
        (None, Some(format)) => formats::read_lines(format, content),
        (None, None) => Err(unknown()),
    }
}

/// The part of a document that can be had; `error` is what is wrong with the whole.
fn cut_off(value: Value, error: ImportError) -> Result<Recording, ImportError> {
    let Some(format) = detect::document(&value) else {
        return Err(error);
    };
    let mut recording = formats::read_document(format, value)?;
    if recording
        .sessions
        .iter()
        .all(|session| session.about.results == 0)
    {
        return Err(error);
    }
    if let Some(last) = recording.sessions.last_mut() {
        last.about.skip(LOST, error.line);
    }
    Ok(recording)
}

fn read_as_lines(content: &str) -> Result<Recording, ImportError> {
    let mut format: Option<Format> = None;
    let faults = read_lines(content, |_, value| {
        format = detect::line(&value);
        format.is_none()
    });
    let line = faults.first().and_then(|fault| fault.first_line);
    match format {
        Some(format) => formats::read_lines(format, content),
        None => Err(ImportError { line, ..unknown() }),
    }
}

/// Of two complaints about a file that is neither one JSON value nor known JSON lines: what goes on
/// past its first line is one value, and so is what has no line of JSON.
fn better(broken: &serde_json::Error, unknown: ImportError) -> ImportError {
    let several = broken.line() == 1 && unknown.line != Some(1);
    if several {
        unknown
    } else {
        broken_error(broken)
    }
}

fn broken_error(error: &serde_json::Error) -> ImportError {
    let line = u32::try_from(error.line()).ok().filter(|line| *line > 0);
    ImportError {
        line,
        message: format!("not JSON: {error}"),
    }
}

fn unknown() -> ImportError {
    ImportError::new(format!(
        "not a format that is read; these are: {}",
        detect::names()
    ))
}
