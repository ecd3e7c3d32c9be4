//! The shortest way from one sequence to another (Myers 1986), looked for in stretches.
//!
//! A stretch ends where both sequences do, or after so many edits at the place that got farthest;
//! the next one begins there. So the time grows with the length, and up to that many edits
//! the way is the shortest one.

/// After how many edits a stretch ends.
pub const MOST_EDITS: usize = 256;

/// The pairs of places that the way keeps.
pub struct Way {
    pub kept: Vec<(usize, usize)>,
    /// Whether one stretch was enough, so that no way is shorter.
    pub shortest: bool,
}

pub fn way(before: &[u32], after: &[u32]) -> Way {
    let mut kept = Vec::new();
    let (mut start, mut stretches) = ((0, 0), 0);
    while start.0 < before.len() && start.1 < after.len() {
        let stretch = Stretch::search(
            before.get(start.0..).unwrap_or_default(),
            after.get(start.1..).unwrap_or_default(),
        );
        stretch.keep(start, &mut kept);
        start = (start.0 + stretch.end.0, start.1 + stretch.end.1);
        stretches += 1;
    }
    Way {
        kept,
        shortest: stretches <= 1,
    }
}

/// No place that the number of edits leads to.
const NOWHERE: usize = usize::MAX;

/// For each number of edits the farthest places: of `n` edits, for the diagonals -n, -n+2, … n, how
/// far into `before` they lie. A diagonal is the place in `before` less that in `after`.
struct Stretch<'a> {
    before: &'a [u32],
    after: &'a [u32],
    rows: Vec<Vec<usize>>,
    /// The place where it ends, and its position in the last row.
    end: (usize, usize),
    last: usize,
}

impl<'a> Stretch<'a> {
    fn search(before: &'a [u32], after: &'a [u32]) -> Self {
        let mut stretch = Self {
            before,
            after,
            rows: vec![vec![run(before, after)]],
            end: (0, 0),
            last: 0,
        };
        while !stretch.ended() && stretch.rows.len() <= MOST_EDITS {
            let row = stretch.next_row();
            stretch.rows.push(row);
        }
        stretch
    }

    /// Whether the last row reaches the end of both; `end` is its farthest place.
    fn ended(&mut self) -> bool {
        let edits = self.rows.len() - 1;
        let row = self.rows.last().map_or(&[][..], Vec::as_slice);
        let places = row.iter().enumerate();
        let places = places.filter_map(|(at, place)| Some((at, *place, other(*place, edits, at)?)));
        if let Some((at, place, other)) = places.max_by_key(|(_, place, other)| place + other) {
            (self.last, self.end) = (at, (place, other));
        }
        self.end == (self.before.len(), self.after.len())
    }

    fn next_row(&self) -> Vec<usize> {
        let edits = self.rows.len();
        (0..=edits)
            .map(|at| match self.step(edits, at) {
                Some((_, place)) => place + self.run_from(place, edits, at),
                None => NOWHERE,
            })
            .collect()
    }

    /// Where an edit leads to: from which position of the row before, and how far into `before`.
    fn step(&self, edits: usize, at: usize) -> Option<(usize, usize)> {
        let row = self.rows.get(edits - 1)?;
        let inside = |place: &usize| {
            *place <= self.before.len()
                && other(*place, edits, at).is_some_and(|other| other <= self.after.len())
        };
        let left = at.checked_sub(1).and_then(|from| {
            let place = row.get(from)?.checked_add(1)?;
            Some((from, place)).filter(|(_, place)| inside(place))
        });
        let added = row
            .get(at)
            .filter(|place| inside(place))
            .map(|place| (at, *place));
        match (left, added) {
            (Some(left), Some(added)) if left.1 > added.1 => Some(left),
            (left, None) => left,
            (_, added) => added,
        }
    }

    fn run_from(&self, place: usize, edits: usize, at: usize) -> usize {
        let other = other(place, edits, at).unwrap_or_default();
        run(
            self.before.get(place..).unwrap_or_default(),
            self.after.get(other..).unwrap_or_default(),
        )
    }

    /// Adds the pairs that lie on the way to the end, each moved by `start`.
    fn keep(&self, start: (usize, usize), kept: &mut Vec<(usize, usize)>) {
        let first = kept.len();
        let (mut place, mut at) = (self.end.0, self.last);
        for edits in (0..self.rows.len()).rev() {
            let step = edits.checked_sub(1).and_then(|_| self.step(edits, at));
            let (from, begin) = step.unwrap_or_default();
            for place in (begin..place).rev() {
                let other = other(place, edits, at).unwrap_or_default();
                kept.push((start.0 + place, start.1 + other));
            }
            let before = edits.checked_sub(1).and_then(|edits| self.rows.get(edits));
            place = before
                .and_then(|row| row.get(from))
                .copied()
                .unwrap_or_default();
            at = from;
        }
        if let Some(added) = kept.get_mut(first..) {
            added.reverse();
        }
    }
}

/// The place in `after` that belongs to one in `before`, on the diagonal `2 * at - edits`.
fn other(place: usize, edits: usize, at: usize) -> Option<usize> {
    if place == NOWHERE {
        return None;
    }
    (place + edits).checked_sub(2 * at)
}

/// How many numbers the two begin with alike.
fn run(before: &[u32], after: &[u32]) -> usize {
    let pairs = before.iter().zip(after);
    pairs.take_while(|(one, other)| one == other).count()
}
