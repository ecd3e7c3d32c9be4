//! Times of day.

use super::scan::{ends, maybe_blank, number, one_of, two_digits, word};

/// Words after which a bare `14:05` is a time, and not a ratio, a port or a place in a file.
const WORDS: [&str; 12] = [
    "at", "is", "it's", "it’s", "now", "time", "as of", "by", "until", "since", "from", "to",
];

/// What follows the time with which `text` begins; `said` is what stands before it.
pub fn after<'a>(said: &str, text: &'a str) -> Option<&'a str> {
    let clear = [with_half_of_day, with_seconds, with_zone];
    let rest = clear
        .iter()
        .find_map(|form| form(text).filter(|rest| ends(rest)));
    rest.or_else(|| {
        let bare = [hour_and_minute, hour_am];
        let mut rests = bare.iter().filter_map(|form| form(text));
        let rest = rests.find(|rest| ends(rest))?;
        follows_a_word(said).then_some(rest)
    })
}

/// `14:05`.
fn hour_and_minute(text: &str) -> Option<&str> {
    minute(number(text, 2..=2, 0..=23)?)
}

/// `:05`.
fn minute(text: &str) -> Option<&str> {
    two_digits(text.strip_prefix(':')?, 0..=59)
}

/// `14:05:09`, with or without a fraction and a zone.
fn with_seconds(text: &str) -> Option<&str> {
    let rest = minute(hour_and_minute(text)?)?;
    let rest = fraction(rest).unwrap_or(rest);
    Some(maybe_zone(rest))
}

/// `.123`.
fn fraction(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('.')?;
    let rest = digits.trim_start_matches(|digit: char| digit.is_ascii_digit());
    (rest.len() < digits.len()).then_some(rest)
}

/// `14:05Z`, `14:05 UTC`, `14:05+02:00`.
fn with_zone(text: &str) -> Option<&str> {
    zone(hour_and_minute(text)?)
}

/// A zone, which may be as short as `+02`, or nothing.
pub fn maybe_zone(text: &str) -> &str {
    let mut zone = [zone, offset_hours]
        .into_iter()
        .filter_map(|zone| zone(text));
    zone.find(|rest| ends(rest)).unwrap_or(text)
}

/// `Z`, ` UTC`, ` GMT`, `+02:00`, `+0200`.
fn zone(text: &str) -> Option<&str> {
    let name = word(text, "Z").or_else(|| one_of(maybe_blank(text), &["UTC", "GMT"]));
    name.or_else(|| {
        let hours = offset_hours(text)?;
        two_digits(hours.strip_prefix(':').unwrap_or(hours), 0..=59)
    })
}

/// `+02`.
fn offset_hours(text: &str) -> Option<&str> {
    two_digits(maybe_blank(text).strip_prefix(['+', '-'])?, 0..=14)
}

/// `2:05 pm`, `2 pm`, `2am`.
fn with_half_of_day(text: &str) -> Option<&str> {
    let hour = number(text, 1..=2, 0..=23)?;
    if let Some(minute_end) = minute(hour) {
        let second_end = minute(minute_end).unwrap_or(minute_end);
        return one_of(maybe_blank(second_end), &["am", "pm", "a.m.", "p.m."]);
    }
    word(hour, "am").or_else(|| one_of(maybe_blank(hour), &["pm", "a.m.", "p.m."]))
}

/// `9 am`: in German, `am` is a word that may follow any number.
fn hour_am(text: &str) -> Option<&str> {
    word(maybe_blank(number(text, 1..=2, 0..=23)?), "am")
}

/// Whether one of the words stands before, with nothing but blanks and marks between.
fn follows_a_word(said: &str) -> bool {
    let said = said.trim_end_matches(|c: char| c <= ' ' || "\"'`:*>".contains(c));
    WORDS.iter().any(|word| {
        let at = said.len().checked_sub(word.len());
        let parts = at.and_then(|at| said.split_at_checked(at));
        parts.is_some_and(|(before, end)| {
            let inside = |last: char| last.is_ascii_alphanumeric() || last == '_';
            end.eq_ignore_ascii_case(word) && !before.ends_with(inside)
        })
    })
}
