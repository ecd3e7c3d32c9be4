use proptest::prelude::*;

use super::*;

const NO_NEWLINE: &str = "\\ No newline at end of file";

fn unified(before: &str, after: &str) -> String {
    LineDiff::between(before, after).unified(3, NO_NEWLINE)
}

#[test]
fn shows_three_lines_of_context() {
    let before: String = (1..=20).map(|n| format!("{n}\n")).collect();
    let after = before.replace("10\n", "ten\n");
    assert_eq!(
        unified(&before, &after),
        "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13"
    );
}

#[test]
fn marks_a_last_line_without_newline() {
    assert_eq!(
        unified("a\nb", "a\nb\n"),
        "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b"
    );
}

#[test]
fn writes_empty_and_single_ranges_as_diff_does() {
    assert_eq!(unified("", "a\n"), "@@ -0,0 +1 @@\n+a");
    assert_eq!(unified("a\nb\n", ""), "@@ -1,2 +0,0 @@\n-a\n-b");
}

#[test]
fn a_carriage_return_is_part_of_its_line() {
    assert_eq!(
        unified("a\r\nb\n", "a\nb\n"),
        "@@ -1,2 +1,2 @@\n-a\r\n+a\n b"
    );
}

#[test]
fn a_change_stands_as_far_down_as_it_goes() {
    assert_eq!(
        unified("f {\n}\n\ng {\n}\n", "f {\n}\n\nh {\n}\n\ng {\n}\n"),
        "@@ -1,5 +1,8 @@\n f {\n }\n \n+h {\n+}\n+\n g {\n }"
    );
    assert_eq!(
        unified("a\nb\nb\nb\nc\n", "a\nb\nc\n"),
        "@@ -1,5 +1,3 @@\n a\n b\n-b\n-b\n c"
    );
}

/// A linear generator: lines that are the same everywhere.
fn random(seed: u32) -> impl FnMut(u32) -> u32 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below.max(1)
    }
}

fn text(lines: impl IntoIterator<Item = u32>) -> String {
    lines
        .into_iter()
        .map(|line| format!("line {line}\n"))
        .collect()
}

fn changed(before: &str, after: &str) -> usize {
    let diff = LineDiff::between(before, after);
    assert_eq!(applied(before, &diff.unified(3, NO_NEWLINE)), after);
    let (added, removed) = diff.added_and_removed();
    added + removed
}

/// Every kind of text that was once slow, or spent the stack: `hosts/python/bench/scaling.py` has the times.
#[test]
fn large_files_are_compared_within_bounds() {
    const LINES: u32 = 20_000;
    let each = |of: fn(u32) -> u32| text((0..LINES).map(of));
    let numbered = each(|line| line);
    let every = |nth: u32| {
        let lines = (0..LINES).map(|line| line + u32::from(line % nth == 0) * LINES);
        2 * LINES.div_ceil(nth) as usize == changed(&numbered, &text(lines))
    };
    assert!(every(2) && every(10) && every(50));
    let mut few = random(7);
    let few: Vec<u32> = (0..LINES).map(|_| few(100)).collect();
    let lines = |lines: &[u32]| text(lines.iter().copied());
    let reversed: Vec<u32> = few.iter().rev().copied().collect();
    assert!(changed(&lines(&few), &lines(&reversed)) < 2 * LINES as usize);
    assert_eq!(
        changed(
            "a\nb\n".repeat(50_000).as_str(),
            &("b\na\n".repeat(50_000) + "c\n")
        ),
        3
    );
}

/// A small edit stays a small diff in a file whose lines all stand often.
#[test]
fn a_block_that_came_in_a_file_of_few_distinct_lines_is_found() {
    let mut next = random(3);
    let lines: Vec<u32> = (0..20_000).map(|_| next(40)).collect();
    let mut edited = lines.clone();
    edited.splice(15_000..15_000, (0..900).map(|_| next(40)));
    edited.splice(2_000..2_700, std::iter::empty());
    let changed = changed(&text(lines), &text(edited));
    assert!(changed < 1_700, "{changed}");
}

