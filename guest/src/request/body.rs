//! A body that grows: what stands of it, what is written anew, and how the two differ.

use sha2::{Digest, Sha256};

use super::changed::{self, Change, Written};
use super::difference::{Difference, DifferenceCause, RequestPart};
use super::head::Head;
use super::marks::Marks;
use super::messages;
use super::messages::Results;
use super::view::View;
use super::writer::{Role, Writer};
use crate::error::Error;
use crate::json::JsonStyle;

/// Where the texts of results come from that no body shows yet.
pub trait ResultTexts {
    /// The text of a result as the model reads it.
    ///
    /// # Errors
    ///
    /// `storage`, where it has to be read again.
    fn text(&mut self, number: u32) -> Result<String, Error>;

    /// Whether a result is a failure or a refusal.
    fn failed(&self, number: u32) -> bool;
}

/// The previous request's body, and what is known of its bytes.
#[derive(Debug, Default)]
pub struct Body {
    text: String,
    head: Head,
    /// Where each message begins.
    starts: Vec<Start>,
    /// Where the last message ends, before what closes the body.
    end: usize,
    /// The message that is open there.
    open: Option<Role>,
    /// Where each result's text stands, by its number less 1.
    results: Vec<(usize, usize)>,
    /// Hashes of the body up to some places, in order.
    hashes: Vec<(usize, Sha256)>,
    written: Written,
}

/// Where a message begins in a body.
#[derive(Clone, Copy, Debug)]
struct Start {
    at: usize,
    /// The message that was open before it.
    open: Option<Role>,
    number: u32,
}

/// The next body, as what is new of it.
#[derive(Debug)]
pub struct Rewrite {
    /// How many bytes of the previous body were not written again.
    keep: usize,
    /// What follows them.
    tail: String,
    /// Up to where messages of the previous body stand, byte for byte.
    stands: usize,
    /// SHA-256 of the whole body.
    pub sha256: String,
    /// How many bytes, from the first, are equal.
    pub shared: usize,
    /// The first difference before the end of the previous body's messages.
    pub difference: Option<Difference>,
    /// The front, if it is another.
    head: Option<Head>,
    /// How many messages stand.
    standing: usize,
    starts: Vec<Start>,
    end: usize,
    open: Option<Role>,
    results: Vec<(u32, usize, usize)>,
    hashes: [(usize, Sha256); 2],
    written: Written,
}

impl Rewrite {
    /// The body's length.
    pub fn length(&self) -> usize {
        self.keep + self.tail.len()
    }

    /// The results that were written: their numbers, and the lengths of their texts as JSON.
    pub fn results(&self) -> impl Iterator<Item = (u32, usize)> {
        let results = self.results.iter();
        results.map(|(number, start, end)| (*number, end - start))
    }

    /// How many bytes of the previous body stand, and what follows them.
    pub fn keep_and_tail(&self) -> (usize, &str) {
        let tail = self
            .stands
            .checked_sub(self.keep)
            .and_then(|at| self.tail.get(at..));
        tail.map_or((self.keep, &self.tail), |tail| (self.stands, tail))
    }
}

impl Body {
    /// The whole body.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Some messages were taken back: only the first `common` are still the conversation's.
    pub fn take_back(&mut self, common: usize) {
        self.written.common = self.written.common.min(common);
    }

    /// A summary took the place of the messages. Some results are shown anew.
    pub fn compact(&mut self, anew: &[u32]) {
        self.written.common = 0;
        self.written.compacted = true;
        for number in anew {
            let at = (*number as usize).checked_sub(1);
            if let Some(place) = at.and_then(|at| self.results.get_mut(at)) {
                *place = (0, 0);
            }
        }
    }

