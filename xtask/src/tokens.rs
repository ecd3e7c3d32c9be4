//! How far the token estimate is from real tokenizers.

use anyhow::Result;

use crate::{replay, shell};

/// The tool is a crate of its own: it holds the tokenizers' vocabularies, which nothing else needs.
const REPORT: [&str; 7] = [
    "run",
    "--locked",
    "--release",
    "--package",
    "token-error",
    "--",
    "report",
];

/// Prints the errors on the bundled sessions, the texts beside the tool and `WAYBREAD_TRANSCRIPTS`.
pub fn report() -> Result<()> {
    let mut report = shell::cargo(&REPORT);
    report.args([replay::BUNDLED, "xtask/tokens/texts"]);
    if let Some(folder) = std::env::var_os(replay::MORE) {
        report.arg(std::path::absolute(folder)?);
    }
    shell::run(&mut report)
}
