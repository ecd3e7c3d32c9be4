//! Recognises a shell command that does nothing but show lines of one file.

use crate::act::Shown;
use crate::path::Base;
use crate::shell::{Command, Joined, commands};
use crate::undecorate::{numbered, without_final_break};

/// A command such as `sed -n '10,20p' src/a.rs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShellRead {
    /// Where a `cd` before it went.
    pub(crate) directory: Option<String>,
    pub(crate) path: String,
    window: Window,
    /// The lines come with their numbers (`nl -ba`, `cat -n`).
    numbers: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    first: u32,
    /// None: to the end.
    last: Option<u32>,
}

const WHOLE: Window = Window {
    first: 1,
    last: None,
};

/// The read that a command line is; none for anything else, or more than one.
pub(crate) fn shell_read(line: &str) -> Option<ShellRead> {
    let all = commands(line)?;
    let mut plain = all.as_slice();
    let mut directory = None;
    while let [first, rest @ ..] = plain
        && !rest.is_empty()
    {
        match first.words.as_slice() {
            [cd, to] if cd == "cd" && directory.is_none() && !first.expands => {
                directory = Some(to.clone());
            }
            [set, ..] if set == "set" => {}
            _ => break,
        }
        plain = rest;
    }
    if plain
        .iter()
        .any(|command| command.redirected || command.expands)
    {
        return None;
    }
    let (path, window, numbers) = match plain {
        [only] => source(only)?,
        [first, second] if second.joined == Joined::Pipe => {
            let (path, WHOLE, numbers) = source(first)? else {
                return None;
            };
            (path, filter(&second.words)?, numbers)
        }
        _ => return None,
    };
    Some(ShellRead {
        directory,
        path,
        window,
        numbers,
    })
}

/// A command that names its file.
fn source(command: &Command) -> Option<(String, Window, bool)> {
    let (path, rest) = command.words.split_last()?;
    if path.is_empty() || path.starts_with('-') {
        return None;
    }
    let words: Vec<&str> = rest.iter().map(String::as_str).collect();
    let (window, numbers) = match words.as_slice() {
        ["cat"] => (WHOLE, false),
        ["cat", "-n"] | ["nl", "-ba"] | ["nl", "-b", "a"] => (WHOLE, true),
        _ => (filter(rest)?, false),
    };
    Some((path.clone(), window, numbers))
}

/// A command that shows a window of its input.
fn filter(words: &[String]) -> Option<Window> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["sed", "-n", script] | ["sed", "-n", "-e", script] => sed_window(script),
        ["head"] => Some(Window {
            first: 1,
            last: Some(10),
        }),
        ["head", "-n", count] => head(count),
        ["head", count] => head(
            count
                .strip_prefix("-n")
                .or_else(|| count.strip_prefix('-'))?,
        ),
        ["tail", "-n", from] => tail(from),
        ["tail", from] => tail(from.strip_prefix("-n")?),
        _ => None,
    }
}

fn head(count: &str) -> Option<Window> {
    let last = count.parse().ok().filter(|count| *count > 0)?;
    Some(Window {
        first: 1,
        last: Some(last),
    })
}

/// `+A`: from line A.
fn tail(from: &str) -> Option<Window> {
    let first = from
        .strip_prefix('+')?
        .parse()
        .ok()
        .filter(|first| *first > 0)?;
    Some(Window { first, last: None })
}

/// `A,Bp`, `A,$p` or `Ap`.
fn sed_window(script: &str) -> Option<Window> {
    let lines = script.trim().strip_suffix('p')?;
    let (first, last) = lines.split_once(',').unwrap_or((lines, lines));
    let first: u32 = first.trim().parse().ok().filter(|first| *first > 0)?;
    let last = match last.trim() {
        "$" => None,
        // A range that ends before it begins shows its first line.
        last => Some(last.parse::<u32>().ok()?.max(first)),
    };
    Some(Window { first, last })
}

impl ShellRead {
    /// The lines that the command's output shows. `exact`: nothing was trimmed off its end.
    pub(crate) fn shown(
        &self,
        base: &Base,
        directory: Option<&str>,
        output: &str,
        exact: bool,
    ) -> Option<Shown> {
        let body = without_final_break(output);
        let (start, lines) = if self.numbers {
            numbered(body, "\t").filter(|(start, _)| *start == self.window.first)?
        } else {
            (
                self.window.first,
                body.split('\n').map(str::to_owned).collect(),
            )
        };
        if output.is_empty() && self.window != WHOLE {
            return None;
        }
        let count = u32::try_from(lines.len()).ok()?;
        let asked = self.window.last.map(|last| last - self.window.first + 1);
        if asked.is_some_and(|asked| count > asked) {
            return None;
        }
        let shown = Shown::part(&self.path(base, directory), start, lines);
        if asked.is_some_and(|asked| count == asked) {
            return Some(shown);
        }
        // Fewer lines than were asked for: the file ends here.
        Some(match (exact, output.len() > body.len()) {
            (true, false) => shown.ending_here(),
            (true, true) => shown.with_final_break(),
            (false, _) => Shown {
                texts: Some(shown.end()),
                ..shown
            },
        })
    }

