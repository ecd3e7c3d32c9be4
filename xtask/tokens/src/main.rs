//! `token-error report PATH…` prints how far the token estimate is from two real tokenizers;
//! `token-error fit PATH…` fits the weights and writes `conformance/tokens.json`. A path is a
//! recording, a text, or a folder of them. See `docs/tokens.md`.

mod counted;
mod files;
mod fit;
mod pieces;
mod report;
mod solve;
mod table;

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::counted::Tokenizers;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    let paths: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let pieces = pieces::of(&files::under(&paths)?)?;
    let tokenizers = Tokenizers::load()?;
    match task.as_str() {
        "report" => report::print(&pieces, &tokenizers),
        "fit" => fit::write(&pieces, &tokenizers),
        _ => bail!("no task `{task}`: must be `report` or `fit`, then paths"),
    }
}
