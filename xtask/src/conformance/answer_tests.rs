//! Every kind of expectation, held and broken.

use serde_json::{Value, json};

use super::problems;

fn wrong(expected: &Value, answer: &Value) -> Vec<String> {
    problems(expected, answer.as_object().unwrap()).unwrap()
}

#[track_caller]
fn assert_right(expected: &Value, answer: &Value) {
    assert_eq!(wrong(expected, answer), Vec::<String>::new());
}

#[track_caller]
fn assert_wrong(expected: &Value, answer: &Value, problem: &str) {
    let found = wrong(expected, answer);
    assert!(
        found.iter().any(|found| found.contains(problem)),
        "{found:?}"
    );
}

fn added() -> Value {
    let refused = json!({"id": "#0001", "text": "[#0001] no", "treatment": "failed"});
    let calls = json!([
        {"id": "c1", "name": "grep", "arguments": "{}", "refused": null},
        {"id": "c2", "name": "page", "arguments": "{}", "refused": refused},
    ]);
    let skills = json!([{"name": "old", "active": false}, {"name": "new", "active": true}]);
    json!({"added": {"number": 2, "note": "a\nb", "skills": skills, "calls": calls, "closed": []}})
}

fn request(body: &str) -> Value {
    let difference = json!({"part": "messages", "message": 2, "cause": "rewind"});
    json!({"request": {"number": 1, "keep": 0, "difference": difference, "closed": [], "body": body}})
}

#[test]
fn an_added_is_compared_in_what_is_named() {
    assert_right(
        &json!({"number": 2, "note": ["a\n", "b"], "closed": []}),
        &added(),
    );
    assert_right(
        &json!({"calls": [{"refused": null}, {"id": "c2", "refused": {"text": "[#0001] no"}}]}),
        &added(),
    );
    assert_wrong(
        &json!({"number": 3}),
        &added(),
        "number: expected 3, found 2",
    );
    assert_wrong(&json!({"note": null}), &added(), "note: expected null");
    assert_wrong(
        &json!({"calls": []}),
        &added(),
        "calls: expected 0 items, found 2",
    );
    assert_wrong(
        &json!({"calls": [{}, {"id": "c3"}]}),
        &added(),
        "calls[1].id",
    );
    assert_wrong(
        &json!({"number": [2]}),
        &added(),
        "number: expected a list, found 2",
    );
    assert_wrong(
        &json!({"calls": [{}, {"refused": {"id": "#0002"}}]}),
        &added(),
        "calls[1].refused.id",
    );
    assert_wrong(
        &json!({"calls": [{}, {"refused": null}]}),
        &added(),
        "calls[1].refused",
    );
    assert_wrong(
        &json!({"calls": [{"refused": {"id": "#0001"}}, {}]}),
        &added(),
        "calls[0].refused",
    );
}

#[test]
fn the_skills_of_an_added_are_compared_in_their_order() {
    assert_right(
        &json!({"skills": [{"name": "old"}, {"name": "new", "active": true}]}),
        &added(),
    );
    assert_wrong(
        &json!({"skills": []}),
        &added(),
        "skills: expected 0 items, found 2",
    );
    assert_wrong(
        &json!({"skills": [{"active": true}, {"name": "new"}]}),
        &added(),
        "skills[0].active: expected true, found false",
    );
}

