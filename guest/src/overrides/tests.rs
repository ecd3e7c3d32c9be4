use serde_json::{Value, json};

use crate::error::Error;
use crate::rules::{Anchor, RetainBy, Rules, SummaryLimit, with_overrides};

fn rules(given: Value) -> Rules {
    with_overrides(&given).unwrap().1
}

/// The key and the problem of overrides that are refused.
fn refused(given: Value) -> (String, String) {
    match with_overrides(&given) {
        Err(Error::InvalidSetting { key, problem }) => (key, problem),
        other => panic!("{given} gave {other:?}"),
    }
}

#[test]
fn the_defaults_are_read() {
    let rules = rules(json!({}));
    let normal = SummaryLimit {
        percent: 8,
        least: 6144,
        most: 20480,
    };
    assert_eq!(rules.compaction.normal, normal);
    assert_eq!(rules.compaction.retain_by, RetainBy::Turns);
    assert!(rules.compaction.anchor == Anchor::None && !rules.compaction.older);
    assert!(!rules.compaction.omit_images && !rules.compaction.system_role);
    assert!(!rules.budget.stateful && !rules.archive.markdown);
    assert!(rules.compaction.prompt.starts_with("Write a summary"));
    assert_eq!(rules.skills.element, "session-skill");
    assert_eq!(rules.tokens.request, 8);
    assert!(rules.tokens.models.find("gpt-4o").1);
}

#[test]
fn a_preset_is_merged_beneath_the_overrides() {
    let given = json!({"preset": "steiner", "compaction": {"retain": 5}});
    let rules = rules(given);
    assert_eq!(rules.compaction.retain, 5);
    assert_eq!(rules.compaction.retain_by, RetainBy::Steps);
    assert!(rules.compaction.anchor == Anchor::Task && rules.compaction.older);
    assert!(rules.compaction.omit_images && rules.compaction.system_role);
    assert_eq!(rules.budget.fallback_window, 32768);
    assert_eq!(rules.skills.element, "steiner-skill");
}

#[test]
fn what_was_merged_gives_the_same_again() {
    for given in [
        json!({}),
        json!({"preset": "context-hygiene"}),
        json!({"preset": "context-hygiene-3.2.0"}),
        json!({"preset": "steiner"}),
        json!({"preset": "steiner", "skills": {"element": "session-skill"},
            "budget": {"models": ["gpt 1000 100"]}, "compaction": {"threshold_tokens": 999}}),
    ] {
        let (merged, _) = with_overrides(&given).unwrap();
        assert_eq!(with_overrides(&merged).unwrap().0, merged);
        let preset = given.get("preset").cloned();
        let preset = preset.unwrap_or_else(|| json!("context-hygiene"));
        assert_eq!(merged.get("preset"), Some(&preset));
    }
}

#[test]
fn a_preset_must_be_known() {
    let (key, problem) = refused(json!({"preset": "other"}));
    assert_eq!(key, "preset");
    assert_eq!(
        problem,
        "is `other`, must be `context-hygiene` or `context-hygiene-3.2.0` or `steiner`"
    );
    let (key, problem) = refused(json!({"preset": 1}));
    assert_eq!(
        (&*key, &*problem),
        ("preset", "is a number, must be a text")
    );
}

#[test]
fn choices_numbers_and_texts_are_checked() {
    for (given, key) in [
        (json!({"budget": {"provider": "remote"}}), "budget.provider"),
        (
            json!({"compaction": {"retain_by": "replies"}}),
            "compaction.retain_by",
        ),
        (
            json!({"compaction": {"anchor": "user"}}),
            "compaction.anchor",
        ),
        (
            json!({"compaction": {"source": "newer"}}),
            "compaction.source",
        ),
        (
            json!({"compaction": {"images": "none"}}),
            "compaction.images",
        ),
        (
            json!({"compaction": {"summary_role": "developer"}}),
            "compaction.summary_role",
        ),
        (json!({"archive": {"keep": "json"}}), "archive.keep"),
        (
            json!({"budget": {"margin_percent": 101}}),
            "budget.margin_percent",
        ),
        (
            json!({"compaction": {"over_percent": 101}}),
            "compaction.over_percent",
        ),
        (
            json!({"tokens": {"smoothing_percent": 101}}),
            "tokens.smoothing_percent",
        ),
        (json!({"budget": {"cap_percent": 0}}), "budget.cap_percent"),
        (
            json!({"compaction": {"threshold_percent": 0}}),
            "compaction.threshold_percent",
        ),
        (
            json!({"context": {"compaction": {"rows": 0}}}),
            "context.compaction.rows",
        ),
        (json!({"tokens": {"image_area": 0}}), "tokens.image_area"),
        (json!({"state": {"value_chars": 0}}), "state.value_chars"),
        (
            json!({"escalation": {"guidance": {"info": " "}}}),
            "escalation.guidance.info",
        ),
        (json!({"archive": {"marker": ""}}), "archive.marker"),
        (
            json!({"compaction": {"image_omitted": "\n"}}),
            "compaction.image_omitted",
        ),
        (
            json!({"compaction": {"prompt": "{{transcript}}"}}),
            "compaction.prompt",
        ),
        (json!({"skills": {"element": "a b"}}), "skills.element"),
        (json!({"skills": {"element": ""}}), "skills.element"),
        (
            json!({"skills": {"element": "fähigkeit"}}),
            "skills.element",
        ),
    ] {
        assert_eq!(refused(given).0, key);
    }
    let (_, problem) = refused(json!({"budget": {"cap_percent": 101}}));
    assert_eq!(problem, "is 101, must be at most 100");
}

