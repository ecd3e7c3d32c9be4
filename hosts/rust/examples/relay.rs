//! One host's part in the relay: a session in a SQLite file that the hosts carry on in turn.
//!
//! `relay DATABASE` recalls every result that it finds in the session `relay`, inserts some of its
//! own, and prints one line for each.

use std::error::Error;

use waybread::{
    Cause, FileChange, MemoryTree, Outcome, Session, Settings, SqliteStorage, ToolCall,
};

fn main() -> Result<(), Box<dyn Error>> {
    let database = std::env::args().nth(1).ok_or("usage: relay DATABASE")?;
    let files = MemoryTree::new();
    files.write("/work/app/rust.txt", "one\r\ntwo\0\n😀");
    let settings = Settings::agent("/work/app");
    let storage = SqliteStorage::open(database)?;
    let mut session = Session::open("relay", settings, storage, files)?;
    let found = found(&mut session)?;
    for number in 1..=found {
        let id = format!("#{number:04x}");
        let call = ToolCall::new(format!("rust-{found}-recall-{id}"), "recall", "{}");
        let answer = session.recall(&call, &id, None, None)?;
        println!("recalled {id} {:?}", answer.text);
    }
    let edit = FileChange::edited("rust.txt", "one\n", "two\n");
    for (tool, outcome) in [
        ("read", Outcome::read("rust.txt")),
        ("edit", Outcome::change(edit)),
        ("bash", Outcome::output("NUL \0, ä, 😀\n".repeat(500))),
        ("grep", Outcome::failure("no such pattern")),
    ] {
        let call = ToolCall::new(format!("rust-{found}-{tool}"), tool, "{}");
        let answer = session.insert_result(&call, outcome)?;
        println!("inserted {} {:?}", answer.id, answer.text);
    }
    Ok(())
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
