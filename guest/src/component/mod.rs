//! The WebAssembly face of the rules: the only code that knows the bindings. It translates and
//! decides nothing.

#![allow(
    unsafe_code,
    reason = "the generated bindings cross the component's boundary"
)]
#![allow(missing_docs, reason = "the contract documents what is exported, once")]

use std::cell::RefCell;

use bindings::exports::waybread::context::context as exported;
use bindings::waybread::context::{filesystem, storage};

use crate as rules;

mod answers;
mod arguments;
mod assembly;
mod compaction;
mod errors;
mod window;

mod bindings {
    wit_bindgen::generate!({
        world: "harness",
        path: "../wit",
        ownership: Borrowing { duplicate_if_necessary: true },
    });
}

struct Component;

bindings::export!(Component with_types_in bindings);

impl exported::Guest for Component {
    type Session = Session;

    fn diagnose(
        earlier: Option<exported::Snapshot>,
        later: exported::Snapshot,
    ) -> exported::Diagnosis {
        let earlier = earlier.map(rules::Snapshot::from);
        rules::diagnose(earlier.as_ref(), &later.into()).into()
    }
}

struct Session(RefCell<rules::Session<HostStorage, HostFiles>>);

impl exported::GuestSession for Session {
    fn open(
        key: String,
        settings: exported::Settings,
    ) -> Result<exported::Session, exported::SessionError> {
        let session = rules::Session::open(&key, &settings.into(), HostStorage, HostFiles)?;
        Ok(exported::Session::new(Self(RefCell::new(session))))
    }

    fn insert_result(
        &self,
        call: exported::ToolCall,
        outcome: exported::Outcome,
    ) -> Result<exported::Inserted, exported::SessionError> {
        let inserted = self
            .0
            .borrow_mut()
            .insert_result(&call.into(), outcome.into())?;
        Ok(inserted.into())
    }

    fn recall(
        &self,
        call: exported::ToolCall,
        id: String,
        offset: Option<u32>,
        limit: Option<u32>,
        char_offset: Option<u32>,
        char_limit: Option<u32>,
    ) -> Result<exported::Inserted, exported::SessionError> {
        let lines = rules::LineWindow { offset, limit };
        let characters = rules::CharWindow {
            offset: char_offset,
            limit: char_limit,
        };
        let mut session = self.0.borrow_mut();
        Ok(session.recall(&call.into(), &id, lines, characters)?.into())
    }

    fn add_message(
        &self,
        message: exported::Message,
    ) -> Result<exported::Added, exported::SessionError> {
        Ok(self.0.borrow_mut().add_message(message.into())?.into())
    }

    fn build_request(
        &self,
        parameters: String,
    ) -> Result<exported::Request, exported::SessionError> {
        Ok(self.0.borrow_mut().build_request(&parameters)?.into())
    }

