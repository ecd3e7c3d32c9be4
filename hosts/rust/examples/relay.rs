//! One host's part in the relay: sessions in a SQLite file that the hosts carry on in turn.
//!
//! `relay DATABASE` recalls every result that it finds in the session `relay`, inserts some of its
//! own, and prints one line for each. Then it sends the next request of the conversation
//! `relay-conversation` as the host before left it, carries it on by a turn, and prints the hashes of
//! both requests (`xtask/src/relay.rs`).

use std::error::Error;

use sha2::{Digest, Sha256};
use waybread::{
    Cause, Dialect, FileChange, MemoryTree, Outcome, RecallWindow, Reply, Request, Session,
    Settings, SqliteStorage, ToolCall, UserMessage,
};

fn main() -> Result<(), Box<dyn Error>> {
    let database = std::env::args().nth(1).ok_or("usage: relay DATABASE")?;
    relay_results(&database)?;
    relay_conversation(&database)
}

fn open(key: &str, settings: Settings, database: &str) -> Result<Session, Box<dyn Error>> {
    let files = MemoryTree::new();
    files.write("/work/app/rust.txt", "one\r\ntwo\0\n😀");
    let storage = SqliteStorage::open(database)?;
    Ok(Session::open(key, settings, storage, files)?)
}

fn relay_results(database: &str) -> Result<(), Box<dyn Error>> {
    let mut session = open("relay", Settings::agent("/work/app"), database)?;
    let found = found(&mut session)?;
    for number in 1..=found {
        let id = format!("#{number:04x}");
        let call = ToolCall::new(format!("rust-{found}-recall-{id}"), "recall", "{}");
        let answer = session.recall(&call, &id, RecallWindow::default())?;
        println!("recalled {id} {:?}", answer.text);
    }
    let edit = FileChange::edited("rust.txt", "one\n", "two\n");
    for (tool, outcome) in [
        ("read", Outcome::read("rust.txt")),
        ("edit", Outcome::change(edit)),
        ("bash", output()),
        ("grep", Outcome::failure("no such pattern")),
    ] {
        let call = ToolCall::new(format!("rust-{found}-{tool}"), tool, "{}");
        let answer = session.insert_result(&call, outcome)?;
        println!("inserted {} {:?}", answer.id, answer.text);
    }
    Ok(())
}

fn output() -> Outcome {
    Outcome::output("NUL \0, ä, 😀\n".repeat(500))
}

/// How many results the session has.
fn found(session: &mut Session) -> Result<u32, waybread::Error> {
    let mut found = 0;
    loop {
        match session.stored_text(&format!("#{:04x}", found + 1)) {
            Ok(_) => found += 1,
            Err(error) if matches!(error.cause(), Cause::UnknownId { .. }) => return Ok(found),
            Err(error) => return Err(error),
        }
    }
}

fn relay_conversation(database: &str) -> Result<(), Box<dyn Error>> {
    let settings = Settings::agent("/work/app").dialect(Dialect::OpenaiChat);
    let mut session = open("relay-conversation", settings, database)?;
    let messages = session.conversation()?.len();
    if messages > 0 {
        println!("carried {}", built(&mut session)?.sha256);
    }
    session.add_message(UserMessage::person("rust asks").date("2026-11-30"))?;
    let reply = session.add_message(Reply::new(format!(
        r#"{{"role":"assistant","content":null,"reasoning_content":"rust thinks","tool_calls":[{{"id":"rust-{messages}","type":"function","function":{{"name":"bash","arguments":"{{}}"}}}}]}}"#
    )))?;
    for call in reply.open_calls() {
        session.insert_result(call, output())?;
    }
    println!("sent {}", built(&mut session)?.sha256);
    Ok(())
}

/// The next request, whose hash is that of the body that this host put together.
fn built(session: &mut Session) -> Result<Request, Box<dyn Error>> {
    let request = session.build_request(r#"{"model":"relay"}"#)?;
    let sha256 = format!("{:x}", Sha256::digest(&request.body));
    if sha256 == request.sha256 {
        Ok(request)
    } else {
        Err(format!("the body's hash is {sha256} and not {}", request.sha256).into())
    }
}
