//! Text of a model's or a repository's on the bracket's line: it ends neither the bracket nor the line
//! (docs/rulings.md, "Where a sentence stands").

use crate::lines;
use crate::rules::Rules;

/// A text as a bracket has it: control characters and `]` escaped.
pub fn escaped(text: &str) -> String {
    escape(text, ']')
}

/// A text as a table's cell has it: control characters and `|` escaped.
pub fn cell(text: &str) -> String {
    escape(text, '|')
}

/// What a refusal repeats of what it was asked: its beginning, escaped.
pub fn repeated(text: &str, rules: &Rules) -> String {
    let most = rules.repeated_chars as usize;
    let beginning = match most {
        0 => text,
        most => lines::first_characters(text, most),
    };
    let mut repeated = escaped(beginning);
    if beginning.len() < text.len() {
        repeated.push_str(&rules.cap.cut);
    }
    repeated
}

fn escape(text: &str, special: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            control if control.is_control() => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => {
                if other == special {
                    escaped.push('\\');
                }
                escaped.push(other);
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_neither_the_bracket_nor_the_line() {
        let path = "a] x\n\r\t\0\u{1b}\u{85}\\é|";
        assert_eq!(escaped(path), r"a\] x\n\r\t\u0000\u001b\u0085\é|");
        assert_eq!(cell(path), r"a] x\n\r\t\u0000\u001b\u0085\é\|");
    }
}
