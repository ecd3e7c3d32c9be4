//! What a caller wants in a body beside what the session makes.

use serde_json::{Map, Value};

use crate::json;

/// What the component writes itself.
const OWN: [&str; 5] = ["tools", "messages", "system", "instructions", "input"];

/// A caller's parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// The model, which stands first in a body.
    pub model: Option<Value>,
    /// The rest, which stands last.
    pub rest: Map<String, Value>,
}

impl Parameters {
    /// The model's name; empty where there is none.
    pub fn name(&self) -> &str {
        let name = self.model.as_ref().and_then(Value::as_str);
        name.unwrap_or_default()
    }

    /// Reads a JSON object; an empty text is an empty one.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let blank = text.trim().is_empty();
        let mut rest = json::object(if blank { "{}" } else { text })?;
        if let Some(own) = OWN.iter().find(|own| rest.contains_key(**own)) {
            return Err(format!("holds `{own}`, which the session writes itself"));
        }
        let model = rest.shift_remove("model");
        Ok(Self { model, rest })
    }
}
