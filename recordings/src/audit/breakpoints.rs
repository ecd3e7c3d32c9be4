//! `cache_control`: where a provider is asked to cache. A model never reads it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::piece::step;
use crate::json::text;

/// Breakpoints that moved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakpoints {
    /// Paths that have `cache_control` in the later body only; with its lifetime, if it has one.
    pub added: Vec<String>,
    /// Paths that had it in the earlier body only.
    pub removed: Vec<String>,
}

impl Breakpoints {
    pub(crate) fn moved(previous: &Value, next: &Value) -> Self {
        let (before, now) = (paths(previous), paths(next));
        let only = |these: &[String], those: &[String]| -> Vec<String> {
            these
                .iter()
                .filter(|path| !those.contains(path))
                .cloned()
                .collect()
        };
        Self {
            added: only(&now, &before),
            removed: only(&before, &now),
        }
    }

    /// Whether none moved.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }
}

fn paths(body: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for part in ["tools", "system", "messages", "input"] {
        if let Some(value) = body.get(part) {
            collect(value, part, &mut found);
        }
    }
    found
}

fn collect(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                collect(item, &format!("{path}[{at}]"), found);
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                match key.as_str() {
                    "cache_control" if value.is_null() => {}
                    "cache_control" => found.push(match text(value, "ttl") {
                        Some(lifetime) => format!("{path} ({lifetime})"),
                        None => path.to_owned(),
                    }),
                    "input" | "input_schema" | "parameters" | "arguments" => {}
                    _ => collect(value, &format!("{path}{}", step(key)), found),
                }
            }
        }
        _ => {}
    }
}
