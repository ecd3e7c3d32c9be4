//! A reply's visible text.

/// Text blocks that follow one another are joined as they are (a provider may split a sentence),
/// others by a blank line.
#[derive(Debug, Default)]
pub struct VisibleText {
    text: String,
    apart: bool,
}

impl VisibleText {
    /// Takes in a text block.
    pub fn add(&mut self, text: &str) {
        if self.apart && !self.text.is_empty() && !text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.apart &= text.is_empty();
        self.text.push_str(text);
    }

    /// Something else stands between this text and the next.
    pub fn part(&mut self) {
        self.apart = true;
    }

    /// The whole text.
    pub fn done(self) -> String {
        self.text
    }
}
