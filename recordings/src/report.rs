//! The report: what came back, added up by session and in total.

use serde::{Deserialize, Serialize};

use crate::about::{add_measure, add_reason};
use crate::policy_report::{PolicyReport, add_policies, policies};
use crate::share::percent;
use crate::window_report::{WindowReport, add_window};
use crate::{
    About, As, ImportError, Measure, Reason, ReplayedFile, ReplayedResult, ReplayedSession,
    Treatment,
};

/// The report on replayed files. Every count of `total` is the sum over `sessions`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Files that were handed in, broken ones included.
    pub files: u64,
    /// In the order of the files.
    pub sessions: Vec<SessionReport>,
    /// The sessions' sum.
    pub total: Counts,
    /// The sessions' requests under each policy, added up.
    pub policies: Vec<PolicyReport>,
    /// What came of the window, added up; none without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowReport>,
    /// Files that hold nothing to replay.
    pub failed_files: Vec<FailedFile>,
}

/// One session's line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionReport {
    /// The file's name.
    pub file: String,
    /// The recognised format.
    pub format: String,
    /// The session's name.
    pub name: String,
    /// What came of it.
    pub counts: Counts,
    /// Its requests under each policy.
    pub policies: Vec<PolicyReport>,
    /// What came of the window; none without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowReport>,
}

/// A file without a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedFile {
    /// The file's name.
    pub file: String,
    /// Why.
    pub error: ImportError,
}

/// What came of a session, or of all of them. `results` is the sum of `full`, `capped`,
/// `unchanged`, `same_search` and `failed`; a result with an error is in `errors` alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Contexts: a compaction begins a new one, a subagent has its own.
    pub contexts: u64,
    /// Results that were inserted.
    pub results: u64,
    /// Those that are reads of a file, whatever became of them.
    pub reads: u64,
    /// Results that no measure touched.
    pub full: u64,
    /// Unchanged re-reads turned into stubs (§2).
    pub unchanged: u64,
    /// Those of `unchanged` that rest on lines which the recording does not show.
    pub assumed: u64,
    /// Repeated searches turned into stubs (§6).
    pub same_search: u64,
    /// Results cut to head and tail (§3).
    pub capped: u64,
    /// Calls that failed or were refused.
    pub failed: u64,
    /// Characters the model would have been shown without the rules.
    pub chars_in: u64,
    /// Characters the model is shown.
    pub chars_out: u64,
    /// The share of `chars_in` that is saved, in percent with one decimal; negative where the
    /// brackets cost more than the measures save.
    pub saved_percent: String,
    /// Plain shell reads in the recording.
    pub shell_reads: u64,
    /// Those that repeat lines of an unchanged file.
    pub shell_rereads: u64,
    /// What the recording harness had done itself; not counted as a saving.
    pub harness_measures: Vec<Measure>,
    /// What was replayed only as recorded text or not at all, and why.
    pub not_replayed: Vec<Reason>,
    /// What the recordings do not hold of their requests.
    pub lacks: Vec<Lack>,
    /// Results, messages and requests that the session refused.
    pub errors: u64,
}

/// A part of a request that recordings do not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lack {
    /// The part, in a few words.
    pub part: String,
    /// How many sessions lack it.
    pub sessions: u64,
}

/// Adds up what hosts hand back. The same input gives the same report.
pub fn report(replayed: &[ReplayedFile]) -> Report {
    let mut report = Report {
        files: replayed.len() as u64,
        sessions: Vec::new(),
        total: Counts::default(),
        policies: Vec::new(),
        window: None,
        failed_files: Vec::new(),
    };
    for file in replayed {
        if let Some(error) = &file.error {
            report.failed_files.push(FailedFile {
                file: file.file.clone(),
                error: error.clone(),
            });
        }
        for session in &file.sessions {
            let counts = Counts::of(session);
            report.total.add(&counts);
            let policies = policies(session);
            add_policies(&mut report.policies, &policies);
            let window = WindowReport::of(session);
            add_window(&mut report.window, window.as_ref());
            report.sessions.push(SessionReport {
                file: file.file.clone(),
                format: file.format.clone().unwrap_or_default(),
                name: session.name.clone(),
                counts,
                policies,
                window,
            });
        }
    }
    report.total.finish();
    report
}

impl Counts {
    fn of(session: &ReplayedSession) -> Self {
        let mut counts = Self {
            contexts: session.contexts.len() as u64,
            ..Self::default()
        };
        for result in session.contexts.iter().flat_map(|context| &context.results) {
            counts.count(result);
        }
        let prompts = session.contexts.iter().map(|context| context.prompt.errors);
        counts.errors = counts.errors.saturating_add(prompts.sum());
        counts.account(&session.about);
        counts.finish();
        counts
    }

    fn count(&mut self, result: &ReplayedResult) {
        let Some(treatment) = result.treatment.filter(|_| result.error.is_none()) else {
            self.errors += 1;
            return;
        };
        self.results += 1;
        self.reads += u64::from(matches!(result.counted, As::Read | As::ReadAssumed));
        self.chars_in = self.chars_in.saturating_add(result.chars_in);
        self.chars_out = self.chars_out.saturating_add(result.chars_out);
        match treatment {
            Treatment::Full => self.full += 1,
            Treatment::Capped => self.capped += 1,
            Treatment::SameResult => self.same_search += 1,
            Treatment::Failed => self.failed += 1,
            Treatment::UnchangedRead => {
                self.unchanged += 1;
                self.assumed += u64::from(result.counted == As::ReadAssumed);
            }
        }
    }

