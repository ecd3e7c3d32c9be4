//! `waybread context`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use waybread::SqliteStorage;
use waybread::context::{ContextReport, context_page, context_table, report_on_stored};
use waybread::replay::SESSIONS_FILE;

#[derive(clap::Args)]
pub struct Context {
    /// The session's key. Of a replayed one: the recording's name without its ending
    #[arg(value_name = "SESSION")]
    session: String,
    /// The folder that `waybread replay --sessions` wrote, or a harness's SQLite file
    #[arg(long, value_name = "PATH")]
    sessions: PathBuf,
    /// Parameters of the request as JSON, as the harness sends them [default: those of the newest request]
    #[arg(
        long,
        value_name = "JSON",
        default_value = "",
        hide_default_value = true
    )]
    parameters: String,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Write it as a page of its own, with a chart, to this file too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Context {
    pub fn run(&self) -> io::Result<ExitCode> {
        match self.report() {
            Ok(report) => self.tell(&report),
            Err(problem) => {
                super::complain(&problem);
                Ok(ExitCode::FAILURE)
            }
        }
    }

    fn report(&self) -> Result<ContextReport, String> {
        let file = in_folder(&self.sessions);
        if !file.is_file() {
            return Err(format!(
                "{}: no such file; name a file of sessions, or the folder that replay --sessions wrote",
                file.display()
            ));
        }
        let storage = SqliteStorage::open_read_only(&file).map_err(|error| error.to_string())?;
        let keys = storage.sessions().map_err(|error| error.to_string())?;
        if !keys.contains(&self.session) {
            return Err(self.unknown(&file, &keys));
        }
        let report = report_on_stored(&self.session, storage, &self.parameters);
        report.map_err(|error| format!("{}: session `{}`: {error}", file.display(), self.session))
    }

    fn unknown(&self, file: &Path, keys: &[String]) -> String {
        let known = match keys {
            [] => "holds no session".to_owned(),
            keys => {
                let shown: Vec<String> = keys.iter().map(|key| shown(key)).collect();
                format!("holds {}", shown.join(", "))
            }
        };
        let file = file.display();
        format!("{file}: {known}, and no session {}", shown(&self.session))
    }

    fn tell(&self, report: &ContextReport) -> io::Result<ExitCode> {
        if let Some(file) = &self.html {
            let written = fs::write(file, context_page(report));
            written.map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", file.display()))
            })?;
        }
        let mut output = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut output, report)?;
            writeln!(output)?;
        } else {
            writeln!(output, "{}", context_table(report))?;
        }
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}

fn in_folder(given: &Path) -> PathBuf {
    if given.is_dir() {
        given.join(SESSIONS_FILE)
    } else {
        given.to_owned()
    }
}

/// A key in quotes, without control characters of its own: a terminal obeys them.
fn shown(key: &str) -> String {
    let escaped = |character: char| match character.is_control() {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    };
    format!("`{}`", key.chars().map(escaped).collect::<String>())
}
