//! Compiles the component for the target, so that a program that uses the library starts in
//! milliseconds and never compiles anything at run time.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

include!("src/engine_config.rs");

const COMPONENT: &str = "component/waybread.wasm";

/// x86-64-v2, which every x86-64 processor has had since 2009. Without it each vector instruction that
/// the component's SHA-256 uses is a call, and a step takes 1.7 times as long.
const X86_64: [&str; 5] = [
    "has_sse3",
    "has_ssse3",
    "has_sse41",
    "has_sse42",
    "has_popcnt",
];

fn main() {
    println!("cargo::rerun-if-changed={COMPONENT}");
    println!("cargo::rerun-if-changed=src/engine_config.rs");
    if let Err(problem) = precompile() {
        println!("cargo::error={problem}");
        process::exit(1);
    }
}

fn precompile() -> Result<(), String> {
    let source = Path::new(&variable("CARGO_MANIFEST_DIR")?).join(COMPONENT);
    let component = fs::read(&source).map_err(|error| missing(&source, &error))?;
    let compiled = engine()?
        .precompile_component(&component)
        .map_err(|error| {
            format!("{COMPONENT} is not a component that wasmtime can compile: {error:#}")
        })?;
    let output = PathBuf::from(variable("OUT_DIR")?).join("waybread.cwasm");
    fs::write(&output, compiled).map_err(|error| format!("{}: {error}", output.display()))
}

/// An engine for what the target's processors have in common and not for the one at hand, so that a
/// build runs on every machine of that architecture.
fn engine() -> Result<wasmtime::Engine, String> {
    let target = variable("TARGET")?;
    let mut config = engine_config();
    config
        .target(&target)
        .map_err(|error| format!("wasmtime cannot compile for {target}: {error:#}"))?;
    if variable("CARGO_CFG_TARGET_ARCH")? == "x86_64" {
        for feature in X86_64 {
            enable(&mut config, feature);
        }
    }
    wasmtime::Engine::new(&config)
        .map_err(|error| format!("wasmtime cannot compile for {target}: {error:#}"))
}

#[allow(
    unsafe_code,
    reason = "wasmtime asks the processor for each of these features before it runs the code"
)]
fn enable(config: &mut wasmtime::Config, feature: &str) {
    unsafe { config.cranelift_flag_enable(feature) };
}

fn missing(path: &Path, error: &std::io::Error) -> String {
    format!(
        "the component is not at {} ({error}): run `cargo xtask build`, which makes it",
        path.display()
    )
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| format!("cargo did not set {name}: {error}"))
}
