//! `recall` shows a stored result again (§4): whole lines, or characters of one line.

use crate::bracket;
use crate::draft::{Below, Draft, size};
use crate::error::Error;
use crate::held::{Held, hold};
use crate::id::{self, ResultId};
use crate::lines;
use crate::lookup;
use crate::ports::Storage;
use crate::record::Fact;
use crate::rules::Recall;
use crate::state::State;
use crate::window::{CharWindow, LineRange, LineWindow, Shown};

/// What a recall asks for, as it gave it.
#[derive(Clone, Copy, Debug)]
pub struct RecallRequest<'a> {
    /// The result's id.
    pub id: &'a str,
    /// The lines.
    pub lines: LineWindow,
    /// The characters of the first of them; those of whole lines where none are given.
    pub characters: CharWindow,
}

/// Reads the stored text and decides the answer.
///
/// # Errors
///
/// `storage`, where the text cannot be read.
pub fn draft(
    state: &State,
    storage: &mut impl Storage,
    session: &str,
    id: &str,
    request: RecallRequest<'_>,
) -> Result<Draft, Error> {
    let Some(earlier) = lookup::find(state, storage, session, request.id)? else {
        return Ok(unknown(state, id, request.id));
    };
    let recalled = Recalled {
        state,
        id,
        earlier: &earlier.id,
        text: &earlier.text,
        total: size(lines::count(&earlier.text)),
    };
    Ok(recalled.shown(request))
}

fn unknown(state: &State, id: &str, asked: &str) -> Draft {
    let asked = match ResultId::parse(asked) {
        Some(asked) => asked.prefix.show(asked.number, state.rules.ids.digits),
        None => format!("#{}", id::bare(asked)),
    };
    let asked = bracket::repeated(&asked, &state.rules);
    let sentence = state.rules.recall.unknown.fill(&[("earlier", &asked)]);
    Draft::refusal(&state.rules.bracket.fill(&[("id", id)]), sentence)
}

/// A stored result that is shown again.
struct Recalled<'a> {
    state: &'a State,
    /// The answer's own id.
    id: &'a str,
    earlier: &'a str,
    text: &'a str,
    /// Its lines.
    total: u32,
}

/// Characters of a line, from 1, both ends included, of so many.
#[derive(Clone, Copy)]
struct Characters {
    line: u32,
    first: u32,
    last: u32,
    of: u32,
}

