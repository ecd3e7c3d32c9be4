//! The components: built for `wasm32-unknown-unknown`, which has no system interface to import, and
//! encoded with `wit-component`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use wasmparser::{Parser, Payload};
use wit_component::ComponentEncoder;

use crate::shell;

/// What the components are built for.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// The rules' component may not be larger, in bytes.
const MOST_BYTES: u64 = 1_620_000;

/// All that the rules' component may import.
const IMPORTS: [&str; 2] = [
    "waybread:context/filesystem@0.1.0",
    "waybread:context/storage@0.1.0",
];

/// A component, and the hosts' folders that carry a copy of it.
struct Carried {
    package: &'static str,
    name: &'static str,
    folders: &'static [&'static str],
}

const CARRIED: [Carried; 2] = [
    Carried {
        package: "waybread-guest",
        name: "waybread.wasm",
        folders: &[
            "hosts/rust/component",
            "hosts/python/src/waybread/component",
            "hosts/js/component",
        ],
    },
    Carried {
        package: "waybread-recordings",
        name: "recordings.wasm",
        folders: &["hosts/python/src/waybread/component", "hosts/js/component"],
    },
];

/// Builds the components and copies them to the hosts.
pub fn build() -> Result<()> {
    let root = shell::root();
    for carried in &CARRIED {
        let component = carried.build_in(&root, &root.join("target"))?;
        let mut folders = vec![root.join("target/component")];
        folders.extend(carried.folders.iter().map(|folder| root.join(folder)));
        for folder in folders {
            write_if_new(&folder, carried.name, &component)?;
        }
        println!("{}: {} bytes", carried.name, component.len());
    }
    Ok(())
}

/// The component's size, its imports, and the same bytes from two folders.
pub fn check() -> Result<()> {
    let root = shell::root();
    let path = root.join("target/component/waybread.wasm");
    let component = fs::read(&path)?;
    let bytes = component.len() as u64;
    ensure!(
        bytes <= MOST_BYTES,
        "the component has {bytes} bytes, {MOST_BYTES} at most"
    );
    let found = imports(&component)?;
    ensure!(
        found == IMPORTS,
        "the component imports {found:?}, it may import {IMPORTS:?}"
    );
    println!("component: {bytes} bytes, imports {}", found.join(" and "));
    check_same_bytes(&root)
}

fn check_same_bytes(root: &Path) -> Result<()> {
    let copy = root.join("target/second-folder/a-longer-name");
    let _ = fs::remove_dir_all(&copy);
    for file in [
        "Cargo.toml",
        "Cargo.lock",
        "guest",
        "recordings",
        "hosts/rust",
        "xtask",
        "wit",
        "conformance/loop.json",
        "conformance/presets",
        "conformance/prompts",
        "conformance/tokens.json",
    ] {
        copy_sources(&root.join(file), &copy.join(file))?;
    }
    for carried in &CARRIED {
        let again = carried.build_in(&copy, &copy.join("target"))?;
        let first = fs::read(root.join("target/component").join(carried.name))?;
        ensure!(
            first == again,
            "{} differs when it is built in another folder",
            carried.name
        );
    }
    println!("component: the same bytes from two folders");
    Ok(fs::remove_dir_all(&copy)?)
}

impl Carried {
    fn build_in(&self, root: &Path, target: &Path) -> Result<Vec<u8>> {
        let mut cargo = shell::cargo(&["build", "--locked", "--profile", "wasm"]);
        cargo.args([
            "--target",
            TARGET,
            "--package",
            self.package,
            "--target-dir",
        ]);
        cargo.arg(target).current_dir(root);
        cargo.env("CARGO_ENCODED_RUSTFLAGS", rust_flags(root)?);
        shell::run(&mut cargo)?;
        let module = format!("{}.wasm", self.package.replace('-', "_"));
        encode(&target.join(TARGET).join("wasm").join(module))
    }
}

/// No path of this machine gets into a component: a panic's location names a source file. Vectors
/// of 128 bits are a settled part of WebAssembly; counting lines and characters is several times
/// faster with them.
fn rust_flags(root: &Path) -> Result<OsString> {
    let home = std::env::home_dir().context("no home directory")?;
    let cargo_home = std::env::var_os("CARGO_HOME").map_or(home.join(".cargo"), PathBuf::from);
    let mut renamed = vec![
        (root.to_owned(), "/waybread"),
        (cargo_home.clone(), "/cargo"),
    ];
    // Cargo names a registry's folder for its host; the last name that fits is taken.
    let registries = fs::read_dir(cargo_home.join("registry/src"));
    for registry in registries.into_iter().flatten() {
        renamed.push((registry?.path(), "/crates"));
    }
    let mut flags = OsString::from("-Ctarget-feature=+simd128");
    for (path, name) in renamed {
        flags.push("\u{1f}--remap-path-prefix=");
        flags.push(path);
        flags.push("=");
        flags.push(name);
    }
    Ok(flags)
}

fn encode(module: &Path) -> Result<Vec<u8>> {
    let module = fs::read(module).with_context(|| format!("no {}", module.display()))?;
    ComponentEncoder::default()
        .validate(true)
        .module(&module)?
        .encode()
}

fn imports(component: &[u8]) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut depth = 0_usize;
    for payload in Parser::new(0).parse_all(component) {
        match payload? {
            Payload::Version { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            Payload::ComponentImportSection(section) if depth == 1 => {
                for import in section {
                    names.push(import?.name.name.to_owned());
                }
            }
            _ => {}
        }
    }
    names.sort();
    Ok(names)
}

/// Leaves a file that is as it should be alone, so that nothing is built again for it.
fn write_if_new(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    if fs::read(&path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    fs::write(&path, bytes).with_context(|| format!("could not write {}", path.display()))
}

fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    if from.is_file() {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from, to)?;
        return Ok(());
    }
    for entry in fs::read_dir(from).with_context(|| format!("no {}", from.display()))? {
        let name = entry?.file_name();
        if name == "target" {
            bail!(
                "{} holds a target folder; it belongs in the root",
                from.display()
            );
        }
        copy_sources(&from.join(&name), &to.join(&name))?;
    }
    Ok(())
}
