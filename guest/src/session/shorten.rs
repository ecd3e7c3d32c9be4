//! Results that are shown shorter, where nothing else makes room (docs/compaction.md, "Shown shorter").

use std::collections::BTreeMap;

use super::next::Next;
use super::unstub::{Unstubbed, in_full};
use crate::budget::{Pressure, Tally, TokenEstimate};
use crate::draft::shown_again;
use crate::error::Error;
use crate::id::ResultNumber;
use crate::lines;
use crate::ports::Storage;
use crate::record::{Kind, ResultRecord, ShortenedRecord};
use crate::state::State;
use crate::tokens::{self, Estimate};

/// Results as they are shown from the next request on.
#[derive(Clone, Debug, Default)]
pub struct Shortening {
    /// Whether a request held one of them.
    pub sent: bool,
    /// The most characters of each.
    most: u32,
    /// With their texts.
    pub results: Vec<Unstubbed>,
}

impl Shortening {
    /// The numbers of the results.
    pub fn numbers(&self) -> Vec<u32> {
        let results = self.results.iter();
        results.map(|(result, _)| result.number).collect()
    }

    /// For the log. `generation` is the one that begins, if a request held one of the results.
    pub fn record(&self, generation: u32) -> ShortenedRecord {
        let results = self.results.iter();
        ShortenedRecord {
            generation: self.sent.then_some(generation),
            results: results.map(|(result, _)| result.clone()).collect(),
        }
    }
}

/// A result, or the full answer of a stub, at every length at which it may be shown.
struct Measured {
    record: ResultRecord,
    /// Of a stub: the result that it names. It is shown in full when that one is not.
    names: Option<u32>,
    characters: usize,
    tokens: Estimate,
    /// By the number of characters, for those that are fewer than it has.
    shorter: BTreeMap<u32, Estimate>,
}

/// Where texts are stored.
pub struct Stored<'a, S> {
    /// The session.
    pub key: &'a str,
    /// Its storage.
    pub storage: &'a mut S,
}

impl<S: Storage> Stored<'_, S> {
    fn text(&mut self, number: u32, state: &State) -> Result<String, Error> {
        state.stored_text(self.storage, self.key, ResultNumber(number))
    }
}

