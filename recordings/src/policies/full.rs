//! The whole history with every request: what a harness sends that does nothing.

use serde_json::{Value, json};

use super::Policy;
use super::history::History;
use super::text::Text;

pub(super) struct Full;

impl Policy for Full {
    fn name(&self) -> &'static str {
        "full-history"
    }

    fn parameters(&self) -> Value {
        json!({})
    }

    fn request(&mut self, history: &History) -> Vec<Text> {
        let all = 0..history.entries.len();
        all.filter_map(|at| history.text(at)).cloned().collect()
    }
}
