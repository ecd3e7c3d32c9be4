//! `cargo xtask`: every task of the project, on a machine with rustup, Python 3.10+ and Node 20+.
//! What else a task needs it sets up itself, inside the repository.

mod bench;
mod component;
mod conformance;
mod demo;
mod hosts;
mod package;
mod relay;
mod replay;
mod shell;
mod test;
mod tokens;
mod toolchain;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's tasks")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the components, and hand them to the hosts
    Build,
    /// Replay the bundled recorded sessions and print the report
    Demo,
    /// Run everything: native tests, component checks, conformance in every host, linters
    Test,
    /// Perform conformance cases and print what differs
    Conformance {
        /// Only this host; all of them and the model otherwise
        #[arg(long)]
        host: Option<conformance::Runner>,
        /// A case file of your own, in place of the project's
        #[arg(long)]
        cases: Option<PathBuf>,
    },
    /// Measure results and steps in every host against the native rules
    Bench,
    /// Build the wheel and the npm package into target/package
    Package,
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Build => component::build(),
        Task::Demo => demo::run(),
        Task::Test => test::run_all(),
        Task::Conformance { host, cases } => conformance::run(host, cases.as_deref()),
        Task::Bench => bench::run(),
        Task::Package => package::run_all(),
    }
}
