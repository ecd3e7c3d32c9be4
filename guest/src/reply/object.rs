//! Whether a text is one JSON object, and if not, what is wrong with it and where.

/// As deep as JSON is read.
const DEEPEST: usize = 127;

/// What is wrong with a text; places are characters, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It ends before its value does; it has so many characters.
    Ends(usize),
    /// A character that no JSON has there.
    Unexpected(usize),
    /// A whole value is followed by more.
    More(usize),
    /// It is nested deeper than JSON is read.
    Deep(usize),
    /// It is another value than an object.
    Other,
}

/// Looks at a text.
///
/// # Errors
///
/// The first flaw.
pub fn check(text: &str) -> Result<(), Flaw> {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: 0,
        open: Vec::new(),
    };
    match scan.run() {
        Ok(()) if text.trim_start().starts_with('{') => Ok(()),
        Ok(()) => Err(Flaw::Other),
        Err(flaw) => Err(flaw(scan.characters())),
    }
}

/// What may come next.
#[derive(Clone, Copy)]
enum Next {
    Value,
    /// A value, or the list's end.
    Item,
    /// A key, or the object's end.
    Field,
    Key,
    Colon,
    /// What separates or ends.
    After,
}

type Stop = fn(usize) -> Flaw;

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// What closes each list and object.
    open: Vec<u8>,
}

impl Scan<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        let mut next = Next::Value;
        loop {
            self.pass(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
            let Some(byte) = self.peek() else {
                let whole = matches!(next, Next::After) && self.open.is_empty();
                return if whole { Ok(()) } else { Err(Flaw::Ends) };
            };
            next = match (next, byte) {
                (Next::Item, b']') | (Next::Field, b'}') => self.close(),
                (Next::Value | Next::Item, _) => self.value(byte)?,
                (Next::Field | Next::Key, b'"') => {
                    self.string()?;
                    Next::Colon
                }
                (Next::Colon, b':') => {
                    self.at += 1;
                    Next::Value
                }
                (Next::After, _) => self.after(byte)?,
                _ => return Err(Flaw::Unexpected),
            };
        }
    }

    fn value(&mut self, byte: u8) -> Result<Next, Stop> {
        match byte {
            b'{' => return self.enter(b'}', Next::Field),
            b'[' => return self.enter(b']', Next::Item),
            b'"' => self.string()?,
            b't' => self.word(b"true")?,
            b'f' => self.word(b"false")?,
            b'n' => self.word(b"null")?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => return Err(Flaw::Unexpected),
        }
        Ok(Next::After)
    }

    fn after(&mut self, byte: u8) -> Result<Next, Stop> {
        match (self.open.last(), byte) {
            (None, _) => Err(Flaw::More),
            (Some(close), _) if *close == byte => Ok(self.close()),
            (Some(close), b',') => {
                let next = if *close == b'}' {
                    Next::Key
                } else {
                    Next::Value
                };
                self.at += 1;
                Ok(next)
            }
            _ => Err(Flaw::Unexpected),
        }
    }

    fn enter(&mut self, close: u8, next: Next) -> Result<Next, Stop> {
        if self.open.len() >= DEEPEST {
            return Err(Flaw::Deep);
        }
        self.open.push(close);
        self.at += 1;
        Ok(next)
    }

    fn close(&mut self) -> Next {
        self.open.pop();
        self.at += 1;
        Next::After
    }

    fn string(&mut self) -> Result<(), Stop> {
        self.at += 1;
        loop {
            self.pass(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f));
            match self.peek() {
                None => return Err(Flaw::Ends),
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(_) => return Err(Flaw::Unexpected),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn escape(&mut self) -> Result<(), Stop> {
        self.at += 1;
        if self.peek() != Some(b'u') {
            return self.one(|byte| b"\"\\/bfnrt".contains(&byte));
        }
        self.at += 1;
        (0..4).try_for_each(|_| self.one(|byte| byte.is_ascii_hexdigit()))
    }

    fn number(&mut self) -> Result<(), Stop> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Stop> {
        self.one(|byte| byte.is_ascii_digit())?;
        self.pass(|byte| byte.is_ascii_digit());
        Ok(())
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Stop> {
        word.iter()
            .try_for_each(|letter| self.one(|byte| byte == *letter))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn one(&mut self, may: impl Fn(u8) -> bool) -> Result<(), Stop> {
        match self.peek() {
            None => Err(Flaw::Ends),
            Some(byte) if may(byte) => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Flaw::Unexpected),
        }
    }

    fn pass(&mut self, may: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&may) {
            self.at += 1;
        }
    }

    /// The character at which it stands, from 1; at the end, how many there are.
    fn characters(&self) -> usize {
        let begins = |byte: &&u8| !matches!(**byte, 0x80..=0xbf);
        let before = self.bytes.get(..self.at).unwrap_or(self.bytes);
        let more = usize::from(self.at < self.bytes.len());
        before.iter().filter(begins).count() + more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_is_wrong_and_where() {
        for (text, flaw) in [
            (r#" {"a":[1,-0.5e+3,"\u00e9\n",true,null,{}]} "#, None),
            (r#"{"é":"hel"#, Some(Flaw::Ends(9))),
            (r#"{"a":1"#, Some(Flaw::Ends(6))),
            (r#"{"a":"\u00"#, Some(Flaw::Ends(10))),
            (r#"{"a":tr"#, Some(Flaw::Ends(7))),
            (r#"{"a":1}{"a":1}"#, Some(Flaw::More(8))),
            ("01", Some(Flaw::More(2))),
            ("[01]", Some(Flaw::Unexpected(3))),
            (r#"{"a":NaN}"#, Some(Flaw::Unexpected(6))),
            (r#"{"a":1,}"#, Some(Flaw::Unexpected(8))),
            ("{'a':1}", Some(Flaw::Unexpected(2))),
            ("{\"é\":\"\n\"}", Some(Flaw::Unexpected(7))),
            (r#"{"a":"\x"}"#, Some(Flaw::Unexpected(8))),
            ("[]", Some(Flaw::Other)),
            ("-1.5", Some(Flaw::Other)),
            ("-", Some(Flaw::Ends(1))),
            ("not json", Some(Flaw::Unexpected(2))),
        ] {
            assert_eq!(check(text).err(), flaw, "{text}");
        }
    }

    #[test]
    fn is_as_deep_as_json_is_read() {
        let nested = |depth: usize| "{\"a\":".repeat(depth) + "1" + &"}".repeat(depth);
        for depth in [126, 127, 128, 200_000] {
            let read = depth <= DEEPEST;
            assert_eq!(check(&nested(depth)).is_ok(), read);
            assert_eq!(crate::json::value(&nested(depth)).is_ok(), read);
        }
        let deep = Some(Flaw::Deep(127 * 5 + 1));
        assert_eq!(check(&nested(128)).err(), deep);
    }
}
