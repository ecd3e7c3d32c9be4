//! What sessions cost in each host, against the native rules in the same run. Absolute times drift
//! between machines and runs; the ratios are what is compared.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::{component, hosts, shell, tokens, toolchain};

/// How much more a step may cost late in a session than early.
const BAR: f64 = 1.3;

/// One line that a benchmark prints.
#[derive(Deserialize)]
struct Line {
    host: String,
    case: String,
    nanoseconds: f64,
}

/// Measures and prints two tables: what inserting a result takes, and what a step takes.
pub fn run() -> Result<()> {
    toolchain::add_wasm_target()?;
    component::build()?;
    hosts::set_up_python()?;
    hosts::build_js()?;
    let rust = ["bench", "--locked", "--package", "waybread", "--bench"];
    let mut measured = Measured::default();
    measured.add(shell::cargo(&rust).arg("session"))?;
    for script in ["insert", "step"] {
        measured.add(&mut hosts::python(&[&format!(
            "hosts/python/bench/{script}.py"
        )]))?;
        measured.add(&mut hosts::node(&[&format!("hosts/js/bench/{script}.mjs")]))?;
    }
    measured.print_inserts()?;
    measured.print_steps()?;
    tokens::report()
}

/// Medians in nanoseconds; hosts and cases in the order in which they came.
#[derive(Default)]
struct Measured {
    hosts: Vec<String>,
    cases: Vec<String>,
    times: BTreeMap<(String, String), f64>,
}

impl Measured {
    fn add(&mut self, benchmark: &mut Command) -> Result<()> {
        let lines = String::from_utf8(shell::output(benchmark)?)?;
        for line in lines.lines().filter(|line| line.starts_with('{')) {
            let line: Line =
                serde_json::from_str(line).with_context(|| format!("no measurement: {line}"))?;
            for (known, name) in [(&mut self.hosts, &line.host), (&mut self.cases, &line.case)] {
                if !known.contains(name) {
                    known.push(name.clone());
                }
            }
            self.times.insert((line.case, line.host), line.nanoseconds);
        }
        Ok(())
    }

    fn time(&self, case: &str, host: &str) -> Option<f64> {
        let key = (case.to_owned(), host.to_owned());
        self.times.get(&key).copied()
    }

    /// Each host's time, and how often the native rules' that is.
    fn print_inserts(&self) -> Result<()> {
        self.print_head("insert-result");
        let of_steps = |case: &&String| case.starts_with("step ") || case.starts_with("rebuild ");
        for case in self.cases.iter().filter(|case| !of_steps(case)) {
            let native = self.time(case, "native");
            let native = native.context("no time of the native rules")?;
            self.print_row(case, |host| {
                let time = self.time(case, host)?;
                Some(format!("{} {:>5.1}×", show(time), time / native))
            });
        }
        Ok(())
    }

    /// Each host's time early and late, and what writing the whole body again takes there.
    fn print_steps(&self) -> Result<()> {
        let ratio = |what: &str, host: &str| {
            let late = self.time(&format!("{what} 10,000"), host)?;
            Some(late / self.time(&format!("{what} 100"), host)?)
        };
        self.print_head("a step");
        for (what, name) in [("step", "at step"), ("rebuild", "whole body,")] {
            for at in ["100", "10,000"] {
                self.print_row(&format!("{name} {at}"), |host| {
                    self.time(&format!("{what} {at}"), host).map(show)
                });
            }
            let ratio = |host: &str| ratio(what, host).map(|ratio| format!("{ratio:.2}×"));
            self.print_row("late / early", ratio);
        }
        println!("\nA step is a reply with a call, a result of 2 KB and the next request.");
        println!("The whole body is what serde_json, json.dumps and JSON.stringify write.");
        for host in &self.hosts {
            let ratio = ratio("step", host).with_context(|| format!("{host} took no steps"))?;
            ensure!(
                ratio <= BAR,
                "{host}: a step costs {ratio:.2} times as much late as early, and may {BAR}"
            );
        }
        Ok(())
    }

    fn print_head(&self, title: &str) {
        println!();
        self.print_row(title, |host| Some(host.to_owned()));
    }

    fn print_row(&self, name: &str, cell: impl Fn(&str) -> Option<String>) {
        let cells = self.hosts.iter().map(|host| cell(host));
        let cells: String = cells
            .map(|cell| format!("{:>20}", cell.unwrap_or_else(|| "–".to_owned())))
            .collect();
        println!("{name:<20}{cells}");
    }
}

fn show(nanoseconds: f64) -> String {
    if nanoseconds < 1e6 {
        format!("{:.1} µs", nanoseconds / 1e3)
    } else {
        format!("{:.1} ms", nanoseconds / 1e6)
    }
}
