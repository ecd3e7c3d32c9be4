//! What holds whatever a session goes through.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod support;

use proptest::prelude::*;
use waybread_guest::{
    ChangeSet, CharWindow, Content, Error, FileChange, Inserted, LineWindow, Outcome, ReadRequest,
    Session, StorageError, ToolCall, Treatment,
};

use support::{Files, Memory, hashed, open};

/// Small limits, so that random texts meet them.
const OVERRIDES: &str = r#"{"context": {
    "cap": {"max_lines": 12, "max_chars": 60, "head_lines": 4, "head_chars": 20, "tail_lines": 3, "tail_chars": 15,
        "elided_characters": "", "elided_both": ""},
    "reads": {"window": 6}, "recall": {"window": 4}
}}"#;

#[derive(Clone, Debug)]
enum Step {
    Read {
        file: usize,
        window: LineWindow,
        force: bool,
    },
    Output {
        tool: &'static str,
        arguments: &'static str,
        text: String,
    },
    Failure(String),
    Change {
        file: usize,
        text: String,
    },
    Recall {
        id: u32,
        window: LineWindow,
    },
    WriteFile {
        file: usize,
        text: String,
    },
    Reopen,
    FailingStorage,
}

const PATHS: [&str; 3] = ["a.ts", "src/b.ts", "/work/app/c.md"];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-c]{0,6}",
        Just("日本語".to_owned()),
        Just("e\u{301}🙂".to_owned()),
        Just("\r".to_owned()),
        Just("\0".to_owned())
    ];
    (prop::collection::vec(piece, 0..20), any::<bool>()).prop_map(|(lines, ended)| {
        let text = lines.join("\n");
        if ended { text + "\n" } else { text }
    })
}

fn window() -> impl Strategy<Value = LineWindow> {
    (prop::option::of(0..8_u32), prop::option::of(0..9_u32))
        .prop_map(|(offset, limit)| LineWindow { offset, limit })
}

