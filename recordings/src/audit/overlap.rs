//! Where one list of messages goes on as another begins.

use super::prompt::Unit;

/// How many messages of `longer` to leave out, one at least, so that it goes on as `other` does, to
/// the end of one of them.
pub(crate) fn goes_on_at(longer: &[Unit<'_>], other: &[Unit<'_>]) -> Option<usize> {
    let agreement = agreement(other, longer);
    let lengths = agreement.into_iter().enumerate().skip(1);
    let mut whole = lengths.filter(|(count, agree)| {
        let shorter = other.len().min(longer.len() - count);
        shorter > 0 && *agree >= shorter
    });
    whole.next().map(|(count, _)| count)
}

/// For each message, for how many from it on `units` has what `beginning` begins with: the Z-function,
/// whose work grows with the messages and not with their square, however alike they are.
fn agreement(beginning: &[Unit<'_>], units: &[Unit<'_>]) -> Vec<usize> {
    let hashes = |units: &[Unit<'_>]| {
        units
            .iter()
            .map(|unit| Some(unit.hash()))
            .collect::<Vec<_>>()
    };
    // What no message is stands between.
    let all = [hashes(beginning), vec![None], hashes(units)].concat();
    let mut lengths = vec![0_usize; all.len()];
    let (mut start, mut end) = (0, 0);
    for at in 1..all.len() {
        let known = lengths.get(at - start).copied().unwrap_or_default();
        let mut length = known.min(end.max(at) - at);
        while all
            .get(at + length)
            .is_some_and(|hash| all.get(length) == Some(hash))
        {
            length += 1;
        }
        if at + length > end {
            (start, end) = (at, at + length);
        }
        if let Some(kept) = lengths.get_mut(at) {
            *kept = length;
        }
    }
    lengths.split_off(beginning.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::super::{dialect::Dialect, prompt::Prompt};
    use super::goes_on_at;
    use serde_json::{Value, json};

    fn body(texts: &str) -> Value {
        let messages = texts
            .chars()
            .map(|text| json!({"role":"user","content":text.to_string()}));
        json!({"messages":messages.collect::<Vec<_>>()})
    }

    #[test]
    fn goes_on_to_the_end_of_one() {
        for (longer, other, expected) in [
            ("abcd", "cd", Some(2)),
            ("abcd", "cdef", Some(2)),
            ("abcd", "c", Some(2)),
            ("abcd", "ce", None),
            ("aaab", "aab", Some(1)),
            ("aaaa", "aab", Some(2)),
            ("ab", "ab", None),
            ("a", "a", None),
            ("ab", "", None),
            ("", "a", None),
        ] {
            let (a, b) = (body(longer), body(other));
            let prompt = |body| Prompt::of(body, Dialect::OpenAiChat).messages;
            assert_eq!(
                goes_on_at(&prompt(&a), &prompt(&b)),
                expected,
                "{longer} {other}"
            );
        }
    }
}
