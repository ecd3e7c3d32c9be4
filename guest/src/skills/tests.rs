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

/// The names, states and bodies of envelopes.
fn told(own: &str) -> Vec<(String, bool, String)> {
    let envelopes = envelopes(own, ELEMENT).into_iter();
    envelopes
        .map(|one| (one.name, one.active, one.body.to_owned()))
        .collect()
}

fn size(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap()
}

/// Of texts that the session wrote itself.
fn names(texts: &[&str]) -> Vec<String> {
    let texts = texts.iter().map(|text| (*text, size(text)));
    let active = active(texts, &rules());
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
            let own = on(name, body) + "\n\n";
            let found = vec![(name.to_owned(), true, body.to_owned())];
            assert_eq!(told(&own), found);
            let text = format!("{own}{own}Hello.");
            let split = split(&text, size(&own), &rules());
            assert_eq!(split.envelopes.len(), 1);
            assert_eq!(split.stripped(), format!("{own}Hello."));
        }
    }
}

#[test]
fn only_what_the_session_put_there_counts() {
    let one = on("a", "1");
    for (text, ahead, notice, rest) in [
        (
            format!("Plan mode.\n\n{one}\n\nHello."),
            size(&one) + 2,
            "Plan mode.\n\n",
            "Hello.",
        ),
        (format!("<build>\n\n{one}"), size(&one), "<build>\n\n", ""),
        (format!("{one}\n\n{one}"), size(&one) + 2, "", &*one),
    ] {
        let split = split(&text, ahead, &rules());
        assert_eq!(
            (split.notice, split.envelopes.len(), split.rest),
            (notice, 1, rest)
        );
    }
    for ahead in [0, 10_000] {
        let split = split(&one, ahead, &rules());
        assert_eq!((split.envelopes.len(), split.rest), (0, &*one));
    }
    assert_eq!(split("é", 1, &rules()).rest, "é");
    assert_eq!(names(&[&one]), ["a"]);
    assert_eq!(active([(&*one, 0)].into_iter(), &rules()), []);
}

#[test]
fn a_malformed_envelope_is_none() {
    let envelope = |bytes: &str| {
        format!(
            "<session-skill name=\"a\" state=\"active\" bytes=\"{bytes}\">\nabc\n</session-skill>"
        )
    };
    assert_eq!(told(&envelope("3")).len(), 1);
    assert_eq!(told(&envelope("03")).len(), 1);
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
        assert_eq!(told(&text), [], "{bytes}");
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
        assert_eq!(told(text), [], "{text}");
    }
}

#[test]
fn the_last_envelope_of_a_name_counts() {
    let (alpha, beta, again) = (on("alpha", "1"), on("beta", "2"), on("alpha", "3"));
    let texts = [&*alpha, "words", &*beta, &*again];
    let found = active(texts.into_iter().map(|text| (text, size(text))), &rules());
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
        let ahead = pieces.iter().map(|piece| size(piece) + 2).sum();
        pieces.push(words.clone());
        let text = pieces.join("\n\n");
        let split = split(&text, ahead, &rules);
        prop_assert_eq!(&split.stripped(), &words);
        let found: Vec<_> = split.envelopes.into_iter().map(|one| (one.name, one.active, one.body.to_owned())).collect();
        prop_assert_eq!(found, skills);
    }

    #[test]
    fn no_text_makes_it_panic(pieces in prop::collection::vec(piece(), 0..6), ahead in 0_u32..40) {
        let text = pieces.concat();
        let split = split(&text, ahead, &rules());
        prop_assert!(text.starts_with(split.notice) && text.ends_with(split.rest));
    }
}
