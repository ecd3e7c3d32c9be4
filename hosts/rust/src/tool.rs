//! Tools that a model may call.

use crate::settings::Kind;

/// A tool that the model may call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tool {
    /// Not empty, unique in the session.
    pub name: String,
    /// What the model is told of it.
    pub description: String,
    /// The JSON Schema of its arguments, carried as it is spelled. Empty: no arguments.
    pub parameters: String,
    /// The tool as the dialect spells it, a JSON object carried as it is: for tools that the provider
    /// defines. `description` and `parameters` are not used then.
    pub definition: Option<String>,
    /// Conditions that can come and go (`page`, `plan-mode`). The tool is offered all the same; a
    /// call while one is not met is answered `unavailable` (§10.4).
    pub requires: Vec<String>,
    /// What such a call is answered. None: `tools.unavailable` of `loop.json`.
    pub unavailable: Option<String>,
    /// The kinds of session that offer it. Empty: all.
    pub kinds: Vec<Kind>,
    /// Whether it is left out for a model that sees no images.
    pub vision: bool,
}

impl Tool {
    /// A tool without arguments.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            parameters: String::new(),
            definition: None,
            requires: Vec::new(),
            unavailable: None,
            kinds: Vec::new(),
            vision: false,
        }
    }

    /// A tool that the provider defines, as the dialect spells it:
    /// `{"type":"web_search_20250305","name":"web_search"}`.
    pub fn defined(name: impl Into<String>, definition: impl Into<String>) -> Self {
        let mut tool = Self::new(name, "");
        tool.definition = Some(definition.into());
        tool
    }

    /// The same with arguments, by their JSON Schema.
    #[must_use]
    pub fn parameters(mut self, schema: impl Into<String>) -> Self {
        self.parameters = schema.into();
        self
    }

    /// The same with one more condition that a call requires.
    #[must_use]
    pub fn requires(mut self, condition: impl Into<String>) -> Self {
        self.requires.push(condition.into());
        self
    }

    /// The same with a sentence of its own for calls while a condition is not met.
    #[must_use]
    pub fn unavailable(mut self, sentence: impl Into<String>) -> Self {
        self.unavailable = Some(sentence.into());
        self
    }

    /// The same in sessions of these kinds only.
    #[must_use]
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = Kind>) -> Self {
        self.kinds = kinds.into_iter().collect();
        self
    }

    /// The same, left out for a model that sees no images, or not.
    #[must_use]
    pub fn vision(mut self, vision: bool) -> Self {
        self.vision = vision;
        self
    }
}
