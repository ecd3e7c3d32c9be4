//! Messages in: what the person wrote, a machine's message, the model's reply.

use super::pending::{Pending, tool_call};
use super::skills::SkillChange;
use super::{Session, ToolCall};
use crate::draft::{Inserted, size};
use crate::error::Error;
use crate::json;
use crate::message::{Message, Part, Sender, UserMessage};
use crate::ports::{FileSystem, Storage};
use crate::record::{Dialect, Event, MessageBody, MessageRecord, UserRecord};
use crate::reply::{self, Around, Call, Reply};
use crate::skills;

/// A message as it was added. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Added {
    pub number: u32,
    pub note: Option<String>,
    pub skills: Vec<SkillChange>,
    pub calls: Vec<ReplyCall>,
    pub closed: Vec<Inserted>,
}

/// A message's text with what stands ahead of it, the length of that, and the skills it tells.
type Told = (String, u32, Vec<SkillChange>);

/// An append in the making, and the results in it that close calls.
type Closing = (Pending, Vec<Inserted>);

/// A call of a reply. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct ReplyCall {
    pub call: ToolCall,
    pub refused: Option<Inserted>,
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Adds a message to the conversation.
    ///
    /// # Errors
    ///
    /// As `add-message` in `wit/context.wit`.
    pub fn add_message(&mut self, message: Message) -> Result<Added, Error> {
        let conversation = &self.talk()?.conversation;
        let begun = !conversation.items().is_empty();
        let number = conversation.next_number().ok_or_else(|| {
            Error::OutOfOrder("the session has no number left for a message".to_owned())
        })?;
        match message {
            Message::User(message) => self.add_user(number, message, begun),
            Message::Reply { json, incomplete } => {
                follows(begun, "a reply")?;
                self.add_reply(number, json, incomplete)
            }
            Message::WrapUp => {
                follows(begun, "a wrap-up")?;
                let text = self.state.rules.wrap_up.message.clone();
                let record = UserRecord {
                    sender: Sender::Machine,
                    starts_turn: false,
                    wrap_up: true,
                    text,
                    parts: Vec::new(),
                    note: None,
                    ahead: 0,
                };
                let closing = self.closing()?;
                self.add(closing, number, MessageBody::User(record), None)
            }
        }
    }

    /// An append that begins with what closes open calls.
    fn closing(&self) -> Result<Closing, Error> {
        let mut pending = Pending::default();
        let closed = self.close_calls(&mut pending)?;
        Ok((pending, closed))
    }

    fn add_user(
        &mut self,
        number: u32,
        mut message: UserMessage,
        begun: bool,
    ) -> Result<Added, Error> {
        check(&message, self.talk()?.dialect)?;
        if !message.starts_turn {
            follows(begun, "a message at a step boundary")?;
        }
        let mut closing = self.closing()?;
        self.hold(&mut closing.0, &mut message)?;
        let (notes, rules) = (&self.talk()?.notes, &self.state.rules);
        let note = message
            .starts_turn
            .then(|| notes.owed(message.date.as_deref(), &rules.note, &rules.nul))
            .flatten();
        let (text, ahead, skills) = self.with_skills(&message)?;
        let record = UserRecord {
            sender: message.sender,
            starts_turn: message.starts_turn,
            wrap_up: false,
            text,
            parts: message.parts,
            note,
            ahead,
        };
        let mut added = self.add(closing, number, MessageBody::User(record), None)?;
        added.skills = skills;
        Ok(added)
    }

    /// The text behind the envelopes that go ahead of it, a notice before them; their length, and what they
    /// tell.
    fn with_skills(&self, message: &UserMessage) -> Result<Told, Error> {
        let (told, changes) = if message.starts_turn {
            self.skill_changes()?
        } else {
            (Vec::new(), Vec::new())
        };
        if told.is_empty() {
            return Ok((message.text.clone(), 0, changes));
        }
        let notices = &self.state.rules.skills.notices;
        let (notice, rest) = skills::split_notice(&message.text, notices);
        let mut told = told.join("\n\n");
        if !rest.is_empty() {
            told.push_str("\n\n");
        }
        let ahead = size(told.len());
        Ok(([notice, &told, rest].concat(), ahead, changes))
    }

    fn add_reply(&mut self, number: u32, given: String, incomplete: bool) -> Result<Added, Error> {
        let talk = self.talk()?;
        let conversation = &talk.conversation;
        let around = Around {
            rules: &self.state.rules,
            incomplete,
            number,
            unstored: talk.unstored,
            // Open calls are about to be answered.
            known: &|id| self.state.answer_of(id).is_some() || conversation.is_open(id),
        };
        let reply = reply::read(talk.dialect, &given, around)
            .map_err(|fault| Error::argument(format!("reply.json{}", fault.path), fault.problem))?;
        let incomplete = reply.incomplete;
        let closing = self.closing()?;
        self.add(
            closing,
            number,
            MessageBody::Reply { given, incomplete },
            Some(&reply),
        )
    }

    fn add(
        &mut self,
        (mut pending, closed): Closing,
        number: u32,
        body: MessageBody,
        reply: Option<&Reply>,
    ) -> Result<Added, Error> {
        let note = match &body {
            MessageBody::User(user) => user.note.as_ref().map(|note| note.text.clone()),
            MessageBody::Reply { .. } => None,
        };
        pending.events.push(Event::Message(Box::new(MessageRecord {
            number,
            closed: pending.results(),
            body,
        })));
        let calls = reply.into_iter().flat_map(|reply| &reply.calls);
        let calls = calls.map(|call| self.take_call(&mut pending, call));
        let calls = calls.collect::<Result<_, _>>()?;
        self.commit_pending(pending)?;
        Ok(Added {
            number,
            note,
            skills: Vec::new(),
            calls,
            closed,
        })
    }

    /// A call is open, unless something answers it in the tool's place (§10.4).
    fn take_call(&self, pending: &mut Pending, call: &Call) -> Result<ReplyCall, Error> {
        let talk = self.talk()?;
        let refusal = if talk.conversation.is_wrapping_up() {
            Some(self.state.rules.wrap_up.refused.clone())
        } else {
            talk.tools
                .refusal(&call.name, &self.state.rules.unavailable)
        };
        let refusal = refusal.or_else(|| call.problem.clone());
        let call = tool_call(call);
        let refused = refusal.map(|sentence| self.refuse(pending, &call, &sentence));
        Ok(ReplyCall {
            refused: refused.transpose()?,
            call,
        })
    }
}

