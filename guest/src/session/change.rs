//! What changes during a session: values that notes tell, the prompt, tools, messages taken back.

use std::collections::BTreeSet;

use super::Session;
use crate::budget::Tally;
use crate::error::Error;
use crate::id::ResultNumber;
use crate::json;
use crate::notes::{Change, ChangeKind};
use crate::ports::{FileSystem, Storage};
use crate::prompt;
use crate::record::{Event, Usage};
use crate::tools::{self, Tool};
use crate::usage;

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Says what something's value is now (§10.3).
    ///
    /// # Errors
    ///
    /// As `note` in `wit/context.wit`.
    pub fn note(&mut self, change: &Change, by_model: bool) -> Result<(), Error> {
        self.talk()?;
        let change = self.place().change("change", change)?;
        if !self.talk()?.notes.is_news(&change, by_model) {
            return Ok(());
        }
        self.commit(vec![Event::Changed { change, by_model }], &[])
    }

    /// Says whether a condition that tools require is met now (§10.4).
    ///
    /// # Errors
    ///
    /// As `set-condition` in `wit/context.wit`.
    pub fn set_condition(&mut self, name: &str, met: bool) -> Result<(), Error> {
        let known = self.talk()?.tools.is_met(name);
        if name.is_empty() {
            return Err(Error::argument("name", "is empty"));
        }
        if known == met {
            return Ok(());
        }
        let name = name.to_owned();
        self.commit(vec![Event::Condition { name, met }], &[])
    }

    /// Withdraws a tool: it stays listed, and its calls are answered `refusal` (§10.4).
    ///
    /// # Errors
    ///
    /// As `withdraw-tool` in `wit/context.wit`.
    pub fn withdraw_tool(&mut self, name: &str, refusal: &str) -> Result<(), Error> {
        let tools = &self.talk()?.tools;
        if !tools.has(name) {
            let problem = format!("is `{name}`, which is not in the tool list");
            return Err(Error::argument("name", problem));
        }
        if refusal.trim().is_empty() {
            let problem = "is blank, must say why the tool is withdrawn";
            return Err(Error::argument("refusal", problem));
        }
        if tools.refusal_of(name) == Some(refusal) {
            return Ok(());
        }
        let event = Event::Withdrawn {
            name: name.to_owned(),
            refusal: refusal.to_owned(),
        };
        self.commit(vec![event], &[])
    }

    /// An MCP server connected (§10.4).
    ///
    /// # Errors
    ///
    /// As `connect-server` in `wit/context.wit`.
    pub fn connect_server(
        &mut self,
        name: &str,
        given: &[Tool],
        instructions: Option<&str>,
    ) -> Result<(), Error> {
        self.talk()?;
        if name.is_empty() {
            return Err(Error::argument("name", "is empty, must be the server's"));
        }
        check_tools("tools", given)?;
        let instructions = instructions.filter(|text| !text.trim().is_empty());
        prompt::check_paths(self.place(), "name", "", name)?;
        let change = instructions.map(|text| Change {
            kind: ChangeKind::McpInstructions,
            name: name.to_owned(),
            text: text.to_owned(),
        });
        let talk = self.talk()?;
        let tools = talk.tools.new_of(given);
        let mut events = Vec::new();
        if !tools.is_empty() || !talk.tools.knows_server(name, instructions) {
            events.push(Event::Connected {
                name: name.to_owned(),
                tools,
                instructions: instructions.map(str::to_owned),
            });
        }
        let change = change.filter(|change| talk.notes.is_news(change, false));
        events.extend(change.map(|change| Event::Changed {
            change,
            by_model: false,
        }));
        self.commit(events, &[])
    }

    /// Takes messages back, `first` to `last` (none: the newest), with their results.
    ///
    /// # Errors
    ///
    /// As `rewind` in `wit/context.wit`.
    pub fn rewind(&mut self, first: u32, last: Option<u32>) -> Result<(), Error> {
        let conversation = &self.talk()?.conversation;
        let last = last.unwrap_or_else(|| conversation.newest());
        for number in [first, last] {
            if conversation.index_of(number).is_none() {
                return Err(Error::UnknownMessage(number));
            }
        }
        let Some((from, end)) = conversation.range(first, last) else {
            let problem = format!("is {last}, before the first, {first}");
            return Err(Error::argument("last", problem));
        };
        let mut taken = conversation.items().iter().take(end).skip(from);
        if let Some(front) = taken.find(|item| item.is_front()) {
            let problem = format!(
                "would take back message {}, a summary or what stands with it; fork the session after an \
                 earlier message instead",
                front.number()
            );
            return Err(Error::argument("first", problem));
        }
        let next = conversation.items().get(end);
        if from == 0 && next.is_some_and(|next| next.as_reply().is_some()) {
            let problem = "would leave a conversation that begins with a reply";
            return Err(Error::argument("last", problem));
        }
        self.check_stubs(from, end)?;
        self.commit(vec![Event::TakenBack { first, last }], &[])?;
        if let Some(body) = &mut self.body {
            body.take_back(from);
        }
        self.tally = Tally::default();
        self.begun = None;
        Ok(())
    }

    /// A stub names only a result that the request carries (§2), so what a later stub names cannot be
    /// taken back without it.
    fn check_stubs(&self, from: usize, end: usize) -> Result<(), Error> {
        let conversation = &self.talk()?.conversation;
        let taken: BTreeSet<u32> = conversation.results(from, end).collect();
        let stub_of = |number: u32| self.state.result(number)?.fact.stub_of();
        let later = conversation.results(end, usize::MAX);
        let mut left =
            later.filter(|number| stub_of(*number).is_some_and(|named| taken.contains(&named)));
        let Some(number) = left.next() else {
            return Ok(());
        };
        let show = |number: u32| ResultNumber(number).show(&self.state.rules.ids);
        let (stub, named) = (show(number), show(stub_of(number).unwrap_or_default()));
        let problem = format!(
            "would take back {named}, which the later result {stub} names; take that back as well"
        );
        Err(Error::argument("last", problem))
    }

    /// Keeps what the provider reported of a request (§10.6).
    ///
    /// # Errors
    ///
    /// As `record-usage` in `wit/context.wit`.
    pub fn record_usage(&mut self, number: u32, given: &str) -> Result<Usage, Error> {
        let known = self.talk()?.requests.len();
        if number == 0 || number as usize > known {
            return Err(Error::UnknownRequest(number));
        }
        let json = json::value(given).map_err(|problem| Error::argument("usage", problem))?;
        let usage = usage::read(&json).ok_or_else(|| {
            let problem = "holds no usage in a spelling that is known (docs/requests.md, Usage)";
            Error::argument("usage", problem)
        })?;
        let given = given.to_owned();
        let event = Event::Used {
            number,
            usage,
            given,
        };
        self.commit(vec![event], &[])?;
        Ok(usage)
    }
}

/// Checks tools, by the name of the argument that holds them.
pub fn check_tools(argument: &str, given: &[Tool]) -> Result<(), Error> {
    tools::check(given).map_err(|fault| {
        let argument = format!("{argument}[{}].{}", fault.at, fault.field);
        Error::argument(argument, fault.problem)
    })
}