    /// The file's path as a read tool would have been given it.
    fn path(&self, base: &Base, directory: Option<&str>) -> String {
        let directory = match (directory, &self.directory) {
            (Some(start), Some(to)) => Some(base.led_back(Some(start), to)),
            (start, to) => to.clone().or_else(|| start.map(str::to_owned)),
        };
        base.led_back(directory.as_deref(), &self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(line: &str) -> Option<(String, u32, Option<u32>, bool)> {
        let read = shell_read(line)?;
        Some((read.path, read.window.first, read.window.last, read.numbers))
    }

    #[test]
    fn recognises_plain_reads() {
        for (line, first, last, numbers) in [
            ("cat a.rs", 1, None, false),
            ("cat -n a.rs", 1, None, true),
            ("sed -n '10,20p' a.rs", 10, Some(20), false),
            ("sed -n 10p a.rs", 10, Some(10), false),
            ("sed -n '10,$p' a.rs", 10, None, false),
            ("head a.rs", 1, Some(10), false),
            ("head -50 a.rs", 1, Some(50), false),
            ("head -n 50 a.rs 2>/dev/null", 1, Some(50), false),
            ("tail -n +5 a.rs", 5, None, false),
            ("nl -ba a.rs | sed -n '10,20p'", 10, Some(20), true),
            ("cd /x && cat a.rs | head -200", 1, Some(200), false),
        ] {
            assert_eq!(
                window(line),
                Some(("a.rs".into(), first, last, numbers)),
                "{line}"
            );
        }
    }

    #[test]
    fn leaves_everything_else() {
        for line in [
            "cat a b",
            "cat",
            "cat *.rs",
            "cat a > b",
            "cat a | grep x",
            "sed -i 's/a/b/' a",
            "sed -n '/x/p' a",
            "tail -20 a",
            "nl a",
            "cat a; rm a",
            "cat a && cat b",
            "ls",
            "cat a | sed -n '1,2p' | tr a b",
            "cat <<E\nE",
            "sed -n '0,5p' a",
        ] {
            assert_eq!(shell_read(line), None, "{line}");
        }
    }

    fn shown(line: &str, output: &str, exact: bool) -> Option<(u32, Vec<String>, Option<u32>)> {
        let base = Base::new(Some("/w"));
        let shown = shell_read(line)?.shown(&base, None, output, exact)?;
        Some((shown.start, shown.lines, shown.total))
    }

    #[test]
    fn tells_the_end_of_the_file_where_it_shows() {
        let lines = |lines: &[&str]| {
            lines
                .iter()
                .map(|line| (*line).to_owned())
                .collect::<Vec<_>>()
        };
        for (line, output, exact, expected) in [
            (
                "cat a",
                "x\ny\n",
                true,
                Some((1, lines(&["x", "y", ""]), Some(3))),
            ),
            (
                "cat a",
                "x\ny",
                true,
                Some((1, lines(&["x", "y"]), Some(2))),
            ),
            ("cat a", "x\ny", false, Some((1, lines(&["x", "y"]), None))),
            ("cat a", "", true, Some((1, lines(&[""]), Some(1)))),
            (
                "sed -n '2,3p' a",
                "x\ny\n",
                true,
                Some((2, lines(&["x", "y"]), None)),
            ),
            (
                "sed -n '2,9p' a",
                "x\ny\n",
                true,
                Some((2, lines(&["x", "y", ""]), Some(4))),
            ),
            ("sed -n '2,3p' a", "x\ny\nz\n", true, None),
            ("sed -n '2,3p' a", "", true, None),
            (
                "nl -ba a | sed -n '2,3p'",
                "     2\tx\n     3\ty\n",
                true,
                Some((2, lines(&["x", "y"]), None)),
            ),
            ("nl -ba a | sed -n '2,3p'", "     5\tx\n", true, None),
        ] {
            assert_eq!(shown(line, output, exact), expected, "{line} {output:?}");
        }
    }

    #[test]
    fn paths_lead_back_to_the_root() {
        let base = Base::new(Some("/w"));
        let path = |line: &str, directory| shell_read(line).unwrap().path(&base, directory);
        assert_eq!(path("cat a", None), "a");
        assert_eq!(path("cat a", Some("/w/b")), "/w/b/a");
        assert_eq!(path("cd /w && cat a", Some("/w/b")), "a");
        assert_eq!(path("cd c && cat a", Some("/w/b")), "/w/b/c/a");
        assert_eq!(path("cd c && cat /x/a", None), "/x/a");
    }
}
