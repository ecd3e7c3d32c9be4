//! SWE-agent trajectories. A step is a command and what came of it.

use serde_json::{Value, json};

use crate::About;
use crate::act::{Act, Edit, Shell, Shown};
use crate::formats::editor::{self, changed};
use crate::formats::speech::spoken;
use crate::json::{list, parsed, text};
use crate::model::{Recorded, Reply, Said};
use crate::pairing::{Answer, Call, Of, Pairing};
use crate::path::Base;
use crate::shell::commands;
use crate::undecorate::{leading_number, numbered};

const SEARCHES: &[&str] = &["search_file", "search_dir", "find_file"];
const VIEWS: &[&str] = &["open", "goto", "scroll_up", "scroll_down"];
const EDITS: &[&str] = &["edit", "insert", "append", "create"];
const OTHERS: &[&str] = &[
    "str_replace_editor",
    "submit",
    "exit_cost",
    "exit_context",
    "exit_format",
];

/// Reads a trajectory.
pub(crate) fn read(value: Value) -> Vec<Recorded> {
    let mut session = Recorded {
        searches: SEARCHES,
        contexts: vec!["main".to_owned()],
        ..Recorded::default()
    };
    let mut pairing = Pairing::default();
    beginning(&value, &mut session, &mut pairing);
    for step in list(&value, "trajectory") {
        let directory = directory(step);
        session.root = session.root.take().or_else(|| directory.clone());
        let action = text(step, "action").unwrap_or_default().trim_end();
        pairing.reply(Reply {
            text: text(step, "thought").unwrap_or_default().trim().to_owned(),
            ..Reply::default()
        });
        let call = pairing.call(Call {
            tool: tool(action).to_owned(),
            arguments: action.to_owned(),
            directory,
            ..Call::default()
        });
        if let Some(observation) = text(step, "observation") {
            let of = Of::Call(call);
            pairing.answer(Answer {
                of,
                text: observation.to_owned(),
                ..Answer::default()
            });
        }
    }
    let base = Base::new(session.root.as_deref());
    pairing.finish(&mut session, |call, answer, about| {
        understand(&base, call, answer, about)
    });
    vec![session]
}

/// What the first request held: the history up to the first reply. Later parts of it may be cut.
fn beginning(value: &Value, session: &mut Recorded, pairing: &mut Pairing) {
    let history = list(value, "history").iter();
    for message in history.take_while(|message| text(message, "role") != Some("assistant")) {
        let content = spoken(message.get("content").unwrap_or(&Value::Null));
        match text(message, "role") {
            Some("system") => session.prompt.add_system(&content),
            Some("user") => pairing.said(Said {
                text: content,
                ..Said::default()
            }),
            _ => {}
        }
    }
}

/// Where a step's relative paths begin. The state is an object, or JSON in a string.
fn directory(step: &Value) -> Option<String> {
    let state = step.get("state")?;
    let state = state.as_str().map_or_else(|| state.clone(), parsed);
    text(&state, "working_dir")
        .filter(|directory| directory.starts_with('/'))
        .map(str::to_owned)
}

/// SWE-agent's own command, or `bash` for anything else.
fn tool(action: &str) -> &str {
    let name = action.split_whitespace().next().unwrap_or_default();
    let own = [SEARCHES, VIEWS, EDITS, OTHERS]
        .iter()
        .any(|names| names.contains(&name));
    if own { name } else { "bash" }
}

fn understand(base: &Base, call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let (recorded, shaped) = answer.take_text(about);
    let tool = call.tool.as_str();
    if VIEWS.contains(&tool) {
        view(base, call, recorded)
    } else if EDITS.contains(&tool) {
        edit(tool, recorded)
    } else if SEARCHES.contains(&tool) {
        Act::Search(recorded)
    } else if tool == "str_replace_editor" {
        editor::understand(&editor_arguments(&call.arguments), recorded)
    } else if tool == "bash" {
        Act::Shell(Shell {
            command: call.arguments.clone(),
            directory: call.directory.clone(),
            output: (!shaped).then(|| recorded.clone()),
            text: recorded,
            ..Shell::default()
        })
    } else {
        Act::Output(recorded)
    }
}

fn view(base: &Base, call: &Call, recorded: String) -> Act {
    let Some((path, shown)) = window(&recorded) else {
        let missing = !recorded.contains("[File: ");
        return if missing {
            Act::Failure(recorded)
        } else {
            Act::read(None, recorded)
        };
    };
    let given = opened(call).unwrap_or(path);
    let path = base.led_back(call.directory.as_deref(), &given);
    Act::read(Some(Shown { path, ..shown }), recorded)
}

