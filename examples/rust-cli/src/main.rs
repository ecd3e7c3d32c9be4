//! A coding agent for the terminal, as small as it gets: what a session needs of its harness.

mod agent;
mod model;
mod scenario;
mod tools;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Parser;
use tokio::io::{AsyncBufReadExt, BufReader, Lines, Stdin, stdin};
use waybread::{Dialect, Directory, Prompt, Session, Settings, SqliteStorage};

use agent::Agent;
use model::Model;
use tools::{Ask, Project};

/// A coding agent for the terminal
#[derive(Parser)]
struct Arguments {
    /// The base URL of a model's server, such as http://127.0.0.1:8080/v1
    #[arg(long, env = "BASE_URL")]
    url: String,
    /// Its key
    #[arg(long, env = "API_KEY", hide_env_values = true)]
    key: Option<String>,
    #[arg(long, env = "MODEL", default_value = "scripted")]
    model: String,
    /// openai-chat, anthropic-messages or openai-responses
    #[arg(long, default_value = "openai-chat", value_parser = dialect)]
    dialect: Dialect,
    /// The project; the current folder if left out
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Where sessions are kept
    #[arg(long, default_value = "sessions.sqlite")]
    sessions: PathBuf,
    /// The session to begin or to carry on
    #[arg(long, default_value = "default")]
    session: String,
    /// Run commands without asking
    #[arg(long)]
    yes: bool,
    /// Print the sessions that there are
    #[arg(long)]
    list: bool,
    /// Play a scenario of ../scenarios
    #[arg(long)]
    scenario: Option<PathBuf>,
    /// What to say; without it, lines are read from the terminal
    words: Option<String>,
}

fn dialect(name: &str) -> Result<Dialect> {
    let known = [
        Dialect::OpenaiChat,
        Dialect::AnthropicMessages,
        Dialect::OpenaiResponses,
    ];
    let found = known.into_iter().find(|known| known.to_string() == name);
    found.with_context(|| {
        format!(
            "`{name}` is none of {}",
            known.map(|one| one.to_string()).join(", ")
        )
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let given = Arguments::parse();
    let storage = SqliteStorage::open(&given.sessions)?;
    if given.list {
        for key in storage.sessions()? {
            println!("{key}");
        }
        return Ok(());
    }
    let model = Model::new(&given.url, given.dialect, given.key.as_deref());
    if let Some(path) = &given.scenario {
        return scenario::play(path, model.url(), storage).await;
    }
    let root = std::path::absolute(&given.root)?;
    let session = open(&given, &root, storage)?;
    let parameters = serde_json::json!({"model": given.model, "max_tokens": 8000}).to_string();
    let ask = if given.yes { Ask::Never } else { Ask::Person };
    let mut agent = Agent::new(session, model, parameters, Project::new(&root, ask));
    match &given.words {
        Some(words) => println!("{}", agent.turn(words, None).await?),
        None => converse(&mut agent).await?,
    }
    Ok(())
}

fn open(given: &Arguments, root: &Path, storage: SqliteStorage) -> Result<Session> {
    let Some(root) = root.to_str() else {
        bail!("{} is no UTF-8", root.display());
    };
    let settings = Settings::agent(root)
        .dialect(given.dialect)
        .prompt(Prompt::new().preamble("", "You are a coding agent. Be brief."))
        .tools(tools::offered());
    let files = Directory::confined(root)?;
    Ok(Session::open(&given.session, settings, storage, files)?)
}

/// Turn by turn, until the input ends. Ctrl-C ends a turn, and the session goes on.
async fn converse(agent: &mut Agent<Project>) -> Result<()> {
    let mut lines: Lines<BufReader<Stdin>> = BufReader::new(stdin()).lines();
    loop {
        eprint!("> ");
        let Some(words) = lines.next_line().await? else {
            return Ok(());
        };
        if words.trim().is_empty() {
            continue;
        }
        tokio::select! {
            answer = agent.turn(&words, None) => match answer {
                Ok(answer) => println!("{answer}"),
                Err(error) => eprintln!("{error:#}"),
            },
            _ = tokio::signal::ctrl_c() => eprintln!("(interrupted; say how to go on)"),
        }
    }
}
