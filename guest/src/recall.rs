//! `recall` shows a stored result again (§4).

use crate::draft::{Below, Draft, size};
use crate::error::Error;
use crate::id::{self, ResultId};
use crate::lines;
use crate::lookup;
use crate::ports::Storage;
use crate::record::Fact;
use crate::state::State;
use crate::window::{LineWindow, Shown};

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
    asked: &str,
    window: LineWindow,
) -> Result<Draft, Error> {
    let Some(earlier) = lookup::find(state, storage, session, asked)? else {
        return Ok(unknown(state, id, asked));
    };
    Ok(shown(state, id, &earlier.id, &earlier.text, window))
}

fn unknown(state: &State, id: &str, asked: &str) -> Draft {
    let asked = match ResultId::parse(asked) {
        Some(asked) => asked.prefix.show(asked.number, state.rules.ids.digits),
        None => format!("#{}", id::bare(asked)),
    };
    refuse(
        state,
        id,
        state.rules.recall.unknown.fill(&[("earlier", &asked)]),
    )
}

fn refuse(state: &State, id: &str, sentence: String) -> Draft {
    Draft::refusal(&state.rules.bracket.fill(&[("id", id)]), sentence)
}

fn shown(state: &State, id: &str, earlier: &str, text: &str, window: LineWindow) -> Draft {
    let rules = &state.rules.recall;
    let total = size(lines::count(text));
    let count = total.to_string();
    let mut values = vec![("id", id), ("earlier", earlier), ("total", &count)];
    match window.of(total, rules.window) {
        Shown::PastEnd { offset } => {
            let offset = offset.to_string();
            values.push(("offset", &offset));
            refuse(state, id, rules.past_end.fill(&values))
        }
        Shown::Empty => result(rules.empty.fill(&values), Below::Nothing, ""),
        Shown::Lines(range) => {
            let (first, last) = (range.first.to_string(), range.last.to_string());
            values.extend([("first", first.as_str()), ("last", last.as_str())]);
            let lines = lines::range(text, range.first as usize, range.last as usize);
            result(rules.bracket.fill(&values), Below::From(0), lines)
        }
    }
}

fn result(head: String, below: Below, text: &str) -> Draft {
    Draft {
        head,
        below,
        stored: text.to_owned(),
        failed: false,
        stub: None,
        fact: Fact::Recall,
    }
}
