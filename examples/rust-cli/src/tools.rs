//! What the model may do in the project.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, stdin};
use tokio::process::Command;
use waybread::{FileChange, Outcome, Read, Tool, ToolCall};

use crate::agent::Tools;

/// Whether a command is asked about before it runs.
#[derive(Clone, Copy)]
pub enum Ask {
    Person,
    Never,
}

/// A folder of the disk.
pub struct Project {
    root: PathBuf,
    ask: Ask,
}

impl Project {
    pub fn new(root: &Path, ask: Ask) -> Self {
        let root = root.to_owned();
        Self { root, ask }
    }
}

/// The tools that are offered to the model. `recall` comes with the session.
pub fn offered() -> Vec<Tool> {
    let path = json!({"type": "string", "description": "Relative to the project's root."});
    let number = json!({"type": "integer"});
    let text = json!({"type": "string"});
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| {
        let schema = json!({"type": "object", "properties": properties, "required": required});
        Tool::new(name, description).parameters(schema.to_string())
    };
    vec![
        tool(
            "read",
            "Reads a file's lines.",
            json!({"path": path, "offset": number, "limit": number}),
            &["path"],
        ),
        tool(
            "write",
            "Writes a file, which is made if it is not there.",
            json!({"path": path, "content": text}),
            &["path", "content"],
        ),
        tool(
            "bash",
            "Runs a command in the project's root.",
            json!({"command": text}),
            &["command"],
        ),
    ]
}

/// A read of what the model asked for.
pub fn read(arguments: &Value) -> Outcome {
    let line = |name: &str| {
        let number = arguments.get(name).and_then(Value::as_u64);
        number.and_then(|number| u32::try_from(number).ok())
    };
    let read = Read::new(text(arguments, "path"));
    Outcome::Read(read.offset(line("offset")).limit(line("limit")))
}

fn text<'a>(arguments: &'a Value, name: &str) -> &'a str {
    arguments
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

impl Tools for Project {
    async fn run(&mut self, call: &ToolCall, arguments: &Value) -> Outcome {
        match call.name.as_str() {
            "read" => read(arguments),
            "write" => self.write(text(arguments, "path"), text(arguments, "content")),
            "bash" => self.bash(text(arguments, "command")).await,
            other => Outcome::failure(format!("There is no tool {other}.")),
        }
    }
}

impl Project {
    /// Only below the root: a path that leads out of it by `..` or a link is refused.
    fn write(&self, path: &str, content: &str) -> Outcome {
        let place = self.root.join(path);
        let folder = place.parent().and_then(|folder| {
            std::fs::create_dir_all(folder).ok()?;
            folder.canonicalize().ok()
        });
        let root = self.root.canonicalize().ok();
        let inside = folder
            .zip(root)
            .is_some_and(|(folder, root)| folder.starts_with(root));
        if !inside || place.is_symlink() {
            return Outcome::failure(format!("{path} is not in the project."));
        }
        let before = std::fs::read(&place).ok();
        match std::fs::write(&place, content) {
            Ok(()) => Outcome::change(FileChange::new(path, before, Some(content.into()))),
            Err(error) => Outcome::failure(format!("{path} was not written: {error}")),
        }
    }

    async fn bash(&self, command: &str) -> Outcome {
        if !self.may_run(command).await {
            return Outcome::failure("The person does not want this command to run.");
        }
        let ran = Command::new("bash")
            .args(["-c", command])
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let ran = match ran.await {
            Ok(ran) => ran,
            Err(error) => return Outcome::failure(format!("bash did not start: {error}")),
        };
        let mut said = String::from_utf8_lossy(&ran.stdout).into_owned();
        said.push_str(&String::from_utf8_lossy(&ran.stderr));
        if ran.status.success() {
            return Outcome::output(said);
        }
        Outcome::failure(format!("{said}{}", ran.status))
    }

    async fn may_run(&self, command: &str) -> bool {
        if matches!(self.ask, Ask::Never) {
            return true;
        }
        eprint!("run `{command}`? [y/N] ");
        let answer = BufReader::new(stdin()).lines().next_line().await;
        answer
            .ok()
            .flatten()
            .is_some_and(|answer| answer.trim() == "y")
    }
}
