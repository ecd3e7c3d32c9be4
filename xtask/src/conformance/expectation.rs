//! What a case expects of its steps, against a transcript (conformance/README.md).

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value};

use super::{Runner, answer};

/// How many cases of a file a transcript fails. Each difference is printed.
pub fn check(runner: Runner, cases: &[Value], transcript: &str) -> Result<usize> {
    let answers = Answers::read(transcript)?;
    let mut wrong = 0;
    for case in cases {
        let name = case
            .get("name")
            .and_then(Value::as_str)
            .context("a case without `name`")?;
        let problems = check_case(case, name, &answers)?;
        for problem in &problems {
            println!("{runner:?}: {name}: {problem}");
        }
        wrong += usize::from(!problems.is_empty());
    }
    Ok(wrong)
}

/// A transcript's answers by case and step.
struct Answers(BTreeMap<(String, u64), Map<String, Value>>);

impl Answers {
    fn read(transcript: &str) -> Result<Self> {
        let mut answers = BTreeMap::new();
        for line in transcript.lines() {
            let answer: Map<String, Value> = serde_json::from_str(line)?;
            let case = answer
                .get("case")
                .and_then(Value::as_str)
                .context("no `case`")?;
            let step = answer
                .get("step")
                .and_then(Value::as_u64)
                .context("no `step`")?;
            let twice = answers.insert((case.to_owned(), step), answer);
            ensure!(twice.is_none(), "a transcript answers a step twice: {line}");
        }
        Ok(Self(answers))
    }
}

fn check_case(case: &Value, name: &str, answers: &Answers) -> Result<Vec<String>> {
    let steps = case.get("steps").and_then(Value::as_array);
    let open = std::iter::once((0, case.get("expect-open")));
    let steps = (1..).zip(steps.into_iter().flatten().map(|step| step.get("expect")));
    let mut problems = Vec::new();
    for (number, expected) in open.chain(steps) {
        let answer = answers.0.get(&(name.to_owned(), number));
        let found = match (expected, answer) {
            (Some(expected), Some(answer)) => answer::problems(expected, answer)
                .with_context(|| format!("{name}, step {number}"))?,
            (Some(_), None) => vec!["no answer".to_owned()],
            (None, answer) => answer
                .and_then(answer::unexpected_error)
                .into_iter()
                .collect(),
        };
        problems.extend(
            found
                .iter()
                .map(|problem| format!("step {number}: {problem}")),
        );
    }
    Ok(problems)
}
