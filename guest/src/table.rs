//! The dedupe table: the results that the request being built carries (§2), as far as a stub may
//! name them. It holds facts of full results only, so no stub can point at a stub.

use std::collections::BTreeMap;

use crate::record::{ReadFact, SearchFact};
use crate::window::LineRange;

/// What a stub may name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DedupeTable {
    reads: BTreeMap<Content, Vec<FullRead>>,
    stubs: BTreeMap<Content, Vec<(LineRange, u32)>>,
    searches: BTreeMap<Search, Vec<u32>>,
}

/// A file with one content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Content {
    file: String,
    sha256: String,
}

/// A full read in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullRead {
    /// Its result.
    pub number: u32,
    /// The lines that it shows.
    pub lines: LineRange,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Search {
    tool: String,
    arguments: String,
    xxh64: String,
}

impl DedupeTable {
    /// The newest full read of the file with that content whose lines hold `lines`, or are those.
    pub fn read_holding(
        &self,
        file: &str,
        sha256: &str,
        lines: LineRange,
        exact: bool,
    ) -> Option<FullRead> {
        let reads = self.reads.get(&Content::new(file, sha256))?;
        reads
            .iter()
            .rev()
            .find(|read| match exact {
                true => read.lines == lines,
                false => read.lines.holds(lines),
            })
            .copied()
    }

    /// How many stubs answered exactly these lines since they were last answered in full.
    pub fn stubs_in_a_row(&self, file: &str, sha256: &str, lines: LineRange) -> u32 {
        let stubs = self.stubs.get(&Content::new(file, sha256));
        let found = stubs.and_then(|stubs| stubs.iter().find(|(stubbed, _)| *stubbed == lines));
        found.map_or(0, |(_, times)| *times)
    }

    /// The full results with equal arguments whose texts have the same hash, newest first.
    pub fn searches(&self, tool: &str, search: &SearchFact) -> impl Iterator<Item = u32> {
        let found = self.searches.get(&Search::new(tool, search));
        found.into_iter().flatten().rev().copied()
    }

    /// Takes in a read, full or stub. An empty file has no lines to name, and a cut line is none.
    pub fn add_read(&mut self, number: u32, read: &ReadFact) {
        let (first, last) = read.shown();
        if first == 0 {
            return;
        }
        let content = Content::new(&read.file, &read.sha256);
        let lines = LineRange { first, last };
        if read.stub_of.is_some() {
            self.count_stub(content, lines);
        } else {
            self.add_full_read(content, FullRead { number, lines });
        }
    }

    fn count_stub(&mut self, content: Content, lines: LineRange) {
        let stubs = self.stubs.entry(content).or_default();
        match stubs.iter_mut().find(|(stubbed, _)| *stubbed == lines) {
            Some((_, times)) => *times += 1,
            None => stubs.push((lines, 1)),
        }
    }

    /// A read whose lines the new one holds is never named again: the newest is.
    fn add_full_read(&mut self, content: Content, read: FullRead) {
        if let Some(stubs) = self.stubs.get_mut(&content) {
            stubs.retain(|(lines, _)| !read.lines.holds(*lines));
        }
        let reads = self.reads.entry(content).or_default();
        reads.retain(|earlier| !read.lines.holds(earlier.lines));
        reads.push(read);
    }

    /// Takes in a search's result, full or stub.
    pub fn add_search(&mut self, number: u32, tool: &str, search: &SearchFact) {
        if search.stub_of.is_some() {
            return;
        }
        let same = self.searches.entry(Search::new(tool, search)).or_default();
        same.push(number);
    }
}

impl Search {
    fn new(tool: &str, search: &SearchFact) -> Self {
        Self {
            tool: tool.to_owned(),
            arguments: search.arguments.clone(),
            xxh64: search.xxh64.clone(),
        }
    }
}

impl Content {
    fn new(file: &str, sha256: &str) -> Self {
        Self {
            file: file.to_owned(),
            sha256: sha256.to_owned(),
        }
    }
}