fn step() -> impl Strategy<Value = Step> {
    let tool = prop::sample::select(vec!["grep", "list", "bash"]);
    let arguments = prop::sample::select(vec![r#"{"a":1,"b":2}"#, r#"{"b": 2, "a": 1}"#, "{not"]);
    prop_oneof![
        4 => (0..3_usize, window(), prop::bool::weighted(0.1)).prop_map(|(file, window, force)| Step::Read { file, window, force }),
        3 => (tool, arguments, prop_oneof![Just("same\n".to_owned()), text()])
            .prop_map(|(tool, arguments, text)| Step::Output { tool, arguments, text }),
        1 => text().prop_map(Step::Failure),
        2 => (0..3_usize, text()).prop_map(|(file, text)| Step::Change { file, text }),
        2 => (0..12_u32, window()).prop_map(|(id, window)| Step::Recall { id, window }),
        1 => (0..3_usize, text()).prop_map(|(file, text)| Step::WriteFile { file, text }),
        1 => Just(Step::Reopen),
        1 => Just(Step::FailingStorage),
    ]
}

/// A session on its way, and everything it answered.
struct Run {
    memory: Memory,
    files: Files,
    session: Session<Memory, Files>,
    calls: u32,
    inserted: Vec<Inserted>,
}

impl Run {
    fn new() -> Self {
        let (memory, files) = (Memory::default(), Files::default());
        for path in PATHS {
            files.write(&absolute(path), "1\n2\n3\n4\n5\n6\n7\n8\n");
        }
        let session = open(OVERRIDES, &memory, &files);
        Self {
            memory,
            files,
            session,
            calls: 0,
            inserted: Vec::new(),
        }
    }

    fn reopen(&mut self) {
        self.session = open(OVERRIDES, &self.memory, &self.files);
    }

    fn call(&mut self, name: &str, arguments: &str) -> ToolCall {
        self.calls += 1;
        ToolCall {
            id: format!("call-{}", self.calls),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        }
    }

    fn perform(&mut self, step: Step) -> Result<(), Error> {
        let inserted = match step {
            Step::Read {
                file,
                window,
                force,
            } => {
                let call = self.call("read", "{}");
                let request = ReadRequest {
                    path: PATHS[file].to_owned(),
                    window,
                    force,
                };
                self.session.insert_result(&call, Outcome::Read(request))
            }
            Step::Output {
                tool,
                arguments,
                text,
            } => {
                let call = self.call(tool, arguments);
                self.session.insert_result(&call, Outcome::Output(text))
            }
            Step::Failure(text) => {
                let call = self.call("bash", "{}");
                self.session.insert_result(&call, Outcome::Failure(text))
            }
            Step::Change { file, text } => self.change(PATHS[file], &text),
            Step::Recall { id, window } => {
                let call = self.call("recall", "{}");
                let characters = CharWindow::default();
                self.session
                    .recall(&call, &format!("#{id:04x}"), window, characters)
            }
            Step::WriteFile { file, text } => {
                self.files.write(&absolute(PATHS[file]), &text);
                return Ok(());
            }
            Step::Reopen => {
                self.reopen();
                return Ok(());
            }
            Step::FailingStorage => {
                self.memory.0.borrow_mut().failure = Some(StorageError::Full);
                return Ok(());
            }
        };
        self.inserted.push(inserted?);
        Ok(())
    }

    fn change(&mut self, path: &str, text: &str) -> Result<Inserted, Error> {
        let before = self.files.0.borrow().get(&absolute(path)).cloned();
        let call = self.call("write", "{}");
        let change = FileChange {
            path: path.to_owned(),
            before: before.map(Content::Text),
            after: Some(hashed(text)),
        };
        self.files.write(&absolute(path), text);
        let set = ChangeSet {
            files: vec![change],
            note: None,
        };
        self.session.insert_result(&call, Outcome::Changes(set))
    }

    fn stored(&mut self, id: &str) -> String {
        self.session.stored_text(id).unwrap()
    }
}

fn absolute(path: &str) -> String {
    if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/work/app/{path}")
    }
}

fn run(steps: Vec<Step>) -> Run {
    let mut run = Run::new();
    for step in steps {
        match run.perform(step) {
            Ok(())
            | Err(Error::Storage {
                error: StorageError::Full,
                ..
            }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    run.memory.0.borrow_mut().failure = None;
    run
}

proptest! {
    /// §1: ids count up from 1 without a gap, also over a reopen and a failed call.
    #[test]
    fn ids_never_repeat(steps in prop::collection::vec(step(), 0..40)) {
        let run = run(steps);
        for (inserted, number) in run.inserted.iter().zip(1..) {
            prop_assert_eq!(&inserted.id, &format!("#{number:04x}"));
            let bracket = format!("[{}", inserted.id);
            prop_assert!(inserted.text.starts_with(&bracket));
        }
    }

    /// §2, §6: a stub names an earlier full result that shows what the stub stands for.
    #[test]
    fn a_stub_never_lies(steps in prop::collection::vec(step(), 0..60)) {
        let mut run = run(steps);
        for stub in run.inserted.clone() {
            let Some(earlier) = stub.refers_to.clone() else { continue };
            let target = run.inserted.iter().find(|other| other.id == earlier).unwrap();
            prop_assert!(target.id < stub.id);
            prop_assert!(matches!(target.treatment, Treatment::Full | Treatment::Capped));
            let (shown, spared) = (run.stored(&earlier), run.stored(&stub.id));
            match stub.treatment {
                Treatment::UnchangedRead => {
                    let (shown, spared) = (format!("\n{shown}\n"), format!("\n{spared}\n"));
                    prop_assert!(shown.contains(&spared), "{:?} in {:?}", spared, shown);
                }
                _ => prop_assert_eq!(shown, spared),
            }
        }
    }

    /// §4: recall, window after window, gives every stored text back in full.
    #[test]
    fn recall_gives_every_text_in_full(steps in prop::collection::vec(step(), 0..25)) {
        let mut run = run(steps);
        for result in run.inserted.clone() {
            let stored = run.stored(&result.id).replace('\0', "␀");
            let mut recalled = Vec::new();
            for offset in (1..).step_by(4) {
                let call = run.call("recall", "{}");
                let window = LineWindow { offset: Some(offset), limit: None };
                let answer = run.session.recall(&call, &result.id, window, CharWindow::default()).unwrap();
                if answer.treatment == Treatment::Failed || answer.text.ends_with(" empty]") {
                    break;
                }
                recalled.push(answer.text.split_once('\n').unwrap().1.to_owned());
            }
            let whole = recalled.join("\n");
            prop_assert!(stored == whole || stored == format!("{whole}\n"), "{stored:?} {whole:?}");
        }
    }

    /// §3: nothing is shown beyond the limits, and what is shown is the text's own.
    #[test]
    fn the_cap_keeps_its_limits(text in text()) {
        let mut run = Run::new();
        let call = run.call("bash", "{}");
        let inserted = run.session.insert_result(&call, Outcome::Output(text.clone())).unwrap();
        let shown = inserted.text.split_once('\n').unwrap().1;
        let text = text.replace('\0', "␀");
        let lines = text.strip_suffix('\n').unwrap_or(&text).split('\n').count();
        if inserted.treatment == Treatment::Full {
            prop_assert_eq!(shown, text.as_str());
            prop_assert!(lines <= 12 && text.chars().count() <= 60);
            return Ok(());
        }
        prop_assert!(lines > 12 || text.chars().count() > 60);
        let (head, rest) = shown.split_once("\n[").unwrap();
        let (count, tail) = rest.split_once(" lines elided, full output #0001]").unwrap();
        let (head, cut) = match head.strip_suffix(" […cut]") {
            Some(head) => (head, true),
            None => (head, false),
        };
        let tail = tail.strip_prefix('\n');
        prop_assert!(head.chars().count() <= 20 && head.split('\n').count() <= 4);
        prop_assert!(text.starts_with(head));
        prop_assert!(!cut || (head.chars().count() == 20 && !head.contains('\n')));
        if let Some(tail) = tail {
            prop_assert!(tail.chars().count() <= 15 && tail.split('\n').count() <= 3);
            prop_assert!(text.strip_suffix('\n').unwrap_or(&text).ends_with(tail));
        }
        let shown_lines = head.split('\n').count() + tail.map_or(0, |tail| tail.split('\n').count());
        prop_assert_eq!(count.parse::<usize>().unwrap() + shown_lines, lines);
    }

    /// State is a fold over the log: a session reopened after any step answers as the one that
    /// went on.
    #[test]
    fn replaying_the_log_gives_the_same_state(steps in prop::collection::vec(step(), 0..40)) {
        let steps: Vec<Step> = steps.into_iter().filter(|step| !matches!(step, Step::FailingStorage)).collect();
        let kept = run(steps.iter().filter(|step| !matches!(step, Step::Reopen)).cloned().collect());
        let reopened = run(steps.into_iter().flat_map(|step| [step, Step::Reopen]).collect());
        prop_assert_eq!(kept.inserted, reopened.inserted);
        prop_assert_eq!(&kept.memory.0.borrow().records, &reopened.memory.0.borrow().records);
    }

    /// A failed call leaves the session as it was: the same call then answers as if nothing
    /// had been.
    #[test]
    fn a_failed_call_loses_nothing(steps in prop::collection::vec(step(), 0..20), last in text()) {
        let steps: Vec<Step> = steps.into_iter().filter(|step| !matches!(step, Step::FailingStorage)).collect();
        let (mut smooth, mut bumpy) = (run(steps.clone()), run(steps));
        bumpy.memory.0.borrow_mut().failure = Some(StorageError::Denied);
        let call = bumpy.call("grep", "{}");
        let outcome = Outcome::Output(last);
        prop_assert!(bumpy.session.insert_result(&call, outcome.clone()).is_err());
        let again = bumpy.session.insert_result(&call, outcome.clone());
        prop_assert_eq!(again, smooth.session.insert_result(&call, outcome));
    }
}

/// No record, however broken, makes opening panic.
#[test]
fn a_broken_log_is_an_error() {
    let whole = run(vec![Step::Reopen]).memory.0.borrow().records[0].clone();
    for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        let memory = Memory::default();
        memory.0.borrow_mut().records.push(whole[..end].to_owned());
        let opened = Session::open("s", &support::settings(""), memory, Files::default());
        assert!(
            matches!(opened, Err(Error::DamagedRecord { position: 0, .. })),
            "{end}"
        );
    }
}
