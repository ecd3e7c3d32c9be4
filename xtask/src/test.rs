//! Everything that has to hold, in the order in which a fault is found soonest.

use anyhow::Result;

use crate::shell::{self, cargo, run};
use crate::{component, conformance, hosts, relay, replay, toolchain};

const NATIVE: [&str; 6] = [
    "--package",
    "waybread-guest",
    "--package",
    "waybread-recordings",
    "--package",
    "xtask",
];

/// Runs everything.
pub fn run_all() -> Result<()> {
    toolchain::add_wasm_target()?;
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    component::build()?;
    native()?;
    rust_host()?;
    python_host()?;
    js_host()?;
    conformance::perform(conformance::ALL, None)?;
    run(&mut hosts::python(&["conformance/fuzz.py"]))?;
    replay::compare_hosts()?;
    relay::run()?;
    component::check()
}

fn native() -> Result<()> {
    run(cargo(&["clippy", "--locked", "--all-targets"])
        .args(NATIVE)
        .args(["--", "-D", "warnings"]))?;
    run(cargo(&["test", "--locked"]).args(NATIVE))
}

/// In the release profile, in which wasmtime is built once for everything that links it.
fn rust_host() -> Result<()> {
    let host = ["--locked", "--release", "--package", "waybread"];
    run(cargo(&["clippy"])
        .args(host)
        .args(["--all-targets", "--", "-D", "warnings"]))?;
    run(cargo(&["test"]).args(host))?;
    hosts::build_rust()
}

fn python_host() -> Result<()> {
    hosts::set_up_python()?;
    for folder in [
        "hosts/python",
        "conformance",
        "examples/model-server",
        "examples/python-eval",
    ] {
        for arguments in [
            &["-m", "ruff", "format", "--check", "."][..],
            &["-m", "ruff", "check", "."],
            &["-m", "mypy"],
            &["-m", "pytest", "--quiet"],
        ] {
            run(&mut hosts::python_in(folder, arguments))?;
        }
    }
    Ok(())
}

fn js_host() -> Result<()> {
    hosts::build_js()?;
    for script in ["format:check", "lint", "typecheck", "test"] {
        run(&mut hosts::npm(&["run", "--silent", script]))?;
    }
    chat_example()
}

/// The example is installed as a user would install it, beside the host that was built.
fn chat_example() -> Result<()> {
    for arguments in [
        &["ci", "--no-audit", "--no-fund"][..],
        &["run", "--silent", "build"],
        &["test", "--silent"],
    ] {
        run(shell::command("npm", "examples/ts-chat").args(arguments))?;
    }
    Ok(())
}
