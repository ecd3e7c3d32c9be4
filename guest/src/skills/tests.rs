use proptest::prelude::*;

use super::*;
use crate::template::Template;

const ELEMENT: &str = "session-skill";

fn rules() -> SkillRules {
    SkillRules {
        element: ELEMENT.to_owned(),
        notices: vec!["Plan mode.".to_owned(), "<build>".to_owned()],
        active: Template::parse("{{name}}: {{text}}"),
        inactive: Template::parse("Stop following {{name}}."),
        truncated: Template::parse("[cut at {{cap}}]"),
    }
}

fn on(name: &str, body: &str) -> String {
    write(ELEMENT, name, true, body)
}

fn off(name: &str) -> String {
    write(ELEMENT, name, false, "Stop following it.")
}

/// The names, states and bodies of the envelopes, and the text without them.
fn told(text: &str) -> (Vec<(String, bool, String)>, String) {
    let split = split(text, &rules());
    let envelopes = split.envelopes.iter();
    let envelopes = envelopes.map(|one| (one.name.clone(), one.active, one.body.to_owned()));
    (envelopes.collect(), split.stripped())
}

fn names(texts: &[&str]) -> Vec<String> {
    let active = active(texts.iter().copied(), &rules());
    active.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn an_envelope_is_spelled_as_documented() {
    assert_eq!(
        on("alpha", "Do é."),
        "<session-skill name=\"alpha\" state=\"active\" bytes=\"6\">\nDo é.\n</session-skill>"
    );
    assert!(
        off("a\nb").starts_with("<session-skill name=\"a\\nb\" state=\"inactive\" bytes=\"18\">\n")
    );
}

#[test]
fn an_envelope_comes_back_whatever_its_name_and_body() {
    for name in [
        "alpha",
        "",
        "a \"b\" \\c",
        "two\nlines",
        "日本",
        "\0\u{200b}",
    ] {
        for body in [
            "",
            "text",
            "\n",
            "<session-skill>\n</session-skill>\n\nmore",
            "é\n",
        ] {
            let text = on(name, body) + "\n\nHello.";
            let found = vec![(name.to_owned(), true, body.to_owned())];
            assert_eq!(told(&text), (found, "Hello.".to_owned()));
        }
    }
}

#[test]
fn at_most_one_blank_line_is_swallowed_between_envelopes() {
    let (one, two) = (on("a", "1"), off("b"));
    for (text, envelopes, rest) in [
        (format!("{one}{two}words"), 2, "words"),
        (format!("{one}\n\n{two}\n\nwords"), 2, "words"),
        (format!("{one}\n\n{two}\n\n\n\nwords"), 2, "\n\nwords"),
        (format!("{one}\n\n{two}"), 2, ""),
        (format!("{one}\n\n\n{two}"), 1, &*format!("\n{two}")),
        (format!("{one}\n{two}"), 1, &*format!("\n{two}")),
        (format!("words\n\n{one}"), 0, &*format!("words\n\n{one}")),
        (format!("\n\n{one}"), 0, &*format!("\n\n{one}")),
    ] {
        let split = split(&text, &rules());
        assert_eq!(
            (split.envelopes.len(), split.rest),
            (envelopes, rest),
            "{text}"
        );
    }
}

#[test]
fn a_notice_may_stand_in_front() {
    let one = on("a", "1");
    let text = format!("Plan mode.\n\n{one}\n\nHello.");
    let split_text = split(&text, &rules());
    assert_eq!(split_text.notice, "Plan mode.\n\n");
    assert_eq!(split_text.envelopes.len(), 1);
    assert_eq!(split_text.stripped(), "Plan mode.\n\nHello.");
    assert_eq!(told(&format!("<build>\n\n{one}")).0.len(), 1);
    assert_eq!(told(&format!("<build>\n\n{one}")).1, "<build>\n\n");
    for other in [
        "Plan mode.",
        "Plan mode.\n",
        "Other.\n\n",
        "Plan mode.\n\nPlan mode.\n\n",
    ] {
        let text = format!("{other}{one}");
        assert_eq!(told(&text), (vec![], text.clone()));
    }
}

#[test]
fn the_first_malformed_envelope_ends_it() {
    let good = on("alpha", "1");
    let bad = good.replace("\"active\"", "\"paused\"");
    let (envelopes, rest) = told(&format!("{good}\n\n{bad}\n\n{good}"));
    assert_eq!(envelopes.len(), 1);
    assert_eq!(rest, format!("{bad}\n\n{good}"));
}

#[test]
fn a_malformed_envelope_is_left_as_it_is() {
    let envelope = |bytes: &str| {
        format!(
            "<session-skill name=\"a\" state=\"active\" bytes=\"{bytes}\">\nabc\n</session-skill>"
        )
    };
    assert_eq!(told(&envelope("3")).0.len(), 1);
    assert_eq!(told(&envelope("03")).0.len(), 1);
    for bytes in [
        "99",
        "2",
        "4",
        "",
        "-3",
        "+3",
        " 3",
        "3.0",
        "٣",
        &"9".repeat(20),
        &i64::MAX.to_string(),
        &u64::MAX.to_string(),
    ] {
        let text = envelope(bytes);
        assert_eq!(told(&text), (vec![], text.clone()), "{bytes}");
    }
    for text in [
        "<session-skill name=\"a\" state=\"active\" bytes=\"3\">\nabc",
        "<session-skill name=\"a\" state=\"active\" bytes=\"3\">\nabc\n</session-skill",
        "<session-skill name=\"a\" state=\"active\" bytes=\"3\">\nabc</session-skill>",
        "<session-skill name=\"a\" state=\"active\" bytes=\"3\">abc\n</session-skill>",
        "<session-skill name=\"a\" state=\"active\" bytes=\"1\">\né\n</session-skill>",
        "<session-skill name=\"a state=\"active\" bytes=\"3\">\nabc\n</session-skill>",
        "<session-skill name=\"a\nb\" state=\"active\" bytes=\"3\">\nabc\n</session-skill>",
        "<session-skill name=\"\\q\" state=\"active\" bytes=\"3\">\nabc\n</session-skill>",
        "<session-skill name=\"a",
        "<session-skill name=a state=\"active\" bytes=\"3\">\nabc\n</session-skill>",
        "<session-skill  name=\"a\" state=\"active\" bytes=\"3\">\nabc\n</session-skill>",
        "<session-skill state=\"active\" name=\"a\" bytes=\"3\">\nabc\n</session-skill>",
        "<session-skill name=\"a\" state=\"Active\" bytes=\"3\">\nabc\n</session-skill>",
        "<steiner-skill name=\"a\" state=\"active\" bytes=\"3\">\nabc\n</steiner-skill>",
        "<session-skill name=\"a\" state=\"active\" bytes=\"3\">\nabc\n</steiner-skill>",
        "<",
        "",
    ] {
        assert_eq!(told(text), (vec![], text.to_owned()));
    }
}

#[test]
fn the_last_envelope_of_a_name_counts() {
    let (alpha, beta, again) = (on("alpha", "1"), on("beta", "2"), on("alpha", "3"));
    let texts = [&*alpha, "words", &*beta, &*again];
    let found = active(texts.into_iter(), &rules());
    assert_eq!(
        found,
        [
            ("beta".to_owned(), beta.clone()),
            ("alpha".to_owned(), again.clone())
        ]
    );
    let both = [off("alpha"), on("beta", "2")].join("\n\n");
    assert_eq!(names(&[&alpha, &both]), ["beta"]);
    assert_eq!(
        names(&[&alpha, &beta, &off("alpha"), &off("gamma")]),
        ["beta"]
    );
    assert_eq!(names(&[&off("alpha"), &alpha]), ["alpha"]);
    assert_eq!(names(&["words", ""]), Vec::<String>::new());
}

/// Pieces of which texts are made that are nearly right.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        (any::<String>(), any::<bool>(), ".*")
            .prop_map(|(name, active, body)| write(ELEMENT, &name, active, &body)),
        prop::sample::select(vec![
            "\n",
            "\n\n",
            "Plan mode.\n\n",
            "<build>",
            "<session-skill name=\"",
            "\" state=\"active\" bytes=\"",
            "\">\n",
            "3",
            "abc",
            "\n</session-skill>",
            "\\",
            "\"",
            "é",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        element in "[A-Za-z0-9-]{1,12}",
        skills in prop::collection::vec((any::<String>(), any::<bool>(), any::<String>()), 0..4),
        words in "[^<]*",
    ) {
        let rules = SkillRules { element, ..rules() };
        let mut pieces: Vec<String> = skills.iter().map(|(name, active, body)| write(&rules.element, name, *active, body)).collect();
        pieces.push(words.clone());
        let text = pieces.join("\n\n");
        let split = split(&text, &rules);
        prop_assert_eq!(&split.stripped(), &words);
        let found: Vec<_> = split.envelopes.into_iter().map(|one| (one.name, one.active, one.body.to_owned())).collect();
        prop_assert_eq!(found, skills);
    }

    #[test]
    fn the_pieces_are_the_text(pieces in prop::collection::vec(piece(), 0..6)) {
        let text = pieces.concat();
        let split = split(&text, &rules());
        let mut left = text.strip_prefix(split.notice).unwrap();
        for envelope in &split.envelopes {
            left = left.strip_prefix(envelope.whole).unwrap();
            left = left.strip_prefix(BLANK_LINE).unwrap_or(left);
        }
        prop_assert_eq!(left, split.rest);
        if split.envelopes.is_empty() {
            prop_assert_eq!(split.stripped(), text);
        }
    }
}
