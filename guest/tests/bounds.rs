//! What a read and a recall show is bounded, and nothing is out of a model's reach.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod support;

use proptest::prelude::*;
use waybread_guest::{
    CharWindow, Inserted, LineWindow, Outcome, ReadRequest, Session, ToolCall, Treatment,
};

use support::{Files, Memory, open};

const READ: usize = 16;
const RECALL: usize = 7;
const MARK: &str = " […cut]";

fn overrides() -> String {
    format!(
        r#"{{"context": {{
            "cap": {{"max_lines": 4, "max_chars": 20, "head_lines": 2, "head_chars": 8, "tail_lines": 1, "tail_chars": 5}},
            "reads": {{"window": 5, "max_chars": {READ}}}, "recall": {{"window": 3, "max_chars": {RECALL}}}
        }}}}"#
    )
}

#[derive(Clone, Debug)]
enum Step {
    Write(String),
    Read(LineWindow),
    Output(String),
    Recall(u32, LineWindow, CharWindow),
}

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof!["[a-c]{0,5}", "[x-z]{10,40}", "[é日🙂]{0,20}", "\0{0,9}"];
    let lines = prop::collection::vec(line, 0..9);
    (lines, any::<bool>()).prop_map(|(lines, ended)| {
        let text = lines.join("\n");
        if ended { text + "\n" } else { text }
    })
}

fn number() -> impl Strategy<Value = Option<u32>> {
    prop::option::of(prop_oneof![0..12_u32, Just(u32::MAX)])
}

fn step() -> impl Strategy<Value = Step> {
    let window = || (number(), number()).prop_map(|(offset, limit)| LineWindow { offset, limit });
    let characters = (number(), number()).prop_map(|(offset, limit)| CharWindow { offset, limit });
    let recall = (1..20_u32, window(), characters);
    prop_oneof![
        1 => text().prop_map(Step::Write),
        4 => window().prop_map(Step::Read),
        1 => text().prop_map(Step::Output),
        2 => recall.prop_map(|(id, lines, characters)| Step::Recall(id, lines, characters)),
    ]
}

struct Run {
    session: Session<Memory, Files>,
    files: Files,
    calls: u32,
    inserted: Vec<Inserted>,
}

impl Run {
    fn of(steps: Vec<Step>) -> Self {
        let (memory, files) = (Memory::default(), Files::default());
        files.write("/work/app/a", "one\nrather long, this one is\nthree\n");
        let mut run = Self {
            session: open(&overrides(), &memory, &files),
            files,
            calls: 0,
            inserted: Vec::new(),
        };
        for step in steps {
            run.perform(step);
        }
        run
    }

    fn call(&mut self) -> ToolCall {
        self.calls += 1;
        ToolCall {
            id: format!("call-{}", self.calls),
            name: "tool".to_owned(),
            arguments: "{}".to_owned(),
        }
    }

    fn perform(&mut self, step: Step) {
        let call = self.call();
        let inserted = match step {
            Step::Write(text) => return self.files.write("/work/app/a", &text),
            Step::Read(window) => {
                let path = "a".to_owned();
                let force = false;
                let request = ReadRequest {
                    path,
                    window,
                    force,
                };
                self.session.insert_result(&call, Outcome::Read(request))
            }
            Step::Output(text) => self.session.insert_result(&call, Outcome::Output(text)),
            Step::Recall(id, lines, characters) => {
                let id = format!("{id:x}");
                self.session.recall(&call, &id, lines, characters)
            }
        };
        self.inserted.push(inserted.unwrap());
    }

    fn recall(&mut self, id: &str, line: u32, character: u32) -> Inserted {
        let call = self.call();
        let lines = LineWindow {
            offset: Some(line),
            limit: None,
        };
        let characters = CharWindow {
            offset: Some(character),
            limit: None,
        };
        self.session.recall(&call, id, lines, characters).unwrap()
    }

    /// A stored text as a model gets it that goes on where each answer says.
    fn reached(&mut self, id: &str) -> String {
        let mut reached = String::new();
        let (mut line, mut character) = (1, 1);
        loop {
            let answer = self.recall(id, line, character);
            if answer.treatment == Treatment::Failed || answer.text.ends_with(" empty]") {
                return reached;
            }
            let (head, below) = answer.text.split_once('\n').unwrap();
            let below = below.strip_suffix(MARK).unwrap_or(below);
            assert!(below.chars().count() <= RECALL, "{answer:?}");
            let words: Vec<&str> = head.split([' ', ']']).collect();
            if line > 1 && character == 1 {
                reached.push('\n');
            }
            reached.push_str(below);
            let range = |at: usize| words[at].split_once('-').unwrap().1.parse::<u32>().unwrap();
            if words[3] == "lines" {
                line = range(4) + 1;
            } else if range(8).to_string() == words[10] {
                (line, character) = (line + 1, 1);
            } else {
                character = range(8) + 1;
            }
        }
    }
}

proptest! {
    /// Every character of every result can be had, and no answer is longer than its bound.
    #[test]
    fn nothing_is_out_of_reach(steps in prop::collection::vec(step(), 0..12)) {
        let mut run = Run::of(steps);
        for result in run.inserted.clone() {
            let stored = run.session.stored_text(&result.id).unwrap().replace('\0', "␀");
            let reached = run.reached(&result.id);
            prop_assert!(stored == reached || stored == format!("{reached}\n"), "{stored:?} {reached:?}");
        }
    }

    /// A read and a recall show no more than their bound.
    #[test]
    fn what_is_shown_is_bounded(steps in prop::collection::vec(step(), 0..30)) {
        let run = Run::of(steps.clone());
        let asked = steps.iter().filter(|step| !matches!(step, Step::Write(_)));
        for (step, result) in asked.zip(run.inserted.clone()) {
            let Some((_, below)) = result.text.split_once('\n') else { continue };
            let shown = below.strip_suffix(MARK).unwrap_or(below).chars().count();
            match step {
                Step::Read(_) => prop_assert!(shown <= READ, "{result:?}"),
                Step::Recall(..) => prop_assert!(shown <= RECALL, "{result:?}"),
                _ => {}
            }
            prop_assert_eq!(result.chars_out as usize, result.text.chars().count());
            let less = result.treatment == Treatment::Capped;
            prop_assert!(less || result.treatment != Treatment::Full || result.chars_in == result.chars_out);
        }
    }

    /// The lines that a stub stands for were shown whole by the result that it names.
    #[test]
    fn a_stub_names_what_was_shown(steps in prop::collection::vec(step(), 0..30)) {
        let mut run = Run::of(steps);
        for stub in run.inserted.clone() {
            if stub.treatment != Treatment::UnchangedRead {
                continue;
            }
            let named = run.inserted.iter().find(|other| Some(&other.id) == stub.refers_to.as_ref());
            let shown = format!("{}\n", named.unwrap().text);
            let spared = run.session.stored_text(&stub.id).unwrap().replace('\0', "␀");
            prop_assert!(shown.contains(&format!("\n{spared}\n")), "{spared:?} in {shown:?}");
        }
    }
}
