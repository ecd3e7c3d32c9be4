//! What a case expects of its steps, against a transcript (conformance/README.md).

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value};

use super::Runner;
use super::text::{difference, expand};

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
        let problem = match (expected, answer) {
            (Some(expected), Some(answer)) => {
                compare(expected, answer).with_context(|| format!("{name}, step {number}"))?
            }
            (Some(_), None) => Some("no answer".to_owned()),
            (None, Some(answer)) if answer.contains_key("error") => Some(format!(
                "an error that was not expected: {}",
                Value::from(answer.clone())
            )),
            (None, _) => None,
        };
        problems.extend(problem.map(|problem| format!("step {number}: {problem}")));
    }
    Ok(problems)
}

/// What is wrong with an answer.
fn compare(expected: &Value, answer: &Map<String, Value>) -> Result<Option<String>> {
    if let Some(wanted) = expected.get("error") {
        return Ok(compare_error(wanted, answer));
    }
    if let Some(wanted) = expected.get("value") {
        let found = answer.get("value").unwrap_or(&Value::Null);
        let same = answer.contains_key("value") && found == wanted;
        return Ok((!same).then(|| format!("expected {wanted}, found {}", show(answer))));
    }
    let Some(fields) = expected.as_object() else {
        return Ok(compare_text(&expand(expected)?, answer));
    };
    for (field, wanted) in fields {
        let problem = match (field.as_str(), wanted) {
            ("text", text) => compare_text(&expand(text)?, answer),
            (field, wanted) => {
                let found = answer
                    .get("inserted")
                    .and_then(|inserted| inserted.get(field));
                let same = found.is_some_and(|found| found == wanted);
                (!same).then(|| format!("{field}: expected {wanted}, found {}", show(answer)))
            }
        };
        if problem.is_some() {
            return Ok(problem);
        }
    }
    Ok(None)
}

fn compare_text(wanted: &str, answer: &Map<String, Value>) -> Option<String> {
    let inserted = answer
        .get("inserted")
        .and_then(|inserted| inserted.get("text"));
    match inserted
        .or_else(|| answer.get("value"))
        .and_then(Value::as_str)
    {
        Some(found) if found == wanted => None,
        Some(found) => Some(format!("the text differs\n{}", difference(wanted, found))),
        None => Some(format!(
            "expected the text {wanted:?}, found {}",
            show(answer)
        )),
    }
}

fn compare_error(wanted: &Value, answer: &Map<String, Value>) -> Option<String> {
    let Some(error) = answer.get("error") else {
        return Some(format!(
            "expected the error {wanted}, found {}",
            show(answer)
        ));
    };
    let payload = error.get("payload").unwrap_or(&Value::Null);
    for (field, wanted) in wanted.as_object().into_iter().flatten() {
        let found = match field.as_str() {
            "cause" | "message" => error.get(field),
            "value" => Some(payload),
            field => payload.get(field),
        };
        if !found.is_some_and(|found| found == wanted) {
            return Some(format!("error, {field}: expected {wanted}, found {error}"));
        }
    }
    None
}

fn show(answer: &Map<String, Value>) -> String {
    Value::from(answer.clone()).to_string()
}
