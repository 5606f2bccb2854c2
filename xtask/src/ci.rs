//! `cargo xtask ci`: what CI runs, in order, up to the first failure.

use std::env;
use std::time::{Duration, Instant};

use crate::outcome::{Outcome, Stop};
use crate::{api, fuzz, ptx, ptxas, rust_src, shell, template};

/// A step: its name, and what it does.
type Step = (&'static str, fn() -> Outcome);

/// The library source comes first, so that the build scripts of the later steps find it. The simulator is slow without
/// optimisation, so the tests use the release profile, and share it with `cargo run --release`.
const STEPS: [Step; 12] = [
    ("format", || crate::format(true)),
    ("library source", || rust_src::run(false)),
    ("lint", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])),
    ("lint without features", || cargo(&["clippy", "--no-default-features", "--", "-D", "warnings"], &[])),
    ("packaged PTX", ptx::check),
    ("registers and spills", ptxas::run),
    ("tests", || cargo(&["test", "--workspace", "--release", "--lib", "--bins", "--tests", "--examples"], &[])),
    ("kernels of one's own", template::run),
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

/// Runs cargo, and says how.
fn cargo(arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    println!("cargo {}", arguments.join(" "));
    shell::show(shell::cargo().args(arguments).envs(variables.iter().copied()))?;
    Ok("ok".to_owned())
}

fn seconds(time: Duration) -> String {
    format!("{:6.1} s", time.as_secs_f64())
}
