//! The model's server.

use std::io::Read;

use anyhow::{Context, Result, bail};
use waybread::{Body, Dialect};

/// Where the model is, and what it speaks.
pub struct Model {
    base: String,
    url: String,
    key: Option<String>,
    anthropic: bool,
}

impl Model {
    /// `base` is such as `http://127.0.0.1:8080/v1`.
    pub fn new(base: &str, dialect: Dialect, key: Option<&str>) -> Self {
        let path = match dialect {
            Dialect::OpenaiChat => "chat/completions",
            Dialect::AnthropicMessages => "messages",
            _ => "responses",
        };
        Self {
            base: base.to_owned(),
            url: format!("{}/{path}", base.trim_end_matches('/')),
            key: key.map(str::to_owned),
            anthropic: dialect == Dialect::AnthropicMessages,
        }
    }

    /// The base.
    pub fn url(&self) -> &str {
        &self.base
    }

    /// A request's answer, as the server wrote it.
    pub async fn post(&self, body: Body) -> Result<String> {
        let mut request = ureq::post(&self.url).header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = match self.anthropic {
                true => request
                    .header("x-api-key", key)
                    .header("anthropic-version", "2023-06-01"),
                false => request.header("authorization", format!("Bearer {key}")),
            };
        }
        let request = request.config().http_status_as_error(false).build();
        let sent = tokio::task::spawn_blocking(move || -> Result<String> {
            let mut response = request.send(body.as_bytes())?;
            let mut answer = String::new();
            response
                .body_mut()
                .as_reader()
                .read_to_string(&mut answer)?;
            if !response.status().is_success() {
                bail!("it answers {}: {answer}", response.status());
            }
            Ok(answer)
        });
        sent.await?
            .with_context(|| format!("the model at {}", self.url))
    }
}
