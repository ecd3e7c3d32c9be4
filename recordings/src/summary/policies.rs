//! The policies side by side: what each session's requests have to read, and all that is known of the
//! totals.

use serde_json::{Map, Value};

use crate::{PolicyReport, Report};

use super::numbers::{counted, grouped};
use super::sentences::wrapped;
use super::table::table;

const TOTALS: [&str; 8] = [
    "Policy",
    "Requests",
    "Sent",
    "Kept",
    "Re-read",
    "Read\nbefore",
    "Breaks",
    "Share\nkept",
];
const SESSIONS: &str = "Prompt characters that had to be read under each policy, because they are \
                        not what the request before began with:";
const TOTALS_ARE: &str = "In all sessions. What was sent is what stood from the request before and \
                          what was re-read; of that, some had been read before. A break is a \
                          request that did not keep all of the one before it. A policy with the \
                          numbers of the full history never had to act.";

/// Two tables, with what they show, and the policies' parameters. Nothing where no request was built.
pub(super) fn of(report: &Report) -> Vec<String> {
    if report.policies.iter().all(|policy| policy.requests == 0) {
        return Vec::new();
    }
    let parameters = report.policies.iter().filter_map(parameters);
    let parameters: Vec<String> = parameters.map(|line| wrapped(&line)).collect();
    vec![
        wrapped(SESSIONS),
        sessions(report),
        wrapped(TOTALS_ARE),
        totals(report),
        parameters.join("\n"),
    ]
}

fn sessions(report: &Report) -> String {
    let names = report.policies.iter().map(|policy| title(&policy.policy));
    let names: Vec<String> = ["Session".to_owned(), "Requests".to_owned()]
        .into_iter()
        .chain(names)
        .collect();
    let header: Vec<&str> = names.iter().map(String::as_str).collect();
    let sessions = report.sessions.iter();
    let mut rows: Vec<Vec<String>> = sessions
        .map(|session| row(session.name.clone(), &session.policies))
        .collect();
    let all = counted(report.sessions.len() as u64, "session", "sessions");
    rows.push(row(all, &report.policies));
    table(&header, rows, true)
}

fn row(name: String, policies: &[PolicyReport]) -> Vec<String> {
    let requests = policies.first().map_or(0, |policy| policy.requests);
    let numbers = policies.iter().map(|policy| policy.reread);
    let numbers = [requests].into_iter().chain(numbers).map(grouped);
    [name].into_iter().chain(numbers).collect()
}

fn totals(report: &Report) -> String {
    let row = |policy: &PolicyReport| {
        let numbers = [
            policy.requests,
            policy.sent,
            policy.kept,
            policy.reread,
            policy.again,
            policy.breaks,
        ];
        let kept = format!("{} %", policy.kept_percent);
        let numbers = numbers.into_iter().map(grouped);
        [policy.policy.clone()]
            .into_iter()
            .chain(numbers)
            .chain([kept])
            .collect()
    };
    table(&TOTALS, report.policies.iter().map(row).collect(), false)
}

/// `sliding-window` as a header of two lines.
fn title(policy: &str) -> String {
    let mut letters = policy.chars();
    let first: String = letters
        .by_ref()
        .take(1)
        .flat_map(char::to_uppercase)
        .collect();
    (first + letters.as_str())
        .replacen('-', "\n", 1)
        .replace('-', " ")
}

/// `sliding-window: messages 40, …`; nothing for a policy without parameters.
fn parameters(policy: &PolicyReport) -> Option<String> {
    let all: &Map<String, Value> = &policy.parameters;
    let spelled = |(name, value): (&String, &Value)| {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        format!("{} {value}", name.replace('_', " "))
    };
    let all: Vec<String> = all.iter().map(spelled).collect();
    (!all.is_empty()).then(|| format!("{}: {}", policy.policy, all.join(", ")))
}
