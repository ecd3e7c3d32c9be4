//! One session through the three hosts: begun in Rust on SQLite, carried on in Python and then in
//! JavaScript, and read again by each.

use std::fs;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::{hosts, shell};

/// Each runner opens the session `relay` in the database that it is given, recalls every result
/// that it finds, inserts some of its own and prints all that it was answered, a line each.
pub fn run() -> Result<()> {
    let folder = shell::root().join("target/relay");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let database = folder.join("sessions.sqlite");
    let mut found = 0;
    for (host, mut command) in runners() {
        let lines = String::from_utf8(shell::output(command.arg(&database))?)?;
        let recalled = lines
            .lines()
            .filter(|line| line.starts_with("recalled "))
            .count();
        ensure!(
            recalled == found,
            "{host} recalled {recalled} results of {found}:\n{lines}"
        );
        found += lines.lines().count();
        print!("{lines}");
    }
    println!("relay: one session through three hosts and back, every id recalled in each");
    Ok(())
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
