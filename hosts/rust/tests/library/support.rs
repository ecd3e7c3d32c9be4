//! What the tests share.

use waybread::{
    Dialect, FileSystem, Inserted, MemoryStorage, MemoryTree, Outcome, Reply, Session, Settings,
    Storage, ToolCall, UserMessage,
};

/// Of requests: the body ends behind the last message.
pub const PARAMETERS: &str = r#"{"model":"m"}"#;

pub fn settings() -> Settings {
    Settings::agent("/work/app")
}

pub fn call(id: &str) -> ToolCall {
    ToolCall::new(id, "tool", "{}")
}

pub fn on(storage: impl Storage + 'static) -> Session {
    Session::open("s", settings(), storage, MemoryTree::new()).unwrap()
}

pub fn with(filesystem: impl FileSystem + 'static) -> Session {
    Session::open("s", settings(), MemoryStorage::new(), filesystem).unwrap()
}

/// A session that builds requests of OpenAI's chat completions.
pub fn conversing(storage: impl Storage + 'static) -> Session {
    let settings = settings().dialect(Dialect::OpenaiChat);
    Session::open("s", settings, storage, MemoryTree::new()).unwrap()
}

pub fn person(text: &str) -> UserMessage {
    UserMessage::person(text)
}

/// A reply of OpenAI's chat completions that says something.
pub fn reply(text: &str) -> Reply {
    Reply::new(format!(r#"{{"role":"assistant","content":"{text}"}}"#))
}

/// One with a call of the tool `tool`.
pub fn reply_with_call(id: &str) -> Reply {
    Reply::new(format!(
        r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"tool","arguments":"{{}}"}}}}]}}"#
    ))
}

pub fn output(session: &mut Session, id: &str, text: &str) -> Inserted {
    session
        .insert_result(&call(id), Outcome::output(text))
        .unwrap()
}

pub fn read(session: &mut Session, id: &str, path: &str) -> Inserted {
    session
        .insert_result(&call(id), Outcome::read(path))
        .unwrap()
}

/// Texts that a careless storage would spoil.
pub fn awkward_texts() -> Vec<String> {
    let controls: String = (0..32).filter_map(char::from_u32).collect();
    vec![
        String::new(),
        "\0".to_owned(),
        "a\0b\0".to_owned(),
        controls,
        "\r\n\r\n\n\r".to_owned(),
        "\u{feff}with a byte order mark".to_owned(),
        "ünïcödé, 漢字, 👩‍👩‍👧, \u{10ffff}, \u{fffd}".to_owned(),
        "'; DROP TABLE waybread_log; --".to_owned(),
        "long ".repeat(300_000),
    ]
}
