//! Carries out recorded replacements in a known content.

use crate::act::Replacement;

/// No content grows past this by a replacement: a short recording could ask for any size.
const LONGEST: usize = 1 << 26;

/// `content` after the replacements, in order. None where one does not apply as its tool would
/// have had it: the text is not there, or in several places without `all`.
pub(crate) fn replace(content: &str, replacements: &[Replacement]) -> Option<String> {
    replacements
        .iter()
        .try_fold(content.to_owned(), |content, replacement| {
            let Replacement { old, new, all } = replacement;
            if old.is_empty() {
                return None;
            }
            let places = content.matches(old.as_str()).count();
            let grown = places
                .saturating_mul(new.len())
                .saturating_add(content.len());
            match (places, all) {
                (0, _) | (2.., false) => None,
                _ if grown > LONGEST => None,
                _ => Some(content.replace(old, new)),
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replacement(old: &str, new: &str, all: bool) -> Replacement {
        Replacement {
            old: old.into(),
            new: new.into(),
            all,
        }
    }

    #[test]
    fn applies_in_order_or_not_at_all() {
        let both = [replacement("a", "b", false), replacement("b", "c", true)];
        assert_eq!(replace("a b", &both).as_deref(), Some("c c"));
        assert_eq!(replace("x", &both), None);
        assert_eq!(replace("a a", &both), None);
        assert_eq!(replace("a", &[replacement("", "b", true)]), None);
        let huge = [replacement("a", &"b".repeat(1 << 14), true)];
        assert_eq!(replace(&"a".repeat(1 << 14), &huge), None);
    }
}
