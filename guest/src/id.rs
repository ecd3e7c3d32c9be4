//! Result ids (§1).

use std::fmt;

/// The number of a result in its session, from 1. Shown as `#` and lowercase hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResultNumber(pub u32);

impl ResultNumber {
    /// `#0012`: at least `digits` hex digits.
    pub fn show(self, digits: u32) -> String {
        format!("#{:0width$x}", self.0, width = digits as usize)
    }

    /// Takes an id as a model may write it: with or without `#`, in either case, with or without
    /// leading zeros, blanks around it. None if it cannot be an id.
    pub fn parse(asked: &str) -> Option<Self> {
        let digits = bare(asked);
        // `from_str_radix` would take a sign.
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let significant = digits.trim_start_matches('0');
        match u32::from_str_radix(significant, 16) {
            Ok(number) => Some(Self(number)),
            Err(_) => None,
        }
    }
}

impl fmt::Display for ResultNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

/// What was asked for without blanks around it and without its `#`.
pub fn bare(asked: &str) -> &str {
    let asked = asked.trim();
    asked.strip_prefix('#').unwrap_or(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_past_four_digits() {
        let shown = [1, 10, 0xffff, 0x10000].map(|number| ResultNumber(number).show(4));
        assert_eq!(shown, ["#0001", "#000a", "#ffff", "#10000"]);
    }

    #[test]
    fn takes_an_id_as_a_model_writes_it() {
        for asked in ["#001f", "001F", "1f", " #1F ", "#0000000000001f"] {
            assert_eq!(
                ResultNumber::parse(asked),
                Some(ResultNumber(31)),
                "{asked}"
            );
        }
        for asked in ["", "#", "0", "+1f", "##1", "xyz", "fffffffff"] {
            assert_eq!(ResultNumber::parse(asked), None, "{asked}");
        }
    }
}
