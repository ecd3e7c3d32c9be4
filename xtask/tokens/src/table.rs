//! `conformance/tokens.json`: its numbers in their order, and how it is written.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;
use waybread_guest::tokens::{CELLS, FIRST_CELLS, SCRIPT_CELLS};

/// What a first character, a further one and one beyond ASCII cost where the fitted pieces don't
/// tell.
const PRIORS: [f64; 3] = [1.0, 0.3, 1.0];

pub fn path() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../conformance/tokens.json"
    ))
}

/// The prior of each cell.
pub fn priors() -> Vec<f64> {
    let [first, further, beyond] = PRIORS;
    let prior = |cell| match cell {
        _ if cell < FIRST_CELLS => first,
        _ if cell < CELLS - SCRIPT_CELLS => further,
        _ => beyond,
    };
    (0..CELLS).map(prior).collect()
}

/// The file's text with other weights, tokens, for each vocabulary.
pub fn with_weights(old: &str, weights: &[Vec<f64>; 2]) -> Result<String> {
    let mut file: Value = serde_json::from_str(old)?;
    let mut numbers = weights
        .iter()
        .flatten()
        .map(|weight| (weight * 1e3).round() as u64);
    put(&mut file, &mut numbers).context("the file has more numbers than there are weights")?;
    let mut text = String::new();
    write(&mut text, &file, 0)?;
    text.push('\n');
    Ok(text)
}

fn put(value: &mut Value, numbers: &mut impl Iterator<Item = u64>) -> Option<()> {
    match value {
        Value::Object(members) => members
            .values_mut()
            .try_for_each(|member| put(member, numbers)),
        Value::Array(items) => items.iter_mut().try_for_each(|item| put(item, numbers)),
        Value::Number(_) => {
            *value = Value::from(numbers.next()?);
            Some(())
        }
        _ => Some(()),
    }
}

/// An object's members have a line each, and a list is one line.
fn write(text: &mut String, value: &Value, depth: usize) -> Result<()> {
    match value {
        Value::Object(members) => {
            let (indent, mut before) = ("  ".repeat(depth), "");
            text.push('{');
            for (name, member) in members {
                write!(text, "{before}\n{indent}  {}: ", Value::from(name.as_str()))?;
                write(text, member, depth + 1)?;
                before = ",";
            }
            write!(text, "\n{indent}}}")?;
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            write!(text, "[{}]", items.join(", "))?;
        }
        other => write!(text, "{other}")?,
    }
    Ok(())
}
