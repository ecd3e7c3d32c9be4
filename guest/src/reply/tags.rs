//! Reasoning in inline tags, `<think>…</think>`, taken out of a text (§8).

/// A text taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct TakenApart {
    /// The reasoning, if there was any between tags.
    pub reasoning: Option<String>,
    /// What is left.
    pub text: String,
}

/// Takes reasoning out of `text`, whatever pair of `tags` it stands in.
pub fn take_apart(text: &str, tags: &[(String, String)]) -> TakenApart {
    let mut found = Vec::new();
    let rest = take_opened_by_template(text, tags, &mut found);
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

/// A template may write the opening tag into the prompt: then all before the first closing tag is
/// reasoning, unless an opening tag of its kind comes before it.
fn take_opened_by_template<'a>(
    text: &'a str,
    tags: &[(String, String)],
    found: &mut Vec<&'a str>,
) -> &'a str {
    let orphans = tags.iter().filter_map(|(opening, closing)| {
        let (before, after) = text.split_once(closing.as_str())?;
        (!before.contains(opening.as_str())).then_some((before, after))
    });
    match orphans.min_by_key(|(before, _)| before.len()) {
        Some((reasoning, rest)) => {
            found.push(reasoning);
            rest
        }
        None => text,
    }
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
    let mut rest = text;
    while !rest.is_empty() {
        let block = opened(rest, tags).filter(|_| !fenced);
        let closed = block.and_then(|(inner, closing)| inner.split_once(closing));
        if let Some((reasoning, after)) = closed {
            found.push(reasoning);
            rest = after;
        }
        fenced ^= closed.is_none() && rest.starts_with("```");
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
        let taken = take_apart(text, &tags);
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
        ] {
            let expected = (reasoning.map(str::to_owned), left.to_owned());
            assert_eq!(apart(text), expected, "{text}");
        }
    }
}
