//! The four cases.

use waybread::{FileChange, MemoryTree, Outcome};

pub const ROOT: &str = "/work/app";

/// A result to insert over and over.
pub struct Case {
    pub name: &'static str,
    /// What every insert must have been answered with.
    pub treatment: &'static str,
    pub input: Input,
}

pub enum Input {
    Output(String),
    /// A file that changes before each read, so that no read is a stub.
    Read(String),
    Edit {
        before: String,
        after: String,
    },
}

pub fn cases() -> Vec<Case> {
    let output = cut(|n| format!("line {n}: some command output here\n"), 37_000);
    let file = cut(
        |n| format!("{n}: const value_{n} = compute({n});\n"),
        74_000,
    );
    let before = (1..=2000)
        .map(|n| format!("line {n} of the file\n"))
        .collect();
    let after = (1..=2000).map(edited_line).collect();
    vec![
        Case {
            name: "1-line",
            treatment: "full",
            input: Input::Output("ok".to_owned()),
        },
        Case {
            name: "37 KB output",
            treatment: "capped",
            input: Input::Output(output),
        },
        Case {
            name: "74 KB read",
            treatment: "full",
            input: Input::Read(file),
        },
        Case {
            name: "2,000-line diff",
            treatment: "capped",
            input: Input::Edit { before, after },
        },
    ]
}

fn edited_line(n: u32) -> String {
    let word = if n.is_multiple_of(10) { "new " } else { "" };
    format!("line {n} of the {word}file\n")
}

/// Lines counted up from 1, so many bytes of them.
fn cut(line: impl Fn(u32) -> String, bytes: usize) -> String {
    let mut text = String::new();
    for n in 1.. {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&line(n));
    }
    text.truncate(bytes);
    text
}

impl Case {
    /// Before both hosts insert.
    pub fn prepare(&self, tree: &MemoryTree, round: usize) {
        if let Input::Read(file) = &self.input {
            tree.write(&format!("{ROOT}/file.ts"), format!("{file}{round}\n"));
        }
    }

    /// The outcome for this host.
    pub fn outcome(&self) -> Outcome {
        match &self.input {
            Input::Output(text) => Outcome::output(text),
            Input::Read(_) => Outcome::read("file.ts"),
            Input::Edit { before, after } => Outcome::change(FileChange::edited(
                "file.txt",
                before.clone(),
                after.clone(),
            )),
        }
    }
}
