//! Writes messages at the end of a body.

use crate::json::JsonStyle;

/// Who speaks in an open message, where the dialect has messages that go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The person, a machine, a tool's result.
    User,
    /// The model.
    Assistant,
}

/// The new end of a body.
#[derive(Debug)]
pub struct Writer<'a> {
    /// How JSON is written.
    pub style: &'a JsonStyle,
    /// What is new.
    pub out: Vec<u8>,
    /// How much of the body stands before it.
    pub keep: usize,
    /// The last byte of what stands.
    pub before: u8,
    /// The message that is open at the end.
    pub open: Option<Role>,
    /// Where the texts of results were written, as JSON: number, start, end.
    pub results: Vec<(u32, usize, usize)>,
}

impl Writer<'_> {
    /// The length of the body so far.
    pub fn length(&self) -> usize {
        self.keep + self.out.len()
    }

    /// Begins an item of a list: with a comma, unless it is the first.
    pub fn item(&mut self) {
        if *self.out.last().unwrap_or(&self.before) != b'[' {
            self.out.push(b',');
        }
    }

    /// Writes JSON that is already spelled.
    pub fn raw(&mut self, json: &[u8]) {
        self.out.extend_from_slice(json);
    }

    /// Writes a text or a value.
    pub fn json(&mut self, value: &(impl serde::Serialize + ?Sized)) {
        self.style.write(&mut self.out, value);
    }

    /// Writes the text of a result, which is JSON already, and remembers where.
    pub fn result(&mut self, number: u32, json: &[u8]) {
        let start = self.length();
        self.raw(json);
        self.results.push((number, start, self.length()));
    }
}
