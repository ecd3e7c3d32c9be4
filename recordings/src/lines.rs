//! JSON lines as they are found: two values on a line where two writers raced, broken lines,
//! blank ones.

use serde_json::Value;

use crate::Reason;
use crate::about::add_reason;
use crate::json::{first_value, repaired};

/// Counted where the rest of a line was dropped.
pub(crate) const NOT_JSON: &str = "a line, or the rest of one, that is not JSON";
/// Counted where a line was read after [`repaired`].
pub(crate) const REPAIRED: &str = "a line with escapes that are not JSON, read as plain characters";

/// Hands every value to `each` with its line, from 1, until `each` answers false. Returns what was
/// wrong on the way.
pub(crate) fn read_lines(content: &str, mut each: impl FnMut(u32, Value) -> bool) -> Vec<Reason> {
    let mut faults = Vec::new();
    for (line, number) in content.lines().zip(1..) {
        let mut line_reader = Line {
            number,
            faults: &mut faults,
        };
        if !line_reader.read(line, &mut each, true) {
            break;
        }
    }
    faults
}

struct Line<'a> {
    number: u32,
    faults: &'a mut Vec<Reason>,
}

impl Line<'_> {
    /// False where `each` wants no more.
    fn read(&mut self, line: &str, each: &mut dyn FnMut(u32, Value) -> bool, repair: bool) -> bool {
        let mut rest = line.trim();
        while !rest.is_empty() {
            let Ok((value, end)) = first_value(rest) else {
                return self.broken(rest, each, repair);
            };
            if !each(self.number, value) {
                return false;
            }
            rest = rest.get(end..).unwrap_or_default().trim_start();
        }
        true
    }

    fn broken(
        &mut self,
        rest: &str,
        each: &mut dyn FnMut(u32, Value) -> bool,
        repair: bool,
    ) -> bool {
        let sound = if repair { repaired(rest) } else { None };
        match sound.filter(|sound| first_value(sound).is_ok()) {
            Some(sound) => {
                add_reason(self.faults, REPAIRED, 1, Some(self.number));
                self.read(&sound, each, false)
            }
            None => {
                add_reason(self.faults, NOT_JSON, 1, Some(self.number));
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &str) -> (Vec<(u32, String)>, Vec<Reason>) {
        let mut values = Vec::new();
        let faults = read_lines(content, |line, value| {
            values.push((line, value.to_string()));
            true
        });
        (values, faults)
    }

    #[test]
    fn reads_two_values_on_a_line_and_goes_on_after_a_broken_one() {
        let (values, faults) = read("{\"a\":1}{\"b\":2}\r\n\n{\"c\":\n[3] x\n{\"d\":\"\\p\"}");
        let expected = [
            (1, r#"{"a":1}"#),
            (1, r#"{"b":2}"#),
            (4, "[3]"),
            (5, r#"{"d":"\\p"}"#),
        ];
        assert_eq!(values, expected.map(|(line, text)| (line, text.to_owned())));
        let faults: Vec<_> = faults
            .iter()
            .map(|f| (&*f.reason, f.count, f.first_line))
            .collect();
        assert_eq!(faults, [(NOT_JSON, 2, Some(3)), (REPAIRED, 1, Some(5))]);
    }

    #[test]
    fn stops_when_told() {
        let mut seen = 0;
        read_lines("1\n2 3\n4", |_, _| {
            seen += 1;
            seen < 2
        });
        assert_eq!(seen, 2);
    }
}