fn follows(begun: bool, what: &str) -> Result<(), Error> {
    if begun {
        return Ok(());
    }
    let problem = format!("{what} needs a message before it; begin with one that starts a turn");
    Err(Error::OutOfOrder(problem))
}

fn check(message: &UserMessage, dialect: Dialect) -> Result<(), Error> {
    let blank = |part: &Part| matches!(part, Part::Text(text) if text.trim().is_empty());
    if message.text.trim().is_empty() && message.parts.iter().all(blank) {
        let problem = "is blank, and no part says more; a message needs words or a part";
        return Err(Error::argument("user.text", problem));
    }
    if let Some(date) = &message.date
        && (date.trim().is_empty() || date.contains('\n'))
    {
        let problem = "must be one line that is not blank, as the model is to read it";
        return Err(Error::argument("user.date", problem));
    }
    for (at, part) in message.parts.iter().enumerate() {
        check_part(&format!("user.parts[{at}]"), part, dialect)?;
    }
    Ok(())
}

fn check_part(argument: &str, part: &Part, dialect: Dialect) -> Result<(), Error> {
    let filled = |name: &str, text: &str| {
        if text.trim().is_empty() {
            return Err(Error::argument(format!("{argument}.{name}"), "is blank"));
        }
        Ok(())
    };
    match part {
        // A blank one is left out.
        Part::Text(_) => Ok(()),
        Part::ImageUrl(url) => {
            filled("image-url", url)?;
            let holds = dialect == Dialect::AnthropicMessages && is_data_url(url);
            let problem = "is a `data:` URL, which Anthropic does not take; give the image by its \
                media type and its base64";
            refused_if(holds, format!("{argument}.image-url"), problem)
        }
        Part::Image(image) => {
            filled("image.media-type", &image.media_type)?;
            filled("image.base64", &image.base64)?;
            let problem = base64_problem(&image.base64);
            let argument = format!("{argument}.image.base64");
            refused_if(problem.is_some(), argument, problem.unwrap_or_default())
        }
        Part::Block(block) => match json::object(block) {
            Ok(_) => Ok(()),
            Err(problem) => Err(Error::argument(format!("{argument}.block"), problem)),
        },
    }
}

fn refused_if(wrong: bool, argument: String, problem: &str) -> Result<(), Error> {
    if wrong {
        return Err(Error::argument(argument, problem));
    }
    Ok(())
}

/// Whether a URL holds what it names.
fn is_data_url(url: &str) -> bool {
    let scheme = url.trim_start().get(..5);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// What is wrong with base64, as providers take it, and what would be right.
fn base64_problem(text: &str) -> Option<&'static str> {
    if is_data_url(text) {
        return Some("is a `data:` URL; give what follows its comma");
    }
    let digits = text.strip_suffix('=').unwrap_or(text);
    let digits = digits.strip_suffix('=').unwrap_or(digits);
    let may = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    if !digits.bytes().all(may) {
        return Some("is no base64: it has A-Z, a-z, 0-9, + and / alone, without line breaks");
    }
    let whole = text.len().is_multiple_of(4);
    (!whole)
        .then_some("is no whole base64: its length, `=` at the end included, is no multiple of 4")
}
