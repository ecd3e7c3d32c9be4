//! Codex rollouts.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Shell};
use crate::formats::speech::spoken;
use crate::json::{arguments, content_text, list, parsed, text, text_at};
use crate::lines::read_lines;
use crate::model::{Place, Recorded, Reply, Said, Sender};
use crate::pairing::{Answer, Call, Of, Pairing};
use crate::patch;
use crate::shell::commands;
use crate::shell_effects::may_write;

/// Counted where a compaction's new history holds tool results: they are not put in again.
const KEPT: &str = "a result that a compaction kept";

/// Counted where the provider ran a tool itself.
const ELSEWHERE: &str = "a search run by the provider, whose result is not in the recording";

/// Reads a rollout.
pub(crate) fn read(content: &str) -> Vec<Recorded> {
    let mut session = Recorded {
        contexts: vec!["main".to_owned()],
        ..Recorded::default()
    };
    let mut rollout = Rollout::default();
    let faults = read_lines(content, |line, value| {
        let payload = value.get("payload").unwrap_or(&Value::Null);
        match text(&value, "type") {
            Some("session_meta") => meta(&mut session, payload),
            Some("response_item") => rollout.item(&mut session, payload, line),
            Some("compacted") => rollout.compacted(&mut session, payload, line),
            Some("event_msg") if text(payload, "type") == Some("turn_aborted") => {
                rollout.pairing.broken_off(session.contexts.len() - 1);
                rollout.ended = true;
            }
            _ => {}
        }
        true
    });
    session.about.skipped.extend(faults);
    rollout.pairing.finish(&mut session, understand);
    vec![session]
}

/// Where the session ran, and its system prompt. A session that is carried on tells both again.
fn meta(session: &mut Recorded, payload: &Value) {
    let directory = text(payload, "cwd").map(str::to_owned);
    session.root = session.root.take().or(directory);
    if session.prompt.system.is_none() {
        let system = text_at(payload, &["base_instructions", "text"]);
        let system = system.or_else(|| text(payload, "instructions"));
        session.prompt.add_system(system.unwrap_or_default());
    }
}

/// What the harness's own words in a user's message begin with.
const OWN_WORDS: &[&str] = &[
    "# AGENTS.md instructions",
    "<environment_context>",
    "<permissions",
    "<recommended_plugins>",
    "<skill",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_instructions>",
];

/// A rollout as it is read. A reply is written as several items.
#[derive(Default)]
struct Rollout {
    pairing: Pairing,
    /// An output or a message came since the newest reply's last item.
    ended: bool,
    replies: usize,
}

impl Rollout {
    fn compacted(&mut self, session: &mut Recorded, payload: &Value, line: u32) {
        session.compacted();
        self.ended = true;
        let context = session.contexts.len() - 1;
        let history = list(payload, "replacement_history");
        let messages = history
            .iter()
            .filter(|item| text(item, "type") == Some("message"));
        let mut summary: Vec<String> = messages.map(content).collect();
        if summary.is_empty() {
            summary.extend(text(payload, "message").map(str::to_owned));
        }
        for text in summary {
            self.pairing.said(Said {
                context,
                sender: Sender::Machine,
                place: Place::StartsTurn,
                text,
            });
        }
        let output =
            |item: &&Value| text(item, "type").is_some_and(|kind| kind.ends_with("_output"));
        for _ in history.iter().filter(output) {
            session.about.skip(KEPT, Some(line));
        }
    }

    /// An item of a reply: the reply is one until something else comes.
    fn part(&mut self, context: usize, text: String, reasoning: String) {
        if std::mem::take(&mut self.ended) || self.replies == 0 {
            self.replies += 1;
        }
        self.pairing.reply(Reply {
            context,
            key: Some(self.replies.to_string()),
            text,
            reasoning,
            ..Reply::default()
        });
    }

    fn message(&mut self, context: usize, item: &Value) {
        let text = content(item);
        let own = OWN_WORDS.iter().any(|mark| text.starts_with(mark));
        match crate::json::text(item, "role") {
            Some("assistant") => return self.part(context, text, String::new()),
            Some(role) => self.pairing.said(Said {
                context,
                sender: if own || role != "user" {
                    Sender::Machine
                } else {
                    Sender::Person
                },
                place: if text.starts_with("<turn_aborted>") {
                    Place::EndsTurn
                } else {
                    Place::Untold
                },
                text,
            }),
            None => {}
        }
        self.ended = true;
    }

    fn item(&mut self, session: &mut Recorded, item: &Value, line: u32) {
        let kind = text(item, "type").unwrap_or_default();
        let context = session.contexts.len() - 1;
        match kind {
            "message" => self.message(context, item),
            "reasoning" => self.part(context, String::new(), reasoning(item)),
            "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call" => {
                self.part(context, String::new(), String::new());
            }
            _ if kind.ends_with("_output") => self.ended = true,
            _ => {}
        }
        tool_item(session, item, line, &mut self.pairing);
    }
}

fn content(item: &Value) -> String {
    spoken(item.get("content").unwrap_or(&Value::Null))
}