    fn rewind(&self, first: u32, last: Option<u32>) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow_mut().rewind(first, last)?)
    }

    fn fork(&self, key: String, after: Option<u32>) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow_mut().fork(&key, after)?)
    }

    fn note(&self, change: exported::Change, by_model: bool) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow_mut().note(&change.into(), by_model)?)
    }

    fn set_prompt(&self, prompt: exported::Prompt) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow_mut().set_prompt(&prompt.into())?)
    }

    fn set_assembly(&self, assembly: exported::Assembly) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow_mut().set_assembly(&assembly.into())?)
    }

    fn prompt_report(&self) -> Vec<exported::PromptBlock> {
        let blocks = self.0.borrow().prompt_report();
        blocks.into_iter().map(Into::into).collect()
    }

    fn enable_skill(
        &self,
        name: String,
        text: Option<String>,
    ) -> Result<Option<exported::SkillTruncated>, exported::SessionError> {
        let truncated = self.0.borrow_mut().enable_skill(&name, text)?;
        Ok(truncated.map(Into::into))
    }

    fn disable_skill(&self, name: String) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow_mut().disable_skill(&name)?)
    }

    fn skills(&self) -> Vec<exported::SkillState> {
        let skills = self.0.borrow().skills();
        skills.into_iter().map(Into::into).collect()
    }

    fn delegate(
        &self,
        delegation: exported::Delegation,
    ) -> Result<exported::Session, exported::SessionError> {
        let mut session = self.0.borrow_mut();
        let child = session.delegate(&delegation.into(), HostStorage, HostFiles)?;
        Ok(exported::Session::new(Self(RefCell::new(child))))
    }

    fn delegate_progress(&self, key: String, state: String) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow_mut().delegate_progress(&key, &state)?)
    }

    fn snapshot(&self) -> Result<exported::Snapshot, exported::SessionError> {
        Ok(self.0.borrow_mut().snapshot()?.into())
    }

    fn context_report(
        &self,
        parameters: String,
    ) -> Result<exported::ContextReport, exported::SessionError> {
        Ok(self.0.borrow_mut().context_report(&parameters)?.into())
    }

    fn delegates(&self) -> Vec<exported::DelegateState> {
        let delegates = self.0.borrow().delegates();
        delegates.into_iter().map(Into::into).collect()
    }

    fn set_condition(&self, name: String, met: bool) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow_mut().set_condition(&name, met)?)
    }

    fn withdraw_tool(&self, name: String, refusal: String) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow_mut().withdraw_tool(&name, &refusal)?)
    }

    fn connect_server(
        &self,
        name: String,
        tools: Vec<exported::Tool>,
        instructions: Option<String>,
    ) -> Result<(), exported::SessionError> {
        let tools: Vec<rules::Tool> = tools.into_iter().map(Into::into).collect();
        let mut session = self.0.borrow_mut();
        Ok(session.connect_server(&name, &tools, instructions.as_deref())?)
    }

    fn record_usage(
        &self,
        number: u32,
        usage: String,
    ) -> Result<exported::Usage, exported::SessionError> {
        Ok(self.0.borrow_mut().record_usage(number, &usage)?.into())
    }

    fn pressure(&self, parameters: String) -> Result<exported::Pressure, exported::SessionError> {
        Ok(self.0.borrow_mut().pressure(&parameters)?.into())
    }

    fn compact_begin(
        &self,
        compaction: exported::Compaction,
    ) -> Result<exported::CompactionStart, exported::SessionError> {
        let start = self.0.borrow_mut().compact_begin(&compaction.into())?;
        Ok(start.into())
    }

    fn compact_finish(
        &self,
        outcome: exported::SummaryResult,
    ) -> Result<exported::CompactionEnd, exported::SessionError> {
        Ok(self.0.borrow_mut().compact_finish(&outcome.into())?.into())
    }

    fn main_request_answered(
        &self,
        request: exported::MainRequest,
    ) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow_mut().main_request_answered(request.into())?)
    }

    fn last_main_request(&self) -> Option<exported::MainRequest> {
        self.0.borrow().last_main_request().map(Into::into)
    }

    fn fallback_due(
        &self,
        main: exported::ModelRef,
        cache_key: String,
        after_ms: u64,
        now: u64,
    ) -> Result<exported::FallbackDecision, exported::SessionError> {
        let session = self.0.borrow();
        let due = session.fallback_due(&main.into(), &cache_key, after_ms, now)?;
        Ok(due.into())
    }

    fn lineage(&self) -> Vec<exported::Generation> {
        let lineage = self.0.borrow().lineage();
        lineage.into_iter().map(Into::into).collect()
    }

    fn generation(
        &self,
        number: u32,
    ) -> Result<Vec<exported::StoredMessage>, exported::SessionError> {
        let messages = self.0.borrow_mut().generation(number)?;
        Ok(messages.into_iter().map(Into::into).collect())
    }

    fn history(&self) -> Result<String, exported::SessionError> {
        Ok(self.0.borrow_mut().history()?)
    }

    fn context_state(&self) -> exported::ContextState {
        self.0.borrow().context_state().into()
    }

    fn cache_report(&self) -> Vec<exported::RequestReport> {
        let report = self.0.borrow().cache_report();
        report.into_iter().map(Into::into).collect()
    }

    fn conversation(&self) -> Vec<exported::StoredMessage> {
        let messages = self.0.borrow().conversation();
        messages.into_iter().map(Into::into).collect()
    }

    fn prefix(&self) -> exported::Prefix {
        let rules::Prefix { system, tools } = self.0.borrow().prefix();
        exported::Prefix { system, tools }
    }

    fn setting(&self, key: String) -> Result<String, exported::SessionError> {
        Ok(self.0.borrow().setting(&key)?)
    }

    fn name_path(&self, path: String) -> Result<String, exported::SessionError> {
        Ok(self.0.borrow().name_path(&path)?)
    }

    fn check_paths(&self, name: String, text: String) -> Result<(), exported::SessionError> {
        Ok(self.0.borrow().check_paths(&name, &text)?)
    }

    fn stored_text(&self, id: String) -> Result<String, exported::SessionError> {
        Ok(self.0.borrow_mut().stored_text(&id)?)
    }

    fn last_read(
        &self,
        path: String,
    ) -> Result<Option<exported::LastRead>, exported::SessionError> {
        Ok(self.0.borrow_mut().last_read(&path)?.map(Into::into))
    }

    fn resolve_path(&self, path: String) -> Result<String, exported::SessionError> {
        Ok(self.0.borrow().resolve_path(&path)?)
    }
}

/// Storage, by way of the host.
struct HostStorage;

impl rules::Storage for HostStorage {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: &[&str],
        texts: &[rules::StoredText<'_>],
    ) -> Result<(), rules::StorageError> {
        let texts: Vec<storage::StoredText<'_>> = texts
            .iter()
            .map(|text| storage::StoredText {
                id: text.id,
                text: text.text,
            })
            .collect();
        Ok(storage::append(session, expected_length, records, &texts)?)
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, rules::StorageError> {
        Ok(storage::read_log(session, start)?)
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, rules::StorageError> {
        Ok(storage::read_text(session, id)?)
    }
}

/// Files, by way of the host.
struct HostFiles;

impl rules::FileSystem for HostFiles {
    fn identify(&mut self, path: &str) -> Result<String, rules::FileError> {
        Ok(filesystem::identify(path)?)
    }

    fn read(&mut self, path: &str) -> Result<rules::File, rules::FileError> {
        let file = filesystem::read(path)?;
        Ok(rules::File {
            identity: file.identity,
            hashed: file.hashed.into(),
        })
    }
}