    fn account(&mut self, about: &About) {
        self.shell_reads = about.shell_reads;
        self.shell_rereads = about.shell_rereads;
        self.harness_measures.clone_from(&about.harness_measures);
        for reason in about.not_replayed.iter().chain(&about.skipped) {
            add_reason(
                &mut self.not_replayed,
                &reason.reason,
                reason.count,
                reason.first_line,
            );
        }
        for part in &about.lacks {
            add_lack(&mut self.lacks, part, 1);
        }
    }

    fn add(&mut self, other: &Self) {
        self.contexts += other.contexts;
        self.results += other.results;
        self.reads += other.reads;
        self.full += other.full;
        self.unchanged += other.unchanged;
        self.assumed += other.assumed;
        self.same_search += other.same_search;
        self.capped += other.capped;
        self.failed += other.failed;
        self.chars_in = self.chars_in.saturating_add(other.chars_in);
        self.chars_out = self.chars_out.saturating_add(other.chars_out);
        self.shell_reads = self.shell_reads.saturating_add(other.shell_reads);
        self.shell_rereads = self.shell_rereads.saturating_add(other.shell_rereads);
        self.errors += other.errors;
        for measure in &other.harness_measures {
            add_measure(&mut self.harness_measures, &measure.measure, measure.count);
        }
        for reason in &other.not_replayed {
            // A line of one file means nothing in a sum.
            add_reason(&mut self.not_replayed, &reason.reason, reason.count, None);
        }
        for lack in &other.lacks {
            add_lack(&mut self.lacks, &lack.part, lack.sessions);
        }
    }

    fn finish(&mut self) {
        let saved = i128::from(self.chars_in) - i128::from(self.chars_out);
        self.saved_percent = percent(saved, self.chars_in);
    }
}

/// In the order in which parts were first met.
fn add_lack(list: &mut Vec<Lack>, part: &str, sessions: u64) {
    match list.iter_mut().find(|lack| lack.part == part) {
        Some(lack) => lack.sessions += sessions,
        None => list.push(Lack {
            part: part.to_owned(),
            sessions,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReplayedContext, ReplayedPrompt};

    fn result(counted: As, treatment: Treatment) -> ReplayedResult {
        ReplayedResult {
            counted,
            treatment: Some(treatment),
            chars_in: 100,
            chars_out: 40,
            error: None,
        }
    }

    fn session(name: &str) -> ReplayedSession {
        let results = vec![
            result(As::Read, Treatment::Full),
            result(As::ReadAssumed, Treatment::UnchangedRead),
            result(As::Read, Treatment::UnchangedRead),
            result(As::Search, Treatment::SameResult),
            result(As::Output, Treatment::Capped),
            result(As::Failure, Treatment::Failed),
            ReplayedResult {
                error: Some("full".into()),
                treatment: None,
                ..result(As::Output, Treatment::Full)
            },
        ];
        let mut about = About {
            shell_reads: 3,
            shell_rereads: 1,
            ..About::default()
        };
        about.measure("output cut");
        about.as_text("edit without the file's content", Some(4));
        about.skip("broken line", Some(9));
        about.lacks = vec!["the system prompt".into()];
        ReplayedSession {
            name: name.into(),
            about,
            policies: Vec::new(),
            window: None,
            contexts: vec![ReplayedContext {
                name: "main".into(),
                results,
                prompt: ReplayedPrompt {
                    errors: 1,
                    ..ReplayedPrompt::default()
                },
            }],
        }
    }

    #[test]
    fn sums_add_up() {
        let file = |name: &str, sessions, error| ReplayedFile {
            file: name.into(),
            format: Some("claude-code".into()),
            sessions,
            error,
        };
        let report = report(&[
            file("a.jsonl", vec![session("a-1"), session("a-2")], None),
            file("b.jsonl", vec![], Some(ImportError::at(3, "no"))),
        ]);
        let total = &report.total;
        assert_eq!(report.files, 2);
        assert_eq!(report.sessions.len(), 2);
        assert_eq!(
            (total.contexts, total.results, total.reads, total.errors),
            (2, 12, 6, 4)
        );
        assert_eq!(
            (total.unchanged, total.assumed, total.same_search),
            (4, 2, 2)
        );
        assert_eq!(
            total.full + total.unchanged + total.same_search + total.capped + total.failed,
            total.results
        );
        assert_eq!((total.chars_in, total.chars_out), (1200, 480));
        assert_eq!(total.saved_percent, "60.0");
        assert_eq!(
            total.harness_measures,
            [Measure {
                measure: "output cut".into(),
                count: 2
            }]
        );
        assert_eq!(total.not_replayed.len(), 2);
        assert!(
            total
                .not_replayed
                .iter()
                .all(|r| r.count == 2 && r.first_line.is_none())
        );
        let lack = Lack {
            part: "the system prompt".into(),
            sessions: 2,
        };
        assert_eq!(total.lacks, [lack]);
        assert_eq!(report.failed_files.len(), 1);
    }
}
