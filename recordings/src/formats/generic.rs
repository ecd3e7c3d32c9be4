//! Tools by their name, for formats that any harness may have written.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Shell};
use crate::formats::{claude_tools, editor, gemini};
use crate::json::{list, parsed, text};
use crate::pairing::{Answer, Call};

/// Search and listing tools, by the names that harnesses give them.
pub(crate) const SEARCHES: &[&str] = &[
    "Grep",
    "Glob",
    "LS",
    "codebase_search",
    "find_file",
    "glob",
    "grep",
    "grep_search",
    "list_code_definition_names",
    "list_dir",
    "list_directory",
    "list_files",
    "search_codebase",
    "search_dir",
    "search_file",
    "search_file_content",
    "search_files",
];

const SHELLS: &[&str] = &[
    "bash",
    "bash_command",
    "execute_bash",
    "execute_command",
    "exec_command",
    "run_command",
    "run_commands",
    "run_terminal_cmd",
    "shell",
    "terminal",
];

/// What a result means.
pub(crate) fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let arguments = parsed(&call.arguments);
    match call.tool.as_str() {
        "Read" | "Edit" | "MultiEdit" | "Write" | "NotebookEdit" | "Bash" => {
            return claude_tools::understand(call, answer, about);
        }
        "read_file" | "write_file" | "replace" | "run_shell_command" => {
            return gemini::understand(call, answer, about);
        }
        _ => {}
    }
    let (recorded, shaped) = answer.take_text(about);
    match call.tool.as_str() {
        tool if SHELLS.contains(&tool) => {
            Act::Shell(shell(&arguments, answer.failed, recorded, shaped))
        }
        _ if answer.failed => Act::Failure(recorded),
        "str_replace_editor" | "str_replace_based_edit_tool" => {
            editor::understand(&arguments, recorded)
        }
        tool if SEARCHES.contains(&tool) => Act::Search(recorded),
        _ => Act::Unknown(recorded),
    }
}

/// A shell tool's call; its output is what the model was given, unless it was cut.
pub(crate) fn shell(arguments: &Value, failed: bool, recorded: String, cut: bool) -> Shell {
    Shell {
        failed,
        command: command(arguments),
        directory: text(arguments, "cwd")
            .or_else(|| text(arguments, "workdir"))
            .map(str::to_owned),
        output: (!cut).then(|| recorded.clone()),
        exact: false,
        text: recorded,
    }
}

fn command(arguments: &Value) -> String {
    let one = ["command", "cmd", "commands", "keystrokes", "script"];
    if let Some(line) = one.iter().find_map(|key| text(arguments, key)) {
        return line.to_owned();
    }
    let lines: Vec<&str> = list(arguments, "commands")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    lines.join("\n")
}
