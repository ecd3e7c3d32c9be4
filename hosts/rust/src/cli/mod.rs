//! What the command is told, does and ends with.

mod audit;
mod context;
mod progress;

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, value_parser};
use waybread::replay::{FailedFile, Options, Report, replay, summary};

use progress::Bar;

/// Keeps an LLM session's context clean.
#[derive(Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Put recorded agent sessions through the rules, and report what that would have saved
    ///
    /// Each result of a tool in the recording is inserted into a session of its own. The report
    /// says, by session and in total, how many re-reads of unchanged files and repeated searches
    /// became stubs, how many results were capped, and what share of the characters that saves. And it
    /// builds every request of the recording, under Waybread and under four policies that people use,
    /// and says how much of them a server has to read again.
    ///
    /// Exit codes: 0 when everything was replayed, 1 when a file or a result could not be (the rest
    /// went on), 2 for wrong usage.
    Replay(Replay),
    /// Find where a request's prompt no longer begins as the one before it, and why
    ///
    /// A provider keeps what it has read of a prompt for as long as the next prompt begins the same.
    /// Request bodies of any harness are compared in the order in which their model reads them, in
    /// OpenAI chat completions, Anthropic messages or OpenAI responses.
    ///
    /// Exit codes: 0 when each prompt begins with the whole one before it, 1 when one does not, 2 for
    /// something that can't be compared and for wrong usage.
    Audit(audit::Audit),
    /// Show what fills the window of a stored session
    ///
    /// What the next request would hold, part by part, in bytes and estimated tokens, with the largest
    /// results. The session is not changed.
    ///
    /// Exit codes: 0 when it was told, 1 when it could not be, 2 for wrong usage.
    Context(context::Context),
}

#[derive(clap::Args)]
struct Replay {
    /// Recorded sessions; a folder is searched for .json, .jsonl, .ndjson and .traj files
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Write what the model would have been shown to this folder, a file a session
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep the sessions in this folder, for `waybread context`
    #[arg(long, value_name = "DIR")]
    sessions: Option<PathBuf>,
    /// Put plain shell reads (`cat F`, `sed -n 'A,Bp' F`, …) through the rules as reads
    #[arg(long)]
    shell_reads: bool,
    /// Hold the sessions to a window of N tokens, 4,000 to 10,000,000: they are compacted where the rules say so
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(4_000..=10_000_000))]
    window: Option<u32>,
    /// The preset that a window is filled by
    #[arg(long, value_name = "NAME", value_parser = ["context-hygiene", "steiner"], requires = "window")]
    preset: Option<String>,
    /// How many tokens a summary has that stands in for a model's [default: 800]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=3072), requires = "window")]
    summary_tokens: Option<u32>,
    /// Print neither a table nor progress: errors alone, and the JSON with --json
    #[arg(long)]
    quiet: bool,
}

/// Does what the command line says.
pub fn run() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Replay(arguments) => arguments.run(),
        Command::Audit(arguments) => arguments.run(),
        Command::Context(arguments) => arguments.run(),
    };
    match result {
        Ok(code) => code,
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

impl Replay {
    fn run(&self) -> io::Result<ExitCode> {
        let mut options = Options::default().shell_reads(self.shell_reads);
        options.out.clone_from(&self.out);
        options.sessions.clone_from(&self.sessions);
        options.window = self.window;
        options.preset.clone_from(&self.preset);
        options.summary_tokens = self.summary_tokens;
        let mut bar = Bar::new(self.quiet);
        let report = replay(&self.files, &options, &mut |progress| bar.show(&progress))?;
        drop(bar);
        report.failed_files.iter().for_each(complain_of);
        let complete = report.failed_files.is_empty() && report.total.errors == 0;
        self.print(&report)?;
        Ok(if complete {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }

    fn print(&self, report: &Report) -> io::Result<()> {
        let mut output = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut output, report)?;
            writeln!(output)?;
        } else if !self.quiet && !report.sessions.is_empty() {
            writeln!(output, "{}", summary(report, self.shell_reads))?;
        }
        output.flush()
    }
}

fn complain_of(failed: &FailedFile) {
    let line = failed
        .error
        .line
        .map(|line| format!(":{line}"))
        .unwrap_or_default();
    complain(&format!("{}{line}: {}", failed.file, failed.error.message));
}

fn complain(problem: &str) {
    // Nothing can be said where standard error is closed.
    let _ = writeln!(io::stderr(), "waybread: {problem}");
}
