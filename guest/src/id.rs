//! Result ids (§1; docs/assembly.md, "Ids of a subagent").

use std::fmt;

/// The number of a result in its session, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResultNumber(pub u32);

/// What all ids of a session have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ids {
    /// How many hex digits a number has at least.
    pub digits: u32,
    /// Which subagent's they are.
    pub prefix: IdPrefix,
}

/// Which subagent a session is, from the top down: the how manieth of its parent's each is. Nothing at the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdPrefix(Vec<u32>);

/// An id as a model may write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultId {
    /// Which subagent's.
    pub prefix: IdPrefix,
    /// The number in its session.
    pub number: ResultNumber,
}

impl ResultNumber {
    /// `#0012`, in a subagent's session `#1-0012`.
    pub fn show(self, ids: &Ids) -> String {
        ids.prefix.show(self, ids.digits)
    }

    /// Hex digits in either case, with or without leading zeros.
    fn parse(digits: &str) -> Option<Self> {
        hex(digits.trim_start_matches('0')).map(Self)
    }
}

impl IdPrefix {
    /// That of a subagent of this session.
    pub fn below(&self, ordinal: u32) -> Self {
        let mut ordinals = self.0.clone();
        ordinals.push(ordinal);
        Self(ordinals)
    }

    /// What of this is below another. None if it is not.
    pub fn after(&self, other: &Self) -> Option<&[u32]> {
        self.0.strip_prefix(other.0.as_slice())
    }

    /// Reads what `Display` writes; letters in either case.
    pub fn parse(text: &str) -> Option<Self> {
        let ordinal = |digits: &str| hex(digits).filter(|_| !digits.starts_with('0'));
        let ordinals: Option<Vec<u32>> = match text {
            "" => Some(Vec::new()),
            text => text.split('.').map(ordinal).collect(),
        };
        ordinals.map(Self)
    }

    /// An id: at least `digits` hex digits behind what parts it from other sessions' ids.
    pub fn show(&self, number: ResultNumber, digits: u32) -> String {
        let (number, width) = (number.0, digits as usize);
        if self.0.is_empty() {
            return format!("#{number:0width$x}");
        }
        format!("#{self}-{number:0width$x}")
    }
}

impl fmt::Display for IdPrefix {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ordinals = self.0.iter().map(|ordinal| format!("{ordinal:x}"));
        formatter.write_str(&ordinals.collect::<Vec<_>>().join("."))
    }
}

impl ResultId {
    /// Takes an id with or without `#`, its number with or without leading zeros, letters in either case, in
    /// brackets, blanks around it. None if it cannot be an id.
    pub fn parse(asked: &str) -> Option<Self> {
        let asked = bare(asked);
        let (prefix, digits) = match asked.split_once('-') {
            // A prefix is part of no id at the top.
            Some(("", _)) => return None,
            Some((prefix, digits)) => (IdPrefix::parse(prefix)?, digits),
            None => (IdPrefix::default(), asked),
        };
        let number = ResultNumber::parse(digits)?;
        Some(Self { prefix, number })
    }
}

impl fmt::Display for ResultNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

/// `from_str_radix` would take a sign.
fn hex(digits: &str) -> Option<u32> {
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    all.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// What was asked for without blanks around it, without brackets and without its `#`.
pub fn bare(asked: &str) -> &str {
    let asked = asked.trim();
    let inside = asked
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let asked = inside.unwrap_or(asked).trim();
    asked.strip_prefix('#').unwrap_or(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn top(digits: u32) -> Ids {
        let prefix = IdPrefix::default();
        Ids { digits, prefix }
    }

    #[test]
    fn grows_past_four_digits() {
        let shown = [1, 10, 0xffff, 0x10000].map(|number| ResultNumber(number).show(&top(4)));
        assert_eq!(shown, ["#0001", "#000a", "#ffff", "#10000"]);
    }

    #[test]
    fn takes_an_id_as_a_model_writes_it() {
        for asked in [
            "#001f",
            "1F",
            " #1F ",
            "#0000000000001f",
            "[#001f]",
            " [ 1F ] ",
        ] {
            let id = ResultId::parse(asked).unwrap();
            assert_eq!(id.number, ResultNumber(31), "{asked}");
            assert_eq!(id.prefix, IdPrefix::default(), "{asked}");
        }
        for asked in [
            "",
            "#",
            "0",
            "+1f",
            "##1",
            "xyz",
            "fffffffff",
            "-1",
            "#-0001",
            "[1f",
            "1f]",
            "[]",
        ] {
            assert_eq!(ResultId::parse(asked), None, "{asked}");
        }
    }

    #[test]
    fn a_subagents_ids_say_whose_they_are() {
        let prefix = IdPrefix::default().below(2).below(0x1a);
        let ids = Ids { digits: 4, prefix };
        assert_eq!(ResultNumber(3).show(&ids), "#2.1a-0003");
        for asked in ["#2.1a-0003", "2.1A-3", " #2.1a-00000003"] {
            let id = ResultId::parse(asked).unwrap();
            assert_eq!(
                (&id.prefix, id.number),
                (&ids.prefix, ResultNumber(3)),
                "{asked}"
            );
        }
        for asked in [
            "#0001-0003",
            "#2.-0003",
            "#.2-0003",
            "#0-0003",
            "#2-",
            "#2-0",
            "#2-+3",
            "#2-1-3",
            "#2.1",
        ] {
            assert_eq!(ResultId::parse(asked), None, "{asked}");
        }
    }

    #[test]
    fn knows_what_is_below() {
        let one = IdPrefix::parse("1").unwrap();
        let below = IdPrefix::parse("1.2.3").unwrap();
        assert_eq!(below.after(&one), Some([2, 3].as_slice()));
        assert_eq!(one.after(&below), None);
        assert_eq!(IdPrefix::parse("11").unwrap().after(&one), None);
    }
}
