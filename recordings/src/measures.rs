//! What recording harnesses do themselves. A recording comes after it, so it never counts as a
//! saving of these rules; the report says how much of it there was.

/// An output that the harness cut.
pub(crate) const CUT: &str = "output cut by the harness";
/// An output that the harness put into a file and showed the beginning of.
pub(crate) const TO_FILE: &str = "output moved to a file by the harness";
/// A re-read that the harness answered with a stub of its own.
pub(crate) const STUB: &str = "unchanged re-read answered by the harness";
/// An old result that the harness blanked or masked in later requests.
pub(crate) const MASKED: &str = "old result masked by the harness";

/// What a result begins with.
const BEGINNINGS: &[(&str, &str)] = &[
    ("<persisted-output>", TO_FILE),
    ("Output too large to read at once (", TO_FILE),
    ("<tool_output_masked>", MASKED),
    ("[Old tool result content cleared]", MASKED),
    ("Old environment output: (", MASKED),
    ("Wasted call", STUB),
    ("File unchanged since last read", STUB),
    ("Output too large. Showing first ", CUT),
];

/// What stands before and after a number, anywhere in a result.
const AROUND_NUMBERS: &[(&str, &str)] = &[
    ("... [", " lines truncated] ..."),
    ("... [", " characters truncated] ..."),
    ("…", " tokens truncated…"),
    ("<elided_chars>\n", " characters elided"),
    (".", "KB limit)"),
    ("Showing only ", " of "),
    ("[...", " lines omitted...]"),
];

const CLIPPED: &str = "<response clipped><NOTE>Due to the max output limit";
const OBSERVATION: &str = "[... Observation truncated due to length ...]";

/// The measure that shaped a result, by what the harness left in its text.
pub(crate) fn measure_of(text: &str) -> Option<&'static str> {
    let begins = BEGINNINGS.iter().find(|(mark, _)| text.starts_with(mark));
    if let Some((_, measure)) = begins {
        return Some(measure);
    }
    let cut = AROUND_NUMBERS
        .iter()
        .any(|(before, after)| around_number(text, before, after))
        || text.contains(CLIPPED)
        || text.contains(OBSERVATION);
    cut.then_some(CUT)
}

fn around_number(text: &str, before: &str, after: &str) -> bool {
    text.match_indices(after).any(|(at, _)| {
        let head = text.get(..at).unwrap_or_default();
        let bare = head.trim_end_matches(|character: char| character.is_ascii_digit());
        bare.len() < head.len() && bare.ends_with(before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_marks() {
        for (text, measure) in [
            (
                "<persisted-output>\nOutput too large (56 KB)",
                Some(TO_FILE),
            ),
            (
                "Wasted call — file unchanged since your last Read.",
                Some(STUB),
            ),
            ("a\n\n... [269 lines truncated] ...", Some(CUT)),
            ("is…1701 tokens truncated…uoted", Some(CUT)),
            (
                "[Showing lines 1-1603 of 2377 (50.0KB limit). Use offset=1604]",
                Some(CUT),
            ),
            (
                "x |<response clipped><NOTE>Due to the max output limit, only",
                Some(CUT),
            ),
            ("if text.contains(\" tokens truncated…\")", None),
            ("plain", None),
            ("", None),
        ] {
            assert_eq!(measure_of(text), measure, "{text}");
        }
    }
}
