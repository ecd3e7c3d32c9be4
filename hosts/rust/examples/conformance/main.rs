//! Performs one conformance case file and writes the transcript to standard output, as
//! `conformance/README.md` describes both.
//!
//! ```text
//! cargo run --release -p waybread --example conformance -- conformance/cases/paths.json
//! ```

mod assembled;
mod assembly;
mod case;
mod compaction;
mod failing;
mod failure;
mod files;
mod message;
mod pressed;
mod reads;
mod result;
mod run;
mod settings;
mod step;
mod text;
mod transcript;

use std::io::{self, Write};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    match perform() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("conformance: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn perform() -> Result<(), String> {
    let mut arguments = env::args().skip(1);
    let (Some(path), None) = (arguments.next(), arguments.next()) else {
        return Err("give one case file".to_owned());
    };
    let json = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let file: case::CaseFile =
        serde_json::from_str(&json).map_err(|error| format!("{path}: {error}"))?;
    let mut output = io::stdout().lock();
    for case in &file.cases {
        let lines = run::case(case).map_err(|problem| format!("{path}: {problem}"))?;
        for line in lines {
            writeln!(output, "{line}").map_err(|error| format!("standard output: {error}"))?;
        }
    }
    output
        .flush()
        .map_err(|error| format!("standard output: {error}"))
}
