//! Two sessions through the three hosts: begun in Rust on SQLite, carried on in Python and then in
//! JavaScript, and read again by each.
//!
//! Each runner is given the database. In the session `relay` it recalls every result that it finds and
//! inserts some of its own; it prints a line `recalled …` or `inserted …` for each. In the session
//! `relay-conversation` (agent, `openai-chat`, root `/work/app`) it builds the next request, if there is
//! a message, and prints `carried` and its hash; adds a person's message, a reply with a call and that
//! call's result; and builds the request after it, whose hash it prints with `sent`. It has to hash
//! the body that it put together itself.

use std::fs;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::{hosts, shell};

/// What one host leaves to the next.
#[derive(Default)]
struct Baton {
    /// How many results the session `relay` has.
    results: usize,
    /// The hash of the conversation's last request.
    sent: Option<String>,
}

/// Hands both sessions from host to host.
pub fn run() -> Result<()> {
    let folder = shell::root().join("target/relay");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let database = folder.join("sessions.sqlite");
    let mut baton = Baton::default();
    for (host, mut command) in runners() {
        let lines = String::from_utf8(shell::output(command.arg(&database))?)?;
        print!("{lines}");
        baton = baton.hand_on(host, &lines)?;
    }
    println!("relay: two sessions through three hosts and back, every id recalled in each,");
    println!("and every host's next request the bytes that the host before would have sent");
    Ok(())
}

impl Baton {
    fn hand_on(self, host: &str, lines: &str) -> Result<Self> {
        let of = |word| {
            lines
                .lines()
                .filter_map(move |line| line.strip_prefix(word))
        };
        let recalled = of("recalled ").count();
        ensure!(
            recalled == self.results,
            "{host} recalled {recalled} results of {}",
            self.results
        );
        let carried = of("carried ").next();
        ensure!(
            carried == self.sent.as_deref(),
            "{host} carried on the request {carried:?}, where {:?} was sent",
            self.sent
        );
        let sent = of("sent ").next().map(str::to_owned);
        ensure!(
            sent.is_some() && sent != self.sent,
            "{host} sent no request of its own"
        );
        Ok(Self {
            results: recalled + recalled + of("inserted ").count(),
            sent,
        })
    }
}

/// The Rust host comes again at the end: it has to read what the others wrote.
fn runners() -> [(&'static str, Command); 4] {
    let rust = || shell::command(shell::root().join("target/release/examples/relay"), "");
    [
        ("rust", rust()),
        ("python", hosts::python(&["hosts/python/tests/relay.py"])),
        ("js", hosts::node(&["hosts/js/test/relay.mjs"])),
        ("rust", rust()),
    ]
}