/// The reasoning that is not encrypted.
fn reasoning(item: &Value) -> String {
    let parts = list(item, "summary").iter().chain(list(item, "content"));
    let texts: Vec<&str> = parts.filter_map(|part| text(part, "text")).collect();
    texts.join("\n\n")
}

fn tool_item(session: &mut Recorded, item: &Value, line: u32, pairing: &mut Pairing) {
    let kind = text(item, "type").unwrap_or_default();
    let id = text(item, "call_id").map(str::to_owned);
    match kind {
        "web_search_call" => session.about.skip(ELSEWHERE, Some(line)),
        "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call" => {
            let given = item
                .get("arguments")
                .or(item.get("input"))
                .or(item.get("action"));
            pairing.call(Call {
                id,
                tool: text(item, "name").unwrap_or("shell").to_owned(),
                arguments: arguments(given),
                line: Some(line),
                directory: None,
            });
        }
        _ if kind.ends_with("_output") => {
            pairing.answer(Answer {
                of: id.map_or(Of::Nothing, Of::Id),
                context: session.contexts.len() - 1,
                text: item.get("output").map(output_text).unwrap_or_default(),
                line: Some(line),
                ..Answer::default()
            });
        }
        _ => {}
    }
}

/// What the model was given: a string, the `output` of JSON in a string, or a list of parts.
fn output_text(output: &Value) -> String {
    match output {
        Value::String(string) if string.starts_with('{') => {
            let inner = parsed(string);
            text(&inner, "output").map_or_else(|| string.clone(), str::to_owned)
        }
        Value::Array(parts) => parts.iter().map(content_text).collect::<Vec<_>>().concat(),
        Value::Object(_) => {
            text(output, "content").map_or_else(|| output.to_string(), str::to_owned)
        }
        other => content_text(other),
    }
}

fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let (recorded, shaped) = answer.take_text(about);
    match call.tool.as_str() {
        "apply_patch" => apply_patch(&call.arguments, recorded),
        "exec_command" | "shell" | "container.exec" | "local_shell" | "shell_command" => {
            Act::Shell(shell(&parsed(&call.arguments), recorded, shaped))
        }
        // A command that still runs goes on doing what it does.
        "write_stdin" if only_waits(&call.arguments) && reads_on(&recorded) => {
            Act::Output(recorded)
        }
        _ => Act::Unknown(recorded),
    }
}

/// Whether a `write_stdin` only looks for more output.
fn only_waits(given: &str) -> bool {
    text(&parsed(given), "chars").is_none_or(str::is_empty)
}

/// Whether the running command, which the output's envelope names, is known not to write.
fn reads_on(recorded: &str) -> bool {
    let header = recorded
        .strip_prefix("Command: ")
        .and_then(|rest| rest.split_once("\nChunk ID: "));
    let words = header.and_then(|(line, _)| Some(commands(line)?.into_iter().next()?.words));
    match words.as_deref() {
        Some([_, flag, line]) if flag.starts_with('-') && flag.ends_with('c') => !may_write(line),
        _ => false,
    }
}

fn apply_patch(given: &str, recorded: String) -> Act {
    // Some versions give the patch as a JSON argument.
    let argument = parsed(given);
    let patch = text(&argument, "input")
        .or_else(|| text(&argument, "patch"))
        .unwrap_or(given);
    match patch::parse(patch) {
        Some(files) if recorded.starts_with("Success") => Act::Edit {
            text: recorded,
            files,
        },
        _ if recorded.starts_with("Success") => Act::Unknown(recorded),
        _ => Act::Failure(recorded),
    }
}

fn shell(given: &Value, recorded: String, cut: bool) -> Shell {
    let (exit, output) = envelope(&recorded);
    let output = output
        .filter(|_| !cut && exit == Some(0))
        .map(str::to_owned);
    Shell {
        command: command(given),
        directory: text(given, "workdir").map(str::to_owned),
        // The model is given a failing command's output like any other; Codex marks no failure.
        failed: false,
        output,
        exact: true,
        text: recorded,
    }
}

/// The command line: a string, or a shell and its `-c` argument.
fn command(given: &Value) -> String {
    if let Some(line) = text(given, "cmd").or_else(|| text(given, "command")) {
        return line.to_owned();
    }
    let words: Vec<&str> = list(given, "command")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    match words.as_slice() {
        [_, flag, line] if flag.starts_with('-') && flag.ends_with('c') => (*line).to_owned(),
        words => words.join(" "),
    }
}

/// Exit code and output, out of what Codex puts around a command's output.
fn envelope(recorded: &str) -> (Option<i64>, Option<&str>) {
    let Some((head, output)) = recorded.split_once("\nOutput:\n") else {
        // `shell` of older versions: the output alone.
        let bare = !recorded.starts_with("Command: ") && !recorded.starts_with("Exit code: ");
        return (Some(0), bare.then_some(recorded));
    };
    let exit = head.lines().find_map(|line| {
        line.strip_prefix("Process exited with code ")
            .or_else(|| line.strip_prefix("Exit code: "))
    });
    (exit.and_then(|code| code.trim().parse().ok()), Some(output))
}
