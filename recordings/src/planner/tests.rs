//! A file that is read, edited and changed behind the recording's back, and what the plan makes
//! of it.

use proptest::prelude::*;

use crate::act::{Act, Edit, FileEdit, Replacement, Shown};
use crate::model::{self, Exchange, Recorded};
use crate::plan::{As, InsertResult, Outcome, Step};

/// What happens to the file.
#[derive(Clone, Debug)]
enum Event {
    /// Lines are read: first and count, and how much the tool tells of the length.
    Read(usize, usize, Told),
    /// A line becomes another one, by an edit tool.
    Edit(usize),
    /// A line becomes another one, by a command.
    Command(usize),
    /// A command runs and changes nothing.
    Idle,
}

#[derive(Clone, Copy, Debug)]
enum Told {
    Nothing,
    Total,
    Texts,
}

fn event() -> impl Strategy<Value = Event> {
    let told = prop::sample::select(vec![Told::Nothing, Told::Total, Told::Texts]);
    prop_oneof![
        6 => (0usize..12, 1usize..14, told).prop_map(|(first, count, told)| Event::Read(first, count, told)),
        1 => (0usize..12).prop_map(Event::Edit),
        1 => (0usize..12).prop_map(Event::Command),
        1 => Just(Event::Idle),
    ]
}

/// The file as it really is, and the recording of what was seen of it.
struct World {
    lines: Vec<String>,
    changes: usize,
    recorded: Recorded,
    /// The lines shown by each read, and the file's content then.
    truth: Vec<(Vec<String>, String)>,
}

impl World {
    fn new(length: usize) -> Self {
        let recorded = Recorded {
            contexts: vec!["a".into(), "b".into()],
            ..Recorded::default()
        };
        let lines = (0..length).map(|number| format!("line {number}")).collect();
        Self {
            lines,
            changes: 0,
            recorded,
            truth: Vec::new(),
        }
    }

    fn content(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn happen(&mut self, context: usize, event: &Event) {
        let act = match event {
            Event::Read(first, count, told) => self.read(*first, *count, *told),
            Event::Edit(at) => {
                let (old, new) = self.change(*at);
                let edit = Edit::Replace(vec![Replacement {
                    old,
                    new,
                    all: false,
                }]);
                Act::Edit {
                    text: "edited".into(),
                    files: vec![FileEdit {
                        path: "f".into(),
                        edit,
                    }],
                }
            }
            Event::Command(at) => {
                self.change(*at);
                Act::Unknown("ran".into())
            }
            Event::Idle => Act::Unknown("ran".into()),
        };
        let id = format!("c{}", self.recorded.events.len());
        let (tool, arguments) = ("tool".to_owned(), "{}".to_owned());
        self.recorded.events.push(model::Event::Exchange(Exchange {
            context,
            call: None,
            id,
            tool,
            arguments,
            line: None,
            act,
        }));
    }

    fn read(&mut self, first: usize, count: usize, told: Told) -> Act {
        let first = first % self.lines.len();
        let lines: Vec<String> = self.lines.iter().skip(first).take(count).cloned().collect();
        self.truth.push((lines.clone(), self.content()));
        let texts = u32::try_from(self.lines.len()).unwrap();
        let mut shown = Shown::part("f", u32::try_from(first + 1).unwrap(), lines);
        match told {
            Told::Nothing => {}
            Told::Total => shown.total = Some(texts + 1),
            Told::Texts => shown.texts = Some(texts),
        }
        Act::Read {
            text: "shown".into(),
            files: vec![shown],
        }
    }

    /// A line that is like no other becomes one that is like no other.
    fn change(&mut self, at: usize) -> (String, String) {
        self.changes += 1;
        let length = self.lines.len();
        let line = &mut self.lines[at % length];
        let old = std::mem::replace(line, format!("change {} of it", self.changes));
        (old + "\n", line.clone() + "\n")
    }
}

proptest! {
    #[test]
    fn a_read_shows_what_was_recorded(
        length in 1usize..12,
        events in prop::collection::vec((0usize..2, event()), 1..30),
    ) {
        let mut world = World::new(length);
        for (context, event) in &events {
            world.happen(*context, event);
        }
        let order: Vec<usize> = world.recorded.events.iter()
            .filter_map(|event| match event {
                model::Event::Exchange(one) if matches!(one.act, Act::Read { .. }) => Some(one.context),
                _ => None,
            })
            .collect();
        let session = super::session("s".into(), world.recorded, false, None);
        for (number, context) in session.contexts.iter().enumerate() {
            let mut truth = world.truth.iter().zip(&order).filter(|(_, context)| **context == number);
            let mut tree = String::new();
            let mut written = false;
            for step in &context.steps {
                match step {
                    Step::WriteFile { content, .. } => {
                        tree.clone_from(content);
                        written = true;
                    }
                    Step::InsertResult(insert) => {
                        if let Outcome::Read(read) = &insert.outcome {
                            let ((lines, content), _) = truth.next().unwrap();
                            let first = read.offset.unwrap_or(1) as usize - 1;
                            let limit = read.limit.unwrap_or(2000) as usize;
                            let shown: Vec<&str> = tree.lines().skip(first).take(limit).collect();
                            prop_assert_eq!(&shown, lines);
                            check_claim(insert, &tree, content, written)?;
                            written = false;
                        }
                    }
                    _ => {}
                }
            }
            prop_assert!(truth.next().is_none());
        }
    }
}

/// A content without stand-ins is the file's own; a read that repeats one with stand-ins says so.
fn check_claim(
    insert: &InsertResult,
    tree: &str,
    truth: &str,
    written: bool,
) -> Result<(), TestCaseError> {
    let complete = !tree.contains("[not in the recording");
    if complete {
        prop_assert_eq!(tree, truth);
    }
    prop_assert_eq!(insert.counted == As::ReadAssumed, !complete && !written);
    Ok(())
}
