//! `cargo xtask template`: tests the packages that users copy, as a new user has them:
//! `examples/own_kernels` and the exercises of the book. The toolchain's crates are packaged as for
//! publication, in a folder outside the project. The template's test runs with and without the
//! standard library's source. The exercises are unsolved, and each check says what is wrong.

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

/// Packages the crates, builds, tests and runs the template with them, and tests the exercises.
pub fn run() -> Outcome {
    let folder = std::env::temp_dir().join(format!("own-kernels-{}", std::process::id()));
    let outcome = tried_in(&folder);
    let _ = fs::remove_dir_all(&folder);
    outcome
}

fn tried_in(folder: &Path) -> Outcome {
    let (template, exercises) = (folder.join("own_kernels"), folder.join("exercises"));
    package(folder)?;
    fill("examples/own_kernels", &template)?;
    fill("book/exercises", &exercises)?;
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
    let unsolved = unsolved(&exercises, &template.join("target"))?;
    Ok(format!("with the packaged crates, the template works {}, and {unsolved} exercises wait", tried.join(" and ")))
}

/// Packages the crates, and unpacks them in a folder outside the project.
fn package(folder: &Path) -> Result<(), Stop> {
    let target = shell::scratch("package-template")?;
    let mut package = shell::cargo();
    package.args(["package", "--quiet", "--no-verify", "--allow-dirty", "--target-dir"]).arg(&target);
    shell::capture(package.args(CRATES.iter().flat_map(|name| ["--package", name])))?;

    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for name in CRATES {
        let mut tar = Command::new("tar");
        tar.arg("-xzf").arg(target.join("package").join(archive(name))).arg("-C").arg(folder);
        shell::capture(&mut tar)?;
    }
    Ok(())
}

/// Returns the name of a packaged crate's file.
fn archive(name: &str) -> String {
    format!("{name}-{}.crate", env!("CARGO_PKG_VERSION"))
}

/// Copies a package of the project into a folder beside the unpacked crates, and lets it use them.
fn fill(package: &str, copy: &Path) -> Result<(), Stop> {
    let tell = |error: std::io::Error| format!("{}: {error}", copy.display());
    shell::copy(&shell::project().join(package), copy).map_err(tell)?;
    let manifest = copy.join("Cargo.toml");
    let mut text = fs::read_to_string(&manifest).map_err(tell)?;
    for name in CRATES {
        text = text.replace(&format!(", path = \"../../simt/{name}\""), "");
    }
    text += "\n[patch.crates-io]\n";
    for name in CRATES {
        text += &format!("{name} = {{ path = \"../{}\" }}\n", archive(name).trim_end_matches(".crate"));
    }
    if text.contains("simt/simt_") {
        return Err(Stop::Failed(format!("{package} still names the project's folders:\n{text}")));
    }
    Ok(fs::write(&manifest, text).map_err(tell)?)
}

/// Runs the checks of the exercises, and returns their number. Each of them fails, with a hint or
/// because nothing is written yet.
fn unsolved(exercises: &Path, target: &Path) -> Result<usize, Stop> {
    let mut command = shell::cargo();
    command.current_dir(exercises).args(["test", "--quiet"]).env("CARGO_TARGET_DIR", target).env("RUST_BACKTRACE", "0");
    let Err(output) = shell::capture(&mut command) else {
        return Err(Stop::Failed("all exercises are solved".to_owned()));
    };
    let reports: Vec<&str> = output.split("\n---- ").skip(1).collect();
    let helps = |report: &&str| report.contains("\n  hint: ") || report.contains("the result is not complete: ");
    match reports.iter().find(|report| !helps(report)) {
        Some(report) => Err(Stop::Failed(format!("an exercise gives no hint: {report}"))),
        None if !output.contains(" 0 passed; ") => Err(Stop::Failed(format!("some exercises are solved:\n{output}"))),
        None => Ok(reports.len()),
    }
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
