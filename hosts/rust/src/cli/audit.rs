//! `waybread audit`.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use waybread::audit::{AuditError, Which, audit, audit_list};

/// Something that can't be compared, or wrong usage.
const TROUBLE: u8 = 2;

#[derive(clap::Args)]
pub struct Audit {
    /// Two request bodies, the earlier one first; or one recorded list of requests: a JSON list or
    /// JSON lines of bodies, or of records that hold one. `-` is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the audit as JSON
    #[arg(long)]
    json: bool,
}

impl Audit {
    pub fn run(&self) -> io::Result<ExitCode> {
        match self.compare() {
            Ok(answer) => {
                let mut output = io::stdout().lock();
                writeln!(output, "{}", answer.text)?;
                output.flush()?;
                Ok(ExitCode::from(u8::from(answer.broken)))
            }
            Err(problem) => {
                super::complain(&problem);
                Ok(ExitCode::from(TROUBLE))
            }
        }
    }

    fn compare(&self) -> Result<Answer, String> {
        match self.files.as_slice() {
            [list] => {
                let list =
                    audit_list(&content(list)?).map_err(|error| named(&error, list, list))?;
                self.answer(&list, list.total.broken > 0)
            }
            [previous, next] if is_input(previous) && is_input(next) => {
                Err("standard input can be only one of the bodies".to_owned())
            }
            [previous, next] => {
                let bodies = (content(previous)?, content(next)?);
                let found = audit(&bodies.0, &bodies.1);
                let found = found.map_err(|error| named(&error, previous, next))?;
                self.answer(&found, found.broken)
            }
            _ => Err("one list or two bodies are needed".to_owned()),
        }
    }

    fn answer<T>(&self, found: &T, broken: bool) -> Result<Answer, String>
    where
        T: serde::Serialize + std::fmt::Display,
    {
        let text = if self.json {
            serde_json::to_string(found).map_err(|error| error.to_string())?
        } else {
            found.to_string()
        };
        Ok(Answer { text, broken })
    }
}

struct Answer {
    text: String,
    broken: bool,
}

fn is_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn name(path: &Path) -> String {
    if is_input(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

fn content(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = if is_input(path) {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(path).map(|content| bytes = content)
    };
    read.map_err(|error| format!("{}: cannot be read: {}", name(path), reason(&error)))?;
    String::from_utf8(bytes).map_err(|_| format!("{}: is not UTF-8", name(path)))
}

/// The system's words without the number that only this system gives it.
fn reason(error: &io::Error) -> String {
    let words = error.to_string();
    words
        .split(" (os error")
        .next()
        .unwrap_or(&words)
        .to_owned()
}

fn named(error: &AuditError, previous: &Path, next: &Path) -> String {
    let file = if error.body == Some(Which::Next) {
        next
    } else {
        previous
    };
    format!("{}: {}", name(file), error.message)
}
