//! A call in one line, for people who look at a session (docs/compaction.md, "State beside the
//! conversation").

use serde_json::{Map, Value};

use crate::json;
use crate::path::Base;
use crate::rules::StateRules;

/// What may part a change of the directory from the command that was meant, the first that is there.
const AFTER_CD: [&str; 3] = [" && ", " ; ", " || "];

/// The tool's name, and after a blank `key=value` for each of `state.keys` that the arguments have
/// and that says something. The name alone where `arguments` is no JSON object.
#[must_use]
pub fn call_summary(name: &str, arguments: &str, rules: &StateRules, base: &Base) -> String {
    let Ok(arguments) = json::object(arguments) else {
        return name.to_owned();
    };
    let call = Call {
        cwd: cwd(&arguments, base),
        is_command: rules.commands.iter().any(|command| command == name),
        rules,
        base,
    };
    let told = rules.keys.iter().filter_map(|key| {
        let value = call.value(key, arguments.get(key)?);
        (!value.is_empty()).then(|| format!("{key}={value}"))
    });
    let told: Vec<String> = told.collect();
    match told.as_slice() {
        [] => name.to_owned(),
        told => format!("{name} {}", told.join(", ")),
    }
}

/// Where a call runs, if it says so.
fn cwd(arguments: &Map<String, Value>, base: &Base) -> Option<String> {
    let cwd = arguments.get("cwd")?.as_str()?;
    base.absolute(cwd.trim())
}

struct Call<'a> {
    cwd: Option<String>,
    is_command: bool,
    rules: &'a StateRules,
    base: &'a Base,
}

impl Call<'_> {
    fn value(&self, key: &str, value: &Value) -> String {
        match (key, value) {
            (_, Value::String(text)) if text.trim().is_empty() => String::new(),
            ("cwd" | "path", Value::String(path)) => self.path(path.trim()),
            ("command", Value::String(command)) if self.is_command => {
                self.cut(&self.command(command), self.rules.command_chars)
            }
            (_, Value::String(text)) => self.cut(text.trim(), self.rules.value_chars),
            (_, other) => self.cut(&other.to_string(), self.rules.value_chars),
        }
    }

    fn path(&self, path: &str) -> String {
        let Some(absolute) = self.base.absolute(path) else {
            return self.base.cleaned(path);
        };
        let top = self.cwd.as_deref().unwrap_or(self.base.root());
        match self.base.below(&absolute, top) {
            Some("") => ".".to_owned(),
            Some(rest) => rest.to_owned(),
            None => self.base.last_name(&absolute).to_owned(),
        }
    }

    fn command(&self, command: &str) -> String {
        let command = collapsed(command);
        let meant = if command.starts_with("cd ") {
            let mut after = AFTER_CD.iter();
            after.find_map(|mark| command.split_once(mark))
        } else {
            None
        };
        let meant = meant.map_or(&*command, |(_, rest)| rest);
        collapsed(&self.without_bases(meant))
    }

    /// Paths in a command, relative to where it runs or to the root.
    fn without_bases(&self, command: &str) -> String {
        let separators = self.base.separators();
        let bases = [self.cwd.as_deref(), Some(self.base.root())];
        // Without the top of everything, which is no more than a separator, paths would be no paths.
        let bases = bases.into_iter().flatten();
        let bases: Vec<&str> = bases.filter(|base| !base.ends_with(separators)).collect();
        let mut command = command.to_owned();
        for base in &bases {
            for separator in separators {
                command = command.replace(&format!("{base}{separator}"), "");
            }
        }
        for base in bases {
            command = command.replace(base, "");
        }
        command
    }

    fn cut(&self, text: &str, most: u32) -> String {
        match text.char_indices().nth(most as usize) {
            Some((at, _)) => [text.get(..at).unwrap_or_default(), &self.rules.cut].concat(),
            None => text.to_owned(),
        }
    }
}

