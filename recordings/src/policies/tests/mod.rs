//! Each policy on conversations small enough to be counted by hand.

mod properties;
mod window;

use serde_json::json;

use crate::conversation::{Answered, Called, Part, Performed, Spoken};
use crate::model::{Prompt, Sender, Tool};

use super::clear::Clear;
use super::full::Full;
use super::meter::{Meter, PromptCounts};
use super::prune::Prune;
use super::text::{Text, tokens};
use super::window::Window;
use super::{BuiltRequest, Policies, Policy, count, measure};

fn said(text: &str) -> Part {
    spoken(text, true)
}

fn spoken(text: &str, starts_turn: bool) -> Part {
    Part::Said(Spoken {
        sender: Sender::Person,
        starts_turn,
        text: text.to_owned(),
    })
}

/// A reply with a call of `ls` for each result that follows.
fn reply(text: &str, reasoning: &str, calls: usize) -> Part {
    let call = |number| Called {
        ids: vec![format!("c{number}")],
        tool: "ls".to_owned(),
        arguments: "{}".to_owned(),
    };
    Part::Reply(Answered {
        recorded: true,
        text: text.to_owned(),
        reasoning: reasoning.to_owned(),
        incomplete: false,
        calls: (0..calls).map(call).collect(),
    })
}

fn result(recorded: impl Into<String>) -> Part {
    Part::Result(Performed {
        tool: "ls".to_owned(),
        recorded: recorded.into(),
        ..Performed::default()
    })
}

fn counted(policy: impl Policy + 'static, parts: &[Part]) -> PromptCounts {
    count(Box::new(policy), &Prompt::default(), parts).counts
}

fn counts(requests: u64, sent: u64, kept: u64, again: u64, breaks: u64) -> PromptCounts {
    PromptCounts {
        requests,
        sent,
        kept,
        again,
        breaks,
    }
}

#[test]
fn the_whole_history_is_an_append() {
    // "user\ngo\n" is 8, "assistant\nhm\nls {}\n" 19, "tool\nout\n" 9, "assistant\nok\n" not sent.
    let parts = [
        said("go"),
        reply("hm", "", 1),
        result("out"),
        reply("ok", "", 0),
    ];
    assert_eq!(counted(Full, &parts), counts(2, 8 + 36, 8, 0, 0));
    let prompt = Prompt {
        system: Some("be".to_owned()),
        tools: vec![Tool {
            name: "ls".to_owned(),
            description: "d".to_owned(),
            parameters: "{}".to_owned(),
        }],
    };
    // "ls\nd\n{}\n" is 8, "system\nbe\n" 10.
    let counted = count(Box::new(Full), &prompt, &parts).counts;
    assert_eq!(counted, counts(2, 26 + 54, 26, 0, 0));
}

#[test]
fn a_reply_keeps_its_reasoning_for_its_turn() {
    let parts = [
        said("go"),
        reply("hm", "why", 1),
        result("out"),
        reply("ok", "", 0),
        said("on"),
        reply("ok", "", 0),
    ];
    // The second request holds "assistant\nwhy\nhm\nls {}\n" (23); the third, in the next turn, has 19
    // of it, of which 10 are in common. The result (9), read before, is read again; the reply "ok" (13)
    // and "on" (8) are new.
    let expected = counts(3, 8 + 40 + 57, 8 + 18, 9, 1);
    assert_eq!(counted(Full, &parts), expected);
    // Words that the person adds to the running turn change nothing of it.
    let parts = [
        said("go"),
        reply("hm", "why", 1),
        result("out"),
        spoken("on", false),
        reply("ok", "", 0),
    ];
    assert_eq!(counted(Full, &parts), counts(2, 8 + 48, 8, 0, 0));
}

/// Three turns; the first has results of `first` and then `second` tokens.
fn three_turns(first: usize, second: usize) -> Vec<Part> {
    vec![
        said("one"),
        reply("", "", 1),
        result("a".repeat(4 * first)),
        reply("", "", 1),
        result("b".repeat(4 * second)),
        reply("done", "", 0),
        said("two"),
        reply("", "", 1),
        result("c"),
        reply("done", "", 0),
        said("three"),
        reply("done", "", 0),
        said("four"),
        reply("done", "", 0),
    ]
}

