//! The command `waybread`: recorded agent sessions put through the context rules.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
