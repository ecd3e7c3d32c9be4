//! Recorded agent sessions put through the rules: what that would have saved, and what their requests
//! would have cost under the policies that people use.
//!
//! `docs/replay.md` describes the parts. The formats that are known, and the report, are those of the
//! crate `waybread-recordings`, whose types are repeated here.

mod context;
mod conversation;
mod files;
mod names;
mod request;
mod sessions;
mod shown;

use std::io;
use std::path::{Path, PathBuf};

pub use sessions::SESSIONS_FILE;
pub use waybread_recordings::{
    Counts, FailedFile, ImportError, Lack, Measure, PolicyReport, Reason, Report, SessionReport,
    Window, WindowCounts, WindowReport, summary,
};
use waybread_recordings::{Options as PlanOptions, Plan, ReplayedFile, ReplayedSession, Session};

use files::Recording;
use sessions::Sessions;
use shown::Shown;

use crate::MemoryStorage;

/// How recordings are replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Put plain shell reads (`cat F`, `sed -n 'A,Bp' F`, …) through the rules as reads, as a
    /// harness with a read tool would have. Off: they are command output.
    pub shell_reads: bool,
    /// A folder, made if it is not there, in which what the model would have been shown is written:
    /// a file a session, a line a result.
    pub out: Option<PathBuf>,
    /// A folder, made if it is not there, in which the sessions are kept (`docs/context.md`). Their keys
    /// are the recordings' names.
    pub sessions: Option<PathBuf>,
    /// Hold the sessions to a window of this many tokens, 4,000 to 10,000,000: they are compacted where
    /// the rules say so. None: they have no window.
    pub window: Option<u32>,
    /// With a window, the preset: `context-hygiene` (none) or `steiner`.
    pub preset: Option<String>,
    /// With a window, how many tokens a summary has that stands in for a model's, 1 to 3,072 (none:
    /// 800).
    pub summary_tokens: Option<u32>,
}

impl Options {
    /// The same with shell reads as reads, or as command output.
    #[must_use]
    pub fn shell_reads(mut self, shell_reads: bool) -> Self {
        self.shell_reads = shell_reads;
        self
    }

    /// The same with a folder to write to.
    #[must_use]
    pub fn out(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out = Some(folder.into());
        self
    }

    /// The same with a folder to keep the sessions in. It must hold none.
    #[must_use]
    pub fn sessions(mut self, folder: impl Into<PathBuf>) -> Self {
        self.sessions = Some(folder.into());
        self
    }

    /// The same with a window of so many tokens.
    #[must_use]
    pub fn window(mut self, tokens: u32) -> Self {
        self.window = Some(tokens);
        self
    }

    /// The same with a preset, which needs a window.
    #[must_use]
    pub fn preset(mut self, preset: impl Into<String>) -> Self {
        self.preset = Some(preset.into());
        self
    }

    /// The same with the length of a summary that stands in for a model's, which needs a window.
    #[must_use]
    pub fn summary_tokens(mut self, tokens: u32) -> Self {
        self.summary_tokens = Some(tokens);
        self
    }
}

/// How far a replay is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The file under way.
    pub file: &'a str,
    /// Files that are done.
    pub files_done: usize,
    /// Files in all.
    pub files: usize,
    /// Steps of the file that are done; 0 while it is read.
    pub steps_done: usize,
    /// Steps of the file; 0 while it is read.
    pub steps: usize,
}

/// Puts recordings through the rules.
///
/// A path may be a file, in any format that is known, or a folder, which is searched with all its
/// folders, in the order of their names, for `.json`, `.jsonl`, `.ndjson` and `.traj` files. A file
/// that can't be read or replayed is in the report, and the rest goes on. `progress` is called before
/// each step.
///
/// # Errors
///
/// What was shown could not be written to [`Options::out`], or the sessions to [`Options::sessions`].
///
/// ```no_run
/// use waybread::replay::{Options, replay};
///
/// let report = replay(&["sessions"], &Options::default(), &mut |_| {})?;
/// println!("{} % saved", report.total.saved_percent);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replay(
    paths: &[impl AsRef<Path>],
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> io::Result<Report> {
    let recordings = files::find(paths);
    let mut run = Run {
        options: PlanOptions {
            shell_reads: options.shell_reads,
            window: options.window,
            preset: options.preset.clone(),
            summary_tokens: options.summary_tokens,
        },
        shown: options.out.as_deref().map(Shown::new).transpose()?,
        kept: options.sessions.as_deref().map(Sessions::new).transpose()?,
        files: recordings.len(),
        progress,
    };
    let replayed = recordings.iter().enumerate();
    let replayed = replayed.map(|(done, recording)| run.file(done, recording));
    let replayed: Vec<ReplayedFile> = replayed.collect::<io::Result<_>>()?;
    Ok(waybread_recordings::report(&replayed))
}

struct Run<'a> {
    options: PlanOptions,
    shown: Option<Shown>,
    kept: Option<Sessions>,
    files: usize,
    progress: &'a mut dyn FnMut(Progress<'_>),
}

impl Run<'_> {
    fn file(&mut self, files_done: usize, recording: &Recording) -> io::Result<ReplayedFile> {
        let mut progress = Progress {
            file: &recording.name,
            files_done,
            files: self.files,
            steps_done: 0,
            steps: 0,
        };
        (self.progress)(progress.clone());
        let plan = match self.plan(recording) {
            Ok(plan) => plan,
            Err(error) => return Ok(failed(recording, error)),
        };
        progress.steps = steps(&plan);
        let sessions = plan.sessions.into_iter();
        let sessions = sessions.map(|session| self.session(session, &mut progress));
        Ok(ReplayedFile {
            file: recording.name.clone(),
            format: Some(plan.format),
            sessions: sessions.collect::<io::Result<_>>()?,
            error: None,
        })
    }

    fn plan(&self, recording: &Recording) -> Result<Plan, ImportError> {
        let content = recording.content()?;
        waybread_recordings::plan(&recording.name, &content, &self.options)
    }

    fn session(
        &mut self,
        session: Session,
        progress: &mut Progress<'_>,
    ) -> io::Result<ReplayedSession> {
        let mut lines = String::new();
        let mut contexts = Vec::new();
        let mut stored = Vec::new();
        for context in session.contexts {
            let storage = MemoryStorage::new();
            if self.kept.is_some() {
                stored.push((context.name.clone(), storage.clone()));
            }
            contexts.push(context::perform(context, storage, &mut lines, &mut || {
                (self.progress)(progress.clone());
                progress.steps_done += 1;
            }));
        }
        if let Some(kept) = &mut self.kept {
            kept.keep(&session.name, &stored)?;
        }
        if let Some(shown) = &mut self.shown {
            shown.write(&session.name, &lines)?;
        }
        Ok(ReplayedSession {
            name: session.name,
            about: session.about,
            policies: session.policies,
            window: session.window,
            contexts,
        })
    }
}

fn steps(plan: &Plan) -> usize {
    let contexts = plan.sessions.iter().flat_map(|session| &session.contexts);
    contexts.map(|context| context.steps.len()).sum()
}

fn failed(recording: &Recording, error: ImportError) -> ReplayedFile {
    ReplayedFile {
        file: recording.name.clone(),
        format: None,
        sessions: Vec::new(),
        error: Some(error),
    }
}