#[test]
fn old_outputs_are_pruned_behind_the_protected_ones() {
    let pruned = |first, second| {
        let parts = three_turns(first, second);
        let (full, pruned) = (counted(Full, &parts), counted(Prune::default(), &parts));
        assert_eq!(full.breaks, 0);
        (full.sent - pruned.sent, pruned.breaks)
    };
    // "[Old tool result content cleared]" has 33 characters, and only the last request comes after the
    // end of the third turn.
    assert_eq!(pruned(25_001, 40_000), (4 * 25_001 - 33, 1));
    // 40,000 tokens are protected, and what crosses that line is not.
    assert_eq!(pruned(25_001, 40_001), (4 * 65_002 - 2 * 33, 1));
    assert_eq!(pruned(25_001, 14_000), (0, 0));
    // It has to free more than 20,000.
    assert_eq!(pruned(20_000, 40_000), (0, 0));
    assert_eq!(pruned(20_001, 40_000), (4 * 20_001 - 33, 1));
}

#[test]
fn what_follows_a_pruned_output_is_read_again() {
    let counted = counted(Prune::default(), &three_turns(25_001, 40_000));
    // After the pruned output: a reply with a call (16), "b…" (160,006), "done" (15), "two" (9), a call
    // (16), "c" (7), "done" (15) and "three" (11) were read before; "done" and "four" are new.
    assert_eq!(counted.again, 16 + 160_006 + 15 + 9 + 16 + 7 + 15 + 11);
}

#[test]
fn outputs_of_the_last_two_turns_stay() {
    let mut parts = three_turns(25_001, 40_000);
    // Without the third turn, the first is the last but one when the second ends.
    parts.drain(10..12);
    assert_eq!(counted(Prune::default(), &parts).breaks, 0);
}

#[test]
fn failures_and_protected_tools_are_not_pruned() {
    for change in [
        |result: &mut Performed| result.failed = true,
        |result: &mut Performed| result.tool = "skill".to_owned(),
    ] {
        let mut parts = three_turns(25_001, 40_000);
        let Some(Part::Result(result)) = parts.get_mut(2) else {
            panic!("no result");
        };
        change(result);
        assert_eq!(counted(Prune::default(), &parts).breaks, 0);
    }
}

/// A message, then steps of a call with its results, and the reply that asks for one more request.
fn steps(count: usize, results: usize) -> Vec<Part> {
    let mut parts = vec![said("go")];
    for step in 0..count {
        parts.push(reply("", "", results));
        parts.extend((0..results).map(|number| result(format!("{step:02} {number}"))));
    }
    parts.push(reply("done", "", 0));
    parts
}

#[test]
fn a_window_slides_past_forty_messages() {
    // The 20th request has 1 + 2 × 19 messages, the 21st one more than fit: the first is dropped.
    let twenty = counted(Window::default(), &steps(19, 1));
    assert_eq!(twenty, counted(Full, &steps(19, 1)));
    let one = counted(Window::default(), &steps(20, 1));
    let full = counted(Full, &steps(20, 1));
    assert_eq!(full.sent - one.sent, 8);
    assert_eq!((one.breaks, full.breaks), (1, 0));
    // 19 steps of 16 and 10 characters stood in the request before; nothing is kept of that, as
    // "user" is not "assistant".
    assert_eq!(full.kept - one.kept, 8 + 19 * 26);
    assert_eq!(one.again, 19 * 26);
}

#[test]
fn results_of_one_reply_are_one_message_and_never_begin_a_window() {
    let several = counted(Window::default(), &steps(20, 3));
    assert_eq!(counted(Full, &steps(20, 3)).sent - several.sent, 8);
    // Two messages before the steps: the window would begin with results.
    let mut parts = steps(20, 3);
    parts.insert(0, said("before"));
    let full = counted(Full, &parts);
    let dropped = full.sent - counted(Window::default(), &parts).sent;
    // "before" (12), and at the end "go" (8) too; the 20th request drops "before" alone.
    assert_eq!(dropped, 12 + 8);
    let mut parts = steps(21, 1);
    parts.insert(0, said("before"));
    let full = counted(Full, &parts);
    let dropped = full.sent - counted(Window::default(), &parts).sent;
    // The 22nd request would begin with the first result (10), which goes with its call (16).
    assert_eq!(dropped, (12 + 8) + (12 + 8 + 26));
}

#[test]
fn the_system_prompt_stays_in_a_window() {
    let prompt = Prompt {
        system: Some("be".to_owned()),
        tools: Vec::new(),
    };
    let counted = count(Box::new(Window::default()), &prompt, &steps(20, 1)).counts;
    let without = self::counted(Window::default(), &steps(20, 1));
    // 10 characters in each of 21 requests; kept in all but the first.
    assert_eq!(counted.sent - without.sent, 210);
    assert_eq!(counted.kept - without.kept, 200);
}

