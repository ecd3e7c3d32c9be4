//! Performs a case on storage and files in memory.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use waybread::{
    Error, MemoryStorage, MemoryTree, Session, Storage, StorageError, StoredText, ToolCall,
};

use crate::case::{Case, InsertResult, Recall, Settings, Step};
use crate::transcript::{self, Answer};

/// Memory, and the error of the next append.
#[derive(Clone, Default)]
struct Failing {
    storage: MemoryStorage,
    next: Arc<Mutex<Option<StorageError>>>,
}

impl Failing {
    fn fail_next(&self, error: StorageError) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

impl Storage for Failing {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<StoredText>,
    ) -> Result<(), StorageError> {
        match self
            .next
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            Some(error) => Err(error),
            None => self
                .storage
                .append(session, expected_length, records, texts),
        }
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        self.storage.read_log(session, start)
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError> {
        self.storage.read_text(session, id)
    }
}

struct Running<'a> {
    settings: &'a Settings,
    storage: Failing,
    tree: MemoryTree,
    session: Session,
}

/// The lines of the case's transcript. The error is one in the case file, and says where.
pub fn case(case: &Case) -> Result<Vec<String>, String> {
    let (storage, tree) = (Failing::default(), MemoryTree::new());
    for (path, entry) in &case.files {
        entry.put(&tree, path);
    }
    let session = match open(&case.settings, &storage, &tree) {
        Ok(session) => session,
        Err(error) => return Ok(vec![transcript::line(&case.name, 0, &Err(error))]),
    };
    let mut running = Running {
        settings: &case.settings,
        storage,
        tree,
        session,
    };
    let mut lines = Vec::new();
    for (step, number) in case.steps.iter().zip(1..) {
        let answer = running
            .perform(step.clone(), number)
            .map_err(|problem| format!("case `{}`, step {number}: {problem}", case.name))?;
        lines.extend(answer.map(|answer| transcript::line(&case.name, number, &answer)));
    }
    Ok(lines)
}

fn open(settings: &Settings, storage: &Failing, tree: &MemoryTree) -> Result<Session, Error> {
    Session::open("case", settings.build(), storage.clone(), tree.clone())
}

impl Running<'_> {
    fn perform(
        &mut self,
        step: Value,
        number: usize,
    ) -> Result<Option<Result<Answer, Error>>, String> {
        let answer = match Step::try_from(step)? {
            Step::InsertResult(insert) => self.insert(insert, number)?,
            Step::Recall(recall) => self.recall(&recall, number),
            Step::StoredText { id } => self.session.stored_text(&id).map(Answer::from),
            Step::LastRead { path } => self.session.last_read(&path).map(Answer::from),
            Step::ResolvePath { path } => self.session.resolve_path(&path).map(Answer::from),
            Step::Reopen(settings) => self.reopen(settings),
            Step::WriteFile { path, content } => {
                content.put(&self.tree, &path);
                return Ok(None);
            }
            Step::DeleteFile { path } => {
                // One that is not there may be gone already.
                let _ = self.tree.remove(&path);
                return Ok(None);
            }
            Step::FailStorage(error) => {
                self.storage.fail_next(error);
                return Ok(None);
            }
        };
        Ok(Some(answer))
    }

    fn insert(
        &mut self,
        insert: InsertResult,
        number: usize,
    ) -> Result<Result<Answer, Error>, String> {
        let name = insert.tool.clone().unwrap_or_else(|| "tool".to_owned());
        let call = ToolCall::new(
            call_id(insert.call.clone(), number),
            name,
            insert.arguments(),
        );
        let outcome = insert.outcome()?;
        Ok(self.session.insert_result(&call, outcome).map(Answer::from))
    }

    fn recall(&mut self, recall: &Recall, number: usize) -> Result<Answer, Error> {
        let call = ToolCall::new(call_id(recall.call.clone(), number), "recall", "{}");
        self.session
            .recall(&call, &recall.id, recall.offset, recall.limit)
            .map(Answer::from)
    }

    /// A session that could not be opened again leaves the one that was open.
    fn reopen(&mut self, settings: Settings) -> Result<Answer, Error> {
        self.session = open(&settings.or(self.settings), &self.storage, &self.tree)?;
        Ok(Answer::Value(Value::Null))
    }
}

fn call_id(given: Option<String>, number: usize) -> String {
    given.unwrap_or_else(|| format!("call-{number}"))
}
