//! Dates.

use super::scan::{
    any_blanks, blanks, ends, maybe_blank, number, one_of, separator, two_digits as two, word,
};
use super::time;

/// The English months.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// What follows the date with which `text` begins.
pub fn after(text: &str) -> Option<&str> {
    let forms = [year_first, year_last, day_month, month_day, with_characters];
    let date = forms.into_iter().find_map(|form| {
        let rest = form(text)?;
        let time = word(rest, "T").and_then(|rest| two(rest, 0..=99));
        (ends(rest) || time.is_some()).then_some(rest)
    });
    date.or_else(|| without_separators(text).filter(|rest| ends(rest)))
}

/// Whether what stands before a date makes it the name of a version: `api-version: 2023-06-01`.
pub fn is_a_version(said: &str) -> bool {
    let said = said.trim_end_matches(|c: char| c <= ' ' || "\"'`:(".contains(c));
    let at = said.len().checked_sub("version".len());
    let end = at.and_then(|at| said.get(at..));
    end.is_some_and(|end| end.eq_ignore_ascii_case("version"))
}

fn year(text: &str) -> Option<&str> {
    number(text, 4..=4, 1900..=2099)
}

fn day(text: &str) -> Option<&str> {
    number(text, 1..=2, 1..=31)
}

fn month(text: &str) -> Option<&str> {
    number(text, 1..=2, 1..=12)
}

/// `2026-11-30`, `2026/11/30`, `2026.11.30`.
fn year_first(text: &str) -> Option<&str> {
    let (mark, rest) = separator(year(text)?, "-/.")?;
    // `2026.1.3` is a version.
    let least = if mark == '.' { 2 } else { 1 };
    let rest = number(rest, least..=2, 1..=12)?;
    number(rest.strip_prefix(mark)?, least..=2, 1..=31)
}

/// `30.11.2026`, `30-11-2026`, `30/11/2026`, `11/30/2026`, `11-30-2026`.
fn year_last(text: &str) -> Option<&str> {
    let day_first = numbers(day(text), month, "-/.");
    day_first.or_else(|| numbers(month(text), day, "-/"))
}

/// What follows the second number and the year, each after the same separator.
#[inline(never)]
fn numbers<'a>(
    first: Option<&'a str>,
    second: fn(&'a str) -> Option<&'a str>,
    separators: &str,
) -> Option<&'a str> {
    let (mark, rest) = separator(first?, separators)?;
    year(second(rest)?.strip_prefix(mark)?)
}

/// `30 November 2026`, `30th of Nov. 2026`, `30-Nov-2026`.
fn day_month(text: &str) -> Option<&str> {
    let rest = day(text)?;
    if let Some(rest) = rest.strip_prefix('-') {
        return year(month_name(rest)?.strip_prefix('-')?);
    }
    let rest = blanks(one_of(rest, &["st", "nd", "rd", "th", "."]).unwrap_or(rest))?;
    let rest = word(rest, "of").and_then(blanks).unwrap_or(rest);
    let rest = month_name(rest)?;
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    year(blanks(rest.strip_prefix(',').unwrap_or(rest))?)
}

/// `Nov. 30, 2026`, `November 30th 2026`.
fn month_day(text: &str) -> Option<&str> {
    let rest = month_name(text)?;
    let rest = day(blanks(rest.strip_prefix('.').unwrap_or(rest))?)?;
    let rest = one_of(rest, &["st", "nd", "rd", "th"]).unwrap_or(rest);
    match rest.strip_prefix(',') {
        Some(rest) => year(any_blanks(rest)),
        None => year(blanks(rest)?),
    }
}

/// `2026年11月30日`.
fn with_characters(text: &str) -> Option<&str> {
    let part = |text, sign| maybe_blank(text).strip_prefix(sign).map(maybe_blank);
    let rest = month(part(year(text)?, '年')?)?;
    let rest = day(part(rest, '月')?)?;
    maybe_blank(rest).strip_prefix('日')
}

/// `20261130T120500Z`.
fn without_separators(text: &str) -> Option<&str> {
    let (year_digits, rest) = text.split_at_checked(4)?;
    year(year_digits)?;
    let rest = two(two(rest, 1..=12)?, 1..=31)?;
    let rest = two(two(word(rest, "T")?, 0..=23)?, 0..=59)?;
    let rest = two(rest, 0..=59).unwrap_or(rest);
    Some(time::maybe_zone(rest))
}

/// A month's name, in full or three letters, or `Sept`.
fn month_name(text: &str) -> Option<&str> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, rest) = text.split_at_checked(letters)?;
    let name = name.to_ascii_lowercase();
    let mut months = MONTHS.iter();
    let known = months.any(|month| name == *month || month.get(..3) == Some(&name));
    (known || name == "sept").then_some(rest)
}
