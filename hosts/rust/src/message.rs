//! What is added to a conversation.

/// What is added to the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// What the person wrote, or a machine's message.
    User(UserMessage),
    /// The model's reply.
    Reply(Reply),
    /// The harness's message that asks for a last answer without tools (`wrap_up` of `loop.json`).
    /// The tools stay listed; calls in the reply are answered with a refusal (§10.4).
    WrapUp,
}

impl From<UserMessage> for Message {
    fn from(message: UserMessage) -> Self {
        Self::User(message)
    }
}

impl From<Reply> for Message {
    fn from(reply: Reply) -> Self {
        Self::Reply(reply)
    }
}

/// A message to the model.
///
/// ```
/// use waybread::UserMessage;
///
/// let asked = UserMessage::person("What is on this picture?")
///     .image_url("https://example.org/cat.png")
///     .date("2026-11-30");
/// let job = UserMessage::machine("Job 3 is done.").step_boundary();
/// # assert_eq!((asked.parts.len(), job.parts.len()), (1, 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UserMessage {
    /// Who speaks.
    pub sender: Sender,
    /// Where it stands.
    pub delivery: Delivery,
    /// May be empty if there are parts, which follow it.
    pub text: String,
    /// What stands beside the text.
    pub parts: Vec<Part>,
    /// The person's date, one line as the model is to read it (`2026-11-30`). A note tells it with
    /// the session's first message and with the next that starts a turn after it changed (§10.3).
    pub date: Option<String>,
}

impl UserMessage {
    /// What the person wrote. It starts a turn.
    pub fn person(text: impl Into<String>) -> Self {
        Self::new(Sender::Person, text)
    }

    /// A job's or a team's note, a harness's task. It starts a turn.
    pub fn machine(text: impl Into<String>) -> Self {
        Self::new(Sender::Machine, text)
    }

    /// What a subagent brought. It starts a turn.
    pub fn subagent(text: impl Into<String>) -> Self {
        Self::new(Sender::Subagent, text)
    }

    /// A message that starts a turn, of its text only.
    pub fn new(sender: Sender, text: impl Into<String>) -> Self {
        Self {
            sender,
            delivery: Delivery::StartsTurn,
            text: text.into(),
            parts: Vec::new(),
            date: None,
        }
    }

    /// The same, delivered at a step boundary of the running turn.
    #[must_use]
    pub fn step_boundary(mut self) -> Self {
        self.delivery = Delivery::StepBoundary;
        self
    }

    /// The same on the person's date.
    #[must_use]
    pub fn date(mut self, date: impl Into<String>) -> Self {
        self.date = Some(date.into());
        self
    }

    /// The same with an image: its media type, `image/png`, and its bytes in base64.
    #[must_use]
    pub fn image(self, media_type: impl Into<String>, base64: impl Into<String>) -> Self {
        self.part(Part::Image {
            media_type: media_type.into(),
            base64: base64.into(),
        })
    }

    /// The same with an image that the provider fetches.
    #[must_use]
    pub fn image_url(self, url: impl Into<String>) -> Self {
        self.part(Part::ImageUrl(url.into()))
    }

    /// The same with a content block as the dialect spells it.
    #[must_use]
    pub fn block(self, json: impl Into<String>) -> Self {
        self.part(Part::Block(json.into()))
    }

    /// The same with one more part.
    #[must_use]
    pub fn part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }
}

/// Who speaks in a message that is no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sender {
    /// The person.
    Person,
    /// A job's or a team's note, a harness's task.
    Machine,
    /// What a subagent brought: a person's words are not in it, and the history archive leaves it out
    /// (`docs/compaction.md`, "The history archive").
    Subagent,
}

/// Where a message stands (§8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Delivery {
    /// It starts a turn: earlier turns' reasoning is no longer sent, and notes that wait go with it.
    StartsTurn,
    /// It is delivered at a step boundary of the running turn: words that the person adds, a job's
    /// note. It carries no note.
    StepBoundary,
}

/// A part of a message beside its text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// More text.
    Text(String),
    /// An image.
    Image {
        /// `image/png`.
        media_type: String,
        /// Its bytes in base64.
        base64: String,
    },
    /// The address of an image that the provider fetches.
    ImageUrl(String),
    /// A content block as the dialect spells it: a JSON object, carried as it is.
    Block(String),
}

/// A model's reply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// JSON as the provider gave it: the whole response, or of it the message (OpenAI chat), the
    /// content blocks (Anthropic) or the output items (OpenAI responses).
    pub json: String,
    /// Assembled from a stream that broke off. It is sent with a note that says so, and without its
    /// calls, which nobody is to run.
    pub incomplete: bool,
}

impl Reply {
    /// A whole reply, as JSON.
    pub fn new(json: impl Into<String>) -> Self {
        Self {
            json: json.into(),
            incomplete: false,
        }
    }

    /// The same, broken off or not.
    #[must_use]
    pub fn incomplete(mut self, incomplete: bool) -> Self {
        self.incomplete = incomplete;
        self
    }
}
