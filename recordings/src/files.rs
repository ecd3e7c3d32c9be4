//! What is known of the files of a session, state by state.
//!
//! A path's life is cut into *states*: a new one begins at an edit, at the first read after a
//! command that may have written, and wherever a read contradicts what is known. All lines that
//! are seen of a state make up its content.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::act::Shown;
use crate::path::Base;

/// A state of a file: an index into [`Files`].
pub(crate) type StateId = usize;

/// The longest file that is put together, in lines. Line numbers past it are no file's that a
/// model reads, and a content would have to be filled up to them.
pub(crate) const LONGEST_FILE: u32 = 200_000;

/// What is known of every file.
#[derive(Debug)]
pub(crate) struct Files {
    base: Base,
    states: Vec<State>,
    /// The current state of each path, by its absolute path.
    current: HashMap<String, StateId>,
    /// How many states each path has had.
    counts: HashMap<String, u32>,
    /// Commands that may have written, so far.
    writes: u64,
}

/// One state of one file.
#[derive(Debug)]
struct State {
    path: String,
    /// From 1, counted by path.
    number: u32,
    lines: BTreeMap<u32, String>,
    /// The length in lines, if it is known.
    total: Option<u32>,
    /// The count of writes when this state was last certain.
    writes: u64,
}

/// A state's content, put together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) text: String,
    /// No line of it had to be made up.
    pub(crate) complete: bool,
}

impl Files {
    pub(crate) fn new(base: Base) -> Self {
        Self {
            base,
            states: Vec::new(),
            current: HashMap::new(),
            counts: HashMap::new(),
            writes: 0,
        }
    }

    pub(crate) fn base(&self) -> &Base {
        &self.base
    }

    /// A command ran that may have changed any file.
    pub(crate) fn may_have_changed(&mut self) {
        self.writes += 1;
    }

    /// This file changed, and nothing is known of it any more.
    pub(crate) fn forget(&mut self, path: &str) {
        let path = self.base.resolve(path);
        self.current.remove(&path);
    }

    /// Lines were shown: the state that they belong to. None where their numbers are too high.
    pub(crate) fn see(&mut self, shown: &Shown) -> Option<StateId> {
        if shown.path.is_empty()
            || shown.lines.is_empty()
            || shown.start == 0
            || shown.end().max(shown.total.or(shown.texts).unwrap_or(0)) > LONGEST_FILE
        {
            return None;
        }
        let path = self.base.resolve(&shown.path);
        let shown = &*self.settled(&path, shown);
        let known = self.fresh(&path).filter(|id| self.agrees(*id, shown));
        let id = match known {
            Some(id) => id,
            None => self.begin(path),
        };
        self.states.get_mut(id)?.add(shown);
        Some(id)
    }

    /// Where a read does not tell whether the last line ends in a break, what is known of the file
    /// decides, and else it does: nearly every file ends so.
    fn settled<'a>(&self, path: &str, shown: &'a Shown) -> Cow<'a, Shown> {
        let Some(texts) = shown.texts else {
            return Cow::Borrowed(shown);
        };
        let known = self.fresh(path).and_then(|id| self.states.get(id)?.total);
        let mut settled = shown.clone();
        settled.total = Some(if known == Some(texts) {
            texts
        } else {
            texts.saturating_add(1)
        });
        if settled.total != Some(texts) && shown.end() == texts {
            settled.lines.push(String::new());
        }
        Cow::Owned(settled)
    }

    /// The file has this content now, whatever it was before.
    pub(crate) fn becomes(&mut self, path: &str, content: &str) -> Option<StateId> {
        self.forget(path);
        self.see(&Shown::whole(path, content))
    }

    /// The whole content that the file has now, if it is known.
    pub(crate) fn content(&self, path: &str) -> Option<String> {
        let state = self.states.get(self.fresh(&self.base.resolve(path))?)?;
        state.is_complete().then(|| state.text())
    }

    /// The state that the file is in now, unless it may have changed since it was last seen.
    pub(crate) fn current(&self, path: &str) -> Option<StateId> {
        self.fresh(&self.base.resolve(path))
    }

    /// The absolute path of a state's file.
    pub(crate) fn path_of(&self, id: StateId) -> Option<&str> {
        Some(&self.states.get(id)?.path)
    }

    /// A state's content, as all of its reads together show it.
    pub(crate) fn content_of(&self, id: StateId) -> Option<Content> {
        let state = self.states.get(id)?;
        Some(Content {
            text: state.text(),
            complete: state.is_complete(),
        })
    }

    /// The current state, unless something may have been written since.
    fn fresh(&self, path: &str) -> Option<StateId> {
        let id = *self.current.get(path)?;
        (self.states.get(id)?.writes == self.writes).then_some(id)
    }

    fn agrees(&self, id: StateId, shown: &Shown) -> bool {
        self.states.get(id).is_some_and(|state| state.agrees(shown))
    }

    fn begin(&mut self, path: String) -> StateId {
        let count = self.counts.entry(path.clone()).or_default();
        *count += 1;
        let id = self.states.len();
        self.states.push(State {
            path: path.clone(),
            number: *count,
            lines: BTreeMap::new(),
            total: None,
            writes: self.writes,
        });
        self.current.insert(path, id);
        id
    }
}

