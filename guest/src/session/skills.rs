//! Skills that come and go: envelopes ahead of a message's text, so that no request changes before it
//! (docs/assembly.md).

use std::collections::BTreeSet;

use super::Session;
use crate::assembly::{check_skill, cut, skill_text};
use crate::conversation::{Item, Place, UserItem};
use crate::draft::size;
use crate::error::Error;
use crate::ports::{FileSystem, Storage};
use crate::record::Event;
use crate::skills;

/// A skill that was told, or taken back. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct SkillChange {
    pub name: String,
    pub active: bool,
}

/// A skill, as the harness knows it. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct SkillState {
    pub name: String,
    pub enabled: bool,
    pub active: bool,
}

/// A skill's text that was cut. `wit/context.wit` explains each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct SkillTruncated {
    pub bytes: u32,
    pub cap: u32,
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Switches a skill on.
    ///
    /// # Errors
    ///
    /// As `enable-skill` in `wit/context.wit`.
    pub fn enable_skill(
        &mut self,
        name: &str,
        text: Option<String>,
    ) -> Result<Option<SkillTruncated>, Error> {
        self.talk()?;
        if name.is_empty() {
            return Err(Error::argument("name", "is empty, must be the skill's"));
        }
        let text = match text {
            Some(text) => text,
            None => self.read_skill(name)?,
        };
        let cap = self.state.rules.assembly.skill_bytes;
        let bytes = text.len();
        let over = bytes > cap as usize;
        let text = if over {
            let marker = self
                .state
                .rules
                .skills
                .truncated
                .fill(&[("cap", &cap.to_string())]);
            format!("{}\n\n{marker}", cut(&text, cap as usize))
        } else {
            text
        };
        let known = self.talk()?.skills.get(name);
        if known.is_none_or(|known| known.text != text) {
            let name = name.to_owned();
            self.commit(vec![Event::SkillEnabled { name, text }], &[])?;
        }
        Ok(over.then(|| SkillTruncated {
            bytes: size(bytes),
            cap,
        }))
    }

    fn read_skill(&mut self, name: &str) -> Result<String, Error> {
        check_skill("name", &self.state.base, name)?;
        let roots = self.talk()?.assembly.skill_roots.clone();
        let found = skill_text(&mut self.files, &self.state.base, &roots, name)?;
        found.ok_or_else(|| {
            let roots = match roots.as_slice() {
                [] => "the assembly names no skill roots".to_owned(),
                roots => format!("looked for `{name}/SKILL.md` in `{}`", roots.join("`, `")),
            };
            let problem = format!("is `{name}`, which no skill root has as a text; {roots}");
            Error::argument("name", problem)
        })
    }

    /// Switches a skill off.
    ///
    /// # Errors
    ///
    /// As `disable-skill` in `wit/context.wit`.
    pub fn disable_skill(&mut self, name: &str) -> Result<(), Error> {
        let skills = &self.talk()?.skills;
        if skills.get(name).is_none() {
            let names: Vec<&str> = skills.enabled().map(|skill| skill.name.as_str()).collect();
            let problem = format!(
                "is `{name}`, which is not on; on are `{}`",
                names.join("`, `")
            );
            return Err(Error::argument("name", problem));
        }
        let name = name.to_owned();
        self.commit(vec![Event::SkillDisabled { name }], &[])
    }

    /// The skills that are on, then those that are off and of which the model was not told so yet.
    pub fn skills(&self) -> Vec<SkillState> {
        let active = self.active_skills();
        let names: BTreeSet<&str> = active.iter().map(|(name, _)| name.as_str()).collect();
        let talk = self.state.talk.iter();
        let enabled = talk.clone().flat_map(|talk| talk.skills.enabled());
        let mut states: Vec<SkillState> = enabled
            .map(|skill| SkillState {
                name: skill.name.clone(),
                enabled: true,
                active: names.contains(skill.name.as_str()),
            })
            .collect();
        let is_on = |name: &str| talk.clone().any(|talk| talk.skills.get(name).is_some());
        let off = active.iter().filter(|(name, _)| !is_on(name));
        states.extend(off.map(|(name, _)| SkillState {
            name: name.clone(),
            enabled: false,
            active: true,
        }));
        states
    }

    /// The skills that the model holds active, by the envelopes of the generation.
    fn active_skills(&self) -> Vec<(String, String)> {
        let talk = self.state.talk.iter();
        let items = talk.flat_map(|talk| talk.conversation.items());
        let texts = items.filter_map(Item::as_user).map(UserItem::told);
        skills::active(texts, &self.state.rules.skills)
    }

    /// The envelopes that go ahead of the next message that starts a turn: what is off first, then what is new.
    pub(super) fn skill_changes(&self) -> Result<(Vec<String>, Vec<SkillChange>), Error> {
        let talk = self.talk()?;
        let known = &talk.skills;
        let front = talk.conversation.items().iter();
        let mut front = front.take_while(|item| item.is_front());
        let replayed = front.any(|item| item.place() == Some(&Place::Skills));
        // Most sessions have none, and a turn costs what is new in it.
        if known.is_unused() && !replayed {
            return Ok((Vec::new(), Vec::new()));
        }
        let active = self.active_skills();
        let wholes: BTreeSet<&str> = active.iter().map(|(_, whole)| whole.as_str()).collect();
        let rules = &self.state.rules.skills;
        let mut told = Vec::new();
        let mut changes = Vec::new();
        let mut tell = |name: &str, active: bool, envelope: String| {
            told.push(envelope);
            let name = name.to_owned();
            changes.push(SkillChange { name, active });
        };
        for (name, _) in active.iter().filter(|(name, _)| known.get(name).is_none()) {
            let body = rules.inactive.fill(&[("name", name)]);
            let envelope = skills::write(&rules.element, name, false, &body);
            tell(name, false, envelope);
        }
        for skill in known.enabled() {
            let values = [("name", skill.name.as_str()), ("text", &skill.text)];
            let body = rules.active.fill(&values);
            let envelope = skills::write(&rules.element, &skill.name, true, &body);
            if !wholes.contains(envelope.as_str()) {
                tell(&skill.name, true, envelope);
            }
        }
        Ok((told, changes))
    }
}