    /// Writes the next body. Nothing is changed until it is `adopt`ed.
    ///
    /// # Errors
    ///
    /// `storage`, where a result's text has to be read again.
    pub fn rewrite(
        &self,
        mut view: View<'_>,
        texts: &mut dyn ResultTexts,
    ) -> Result<Rewrite, Error> {
        let mut results = KnownResults {
            body: self,
            shorter: view.shorter,
            style: view.style,
            texts,
        };
        let given = view.head.take();
        let marks = Marks::new(&view, given.as_ref().unwrap_or(&self.head));
        let head = self.head(given, &marks, &view);
        let mut written = self.written.clone();
        // A request that holds the beginning alone, and a message of its own.
        let beginning = view.as_sent.min(view.items.first.len());
        written.common = written.common.min(beginning);
        let changes = changed::changes(&written, &view, &marks.messages);
        let standing = if head.is_some() {
            0
        } else {
            let first = changes.first().map_or(self.starts.len(), |(at, _)| *at);
            first.min(self.starts.len())
        };
        let mut writer = self.writer(&view, head.as_ref(), standing);
        let mut starts = Vec::new();
        messages::write(
            &view,
            &mut writer,
            standing,
            &marks,
            &mut results,
            &mut |writer, number| {
                starts.push(Start {
                    at: writer.length(),
                    open: writer.open,
                    number,
                });
            },
        )?;
        let (end, open) = (writer.length(), writer.open);
        close(&view, &mut writer);
        let (keep, results) = (writer.keep, writer.results);
        let tail = String::from_utf8(writer.out).unwrap_or_default();
        let (hashes, sha256) = self.hashed(keep, tail.as_bytes(), end);
        let shared = self.shared(keep, tail.as_bytes());
        Ok(Rewrite {
            keep,
            stands: if head.is_some() {
                0
            } else {
                self.stands(shared)
            },
            shared,
            difference: self.difference(shared, head.as_ref(), &changes),
            sha256,
            standing,
            starts,
            end,
            open,
            results,
            hashes,
            written: Written {
                common: view.items.len(),
                count: view.items.len(),
                turn: view.turn,
                carried: view.carrying.from,
                marks: marks.messages,
                compacted: false,
            },
            head,
            tail,
        })
    }

    /// The front, if it is another, or its breakpoint is.
    fn head(&self, given: Option<Head>, marks: &Marks, view: &View<'_>) -> Option<Head> {
        let mut head = match given {
            None if self.head.has_mark(marks.front) => return None,
            None => self.head.clone(),
            Some(head) => head,
        };
        head.set_mark(marks.front, &view.rules.requests, view.style);
        (head != self.head).then_some(head)
    }

