//! A result on its way in: what a rule decided, before it is stored and shown.

use std::borrow::Cow;

use crate::cap::cap;
use crate::id::ResultNumber;
use crate::lines;
use crate::record::{Body, Fact, ResultRecord};
use crate::rules::Rules;

/// Which measure shaped an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// None: the result in full.
    Full,
    /// Head and tail (§3).
    Capped,
    /// An unchanged re-read (§2).
    UnchangedRead,
    /// The same result (§6).
    SameResult,
    /// A failure or a refusal.
    Failed,
}

/// A result as it was inserted. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Inserted {
    pub id: String,
    pub text: String,
    pub treatment: Treatment,
    pub refers_to: Option<String>,
    pub chars_in: u32,
    pub chars_out: u32,
}

/// What a rule decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The first line: bracket and sentence.
    pub head: String,
    /// What stands below it.
    pub below: Below,
    /// The full text, which is stored (docs/rulings.md, "Stored text").
    pub stored: String,
    /// Whether this is a failure or a refusal.
    pub failed: bool,
    /// The stub that stands in place of the text.
    pub stub: Option<Stub>,
    /// The characters of the answer had no measure acted, where first line and stored text don't tell.
    pub whole: Option<usize>,
    /// What the rules need to know of it later.
    pub fact: Fact,
}

/// What of the stored text stands below a result's first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// Nothing.
    Nothing,
    /// Everything from this byte on.
    From(usize),
    /// Everything from this byte on, capped where it is over the cap.
    CappedFrom(usize),
    /// Everything from this byte on, held to what a subagent may bring.
    BoundedFrom(usize),
    /// What comes before a byte, and the mark of a cut line.
    Part {
        /// The byte.
        until: usize,
        /// Whether the last line is cut.
        cut: bool,
    },
}

/// A stub: what it is, which result it names, and the first line that it spared with the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stub {
    /// `UnchangedRead` or `SameResult`.
    pub treatment: Treatment,
    /// The earlier result.
    pub earlier: ResultNumber,
    /// The first line without the stub.
    pub full_head: String,
}

impl Draft {
    /// A sentence of the harness's own, on the bracket's line.
    pub fn refusal(bracket: &str, sentence: String) -> Self {
        Self {
            head: format!("{bracket} {sentence}"),
            below: Below::Nothing,
            stored: sentence,
            failed: true,
            stub: None,
            whole: None,
            fact: Fact::Failed,
        }
    }

    /// The result as it is shown, and what the record says of its body.
    pub fn show(&self, id: String, rules: &Rules) -> (Inserted, Body) {
        let (head, below, body) = self.parts(&id, rules);
        let text = joined(&head, below.as_deref(), rules);
        let chars_out = lines::characters(&text);
        let inserted = Inserted {
            treatment: self.treatment(body),
            refers_to: self.stub.as_ref().map(|stub| stub.earlier.show(&rules.ids)),
            chars_in: size(match (self.whole, &self.stub, body) {
                (Some(whole), ..) => whole,
                (None, None, Body::None | Body::Whole(_)) => chars_out,
                _ => self.full_characters(),
            }),
            chars_out: size(chars_out),
            text,
            id,
        };
        (inserted, body)
    }

    /// The first line, what is shown below it, and what the record says of that.
    fn parts(&self, id: &str, rules: &Rules) -> (String, Option<Cow<'_, str>>, Body) {
        let (from, body, cap_rules) = match (self.below, &self.stub) {
            (Below::Nothing, _) | (_, Some(_)) => return (self.head.clone(), None, Body::None),
            (Below::Part { until, cut }, None) => {
                let below = part(&self.stored, until, cut, rules);
                let until = size(until);
                return (self.head.clone(), Some(below), Body::Part { until, cut });
            }
            (Below::From(from), None) => (from, Body::Whole(size(from)), None),
            (Below::CappedFrom(from), None) => (from, Body::Capped(size(from)), Some(&rules.cap)),
            (Below::BoundedFrom(from), None) => {
                (from, Body::Bounded(size(from)), Some(&rules.delegation.cap))
            }
        };
        match cap_rules.and_then(|rules| cap(self.below(from), rules, id)) {
            Some(capped) => (capped.head(&self.head), Some(Cow::Owned(capped.text)), body),
            None => {
                let below = Cow::Borrowed(self.below(from));
                (self.head.clone(), Some(below), Body::Whole(size(from)))
            }
        }
    }

