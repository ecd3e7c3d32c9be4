//! How much of a prompt stands, and how much is read again.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::piece::Piece;
use super::text::{common_prefix, common_suffix};

/// Characters of the prompts. `next` is the sum of `kept`, `again` and `new`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chars {
    /// The earlier prompt.
    pub previous: u64,
    /// The later prompt.
    pub next: u64,
    /// What the later prompt begins with as the earlier one does.
    pub kept: u64,
    /// What follows the first difference although the earlier prompt had it: read again.
    pub again: u64,
    /// What the earlier prompt did not have.
    pub new: u64,
}

impl Chars {
    pub(crate) fn add(&mut self, other: &Self) {
        self.previous += other.previous;
        self.next += other.next;
        self.kept += other.kept;
        self.again += other.again;
        self.new += other.new;
    }

    /// The share of `next` that was read again, in percent with one decimal.
    pub(crate) fn again_percent(&self) -> String {
        percent(self.again, self.next)
    }
}

/// In percent with one decimal, rounded half up.
fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "0.0".to_owned();
    }
    let (part, whole) = (u128::from(part), u128::from(whole));
    let tenths = (part * 2000 + whole) / (2 * whole);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// `nothing_stands`: another model or API reads everything from its start.
pub(crate) fn measure(previous: &[&Piece<'_>], next: &[&Piece<'_>], nothing_stands: bool) -> Chars {
    let equal = previous.iter().zip(next).take_while(|(a, b)| a.same(b));
    let equal = if nothing_stands { 0 } else { equal.count() };
    let (stands, rest) = next.split_at_checked(equal).unwrap_or((next, &[]));
    let before = previous.get(equal..).unwrap_or_default();
    let kept: u64 = stands.iter().map(|piece| piece.chars).sum();
    let broken = if nothing_stands {
        None
    } else {
        before.first().zip(rest.first())
    };
    let begun = broken.map_or(0, |(a, b)| begun_alike(a, b));
    let again = read_again(before, rest, begun);
    let total = |pieces: &[&Piece<'_>]| pieces.iter().map(|piece| piece.chars).sum();
    let next: u64 = total(next);
    Chars {
        previous: total(previous),
        next,
        kept: kept + begun,
        again,
        new: next - kept - begun - again,
    }
}

/// The characters that two differing pieces at one place begin with.
fn begun_alike(a: &Piece<'_>, b: &Piece<'_>) -> u64 {
    let comparable = a.path == b.path && a.kind == b.kind && a.chars > 0 && b.chars > 0;
    if comparable {
        common_prefix(&a.text, &b.text)
    } else {
        0
    }
}

/// A piece is read again if the earlier prompt had it behind the difference; of the piece that
/// differs, so is the end that both have. `begun` of its characters stand.
fn read_again(before: &[&Piece<'_>], rest: &[&Piece<'_>], begun: u64) -> u64 {
    let (Some((old, before)), Some((first, rest))) = (before.split_first(), rest.split_first())
    else {
        return 0;
    };
    let mut had = Had::default();
    before.iter().for_each(|piece| had.add(piece));
    let taken = had.take(first);
    let ended = if taken {
        0
    } else {
        ended_alike(old, first, begun)
    };
    // No character counts twice.
    if begun + ended == 0 {
        had.add(old);
    }
    let again = if taken { first.chars - begun } else { ended };
    let pieces = rest.iter().filter(|piece| had.take(piece));
    again + pieces.map(|piece| piece.chars).sum::<u64>()
}

/// Texts that were read before, and how often.
#[derive(Default)]
struct Had<'a>(HashMap<&'a str, usize>);

impl<'a> Had<'a> {
    fn add(&mut self, piece: &'a Piece<'_>) {
        if piece.chars > 0 {
            *self.0.entry(&piece.text).or_default() += 1;
        }
    }

    fn take(&mut self, piece: &Piece<'_>) -> bool {
        match self.0.get_mut(&*piece.text) {
            Some(count) if *count > 0 && piece.chars > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

fn ended_alike(a: &Piece<'_>, b: &Piece<'_>, begun: u64) -> u64 {
    if begun == 0 && (a.path != b.path || a.kind != b.kind || a.chars == 0 || b.chars == 0) {
        return 0;
    }
    common_suffix(&a.text, &b.text).min(a.chars.min(b.chars) - begun)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_share_has_one_decimal() {
        for (part, whole, expected) in [
            (0, 0, "0.0"),
            (0, 9, "0.0"),
            (1, 3, "33.3"),
            (2, 3, "66.7"),
            (1, 2000, "0.1"),
            (u64::MAX, u64::MAX, "100.0"),
        ] {
            assert_eq!(percent(part, whole), expected);
        }
    }
}
