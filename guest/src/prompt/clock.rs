//! No date or time in the harness's own words (§10.2).

/// The English months.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The first date or time in a text, and the character at which it stands, from 0.
pub fn find(text: &str) -> Option<(usize, &str)> {
    let mut before = None;
    for (character, (at, next)) in text.char_indices().enumerate() {
        let last = before.replace(next);
        if last.is_some_and(char::is_alphanumeric) || !next.is_ascii_alphanumeric() {
            continue;
        }
        // `a.ts:10:20` is a place in a file.
        if let Some(found) = at_start(text.get(at..)?, last != Some(':')) {
            return Some((character, found));
        }
    }
    None
}

/// A date, or a time if there may be one, with which `text` begins.
fn at_start(text: &str, times: bool) -> Option<&str> {
    let forms = [year_first, year_last, day_month, month_day, clock_time];
    let forms = forms.iter().take(if times { 5 } else { 4 });
    forms.into_iter().find_map(|form| {
        let rest = form(text)?;
        let ends = !rest.chars().next().is_some_and(char::is_alphanumeric);
        let iso = rest.starts_with('T') && clock_time(rest.get(1..)?).is_some();
        let found = text.get(..text.len() - rest.len())?;
        (ends || iso).then_some(found)
    })
}

/// So many digits, at least and at most, as a number, and what follows.
fn number(text: &str, least: usize, most: usize) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = (least..=most)
        .contains(&digits)
        .then(|| text.split_at(digits))?;
    Some((digits.parse().ok()?, rest))
}

fn ranged(text: &str, least: usize, last: u32) -> Option<&str> {
    let (number, rest) = number(text, least, 2)?;
    (1..=last).contains(&number).then_some(rest)
}

/// `2026-11-30`, `2026/11/30`.
fn year_first(text: &str) -> Option<&str> {
    let (_, rest) = number(text, 4, 4)?;
    let separator = rest.chars().next().filter(|c| "-/".contains(*c))?;
    let rest = ranged(rest.strip_prefix(separator)?, 1, 12)?;
    ranged(rest.strip_prefix(separator)?, 1, 31)
}

/// `30.11.2026`, `11/30/2026`, `30/11/2026`.
fn year_last(text: &str) -> Option<&str> {
    let (first, rest) = number(text, 1, 2)?;
    let separator = rest.chars().next().filter(|c| "./".contains(*c))?;
    let (second, rest) = number(rest.strip_prefix(separator)?, 1, 2)?;
    let (_, rest) = number(rest.strip_prefix(separator)?, 4, 4)?;
    let is_date = |day: u32, month: u32| (1..=31).contains(&day) && (1..=12).contains(&month);
    let either = is_date(first, second) || (separator == '/' && is_date(second, first));
    either.then_some(rest)
}

/// `30 November 2026`.
fn day_month(text: &str) -> Option<&str> {
    let rest = month(ranged(text, 1, 31)?.strip_prefix(' ')?)?;
    Some(number(rest.strip_prefix(' ')?, 4, 4)?.1)
}

/// `Nov 30, 2026`, `November 30 2026`.
fn month_day(text: &str) -> Option<&str> {
    let rest = ranged(month(text)?.strip_prefix(' ')?, 1, 31)?;
    let rest = rest.strip_prefix(',').unwrap_or(rest);
    Some(number(rest.strip_prefix(' ')?, 4, 4)?.1)
}

/// A month's name, in full or three letters with or without a full stop.
fn month(text: &str) -> Option<&str> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, rest) = text.split_at(letters);
    let name = name.to_ascii_lowercase();
    let known = MONTHS
        .iter()
        .any(|month| name == *month || month.get(..3) == Some(&name));
    known.then(|| rest.strip_prefix('.').unwrap_or(rest))
}

/// `14:05`, `14:05:09`, `2:05 pm`.
fn clock_time(text: &str) -> Option<&str> {
    let (hour, rest) = number(text, 1, 2)?;
    let two_digits = text.len() - rest.len() == 2;
    let (minute, rest) = number(rest.strip_prefix(':')?, 2, 2)?;
    if hour > 23 || minute > 59 {
        return None;
    }
    if let Some(rest) = half_of_day(rest) {
        return Some(rest);
    }
    let seconds = rest.strip_prefix(':').and_then(|rest| number(rest, 2, 2));
    let rest = match seconds {
        Some((second, rest)) if second <= 59 => rest,
        // `10:20:300` is a place in a file.
        _ if rest.starts_with(':') && rest.get(1..)?.starts_with(|c: char| c.is_ascii_digit()) => {
            return None;
        }
        _ => rest,
    };
    two_digits.then_some(rest)
}

/// What follows `am` or `pm`, with or without a blank before it.
fn half_of_day(text: &str) -> Option<&str> {
    let text = text.strip_prefix(' ').unwrap_or(text);
    let (half, rest) = text.split_at_checked(2)?;
    let ends = !rest.starts_with(char::is_alphanumeric);
    let known = half.eq_ignore_ascii_case("am") || half.eq_ignore_ascii_case("pm");
    (ends && known).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_dates_and_times() {
        for (text, found) in [
            ("It is 2026-11-30.", "2026-11-30"),
            ("2026/1/3", "2026/1/3"),
            ("at 2026-11-30T14:05:09Z", "2026-11-30"),
            ("am 30.11.2026 um", "30.11.2026"),
            ("11/30/2026", "11/30/2026"),
            ("since 30 November 2026", "30 November 2026"),
            ("Nov. 30, 2026", "Nov. 30, 2026"),
            ("now 14:05", "14:05"),
            ("23:59:59", "23:59:59"),
            ("2:05 pm", "2:05 pm"),
            ("At 14:05: begin", "14:05"),
            ("12:05 pmx", "12:05"),
        ] {
            let (at, given) = find(text).unwrap();
            assert_eq!(given, found, "{text}");
            assert_eq!(text[at..].find(found), Some(0), "{text}");
        }
    }

    #[test]
    fn lets_other_numbers_pass() {
        for text in [
            "",
            "2000 lines",
            "v2026-11-30",
            "1.2.3",
            "192.168.1.2026",
            "24:00",
            "a.ts:10:20",
            "src/a.ts:10:200",
            "2:05",
            "§10.3",
            "30 days",
            "May 2026",
            "2026-13-01",
            "0x12:30",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