    fn below(&self, from: usize) -> &str {
        self.stored.get(from..).unwrap_or_default()
    }

    fn treatment(&self, body: Body) -> Treatment {
        match (&self.stub, self.failed, body) {
            (Some(stub), ..) => stub.treatment,
            (None, true, _) => Treatment::Failed,
            (None, false, Body::Capped(_) | Body::Bounded(_) | Body::Part { .. }) => {
                Treatment::Capped
            }
            (None, false, _) => Treatment::Full,
        }
    }

    /// Characters of the answer had no measure acted.
    fn full_characters(&self) -> usize {
        let head = self
            .stub
            .as_ref()
            .map_or(&self.head, |stub| &stub.full_head);
        let below = match self.below {
            Below::Nothing => return lines::characters(head),
            Below::Part { .. } => &self.stored,
            Below::From(from) | Below::CappedFrom(from) | Below::BoundedFrom(from) => {
                self.below(from)
            }
        };
        lines::characters(head) + 1 + lines::characters(below)
    }
}

/// A result as it was shown, from its record and its stored text.
pub fn shown_again(result: &ResultRecord, stored: &str, rules: &Rules) -> String {
    let id = ResultNumber(result.number).show(&rules.ids);
    let (from, held) = match result.body {
        Body::None => return joined(&result.head, None, rules),
        Body::Part { until, cut } => {
            let beginning = stored.get(..until as usize).unwrap_or(stored);
            let held = result.limit.map(|most| rules.cap.unbounded().within(most));
            if let Some(capped) = held.and_then(|held| cap(beginning, &held, &id)) {
                return joined(&capped.head(&result.head), Some(&capped.text), rules);
            }
            let below = part(stored, until as usize, cut, rules);
            return joined(&result.head, Some(&below), rules);
        }
        Body::Whole(from) => (from, None),
        Body::Capped(from) => (from, Some(&rules.cap)),
        Body::Bounded(from) => (from, Some(&rules.delegation.cap)),
    };
    let below = stored.get(from as usize..).unwrap_or_default();
    let held = match (held, result.limit) {
        (held, None) => held.cloned(),
        (Some(held), Some(most)) => Some(held.within(most)),
        (None, Some(most)) => Some(rules.cap.unbounded().within(most)),
    };
    match held.and_then(|held| cap(below, &held, &id)) {
        Some(capped) => joined(&capped.head(&result.head), Some(&capped.text), rules),
        None => joined(&result.head, Some(below), rules),
    }
}

/// The beginning of a stored text, with the mark of a cut line.
fn part<'a>(stored: &'a str, until: usize, cut: bool, rules: &Rules) -> Cow<'a, str> {
    let beginning = stored.get(..until).unwrap_or(stored);
    match cut {
        true => Cow::Owned(format!("{beginning}{}", rules.cap.cut)),
        false => Cow::Borrowed(beginning),
    }
}

/// First line and what is below it, as they are shown.
fn joined(head: &str, below: Option<&str>, rules: &Rules) -> String {
    let head = lines::shown(head, &rules.nul);
    let Some(below) = below else {
        return head.into_owned();
    };
    let mut text = String::with_capacity(head.len() + 1 + below.len());
    text.push_str(&head);
    text.push('\n');
    text.push_str(&lines::shown(below, &rules.nul));
    text
}

/// A count as it crosses to the host. A component's memory holds less than 4 GiB.
pub fn size(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
