//! A read: the file's lines under a bracket (§1), or a stub where they are in front of the model
//! already (§2).

use crate::bracket;
use crate::draft::{Below, Draft, Stub, Treatment, size};
use crate::error::Error;
use crate::held::{Held, hold};
use crate::id::ResultNumber;
use crate::lines;
use crate::ports::{Content, File, FileError, FileSystem};
use crate::record::{Fact, ReadFact};
use crate::rules::Reads;
use crate::state::State;
use crate::template::Template;
use crate::window::{LineRange, LineWindow, Shown};

/// A read of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadRequest {
    /// The path as the call gave it.
    pub path: String,
    /// The lines asked for.
    pub window: LineWindow,
    /// Answer in full even where a stub would do.
    pub force: bool,
}

/// Reads the file and decides the answer.
///
/// # Errors
///
/// `filesystem`, for a reason that no model can act on.
pub fn draft(
    state: &State,
    files: &mut impl FileSystem,
    id: &str,
    request: &ReadRequest,
) -> Result<Draft, Error> {
    let path = state.base.resolve(&request.path);
    let reading = Reading {
        state,
        id,
        request,
        path: &path,
    };
    match files.read(&path) {
        Ok(file) => reading.of(file),
        Err(error) => reading.refuse_unreadable(error),
    }
}

struct Reading<'a> {
    state: &'a State,
    id: &'a str,
    request: &'a ReadRequest,
    /// The absolute path.
    path: &'a str,
}

impl Reading<'_> {
    fn rules(&self) -> &Reads {
        &self.state.rules.reads
    }

    fn of(&self, file: File) -> Result<Draft, Error> {
        if file.identity.is_empty() {
            let problem = "the host gave an empty identity".to_owned();
            return Err(Error::filesystem(self.path, FileError::Other(problem)));
        }
        let sha256 = &file.hashed.sha256;
        let Some(sha) = short_sha(sha256, self.state.rules.sha_digits) else {
            let problem =
                format!("the host gave `{sha256}`, no SHA-256 of 64 lowercase hex digits");
            return Err(Error::filesystem(self.path, FileError::Other(problem)));
        };
        let text = match &file.hashed.content {
            Content::Text(text) => text,
            Content::Binary(bytes) => {
                let bytes = bytes.to_string();
                return Ok(self.refuse(&self.rules().binary, &[("bytes", &bytes), ("sha", sha)]));
            }
        };
        let total = size(lines::count(text));
        Ok(match self.request.window.of(total, self.rules().window) {
            Shown::Empty => self.empty(&file, sha),
            Shown::PastEnd { offset } => self.refuse_past_end(offset, total),
            Shown::Lines(shown) => self.lines(&file, text, sha, shown, total),
        })
    }

    fn lines(&self, file: &File, text: &str, sha: &str, asked: LineRange, total: u32) -> Draft {
        let fact = self.fact(file, asked, total);
        let full = Draft {
            head: self.bracket(asked, total, sha),
            below: Below::From(0),
            stored: numbered(text, asked, &self.rules().line),
            failed: false,
            stub: None,
            whole: None,
            fact: Fact::Read(fact.clone()),
        };
        if let Some((earlier, sentence)) = self.stub(file, asked) {
            return stub(full, fact, earlier, &sentence);
        }
        match hold(&full.stored, self.rules().max_chars) {
            None => full,
            Some(Held::Lines { lines, until }) => {
                let last = asked.first.saturating_add(lines - 1);
                let shown = LineRange { last, ..asked };
                let head = self.and_more(self.bracket(shown, total, sha), last, asked);
                let fact = ReadFact { last, ..fact };
                part(full, head, fact, until)
            }
            Some(Held::Cut { until, characters }) => {
                let head = self.cut_head(&fact, sha, characters);
                let head = self.and_more(head, asked.first, asked);
                let (last, cut) = (asked.first, true);
                let fact = ReadFact { last, cut, ..fact };
                part(full, head, fact, until)
            }
        }
    }

    fn bracket(&self, shown: LineRange, total: u32, sha: &str) -> String {
        self.rules().bracket.fill(&[
            ("id", self.id),
            ("path", &bracket::escaped(&self.request.path)),
            ("first", &shown.first.to_string()),
            ("last", &shown.last.to_string()),
            ("total", &total.to_string()),
            ("sha", sha),
        ])
    }

    /// The first line where the first line asked for is cut.
    fn cut_head(&self, asked: &ReadFact, sha: &str, characters: usize) -> String {
        let rules = self.rules();
        let part = rules.part.fill(&[
            ("id", self.id),
            ("path", &bracket::escaped(&self.request.path)),
            ("line", &asked.first.to_string()),
            ("total", &asked.total.to_string()),
            ("sha", sha),
        ]);
        let missing = size(characters).saturating_sub(rules.max_chars);
        let sentence = rules.cut.fill(&[
            ("id", self.id),
            ("missing", &missing.to_string()),
            ("next", &rules.max_chars.saturating_add(1).to_string()),
        ]);
        format!("{part} {sentence}")
    }

    /// Says how to go on where lines that were asked for follow `last`.
    fn and_more(&self, head: String, last: u32, asked: LineRange) -> String {
        if last >= asked.last {
            return head;
        }
        let next = last.saturating_add(1).to_string();
        let last = asked.last.to_string();
        let sentence = self.rules().more.fill(&[("next", &next), ("last", &last)]);
        format!("{head} {sentence}")
    }

    fn fact(&self, file: &File, shown: LineRange, total: u32) -> ReadFact {
        ReadFact {
            path: self.request.path.clone(),
            file: file.identity.clone(),
            first: shown.first,
            last: shown.last,
            total,
            sha256: file.hashed.sha256.clone(),
            stub_of: None,
            cut: false,
        }
    }

    /// The earlier read that holds these lines, and the sentence that names it.
    fn stub(&self, file: &File, shown: LineRange) -> Option<(ResultNumber, String)> {
        let table = &self.state.table;
        let (identity, sha256) = (&file.identity, &file.hashed.sha256);
        let exact = self.rules().exact_ranges;
        let earlier = table.read_holding(identity, sha256, shown, exact)?;
        let most = self.rules().full_after_stubs;
        let tired = most > 0 && table.stubs_in_a_row(identity, sha256, shown) >= most;
        if self.request.force || tired {
            return None;
        }
        let number = ResultNumber(earlier.number);
        let sentence = self.rules().stub.fill(&[
            ("earlier", &number.show(&self.state.rules.ids)),
            ("first", &earlier.lines.first.to_string()),
            ("last", &earlier.lines.last.to_string()),
        ]);
        Some((number, sentence))
    }

    fn empty(&self, file: &File, sha: &str) -> Draft {
        let path = bracket::escaped(&self.request.path);
        let values = [("id", self.id), ("path", &path), ("sha", sha)];
        let none = LineRange { first: 0, last: 0 };
        Draft {
            head: self.rules().empty.fill(&values),
            below: Below::Nothing,
            stored: String::new(),
            failed: false,
            stub: None,
            whole: None,
            fact: Fact::Read(self.fact(file, none, 0)),
        }
    }

    fn refuse_past_end(&self, offset: u32, total: u32) -> Draft {
        let (offset, total) = (offset.to_string(), total.to_string());
        self.refuse(
            &self.rules().past_end,
            &[("offset", &offset), ("total", &total)],
        )
    }

    fn refuse_unreadable(&self, error: FileError) -> Result<Draft, Error> {
        let sentence = match error {
            FileError::NotFound => &self.rules().not_found,
            FileError::Denied => &self.rules().denied,
            FileError::IsDirectory => &self.rules().is_directory,
            FileError::NotAFile => &self.rules().not_a_file,
            FileError::Unreadable(reason) => {
                let reason = bracket::repeated(&reason, &self.state.rules);
                return Ok(self.refuse(&self.rules().unreadable, &[("reason", &reason)]));
            }
            FileError::Other(_) => return Err(Error::filesystem(self.path, error)),
        };
        Ok(self.refuse(sentence, &[]))
    }

    /// A refusal names the absolute path (§1, "every other answer").
    fn refuse(&self, sentence: &Template, values: &[(&str, &str)]) -> Draft {
        let path = bracket::repeated(self.path, &self.state.rules);
        let mut named = vec![("path", path.as_str())];
        named.extend_from_slice(values);
        let bracket = self.state.rules.bracket.fill(&[("id", self.id)]);
        Draft::refusal(&bracket, sentence.fill(&named))
    }
}

