//! Which vocabulary a model's tokens are counted in, and by how much they differ from it:
//! `tokens.models` in `loop.json`.

use super::{Estimate, Vocabulary};

/// The prefix of the entry for all other models.
const ANY: &str = "*";

/// How a model's tokens are estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Whose weights are taken.
    pub vocabulary: Vocabulary,
    /// How many of the model's tokens a thousand of the vocabulary's are.
    pub factor: u32,
}

impl Model {
    /// Whole tokens, rounded half up.
    #[must_use]
    pub fn tokens(self, estimate: Estimate) -> u64 {
        let thousandths = u128::from(estimate.thousandths(self.vocabulary));
        let tokens = (thousandths * u128::from(self.factor) + 500_000) / 1_000_000;
        u64::try_from(tokens).unwrap_or(u64::MAX)
    }
}

/// The entries of `tokens.models`, each `prefix vocabulary factor`, as `gpt-4o o200k 1000`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelTable {
    named: Vec<(String, Model)>,
    other: Model,
}

impl ModelTable {
    /// Reads the entries.
    ///
    /// # Errors
    ///
    /// An entry is not one, or none is for all other models, `*`: its position and what is wrong.
    pub fn parse<S: AsRef<str>>(entries: &[S]) -> Result<Self, (usize, String)> {
        let mut named = Vec::new();
        let mut other = None;
        for (position, entry) in entries.iter().enumerate() {
            let (prefix, model) =
                parse_entry(entry.as_ref()).map_err(|problem| (position, problem))?;
            if prefix == ANY {
                other = Some(model);
            } else {
                named.push((prefix.to_owned(), model));
            }
        }
        let lacking = || {
            (
                entries.len(),
                format!("lacks an entry for other models, `{ANY} o200k 1000`"),
            )
        };
        let other = other.ok_or_else(lacking)?;
        Ok(Self { named, other })
    }

    /// The first entry whose prefix `name` begins with, and whether it is not the one for all other
    /// models. White space around `name` and what stands before its last `/` don't count.
    #[must_use]
    pub fn find(&self, name: &str) -> (Model, bool) {
        let name = bare_name(name);
        let found = self
            .named
            .iter()
            .find(|(prefix, _)| name.starts_with(prefix.as_str()));
        found.map_or((self.other, false), |(_, model)| (*model, true))
    }
}

/// What tables know a model by: its name without white space around it, and without what stands before its
/// last `/`.
#[must_use]
pub fn bare_name(model: &str) -> &str {
    let name = model.trim();
    name.rsplit_once('/').map_or(name, |(_, last)| last)
}

fn parse_entry(entry: &str) -> Result<(&str, Model), String> {
    let wanted = || {
        format!(
            "is `{entry}`, must be a model's prefix, o200k or cl100k, and thousandths from 1: `gpt-4o o200k 1000`"
        )
    };
    let words: Vec<&str> = entry.split(' ').collect();
    let [prefix, vocabulary, factor] = words.as_slice() else {
        return Err(wanted());
    };
    let vocabulary = match *vocabulary {
        "o200k" => Vocabulary::O200k,
        "cl100k" => Vocabulary::Cl100k,
        _ => return Err(wanted()),
    };
    let factor = factor.parse().ok().filter(|factor| *factor > 0);
    match factor {
        Some(factor) if !prefix.is_empty() => Ok((prefix, Model { vocabulary, factor })),
        _ => Err(wanted()),
    }
}
