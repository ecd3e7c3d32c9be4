//! Enough of a shell's grammar to see which plain commands a command line runs.

/// What joins a command to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joined {
    /// `;`, `&&`, `||`, a line break, or nothing: the first one.
    After,
    /// `|`
    Pipe,
}

/// One plain command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) joined: Joined,
    /// Unquoted.
    pub(crate) words: Vec<String>,
    /// Output goes to a file other than /dev/null.
    pub(crate) redirected: bool,
    /// A word holds what the shell would expand: `*`, `?`, `[`, `$`, `{`.
    pub(crate) expands: bool,
}

/// The plain commands of a command line, in order. None where it holds what plain words can't tell:
/// a substitution, a subshell, a here-document, an unclosed quote.
pub(crate) fn commands(line: &str) -> Option<Vec<Command>> {
    let mut parser = Parser::default();
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let next = rest.get(character.len_utf8()..)?;
        rest = parser.step(character, next)?;
    }
    parser.end_command(Joined::After)?;
    Some(parser.commands)
}

#[derive(Default)]
struct Parser {
    commands: Vec<Command>,
    joined: Option<Joined>,
    words: Vec<String>,
    word: Option<String>,
    redirected: bool,
    expands: bool,
    /// The next word is where output goes.
    target: bool,
}

impl Parser {
    /// Takes `character` and as much of what follows as belongs to it; the rest is returned.
    fn step<'a>(&mut self, character: char, next: &'a str) -> Option<&'a str> {
        match character {
            '\'' => self.single(next),
            '"' => self.double(next),
            '\\' => self.escaped(next),
            ' ' | '\t' | '\r' => {
                self.end_word()?;
                Some(next)
            }
            '\n' | ';' => self.separator(Joined::After, next),
            '&' if next.starts_with('&') => self.separator(Joined::After, next.get(1..)?),
            '&' if next.starts_with('>') => self.redirect(next.get(1..)?),
            '|' if next.starts_with('|') => self.separator(Joined::After, next.get(1..)?),
            '|' => self.separator(Joined::Pipe, next),
            '>' => self.redirect(next),
            '#' if self.word.is_none() => Some(
                next.find('\n')
                    .map_or("", |at| next.get(at..).unwrap_or_default()),
            ),
            '`' | '(' | ')' | '<' | '&' => None,
            '$' if next.starts_with('(') => None,
            other => {
                self.expands |= "*?[${".contains(other);
                self.word.get_or_insert_default().push(other);
                Some(next)
            }
        }
    }

    fn single<'a>(&mut self, next: &'a str) -> Option<&'a str> {
        let (quoted, rest) = next.split_once('\'')?;
        self.word.get_or_insert_default().push_str(quoted);
        Some(rest)
    }

    fn double<'a>(&mut self, next: &'a str) -> Option<&'a str> {
        let word = self.word.get_or_insert_default();
        let mut characters = next.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => return next.get(at + 1..),
                '\\' => match characters.next()?.1 {
                    '\n' => {}
                    quoted @ ('"' | '\\' | '$' | '`') => word.push(quoted),
                    other => word.extend(['\\', other]),
                },
                '`' => return None,
                '$' if next.get(at + 1..)?.starts_with('(') => return None,
                other => {
                    self.expands |= other == '$';
                    word.push(other);
                }
            }
        }
        None
    }

    fn escaped<'a>(&mut self, next: &'a str) -> Option<&'a str> {
        let character = next.chars().next()?;
        if character != '\n' {
            self.word.get_or_insert_default().push(character);
        }
        next.get(character.len_utf8()..)
    }

    fn separator<'a>(&mut self, joined: Joined, next: &'a str) -> Option<&'a str> {
        self.end_command(joined)?;
        Some(next)
    }

    /// After a `>`: the rest of the operator, then the target.
    fn redirect<'a>(&mut self, next: &'a str) -> Option<&'a str> {
        // `2>` belongs to the operator.
        if self
            .word
            .as_deref()
            .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        {
            self.word = None;
        }
        self.end_word()?;
        let next = next.strip_prefix(['>', '|']).unwrap_or(next);
        if let Some(next) = next.strip_prefix('&') {
            let digits = next
                .bytes()
                .take_while(|byte| byte.is_ascii_digit() || *byte == b'-')
                .count();
            return if digits > 0 { next.get(digits..) } else { None };
        }
        self.target = true;
        Some(next)
    }

    fn end_word(&mut self) -> Option<()> {
        let Some(word) = self.word.take() else {
            return Some(());
        };
        if std::mem::take(&mut self.target) {
            self.redirected |= word != "/dev/null";
        } else {
            self.words.push(word);
        }
        Some(())
    }

    fn end_command(&mut self, next: Joined) -> Option<()> {
        self.end_word()?;
        if self.target {
            return None;
        }
        let joined = self.joined.replace(next).unwrap_or(Joined::After);
        if !self.words.is_empty() || self.redirected {
            self.commands.push(Command {
                joined,
                words: std::mem::take(&mut self.words),
                redirected: std::mem::take(&mut self.redirected),
                expands: std::mem::take(&mut self.expands),
            });
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Option<Vec<(Joined, String, bool)>> {
        let commands = commands(line)?;
        Some(
            commands
                .into_iter()
                .map(|c| (c.joined, c.words.join("·"), c.redirected))
                .collect(),
        )
    }

    #[test]
    fn reads_words_quotes_and_joints() {
        use Joined::{After, Pipe};
        for (line, expected) in [
            (
                "cat 'a b' \"c\\\"d\" e\\ f",
                vec![(After, "cat·a b·c\"d·e f", false)],
            ),
            (
                "cd x && nl -ba F | sed -n '1,2p'; ls",
                vec![
                    (After, "cd·x", false),
                    (After, "nl·-ba·F", false),
                    (Pipe, "sed·-n·1,2p", false),
                    (After, "ls", false),
                ],
            ),
            ("ls 2>&1 >/dev/null # all", vec![(After, "ls", false)]),
            ("ls 2> /dev/null &> log", vec![(After, "ls", true)]),
            (
                "echo a >> b\nls",
                vec![(After, "echo·a", true), (After, "ls", false)],
            ),
            ("echo ''", vec![(After, "echo·", false)]),
            ("", vec![]),
        ] {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(j, w, r)| (j, w.to_owned(), r))
                .collect();
            assert_eq!(words(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn what_plain_words_cannot_tell_is_none() {
        for line in [
            "a $(b)",
            "a `b`",
            "(a)",
            "cat <<E\nE",
            "cat < a",
            "a 'b",
            "a \"b",
            "a &",
            "a \\",
            "a >",
            "\"$(x)\"",
        ] {
            assert_eq!(commands(line), None, "{line}");
        }
    }

    #[test]
    fn an_expansion_is_noted() {
        let expands = |line| commands(line).unwrap()[0].expands;
        assert!(expands("cat *.rs") && expands("cat \"$A\"") && expands("cat {a,b}"));
        assert!(!expands("cat '*.rs'") && !expands("sed -n '$p' a"));
    }
}
