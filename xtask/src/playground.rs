//! `cargo xtask playground`: builds the page of kernels on the simulator into `target/playground`.
//!
//! ```text
//! simt/playground ─ rustc for wasm32 ─> module ─ wasm-opt (Asyncify) ─> simulator.wasm
//! fibers.js, simt/playground/page/*.js ─ one after the other ─────────> playground.js
//! ```
//!
//! A page that is opened as a file may not fetch `simulator.wasm`. For it, `simulator.wasm.js` has
//! the same bytes as text.

mod browser;
mod wasm_std;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::{Outcome, Stop};
use crate::shell;

/// The package with `wasm-opt`, in the npm registry.
const BINARYEN: &str = "binaryen@132.0.0";

/// The scripts of the page, in the order in which they use each other.
const SCRIPTS: [&str; 6] = [
    "simt/simt_std/src/simulator/coroutine/fibers.js",
    "simt/playground/page/simulator.js",
    "simt/playground/page/source.js",
    "simt/playground/page/timeline.js",
    "simt/playground/page/lanes.js",
    "simt/playground/page/main.js",
];

/// Builds the page.
pub fn build() -> Outcome {
    let wasm_opt = wasm_opt()?;
    let module = wasm_std::compile()?;
    let page = shell::scratch("playground")?;
    let wasm = page.join("simulator.wasm");
    shell::capture(
        Command::new("node")
            .arg(&wasm_opt)
            .arg(&module)
            .args(["-Os", "--asyncify", "--pass-arg=asyncify-imports@env.simt_suspend", "-o"])
            .arg(&wasm),
    )?;
    let bytes = read(&wasm)?;
    write(&page.join("simulator.wasm.js"), format!("globalThis.simulatorWasm = \"{}\";\n", base64(&bytes)).as_bytes())?;
    let project = shell::project();
    for file in ["index.html", "playground.css"] {
        write(&page.join(file), &read(&project.join("simt/playground/page").join(file))?)?;
    }
    // The scripts share no names with others.
    let mut script = b"\"use strict\";\n(() => {\n".to_vec();
    for file in SCRIPTS {
        script.extend(read(&project.join(file))?);
    }
    script.extend(b"})();\n");
    write(&page.join("playground.js"), &script)?;
    Ok(format!("{} is there ({} KB of WebAssembly)", page.join("index.html").display(), bytes.len() / 1000))
}

/// Builds the page, and tests it in a browser.
pub fn test() -> Outcome {
    let built = build()?;
    browser::test(&shell::scratch("playground")?)?;
    Ok(built)
}

/// Returns npm's `wasm-opt`, and gets it if necessary.
fn wasm_opt() -> Result<PathBuf, Stop> {
    for program in ["node", "npm"] {
        if !shell::exists(program, "--version") {
            return Err(Stop::Unavailable(format!("there is no {program} here, which `wasm-opt` needs")));
        }
    }
    let place = shell::scratch("binaryen")?;
    let program = place.join("node_modules/binaryen/bin/wasm-opt");
    if !program.exists() {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&place).arg(BINARYEN);
        shell::capture(&mut npm).map_err(Stop::Unavailable)?;
    }
    Ok(program)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Returns bytes as text that a browser's `atob` reads.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().enumerate().map(|(i, &byte)| u32::from(byte) << (16 - 8 * i)).sum::<u32>();
        let digit = |i: usize| {
            if i > group.len() { '=' } else { char::from(DIGITS[(bits >> (18 - 6 * i)) as usize & 63]) }
        };
        text.extend((0..4).map(digit));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_of_the_standards_examples() {
        // RFC 4648, section 10.
        let examples =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")];
        for (bytes, text) in examples {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }
}
