//! The component's face: the only file that knows WebAssembly.

#![allow(
    unsafe_code,
    reason = "the generated bindings cross the component's boundary"
)]
#![allow(missing_docs, reason = "the contract documents what is exported, once")]

mod audit;
mod context_page;

wit_bindgen::generate!({ path: "wit", world: "recordings" });

use exports::waybread::recordings::replay::{Guest, ImportError, Options};

struct Component;

impl Guest for Component {
    fn plan(name: String, content: String, options: Options) -> Result<String, ImportError> {
        let options = crate::Options {
            shell_reads: options.shell_reads,
            window: options.window,
            preset: options.preset,
            summary_tokens: options.summary_tokens,
        };
        crate::plan_json(&name, &content, &options).map_err(|error| ImportError {
            line: error.line,
            message: error.message,
        })
    }

    fn measure(requests: String) -> Result<String, String> {
        crate::measure_json(&requests)
    }

    fn report(replayed: String) -> Result<String, String> {
        crate::report_json(&replayed)
    }

    fn summary(report: String, shell_reads: bool) -> Result<String, String> {
        crate::summary_json(&report, shell_reads)
    }
}

export!(Component);
