//! What the real tokenizers count.

use anyhow::Result;
use tiktoken_rs::CoreBPE;
use waybread_guest::tokens::Vocabulary;

/// The two vocabularies that the estimate is fitted to, with the names that are printed.
pub const VOCABULARIES: [(&str, Vocabulary); 2] =
    [("o200k", Vocabulary::O200k), ("cl100k", Vocabulary::Cl100k)];

/// The real tokenizers, in the order of [`VOCABULARIES`].
pub struct Tokenizers([CoreBPE; 2]);

impl Tokenizers {
    pub fn load() -> Result<Self> {
        Ok(Self([
            tiktoken_rs::o200k_base()?,
            tiktoken_rs::cl100k_base()?,
        ]))
    }

    /// The tokens of `text` in each vocabulary, special tokens read as plain text.
    pub fn count(&self, text: &str) -> [f64; 2] {
        self.0
            .each_ref()
            .map(|tokenizer| tokenizer.count_ordinary(text) as f64)
    }
}
