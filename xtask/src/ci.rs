//! `cargo xtask ci`: what CI runs, in order, up to the first failure.

use std::env;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::outcome::{Outcome, Stop};
use crate::{api, deny, fuzz, ptx, ptxas, rust_src, shell, template, wheel};

/// A step: its name, and what it does.
type Step = (&'static str, fn() -> Outcome);

/// The library's package: the program's would bring its features with it.
const LIBRARY: &str = "--package=carrywave";

/// The library source comes first, so that the build scripts of the later steps find it. The simulator is slow without
/// optimisation, so the tests use the release profile, and share it with `cargo run --release`.
const STEPS: [Step; 15] = [
    ("format", || crate::format::sources(true)),
    ("dependencies", deny::run),
    ("library source", || rust_src::run(false)),
    ("lint", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])),
    ("lint without features", || cargo(&["clippy", LIBRARY, "--no-default-features", "--", "-D", "warnings"], &[])),
    ("features", features),
    ("packaged PTX", ptx::check),
    ("registers and spills", ptxas::run),
    ("tests", || cargo(&["test", "--workspace", "--release", "--lib", "--bins", "--tests", "--examples"], &[])),
    ("kernels of one's own", template::run),
    ("Python package", wheel::test),
    ("random inputs", || fuzz::run(fuzz::SECONDS, 1)),
    ("documentation tests", || cargo(&["test", "--workspace", "--release", "--doc"], &[])),
    ("public interface", api::check),
    ("documentation", || cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])),
];

/// Runs the steps. What this machine cannot do is left out, except where `CI=true`.
pub fn run() -> Outcome {
    let strict = env::var("CI").is_ok_and(|value| value == "true" || value == "1");
    let start = Instant::now();
    let mut summary = String::from("\n");
    for (name, step) in STEPS {
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
                let total = seconds(start.elapsed());
                return Err(Stop::Failed(format!("{reason}\n{summary}  FAILED   {time}  {name}\n           {total}")));
            }
        }
    }
    Ok(format!("{summary}           {}", seconds(start.elapsed())))
}

/// Lints the library and its own tests without features, and with each alone. The tests run later, with all features.
fn features() -> Outcome {
    let path = shell::project().join("Cargo.toml");
    let manifest = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let names = feature_names(&manifest);
    if names.is_empty() {
        return Err(Stop::Failed(format!("{} has no features", path.display())));
    }
    let lint = |arguments: &[&str]| {
        let lint = ["clippy", LIBRARY, "--no-default-features"];
        cargo(&[&lint, arguments, &["--", "-D", "warnings"]].concat(), &[])
    };
    let tests = ["--lib", "--profile", "test"];
    lint(&tests)?;
    for name in &names {
        // The only one that takes a library of the system.
        if *name == "mpi" && Command::new("mpicc").arg("--version").output().is_err() {
            println!("not built: the feature mpi, since there is no mpicc");
            continue;
        }
        let features = format!("--features={name}");
        lint(&[&features])?;
        lint(&[&[&features[..]][..], &tests].concat())?;
    }
    Ok(format!("ok: {}", names.join(", ")))
}

/// The features of a manifest, but for `default`.
fn feature_names(manifest: &str) -> Vec<&str> {
    let lines = manifest.lines().skip_while(|line| line.trim() != "[features]").skip(1);
    let table = lines.take_while(|line| !line.starts_with('['));
    let names = table.filter_map(|line| Some(line.split_once('=')?.0.trim()).filter(|name| !name.starts_with('#')));
    names.filter(|&name| name != "default").collect()
}

/// Runs cargo, and says how.
fn cargo(arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    println!("cargo {}", arguments.join(" "));
    shell::show(shell::cargo().args(arguments).envs(variables.iter().copied()))?;
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
