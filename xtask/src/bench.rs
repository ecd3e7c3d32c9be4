//! What inserting a result costs in each host, against the native rules in the same run. Absolute
//! times drift between machines and runs; the ratios are what is compared.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::{component, hosts, shell, toolchain};

/// One line that a benchmark prints.
#[derive(Deserialize)]
struct Measured {
    host: String,
    case: String,
    nanoseconds: f64,
}

/// Measures and prints a table: microseconds, and how often the native rules' time that is.
pub fn run() -> Result<()> {
    toolchain::add_wasm_target()?;
    component::build()?;
    hosts::set_up_python()?;
    hosts::build_js()?;
    let rust = [
        "bench",
        "--locked",
        "--package",
        "waybread",
        "--bench",
        "insert",
    ];
    let mut measured = measure(&mut shell::cargo(&rust))?;
    measured.extend(measure(&mut hosts::python(&[
        "hosts/python/bench/insert.py",
    ]))?);
    measured.extend(measure(&mut hosts::node(&["hosts/js/bench/insert.mjs"]))?);
    print_table(&measured)
}

fn measure(command: &mut std::process::Command) -> Result<Vec<Measured>> {
    let lines = String::from_utf8(shell::output(command)?)?;
    let measured = lines.lines().filter(|line| line.starts_with('{'));
    measured
        .map(|line| serde_json::from_str(line).with_context(|| format!("no measurement: {line}")))
        .collect()
}

fn print_table(measured: &[Measured]) -> Result<()> {
    let mut cases: Vec<&str> = Vec::new();
    let mut hosts: Vec<&str> = Vec::new();
    let mut times = BTreeMap::new();
    for Measured {
        host,
        case,
        nanoseconds,
    } in measured
    {
        if !cases.contains(&case.as_str()) {
            cases.push(case);
        }
        if !hosts.contains(&host.as_str()) {
            hosts.push(host);
        }
        times.insert((case.as_str(), host.as_str()), *nanoseconds);
    }
    let names: String = hosts.iter().map(|host| format!("{host:>20}")).collect();
    println!("\n{:<16}{names}", "insert-result");
    for case in cases {
        let native = *times
            .get(&(case, "native"))
            .context("no time of the native rules")?;
        let row: String = hosts
            .iter()
            .map(|host| match times.get(&(case, *host)) {
                Some(time) => format!(
                    "{:>20}",
                    format!("{:.1} µs {:>5.1}×", time / 1e3, time / native)
                ),
                None => format!("{:>20}", "–"),
            })
            .collect();
        println!("{case:<16}{row}");
    }
    Ok(())
}