impl Recalled<'_> {
    fn rules(&self) -> &Recall {
        &self.state.rules.recall
    }

    fn shown(&self, request: RecallRequest<'_>) -> Draft {
        let total = self.total.to_string();
        let values = vec![
            ("id", self.id),
            ("earlier", self.earlier),
            ("total", &total),
        ];
        match request.lines.of(self.total, self.rules().window) {
            Shown::PastEnd { offset } => {
                let offset = offset.to_string();
                let values = [values, vec![("offset", &offset)]].concat();
                self.refuse(self.rules().past_end.fill(&values))
            }
            Shown::Empty => result(self.rules().empty.fill(&values), Below::Nothing, ""),
            Shown::Lines(range) if request.characters.is_given() => {
                self.characters(range.first, request.characters)
            }
            Shown::Lines(range) => self.lines(range),
        }
    }

    fn refuse(&self, sentence: String) -> Draft {
        let bracket = self.state.rules.bracket.fill(&[("id", self.id)]);
        Draft::refusal(&bracket, sentence)
    }

    fn range(&self, range: LineRange) -> &str {
        lines::range(self.text, range.first as usize, range.last as usize)
    }

    fn lines(&self, asked: LineRange) -> Draft {
        let text = self.range(asked);
        let full = result(self.bracket(asked), Below::From(0), text);
        match hold(text, self.rules().max_chars) {
            None => full,
            Some(Held::Lines { lines, until }) => {
                let last = asked.first.saturating_add(lines - 1);
                let head = self.bracket(LineRange { last, ..asked });
                let head = self.and_more(head, last, asked);
                part(&full, head, text.get(..until).unwrap_or_default(), false)
            }
            Some(Held::Cut { until, characters }) => {
                let shown = Characters {
                    line: asked.first,
                    first: 1,
                    last: self.rules().max_chars,
                    of: size(characters),
                };
                let head = self.cut_head(shown, shown.of);
                let head = self.and_more(head, asked.first, asked);
                part(&full, head, text.get(..until).unwrap_or_default(), true)
            }
        }
    }

    fn characters(&self, line: u32, window: CharWindow) -> Draft {
        let range = LineRange {
            first: line,
            last: line,
        };
        let text = self.range(range);
        let of = size(lines::characters(text));
        let Some((first, last)) = window.of(of) else {
            return self.refuse_past_line_end(line, window.first(), of);
        };
        let asked = Characters {
            line,
            first,
            last,
            of,
        };
        let full = result(
            self.part_bracket(asked),
            Below::From(0),
            asked.in_line(text),
        );
        match self.rules().max_chars {
            0 => full,
            most if last - first < most => full,
            most => {
                let shown = Characters {
                    last: first.saturating_add(most - 1),
                    ..asked
                };
                part(&full, self.cut_head(shown, last), shown.in_line(text), true)
            }
        }
    }

    fn bracket(&self, shown: LineRange) -> String {
        self.rules().bracket.fill(&[
            ("id", self.id),
            ("earlier", self.earlier),
            ("first", &shown.first.to_string()),
            ("last", &shown.last.to_string()),
            ("total", &self.total.to_string()),
        ])
    }

    fn part_bracket(&self, shown: Characters) -> String {
        self.rules().part.fill(&[
            ("id", self.id),
            ("earlier", self.earlier),
            ("line", &shown.line.to_string()),
            ("total", &self.total.to_string()),
            ("first", &shown.first.to_string()),
            ("last", &shown.last.to_string()),
            ("characters", &shown.of.to_string()),
        ])
    }

    /// The first line where a line was asked for up to character `asked`, and is cut before.
    fn cut_head(&self, shown: Characters, asked: u32) -> String {
        let sentence = self.rules().cut.fill(&[
            ("earlier", self.earlier),
            ("line", &shown.line.to_string()),
            ("missing", &asked.saturating_sub(shown.last).to_string()),
            ("next", &shown.last.saturating_add(1).to_string()),
        ]);
        format!("{} {sentence}", self.part_bracket(shown))
    }

    /// Says how to go on where lines that were asked for follow `last`.
    fn and_more(&self, head: String, last: u32, asked: LineRange) -> String {
        if last >= asked.last {
            return head;
        }
        let next = last.saturating_add(1).to_string();
        let last = asked.last.to_string();
        let sentence = self.rules().more.fill(&[("next", &next), ("last", &last)]);
        format!("{head} {sentence}")
    }

    fn refuse_past_line_end(&self, line: u32, first: u32, of: u32) -> Draft {
        self.refuse(self.rules().past_line_end.fill(&[
            ("earlier", self.earlier),
            ("line", &line.to_string()),
            ("offset", &first.to_string()),
            ("characters", &of.to_string()),
        ]))
    }
}

impl Characters {
    fn in_line(self, line: &str) -> &str {
        let before = lines::first_characters(line, self.first.saturating_sub(1) as usize).len();
        let rest = line.get(before..).unwrap_or_default();
        let count = self.last.saturating_add(1).saturating_sub(self.first);
        lines::first_characters(rest, count as usize)
    }
}

fn result(head: String, below: Below, text: &str) -> Draft {
    Draft {
        head,
        below,
        stored: text.to_owned(),
        failed: false,
        stub: None,
        whole: None,
        fact: Fact::Recall,
    }
}

/// What fits of a full answer, and is stored.
fn part(full: &Draft, head: String, text: &str, cut: bool) -> Draft {
    let until = text.len();
    let whole = lines::characters(&full.head) + 1 + lines::characters(&full.stored);
    Draft {
        whole: Some(whole),
        ..result(head, Below::Part { until, cut }, text)
    }
}
