//! What a host opens a session with.

use serde_json::{Value, json};

use crate::model::{Prompt, is_subagent};
use crate::path::Base;
use crate::plan::{self, PromptSource, Settings};
use crate::window::Window;

/// What the recorded system prompt is called: it is framed as instructions from there.
const RECORDING: &str = "the recording";
/// Nothing that a main conversation began with is known of a subagent.
const NOTHING: &Prompt = &Prompt {
    system: None,
    tools: Vec::new(),
};

/// What the contexts of a recorded session begin with.
pub(crate) struct Beginning<'a> {
    pub(crate) names: &'a [String],
    pub(crate) prompt: &'a Prompt,
    pub(crate) searches: &'a [&'a str],
    pub(crate) window: Option<&'a Window>,
}

impl Beginning<'_> {
    /// What the requests of a context begin with.
    pub(crate) fn prompt_of(&self, context: &str) -> &Prompt {
        if is_subagent(context) {
            NOTHING
        } else {
            self.prompt
        }
    }

    /// The settings of a context.
    pub(crate) fn settings(&self, context: &str, base: &Base) -> Settings {
        let prompt = self.prompt_of(context);
        let source = prompt.system.as_ref().map(|text| PromptSource {
            part: "global-instructions".to_owned(),
            name: RECORDING.to_owned(),
            text: text.clone(),
        });
        Settings {
            kind: "agent".to_owned(),
            dialect: "openai-chat".to_owned(),
            root: base.root().to_owned(),
            home: base.home().map(str::to_owned),
            overrides: self.overrides(prompt),
            prompt: plan::Prompt {
                sources: source.into_iter().collect(),
                told: Vec::new(),
            },
            tools: prompt.tools.clone(),
            recall: true,
        }
    }

    /// §6 acts on the tools that the harness itself calls searches and listings.
    fn overrides(&self, prompt: &Prompt) -> Value {
        let context = |window: &Window| window.context(prompt.characters());
        let mut context = self.window.map(context).unwrap_or_default();
        if !self.searches.is_empty() {
            let dedupe = json!({"by_result": self.searches});
            context.insert("dedupe".to_owned(), dedupe);
        }
        let mut overrides = self.window.map(Window::overrides).unwrap_or_default();
        if !context.is_empty() {
            overrides.insert("context".to_owned(), Value::Object(context));
        }
        Value::Object(overrides)
    }
}
