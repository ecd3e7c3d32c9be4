//! What a step of an agent takes, early in a session and late: the model's reply with a call, its
//! result of 2 KB, and the next request's whole body. Beside it, what it takes to write that body again,
//! which is what a step costs without Waybread. The inputs are those of the Python and the JavaScript
//! benchmark.

use std::time::{Duration, Instant};

use serde_json::Value;
use waybread::{
    Dialect, MemoryStorage, MemoryTree, Outcome, Reply, Session, Settings, UserMessage,
};
use waybread_guest as rules;

use crate::inputs::ROOT;
use crate::{Effort, median, native, print};

const POSITIONS: [(&str, usize); 2] = [("100", 100), ("10,000", 10_000)];
/// Steps on each side of a position that are measured.
const AROUND: usize = 100;
const REBUILDS: usize = 20;
const ASKED: &str = "Make it work.";
const PARAMETERS: &str = r#"{"model":"bench"}"#;

/// Prints the medians at every position.
pub fn run(effort: Effort) {
    let shorter = match effort {
        Effort::Measure => 1,
        Effort::TryOut => 50,
    };
    let around = AROUND / shorter;
    let mut ages = POSITIONS.map(|(name, position)| Age::of(name, position / shorter - around));
    // In turn, so that the ratios hold whatever else the machine does: of native and Rust, of early and late.
    for _ in 0..2 * around {
        ages.iter_mut().for_each(Age::measure);
    }
    ages.into_iter().for_each(Age::print);
}

/// The same session natively and in the component, of some age.
struct Age {
    name: &'static str,
    steps: usize,
    native: Native,
    rust: Session,
    native_times: Vec<Duration>,
    rust_times: Vec<Duration>,
}

impl Age {
    /// Sessions of so many steps.
    fn of(name: &'static str, steps: usize) -> Self {
        let (mut native, mut rust) = (Native::begin(), begin());
        for number in 0..steps {
            native.step(number);
            step(&mut rust, number);
        }
        Self {
            name,
            steps,
            native,
            rust,
            native_times: Vec::new(),
            rust_times: Vec::new(),
        }
    }

    /// Times one more step of both.
    fn measure(&mut self) {
        self.native_times.push(self.native.step(self.steps));
        self.rust_times.push(step(&mut self.rust, self.steps));
        self.steps += 1;
    }

    fn print(mut self) {
        let name = self.name;
        print("native", &format!("step {name}"), median(self.native_times));
        print("rust", &format!("step {name}"), median(self.rust_times));
        let body = self.rust.build_request(PARAMETERS).unwrap().body;
        print("rust", &format!("rebuild {name}"), rebuild(&body));
    }
}

fn begin() -> Session {
    let settings = Settings::agent(ROOT).dialect(Dialect::OpenaiChat);
    let storage = MemoryStorage::new();
    let mut session = Session::open("bench", settings, storage, MemoryTree::new()).unwrap();
    session.add_message(UserMessage::person(ASKED)).unwrap();
    session
}

fn step(session: &mut Session, number: usize) -> Duration {
    let (reply, result) = (Reply::new(reply(number)), result());
    let start = Instant::now();
    let added = session.add_message(reply).unwrap();
    let call = added.open_calls().next().unwrap();
    session
        .insert_result(call, Outcome::output(result))
        .unwrap();
    let request = session.build_request(PARAMETERS).unwrap();
    let time = start.elapsed();
    assert_eq!(request.difference, None);
    time
}

/// The native rules, and the body that a host keeps.
struct Native {
    session: native::Session,
    body: String,
}

impl Native {
    fn begin() -> Self {
        let dialect = Some(rules::Dialect::OpenaiChat);
        let mut session = native::open(MemoryTree::new(), dialect);
        let asked = rules::UserMessage {
            sender: rules::Sender::Person,
            starts_turn: true,
            text: ASKED.to_owned(),
            parts: Vec::new(),
            date: None,
        };
        session.add_message(rules::Message::User(asked)).unwrap();
        let body = String::new();
        Self { session, body }
    }

    fn step(&mut self, number: usize) -> Duration {
        let reply = rules::Message::Reply {
            json: reply(number),
            incomplete: false,
        };
        let outcome = rules::Outcome::Output(result());
        let start = Instant::now();
        let added = self.session.add_message(reply).unwrap();
        let call = &added.calls[0].call;
        self.session.insert_result(call, outcome).unwrap();
        let request = self.session.build_request(PARAMETERS).unwrap();
        self.body.truncate(request.keep as usize);
        self.body.push_str(&request.tail);
        let time = start.elapsed();
        assert_eq!(self.body.len(), request.length as usize);
        time
    }
}

fn reply(number: usize) -> String {
    let arguments = r#"{\"command\":\"make\"}"#;
    let call = format!(
        r#"{{"id":"call-{number}","type":"function","function":{{"name":"bash","arguments":"{arguments}"}}}}"#
    );
    format!(r#"{{"role":"assistant","content":null,"tool_calls":[{call}]}}"#)
}

fn result() -> String {
    let mut text = "line of a command's output, with \"quotes\" in it\n".repeat(50);
    text.truncate(2048);
    text
}

/// The median of writing a body again from its values.
fn rebuild(body: &str) -> Duration {
    let whole: Value = serde_json::from_str(body).unwrap();
    assert_eq!(serde_json::to_string(&whole).unwrap(), body);
    let write = |_| {
        let start = Instant::now();
        let written = serde_json::to_string(&whole).unwrap();
        let time = start.elapsed();
        assert_eq!(written.len(), body.len());
        time
    };
    median((0..REBUILDS).map(write).collect())
}
