//! Pairs of requests from real causes: part, path, cause and characters as whoever wrote them
//! expects, and the whole answers, which the other hosts' tests compare byte for byte.
//!
//! A pair is a title, what is expected, and the two bodies as they were sent, between lines `---`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use waybread_recordings::audit::{Which, audit, audit_json, audit_list, audit_list_json, describe};

struct Pair {
    name: String,
    expected: Value,
    previous: String,
    next: String,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/audit")
}

fn pairs() -> Vec<Pair> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "pair"))
        .collect();
    files.sort();
    files.iter().map(pair).collect()
}

fn pair(file: &PathBuf) -> Pair {
    let content = fs::read_to_string(file).unwrap();
    let parts: Vec<&str> = content.split("\n---\n").collect();
    let [head, previous, next] = parts[..] else {
        panic!("{}: not a head and two bodies", file.display());
    };
    Pair {
        name: file.file_stem().unwrap().to_str().unwrap().to_owned(),
        expected: serde_json::from_str(head.lines().nth(1).unwrap()).unwrap(),
        previous: previous.to_owned(),
        next: next.trim_end().to_owned(),
    }
}

#[test]
fn every_pair_is_told_apart() {
    let pairs = pairs();
    assert!(pairs.len() >= 24);
    let mut wrong = Vec::new();
    for pair in &pairs {
        let audit = audit(&pair.previous, &pair.next).unwrap();
        let answer = serde_json::to_value(&audit).unwrap();
        for (key, expected) in pair.expected.as_object().unwrap() {
            let found = match key.as_str() {
                "again" => json!(audit.chars.again),
                "parameters" => {
                    let paths = audit
                        .parameters
                        .iter()
                        .map(|parameter| parameter.path.as_str());
                    json!(paths.collect::<Vec<_>>())
                }
                _ => answer[key].clone(),
            };
            if found != *expected {
                wrong.push(format!("{}: {key} is {found}, not {expected}", pair.name));
            }
        }
        // What nobody expects does not happen.
        assert_eq!(
            pair.expected.get("parameters").is_some(),
            !audit.parameters.is_empty(),
            "{}",
            pair.name
        );
        assert_eq!(
            pair.expected.get("cache_control").is_some(),
            !audit.cache_control.is_empty(),
            "{}",
            pair.name
        );
        let chars = audit.chars;
        assert_eq!(
            chars.next,
            chars.kept + chars.again + chars.new,
            "{}",
            pair.name
        );
        let described = describe(&serde_json::to_string(&audit).unwrap()).unwrap();
        assert_eq!(described, audit.to_string(), "{}", pair.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `UPDATE_ANSWERS=1` writes them anew; look at what that changes.
#[test]
fn every_answer_is_what_it_was() {
    let answers: String = pairs()
        .iter()
        .map(|pair| audit_json(&pair.previous, &pair.next).unwrap() + "\n")
        .collect();
    let file = folder().join("answers.jsonl");
    if std::env::var_os("UPDATE_ANSWERS").is_some() {
        fs::write(&file, &answers).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap();
    for ((pair, answer), kept) in pairs().iter().zip(answers.lines()).zip(kept.lines()) {
        assert_eq!(answer, kept, "{}", pair.name);
    }
    assert_eq!(answers, kept);
}

#[test]
fn what_is_no_request_is_named() {
    let request = r#"{"model":"m","messages":[]}"#;
    for (body, problem) in [
        ("", "the body is empty"),
        (
            r#"{"messages":["#,
            "is not JSON: EOF while parsing a list at line 1 column 13",
        ),
        ("[]", "a list is no request body"),
        ("{}", "an empty object is no request body"),
        (
            r#"{"a":1,"b":2}"#,
            "an object with `a`, `b` is in none of the three dialects",
        ),
        (r#"{"contents":[]}"#, "a Gemini request"),
        (r#"{"choices":[]}"#, "a model's response"),
        (r#"{"prompt":"x"}"#, "without messages"),
        (r#"{"messages":"x"}"#, "`messages` is not a list"),
        (
            r#"{"model":"text-embedding-3-small","input":"x"}"#,
            "for embeddings",
        ),
        (
            r#"{"input":[],"previous_response_id":"resp_1"}"#,
            "`previous_response_id` stands for",
        ),
    ] {
        for which in [Which::Previous, Which::Next] {
            let error = match which {
                Which::Previous => audit(body, request),
                Which::Next => audit(request, body),
            };
            let error = error.unwrap_err();
            assert_eq!(error.body, Some(which));
            assert!(error.message.contains(problem), "{body}: {error}");
        }
    }
}

#[test]
fn the_dialect_is_seen_from_the_body() {
    let anthropic = r#"{"messages":[{"role":"user","content":"x"}],"system":"s"}"#;
    for (body, beside, expected) in [
        (
            r#"{"messages":[{"role":"user","content":"x"}]}"#,
            None,
            "openai-chat",
        ),
        (
            r#"{"messages":[{"role":"user","content":"x"}]}"#,
            Some(anthropic),
            "anthropic-messages",
        ),
        (
            r#"{"messages":[{"role":"developer","content":"x"}]}"#,
            None,
            "openai-chat",
        ),
        (
            r#"{"messages":[],"tool_choice":"auto"}"#,
            Some(anthropic),
            "openai-chat",
        ),
        (
            r#"{"messages":[],"tools":[{"type":"function","function":{"name":"f"}}]}"#,
            None,
            "openai-chat",
        ),
        (
            r#"{"messages":[],"tools":[{"name":"f","input_schema":{}}]}"#,
            None,
            "anthropic-messages",
        ),
        (
            r#"{"messages":[],"tools":[{"type":"bash_20250124","name":"bash"}]}"#,
            None,
            "anthropic-messages",
        ),
        (
            r#"{"messages":[{"role":"user","content":[{"type":"tool_result"}]}]}"#,
            None,
            "anthropic-messages",
        ),
        (
            r#"{"messages":[{"role":"system","content":"x"}],"system":"s"}"#,
            None,
            "anthropic-messages",
        ),
        (
            r#"{"messages":[],"system":"s","tools":[{"function":{"name":"f"}}]}"#,
            None,
            "openai-chat",
        ),
        (r#"{"input":[]}"#, None, "openai-responses"),
        (
            r#"{"model":"m","input":"x"}"#,
            Some(anthropic),
            "openai-responses",
        ),
    ] {
        let audit = audit(beside.unwrap_or(body), body).unwrap();
        assert_eq!(audit.dialect.name(), expected, "{body}");
    }
}

#[test]
fn only_an_answer_is_described() {
    for answer in ["", "{}", "[]", r#"{"audits":[{}]}"#] {
        assert!(
            describe(answer)
                .unwrap_err()
                .starts_with("not the answer of an audit")
        );
    }
}

#[test]
fn escapes_that_json_forbids_are_read() {
    let body = r#"{"messages":[{"role":"user","content":"a\ud83d"}]}"#;
    let fixed = "{\"messages\":[{\"role\":\"user\",\"content\":\"a\u{fffd}\"}]}";
    assert!(!audit(body, fixed).unwrap().broken);
}

fn bodies() -> (String, String, String) {
    let body = |messages: &[&str]| {
        let messages: Vec<Value> = messages
            .iter()
            .map(|text| json!({"role":"user","content":text}))
            .collect();
        json!({"model":"m","messages":messages}).to_string()
    };
    (
        body(&["one"]),
        body(&["one", "two"]),
        body(&["two", "three"]),
    )
}

#[test]
fn a_list_is_compared_one_by_one() {
    let (first, second, third) = bodies();
    let list = audit_list(&format!("[{first},{second},\n{third}]")).unwrap();
    assert_eq!(
        (list.records, list.audits.len(), list.skipped.len()),
        (3, 2, 0)
    );
    let found: Vec<(u64, u64, String, u64)> = list
        .audits
        .iter()
        .map(|entry| {
            (
                entry.request,
                entry.after,
                entry.audit.cause.name(),
                entry.audit.chars.again,
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (1, 0, "append".into(), 0),
            (2, 1, "sliding-window".into(), 7)
        ]
    );
    assert_eq!((list.total.compared, list.total.broken), (2, 1));
    assert_eq!((list.total.chars.next, list.total.chars.again), (30, 7));
    assert_eq!(list.total.again_percent, "23.3");
    assert_eq!(list.total.causes[0].cause.name(), "sliding-window");
    let text = list.to_string();
    assert_eq!(
        describe(&serde_json::to_string(&list).unwrap()).unwrap(),
        text
    );
    assert!(
        text.contains("Request") && text.contains("1 × sliding-window"),
        "{text}"
    );
}

#[test]
fn records_are_found_wherever_they_were_recorded() {
    let (first, second, _) = bodies();
    let bare = audit(&first, &second).unwrap();
    let quoted = |body: &str| Value::from(body).to_string();
    for shape in [
        |body: &str, _: &str| format!(r#"{{"request":{body},"response":{{"choices":[]}}}}"#),
        |body: &str, _: &str| format!(r#"{{"body":{body}}}"#),
        |body: &str, _: &str| format!(r#"{{"request":{{"method":"POST","body":{body}}}}}"#),
        |_: &str, quoted: &str| format!(r#"{{"request":{{"body":{quoted}}}}}"#),
        |_: &str, quoted: &str| format!(r#"{{"request":{{"postData":{{"text":{quoted}}}}}}}"#),
        |_: &str, quoted: &str| quoted.to_owned(),
    ] {
        let (first, second) = (
            shape(&first, &quoted(&first)),
            shape(&second, &quoted(&second)),
        );
        for list in [
            format!("[{first},{second}]"),
            format!("{first}\n\n{second}\n"),
            format!(r#"{{"requests":[{first},{second}]}}"#),
            format!(r#"{{"log":{{"version":"1.2","entries":[{first},{second}]}}}}"#),
        ] {
            let found = audit_list(&list).unwrap();
            assert_eq!(found.audits[0].audit, bare, "{list}");
        }
    }
}

#[test]
fn a_record_without_a_request_is_skipped() {
    let (first, second, _) = bodies();
    let lines = format!("{first}\n{{\"request\":{{\"contents\":[]}}}}\n{{broken\n{second}\n");
    let list = audit_list(&lines).unwrap();
    assert_eq!((list.audits[0].request, list.audits[0].after), (3, 0));
    let skipped: Vec<(u64, &str)> = list
        .skipped
        .iter()
        .map(|record| (record.request, record.message.as_str()))
        .collect();
    assert_eq!(skipped[0].0, 1);
    assert!(
        skipped[0].1.starts_with("line 2: this is a Gemini request"),
        "{skipped:?}"
    );
    assert!(
        skipped[1].1.starts_with("line 3: not JSON: "),
        "{skipped:?}"
    );
    for (few, problem) in [
        ("", "is empty"),
        ("[", "neither JSON nor JSON lines: EOF"),
        ("[]", "no request among 0 records"),
        (
            first.as_str(),
            "one request among 1 record, and it takes two",
        ),
        ("[1,2]", "record 0: a number is no request body"),
    ] {
        let error = audit_list_json(few).unwrap_err();
        assert!(error.to_string().contains(problem), "{few}: {error}");
    }
}
