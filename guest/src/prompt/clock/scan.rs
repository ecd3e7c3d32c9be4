//! Pieces of dates and times: each function answers what follows the piece in the text.
//!
//! None is inlined: they are called from everywhere, and the component is to stay small.

/// The blanks within a date or time: U+202F is what JavaScript writes before `PM`.
const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// Whether a character bounds a date or time on either side: white space, control characters,
/// and what is not ASCII, as Chinese and Japanese set no blanks.
pub fn bounds(character: char) -> bool {
    character <= ' ' || !character.is_ascii()
}

/// Whether a date or time may end before this text.
#[inline(never)]
pub fn ends(rest: &str) -> bool {
    let mut characters = rest.chars();
    match characters.next() {
        // `30.11.2026.1` and `10:20:300` go on.
        Some('.' | ':') => !characters
            .next()
            .is_some_and(|next| next.is_ascii_alphanumeric()),
        next => next.is_none_or(|next| bounds(next) || ",;!?)]}\"'`*<|".contains(next)),
    }
}

/// A whole number of so many digits, at least and at most, in a range.
#[inline(never)]
pub fn number(
    text: &str,
    digits: std::ops::RangeInclusive<usize>,
    range: std::ops::RangeInclusive<u32>,
) -> Option<&str> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(count)?;
    let fits = digits.contains(&count) && range.contains(&number.parse().ok()?);
    fits.then_some(rest)
}

/// Two digits, whatever follows, in a range.
#[inline(never)]
pub fn two_digits(text: &str, range: std::ops::RangeInclusive<u32>) -> Option<&str> {
    let (digits, rest) = text.split_at_checked(2)?;
    number(digits, 2..=2, range).map(|_| rest)
}

/// A word in any case.
#[inline(never)]
pub fn word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (given, rest) = text.split_at_checked(word.len())?;
    given.eq_ignore_ascii_case(word).then_some(rest)
}

/// The first of some words.
#[inline(never)]
pub fn one_of<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|each| word(text, each))
}

/// One blank or none.
#[inline(never)]
pub fn maybe_blank(text: &str) -> &str {
    text.strip_prefix(BLANKS).unwrap_or(text)
}

/// One blank or more.
#[inline(never)]
pub fn blanks(text: &str) -> Option<&str> {
    let rest = any_blanks(text);
    (rest.len() < text.len()).then_some(rest)
}

/// Blanks or none.
#[inline(never)]
pub fn any_blanks(text: &str) -> &str {
    text.trim_start_matches(BLANKS)
}

/// One of some characters, and what follows.
#[inline(never)]
pub fn separator<'a>(text: &'a str, among: &str) -> Option<(char, &'a str)> {
    let mut characters = text.chars();
    let first = characters.next().filter(|first| among.contains(*first))?;
    Some((first, characters.as_str()))
}
