//! `cargo xtask ci`: the steps of CI, in order, up to the first failure.

use std::env;
use std::fs;
use std::panic::resume_unwind;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::outcome::{Outcome, Stop};
use crate::{api, book, deny, fuzz, ptx, ptxas, rust_src, shell, template, wheel, words};

/// A step: its name and its function.
type Step = (&'static str, fn() -> Outcome);

/// Steps that run in order.
type Lane = &'static [Step];

/// The library's package. The program's package would enable the library's features.
const LIBRARY: &str = "--package=carrywave";

/// The stages run in order; the lanes of a stage run at the same time. A compiler's front end uses
/// one core, so kernels can compile while lints run. Builds of the last stage share all libraries:
/// one waits for the other, and the tests in Python run beside those in Rust.
///
/// The library source comes first, because the build scripts of the later steps need it. The
/// simulator is slow without optimisation, so the tests use the release profile.
const STAGES: [&[Lane]; 3] = [
    &[&[
        ("format", || crate::format::sources(true)),
        ("words", || words::run(false).map(|_| "plain".to_owned())),
        ("dependencies", deny::run),
        ("library source", || rust_src::run(false)),
        ("lint", || cargo(&["clippy", "--workspace", "--all-targets", shell::PARQUET, "--", "-D", "warnings"], &[])),
    ]],
    &[
        &[
            ("features", features),
            ("documentation", || cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])),
        ],
        &[("packaged PTX", ptx::check), ("registers and spills", ptxas::run), ("public interface", api::check)],
    ],
    &[
        &[
            // Not `--lib`, which would also compile tests of libraries that have none.
            ("tests", || test(&["--tests"])),
            ("kernels of one's own", template::run),
            ("random inputs", || fuzz::run(fuzz::SECONDS, 1)),
            ("documentation tests", || test(&["--doc"])),
            ("book", book::check),
        ],
        &[("Python package", wheel::test_unpacked)],
    ],
];

/// The outcome of some steps: a line for each, and the reason of the last one's failure, if it
/// failed.
struct Done {
    summary: String,
    failure: Option<String>,
}

/// Runs the steps. Skips those that this machine cannot run, unless `CI=true`.
pub fn run() -> Outcome {
    let strict = env::var("CI").is_ok_and(|value| value == "true" || value == "1");
    let start = Instant::now();
    let mut summary = String::from("\n");
    for stage in STAGES {
        let done: Vec<Done> = thread::scope(|scope| {
            let lanes: Vec<_> = stage.iter().map(|&lane| scope.spawn(move || in_order(lane, strict))).collect();
            lanes.into_iter().map(|lane| lane.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        summary.extend(done.iter().map(|done| done.summary.as_str()));
        let failures: Vec<String> = done.into_iter().filter_map(|done| done.failure).collect();
        if !failures.is_empty() {
            let total = seconds(start.elapsed());
            return Err(Stop::Failed(format!("{}\n{summary}           {total}", failures.join("\n"))));
        }
    }
    Ok(format!("{summary}           {}", seconds(start.elapsed())))
}

/// Runs steps in order, up to the first failure.
fn in_order(lane: Lane, strict: bool) -> Done {
    let mut summary = String::new();
    for (name, step) in lane {
        println!("==> {name}");
        let started = Instant::now();
        let outcome = step();
        let time = seconds(started.elapsed());
        match outcome {
            Ok(line) => {
                println!("{line}");
                summary += &format!("  ok       {time}  {name}\n");
            }
            Err(Stop::Unavailable(reason)) if !strict => {
                println!("skipped: {reason}");
                let first = reason.lines().next().unwrap_or_default();
                summary += &format!("  skipped  {time}  {name}: {first}\n");
            }
            Err(Stop::Failed(reason) | Stop::Unavailable(reason)) => {
                summary += &format!("  FAILED   {time}  {name}\n");
                return Done { summary, failure: Some(reason) };
            }
        }
    }
    Done { summary, failure: None }
}

/// Checks the library and its own tests without features, and the library with each single feature.
/// All features together are linted before, and tested later.
fn features() -> Outcome {
    let path = shell::project().join("Cargo.toml");
    let manifest = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let names = feature_names(&manifest);
    if names.is_empty() {
        return Err(Stop::Failed(format!("{} has no features", path.display())));
    }
    const NONE: [&str; 3] = [LIBRARY, "--lib", "--no-default-features"];
    const WARNINGS: [&str; 3] = ["--", "-D", "warnings"];
    cargo(&[&["clippy"][..], &NONE, &["--profile", "test"], &WARNINGS].concat(), &[])?;
    for name in &names {
        // The only feature that needs a library of the system.
        if *name == "mpi" && Command::new("mpicc").arg("--version").output().is_err() {
            println!("not built: the feature mpi, since there is no mpicc");
            continue;
        }
        // `cargo check`, with options of the compiler.
        let check = [&["rustc"][..], &NONE, &["--profile", "check", &format!("--features={name}")], &WARNINGS];
        cargo(&check.concat(), &[])?;
    }
    Ok(format!("ok: {}", names.join(", ")))
}

/// Returns the features of a manifest, without `default`.
fn feature_names(manifest: &str) -> Vec<&str> {
    let lines = manifest.lines().skip_while(|line| line.trim() != "[features]").skip(1);
    let table = lines.take_while(|line| !line.starts_with('['));
    let names = table.filter_map(|line| Some(line.split_once('=')?.0.trim()).filter(|name| !name.starts_with('#')));
    names.filter(|&name| name != "default").collect()
}

/// Prints and runs a cargo command.
fn cargo(arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    show(shell::cargo().envs(variables.iter().copied()), arguments)
}

/// Runs tests in the release profile. A failure does not hide those of other files.
fn test(targets: &[&str]) -> Outcome {
    show(
        &mut shell::cargo_for_tests(),
        &[&["test", "--workspace", shell::PARQUET, "--release", "--no-fail-fast"], targets].concat(),
    )
}

/// Prints the arguments of a cargo command, and runs it with them.
fn show(command: &mut Command, arguments: &[&str]) -> Outcome {
    println!("cargo {}", arguments.join(" "));
    shell::show(command.args(arguments))?;
    Ok("ok".to_owned())
}

fn seconds(time: Duration) -> String {
    format!("{:6.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_a_manifest() {
        let manifest = "[package]\nname = \"p\"\n\n[features]\ndefault = [\"a\"]\n# b = what it is.\na = []\nc-d = [\"dep:x\"]\n\n[dependencies]\nx = \"1\"\n";
        assert_eq!(feature_names(manifest), ["a", "c-d"]);
        assert!(feature_names("[package]\n").is_empty());
        let own = fs::read_to_string(shell::project().join("Cargo.toml")).unwrap();
        assert!(
            ["compressed-ptx", "gpu", "io", "machine", "plot"].iter().all(|name| feature_names(&own).contains(name))
        );
    }
}
