//! Results find their calls, and calls their replies.

use super::waiting::{NO_CALL, SECOND};
use super::*;

fn call(id: Option<&str>, tool: &str) -> Call {
    Call {
        id: id.map(str::to_owned),
        tool: tool.into(),
        ..Call::default()
    }
}

fn answer(of: Of, text: &str) -> Answer {
    Answer {
        of,
        text: text.into(),
        line: Some(9),
        ..Answer::default()
    }
}

#[test]
fn joins_by_id_whatever_the_order() {
    let mut pairing = Pairing::default();
    let id = |id: &str| Of::Id(id.to_owned());
    pairing.answer(answer(id("b"), "early"));
    pairing.call(call(Some("a"), "one"));
    pairing.call(call(Some("b"), "two"));
    pairing.call(call(None, "three"));
    pairing.call(call(Some("a"), "four"));
    pairing.call(call(Some("z"), "five"));
    for (of, text) in [
        (id("a"), "1"),
        (Of::Tool("three".into()), "3"),
        (id("a"), "4"),
        (id("a"), "again"),
        (id("x"), "lost"),
        (Of::Tool("grep".into()), "lost too"),
    ] {
        pairing.answer(answer(of, text));
    }
    let mut session = Recorded::default();
    pairing.finish(&mut session, |_, answer, _| {
        Act::Output(answer.text.clone())
    });
    let joined: Vec<_> = session
        .events
        .iter()
        .map(|event| {
            let Event::Exchange(exchange) = event else {
                panic!("{event:?}");
            };
            match &exchange.act {
                Act::Output(text) => (&*exchange.id, &*exchange.tool, text.as_str()),
                Act::Unanswered => ("", &*exchange.tool, "unanswered"),
                other => panic!("{other:?}"),
            }
        })
        .collect();
    assert_eq!(
        joined,
        [
            ("b", "two", "early"),
            ("", "five", "unanswered"),
            ("a", "one", "1"),
            ("call-3", "three", "3"),
            ("a~2", "four", "4"),
            ("a~3", "four", "again"),
            ("x", "unknown", "lost"),
            ("result", "grep", "lost too"),
        ]
    );
    let about = session.about;
    assert_eq!((about.calls, about.results), (5, 7));
    let reasons: Vec<_> = about
        .not_replayed
        .iter()
        .map(|r| (&*r.reason, r.count))
        .collect();
    assert_eq!(reasons, [(SECOND, 1), (NO_CALL, 2)]);
    assert_eq!(
        (&*about.skipped[0].reason, about.skipped[0].count),
        (UNANSWERED, 1)
    );
}
