//! Prints what is in the plan of each file that is named: `cargo run --example summary -- FILE…`;
//! with `--plan` the plan itself, with `--shell-reads` under that option.

use std::collections::BTreeMap;
use std::process::ExitCode;

use waybread_recordings::{Message, Options, Plan, Step, plan};

fn main() -> ExitCode {
    let mut failed = false;
    let (flags, files): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    let options = Options {
        shell_reads: flags.iter().any(|flag| flag == "--shell-reads"),
        ..Options::default()
    };
    let whole = flags.iter().any(|flag| flag == "--plan");
    for file in files {
        let name = file.rsplit('/').next().unwrap_or(&file);
        let content =
            std::fs::read(&file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let planned = content
            .map_err(|error| error.to_string())
            .and_then(|content| plan(name, &content, &options).map_err(|error| error.to_string()));
        match planned {
            Ok(plan) if whole => println!("{}", serde_json::json!(plan)),
            Ok(plan) => print(name, &plan),
            Err(error) => {
                failed = true;
                eprintln!("{name}: {error}");
            }
        }
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn print(file: &str, plan: &Plan) {
    println!("{file} ({})", plan.format);
    for session in &plan.sessions {
        println!("  {} {}", session.name, serde_json::json!(session.about));
        for context in &session.contexts {
            let mut counts = BTreeMap::new();
            for step in &context.steps {
                let kind = match step {
                    Step::InsertResult(insert) => serde_json::json!(insert.counted).to_string(),
                    Step::WriteFile { .. } => "write-file".to_owned(),
                    Step::DeleteFile { .. } => "delete-file".to_owned(),
                    Step::BuildRequest => "build-request".to_owned(),
                    Step::AddMessage(Message::User(_)) => "message".to_owned(),
                    Step::AddMessage(Message::Reply(_)) => "reply".to_owned(),
                };
                *counts.entry(kind).or_insert(0) += 1;
            }
            println!("    {}: {counts:?}", context.name);
        }
    }
}
