//! What a conversation does not accept: errors that say what is wrong and change nothing.

use waybread::{
    Cause, Change, Dialect, MemoryStorage, MemoryTree, Outcome, Prompt, Reply, Session, Tool,
};

use crate::support::{PARAMETERS, call, conversing, on, person, reply, settings};

#[test]
fn what_a_conversation_does_not_accept() {
    let mut session = conversing(MemoryStorage::new());
    let out_of_order = |error: waybread::Error| {
        let Cause::OutOfOrder { problem } = error.cause() else {
            panic!("{error:?}");
        };
        assert!(!problem.is_empty(), "{error}");
    };
    out_of_order(session.build_request("").unwrap_err());
    out_of_order(session.add_message(reply("Nobody asked.")).unwrap_err());
    out_of_order(
        session
            .add_message(person("x").step_boundary())
            .unwrap_err(),
    );
    session.add_message(person("Hello.")).unwrap();
    let sent = session.build_request(PARAMETERS).unwrap();
    for wrong in [
        "",
        "{",
        "[]",
        r#"{"role":"assistant","tool_calls":[{"function":{}}]}"#,
    ] {
        let error = session.add_message(Reply::new(wrong)).unwrap_err();
        assert!(
            matches!(error.cause(), Cause::InvalidArgument { .. }),
            "{wrong}: {error}"
        );
    }
    for wrong in ["1", "{", r#"{"messages":[]}"#, r#"{"tools":[]}"#] {
        let error = session.build_request(wrong).unwrap_err();
        assert!(
            matches!(error.cause(), Cause::InvalidArgument { .. }),
            "{wrong}: {error}"
        );
    }
    let error = session
        .insert_result(&call("c9"), Outcome::output("x"))
        .unwrap_err();
    let unknown = Cause::UnknownCall {
        call: "c9".to_owned(),
        open: Vec::new(),
    };
    assert_eq!(*error.cause(), unknown);
    let error = session.rewind(2, None).unwrap_err();
    assert_eq!(*error.cause(), Cause::UnknownMessage { number: 2 });
    assert!(session.note(&Change::memory("", "x")).is_err());
    assert!(session.set_condition("", true).is_err());
    assert!(session.withdraw_tool("nobody", "No.").is_err());
    assert!(
        session
            .connect_server("s", &[Tool::new("", "")], None)
            .is_err()
    );
    assert_eq!(session.build_request(PARAMETERS).unwrap().body, sent.body);
}

#[test]
fn a_session_of_results_only_has_no_conversation() {
    let mut session = on(MemoryStorage::new());
    let error = session.add_message(person("Hello.")).unwrap_err();
    assert_eq!(error.cause().name(), "out-of-order");
    let error = session.set_prompt(&Prompt::new()).unwrap_err();
    assert_eq!(error.cause().name(), "out-of-order");
    assert_eq!(session.conversation().unwrap(), []);
    assert_eq!(session.cache_report().unwrap(), []);
    assert_eq!(session.prefix().unwrap().system, "");
}

#[test]
fn a_prompt_with_a_clock_or_a_path_of_the_machine_is_refused() {
    for (text, said) in [
        ("Today is 2026-11-30.", "2026-11-30"),
        ("Work in /work/app/src.", "/work/app/src"),
    ] {
        let settings = settings()
            .dialect(Dialect::OpenaiChat)
            .prompt(Prompt::new().preamble("mine", text));
        let error =
            Session::open("s", settings, MemoryStorage::new(), MemoryTree::new()).unwrap_err();
        assert!(
            matches!(error.cause(), Cause::InvalidArgument { .. }),
            "{error:?}"
        );
        assert!(error.to_string().contains(said), "{error}");
        assert!(error.to_string().contains("mine"), "{error}");
    }
}

#[test]
fn another_dialect_is_refused_later() {
    let storage = MemoryStorage::new();
    drop(conversing(storage.clone()));
    let settings = settings().dialect(Dialect::OpenaiResponses);
    let error = Session::open("s", settings, storage, MemoryTree::new()).unwrap_err();
    let differ = Cause::SettingsDiffer {
        name: "dialect".to_owned(),
        kept: "openai-chat".to_owned(),
        given: "openai-responses".to_owned(),
    };
    assert_eq!(*error.cause(), differ);
}
