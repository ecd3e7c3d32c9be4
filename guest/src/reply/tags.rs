//! Reasoning in inline tags, `<think>…</think>`, taken out of a text (§8).

/// A text taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct TakenApart {
    /// The reasoning, if there was any between tags.
    pub reasoning: Option<String>,
    /// What is left.
    pub text: String,
}

/// Takes reasoning out of `text`, whatever pair of `tags` it stands in. `templated`: a template may
/// have written the first opening tag into the prompt.
pub fn take_apart(text: &str, tags: &[(String, String)], templated: bool) -> TakenApart {
    let mut found = Vec::new();
    let rest = if templated {
        take_opened_by_template(text, tags, &mut found)
    } else {
        text
    };
    let rest = take_leading(rest, tags, &mut found);
    let left = take_lines(rest, tags, &mut found);
    if found.is_empty() {
        return TakenApart {
            reasoning: None,
            text: text.to_owned(),
        };
    }
    let found = found.iter().map(|part| part.trim_matches('\n'));
    let kept: Vec<&str> = found.filter(|part| !part.is_empty()).collect();
    TakenApart {
        reasoning: Some(kept.join("\n\n")),
        text: left.trim_start_matches('\n').to_owned(),
    }
}

/// All before the first closing tag that stands alone on a line outside fenced code is reasoning,
/// unless an opening tag of its kind comes before it.
fn take_opened_by_template<'a>(
    text: &'a str,
    tags: &[(String, String)],
    found: &mut Vec<&'a str>,
) -> &'a str {
    let mut fenced = false;
    let mut at = 0;
    // A tag that was opened before a line was opened before each later one.
    let mut unopened: Vec<_> = tags.iter().collect();
    for line in text.split_inclusive('\n') {
        fenced ^= is_fence(line);
        let before = text.get(..at).unwrap_or_default();
        let closes = |tag: &&(String, String)| line.trim() == tag.1;
        if !fenced && unopened.iter().any(closes) {
            unopened.retain(|tag| !closes(tag) || !before.contains(tag.0.as_str()));
            if unopened.iter().any(closes) {
                found.push(before);
                return text.get(at + line.len()..).unwrap_or_default();
            }
        }
        at += line.len();
    }
    text
}

/// Whether fenced code begins or ends with a line.
fn is_fence(line: &str) -> bool {
    let marks = line.trim_start_matches(' ');
    line.len() - marks.len() <= 3 && (marks.starts_with("```") || marks.starts_with("~~~"))
}

/// Blocks at the beginning, white space before each aside. One that is never closed goes to the end.
fn take_leading<'a>(text: &'a str, tags: &[(String, String)], found: &mut Vec<&'a str>) -> &'a str {
    let mut rest = text;
    while let Some((inner, closing)) = opened(rest.trim_start(), tags) {
        match inner.split_once(closing) {
            Some((reasoning, after)) => {
                found.push(reasoning);
                rest = after;
            }
            None => {
                found.push(inner);
                return "";
            }
        }
    }
    rest
}

/// What follows an opening tag at the very beginning, and the tag that closes it.
fn opened<'a, 't>(text: &'a str, tags: &'t [(String, String)]) -> Option<(&'a str, &'t str)> {
    tags.iter().find_map(|(opening, closing)| {
        let inner = text.strip_prefix(opening.as_str())?;
        Some((inner, closing.as_str()))
    })
}

/// Closed blocks that begin a line outside fenced code.
fn take_lines<'a>(text: &'a str, tags: &[(String, String)], found: &mut Vec<&'a str>) -> String {
    let mut left = String::new();
    let mut fenced = false;
    // A tag that is not closed after one line is not closed after a later one.
    let mut unclosed = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let block =
            opened(rest, tags).filter(|(_, closing)| !fenced && !unclosed.contains(closing));
        match block.map(|(inner, closing)| (inner.split_once(closing), closing)) {
            Some((Some((reasoning, after)), _)) => {
                found.push(reasoning);
                rest = after;
            }
            Some((None, closing)) => unclosed.push(closing),
            None => fenced ^= is_fence(rest),
        }
        let end = rest.find('\n').map_or(rest.len(), |newline| newline + 1);
        let (line, after) = rest.split_at(end);
        left.push_str(line);
        rest = after;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(text: &str) -> (Option<String>, String) {
        let tags = [("<think>", "</think>"), ("[THINK]", "[/THINK]")];
        let tags = tags.map(|(opening, closing)| (opening.to_owned(), closing.to_owned()));
        let taken = take_apart(text, &tags, true);
        (taken.reasoning, taken.text)
    }

    #[test]
    fn takes_what_the_rulings_name() {
        for (text, reasoning, left) in [
            ("hello", None, "hello"),
            ("<think>\na\n</think>\n\nhi", Some("a"), "hi"),
            (
                "\n <think>a</think><think>b</think>hi",
                Some("a\n\nb"),
                "hi",
            ),
            ("[THINK]a[/THINK]hi", Some("a"), "hi"),
            ("a\n</think>\n\nhi", Some("a"), "hi"),
            ("<think>never closed", Some("never closed"), ""),
            ("hi\n<think>b</think>\nyou", Some("b"), "hi\n\nyou"),
            ("hi <think>b</think> you", None, "hi <think>b</think> you"),
            (
                "hi\n```\n<think>b</think>\n```\n",
                None,
                "hi\n```\n<think>b</think>\n```\n",
            ),
            ("<think></think>hi", Some(""), "hi"),
            (
                "Remove the `</think>` tag.",
                None,
                "Remove the `</think>` tag.",
            ),
            (
                "```xml\n</think>\n```\nok",
                None,
                "```xml\n</think>\n```\nok",
            ),
            (
                "~~~\n<think>b</think>\n~~~",
                None,
                "~~~\n<think>b</think>\n~~~",
            ),
            ("<think>a</think>\n</think>\nb", Some("a"), "</think>\nb"),
            ("a\n<think>\n<think>\nb", None, "a\n<think>\n<think>\nb"),
        ] {
            let expected = (reasoning.map(str::to_owned), left.to_owned());
            assert_eq!(apart(text), expected, "{text}");
        }
    }
}
