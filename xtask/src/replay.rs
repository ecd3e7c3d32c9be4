//! The replay in the three hosts: the same report, the same texts and the same tables, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{hosts, shell};

/// More recordings to compare the hosts on: a folder, searched with all its folders.
pub const MORE: &str = "WAYBREAD_TRANSCRIPTS";

/// The recorded sessions that the repository holds.
pub const BUNDLED: &str = "recordings/tests/fixtures";

/// The options of each replay that is compared: without and with windows that are full soon, too small
/// for some sessions, and full in long ones.
const OPTIONS: [&[&str]; 5] = [
    &[],
    &["--shell-reads"],
    &["--window", "4000", "--summary-tokens", "100"],
    &["--window", "12000", "--preset", "steiner"],
    &["--window", "32000"],
];

/// Replays the bundled sessions, and those of `WAYBREAD_TRANSCRIPTS`, in every host.
pub fn compare_hosts() -> Result<()> {
    let mut files = recordings(&shell::root().join(BUNDLED))?;
    if let Some(folder) = std::env::var_os(MORE) {
        files.extend(recordings(Path::new(&folder))?);
    }
    for options in OPTIONS {
        let rust = replayed("rust", rust_command, &files, options)?;
        for (host, command) in [("python", python_command as Replay), ("js", js_command)] {
            let other = replayed(host, command, &files, options)?;
            ensure_equal(host, &rust, &other).with_context(|| options.join(" "))?;
        }
    }
    println!(
        "replay: {} recordings, the same bytes in three hosts",
        files.len()
    );
    Ok(())
}

/// A host's command, without its arguments.
type Replay = fn() -> Command;

fn rust_command() -> Command {
    hosts::waybread(&["replay"])
}

fn python_command() -> Command {
    hosts::python(&["-m", "waybread", "replay"])
}

fn js_command() -> Command {
    hosts::node(&["hosts/js/dist/bin/waybread-replay.js"])
}

/// What a replay wrote: the report, the tables, and each file of `--out`.
type Written = BTreeMap<String, Vec<u8>>;

fn replayed(host: &str, command: Replay, files: &[PathBuf], options: &[&str]) -> Result<Written> {
    let out = shell::root().join("target/replay").join(host);
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out)?;
    let mut with_json = command();
    with_json.arg("--json").arg("--out").arg(&out);
    let report = shell::output(with_json.args(options).args(files))?;
    let tables = shell::output(command().args(options).args(files))?;
    let mut written = BTreeMap::from([
        ("the report".to_owned(), report),
        ("the tables".to_owned(), tables),
    ]);
    for entry in fs::read_dir(&out)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .context("no name")?
            .to_string_lossy()
            .into_owned();
        written.insert(name, fs::read(&path)?);
    }
    Ok(written)
}

fn ensure_equal(host: &str, rust: &Written, other: &Written) -> Result<()> {
    let names = |written: &Written| written.keys().cloned().collect::<Vec<_>>();
    ensure!(
        names(rust) == names(other),
        "{host} writes other files than rust"
    );
    for (name, bytes) in rust {
        ensure!(
            other.get(name) == Some(bytes),
            "{name} differs between rust and {host}"
        );
    }
    Ok(())
}

/// The files of a folder and its folders that are recordings, sorted.
fn recordings(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(recordings(&path)?);
        } else if path
            .extension()
            .is_some_and(|kind| ["json", "jsonl", "traj"].iter().any(|known| kind == *known))
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
