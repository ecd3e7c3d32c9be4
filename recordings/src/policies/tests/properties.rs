//! What is true of every policy, and of Waybread's own bodies.

use proptest::prelude::*;
use serde_json::json;

use crate::conversation::{Answered, Part};
use crate::model::Prompt;
use crate::policies::clear::Clear;
use crate::policies::full::Full;
use crate::policies::history::History;
use crate::policies::prune::Prune;
use crate::policies::text::Text;
use crate::policies::window::Window;
use crate::policies::{BuiltRequest, Policy, count, measure};

use super::{counted, reply, result, spoken};

fn part() -> impl Strategy<Value = Part> {
    let text = "[ab\n é]{0,12}";
    prop_oneof![
        1 => (text, any::<bool>()).prop_map(|(text, starts)| spoken(&text, starts)),
        3 => (text, "[x]{0,5}", 0..3usize).prop_map(|(text, why, calls)| reply(&text, &why, calls)),
        3 => "[ab]{0,60}".prop_map(result),
    ]
}

fn all_small() -> [Box<dyn Policy>; 5] {
    [
        Box::new(Full),
        Box::new(Prune::default()),
        Box::new(Window::default()),
        Box::new(Clear::new(40, 2, 5)),
        Box::new(Clear::new(20, 0, 0)),
    ]
}

/// A body as `build-request` has it, from what a model reads.
fn body(parts: &[Part]) -> String {
    let turn = parts
        .iter()
        .rposition(|part| matches!(part, Part::Said(said) if said.starts_turn));
    let messages: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(at, part)| match part {
            Part::Said(said) => json!({"role": "user", "content": said.text}),
            Part::Result(result) => json!({"role": "tool", "tool_call_id": "c", "content": result.recorded}),
            Part::Reply(reply) => {
                let calls: Vec<_> = reply
                    .calls
                    .iter()
                    .map(|call| json!({"function": {"name": call.tool, "arguments": call.arguments}}))
                    .collect();
                let carried = turn.is_none_or(|turn| at > turn);
                let reasoning = if carried { reply.reasoning.as_str() } else { "" };
                json!({"role": "assistant", "content": reply.text, "reasoning_content": reasoning,
                       "tool_calls": calls})
            }
        })
        .map(|message| message.to_string())
        .collect();
    format!(
        "{{\"model\":\"m\",\"messages\":[{}],\"stream\":true}}",
        messages.join(",")
    )
}

fn built_request(keep: usize, tail: &str) -> BuiltRequest {
    BuiltRequest::Built {
        keep: keep as u64,
        tail: tail.to_owned(),
        pressure: None,
    }
}

/// Requests that keep what they can, up to the end of a message.
fn built(bodies: &[String]) -> Vec<BuiltRequest> {
    let mut previous = "";
    let mut requests = Vec::new();
    for body in bodies {
        let same = body
            .bytes()
            .zip(previous.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let keep = (0..=same).rev().find(|end| {
            body.get(..*end).is_some_and(|kept| kept.ends_with('}'))
                && body
                    .get(*end..)
                    .is_some_and(|tail| tail.starts_with([',', ']']))
                && previous
                    .get(*end..)
                    .is_some_and(|tail| tail.starts_with([',', ']']))
        });
        let keep = keep.unwrap_or(0);
        requests.push(built_request(keep, &body[keep..]));
        previous = body;
    }
    requests
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_sent_was_kept_or_is_read(parts in prop::collection::vec(part(), 0..80)) {
        for policy in all_small() {
            let (name, parameters) = (policy.name(), policy.parameters());
            let counts = count(policy, &Prompt::default(), &parts).counts;
            prop_assert!(counts.kept <= counts.sent, "{} {}", name, parameters);
            prop_assert!(counts.again <= counts.sent - counts.kept, "{} {}", name, parameters);
            prop_assert!(counts.breaks > 0 || counts.again == 0, "{} {}", name, parameters);
        }
    }

    /// Without reasoning, the whole history loses nothing, and is the most that can be kept.
    #[test]
    fn an_append_reads_nothing_again(parts in prop::collection::vec(part(), 0..80)) {
        let bare: Vec<Part> = parts.into_iter().map(|part| match part {
            Part::Reply(reply) => Part::Reply(Answered { reasoning: String::new(), ..reply }),
            other => other,
        }).collect();
        let counts = counted(Full, &bare);
        prop_assert_eq!((counts.again, counts.breaks), (0, 0));
        let last = bare.iter().rposition(|part| matches!(part, Part::Reply(_)));
        let mut history = History::new(&Prompt::default());
        for part in bare.iter().take(last.unwrap_or(0)) {
            history.add(part);
        }
        let longest: u64 = Full.request(&history).iter().map(Text::chars).sum();
        prop_assert_eq!(counts.sent - counts.kept, longest);
    }

    /// Waybread's bodies are counted as the policies' requests are.
    #[test]
    fn a_body_is_counted_like_a_conversation(parts in prop::collection::vec(part(), 0..40)) {
        let ends = parts.iter().enumerate().filter(|(_, part)| matches!(part, Part::Reply(_)));
        let bodies: Vec<String> = ends.map(|(end, _)| body(&parts[..end])).collect();
        let measured = measure(&built(&bodies));
        prop_assert_eq!(measured.errors, 0);
        prop_assert_eq!(measured.counts, counted(Full, &parts));
        let unkept: Vec<BuiltRequest> = bodies.iter().map(|body| built_request(0, body)).collect();
        prop_assert_eq!(measure(&unkept), measured);
    }
}
