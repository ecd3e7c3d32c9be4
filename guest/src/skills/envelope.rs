//! One envelope: `<ELEMENT name=QUOTED state="active" bytes="N">`, newline, N bytes, newline,
//! `</ELEMENT>`.

use super::quoted;

/// A skill that was switched on or off, as it stands in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// The skill's name. Bytes of it that are no UTF-8 are U+FFFD.
    pub name: String,
    /// Whether it was switched on.
    pub active: bool,
    /// What is between the tags, without a newline on either side.
    pub body: &'a str,
    /// The envelope with its tags.
    pub whole: &'a str,
}

impl<'a> Envelope<'a> {
    /// The envelope that `text` begins with, and what follows it. None if there is none, or it is
    /// malformed.
    pub(super) fn read(text: &'a str, element: &str) -> Option<(Self, &'a str)> {
        let rest = after(text, &["<", element, " name="])?;
        let (name, rest) = quoted::read(rest)?;
        let (state, rest) = after(rest, &[" state=\""])?.split_once('"')?;
        let active = match state {
            "active" => true,
            "inactive" => false,
            _ => return None,
        };
        let (bytes, rest) = after(rest, &[" bytes=\""])?.split_once('"')?;
        let (body, rest) = after(rest, &[">\n"])?.split_at_checked(length(bytes)?)?;
        let rest = after(rest, &["\n</", element, ">"])?;
        let whole = text.get(..text.len() - rest.len())?;
        let envelope = Self {
            name,
            active,
            body,
            whole,
        };
        Some((envelope, rest))
    }
}

/// What follows `parts`, one after the other.
fn after<'a>(text: &'a str, parts: &[&str]) -> Option<&'a str> {
    let mut parts = parts.iter();
    parts.try_fold(text, |rest, part| rest.strip_prefix(part))
}

/// Digits and nothing else. What no number is large enough for is no length either.
fn length(digits: &str) -> Option<usize> {
    let all = digits.bytes().all(|digit| digit.is_ascii_digit());
    all.then(|| digits.parse().ok()).flatten()
}

/// The envelope of a skill, in tags of `element`.
#[must_use]
pub fn write(element: &str, name: &str, active: bool, body: &str) -> String {
    let name = quoted::write(name);
    let state = if active { "active" } else { "inactive" };
    let bytes = body.len();
    format!("<{element} name={name} state=\"{state}\" bytes=\"{bytes}\">\n{body}\n</{element}>")
}