/// Words with one blank between.
fn collapsed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(name: &str, arguments: &str) -> String {
        let rules = crate::rules::with_overrides(&json!({})).unwrap().1.state;
        let base = Base::new("/work/app", Some("/home/ada")).unwrap();
        call_summary(name, arguments, &rules, &base)
    }

    fn of(name: &str, arguments: Value) -> String {
        told(name, &arguments.to_string())
    }

    fn bash(command: &str) -> String {
        let told = of("bash", json!({"command": command}));
        told.trim_start_matches("bash command=").to_owned()
    }

    #[test]
    fn keys_stand_in_the_order_of_the_settings() {
        let arguments = json!({"limit": 5, "offset": 1, "x": 1, "pattern": " a b ", "path": "src"});
        assert_eq!(
            of("grep", arguments),
            "grep path=src, pattern=a b, offset=1, limit=5"
        );
    }

    #[test]
    fn without_a_value_the_name_stands_alone() {
        for arguments in [
            "",
            "{}",
            "[1]",
            "\"path\"",
            "{not json",
            r#"{"other":1}"#,
            r#"{"path":" ","pattern":""}"#,
        ] {
            assert_eq!(told("list", arguments), "list");
        }
    }

    #[test]
    fn other_values_are_compact_json() {
        for (value, shown) in [
            (r#"1.50"#, "1.50"),
            (r#"true"#, "true"),
            (r#"null"#, "null"),
            (r#"{ "b": [1, 2], "a": "ü" }"#, r#"{"b":[1,2],"a":"ü"}"#),
        ] {
            assert_eq!(
                told("x", &format!(r#"{{"pattern": {value}}}"#)),
                format!("x pattern={shown}")
            );
        }
        let list = json!(vec![1; 30]);
        assert_eq!(
            of("x", json!({"limit": list})),
            format!("x limit=[{}1...", "1,".repeat(19))
        );
    }

    #[test]
    fn a_long_text_is_cut_by_characters() {
        let exact = "ü".repeat(40);
        assert_eq!(
            of("x", json!({"pattern": exact})),
            format!("x pattern={exact}")
        );
        let longer = format!(" {exact}e ");
        assert_eq!(
            of("x", json!({"pattern": longer})),
            format!("x pattern={exact}...")
        );
        assert_eq!(
            of("x", json!({"command": longer})),
            format!("x command={exact}...")
        );
    }

    #[test]
    fn a_path_is_told_from_the_root_or_the_directory_of_the_call() {
        for (path, shown) in [
            ("src/../a.ts", "a.ts"),
            ("./src//a.ts", "src/a.ts"),
            ("../x", "../x"),
            (".", "."),
            ("/work/app", "."),
            ("/work/app/", "."),
            ("/work/app/src/./a.ts", "src/a.ts"),
            ("/work/apple", "apple"),
            ("/etc/hosts", "hosts"),
            ("/", "/"),
            (" src ", "src"),
        ] {
            assert_eq!(
                of("read", json!({"path": path})),
                format!("read path={shown}")
            );
        }
        let long = "a/".repeat(50) + "b";
        assert_eq!(
            of("read", json!({"path": long})),
            format!("read path={long}")
        );
        let arguments = json!({"path": "/tmp/x/y", "cwd": "/tmp/./x/"});
        assert_eq!(of("read", arguments), "read cwd=., path=y");
        let arguments = json!({"path": "/work/app/a", "cwd": "/tmp"});
        assert_eq!(of("read", arguments), "read cwd=., path=a");
        let arguments = json!({"path": "/work/app/src/a", "cwd": "src/.."});
        assert_eq!(of("read", arguments), "read cwd=., path=src/a");
        let arguments = json!({"path": ["/work/app/a"], "cwd": 7});
        assert_eq!(of("read", arguments), r#"read cwd=7, path=["/work/app/a"]"#);
    }

    #[test]
    fn a_command_is_told_without_its_directory() {
        for (command, shown) in [
            ("  ls\n\t-la  ", "ls -la"),
            ("cd /work/app && make  test", "make test"),
            ("cd x ; ls && pwd", "pwd"),
            ("cd x ; ls || pwd", "ls || pwd"),
            ("cd x || exit", "exit"),
            ("cd src", "cd src"),
            ("cd x; ls", "cd x; ls"),
            ("cdx && ls", "cdx && ls"),
            (
                "cat /work/app/src/a.ts /work/app /etc/x",
                "cat src/a.ts /etc/x",
            ),
            ("ls /work/app && ls", "ls && ls"),
        ] {
            assert_eq!(bash(command), shown);
        }
        assert_eq!(of("bash", json!({"command": "/work/app/"})), "bash");
        let arguments = json!({"command": "cat /tmp/x/a /tmp/x /work/app/b", "cwd": "/tmp/x"});
        assert_eq!(of("bash", arguments), "bash cwd=., command=cat a b");
        assert_eq!(bash(&"é".repeat(80)), "é".repeat(80));
        assert_eq!(bash(&"é".repeat(81)), "é".repeat(80) + "...");
        let other = json!({"command": "cd /work/app && ls"});
        assert_eq!(of("run", other), "run command=cd /work/app && ls");
    }

    #[test]
    fn the_top_as_a_root_leaves_commands_as_they_are() {
        let rules = crate::rules::with_overrides(&json!({})).unwrap().1.state;
        let base = Base::new("/", None).unwrap();
        let told = call_summary(
            "bash",
            r#"{"command":"ls /etc","path":"/etc/x"}"#,
            &rules,
            &base,
        );
        assert_eq!(told, "bash path=etc/x, command=ls /etc");
    }

    #[test]
    fn windows_paths_are_told_as_such() {
        let rules = crate::rules::with_overrides(&json!({})).unwrap().1.state;
        let base = Base::new(r"C:\work", None).unwrap();
        let arguments =
            json!({"path": r"c:/Work/src/a.ts", "command": r"type C:\work\a C:\work/b"});
        let told = call_summary("bash", &arguments.to_string(), &rules, &base);
        assert_eq!(told, r"bash path=src\a.ts, command=type a b");
    }
}
