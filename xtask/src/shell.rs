//! Running programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The repository's root.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// A program that runs in a folder of the repository.
pub fn command(program: impl AsRef<Path>, folder: &str) -> Command {
    let mut command = Command::new(program.as_ref());
    command
        .current_dir(root().join(folder))
        .stdin(Stdio::null());
    command
}

/// Cargo, in the repository's root.
pub fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = command(PathBuf::from(cargo), "");
    command.args(arguments);
    command
}

/// Runs a program and shows what it prints.
pub fn run(command: &mut Command) -> Result<()> {
    let line = show(command);
    println!("\n$ {line}");
    let status = command
        .status()
        .with_context(|| format!("could not start: {line}"))?;
    if !status.success() {
        bail!("failed ({status}): {line}");
    }
    Ok(())
}

/// Runs a program and takes what it writes to its standard output.
pub fn output(command: &mut Command) -> Result<Vec<u8>> {
    let line = show(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("could not start: {line}"))?;
    if !output.status.success() {
        bail!("failed ({}): {line}", output.status);
    }
    Ok(output.stdout)
}

/// Whether a program can be started.
pub fn is_installed(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    found.is_ok_and(|status| status.success())
}

fn show(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    words.extend(command.get_args().map(|word| word.to_string_lossy()));
    let root = root();
    let root = format!("{}/", root.display());
    words.join(" ").replace(&root, "")
}