impl Next<'_> {
    /// How full the window is, and what is shown shorter so that the request fits.
    ///
    /// # Errors
    ///
    /// `storage`, where texts are to be shown shorter.
    pub fn pressure_or_shorten<S: Storage>(
        self,
        tally: &mut Tally,
        stored: &mut Stored<'_, S>,
    ) -> Result<(Pressure, Shortening), Error> {
        let pressure = self.pressure(tally)?;
        if !self.load(pressure.estimate).may_shorten(&pressure) {
            return Ok((pressure, Shortening::default()));
        }
        match self.shorten(stored)? {
            None => Ok((pressure, Shortening::default())),
            Some((shortening, estimate)) => {
                let count = shortening.results.len();
                let load = self.load(estimate);
                Ok((load.shortened(count, shortening.most), shortening))
            }
        }
    }

    /// Those that no request has held first, and all where that is not enough.
    fn shorten<S: Storage>(
        self,
        stored: &mut Stored<'_, S>,
    ) -> Result<Option<(Shortening, TokenEstimate)>, Error> {
        let numbers = self.shown_results();
        let sent = self.talk.sent_results;
        let is_new = |number: &u32| *number as usize > sent;
        let new: Vec<u32> = numbers.iter().copied().filter(is_new).collect();
        let mut measured = self.measured(&new, stored)?;
        if let Some(found) = self.shortest(&measured, stored)? {
            return Ok(Some(found));
        }
        let rest: Vec<u32> = numbers.into_iter().filter(|one| !is_new(one)).collect();
        measured.extend(self.measured(&rest, stored)?);
        let found = self.shortest(&measured, stored)?;
        Ok(found.map(|(shortening, estimate)| {
            let sent = shortening.numbers().iter().any(|number| !is_new(number));
            (Shortening { sent, ..shortening }, estimate)
        }))
    }

    /// The results that the request shows.
    fn shown_results(self) -> Vec<u32> {
        let conversation = &self.talk.conversation;
        let first = match self.state.opened.kind {
            Kind::Chat => conversation.turn(),
            Kind::Agent => 0,
        };
        conversation.results(first, usize::MAX).collect()
    }

    /// How short a result may be shown, longest first.
    fn lengths(self) -> Vec<u32> {
        let rules = &self.state.rules.budget;
        let (most, least) = (rules.shorten_most, rules.shorten_least);
        let halves = std::iter::successors(Some(most), |length| Some(length / 2));
        let longer = halves.take_while(|length| *length > least);
        longer.chain([least]).collect()
    }

    fn measured<S: Storage>(
        self,
        numbers: &[u32],
        stored: &mut Stored<'_, S>,
    ) -> Result<Vec<Measured>, Error> {
        let lengths = self.lengths();
        let records = numbers.iter().filter_map(|one| self.state.result(*one));
        let measured = records.map(|record| {
            let stored = stored.text(record.number, self.state)?;
            Ok(self.measure(record.clone(), &stored, &lengths))
        });
        measured.collect()
    }

    fn measure(self, record: ResultRecord, stored: &str, lengths: &[u32]) -> Measured {
        let rules = &self.state.rules;
        let names = record.fact.stub_of();
        let (record, text) = match names {
            Some(_) => in_full(record, stored, rules),
            None => {
                let text = shown_again(&record, stored, rules);
                (record, text)
            }
        };
        let after = text.strip_prefix(&*lines::shown(&record.head, &rules.nul));
        let below = after.and_then(|after| after.split_once('\n'));
        let characters = below.map_or(0, |(_, below)| lines::characters(below));
        let fewer = lengths.iter().filter(|most| (**most as usize) < characters);
        let shorter = fewer.map(|most| {
            let text = shown_again(&within(&record, *most), stored, rules);
            (*most, tokens::estimate(&text))
        });
        Measured {
            names,
            characters,
            tokens: record.tokens,
            shorter: shorter.collect(),
            record,
        }
    }

    /// The greatest length at which the request fits.
    fn shortest<S: Storage>(
        self,
        measured: &[Measured],
        stored: &mut Stored<'_, S>,
    ) -> Result<Option<(Shortening, TokenEstimate)>, Error> {
        for most in self.lengths() {
            let changed = changed(measured, most);
            if changed.is_empty() {
                continue;
            }
            let estimate = self.estimate_with(&changed);
            if self.load(estimate).fits() {
                let shortening = self.rendered(measured, &changed, most, stored)?;
                return Ok(Some((shortening, estimate)));
            }
        }
        Ok(None)
    }

    fn rendered<S: Storage>(
        self,
        measured: &[Measured],
        changed: &BTreeMap<u32, Estimate>,
        most: u32,
        stored: &mut Stored<'_, S>,
    ) -> Result<Shortening, Error> {
        let rules = &self.state.rules;
        let mut results = Vec::new();
        for one in measured {
            let Some(tokens) = changed.get(&one.record.number) else {
                continue;
            };
            let mut record = match one.shorter.contains_key(&most) {
                true => within(&one.record, most),
                false => one.record.clone(),
            };
            record.tokens = *tokens;
            let text = stored.text(record.number, self.state)?;
            let text = shown_again(&record, &text, rules);
            results.push((record, text));
        }
        Ok(Shortening {
            sent: false,
            most,
            results,
        })
    }
}

/// A result of which so many characters are shown.
fn within(record: &ResultRecord, most: u32) -> ResultRecord {
    ResultRecord {
        limit: Some(most),
        ..record.clone()
    }
}

/// The tokens of what is shown otherwise at a length: what is longer, and the stubs of that.
fn changed(measured: &[Measured], most: u32) -> BTreeMap<u32, Estimate> {
    let longer = |one: &&Measured| one.characters > most as usize;
    let shortened: BTreeMap<u32, Estimate> = measured
        .iter()
        .filter(|one| one.names.is_none())
        .filter(longer)
        .map(|one| (one.record.number, one.at(most)))
        .collect();
    let stubs = measured.iter().filter(|one| {
        one.names
            .is_some_and(|named| shortened.contains_key(&named))
    });
    let stubs: Vec<(u32, Estimate)> = stubs.map(|one| (one.record.number, one.at(most))).collect();
    shortened.into_iter().chain(stubs).collect()
}

impl Measured {
    fn at(&self, most: u32) -> Estimate {
        self.shorter.get(&most).copied().unwrap_or(self.tokens)
    }
}