/// What `patch` makes of hunks; it panics where they don't fit.
fn applied(before: &str, hunks: &str) -> String {
    let lines: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut at, mut after) = (0, String::new());
    let mut rows = hunks.split_inclusive('\n').peekable();
    while let Some(row) = rows.next() {
        if let Some(range) = row.strip_prefix("@@ -") {
            let (start, length) = old_range(range);
            let start = if length == 0 { start } else { start - 1 };
            after.push_str(&lines[at..start].concat());
            at = start;
            continue;
        }
        let whole = rows.next_if(|row| row.trim_end_matches('\n') == NO_NEWLINE);
        let mut line = row[1..].to_owned();
        if whole.is_some() {
            line.pop();
        } else if !line.ends_with('\n') {
            line.push('\n'); // The last row of all has none.
        }
        if !row.starts_with('+') {
            assert_eq!(lines[at], line);
            at += 1;
        }
        if !row.starts_with('-') {
            after.push_str(&line);
        }
    }
    after + &lines[at..].concat()
}

fn old_range(range: &str) -> (usize, usize) {
    let range = range.split_once(" +").unwrap().0;
    let (start, length) = range.split_once(',').unwrap_or((range, "1"));
    (start.parse().unwrap(), length.parse().unwrap())
}

/// Texts of few and of many distinct lines, with and without a last newline, with `\r` here and there.
fn some_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[ab]",
        "[a-d]\r?",
        "[a-z]{1,3}",
        Just(NO_NEWLINE.to_owned())
    ];
    let lines = prop::collection::vec(line, 0..40);
    let repeated = (prop::collection::vec("[ab]", 1..4), 1_usize..40)
        .prop_map(|(lines, times)| vec![lines; times].concat());
    (prop_oneof![lines, repeated], any::<bool>()).prop_map(|(lines, newline)| {
        let end = if newline && !lines.is_empty() {
            "\n"
        } else {
            ""
        };
        lines.join("\n") + end
    })
}

/// Two texts: unrelated, one an edit of the other, or its lines turned round.
fn pairs() -> impl Strategy<Value = (String, String)> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), "[ab\n]{0,3}"), 0..5);
    let edited = (some_text(), edits).prop_map(|(before, edits)| {
        let mut lines: Vec<String> = before.split_inclusive('\n').map(str::to_owned).collect();
        for (at, text) in edits {
            if !lines.is_empty() {
                let at = at.index(lines.len());
                lines[at] = text;
            }
        }
        let after = lines.concat();
        (before, after)
    });
    let turned = some_text().prop_map(|before| {
        let after = before.split_inclusive('\n').rev().collect();
        (before, after)
    });
    prop_oneof![(some_text(), some_text()), edited, turned]
}

/// The fewest lines that can change.
fn fewest(before: &[&str], after: &[&str]) -> usize {
    let mut row = vec![0; after.len() + 1];
    for line in before {
        let mut corner = 0;
        for (at, other) in after.iter().enumerate() {
            let best = if line == other {
                corner + 1
            } else {
                row[at].max(row[at + 1])
            };
            corner = std::mem::replace(&mut row[at + 1], best);
        }
    }
    before.len() + after.len() - 2 * row[after.len()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn a_diff_applies((before, after) in pairs(), context in 0_usize..5) {
        let diff = LineDiff::between(&before, &after);
        prop_assert_eq!(&applied(&before, &diff.unified(context, NO_NEWLINE)), &after);
        let (added, removed) = diff.added_and_removed();
        prop_assert!(added <= diff.after.len() && removed <= diff.before.len());
        for pair in diff.changes.windows(2) {
            prop_assert!(pair[0].before.end < pair[1].before.start);
        }
    }

    /// Within one stretch no way is shorter.
    #[test]
    fn the_way_between_small_texts_is_the_shortest((before, after) in pairs()) {
        let before: Vec<&str> = before.split_inclusive('\n').collect();
        let after: Vec<&str> = after.split_inclusive('\n').collect();
        let mut numbers = anchors::numbered(&[&before[..], &after[..]].concat());
        let others = numbers.split_off(before.len());
        let way = shortest::way(&numbers, &others);
        prop_assert!(way.shortest);
        prop_assert_eq!(
            before.len() + after.len() - 2 * way.kept.len(),
            fewest(&before, &after)
        );
    }
}
