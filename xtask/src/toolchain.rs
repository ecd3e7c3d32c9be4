//! The Rust target that the components are built for.

use anyhow::{Context, Result, ensure};

use crate::shell;

/// Adds the target where it is missing.
pub fn add_wasm_target() -> Result<()> {
    let target = crate::component::TARGET;
    let rustup = || shell::command("rustup", "");
    let installed = shell::output(rustup().args(["target", "list", "--installed"]))
        .context("rustup is needed to add the target for WebAssembly")?;
    let installed = String::from_utf8(installed)?;
    if !installed.lines().any(|line| line == target) {
        shell::run(rustup().args(["target", "add", target]))?;
    }
    let node = shell::is_installed("node");
    let python = shell::is_installed("python3") || shell::is_installed("python");
    ensure!(
        node && python,
        "Node 20+ and Python 3.10+ are needed beside Rust"
    );
    Ok(())
}
