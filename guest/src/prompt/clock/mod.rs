//! No date or time in the harness's own words (§10.2). The forms: docs/requests.md, Checks.

mod date;
mod scan;
mod time;

/// What may stand before a time, beside what bounds every word.
const BEFORE_A_TIME: &str = "\"'`,;>*|";

/// What may stand before a date, and not before a time: `a.ts (10:20)`, `a.ts:10:20`.
const BEFORE_A_DATE: &str = "([:";

/// The first date or time in a text, and the character at which it stands, from 0.
pub fn find(text: &str) -> Option<(usize, &str)> {
    let mut last = None;
    for (character, (at, next)) in text.char_indices().enumerate() {
        let before = last.replace(next);
        if !next.is_ascii_alphanumeric() {
            continue;
        }
        let (said, text) = text.split_at_checked(at)?;
        if let Some(rest) = date_or_time(before, said, text) {
            return Some((character, text.get(..text.len() - rest.len())?));
        }
    }
    None
}

/// What follows the date or time with which `text` begins; `said` is what stands before it.
fn date_or_time<'a>(before: Option<char>, said: &str, text: &'a str) -> Option<&'a str> {
    let among = |marks: &str| before.is_some_and(|before| marks.contains(before));
    let after_word = before.is_none_or(scan::bounds) || among(BEFORE_A_TIME);
    if !after_word && !among(BEFORE_A_DATE) {
        return None;
    }
    let date = date::after(text).filter(|_| !date::is_a_version(said));
    date.or_else(|| after_word.then(|| time::after(said, text))?)
}

#[cfg(test)]
mod tests;
