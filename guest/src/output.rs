//! Text from a tool: capped (§3), and a stub where the same search or listing gave the same text
//! (§6).

use crate::bracket;
use crate::canon;
use crate::draft::{Below, Draft, Stub, Treatment};
use crate::error::Error;
use crate::id::ResultNumber;
use crate::ports::Storage;
use crate::record::{DelegatedFact, Fact, SearchFact, text_hash};
use crate::session::ToolCall;
use crate::state::{DelegateState, State};

/// A tool's own failure message. Never deduplicated.
pub fn failure(state: &State, id: &str, message: String) -> Draft {
    Draft {
        failed: true,
        ..text(state, id, message, Fact::Failed)
    }
}

/// A tool's output.
///
/// # Errors
///
/// `storage`, where an earlier text that it has to be compared with cannot be read.
pub fn draft(
    state: &State,
    storage: &mut impl Storage,
    session: &str,
    id: &str,
    call: &ToolCall,
    output: String,
) -> Result<Draft, Error> {
    if !state.rules.dedupe.by_result.contains(&call.name) {
        return Ok(text(state, id, output, Fact::Output));
    }
    let mut fact = SearchFact {
        arguments: canon::canonical(&call.arguments),
        xxh64: text_hash(&output),
        stub_of: None,
    };
    let mut earlier = None;
    for number in state.table.searches(&call.name, &fact) {
        let number = ResultNumber(number);
        let stored = state.stored_text(storage, session, number)?;
        if stored == output {
            earlier = Some(number);
            break;
        }
    }
    fact.stub_of = earlier.map(|number| number.0);
    let full = text(state, id, output, Fact::Search(fact));
    Ok(match earlier {
        None => full,
        Some(earlier) => stub(state, full, earlier),
    })
}

/// A subagent's answer, held to its own limit.
pub fn delegated(state: &State, id: &str, delegate: &DelegateState, text: String) -> Draft {
    let DelegateState { key, kind, .. } = delegate;
    let (shown_kind, shown_key) = (bracket::escaped(kind), bracket::escaped(key));
    let values = [("id", id), ("kind", &shown_kind), ("key", &shown_key)];
    Draft {
        head: state.rules.delegation.bracket.fill(&values),
        below: Below::BoundedFrom(0),
        stored: text,
        failed: false,
        stub: None,
        whole: None,
        fact: Fact::Delegated(DelegatedFact { key: key.clone() }),
    }
}

/// What a subagent says in a message, held to the same limit; of one that is not known by the bracket alone.
pub fn brought(state: &State, id: &str, delegate: Option<&DelegateState>, said: String) -> Draft {
    match delegate {
        Some(delegate) => delegated(state, id, delegate, said),
        None => Draft {
            below: Below::BoundedFrom(0),
            ..text(state, id, said, Fact::Output)
        },
    }
}

fn text(state: &State, id: &str, text: String, fact: Fact) -> Draft {
    Draft {
        head: state.rules.bracket.fill(&[("id", id)]),
        below: Below::CappedFrom(0),
        stored: text,
        failed: false,
        stub: None,
        whole: None,
        fact,
    }
}

fn stub(state: &State, full: Draft, earlier: ResultNumber) -> Draft {
    let shown = earlier.show(&state.rules.ids);
    let sentence = state.rules.dedupe.stub.fill(&[("earlier", &shown)]);
    Draft {
        head: format!("{} {sentence}", full.head),
        stub: Some(Stub {
            treatment: Treatment::SameResult,
            earlier,
            full_head: full.head.clone(),
        }),
        ..full
    }
}
