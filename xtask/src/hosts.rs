//! The hosts' own tools, set up inside the repository: a virtual environment in `target/`, npm's
//! modules in `hosts/js/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::shell::{self, run};

/// What the Rust host runs besides its tests: the command and the conformance runner.
pub fn build_rust() -> Result<()> {
    run(&mut shell::cargo(&[
        "build",
        "--locked",
        "--release",
        "--package",
        "waybread",
        "--bins",
        "--examples",
    ]))
}

/// A virtual environment with the Python host in it, editable, and what its tests need.
pub fn set_up_python() -> Result<()> {
    let requirements = shell::root().join("hosts/python/requirements-dev.txt");
    let wanted = fs::read(&requirements).context("no hosts/python/requirements-dev.txt")?;
    let mark = venv().join("requirements-installed.txt");
    if fs::read(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run(shell::command(system_python(), "")
        .arg("-m")
        .arg("venv")
        .arg(venv()))?;
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ];
    run(python(&pip).arg("--requirement").arg(&requirements))?;
    run(python(&pip).args(["--no-deps", "--editable", "hosts/python"]))?;
    Ok(fs::write(mark, wanted)?)
}

/// npm's modules, the transpiled components and the compiled TypeScript.
pub fn build_js() -> Result<()> {
    let modules = shell::root().join("hosts/js/node_modules/.package-lock.json");
    let lock = shell::root().join("hosts/js/package-lock.json");
    if !is_newer(&modules, &lock) {
        run(&mut npm(&["ci", "--no-audit", "--no-fund"]))?;
    }
    run(&mut npm(&["run", "--silent", "build"]))
}

/// Python, in the virtual environment and the repository's root.
pub fn python(arguments: &[&str]) -> Command {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let mut command = shell::command(venv().join(folder).join("python"), "");
    command.args(arguments);
    command
}

/// As `python`, in a folder of the repository.
pub fn python_in(folder: &str, arguments: &[&str]) -> Command {
    let mut command = python(arguments);
    command.current_dir(shell::root().join(folder));
    command
}

/// The Rust host's command.
pub fn waybread(arguments: &[&str]) -> Command {
    let mut command = shell::command(shell::root().join("target/release/waybread"), "");
    command.args(arguments);
    command
}

/// Node, in the repository's root.
pub fn node(arguments: &[&str]) -> Command {
    let mut command = shell::command("node", "");
    command.args(arguments);
    command
}

/// npm, in the JavaScript host.
pub fn npm(arguments: &[&str]) -> Command {
    let mut command = shell::command("npm", "hosts/js");
    command.args(arguments);
    command
}

fn venv() -> PathBuf {
    shell::root().join("target/venv")
}

fn system_python() -> &'static str {
    if shell::is_installed("python3") {
        "python3"
    } else {
        "python"
    }
}

fn is_newer(made: &Path, source: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    matches!((time(made), time(source)), (Some(made), Some(source)) if made >= source)
}
