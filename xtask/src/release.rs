//! `cargo xtask release`: checks the conditions for publishing a version, and prints the notes of
//! the release. Publishing itself is left to a person.

use std::fs;

use serde_json::Value;

use crate::outcome::{Outcome, Stop};
use crate::{shell, wheel};

/// The version of all packages.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Maximum size of a package on crates.io, in bytes.
const MAX_BYTES: u64 = 10_000_000;

/// Input of the steps.
struct Release {
    /// Packages of the workspace from `cargo metadata`.
    packages: Vec<Value>,
    changelog: String,
    /// True to also run the steps that take minutes.
    full: bool,
}

/// A step: its name, its function, and advice if it fails.
struct Step {
    name: &'static str,
    run: fn(&Release) -> Outcome,
    advice: &'static str,
}

const STEPS: [Step; 6] = [
    Step { name: "clean tree", run: clean, advice: "commit or remove these files" },
    Step { name: "versions", run: versions, advice: "set them to the workspace's version in Cargo.toml" },
    Step {
        name: "changelog",
        run: changelog,
        advice: "rename the section [Unreleased] of CHANGELOG.md to the version and the date, and begin a new one",
    },
    Step {
        name: "packages",
        run: packages,
        advice: "fix `include`, `exclude` and the metadata in the packages' Cargo.toml",
    },
    Step { name: "packages compile", run: compiled, advice: "fix what a package needs from outside its folder" },
    Step { name: "wheel", run: wheel, advice: "fix the Python package: `cargo xtask wheel --test`" },
];

/// Runs all steps, and prints each with its outcome. `full` also compiles the packages and tests
/// the wheel.
pub fn run(full: bool) -> Outcome {
    let release = Release {
        packages: workspace()?,
        changelog: fs::read_to_string(shell::project().join("CHANGELOG.md")).unwrap_or_default(),
        full,
    };
    let mut failed = 0;
    for Step { name, run, advice } in STEPS {
        match run(&release) {
            Ok(line) => println!("ok       {name}: {line}"),
            Err(Stop::Unavailable(reason)) => println!("skipped  {name}: {reason}"),
            Err(Stop::Failed(reason)) => {
                failed += 1;
                println!("FAILED   {name}: {}\n         what to do: {advice}", reason.trim_end());
            }
        }
    }
    if failed > 0 {
        return Err(Stop::Failed(format!("{failed} of {} steps failed: {VERSION} is not ready", STEPS.len())));
    }
    let notes = section(&release.changelog, VERSION).unwrap_or_default();
    let names: Vec<&str> = published(&release.packages).map(name).collect();
    Ok(format!(
        "\nNotes of {VERSION}:\n\n{notes}\n\n\
         Nothing is published. What a person does, after `cargo xtask ci` on the same commit and `carrywave verify` on a GPU:\n\
         \x20 git tag v{VERSION} && git push origin v{VERSION}\n\
         \x20 cargo publish --workspace      ({})\n\
         \x20 twine upload target/wheels/*\n",
        names.join(", ")
    ))
}

fn clean(_: &Release) -> Outcome {
    let changes = shell::capture(
        std::process::Command::new("git").current_dir(shell::project()).args(["status", "--porcelain"]),
    )?;
    if changes.is_empty() { Ok("no file differs from the last commit".into()) } else { Err(Stop::Failed(changes)) }
}

/// Checks that all packages have one version, and require this version of each other; also checks
/// the template.
fn versions(release: &Release) -> Outcome {
    let mut wrong = Vec::new();
    for package in &release.packages {
        if package["version"] != VERSION {
            wrong.push(format!("{} has {}", name(package), package["version"]));
        }
    }
    for package in published(&release.packages) {
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let is_ours = dependency["path"].is_string() && dependency["kind"] != "dev";
            if is_ours && dependency["req"] != format!("^{VERSION}") {
                wrong.push(format!("{} asks for {} {}", name(package), name(dependency), dependency["req"]));
            }
        }
    }
    let template = fs::read_to_string(shell::project().join("examples/own_kernels/Cargo.toml")).unwrap_or_default();
    let asked = template.lines().filter(|line| line.contains("path = "));
    wrong.extend(
        asked.filter(|line| !line.contains(&format!("\"{VERSION}\""))).map(|line| format!("the template: {line}")),
    );
    if wrong.is_empty() {
        return Ok(format!("all {} packages are {VERSION}", release.packages.len()));
    }
    Err(Stop::Failed(wrong.join("\n")))
}

