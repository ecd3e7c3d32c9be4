//! The demo: the bundled recorded sessions through the rules.

use anyhow::Result;

use crate::{component, hosts, replay, shell, toolchain};

/// Builds what is needed and prints the report.
pub fn run() -> Result<()> {
    toolchain::add_wasm_target()?;
    component::build()?;
    hosts::build_rust()?;
    println!("\nReal recorded sessions, put through the rules:");
    shell::run(&mut hosts::waybread(&["replay", replay::BUNDLED]))
}
