//! What a summary stands for, as Markdown (docs/compaction.md, "The history archive").

use crate::call_summary::call_summary;
use crate::conversation::{Item, Place, ReplyItem, UserItem};
use crate::message::{Part, Sender};
use crate::path::Base;
use crate::rules::{ArchiveRules, Rules};
use crate::skills;

/// Renders messages.
#[derive(Debug)]
struct Renderer<'a> {
    rules: &'a Rules,
    base: &'a Base,
}

/// The messages, oldest first. `failed` tells whether a result is a failure. Empty if nothing of them is
/// kept.
pub fn render(items: &[Item], rules: &Rules, base: &Base, failed: impl Fn(u32) -> bool) -> String {
    let renderer = Renderer { rules, base };
    let blocks = items.iter().filter_map(|item| {
        let (heading, body) = renderer.message(item, &failed);
        (!body.is_empty()).then(|| format!("{heading}\n\n{body}"))
    });
    let blocks: Vec<String> = blocks.collect();
    if blocks.is_empty() {
        return String::new();
    }
    format!("{}\n", blocks.join("\n\n"))
}

impl<'a> Renderer<'a> {
    fn texts(&self) -> &'a ArchiveRules {
        &self.rules.archive
    }

    fn message(&self, item: &Item, failed: &impl Fn(u32) -> bool) -> (&'a str, String) {
        let texts = self.texts();
        match item {
            Item::Reply(reply) => (&texts.model, self.reply(reply, failed)),
            Item::User(user) => match &user.place {
                Place::Summary { summary, .. } => (&texts.summary, summary.clone()),
                _ => match user.message.sender {
                    Sender::Person => (&texts.person, self.user(user)),
                    Sender::Machine => (&texts.machine, self.user(user)),
                    Sender::Subagent => (&texts.machine, texts.subagent.clone()),
                },
            },
        }
    }

    fn user(&self, user: &UserItem) -> String {
        let texts = self.texts();
        let (text, ahead) = user.told();
        let split = skills::split(text, ahead, &self.rules.skills);
        let active = split.envelopes.iter().filter(|envelope| envelope.active);
        let active: Vec<String> = active
            .map(|envelope| texts.skill.fill(&[("name", &envelope.name)]))
            .collect();
        let is_image = |part: &&Part| matches!(part, Part::Image(_) | Part::ImageUrl(_));
        let images = user.message.parts.iter().filter(is_image);
        let images: Vec<&str> = images.map(|_| texts.image.as_str()).collect();
        let mut pieces = vec![active.join("\n"), split.stripped(), images.join("\n")];
        pieces.extend(user.message.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.clone()),
            _ => None,
        }));
        joined(pieces)
    }

    fn reply(&self, reply: &ReplyItem, failed: &impl Fn(u32) -> bool) -> String {
        let texts = self.texts();
        let calls = reply.reply.calls.iter().zip(&reply.results);
        let kept = calls.filter(|(call, _)| !texts.omit_tools.contains(&call.name));
        let lines: Vec<String> = kept
            .map(|(call, result)| {
                let state = &self.rules.state;
                let call = call_summary(&call.name, &call.arguments, state, self.base);
                let ok = result.is_some_and(|number| !failed(number));
                let status = if ok { &texts.ok } else { &texts.failed };
                texts.call.fill(&[("call", &call), ("status", status)])
            })
            .collect();
        joined(vec![reply.reply.text.clone(), lines.join("\n")])
    }
}

fn joined(mut pieces: Vec<String>) -> String {
    pieces.retain(|piece| !piece.trim().is_empty());
    pieces.join("\n\n")
}