fn changelog(release: &Release) -> Outcome {
    match section(&release.changelog, VERSION) {
        Some(notes) => Ok(format!("{} lines about {VERSION}", notes.lines().count())),
        None => Err(Stop::Failed(format!("CHANGELOG.md has no section [{VERSION}]"))),
    }
}

/// Packages each crate without compiling it. Checks its size, and that the library contains the
/// files that it is built from.
fn packages(release: &Release) -> Outcome {
    let target = shell::scratch("release")?;
    let mut package = shell::cargo();
    package.args(["package", "--quiet", "--no-verify", "--allow-dirty", "--target-dir"]).arg(&target);
    shell::capture(package.args(arguments(release)))?;
    let mut sizes = Vec::new();
    for name in published(&release.packages).map(name) {
        let path = target.join("package").join(format!("{name}-{VERSION}.crate"));
        let bytes = fs::metadata(&path).map_err(|error| format!("{}: {error}", path.display()))?.len();
        if bytes > MAX_BYTES {
            return Err(Stop::Failed(format!("{name} has {bytes} bytes, and crates.io takes {MAX_BYTES}")));
        }
        sizes.push(format!("{name} {:.2} MB", bytes as f64 / 1e6));
    }
    for (name, file) in
        [("carrywave", "build.rs"), ("carrywave", "host/lib.rs"), ("carrywave-kernels", "ptx/carrywave_kernels.ptx")]
    {
        let list = shell::capture(shell::cargo().args(["package", "--list", "--allow-dirty", "--package", name]))?;
        if !list.lines().any(|line| line == file) {
            return Err(Stop::Failed(format!("the package {name} has no {file}")));
        }
    }
    Ok(sizes.join(", "))
}

/// Compiles each crate from its package.
fn compiled(release: &Release) -> Outcome {
    if !release.full {
        return Err(Stop::Unavailable("takes minutes; `cargo xtask release --full` does it".into()));
    }
    let mut package = shell::cargo();
    package.args(["package", "--quiet", "--allow-dirty", "--target-dir"]).arg(shell::scratch("release")?);
    shell::capture(package.args(arguments(release)))?;
    Ok("each compiles from its package alone".into())
}

fn wheel(release: &Release) -> Outcome {
    if !release.full {
        return Err(Stop::Unavailable("takes minutes; `cargo xtask release --full` builds and tests it".into()));
    }
    wheel::test()
}

/// Returns the packages of the workspace.
fn workspace() -> Result<Vec<Value>, Stop> {
    let text = shell::capture(shell::cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    Ok(metadata["packages"].as_array().cloned().unwrap_or_default())
}

/// Returns the packages that are published on crates.io.
fn published(packages: &[Value]) -> impl Iterator<Item = &Value> {
    packages.iter().filter(|package| package["publish"].is_null())
}

fn name(value: &Value) -> &str {
    value["name"].as_str().unwrap_or_default()
}

/// Returns cargo's arguments that select these packages.
fn arguments(release: &Release) -> impl Iterator<Item = String> {
    published(&release.packages).map(|package| format!("--package={}", name(package)))
}

/// Returns a version's section of the changelog, without its heading.
fn section<'c>(changelog: &'c str, version: &str) -> Option<&'c str> {
    let (_, rest) = changelog.split_once(&format!("\n## [{version}]"))?;
    let (_, rest) = rest.split_once('\n')?;
    Some(rest.split("\n## ").next().unwrap_or_default().trim())
}

#[cfg(test)]
mod tests {
    use super::section;

    #[test]
    fn a_versions_section() {
        let changelog = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-01\n\n### Added\n\n- x\n\n## [0.1.0] - 2026-12-01\n\n- y\n";
        assert_eq!(section(changelog, "0.2.0"), Some("### Added\n\n- x"));
        assert_eq!(section(changelog, "0.1.0"), Some("- y"));
        assert_eq!(section(changelog, "Unreleased"), Some(""));
        assert_eq!(section(changelog, "0.3.0"), None);
    }
}
