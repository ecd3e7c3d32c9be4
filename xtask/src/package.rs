//! What users install: the wheel and the npm package, in `target/package`. The crate is used from
//! the repository: cargo packages no files from outside a crate, and the contract is in `wit/`.

use std::fs;

use anyhow::Result;

use crate::shell::{self, run};
use crate::{component, hosts, toolchain};

/// Builds them.
pub fn run_all() -> Result<()> {
    toolchain::add_wasm_target()?;
    component::build()?;
    let folder = shell::root().join("target/package");
    fs::create_dir_all(&folder)?;
    hosts::set_up_python()?;
    let wheel = [
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "hosts/python",
        "--wheel-dir",
    ];
    run(hosts::python(&wheel).arg(&folder))?;
    hosts::build_js()?;
    run(hosts::npm(&["pack", "--silent", "--pack-destination"]).arg(&folder))?;
    println!("packages: {}", folder.display());
    Ok(())
}