    /// A writer that goes on where the last message that stands ends.
    fn writer<'a>(&self, view: &View<'a>, head: Option<&Head>, standing: usize) -> Writer<'a> {
        let (keep, open) = match self.starts.get(standing) {
            _ if head.is_some() => (0, head.and_then(|head| head.open)),
            Some(start) => (start.at, start.open),
            None => (self.end, self.open),
        };
        let before = keep
            .checked_sub(1)
            .and_then(|at| self.text.as_bytes().get(at));
        Writer {
            style: view.style,
            out: head.map_or_else(Vec::new, Head::text),
            keep,
            before: before.copied().unwrap_or_default(),
            open,
            results: Vec::new(),
        }
    }

    /// A result's text, as JSON, if it stands in the body.
    fn result(&self, number: u32) -> Option<&[u8]> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        let (start, end) = *self.results.get(at)?;
        let json = self.text.as_bytes().get(start..end)?;
        (!json.is_empty()).then_some(json)
    }

    /// The hashes up to `keep` and up to `end`, and that of the whole. The next body may be written
    /// from either.
    fn hashed(&self, keep: usize, tail: &[u8], end: usize) -> ([(usize, Sha256); 2], String) {
        let known = self.hashes.iter().rev().find(|(at, _)| *at <= keep);
        let (from, mut hash) = known.cloned().unwrap_or_default();
        hash.update(self.text.as_bytes().get(from..keep).unwrap_or_default());
        let kept = (keep, hash.clone());
        let (lasting, closing) = tail.split_at_checked(end - keep).unwrap_or((tail, &[]));
        hash.update(lasting);
        let mut whole = hash.clone();
        whole.update(closing);
        ([kept, (end, hash)], hex(&whole.finalize()))
    }

    fn shared(&self, keep: usize, tail: &[u8]) -> usize {
        let old = self.text.as_bytes().get(keep..).unwrap_or_default();
        let equal = old.iter().zip(tail).take_while(|(old, new)| old == new);
        keep + equal.count()
    }

    /// Where the last message ends that is equal as far as `shared` bytes are.
    fn stands(&self, shared: usize) -> usize {
        if shared >= self.end {
            return self.end;
        }
        let next = self.starts.partition_point(|start| start.at <= shared);
        let differing = next.checked_sub(1).and_then(|at| self.starts.get(at));
        differing.map_or(0, |start| start.at)
    }

    fn difference(
        &self,
        shared: usize,
        head: Option<&Head>,
        changes: &[Change],
    ) -> Option<Difference> {
        if self.text.is_empty() || shared >= self.end {
            return None;
        }
        if let Some((part, cause)) = head.and_then(|head| self.head.difference(head)) {
            let compacted = cause == DifferenceCause::System && self.written.compacted;
            return Some(Difference {
                part,
                message: None,
                cause: if compacted {
                    DifferenceCause::Compaction
                } else {
                    cause
                },
            });
        }
        let next = self.starts.partition_point(|start| start.at <= shared);
        let at = next.saturating_sub(1);
        // Of several in one message the one that was found first.
        let before = changes.iter().rev().filter(|(first, _)| *first <= at);
        let nearest = before.max_by_key(|(first, _)| *first);
        let (_, cause) = nearest.or_else(|| changes.first())?;
        Some(Difference {
            part: RequestPart::Messages,
            message: self.starts.get(at).map(|start| start.number),
            cause: *cause,
        })
    }

    /// The rewrite is the body now.
    pub fn adopt(&mut self, rewrite: Rewrite) {
        self.text.truncate(rewrite.keep);
        self.text.push_str(&rewrite.tail);
        if let Some(head) = rewrite.head {
            self.head = head;
        }
        if rewrite.standing < self.starts.len() {
            self.forget_results(rewrite.keep);
        }
        self.starts.truncate(rewrite.standing);
        self.starts.extend(rewrite.starts);
        self.end = rewrite.end;
        self.open = rewrite.open;
        let keep = rewrite.keep;
        while self.hashes.last().is_some_and(|(at, _)| *at >= keep) {
            self.hashes.pop();
        }
        self.hashes.extend(rewrite.hashes);
        self.written = rewrite.written;
        for (number, start, end) in rewrite.results {
            let count = number as usize;
            if self.results.len() < count {
                self.results.resize(count, (0, 0));
            }
            if let Some(place) = count.checked_sub(1).and_then(|at| self.results.get_mut(at)) {
                *place = (start, end);
            }
        }
    }

    /// What stood after `keep` stands elsewhere now, or nowhere. Later replies have later results, and
    /// stand later.
    fn forget_results(&mut self, keep: usize) {
        for place in self.results.iter_mut().rev() {
            match place {
                (0, 0) => {}
                (_, end) if *end <= keep => break,
                place => *place = (0, 0),
            }
        }
    }
}

/// Results as they stand in the body, or as they come.
struct KnownResults<'a> {
    body: &'a Body,
    shorter: &'a [u32],
    style: &'a JsonStyle,
    texts: &'a mut dyn ResultTexts,
}

impl Results for KnownResults<'_> {
    fn json(&mut self, number: u32) -> Result<Vec<u8>, Error> {
        let stands = !self.shorter.contains(&number);
        if let Some(json) = self.body.result(number).filter(|_| stands) {
            return Ok(json.to_vec());
        }
        let text = self.texts.text(number)?;
        Ok(self.style.text(&text).into_bytes())
    }

    fn failed(&self, number: u32) -> bool {
        self.texts.failed(number)
    }
}

/// Closes the last message, the list and the body.
fn close(view: &View<'_>, writer: &mut Writer<'_>) {
    messages::spelling(view).close(writer);
    writer.raw(b"]");
    for (name, value) in view.parameters {
        writer.raw(b",");
        writer.json(name);
        writer.raw(b":");
        writer.json(value);
    }
    writer.raw(b"}");
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.extend(
            [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0')),
        );
    }
    text
}