impl State {
    fn agrees(&self, shown: &Shown) -> bool {
        let totals = match (self.total, shown.total) {
            (Some(known), Some(told)) => known == told,
            (Some(known), None) => shown.end() <= known,
            (None, Some(told)) => self
                .lines
                .last_key_value()
                .is_none_or(|(last, _)| *last <= told),
            (None, None) => true,
        };
        totals
            && self
                .lines
                .range(shown.start..=shown.end().max(shown.start))
                .all(|(number, line)| shown.line(*number).is_none_or(|told| told == line))
    }

    fn add(&mut self, shown: &Shown) {
        self.total = self.total.or(shown.total);
        for (number, line) in (shown.start..).zip(&shown.lines) {
            self.lines.entry(number).or_insert_with(|| line.clone());
        }
    }

    fn is_complete(&self) -> bool {
        self.total
            .is_some_and(|total| self.lines.len() as u64 == u64::from(total))
    }

    /// The lines that are known, and a line in place of each that no read showed. The stand-in
    /// names the state, so that no two states of a file are equal by what is unknown of them.
    fn text(&self) -> String {
        let stand_in = format!("[not in the recording: state {} of this file]", self.number);
        let last = self.lines.last_key_value().map_or(0, |(last, _)| *last);
        // A length that is not known is one line more: the file may go on.
        let total = self.total.unwrap_or(last.saturating_add(1));
        let lines = (1..=total).map(|number| self.lines.get(&number).unwrap_or(&stand_in).as_str());
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Shown {
    fn line(&self, number: u32) -> Option<&String> {
        self.lines
            .get(usize::try_from(number.checked_sub(self.start)?).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        Files::new(Base::new(Some("/w")))
    }

    fn shown(start: u32, lines: &[&str], total: Option<u32>) -> Shown {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        Shown {
            total,
            ..Shown::part("a", start, lines)
        }
    }

    fn contents(files: &Files) -> Vec<(String, bool)> {
        let all = (0..files.states.len()).filter_map(|id| files.content_of(id));
        all.map(|content| (content.text, content.complete))
            .collect()
    }

    #[test]
    fn reads_that_agree_make_one_content() {
        let mut files = files();
        let first = files.see(&shown(1, &["x", "y"], None));
        assert_eq!(files.see(&shown(2, &["y", "z", ""], Some(4))), first);
        assert_eq!(files.content("./a").as_deref(), Some("x\ny\nz\n"));
        assert_eq!(contents(&files), [("x\ny\nz\n".to_owned(), true)]);
    }

    #[test]
    fn a_contradiction_begins_a_new_state() {
        for other in [
            shown(2, &["other"], None),
            shown(5, &["z"], None),
            shown(1, &["x"], Some(3)),
        ] {
            let mut files = files();
            let first = files.see(&shown(1, &["x", "y"], Some(4)));
            assert_ne!(files.see(&other), first, "{other:?}");
        }
    }

    #[test]
    fn unseen_lines_name_the_state() {
        let mut files = files();
        files.see(&shown(2, &["y"], Some(3)));
        files.may_have_changed();
        assert_eq!(files.content("a"), None);
        files.see(&shown(2, &["y"], None));
        let filler = |n| format!("[not in the recording: state {n} of this file]");
        let (one, two) = (filler(1), filler(2));
        assert_eq!(
            contents(&files),
            [
                (format!("{one}\ny\n{one}"), false),
                (format!("{two}\ny\n{two}"), false)
            ]
        );
    }

    #[test]
    fn the_same_whole_content_is_equal_after_a_write() {
        let mut files = files();
        let first = files.see(&Shown::whole("a", "x\n"));
        files.may_have_changed();
        let second = files.see(&Shown::whole("a", "x\n"));
        assert_ne!(first, second);
        let contents = contents(&files);
        assert_eq!(contents[0], contents[1]);
    }

    #[test]
    fn a_final_break_that_is_not_told_is_as_known() {
        let loose = |texts| Shown {
            texts: Some(texts),
            ..shown(1, &["x", "y"], None)
        };
        let mut fresh = files();
        fresh.see(&loose(2));
        assert_eq!(fresh.content("a").as_deref(), Some("x\ny\n"));
        let mut without = files();
        let first = without.becomes("a", "x\ny");
        assert_eq!(without.see(&loose(2)), first);
        let mut longer = files();
        longer.see(&loose(3));
        longer.see(&shown(3, &["z", ""], Some(4)));
        assert_eq!(longer.content("a").as_deref(), Some("x\ny\nz\n"));
    }

    #[test]
    fn an_edit_replaces_what_is_known() {
        let mut files = files();
        files.see(&Shown::whole("a", "x\n"));
        files.becomes("/w/a", "y\n");
        assert_eq!(files.content("a").as_deref(), Some("y\n"));
        files.forget("a");
        assert_eq!(files.content("a"), None);
    }

    #[test]
    fn numbers_past_the_longest_file_are_refused() {
        assert_eq!(files().see(&shown(u32::MAX, &["x", "y"], None)), None);
        assert_eq!(files().see(&shown(1, &["x"], Some(LONGEST_FILE + 1))), None);
        assert_eq!(files().see(&shown(0, &["x"], None)), None);
    }
}
