//! Takes off what a harness's read tool puts around a file's lines.

/// Lines that each begin with their number and `separator`, numbered without a gap: the first
/// number and the lines without it. None for anything else.
///
/// Blanks before a number are taken off with it.
pub(crate) fn numbered(text: &str, separator: &str) -> Option<(u32, Vec<String>)> {
    let mut first = None;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let (number, rest) = numbered_line(line, separator)?;
        let first = *first.get_or_insert(number);
        let due = u64::from(first) + lines.len() as u64;
        if u64::from(number) != due {
            return None;
        }
        lines.push(rest.to_owned());
    }
    Some((first?, lines))
}

fn numbered_line<'a>(line: &'a str, separator: &str) -> Option<(u32, &'a str)> {
    let line = line.trim_start_matches(' ');
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let number = line.get(..digits)?.parse().ok()?;
    let rest = line.get(digits..)?;
    let rest = match rest.strip_prefix(separator) {
        Some(rest) => rest,
        // Trailing blanks of an empty line do not survive every harness.
        None if rest == separator.trim_end() => "",
        None => return None,
    };
    Some((number, rest))
}

/// `text` without the `<system-reminder>` blocks at its end.
pub(crate) fn without_reminders(text: &str) -> &str {
    let mut text = text;
    while let Some(body) = text.trim_end().strip_suffix("</system-reminder>") {
        let Some(start) = body.rfind("<system-reminder>") else {
            break;
        };
        text = body
            .get(..start)
            .unwrap_or_default()
            .trim_end_matches(['\n', '\r', ' ']);
    }
    text
}

/// `text` without one line break at its end.
pub(crate) fn without_final_break(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

/// What stands between two marks, the first of each.
pub(crate) fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    Some(rest.split_once(close)?.0)
}

/// The whole number that `text` begins with.
pub(crate) fn leading_number(text: &str) -> Option<u32> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.get(..digits)?.parse().ok()
}

/// Two numbers with something between them: `12-40`.
pub(crate) fn range(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.trim().split_once('-')?;
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_of_numbers() {
        for (text, separator) in [
            ("     9→a\n    10→\n    11→ b", "→"),
            ("     9\ta\n    10\t\n    11\t b", "\t"),
            ("9: a\n10: \n11:  b", ": "),
            ("9: a\n10:\n11:  b", ": "),
            (" 9 | a\n10 | \n11 |  b", " | "),
            ("9. a\n10. \n11.  b", ". "),
            ("9:a\n10:\n11: b", ":"),
        ] {
            let lines = ["a", "", " b"].map(str::to_owned).to_vec();
            assert_eq!(numbered(text, separator), Some((9, lines)), "{text}");
        }
    }

    #[test]
    fn a_gap_or_a_bare_line_is_no_numbering() {
        for text in ["1→a\n3→b", "1→a\nb", "", "→a", "99999999999→a", "1a"] {
            assert_eq!(numbered(text, "→"), None, "{text}");
        }
    }

    #[test]
    fn a_carriage_return_is_content() {
        assert_eq!(
            numbered("1→a\r\n2→b", "→"),
            Some((1, vec!["a\r".into(), "b".into()]))
        );
    }

    #[test]
    fn reminders_go_and_lines_stay() {
        let reminder = "<system-reminder>\nBe good.\n</system-reminder>\n";
        assert_eq!(without_reminders(&format!("1→a\n\n{reminder}")), "1→a");
        assert_eq!(
            without_reminders(&format!("1→a\n2→\n\n{reminder}\n{reminder}")),
            "1→a\n2→"
        );
        assert_eq!(
            without_reminders("1→</system-reminder>"),
            "1→</system-reminder>"
        );
        assert_eq!(without_reminders("plain\n"), "plain\n");
    }
}
