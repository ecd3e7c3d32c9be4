//! What the settings may be, by their dotted names.

/// Numbers that are at least 1: with 0 there would be nothing to show, or nothing to divide by, or
/// everything would be full from the beginning.
pub const AT_LEAST_ONE: [&str; 23] = [
    "context.ids.digits",
    "context.sha_digits",
    "context.reads.window",
    "context.recall.window",
    "context.cap.max_lines",
    "context.cap.max_chars",
    "context.cap.head_lines",
    "context.cap.head_chars",
    "context.compaction.rows",
    "budget.cap_percent",
    "budget.step_percent",
    "budget.shorten_most",
    "budget.shorten_least",
    "compaction.threshold_percent",
    "escalation.warning",
    "escalation.critical",
    "delegation.max_chars",
    "state.value_chars",
    "state.command_chars",
    "tokens.image_area",
    "tokens.document_bytes",
    "tokens.audio_bytes",
    "tokens.data_bytes",
];

/// Budgets of which 0 is the default.
pub const ZERO_IS_THE_DEFAULT: [&str; 2] =
    ["assembly.project_context_bytes", "assembly.skill_bytes"];

/// Texts that are one of a few words.
pub const CHOICES: [(&str, &[&str]); 19] = [
    ("context.reads.stub_ranges", &["within", "exact"]),
    ("context.edits.answer", &["diff", "summary"]),
    ("prompt.dates", &["refuse", "allow"]),
    ("prompt.paths", &["refuse", "allow"]),
    ("replies.repair", &["on", "off"]),
    ("reasoning.carry", &["turn", "as-given", "none"]),
    (
        "reasoning.earlier_turns",
        &["by-model", "none", "tool-calls", "all"],
    ),
    ("reasoning.after_calls", &["turn", "reply"]),
    ("requests.cache_ttl", &["", "5m", "1h"]),
    ("requests.images_without_vision", &["omit", "send"]),
    ("budget.provider", &["native", "stateful"]),
    ("budget.shorten", &["none", "results"]),
    ("compaction.retain_by", &["turns", "steps"]),
    ("compaction.anchor", &["none", "person", "task"]),
    ("compaction.source", &["all", "older"]),
    ("compaction.images", &["keep", "omit"]),
    ("compaction.summary_role", &["user", "system"]),
    ("archive.keep", &["none", "markdown"]),
    ("snapshots.encoding", &["plain", "go"]),
];

/// Texts that say something to the model, to its provider, or to a person.
pub const NOT_BLANK: [&str; 25] = [
    "context.note.empty",
    "context.compaction.empty",
    "tools.unavailable",
    "replies.unanswered",
    "replies.interrupted",
    "replies.arguments.refused",
    "wrap_up.message",
    "wrap_up.refused",
    "requests.system_role",
    "requests.image_omitted",
    "compaction.image_omitted",
    "fallback.no_request",
    "escalation.guidance.info",
    "escalation.guidance.warning",
    "escalation.guidance.critical",
    "archive.path",
    // Every line of a summary begins with nothing, and would be left out.
    "archive.marker",
    "archive.person",
    "archive.machine",
    "archive.model",
    "archive.summary",
    "archive.ok",
    "archive.failed",
    "archive.image",
    "archive.subagent",
];

/// Texts that a blank one leaves out: nothing is said then, or what was said before there was one.
pub const MAY_BE_BLANK: [&str; 3] = [
    "context.cap.head",
    "context.cap.elided_characters",
    "context.cap.elided_both",
];

/// Names that a list may not hold: without them calls and words would be lost.
pub const KEPT: [(&str, &[&str]); 2] = [
    ("reasoning.blocks", &["text", "tool_use"]),
    (
        "requests.not_resent",
        &["role", "content", "tool_calls", "id", "type", "function"],
    ),
];

/// The largest number of breakpoints that the provider takes.
const MOST_BREAKPOINTS: u64 = 4;

/// The largest number of hex digits that a SHA-256 has, and that an id can sensibly be padded to.
const MOST_DIGITS: u64 = 64;

/// The largest value of a number.
pub fn most(key: &str) -> u64 {
    match key {
        "requests.cache_breakpoints" => MOST_BREAKPOINTS,
        key if key.ends_with("digits") => MOST_DIGITS,
        key if key.ends_with("percent") => 100,
        _ => u64::from(u32::MAX),
    }
}
