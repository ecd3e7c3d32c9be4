//! How much of a source goes into the prompt.

/// A text held to a number of bytes: cut back to a character's beginning, without white space at its
/// end.
pub fn cut(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let end = text.floor_char_boundary(bytes);
    let kept = text.get(..end).unwrap_or_default();
    kept.trim_end_matches([' ', '\t', '\r', '\n'])
}

/// What is left for the blocks of one source.
#[derive(Debug)]
pub struct Remainder(usize);

impl Remainder {
    /// The whole budget.
    pub fn new(bytes: u32) -> Self {
        Self(bytes as usize)
    }

    /// What of a block goes in, and whether it was cut.
    pub fn take<'a>(&mut self, text: &'a str) -> (&'a str, bool) {
        if text.len() <= self.0 {
            self.0 -= text.len();
            return (text, false);
        }
        let left = std::mem::take(&mut self.0);
        (cut(text, left), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_ends_with_a_character_and_not_with_white_space() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("ab  \n\tc", 6), "ab");
        assert_eq!(cut("aé", 2), "a");
        assert_eq!(cut("🙂", 3), "");
    }

    #[test]
    fn blocks_share_a_budget() {
        let mut left = Remainder::new(5);
        assert_eq!(left.take("abc"), ("abc", false));
        assert_eq!(left.take(""), ("", false));
        assert_eq!(left.take("def"), ("de", true));
        assert_eq!(left.take("g"), ("", true));
    }
}