#[test]
fn numbers_must_ascend() {
    for (given, key) in [
        (
            json!({"budget": {"margin_least": 3, "margin_most": 2}}),
            "budget.margin_least",
        ),
        (
            json!({"compaction": {"summary_most": 1}}),
            "compaction.summary_least",
        ),
        (
            json!({"compaction": {"emergency_least": 20000}}),
            "compaction.emergency_least",
        ),
        (json!({"escalation": {"warning": 4}}), "escalation.warning"),
    ] {
        assert_eq!(refused(given).0, key);
    }
    let (_, problem) = refused(json!({"escalation": {"warning": 4}}));
    assert_eq!(problem, "is 4, must not be above escalation.critical 3");
}

#[test]
fn entries_are_named_by_their_position() {
    for entry in [
        "gpt",
        "gpt 1",
        "gpt 1 x",
        "gpt 1 +2",
        " 1 2",
        "gpt 1 2 3",
        "gpt 1  2",
        "gpt 1 4294967296",
    ] {
        let (key, problem) = refused(json!({"budget": {"models": ["a 0 0", "b 1 1", entry]}}));
        assert_eq!(key, "budget.models[2]", "{entry}");
        assert!(problem.contains("`gpt-4o 128000 16384`"), "{problem}");
    }
    for entry in [
        "max_tokens",
        "max_tokens x",
        " 5",
        "max_tokens 5 5",
        "max_tokens 1.5",
        "",
    ] {
        let (key, _) = refused(json!({"budget": {"parameters": ["a 1", entry]}}));
        assert_eq!(key, "budget.parameters[1]", "{entry}");
    }
    let (key, _) = refused(json!({"tokens": {"models": ["* o200k 1000", "gpt p50k 1000"]}}));
    assert_eq!(key, "tokens.models[1]");
    let (key, problem) = refused(json!({"tokens": {"models": ["gpt o200k 1000"]}}));
    assert_eq!(key, "tokens.models");
    assert!(problem.starts_with("lacks an entry"), "{problem}");
    assert_eq!(
        refused(json!({"budget": {"models": ["a 1 1", 2]}})).0,
        "budget.models[1]"
    );
    assert_eq!(
        refused(json!({"skills": {"notices": ["Plan.", " "]}})).0,
        "skills.notices[1]"
    );
}

#[test]
fn a_model_is_found_by_its_prefix() {
    let budget = json!({"models": ["gpt-4o-mini 1 2", "gpt-4o 3 4", "gpt 0 0"], "parameters": ["max_tokens 7"]});
    let rules = rules(json!({"budget": budget}));
    let find = |name| rules.budget.models.find(name);
    assert_eq!(find(" openai/gpt-4o-mini-x "), Some((1, 2)));
    assert_eq!(find("a/b/gpt-4o"), Some((3, 4)));
    assert_eq!(find("gpt"), Some((0, 0)));
    assert_eq!(find("o1"), None);
    assert_eq!(find(""), None);
    assert_eq!(rules.budget.parameters, [("max_tokens".to_owned(), 7)]);
    let any = self::rules(json!({"budget": {"models": ["gpt 1 2", "* 3 4"]}}));
    assert_eq!(any.budget.models.find("gpt-5"), Some((1, 2)));
    assert_eq!(any.budget.models.find(""), Some((3, 4)));
}

#[test]
fn a_threshold_in_tokens_is_below_every_window() {
    let threshold = |budget: Value, tokens: u32| {
        with_overrides(&json!({"budget": budget, "compaction": {"threshold_tokens": tokens}}))
    };
    for (budget, tokens) in [
        (json!({"window": 1000}), 999),
        (json!({"fallback_window": 1000}), 999),
        (json!({"models": ["gpt 1000 0"]}), 999),
        (json!({"window": 1000, "fallback_window": 10}), 999),
        (
            json!({"max_output": 5, "fallback_window": 10, "models": ["a 1000 0"]}),
            999,
        ),
        (json!({"window": 1000, "models": ["gpt 0 0"]}), 999),
    ] {
        assert!(threshold(budget.clone(), tokens).is_ok(), "{budget}");
        let error = threshold(budget.clone(), tokens + 1).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("is 1000, must be below every window"),
            "{budget}: {error}"
        );
    }
    for budget in [
        json!({}),
        json!({"max_output": 5, "fallback_window": 10}),
        json!({"models": ["a 0 0"]}),
    ] {
        let error = threshold(budget, 5).unwrap_err();
        assert!(error.to_string().contains("no window is set"), "{error}");
    }
    assert!(threshold(json!({}), 0).is_ok());
}
