//! Compiles `gpu-kernels` to PTX, or takes the packaged PTX, and hands it to the library.
//!
//! `$OUT_DIR/carrywave_kernels.ptx` is the result and `CARRYWAVE_PTX_ORIGIN` says where it comes from. The recipe is
//! in `build/ptx.rs`. Without the feature `gpu` there is nothing to do.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[path = "build/ptx.rs"]
#[allow(dead_code, reason = "shared with xtask, which uses more of it")]
mod ptx;

/// `build` makes a missing library source an error, `packaged` does not look for one.
const CHOICE_VAR: &str = "CARRYWAVE_PTX";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build/ptx.rs");
    if env::var_os("CARGO_FEATURE_GPU").is_none() {
        return ExitCode::SUCCESS;
    }
    println!("cargo::rerun-if-env-changed={CHOICE_VAR}");
    println!("cargo::rerun-if-env-changed={}", ptx::RUST_SRC_VAR);
    match embed() {
        Ok(origin) => {
            println!("cargo::rustc-env=CARRYWAVE_PTX_ORIGIN={origin}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            // cargo shows a failed build script's standard error as it is.
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Puts the PTX in its place and says where it comes from.
fn embed() -> Result<String, String> {
    let project = directory("CARGO_MANIFEST_DIR")?;
    // From the kernel crate's own build script: a published package does not have it inside.
    let kernels = directory("DEP_CARRYWAVE_KERNELS_DIR")?;
    let out = directory("OUT_DIR")?;
    let result = out.join("carrywave_kernels.ptx");

    watch(&kernels.join("src"));
    watch(&kernels.join(ptx::PACKAGED));
    let choice = env::var(CHOICE_VAR).unwrap_or_default();
    if choice == "packaged" {
        return take_packaged(&kernels, &result);
    }

    let rustc = ptx::Rustc::current()?;
    // rustup writes this list when a component, such as the library source, comes or goes.
    watch(&rustc.sysroot().join("lib/rustlib/components"));
    let Some(library) = ptx::find_library(&rustc, &project)? else {
        if choice == "build" {
            return Err(format!("{CHOICE_VAR}=build, and no standard library source: try `cargo xtask rust-src`"));
        }
        eprintln!("no standard library source: the packaged PTX is taken (`cargo xtask rust-src` gets the source)");
        return take_packaged(&kernels, &result);
    };
    watch(&library.join("core/src/lib.rs"));

    let sysroot = match ptx::build_core(&rustc, &library, &out.join("core")) {
        Ok(sysroot) => sysroot,
        Err(message) if choice == "build" => return Err(message),
        Err(message) => {
            let from = library.display();
            println!("cargo::warning={} cannot compile core from {from}: the packaged PTX is taken", rustc.version());
            for line in message.lines().take(12) {
                println!("cargo::warning=  {line}");
            }
            return take_packaged(&kernels, &result);
        }
    };
    let built = ptx::build_kernels(&rustc, &sysroot, &kernels, &out.join("kernels"))
        .map_err(|message| format!("The kernels in {} do not compile:\n\n{message}", kernels.display()))?;
    eprint!("{}", built.warnings);
    ptx::write(&result, &built.ptx)?;
    Ok(format!("built by {}", rustc.version()))
}

/// Copies the PTX that comes with the kernel crate.
fn take_packaged(kernels: &Path, result: &Path) -> Result<String, String> {
    let packaged = kernels.join(ptx::PACKAGED);
    let text = fs::read_to_string(&packaged).map_err(|error| {
        format!(
            "There is no standard library source to compile the kernels with, and no packaged PTX: {}: {error}\n\
                 Try `cargo xtask rust-src`.",
            packaged.display()
        )
    })?;
    // cargo repeats a warning at every build, so the packaged PTX is worth one only where it is not what the sources say.
    let sources = fs::read_to_string(kernels.join(ptx::SOURCES)).unwrap_or_default();
    for file in ptx::changed_sources(&sources, kernels) {
        println!(
            "cargo::warning=gpu-kernels/{file} has changed since the packaged PTX was made, which is used here all the same: `cargo xtask rust-src` gets what compiling it needs"
        );
    }
    ptx::write(result, &text)?;
    Ok(match ptx::made_by(&text) {
        Some(rustc) => format!("packaged, built by {rustc}"),
        None => "packaged".to_owned(),
    })
}

fn directory(variable: &str) -> Result<PathBuf, String> {
    env::var_os(variable).map(PathBuf::from).ok_or_else(|| format!("cargo did not set {variable}"))
}

/// Asks cargo to run this script again when the path changes. A path that is not there would make it run every time.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}
