//! Conformance cases in every host: each runner performs a case file and writes a transcript, which
//! is compared with the file's expectations and, byte for byte, with the other hosts'.

mod answer;
mod expectation;
mod text;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde_json::Value;

use crate::{hosts, shell};

/// Who performs cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Runner {
    Rust,
    Python,
    Js,
    /// The independent model, which judges the Rust host's transcript.
    Model,
}

/// Every runner.
pub const ALL: &[Runner] = &[Runner::Rust, Runner::Python, Runner::Js, Runner::Model];

/// Sets up what the runners need and performs cases.
pub fn run(only: Option<Runner>, cases: Option<&Path>) -> Result<()> {
    let runners: &[Runner] = match &only {
        None => ALL,
        Some(runner) => std::slice::from_ref(runner),
    };
    crate::component::build()?;
    hosts::set_up_python()?;
    for runner in runners {
        match runner {
            Runner::Rust | Runner::Model => hosts::build_rust()?,
            Runner::Python => {}
            Runner::Js => hosts::build_js()?,
        }
    }
    perform(runners, cases)
}

/// Performs cases with runners that are set up.
pub fn perform(runners: &[Runner], cases: Option<&Path>) -> Result<()> {
    let files = match cases {
        Some(file) => {
            vec![fs::canonicalize(file).with_context(|| format!("no {}", file.display()))?]
        }
        None => project_files()?,
    };
    let mut count = Count::default();
    for file in &files {
        perform_file(runners, file, &mut count)?;
    }
    let names: Vec<String> = runners
        .iter()
        .map(|runner| format!("{runner:?}").to_lowercase())
        .collect();
    println!("conformance in {}: {} cases", names.join(", "), count.cases);
    println!("{} passed, {} failed", count.passed, count.failed);
    if count.failed > 0 {
        bail!("{} conformance checks failed", count.failed);
    }
    Ok(())
}

/// The project's case files: the areas, and what fuzzing found.
fn project_files() -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in ["conformance/cases", "conformance/corpus"] {
        let folder = shell::root().join(folder);
        if !folder.exists() {
            continue;
        }
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A case in one runner is one check.
#[derive(Default)]
struct Count {
    cases: usize,
    passed: usize,
    failed: usize,
}

fn perform_file(runners: &[Runner], file: &Path, count: &mut Count) -> Result<()> {
    let fits = hosts::python(&["conformance/check_cases.py"])
        .arg(file)
        .status()?;
    ensure!(
        fits.success(),
        "{} does not fit conformance/case.schema.json",
        file.display()
    );
    let text = fs::read_to_string(file)?;
    let parsed: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is no JSON", file.display()))?;
    let cases = parsed
        .get("cases")
        .and_then(Value::as_array)
        .context("no `cases`")?;
    count.cases += cases.len();
    let mut transcripts = Vec::new();
    for runner in runners {
        if *runner == Runner::Model {
            judge(file, cases.len(), count)?;
            continue;
        }
        let transcript = transcript(*runner, file)?;
        let wrong = expectation::check(*runner, cases, &transcript)?;
        count.failed += wrong;
        count.passed += cases.len() - wrong;
        transcripts.push((*runner, transcript));
    }
    for pair in transcripts.windows(2) {
        if let [(first, one), (second, other)] = pair
            && one != other
        {
            count.failed += 1;
            println!("{}: {first:?} and {second:?} differ:", file.display());
            print!("{}", differences(one, other));
        }
    }
    Ok(())
}

/// How many answers that differ are shown of two transcripts.
const SHOWN: usize = 5;

/// Where two transcripts differ, answer by answer.
fn differences(one: &str, other: &str) -> String {
    let lines = || one.lines().zip(other.lines());
    let differ = lines().filter(|(one, other)| one != other).take(SHOWN);
    let mut shown: String = differ
        .map(|(one, other)| format!("{}\n{}", label(one), text::difference(one, other)))
        .collect();
    let counts = (one.lines().count(), other.lines().count());
    if counts.0 != counts.1 {
        shown.push_str(&format!("{} answers and {}\n", counts.0, counts.1));
    }
    shown
}

/// The case and step of a transcript's line.
fn label(line: &str) -> String {
    let answer: Value = serde_json::from_str(line).unwrap_or_default();
    let field = |name: &str| answer.get(name).cloned().unwrap_or_default();
    format!("{}, step {}:", field("case"), field("step"))
}

fn transcript(runner: Runner, file: &Path) -> Result<String> {
    let mut command = match runner {
        Runner::Rust => shell::command(
            shell::root().join("target/release/examples/conformance"),
            "",
        ),
        Runner::Js => hosts::node(&["hosts/js/test/conformance.mjs"]),
        Runner::Python | Runner::Model => {
            hosts::python(&["hosts/python/tests/conformance_runner.py"])
        }
    };
    Ok(String::from_utf8(shell::output(command.arg(file))?)?)
}

/// The model's own transcript, and its word on every answer of the Rust host's.
fn judge(file: &Path, cases: usize, count: &mut Count) -> Result<()> {
    let kept = shell::root().join("target/conformance-transcript.jsonl");
    fs::write(&kept, transcript(Runner::Rust, file)?)?;
    let mut model = hosts::python(&["conformance/model.py"]);
    let status = model.arg(file).arg("--against").arg(&kept).status()?;
    if status.success() {
        count.passed += cases;
    } else {
        count.failed += 1;
        println!("{}: the model disagrees with the component", file.display());
    }
    Ok(())
}
