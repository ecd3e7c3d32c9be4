//! A session's changes to `loop.json`, checked key by key.

mod lists;
mod presets;
mod relations;
mod settings;
#[cfg(test)]
mod tests;

use serde_json::{Map, Number, Value};

use crate::error::Error;
use crate::template::Template;
use settings::{AT_LEAST_ONE, CHOICES, MAY_BE_BLANK, NOT_BLANK, ZERO_IS_THE_DEFAULT};

/// The defaults with what a preset and then `given` itself put in their place. Merging what comes of
/// it again gives the same.
///
/// # Errors
///
/// `invalid-setting`: an unknown key or preset, a value of another type than the default's, a number
/// out of range or at odds with another, a text with an unknown or missing placeholder, an entry of
/// a list that cannot be read.
pub fn merge(defaults: &Value, given: &Value) -> Result<Value, Error> {
    let merged = match presets::named_in(given)? {
        None => merge_at("", defaults, given)?,
        Some(preset) => merge_at("", &merge_at("", defaults, &preset)?, given)?,
    };
    relations::check(&merged)?;
    Ok(merged)
}

/// The rules that a session has kept. One that began before a setting existed has what was done then.
///
/// # Errors
///
/// As [`merge`].
pub fn merge_kept(defaults: &Value, kept: &Value) -> Result<Value, Error> {
    merge(defaults, &filled_up(kept, &presets::before()?))
}

/// Some settings with those that they lack.
fn filled_up(given: &Value, lacked: &Value) -> Value {
    let (Value::Object(given), Value::Object(lacked)) = (given, lacked) else {
        return given.clone();
    };
    let mut filled = given.clone();
    for (name, value) in lacked {
        let own = given.get(name);
        let value = own.map_or_else(|| value.clone(), |own| filled_up(own, value));
        filled.insert(name.clone(), value);
    }
    Value::Object(filled)
}

fn merge_at(key: &str, default: &Value, given: &Value) -> Result<Value, Error> {
    match (default, given) {
        // Most of what an earlier open kept.
        _ if default == given => Ok(default.clone()),
        (Value::Object(defaults), Value::Object(given)) => merge_objects(key, defaults, given),
        (Value::Number(default), Value::Number(_)) => check_number(key, default, given),
        (Value::String(default), Value::String(text)) => check_text(key, default, text),
        (Value::Array(_), Value::Array(items)) => lists::check(key, items),
        _ => Err(Error::setting(
            key,
            format!("is {}, must be {}", type_name(given), type_name(default)),
        )),
    }
}

fn merge_objects(
    key: &str,
    defaults: &Map<String, Value>,
    given: &Map<String, Value>,
) -> Result<Value, Error> {
    let mut merged = defaults.clone();
    for (name, value) in given {
        let inner = if key.is_empty() {
            name.clone()
        } else {
            format!("{key}.{name}")
        };
        let Some(default) = defaults.get(name) else {
            let known: Vec<&str> = defaults.keys().map(String::as_str).collect();
            let problem = format!("is not a setting; known here: {}", known.join(", "));
            return Err(Error::setting(&inner, problem));
        };
        merged.insert(name.clone(), merge_at(&inner, default, value)?);
    }
    Ok(Value::Object(merged))
}

fn check_number(key: &str, default: &Number, given: &Value) -> Result<Value, Error> {
    let whole = given
        .as_u64()
        .filter(|number| *number <= u64::from(u32::MAX));
    let Some(number) = whole else {
        let problem = format!("is {given}, must be a whole number from 0 to {}", u32::MAX);
        return Err(Error::setting(key, problem));
    };
    if number == 0 && AT_LEAST_ONE.contains(&key) {
        return Err(Error::setting(key, "is 0, must be at least 1"));
    }
    if number == 0 && ZERO_IS_THE_DEFAULT.contains(&key) {
        return Ok(Value::Number(default.clone()));
    }
    let most = settings::most(key);
    if number > most {
        let problem = format!("is {number}, must be at most {most}");
        return Err(Error::setting(key, problem));
    }
    Ok(Value::from(number))
}

fn check_text(key: &str, default: &str, text: &str) -> Result<Value, Error> {
    let choice = CHOICES.iter().find(|(choice, _)| *choice == key);
    if let Some((_, words)) = choice
        && !words.contains(&text)
    {
        let problem = format!("is `{text}`, must be `{}`", words.join("` or `"));
        return Err(Error::setting(key, problem));
    }
    if text.trim().is_empty() && NOT_BLANK.contains(&key) {
        return Err(Error::setting(key, "is blank"));
    }
    if ["archive.marker", "archive.path"].contains(&key) && text.contains('\n') {
        let problem = "has a newline; it stands in a line";
        return Err(Error::setting(key, problem));
    }
    if key == "skills.element" && !is_element(text) {
        let problem = format!("is `{text}`, must be a name of ASCII letters, digits and `-`");
        return Err(Error::setting(key, problem));
    }
    if key == "replies.call_id" && !is_id(text) {
        let problem = format!("is `{text}`, must be ASCII letters, digits, `-` and `_`");
        return Err(Error::setting(key, problem));
    }
    if !(text.trim().is_empty() && MAY_BE_BLANK.contains(&key)) {
        check_placeholders(key, default, text)?;
    }
    Ok(Value::from(text))
}

/// A name that ends neither a tag nor a quotation.
fn is_element(text: &str) -> bool {
    let may = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    !text.is_empty() && text.bytes().all(may)
}

/// What providers take in an id of a call.
fn is_id(text: &str) -> bool {
    let may = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !text.is_empty() && text.bytes().all(may)
}

/// A text has the placeholders of the one that it replaces, no fewer and no others.
fn check_placeholders(key: &str, default: &str, text: &str) -> Result<(), Error> {
    let (known, used) = (Template::parse(default), Template::parse(text));
    if let Some(unknown) = not_in(&used, &known) {
        let names: Vec<&str> = known.placeholders().collect();
        let known = match names.as_slice() {
            [] => "none is filled in here".to_owned(),
            names => format!("known here: {}", names.join(", ")),
        };
        let problem = format!("has the placeholder `{unknown}`; {known}");
        return Err(Error::setting(key, problem));
    }
    match not_in(&known, &used) {
        Some(missing) => Err(Error::setting(
            key,
            format!("lacks the placeholder `{missing}`"),
        )),
        None => Ok(()),
    }
}

/// The first placeholder of `one` that `other` has not.
fn not_in<'a>(one: &'a Template, other: &Template) -> Option<&'a str> {
    let mut names = one.placeholders();
    names.find(|name| !other.placeholders().any(|known| known == *name))
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
