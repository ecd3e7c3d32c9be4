//! What can be had of a JSON document that breaks off or breaks in the middle.

use serde_json::Value;

/// The value that the text before an error makes, up to the last element that is whole. None where
/// that is no value either.
pub(crate) fn salvage(text: &str, error: &serde_json::Error) -> Option<Value> {
    let sound = text.get(..offset(text, error)?)?;
    let mut nesting = Nesting::default();
    for (at, byte) in sound.bytes().enumerate() {
        nesting.step(at, byte);
    }
    let (end, closers) = nesting.outer.or(nesting.inner)?;
    let closed = format!("{}{closers}", sound.get(..end)?);
    serde_json::from_str(&closed).ok()
}

/// Where the error lies, in bytes.
fn offset(text: &str, error: &serde_json::Error) -> Option<usize> {
    let before = error.line().checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let mut end = start
        .saturating_add(error.column().saturating_sub(1))
        .min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Some(end)
}

/// How deep the parser goes: beyond it there is nothing to be had.
const DEEPEST: usize = 128;

/// Follows strings and brackets.
#[derive(Default)]
struct Nesting {
    open: Vec<u8>,
    in_string: bool,
    escaped: bool,
    /// The last comma before which everything is whole, and what would close the document there:
    /// between the elements of the document or of a list right in it.
    outer: Option<(usize, String)>,
    /// The same, between the elements of any list.
    inner: Option<(usize, String)>,
}

impl Nesting {
    fn step(&mut self, at: usize, byte: u8) {
        if self.in_string {
            self.in_string = self.escaped || byte != b'"';
            self.escaped = byte == b'\\' && !self.escaped;
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'[' | b'{' => self.open.push(byte),
            b']' | b'}' => drop(self.open.pop()),
            b',' => self.comma(at),
            _ => {}
        }
    }

    fn comma(&mut self, at: usize) {
        let outside_elements = match self.open.as_slice() {
            [b'{' | b'['] | [b'{', b'['] => true,
            [.., b'['] if self.open.len() < DEEPEST => false,
            _ => return,
        };
        let place = Some((at, self.closers()));
        if outside_elements {
            self.outer = place;
        } else {
            self.inner = place;
        }
    }

    fn closers(&self) -> String {
        let closer = |open: &u8| if *open == b'[' { ']' } else { '}' };
        self.open.iter().rev().map(closer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn salvaged(text: &str) -> Option<String> {
        let error = serde_json::from_str::<Value>(text).unwrap_err();
        salvage(text, &error).map(|value| value.to_string())
    }

    #[test]
    fn keeps_whole_elements() {
        for (broken, kept) in [
            (
                r#"[{"a":1},{"b":"x, y"},{"c":"z"#,
                Some(r#"[{"a":1},{"b":"x, y"}]"#),
            ),
            (
                r#"{"m":[{"a":1},{"b":2}],"n":tru"#,
                Some(r#"{"m":[{"a":1},{"b":2}]}"#),
            ),
            ("[1,\n2,\n] x", Some("[1,2]")),
            (r#"[{"a":1,"b":"\""},{"c""#, Some(r#"[{"a":1,"b":"\""}]"#)),
            ("[1", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!(salvaged(broken).as_deref(), kept, "{broken}");
        }
    }
}