/// The path that `open` was given.
fn opened(call: &Call) -> Option<String> {
    let plain = commands(&call.arguments)?;
    match plain.first()?.words.as_slice() {
        [open, path, ..] if open == "open" => Some(path.clone()),
        _ => None,
    }
}

fn edit(tool: &str, recorded: String) -> Act {
    let refused = recorded.contains("Your proposed edit has introduced new syntax error")
        || recorded.contains("Your changes have NOT been applied");
    match window(&recorded).filter(|_| !refused) {
        Some((path, shown)) if tool == "create" => {
            let edit = Edit::Known {
                before: None,
                after: shown.content(),
            };
            changed(&path, edit, recorded)
        }
        Some((path, shown)) => {
            let shown = Shown {
                path: path.clone(),
                ..shown
            };
            changed(&path, Edit::Result(shown), recorded)
        }
        None => Act::Failure(recorded),
    }
}

/// The file viewer's window: `[File: P (N lines total)]`, `(k more lines above)`, `12:text`.
fn window(recorded: &str) -> Option<(String, Shown)> {
    let (_, rest) = recorded.split_once("[File: ")?;
    let (header, body) = rest.split_once('\n')?;
    let (path, count) = header
        .trim_end()
        .strip_suffix(" lines total)]")?
        .rsplit_once(" (")?;
    // A terminal's line ends are the transport's, not the file's.
    let terminal = header.ends_with('\r');
    let lines: Vec<&str> = body
        .split('\n')
        .map(|line| {
            if terminal {
                line.strip_suffix('\r').unwrap_or(line)
            } else {
                line
            }
        })
        .skip_while(|line| line.starts_with('(') && line.ends_with("more lines above)"))
        .take_while(|line| line.starts_with(|first: char| first.is_ascii_digit()))
        .collect();
    let (start, lines) = numbered(&lines.join("\n"), ":")?;
    let total = leading_number(count)?;
    let shown = Shown {
        texts: Some(total),
        ..Shown::part(path, start, lines)
    };
    (shown.end() <= total).then(|| (path.to_owned(), shown))
}

/// `str_replace_editor view PATH --view_range 1 50` as the arguments that it stands for.
fn editor_arguments(action: &str) -> Value {
    let words = commands(action)
        .and_then(|all| all.into_iter().next())
        .map(|first| first.words);
    let mut words = words.unwrap_or_default().into_iter().skip(1);
    let mut given = serde_json::Map::new();
    for name in ["command", "path"] {
        given.insert(
            name.to_owned(),
            words.next().map_or(Value::Null, Value::String),
        );
    }
    let mut flag = String::new();
    for word in words {
        if let Some(name) = word.strip_prefix("--") {
            flag = name.to_owned();
        } else if flag == "view_range" {
            let range = given.entry(flag.clone()).or_insert_with(|| json!([]));
            if let Some(range) = range.as_array_mut() {
                range.push(word.parse::<i64>().map_or(Value::Null, Value::from));
            }
        } else {
            given.insert(flag.clone(), Value::String(word));
        }
    }
    Value::Object(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_read_off_the_viewer() {
        let recorded = "[File: /a.py (9 lines total)]\r\n(2 more lines above)\r\n3:x\r\n4:\r\n(5 more lines below)";
        let (path, shown) = window(recorded).unwrap();
        assert_eq!(
            (path.as_str(), shown.start, shown.texts),
            ("/a.py", 3, Some(9))
        );
        assert_eq!(shown.lines, ["x", ""]);
        assert_eq!(window("[File: /a.py (1 lines total)]\n3:x"), None);
        assert_eq!(window("No file open."), None);
    }

    #[test]
    fn an_editor_command_is_read_as_arguments() {
        let action = "str_replace_editor view /a.py --view_range 1 -1";
        let expected = json!({"command": "view", "path": "/a.py", "view_range": [1, -1]});
        assert_eq!(editor_arguments(action), expected);
        let action = "str_replace_editor str_replace /a --old_str 'x\ny' --new_str z";
        let given = editor_arguments(action);
        assert_eq!(
            (text(&given, "old_str"), text(&given, "new_str")),
            (Some("x\ny"), Some("z"))
        );
    }
}
