//! The loop: words in, requests out, tools run, the answer back.

use anyhow::Result;
use serde_json::Value;
use waybread::{Outcome, Reply, Session, ToolCall, UserMessage};

use crate::model::Model;

/// Runs the model's calls, all but `recall`, which is the session's own.
pub trait Tools {
    /// What came of a call.
    async fn run(&mut self, call: &ToolCall, arguments: &Value) -> Outcome;
}

/// A session and the model that it talks to.
pub struct Agent<T> {
    session: Session,
    model: Model,
    parameters: String,
    tools: T,
}

impl<T: Tools> Agent<T> {
    /// `parameters` are the request's, as JSON.
    pub fn new(session: Session, model: Model, parameters: String, tools: T) -> Self {
        Self {
            session,
            model,
            parameters,
            tools,
        }
    }

    /// What the model answers in the end. Dropped in the middle, it leaves a session that goes on: a call without a
    /// result gets one that says so.
    pub async fn turn(&mut self, words: &str, date: Option<&str>) -> Result<String> {
        let mut message = UserMessage::person(words);
        if let Some(date) = date {
            message = message.date(date);
        }
        self.session.add_message(message)?;
        loop {
            let request = self.session.build_request(&self.parameters)?;
            let answer = self.model.post(request.body).await?;
            let reply = self.session.add_message(Reply::new(answer.clone()))?;
            // A server that reports no usage is none the worse for it.
            drop(self.session.record_usage(request.number, &answer));
            for call in reply.open_calls() {
                self.answer(call).await?;
            }
            if reply.calls.is_empty() {
                let said = self.session.conversation()?;
                return Ok(said
                    .last()
                    .map(|last| last.text.clone())
                    .unwrap_or_default());
            }
        }
    }

    async fn answer(&mut self, call: &ToolCall) -> Result<()> {
        let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
        let number = |name: &str| arguments.get(name).and_then(Value::as_u64);
        let line = |name| number(name).and_then(|number| u32::try_from(number).ok());
        if call.name == "recall" {
            let id = arguments
                .get("id")
                .and_then(Value::as_str)
                .unwrap_or_default();
            self.session
                .recall(call, id, line("offset"), line("limit"))?;
            return Ok(());
        }
        let outcome = self.tools.run(call, &arguments).await;
        self.session.insert_result(call, outcome)?;
        Ok(())
    }
}
