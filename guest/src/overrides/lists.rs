//! Settings that are lists: names, or entries that are read further.

use serde_json::Value;

use super::settings::KEPT;
use crate::error::Error;
use crate::rules::{LimitTable, ReasoningTable, parse_parameters};
use crate::tokens::ModelTable;

/// A list, as it was given.
///
/// # Errors
///
/// `invalid-setting` with the position of what it may not hold: `budget.models[2]`.
pub fn check(key: &str, items: &[Value]) -> Result<Value, Error> {
    let texts: Vec<&str> = items.iter().map_while(Value::as_str).collect();
    let fault = if texts.len() < items.len() {
        Some((texts.len(), "must be a text".to_owned()))
    } else {
        fault(key, &texts)
    };
    match fault {
        None => Ok(Value::Array(items.to_vec())),
        // What the list lacks as a whole stands at none of its positions.
        Some((at, problem)) if at == items.len() => Err(Error::setting(key, problem)),
        Some((at, problem)) => Err(Error::setting(&format!("{key}[{at}]"), problem)),
    }
}

/// The first entry that is not right, and why.
fn fault(key: &str, texts: &[&str]) -> Option<(usize, String)> {
    match key {
        "tokens.models" => ModelTable::parse(texts).err(),
        "budget.models" => LimitTable::parse(texts).err(),
        "budget.parameters" => parse_parameters(texts).err(),
        "reasoning.models" => ReasoningTable::parse(texts).err(),
        "reasoning.tags" => first_not(
            texts,
            is_pair_of_tags,
            "must be an opening and a closing tag with a blank between, `<think> </think>`",
        ),
        "skills.notices" => first_not(texts, |text| !text.trim().is_empty(), "is blank"),
        _ => {
            let (_, kept) = KEPT.iter().find(|(list, _)| *list == key)?;
            let problem = "must be a name that calls and words can do without";
            first_not(texts, |text| !kept.contains(&text), problem)
        }
    }
}

fn first_not(
    texts: &[&str],
    right: impl Fn(&str) -> bool,
    problem: &str,
) -> Option<(usize, String)> {
    let at = texts.iter().position(|text| !right(text))?;
    Some((at, problem.to_owned()))
}

fn is_pair_of_tags(text: &str) -> bool {
    let mut words = text.split(' ');
    let both = [words.next(), words.next()];
    both.iter()
        .all(|word| word.is_some_and(|tag| !tag.is_empty()))
        && words.next().is_none()
}
