//! Two texts, and what changed between them.

use super::Cause;
use super::embedded;
use super::volatile;

/// The characters that two texts begin with alike.
pub(crate) fn common_prefix(a: &str, b: &str) -> u64 {
    let equal = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    equal.count() as u64
}

/// The characters that two texts end with alike.
pub(crate) fn common_suffix(a: &str, b: &str) -> u64 {
    let equal = a
        .chars()
        .rev()
        .zip(b.chars().rev())
        .take_while(|(a, b)| a == b);
    equal.count() as u64
}

/// The byte at which two texts first differ, on a character's boundary; none where they are equal.
pub(crate) fn first_difference(a: &str, b: &str) -> Option<usize> {
    let mut characters = a.char_indices().zip(b.chars());
    let differing = characters.find(|((_, a), b)| a != b);
    let end = a.len().min(b.len());
    differing
        .map(|((at, _), _)| at)
        .or((a.len() != b.len()).then_some(end))
}

/// Why a text is another, by what stands at the first difference.
pub(crate) fn cause(a: &str, b: &str) -> Cause {
    embedded::cause(a, b)
        .or_else(|| only_white_space(a, b).then_some(Cause::WhiteSpace))
        .or_else(|| volatile::cause(a, b))
        .unwrap_or(Cause::TextChanged)
}

fn only_white_space(a: &str, b: &str) -> bool {
    let visible =
        |text: &str| -> Vec<char> { text.chars().filter(|c| !c.is_whitespace()).collect() };
    visible(a) == visible(b)
}

/// Why a tool's result is another.
pub(crate) fn result_cause(a: &str, b: &str) -> Cause {
    if let Some(cause) = embedded::cause(a, b) {
        return cause;
    }
    if only_white_space(a, b) {
        return Cause::WhiteSpace;
    }
    let (before, now) = (a.chars().count() as u64, b.chars().count() as u64);
    let alike = common_prefix(a, b) + common_suffix(a, b);
    if now >= before {
        Cause::ResultChanged
    } else if now == 0 {
        Cause::ResultReplaced
    } else if alike * 2 >= now {
        Cause::ResultShortened
    } else if now * 2 <= before {
        Cause::ResultReplaced
    } else {
        Cause::ResultChanged
    }
}

/// Characters shown before the first difference, and from it on.
const BEFORE: usize = 24;
const AFTER: usize = 56;

/// What stands around the first difference.
pub(crate) fn excerpts(a: &str, b: &str) -> (String, String) {
    let at = first_difference(a, b).unwrap_or(0);
    (around(a, at), around(b, at))
}

fn around(text: &str, at: usize) -> String {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let start = before
        .char_indices()
        .rev()
        .nth(BEFORE - 1)
        .map_or(0, |(at, _)| at);
    let shown = before.get(start..).unwrap_or_default();
    let dots = if start > 0 { "…" } else { "" };
    format!("{dots}{shown}{}", beginning(after))
}

/// A text's beginning, with an ellipsis where it goes on.
pub(crate) fn beginning(text: &str) -> String {
    match text.char_indices().nth(AFTER) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_never_split() {
        assert_eq!(first_difference("é", "è"), Some(0));
        assert_eq!(first_difference("aé", "aéx"), Some(3));
        assert_eq!(first_difference("中", "中"), None);
        assert_eq!(
            (common_prefix("中a", "中b"), common_suffix("a中", "b中")),
            (1, 1)
        );
        let long = "é".repeat(200);
        let (shown, other) = excerpts(&format!("{long}a{long}"), &format!("{long}b{long}"));
        assert_eq!(
            shown,
            format!("…{}a{}…", "é".repeat(BEFORE), "é".repeat(AFTER - 1))
        );
        assert_eq!(other.chars().count(), shown.chars().count());
    }

    #[test]
    fn results_are_shortened_or_replaced() {
        let long = "0123456789".repeat(20);
        for (now, expected) in [
            (
                format!("{}\n[truncated]", &long[..100]),
                Cause::ResultShortened,
            ),
            (
                "[Old tool result content cleared]".to_owned(),
                Cause::ResultReplaced,
            ),
            (String::new(), Cause::ResultReplaced),
            (format!("{long}!"), Cause::ResultChanged),
            (format!("{long}\n"), Cause::WhiteSpace),
        ] {
            assert_eq!(result_cause(&long, &now), expected, "{now}");
        }
    }
}
