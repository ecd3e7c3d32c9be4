//! `waybread context`, on sessions that `waybread replay --sessions` kept.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use waybread::context::ContextReport;
use waybread::replay::{Options, replay};
use waybread::{Dialect, MemoryTree, Session, Settings, SqliteStorage};

use crate::{Folder, code, recording, stderr, stdout, waybread};

fn kept(folder: &Folder) -> PathBuf {
    let file = folder.write("one.json", recording());
    let kept = folder.path("new/kept");
    let output = waybread(&["replay", "--quiet", "--sessions", text(&kept)], &[&file]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    kept
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The body that the session's next request has, in whatever dialect it was begun.
fn body(file: &Path, key: &str) -> Option<String> {
    let dialects = [
        Dialect::OpenaiChat,
        Dialect::AnthropicMessages,
        Dialect::OpenaiResponses,
    ];
    let opened = dialects.into_iter().find_map(|dialect| {
        let settings = Settings::agent("/").dialect(dialect);
        let storage = SqliteStorage::open(file).unwrap();
        Session::open(key, settings, storage, MemoryTree::new()).ok()
    });
    let request = opened.unwrap().build_request("").ok()?;
    Some(request.body.to_string())
}

#[test]
fn the_parts_of_every_replayed_session_add_up_to_its_request() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recordings/tests/fixtures");
    let folder = Folder::new();
    let options = Options::default().sessions(folder.path("kept"));
    replay(&[fixtures], &options, &mut |_| {}).unwrap();
    let file = folder.path("kept/sessions.db");
    let keys = SqliteStorage::open_read_only(&file)
        .unwrap()
        .sessions()
        .unwrap();
    let mut reported = 0;
    for key in &keys {
        let storage = SqliteStorage::open_read_only(&file).unwrap();
        let found = waybread::context::report_on_stored(key, storage, "");
        let Some(body) = body(&file, key) else {
            assert_eq!(found.unwrap_err().cause().name(), "out-of-order", "{key}");
            continue;
        };
        let found = found.unwrap();
        let bytes: u64 = found.parts.iter().map(|part| part.bytes).sum();
        assert_eq!(
            (bytes, found.bytes),
            (body.len() as u64, body.len() as u64),
            "{key}"
        );
        reported += 1;
    }
    assert!(
        reported > 20 && keys.iter().any(|key| key.contains('/')),
        "{keys:?}"
    );
}

#[test]
fn a_session_is_shown_as_a_table_as_json_and_as_a_page() {
    let folder = Folder::new();
    let kept = kept(&folder);
    let page = folder.path("page.html");
    let arguments = ["context", "one", "--sessions", text(&kept)];
    let table = waybread(&[&arguments[..], &["--html", text(&page)]].concat(), &[]);
    assert_eq!(code(&table), 0, "{}", stderr(&table));
    for told in [
        "Results: grep",
        "Results: bash",
        "total",
        "#0003 bash",
        "The next request has",
    ] {
        assert!(stdout(&table).contains(told), "{told}: {}", stdout(&table));
    }
    let page = fs::read_to_string(page).unwrap();
    let json = waybread(&[&arguments[..], &["--json"]].concat(), &[]);
    let report: ContextReport = serde_json::from_str(stdout(&json)).unwrap();
    assert_eq!(report.session, "one");
    assert_eq!(page, waybread::context::context_page(&report));
    assert_eq!(
        stdout(&table).trim_end(),
        waybread::context::context_table(&report)
    );
    let parsed: Value = serde_json::from_str(stdout(&json)).unwrap();
    assert_eq!(stdout(&json), format!("{parsed}\n"));
}

/// The file itself can be named too; looking changes nothing of it.
#[test]
fn nothing_is_changed_by_looking() {
    let folder = Folder::new();
    let file = kept(&folder).join("sessions.db");
    let before = fs::read(&file).unwrap();
    for _ in 0..2 {
        let output = waybread(&["context", "one", "--sessions", text(&file)], &[]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new();
    let kept = kept(&folder);
    let empty = folder.path("empty");
    fs::create_dir(&empty).unwrap();
    let foreign = folder.write("foreign.db", "");
    let model = r#"{"messages":[]}"#;
    for (arguments, told) in [
        (
            vec!["two", "--sessions", text(&kept)],
            "holds `one`, and no session `two`",
        ),
        (
            vec!["a\u{1b}[31m", "--sessions", text(&kept)],
            "no session `a\\u{1b}[31m`",
        ),
        (
            vec!["one", "--sessions", text(&empty)],
            "no such file; name a file of sessions",
        ),
        (
            vec!["one", "--sessions", text(&foreign)],
            "no session was ever stored in it",
        ),
        (
            vec!["one", "--sessions", text(&kept), "--parameters", "{"],
            "parameters",
        ),
        (
            vec!["one", "--sessions", text(&kept), "--parameters", model],
            "messages",
        ),
        (
            vec!["one", "--sessions", text(&kept), "--html", text(&empty)],
            "empty",
        ),
    ] {
        let output = waybread(&[&["context"], &arguments[..]].concat(), &[]);
        assert_eq!((code(&output), stdout(&output)), (1, ""), "{arguments:?}");
        assert!(
            stderr(&output).contains(told),
            "{told}: {}",
            stderr(&output)
        );
        assert!(
            stderr(&output).starts_with("waybread: "),
            "{}",
            stderr(&output)
        );
    }
    assert_eq!(code(&waybread(&["context", "one"], &[])), 2);
    assert_eq!(fs::read(&foreign).unwrap(), b"");
}

#[test]
fn sessions_are_not_mixed_with_those_of_before() {
    let folder = Folder::new();
    let kept = kept(&folder);
    let before = fs::read(kept.join("sessions.db")).unwrap();
    let file = folder.path("one.json");
    let output = waybread(&["replay", "--sessions", text(&kept)], &[&file]);
    assert_eq!((code(&output), stdout(&output)), (1, ""));
    let told = "holds sessions already; name another folder";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
    assert_eq!(fs::read(kept.join("sessions.db")).unwrap(), before);
}

#[test]
fn recordings_of_one_name_are_told_apart() {
    let folder = Folder::new();
    let files = [
        folder.write("a/one.json", recording()),
        folder.write("b/one.json", recording()),
    ];
    let options = Options::default().sessions(folder.path("kept"));
    replay(&files, &options, &mut |_| {}).unwrap();
    let storage = SqliteStorage::open_read_only(folder.path("kept/sessions.db")).unwrap();
    assert_eq!(storage.sessions().unwrap(), ["2~one", "one"]);
}
