//! Large output is capped on the way in (§3).

use crate::lines;
use crate::rules::Cap;

/// A text that is over the cap, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capped {
    /// What the first line says of it, after the bracket; blank where nothing is said.
    pub sentence: String,
    /// Head, elided line and tail.
    pub text: String,
}

impl Capped {
    /// The result's first line.
    pub fn head(&self, bracket: &str) -> String {
        match self.sentence.as_str() {
            "" => bracket.to_owned(),
            sentence => format!("{bracket} {sentence}"),
        }
    }
}

/// A text that is over the cap; none for one that is not. `id` is where the full output can be recalled.
pub fn cap(text: &str, rules: &Cap, id: &str) -> Option<Capped> {
    if !is_over(text, rules) {
        return None;
    }
    let body = lines::without_last_newline(text);
    let head = Head::of(body, rules);
    let tail = Tail::of(body.get(head.end..), rules);
    let elided = lines::count(text) - head.lines - tail.lines;
    let shown = lines::characters(head.text) + lines::characters(tail.text);
    let values = [
        ("shown", shown.to_string()),
        ("total", lines::characters(body).to_string()),
    ];
    let values = values
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    let sentence = rules.head.when_not_blank();
    let sentence = sentence.map_or_else(String::new, |head| head.fill(&values));
    let mut capped = head.text.to_owned();
    if head.missing > 0 {
        capped.push_str(&rules.cut);
    }
    capped.push('\n');
    push_elided(&mut capped, elided, head.missing, rules, id);
    if tail.lines > 0 {
        capped.push('\n');
        capped.push_str(tail.text);
    }
    Some(Capped {
        sentence,
        text: capped,
    })
}

/// The elided line. Where characters of the first line are elided, they are told as well.
fn push_elided(capped: &mut String, lines: usize, characters: usize, rules: &Cap, id: &str) {
    let template = match (characters, lines) {
        (0, _) => &rules.elided,
        (_, 0) => &rules.elided_characters,
        _ => &rules.elided_both,
    };
    let template = template.when_not_blank().unwrap_or(&rules.elided);
    let (lines, characters) = (lines.to_string(), characters.to_string());
    template.fill_into(
        capped,
        &[("lines", &lines), ("chars", &characters), ("id", id)],
    );
}

impl Cap {
    /// The same for a text of which fewer characters are shown: half of them its head, a quarter its tail.
    pub fn within(&self, most: u32) -> Self {
        Self {
            max_chars: self.max_chars.min(most),
            head_chars: self.head_chars.min(most / 2),
            tail_chars: self.tail_chars.min(most / 4),
            ..self.clone()
        }
    }

    /// The same without limits.
    pub fn unbounded(&self) -> Self {
        Self {
            max_lines: u32::MAX,
            max_chars: u32::MAX,
            head_lines: u32::MAX,
            head_chars: u32::MAX,
            tail_lines: u32::MAX,
            tail_chars: u32::MAX,
            ..self.clone()
        }
    }
}

fn is_over(text: &str, rules: &Cap) -> bool {
    let (most_lines, most_chars) = (rules.max_lines as usize, rules.max_chars as usize);
    // No text has more characters than bytes, so most texts are not counted.
    lines::count(text) > most_lines
        || (text.len() > most_chars && lines::characters(text) > most_chars)
}

/// As many whole lines from the start as fit, or a first line cut to fit.
struct Head<'a> {
    text: &'a str,
    lines: usize,
    /// The characters that a cut line lacks.
    missing: usize,
    /// The byte at which the lines after the head begin.
    end: usize,
}

impl<'a> Head<'a> {
    fn of(body: &'a str, rules: &Cap) -> Self {
        let mut fits = Fits::new(rules.head_chars);
        let mut end = 0;
        let mut taken = 0;
        for line in body.split('\n').take(rules.head_lines as usize) {
            if !fits.take(line) {
                break;
            }
            taken += 1;
            end += line.len() + 1;
        }
        if taken == 0 {
            return Self::of_cut_line(body, rules);
        }
        Self {
            text: body.get(..end - 1).unwrap_or(body),
            lines: taken,
            missing: 0,
            end,
        }
    }

    fn of_cut_line(body: &'a str, rules: &Cap) -> Self {
        let (line, _) = lines::split_first(body);
        let text = lines::first_characters(line, rules.head_chars as usize);
        let missing = lines::characters(line.get(text.len()..).unwrap_or_default());
        Self {
            text,
            lines: 1,
            missing,
            end: line.len() + 1,
        }
    }
}

/// As many whole lines up to the end as fit, of those that the head left.
struct Tail<'a> {
    text: &'a str,
    lines: usize,
}

impl<'a> Tail<'a> {
    /// `rest` is none where the head took the last line: an empty rest is one empty line.
    fn of(rest: Option<&'a str>, rules: &Cap) -> Self {
        let Some(rest) = rest else {
            return Self { text: "", lines: 0 };
        };
        let mut fits = Fits::new(rules.tail_chars);
        let mut start = rest.len() + 1;
        let mut taken = 0;
        for line in lines::backwards(rest).take(rules.tail_lines as usize) {
            if !fits.take(line) {
                break;
            }
            taken += 1;
            start = start.saturating_sub(line.len() + 1);
        }
        Self {
            text: rest.get(start..).unwrap_or_default(),
            lines: taken,
        }
    }
}

/// Characters left for lines and the newlines between them.
pub struct Fits {
    left: usize,
    first: bool,
}

impl Fits {
    /// So many characters.
    pub fn new(characters: u32) -> Self {
        Self {
            left: characters as usize,
            first: true,
        }
    }

    /// Whether a further line fits.
    pub fn take(&mut self, line: &str) -> bool {
        let newline = usize::from(!self.first);
        match self.left.checked_sub(lines::characters(line) + newline) {
            Some(left) => {
                *self = Self { left, first: false };
                true
            }
            None => false,
        }
    }
}
