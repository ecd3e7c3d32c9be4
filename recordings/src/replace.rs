//! Carries out recorded replacements in a known content.

use crate::act::Replacement;

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
            let places = content.matches(old.as_str()).take(2).count();
            match (places, all) {
                (0, _) | (2.., false) => None,
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
    }
}
