//! What tends to change by itself in a prompt: dates and times, ids, paths.

use std::sync::LazyLock;

use regex_lite::Regex;

use super::Cause;
use super::text::first_difference;

/// Bytes that are searched on both sides of a difference.
const REACH: usize = 160;

/// The kinds, in the order in which they are tried.
static KINDS: LazyLock<Vec<(Cause, Vec<Regex>)>> = LazyLock::new(|| {
    [
        (Cause::Date, DATES.as_slice()),
        (Cause::Identifier, &IDENTIFIERS),
        (Cause::FilePath, &PATHS),
    ]
    .map(|(cause, patterns)| {
        let compiled = patterns
            .iter()
            .filter_map(|pattern| Regex::new(pattern).ok());
        (cause, compiled.collect())
    })
    .into()
});

const DATES: [&str; 9] = [
    r"\d{4}-\d{1,2}-\d{1,2}([T ]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?)?( ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}))?",
    r"\d{4}[/.]\d{1,2}[/.]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{1,2}/\d{1,2}/\d{2}",
    r"\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[AaPp]\.?[Mm]\.?)?",
    r"(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? +\d{1,2}(st|nd|rd|th)?(,? +\d{4})?",
    r"(?i)\b\d{1,2}(st|nd|rd|th)?\.? +(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(,? +\d{4})?",
    r"(?i)\b(january|february|march|april|june|july|august|september|october|november|december)\b( +\d{4})?",
    r"(?i)\b(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?\b",
    r"\b1[5-9]\d{8}(\d{3}|\d{6}|\.\d+)?\b",
    r"\d{4}年\d{1,2}月\d{1,2}日",
];

const IDENTIFIERS: [&str; 4] = [
    r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
    r"(?i)\b[0-9a-f]{7,}\b",
    r"(?i)\b(session|sess|thread|conversation|conv|run|req|request|trace|user|agent|task|call|toolu|msg|resp|chatcmpl)[_-][0-9a-z_-]{3,}",
    // Letters and digits in one word, as no word of a language has them.
    r"\b[0-9A-Za-z_-]*([A-Za-z]\d+|\d+[A-Za-z])[0-9A-Za-z_-]{5,}",
];

const PATHS: [&str; 2] = [
    r#"(~|\b[A-Za-z]:)?([/\\][^/\\\s"'`<>|:;,()]+)+[/\\]?"#,
    r#"(~|\b[A-Za-z]:)[/\\]"#,
];

/// What both texts have at the first difference: the first kind of which both have one there, and
/// after which both go on alike.
pub(crate) fn cause(a: &str, b: &str) -> Option<Cause> {
    let at = first_difference(a, b)?;
    let (a, within_a) = window(a, at);
    let (b, within_b) = window(b, at);
    let both = |(cause, patterns): &&(Cause, Vec<Regex>)| {
        let others = followers(*cause, patterns, b, within_b);
        let here = followers(*cause, patterns, a, within_a);
        here.iter().any(|follower| others.contains(follower))
    };
    KINDS.iter().find(both).map(|(cause, _)| *cause)
}

/// The text around a byte, and where in it that byte is.
fn window(text: &str, at: usize) -> (&str, usize) {
    let mut start = at.saturating_sub(REACH);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (at + REACH).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    (text.get(start..end).unwrap_or_default(), at - start)
}

/// The characters that follow the matches that hold the byte, or end right before it; none at the
/// text's end.
fn followers(cause: Cause, patterns: &[Regex], text: &str, at: usize) -> Vec<Option<char>> {
    let matches = patterns.iter().flat_map(|pattern| pattern.find_iter(text));
    let held = matches.filter(|found| {
        found.start() <= at
            && at <= found.end()
            && (cause != Cause::Identifier || mixed(found.as_str()))
    });
    held.map(|found| text.get(found.end()..).and_then(|rest| rest.chars().next()))
        .collect()
}

/// Digits among other characters: neither a number nor a word.
fn mixed(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits > 0 && digits < text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        let compiled: usize = KINDS.iter().map(|(_, patterns)| patterns.len()).sum();
        assert_eq!(compiled, DATES.len() + IDENTIFIERS.len() + PATHS.len());
    }

    #[test]
    fn knows_what_changes_by_itself() {
        for (a, b, expected) in [
            (
                "Today is 2026-11-29.",
                "Today is 2026-11-30.",
                Some(Cause::Date),
            ),
            ("It is 9:05 PM", "It is 10:05 PM", Some(Cause::Date)),
            ("Sunday, Nov 29", "Monday, Nov 30", Some(Cause::Date)),
            (
                "on 29. November 2026",
                "on 30. November 2026",
                Some(Cause::Date),
            ),
            ("November 2026", "December 2026", Some(Cause::Date)),
            ("now: 1780000000", "now: 1780000411", Some(Cause::Date)),
            (
                "今天是2026年11月29日",
                "今天是2026年11月30日",
                Some(Cause::Date),
            ),
            (
                "id 0b8f2c9e-1111-4222-8333-444455556666",
                "id 7c8f2c9e-1111-4222-8333-444455556666",
                Some(Cause::Identifier),
            ),
            ("at a3f9c21", "at b3f9c21", Some(Cause::Identifier)),
            ("session_ab1", "session_zz9", Some(Cause::Identifier)),
            ("/s/Zk39dQpL2x", "/s/Pk39dQpL2x", Some(Cause::Identifier)),
            (
                "cwd: /home/dev/app",
                "cwd: /home/dev/site",
                Some(Cause::FilePath),
            ),
            (
                "cwd: C:\\work\\app",
                "cwd: C:\\work\\site",
                Some(Cause::FilePath),
            ),
            ("cwd: ~/app", "cwd: /srv/app", Some(Cause::FilePath)),
            ("see /home/dev/app/a.rs: 1", "see /home/dev… [cut]", None),
            ("be kind", "be brief", None),
            ("version 2.0.14", "version 2.0.15", None),
            ("1234567 tokens left", "1234444 tokens left", None),
        ] {
            assert_eq!(cause(a, b), expected, "{a} / {b}");
        }
    }
}