#[test]
fn a_body_is_compared_as_compact_json_in_its_order() {
    let body = r#"{"model":"m","messages":[1.0]}"#;
    assert_right(
        &json!({"body": {"model": "m", "messages": [1.0]}}),
        &request(body),
    );
    assert_right(&json!({"body": body}), &request(body));
    assert_right(
        &json!(["{\"model\":\"m\",", "\"messages\":[1.0]}"]),
        &request(body),
    );
    assert_wrong(
        &json!({"body": {"messages": [1.0], "model": "m"}}),
        &request(body),
        "body differs",
    );
    assert_wrong(
        &json!({"body": {"model": "m", "messages": [1]}}),
        &request(body),
        "body differs",
    );
    assert_wrong(
        &json!({"body": body}),
        &request(r#"{"model": "m","messages":[1.0]}"#),
        "body differs",
    );
}

#[test]
fn has_names_keys_of_the_body() {
    let body = r#"{"model":"m","messages":[{"a":1,"b":2}]}"#;
    assert_right(
        &json!({"has": {"messages": [{"a": 1, "b": 2}]}}),
        &request(body),
    );
    assert_wrong(
        &json!({"has": {"messages": [{"b": 2, "a": 1}]}}),
        &request(body),
        "body, messages",
    );
    assert_wrong(
        &json!({"has": {"tools": []}}),
        &request(body),
        "body, tools: is not there",
    );
    assert_wrong(
        &json!({"has": {"model": "m"}}),
        &request("{"),
        "the body is no JSON",
    );
}

#[test]
fn a_difference_is_null_or_its_named_fields() {
    assert_right(&json!({"difference": {"cause": "rewind"}}), &request("{}"));
    assert_wrong(
        &json!({"difference": {"message": 1}}),
        &request("{}"),
        "difference.message",
    );
    assert_wrong(
        &json!({"difference": null}),
        &request("{}"),
        "difference: expected null",
    );
}

fn compacted() -> Value {
    let estimate = json!({"tokens": 9, "raw": 8});
    let pressure = json!({"estimate": estimate, "action": "none", "health": null});
    json!({"compacted": {
        "generation": 2, "summary": "a\nb", "message": 3, "pressure": pressure,
        "fallback": null, "warnings": ["one", "two"],
    }})
}

#[test]
fn a_compaction_is_compared_in_what_is_named() {
    let expected = |fields: Value| json!({"compacted": fields});
    assert_right(
        &expected(json!({"generation": 2, "fallback": null})),
        &compacted(),
    );
    assert_right(
        &expected(json!({"summary": ["a\n", "b"], "warnings": ["one", "two"]})),
        &compacted(),
    );
    assert_right(
        &expected(json!({"pressure": {"estimate": {"raw": 8}, "health": null}})),
        &compacted(),
    );
    assert_wrong(
        &expected(json!({"pressure": {"estimate": {"raw": 9}}})),
        &compacted(),
        "pressure.estimate.raw: expected 9, found 8",
    );
    assert_wrong(
        &expected(json!({"warnings": ["one", "three"]})),
        &compacted(),
        "warnings[1]: expected \"three\"",
    );
    assert_wrong(
        &expected(json!({"summary": "a"})),
        &compacted(),
        "summary differs",
    );
    assert_wrong(
        &expected(json!({"fallback": {"status": "used"}})),
        &compacted(),
        "fallback: expected",
    );
}

#[test]
fn which_answer_a_compaction_has_is_compared() {
    let not_applied = json!({"not-applied": {"reason": "empty"}});
    assert_right(&not_applied, &not_applied);
    assert_wrong(
        &not_applied,
        &compacted(),
        "expected not-applied, found {\"compacted\"",
    );
    assert_wrong(
        &json!({"not-applied": {}}),
        &compacted(),
        "expected not-applied",
    );
    let answer = json!({"summary-request": {"max-tokens": 7, "body": "{\"model\":\"m\"}"}});
    assert_right(
        &json!({"summary-request": {"max-tokens": 7, "has": {"model": "m"}}}),
        &answer,
    );
    assert_wrong(
        &json!({"summary-request": {"has": {"model": "n"}}}),
        &answer,
        "body, model",
    );
    let no_answer = problems(
        &json!({"reason": "empty"}),
        not_applied.as_object().unwrap(),
    );
    assert!(no_answer.is_err());
}

#[test]
fn a_value_is_compared_whole() {
    let answer = json!({"value": {"input": 1, "cached": null}});
    assert_right(&json!({"value": {"input": 1, "cached": null}}), &answer);
    assert_wrong(&json!({"value": {"input": 1}}), &answer, "value: expected");
    assert_right(&json!("text"), &json!({"value": "text"}));
    assert_wrong(&json!("text"), &json!({"value": null}), "expected the text");
    assert_wrong(&json!({"value": null}), &added(), "value: expected null");
}

#[test]
fn an_error_is_expected_or_a_problem() {
    let payload = json!({"call": "c1", "open": ["c2"]});
    let answer = json!({"error": {"cause": "unknown-call", "message": "m", "payload": payload}});
    assert_right(
        &json!({"error": {"cause": "unknown-call", "open": ["c2"]}}),
        &answer,
    );
    assert_wrong(
        &json!({"error": {"cause": "unknown-call", "open": []}}),
        &answer,
        "error, open",
    );
    assert_wrong(
        &json!({"error": {"cause": "conflict"}}),
        &answer,
        "error, cause",
    );
    assert_wrong(&json!({"number": 1}), &answer, "was not expected");
    assert_wrong(
        &json!({"error": {"cause": "conflict"}}),
        &added(),
        "expected the error",
    );
    let number = json!({"error": {"cause": "unknown-message", "message": "m", "payload": 9}});
    assert_right(
        &json!({"error": {"cause": "unknown-message", "value": 9}}),
        &number,
    );
}

#[test]
fn an_expectation_that_fits_no_answer_is_a_fault_of_the_case() {
    let answer = added();
    assert!(problems(&json!("text"), answer.as_object().unwrap()).is_err());
    let answer = json!({"value": 1});
    assert!(problems(&json!({"number": 1}), answer.as_object().unwrap()).is_err());
}
