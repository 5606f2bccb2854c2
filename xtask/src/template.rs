//! `cargo xtask template`: tests the package in `examples/own_kernels` as a new user has it. The
//! toolchain's crates are packaged as for publication, in a folder outside the project, and the
//! test runs with and without the standard library's source.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::{Outcome, Stop};
use crate::shell;
use simt_builder::library;
use simt_builder::rustc::Rustc;

/// Crates that the template depends on.
const CRATES: [&str; 4] = ["simt_macros", "simt_std", "simt_builder", "simt_launch"];

/// Expected output of the template.
const SUMS: &str = "simulator: [32640.0, 98176.0, 163712.0, 204972.0]";

/// Packages the crates, and builds, tests and runs the template with them.
pub fn run() -> Outcome {
    let folder = std::env::temp_dir().join(format!("own-kernels-{}", std::process::id()));
    let outcome = tried_in(&folder);
    let _ = fs::remove_dir_all(&folder);
    outcome
}

fn tried_in(folder: &Path) -> Outcome {
    let template = folder.join("own_kernels");
    fill(folder, &template)?;
    let rustc = Rustc::current()?;
    let library = library::find(&rustc, &[shell::project().join("target")])?;

    let mut tried = Vec::new();
    if !library::is_complete(&library::in_sysroot(&rustc)) {
        let (output, _) = cargo(&template, &["run"], None)?;
        expect(&output, &[SUMS])?;
        expect(&fs::read_to_string(ptx(&template)?).unwrap_or_default(), &["// There is no PTX: "])?;
        tried.push("without the library source");
    }
    if let Some(library) = library {
        cargo(&template, &["test"], Some(&library))?;
        let (output, _) = cargo(&template, &["run"], Some(&library))?;
        expect(&output, &[SUMS])?;
        expect(&fs::read_to_string(ptx(&template)?).unwrap_or_default(), &[".entry block_sums(", "bar.sync"])?;
        tried.push("with the library source");
    }
    Ok(format!("the template works with the packaged crates, {}", tried.join(" and ")))
}

/// Fills a folder outside the project with the template and the unpacked crates.
fn fill(folder: &Path, template: &Path) -> Result<(), Stop> {
    let tell = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| format!("{path}: {error}")
    };
    let target = shell::scratch("package-template")?;
    let mut package = shell::cargo();
    package.args(["package", "--quiet", "--no-verify", "--allow-dirty", "--target-dir"]).arg(&target);
    shell::capture(package.args(CRATES.iter().flat_map(|name| ["--package", name])))?;

    shell::copy(&shell::project().join("examples/own_kernels"), template).map_err(tell(template))?;
    let manifest = template.join("Cargo.toml");
    let mut text = fs::read_to_string(&manifest).map_err(tell(&manifest))?;
    for name in CRATES {
        text = text.replace(&format!(", path = \"../../simt/{name}\""), "");
    }
    text += "\n[patch.crates-io]\n";
    for name in CRATES {
        let archive = format!("{name}-{}.crate", env!("CARGO_PKG_VERSION"));
        shell::capture(
            Command::new("tar").arg("-xzf").arg(target.join("package").join(&archive)).arg("-C").arg(folder),
        )?;
        text += &format!("{name} = {{ path = \"../{}\" }}\n", archive.trim_end_matches(".crate"));
    }
    if text.contains("simt/simt_") {
        return Err(Stop::Failed(format!("the template still names the project's folders:\n{text}")));
    }
    fs::write(&manifest, text).map_err(tell(&manifest))?;
    Ok(())
}

/// Runs cargo in the template's folder, with or without the library source.
fn cargo(template: &Path, arguments: &[&str], library: Option<&Path>) -> Result<(String, String), String> {
    let mut command = shell::cargo();
    command.current_dir(template).args(arguments).env_remove("CARGO_TARGET_DIR").env_remove("SIMT_PTX");
    match library {
        Some(library) => command.env(library::RUST_SRC_VAR, library).env("SIMT_PTX", "build"),
        None => command.env_remove(library::RUST_SRC_VAR),
    };
    shell::capture_both(&mut command)
}

/// Returns the newest PTX of the template's build script.
fn ptx(template: &Path) -> Result<PathBuf, String> {
    let builds = template.join("target/debug/build");
    let entries = fs::read_dir(&builds).map_err(|error| format!("{}: {error}", builds.display()))?;
    let made = entries.flatten().map(|entry| entry.path().join("out/kernels.ptx")).filter(|path| path.is_file());
    made.max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
        .ok_or_else(|| format!("there is no kernels.ptx in {}", builds.display()))
}

fn expect(text: &str, parts: &[&str]) -> Result<(), Stop> {
    match parts.iter().find(|part| !text.contains(**part)) {
        Some(part) => Err(Stop::Failed(format!("the template should say `{part}`, and says:\n{text}"))),
        None => Ok(()),
    }
}
