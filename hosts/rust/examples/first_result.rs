//! The smallest program: opens a session and inserts one result. What a process that uses the
//! library takes from its start to its first result is what this one takes in all.

use waybread::{MemoryStorage, MemoryTree, Outcome, Session, Settings, ToolCall};

fn main() -> Result<(), waybread::Error> {
    let settings = Settings::agent("/work/app");
    let mut session = Session::open("demo", settings, MemoryStorage::new(), MemoryTree::new())?;
    let call = ToolCall::new("call_1", "bash", r#"{"command":"true"}"#);
    let inserted = session.insert_result(&call, Outcome::output("hello"))?;
    println!("{}", inserted.text);
    Ok(())
}
