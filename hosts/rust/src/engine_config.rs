// Shared by the build script, which compiles the component, and by the library, which runs what was
// compiled: wasmtime refuses code that was compiled with another configuration.

fn engine_config() -> wasmtime::Config {
    let mut config = wasmtime::Config::new();
    config.wasm_component_model(true);
    // A trap's backtrace names functions that the stripped component no longer has.
    config.wasm_backtrace_max_frames(None);
    config
}
