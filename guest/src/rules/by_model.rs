//! How the requests for a model carry reasoning: `reasoning.models` in `loop.json`.

use crate::tokens::bare_name;

/// Which replies of earlier turns carry their reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarryEarlier {
    None,
    ToolCalls,
    All,
}

/// What a model asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByModel {
    /// Which replies of earlier turns carry their reasoning.
    pub earlier: CarryEarlier,
    /// Whether a reply with calls has the key of reasoning also where that is empty.
    pub empty: bool,
    /// Whether thinking is only valid behind what it was made behind.
    pub binds: bool,
}

/// What a model asks for that no entry names (§8).
pub const OTHERS: ByModel = ByModel {
    earlier: CarryEarlier::None,
    empty: false,
    binds: false,
};

/// The entries of `reasoning.models`, each `prefix rule`, as `deepseek tool-calls+empty`.
#[derive(Clone, Debug)]
pub struct ReasoningTable(Vec<(Models, ByModel)>);

/// The models that an entry is for.
#[derive(Clone, Debug)]
struct Models {
    prefix: String,
    /// The least version that follows the prefix, if it is one `and later`.
    least: Option<(u32, u32)>,
}

impl ReasoningTable {
    /// Reads the entries.
    ///
    /// # Errors
    ///
    /// An entry is not one: its position and what is wrong.
    pub fn parse<S: AsRef<str>>(entries: &[S]) -> Result<Self, (usize, String)> {
        let read = |(position, entry): (usize, &S)| {
            let entry = entry.as_ref();
            parse_entry(entry).ok_or_else(|| {
                let problem = format!(
                    "is `{entry}`, must be a model's prefix, or one with its least version and `+`, and `none`, \
                     `tool-calls`, `tool-calls+empty`, `all`, `all+empty` or `bound`: `claude-fable-5.1+ bound`"
                );
                (position, problem)
            })
        };
        let entries = entries.iter().enumerate().map(read);
        entries.collect::<Result<_, _>>().map(Self)
    }

    /// Whether no entry is for any model.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the first entry says that is for a model.
    pub fn find(&self, model: &str) -> Option<ByModel> {
        let name = bare_name(model).to_ascii_lowercase();
        // A provider's name may stand before it: `us.anthropic.claude-…`.
        let behind = name.match_indices(['.', ':']).map(|(at, _)| at + 1);
        let spelled = spelled(&name);
        let names: Vec<&str> = std::iter::once(0)
            .chain(behind)
            .filter_map(|at| spelled.get(at..))
            .collect();
        let mut entries = self.0.iter();
        let found = entries.find(|(models, _)| names.iter().any(|name| models.has(name)));
        found.map(|(_, by_model)| *by_model)
    }
}

impl Models {
    fn has(&self, name: &str) -> bool {
        let Some(rest) = name.strip_prefix(self.prefix.as_str()) else {
            return false;
        };
        self.least
            .is_none_or(|least| version(rest).is_some_and(|version| version >= least))
    }
}

/// In small letters, with the one sign that stands between a name's words.
fn spelled(name: &str) -> String {
    name.to_ascii_lowercase().replace(['.', '_'], "-")
}

/// The version that a text begins with. What has more digits than versions have is a date.
fn version(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = number(text)?;
    let minor = rest.strip_prefix('-').and_then(number);
    Some((major, minor.map_or(0, |(minor, _)| minor)))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    let (digits, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
    let number = digits.parse().ok().filter(|_| digits.len() <= 2)?;
    Some((number, rest))
}

fn parse_entry(entry: &str) -> Option<(Models, ByModel)> {
    let (models, rule) = entry.split_once(' ')?;
    Some((parse_models(models)?, parse_rule(rule)?))
}

fn parse_models(models: &str) -> Option<Models> {
    let any = Models {
        prefix: String::new(),
        least: None,
    };
    if models == "*" {
        return Some(any);
    }
    let name = spelled(models);
    let Some(name) = name.strip_suffix('+') else {
        let prefix = Some(name).filter(|name| !name.is_empty());
        return prefix.map(|prefix| Models { prefix, ..any });
    };
    // The version is what ends the name: one number or two.
    let digits = |letter: char| letter.is_ascii_digit();
    let major = name.trim_end_matches(digits);
    let both = major.strip_suffix('-').unwrap_or_default();
    let both = both.trim_end_matches(digits);
    let start = if both.ends_with('-') { both } else { major };
    let (major, rest) = number(name.get(start.len()..)?)?;
    let (minor, rest) = match rest.strip_prefix('-') {
        Some(minor) => number(minor)?,
        None => (0, rest),
    };
    let is_one = start.ends_with('-') && rest.is_empty();
    is_one.then(|| Models {
        prefix: start.to_owned(),
        least: Some((major, minor)),
    })
}

fn parse_rule(rule: &str) -> Option<ByModel> {
    let (name, empty) = match rule.strip_suffix("+empty") {
        Some(name) => (name, true),
        None => (rule, false),
    };
    let earlier = match name {
        "none" if !empty => CarryEarlier::None,
        "tool-calls" => CarryEarlier::ToolCalls,
        "all" => CarryEarlier::All,
        "bound" if !empty => CarryEarlier::All,
        _ => return None,
    };
    Some(ByModel {
        earlier,
        empty,
        binds: name == "bound",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binds(entry: &str, model: &str) -> bool {
        let table = ReasoningTable::parse(&[entry]).unwrap();
        table.find(model).is_some_and(|found| found.binds)
    }

    #[test]
    fn a_model_is_found_in_every_providers_spelling() {
        for model in [
            "claude-fable-5-1",
            "claude-fable-5-1-20260901",
            "claude-fable-5.1",
            " anthropic/claude-fable-5.1:beta ",
            "anthropic.claude-fable-5-1-20260901-v1:0",
            "us.anthropic.claude-fable-5-2",
            "arn:aws:bedrock:us-east-1:1:inference-profile/global.anthropic.claude-fable-5-1",
            "vertex_ai/claude-fable-5-1@20260901",
            "anthropic:claude-fable-5-1",
            "Claude-Fable-5.10",
            "claude-fable-6",
            "claude-fable-6-20270101",
        ] {
            assert!(binds("claude-fable-5.1+ bound", model), "{model}");
        }
        for model in [
            "",
            "claude-fable-5",
            "claude-fable-5-20260701",
            "claude-fable-4-9",
            "claude-fable-latest",
            "claude-fable",
            "claude-opus-5-5",
            "my-claude-fable-5-1",
            "é.",
        ] {
            assert!(!binds("claude-fable-5.1+ bound", model), "{model}");
        }
    }

    #[test]
    fn a_prefix_alone_is_one_whatever_follows() {
        assert!(binds("claude-fable-5.1 bound", "claude-fable-5-1x"));
        assert!(binds("* bound", ""));
        assert!(binds("o-3+ bound", "o-3"));
        assert!(!binds("o-3+ bound", "o-2-9"));
    }

    #[test]
    fn entries_that_are_none_are_told() {
        for entry in [
            "",
            " ",
            "claude",
            "claude ",
            " all",
            "claude bound+empty",
            "claude none+empty",
            "claude+ all",
            "5+ all",
            "claude all all",
            "+ all",
            "claude-100+ all",
            "claude-5-100+ all",
            "claude-5-+ all",
            "claude 5 all",
        ] {
            assert!(
                ReasoningTable::parse(&["* all", entry]).is_err_and(|(at, _)| at == 1),
                "{entry}"
            );
        }
    }
}
