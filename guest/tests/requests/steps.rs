//! Random conversations.

use proptest::prelude::*;
use waybread_guest::{ChangeKind, Dialect, Kind, Stage};

/// What a session is opened with.
#[derive(Clone, Debug)]
pub struct Setup {
    pub dialect: Dialect,
    pub kind: Kind,
    pub overrides: &'static str,
    /// Whether the prompt has a user zone, and reads files.
    pub zones: bool,
}

#[derive(Clone, Debug)]
pub enum Step {
    User {
        starts_turn: bool,
        text: String,
        date: Option<&'static str>,
        image: bool,
    },
    Reply {
        reasoning: Option<String>,
        text: String,
        calls: usize,
        incomplete: bool,
    },
    /// Answers the open call at this place, if there are so many.
    Answer {
        call: usize,
        with: Answer,
    },
    Build {
        parameters: &'static str,
    },
    BuildOnFullDisk,
    /// From so many messages before the end.
    Rewind {
        back: usize,
        messages: usize,
    },
    Note {
        kind: ChangeKind,
        name: &'static str,
        text: &'static str,
        by_model: bool,
    },
    SetPrompt(&'static str),
    Condition(bool),
    Withdraw,
    Connect(usize),
    WrapUp,
    Reopen,
    Fork,
    /// What fills the window, and what the newest request held.
    Diagnose {
        parameters: &'static str,
    },
    EnableSkill {
        name: &'static str,
        text: &'static str,
    },
    DisableSkill(&'static str),
    /// Another hand edits the project's instruction file.
    EditInstructions(String),
    Compact {
        stage: Stage,
        how: How,
    },
}

/// What comes of a request for a summary.
#[derive(Clone, Debug)]
pub enum How {
    Summary(String),
    Empty,
    Failed,
    Cancelled,
    FullDisk,
}

#[derive(Clone, Debug)]
pub enum Answer {
    Read(usize),
    Search(&'static str),
    Output(String),
    Failure,
}

pub const PARAMETERS: [&str; 5] = [
    "",
    r#"{"model":"m","temperature":1.0}"#,
    r#"{"model":"m","temperature":1.0}"#,
    r#"{"model":"m","max_tokens":1E3,"stream":true}"#,
    r#"{"model":"other"}"#,
];

const OVERRIDES: [&str; 12] = [
    "",
    r#"{"reasoning":{"earlier_turns":"tool-calls"}}"#,
    r#"{"reasoning":{"earlier_turns":"all"}}"#,
    r#"{"reasoning":{"carry":"as-given"}}"#,
    r#"{"reasoning":{"carry":"none"}}"#,
    r#"{"requests":{"cache_breakpoints":3}}"#,
    r#"{"compaction":{"retain":1}}"#,
    r#"{"compaction":{"retain":2,"retain_emergency":1,"retain_by":"steps","anchor":"person"}}"#,
    r#"{"preset":"steiner"}"#,
    r#"{"preset":"steiner","archive":{"keep":"markdown"},"requests":{"cache_breakpoints":3}}"#,
    r#"{"budget":{"window":900,"margin_least":20},"compaction":{"summary_least":40,"emergency_least":20,"least_freed_percent":5}}"#,
    r#"{"budget":{"window":900,"margin_least":20},"compaction":{"summary_least":40,"emergency_least":20,"retain":1,"least_freed_percent":0}}"#,
];

pub fn setup() -> impl Strategy<Value = Setup> {
    let dialects = vec![
        Dialect::OpenaiChat,
        Dialect::AnthropicMessages,
        Dialect::OpenaiResponses,
    ];
    let kinds = vec![Kind::Agent, Kind::Chat];
    (
        prop::sample::select(dialects),
        prop::sample::select(kinds),
        prop::sample::select(OVERRIDES.to_vec()),
        any::<bool>(),
    )
        .prop_map(|(dialect, kind, overrides, zones)| Setup {
            dialect,
            kind,
            overrides,
            zones,
        })
}

pub fn conversation() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..40)
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]{1,6}",
        Just("日本 🙂\n\"quoted\"\\".to_owned()),
        Just("nul \0 here".to_owned()),
        Just(" ".to_owned()),
        Just("<session-skill name=\"tea\" state=\"active\" bytes=\"3\">\nhot\n</session-skill>\n\nBrew.".to_owned()),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (prop::bool::weighted(0.7), words(), prop::option::of(prop::sample::select(vec!["2026-11-29", "2026-11-30"])), prop::bool::weighted(0.1))
            .prop_map(|(starts_turn, text, date, image)| Step::User { starts_turn, text, date, image }),
        7 => (prop::option::of(words()), words(), 0..3_usize, prop::bool::weighted(0.1))
            .prop_map(|(reasoning, text, calls, incomplete)| Step::Reply { reasoning, text, calls, incomplete }),
        8 => (0..2_usize, answer()).prop_map(|(call, with)| Step::Answer { call, with }),
        8 => prop::sample::select(PARAMETERS.to_vec()).prop_map(|parameters| Step::Build { parameters }),
        1 => Just(Step::BuildOnFullDisk),
        2 => (1..6_usize, 1..6_usize).prop_map(|(back, messages)| Step::Rewind { back, messages }),
        2 => note(),
        1 => prop::sample::select(vec!["one", "two"]).prop_map(Step::SetPrompt),
        1 => any::<bool>().prop_map(Step::Condition),
        1 => Just(Step::Withdraw),
        1 => (0..2_usize).prop_map(Step::Connect),
        1 => Just(Step::WrapUp),
        1 => Just(Step::Reopen),
        1 => Just(Step::Fork),
        3 => prop::sample::select(PARAMETERS.to_vec()).prop_map(|parameters| Step::Diagnose { parameters }),
        2 => (skill(), prop::sample::select(vec!["Do it.", "Do it twice."]))
            .prop_map(|(name, text)| Step::EnableSkill { name, text }),
        1 => skill().prop_map(Step::DisableSkill),
        1 => words().prop_map(Step::EditInstructions),
        3 => (prop::bool::weighted(0.7), how()).prop_map(|(normal, how)| {
            let stage = if normal { Stage::Normal } else { Stage::Emergency };
            Step::Compact { stage, how }
        }),
    ]
}

fn skill() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["alpha", "beta \"quoted\""])
}

fn how() -> impl Strategy<Value = How> {
    prop_oneof![
        4 => words().prop_map(How::Summary),
        1 => Just(How::Empty),
        1 => Just(How::Failed),
        1 => Just(How::Cancelled),
        1 => Just(How::FullDisk),
    ]
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        3 => (0..2_usize).prop_map(Answer::Read),
        2 => prop::sample::select(vec!["found", "found more"]).prop_map(Answer::Search),
        1 => words().prop_map(Answer::Output),
        1 => Just(Answer::Failure),
    ]
}

fn note() -> impl Strategy<Value = Step> {
    let kinds = vec![
        (ChangeKind::Mode, "plan", "Only plan."),
        (ChangeKind::Mode, "ask", "Ask first."),
        (ChangeKind::Plan, "", "1. Look."),
        (ChangeKind::Plan, "", ""),
        (ChangeKind::Memory, "/home/ada/memory.md", "Likes tea."),
        (ChangeKind::Personality, "", "Dry."),
    ];
    (prop::sample::select(kinds), any::<bool>()).prop_map(|((kind, name, text), by_model)| {
        Step::Note {
            kind,
            name,
            text,
            by_model,
        }
    })
}