#[test]
fn results_are_cleared_when_the_prompt_passes_the_trigger() {
    let parts = [
        said("go"),
        reply("", "", 1),
        result("x".repeat(100)),
        reply("", "", 1),
        result("y".repeat(100)),
        reply("", "", 1),
        result("z"),
        reply("done", "", 0),
    ];
    // Requests of 8, 130, 252 and 275 characters: 2, 33, 63 and 69 tokens.
    let full = counted(Full, &parts);
    assert_eq!(full, counts(4, 8 + 130 + 252 + 275, 8 + 130 + 252, 0, 0));
    assert_eq!(counted(Clear::new(69, 1, 0), &parts), full);
    // The last request clears "x…" and "y…", and both "[cleared]" are 9 characters; all before the first is kept,
    // with "tool\n" of it: 8 + 16 + 5. The call between them (16) is read again.
    let both = counted(Clear::new(63, 1, 0), &parts);
    assert_eq!(both, counts(4, full.sent - 182, 8 + 130 + 29, 16, 1));
    // The third request clears "x…", with nothing after it that was read, and the last, which is not
    // past the trigger any more, nothing.
    let first = counted(Clear::new(62, 1, 0), &parts);
    assert_eq!(first, counts(4, full.sent - 182, 8 + 29 + (252 - 91), 0, 1));
    // Clearing one frees 91 characters, 23 tokens.
    assert_eq!(counted(Clear::new(62, 1, 23), &parts).breaks, 1);
    assert_eq!(counted(Clear::new(62, 1, 24), &parts).sent, both.sent);
    assert_eq!(counted(Clear::new(62, 1, 50), &parts), full);
    assert_eq!(counted(Clear::new(62, 3, 0), &parts), full);
}

#[test]
fn the_numbers_are_those_of_the_documentation() {
    let clear = Clear::default();
    assert_eq!((clear.trigger, clear.keep, clear.at_least), (100_000, 3, 0));
    let expected = json!({"messages": 40, "applied": "before every request"});
    assert_eq!(Window::default().parameters(), expected);
    let prune = Prune::default().parameters();
    assert_eq!(
        (&prune["protect_tokens"], &prune["minimum_tokens"]),
        (&json!(40_000), &json!(20_000))
    );
    for (chars, expected) in [(0, 0), (1, 0), (2, 1), (5, 1), (6, 2), (400_000, 100_000)] {
        assert_eq!(tokens(chars), expected, "{chars}");
    }
}

#[test]
fn contexts_are_added_up_and_begin_anew() {
    let mut policies = Policies::default();
    for _ in 0..2 {
        policies.context(&Prompt::default(), &steps(1, 1));
    }
    let counts = policies.counts();
    let names: Vec<&str> = counts.iter().map(|one| one.policy.as_str()).collect();
    let expected = [
        "full-history",
        "prune-old-outputs",
        "sliding-window",
        "clear-tool-uses",
    ];
    assert_eq!(names, expected);
    for one in counts {
        assert_eq!(one.counts, self::counts(4, 2 * (8 + 34), 2 * 8, 0, 0));
    }
}

#[test]
fn a_body_that_is_none_is_an_error_and_the_rest_goes_on() {
    let good = |keep, tail: &str| BuiltRequest::Built {
        keep,
        tail: tail.to_owned(),
        pressure: None,
    };
    let first = r#"{"tools":[{"type":"function","function":{"name":"ls","description":"d","parameters":{}}}],"messages":[{"role":"user","content":"go"}]}"#;
    for bad in [
        good(10_000, "]}"),
        good(0, ""),
        good(0, "[]"),
        good(0, r#"{"messages":7}"#),
        good(0, r#"{"messages":["#),
        good(0, r#"{"tools":[]}"#),
        good(0, r#"{"messages" []}"#),
        BuiltRequest::Failed {
            error: "full".to_owned(),
        },
    ] {
        let measured = measure(&[good(0, first), bad.clone(), good(0, first)]);
        assert_eq!(measured.errors, 1, "{bad:?}");
        // "ls\nd\n{}\n" and "user\ngo\n".
        assert_eq!(measured.counts, counts(2, 32, 16, 0, 0), "{bad:?}");
    }
}

#[test]
fn a_text_in_both_counts_as_often_as_it_was_there() {
    let text = |text: &str| Text::user(text);
    let mut meter = Meter::default();
    meter.request(vec![text("a"), text("b"), text("b")]);
    meter.request(vec![text("x"), text("b"), text("b"), text("b"), text("a")]);
    // "user\nx\n" is 7; "user\n" is kept; "b" twice and "a" were there.
    assert_eq!(meter.counts, counts(2, 21 + 35, 5, 21, 1));
    meter.request(Vec::new());
    assert_eq!(meter.counts, counts(3, 56, 5, 21, 2));
}