/// A stub in place of a full answer.
fn stub(full: Draft, fact: ReadFact, earlier: ResultNumber, sentence: &str) -> Draft {
    Draft {
        head: format!("{} {sentence}", full.head),
        stub: Some(Stub {
            treatment: Treatment::UnchangedRead,
            earlier,
            full_head: full.head,
        }),
        fact: Fact::Read(ReadFact {
            stub_of: Some(earlier.0),
            ..fact
        }),
        ..full
    }
}

/// What fits of a full answer.
fn part(full: Draft, head: String, fact: ReadFact, until: usize) -> Draft {
    let whole = lines::characters(&full.head) + 1 + lines::characters(&full.stored);
    Draft {
        head,
        below: Below::Part {
            until,
            cut: fact.cut,
        },
        whole: Some(whole),
        fact: Fact::Read(fact),
        ..full
    }
}

/// The first digits of a SHA-256; none for what is no SHA-256.
pub fn short_sha(sha256: &str, digits: u32) -> Option<&str> {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let valid = sha256.len() == 64 && sha256.bytes().all(hex);
    sha256.get(..digits as usize).filter(|_| valid)
}

/// The lines of a range, each with its number.
fn numbered(text: &str, shown: LineRange, template: &Template) -> String {
    let range = lines::range(text, shown.first as usize, shown.last as usize);
    let mut numbered = String::with_capacity(range.len() + range.len() / 4);
    let mut digits = itoa::Buffer::new();
    for (number, line) in (shown.first..=shown.last).zip(range.split('\n')) {
        if number > shown.first {
            numbered.push('\n');
        }
        let values = [("number", digits.format(number)), ("text", line)];
        template.fill_into(&mut numbered, &values);
    }
    numbered
}
