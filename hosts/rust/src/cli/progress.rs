//! A bar on standard error, for work that takes long.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use waybread::replay::Progress;

/// A bar appears once the work has taken this long.
const LONG: Duration = Duration::from_millis(700);
/// Positions of the bar for each file.
const FILE: u64 = 1000;

/// Shows progress on a terminal; nothing is left of it afterwards.
pub struct Bar {
    wanted: bool,
    began: Instant,
    bar: Option<ProgressBar>,
}

impl Bar {
    pub fn new(quiet: bool) -> Self {
        let wanted = !quiet && io::stderr().is_terminal();
        Self {
            wanted,
            began: Instant::now(),
            bar: None,
        }
    }

    pub fn show(&mut self, progress: &Progress<'_>) {
        if self.bar.is_none() && (!self.wanted || self.began.elapsed() < LONG) {
            return;
        }
        let bar = self
            .bar
            .get_or_insert_with(|| begin(progress.files as u64 * FILE));
        if bar.message() != progress.file {
            bar.set_message(progress.file.to_owned());
        }
        let within = progress.steps_done as u64 * FILE / (progress.steps as u64).max(1);
        bar.set_position(progress.files_done as u64 * FILE + within);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn begin(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
