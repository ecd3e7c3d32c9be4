//! What `wit/` says, as Rust. Nothing of this is public: the types that users see are in `types`.

#![allow(
    missing_docs,
    clippy::all,
    reason = "generated from wit/, which has the documentation"
)]

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "harness",
    ownership: Borrowing { duplicate_if_necessary: true },
});
