//! What a plan gives, in the rules' own types.

use waybread_guest as guest;
use waybread_recordings::{
    Delivery, InsertResult, Message, Outcome, PromptSource, ReplayedResult, Sender, Settings, Tool,
    Treatment,
};

use super::ports::{Memory, Tree, hashed};

pub fn settings(given: &Settings) -> guest::Settings {
    let mut settings = guest::Settings::new(guest::Kind::Agent, &given.root);
    assert_eq!(
        (given.kind.as_str(), given.dialect.as_str()),
        ("agent", "openai-chat")
    );
    settings.dialect = Some(guest::Dialect::OpenaiChat);
    settings.home.clone_from(&given.home);
    settings.overrides = given.overrides.to_string();
    settings.recall = given.recall;
    let source = |source: &PromptSource| guest::PromptSource {
        part: guest::PromptPart::GlobalInstructions,
        name: source.name.clone(),
        text: source.text.clone(),
    };
    settings.prompt.sources = given.prompt.sources.iter().map(source).collect();
    let tool = |tool: &Tool| guest::Tool {
        name: tool.name.clone(),
        description: tool.description.clone(),
        parameters: tool.parameters.clone(),
        definition: None,
        requires: Vec::new(),
        unavailable: None,
        kinds: Vec::new(),
        vision: false,
    };
    settings.tools = given.tools.iter().map(tool).collect();
    settings
}

pub fn message(message: &Message) -> guest::Message {
    match message {
        Message::User(said) => guest::Message::User(guest::UserMessage {
            sender: match said.sender {
                Sender::Person => guest::Sender::Person,
                Sender::Machine => guest::Sender::Machine,
            },
            starts_turn: said.delivery == Delivery::StartsTurn,
            text: said.text.clone(),
            parts: Vec::new(),
            date: None,
        }),
        Message::Reply(reply) => guest::Message::Reply {
            json: reply.json.clone(),
            incomplete: reply.incomplete,
        },
    }
}

pub fn insert_result(
    name: &str,
    insert: &InsertResult,
    session: &mut guest::Session<Memory, Tree>,
) -> ReplayedResult {
    let call = guest::ToolCall {
        id: insert.call.clone(),
        name: insert.tool.clone(),
        arguments: insert.arguments.clone(),
    };
    let inserted = session
        .insert_result(&call, outcome(&insert.outcome))
        .expect(name);
    let treatment = match inserted.treatment {
        guest::Treatment::Full => Treatment::Full,
        guest::Treatment::Capped => Treatment::Capped,
        guest::Treatment::UnchangedRead => Treatment::UnchangedRead,
        guest::Treatment::SameResult => Treatment::SameResult,
        guest::Treatment::Failed => Treatment::Failed,
    };
    let failure = matches!(insert.outcome, Outcome::Failure(_));
    assert_eq!(
        treatment == Treatment::Failed,
        failure,
        "{name}: {}",
        inserted.text
    );
    ReplayedResult {
        counted: insert.counted,
        treatment: Some(treatment),
        chars_in: inserted.chars_in.into(),
        chars_out: inserted.chars_out.into(),
        error: None,
    }
}

fn outcome(outcome: &Outcome) -> guest::Outcome {
    match outcome {
        Outcome::Output(text) => guest::Outcome::Output(text.clone()),
        Outcome::Failure(text) => guest::Outcome::Failure(text.clone()),
        Outcome::Read(read) => guest::Outcome::Read(guest::ReadRequest {
            path: read.path.clone(),
            window: guest::LineWindow {
                offset: read.offset,
                limit: read.limit,
            },
            force: false,
        }),
        Outcome::Changes(changes) => guest::Outcome::Changes(guest::ChangeSet {
            files: changes
                .files
                .iter()
                .map(|file| guest::FileChange {
                    path: file.path.clone(),
                    before: file.before.clone().map(guest::Content::Text),
                    after: file.after.clone().map(hashed),
                })
                .collect(),
            note: None,
        }),
    }
}
