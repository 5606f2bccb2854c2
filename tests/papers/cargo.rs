//! Cargo commands on a page: checks that the test, bench, example or chore exists, and also the
//! tests of a filter and the options of a bench.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Subcommands of cargo other than tests, benches, programs and chores; they are not checked.
const OTHERS: [&str; 9] = ["add", "build", "check", "clippy", "doc", "fmt", "install", "new", "package"];

/// Options of cargo that take a value.
const VALUED: [&str; 9] =
    ["-p", "--package", "--test", "--bench", "--example", "--bin", "--features", "-F", "--profile"];

/// Options of cargo without a value.
const FLAGS: [&str; 13] = [
    "--release",
    "-r",
    "--workspace",
    "--all-features",
    "--no-default-features",
    "--lib",
    "--bins",
    "--tests",
    "--examples",
    "--doc",
    "--no-run",
    "-q",
    "--quiet",
];

/// A parsed cargo command.
#[derive(Debug)]
struct Line<'c> {
    /// Options, with their values if any.
    options: Vec<(&'c str, &'c str)>,
    /// Words that are not options.
    words: Vec<&'c str>,
    /// Words after `--`.
    rest: Vec<&'c str>,
}

impl<'c> Line<'c> {
    fn read(arguments: &'c [String]) -> Result<Self, String> {
        let mut line = Self { options: Vec::new(), words: Vec::new(), rest: Vec::new() };
        let mut arguments = arguments.iter().map(String::as_str);
        while let Some(argument) = arguments.next() {
            let (name, joined) = argument.split_once('=').unwrap_or((argument, ""));
            if argument == "--" {
                line.rest.extend(arguments.by_ref());
            } else if VALUED.contains(&name) && !joined.is_empty() {
                line.options.push((name, joined));
            } else if VALUED.contains(&argument) {
                line.options.push((argument, arguments.next().ok_or_else(|| format!("{argument} takes a value"))?));
            } else if FLAGS.contains(&argument) {
                line.options.push((argument, ""));
            } else if argument.starts_with('-') {
                return Err(format!("cargo has no {argument}"));
            } else {
                line.words.push(argument);
            }
        }
        Ok(line)
    }

    fn values(&self, names: &'static [&str]) -> impl Iterator<Item = &'c str> {
        self.options.iter().filter(|(name, _)| names.contains(name)).map(|(_, value)| *value)
    }

    fn has(&self, name: &'static str) -> bool {
        self.options.iter().any(|(own, _)| *own == name)
    }
}

/// A package of the workspace, from `cargo metadata`.
struct Package {
    folder: PathBuf,
    /// Targets of the package: types, name and root file of each.
    targets: Vec<(Vec<String>, String, PathBuf)>,
}

/// A project: its folder, and the packages of its workspace, each with its name and whether it is a
/// default member.
pub struct Project {
    pub folder: PathBuf,
    packages: Vec<(String, bool, Package)>,
}

impl Project {
    /// Runs cargo once for all commands.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--no-deps", "--offline", "--format-version=1", "--manifest-path"]);
        let output =
            cargo.arg(folder.join("Cargo.toml")).output().map_err(|error| format!("cargo metadata: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let default = list(&metadata["workspace_default_members"]);
        let package = |value: Value| {
            let target = |target: Value| {
                let kinds = list(&target["kind"]).iter().map(text).collect();
                (kinds, text(&target["name"]), PathBuf::from(text(&target["src_path"])))
            };
            let targets = list(&value["targets"]).into_iter().map(target).collect();
            let own = Path::new(&text(&value["manifest_path"])).parent().unwrap_or(folder).to_owned();
            (text(&value["name"]), default.contains(&value["id"]), Package { folder: own, targets })
        };
        let packages = list(&metadata["packages"]).into_iter().map(package).collect();
        Ok(Self { folder: folder.to_owned(), packages })
    }
}

impl Package {
    /// Returns the packages that a command is about: the named ones, or the workspace's default
    /// members.
    fn selected_by<'p>(project: &'p Project, line: &Line<'_>) -> Result<Vec<&'p Self>, String> {
        let all = &project.packages;
        let names: Vec<&str> = line.values(&["-p", "--package"]).collect();
        if let Some(missing) = names.iter().find(|wanted| all.iter().all(|(name, ..)| name != *wanted)) {
            return Err(format!("there is no package {missing}"));
        }
        let wanted = |name: &String, default: bool| match names.is_empty() {
            true => default || line.has("--workspace"),
            false => names.contains(&name.as_str()),
        };
        Ok(all.iter().filter(|(name, default, _)| wanted(name, *default)).map(|(.., package)| package).collect())
    }

    /// Returns the root file of a target of this type (`test`, `bench`, `example`, `lib` or `bin`).
    fn target(&self, kind: &str, name: &str) -> Option<&PathBuf> {
        self.targets
            .iter()
            .find(|(kinds, own, _)| own == name && kinds.iter().any(|own| own == kind))
            .map(|(.., file)| file)
    }

    /// Returns the folders of its library and its programs.
    fn sources(&self) -> impl Iterator<Item = &Path> {
        let own = |kinds: &[String]| {
            kinds.iter().any(|kind| ["lib", "rlib", "cdylib", "proc-macro", "bin"].contains(&kind.as_str()))
        };
        self.targets.iter().filter(move |(kinds, ..)| own(kinds)).filter_map(|(.., file)| file.parent())
    }
}

/// Returns the fault of a cargo command, if any; the first word is `cargo`.
pub fn fault(project: &Project, words: &[String]) -> Option<String> {
    if words.iter().any(|word| word.contains('…')) {
        return Some("a command is written out".into());
    }
    let (command, arguments) = words.get(1..)?.split_first()?;
    match command.as_str() {
        "test" => test(project, arguments),
        "bench" => bench(project, arguments),
        "run" => run(project, arguments),
        "xtask" => chore(project, arguments),
        other if OTHERS.contains(&other) => Ok(()),
        other => Err(format!("I do not know `cargo {other}`")),
    }
    .err()
}

/// Returns the file of each named target, in one of the packages.
fn targets(
    packages: &[&Package],
    names: impl Iterator<Item = impl AsRef<str>>,
    kind: &str,
) -> Result<Vec<PathBuf>, String> {
    names
        .map(|name| {
            let name = name.as_ref();
            let found = packages.iter().find_map(|package| package.target(kind, name));
            found.cloned().ok_or_else(|| format!("there is no {kind} {name}"))
        })
        .collect()
}

fn test(project: &Project, arguments: &[String]) -> Result<(), String> {
    let line = Line::read(arguments)?;
    let packages = Package::selected_by(project, &line)?;
    if let [_, second, ..] = line.words[..] {
        return Err(format!("cargo takes one filter before `--`, and not {second} too"));
    }
    let mut files = Vec::new();
    let named = targets(&packages, line.values(&["--test"]), "test")?;
    for file in &named {
        // A target in a folder has modules beside it.
        match file.file_name().is_some_and(|name| name == "main.rs") {
            true => sources(file.parent().unwrap_or(file), &mut files),
            false => files.push(file.clone()),
        }
    }
    if named.is_empty() || line.has("--lib") || line.has("--bins") || line.has("--doc") {
        packages.iter().flat_map(|package| package.sources()).for_each(|folder| sources(folder, &mut files));
    }
    if named.is_empty() && !["--lib", "--bins", "--doc"].into_iter().any(|option| line.has(option)) {
        packages.iter().for_each(|package| sources(&package.folder.join("tests"), &mut files));
    }
    let filters = line.words.iter().chain(&line.rest).filter(|word| !word.starts_with('-'));
    for filter in filters {
        let has = |file: &PathBuf| {
            fs::read_to_string(file).is_ok_and(|text| match line.has("--doc") {
                true => documents(file, &text, filter),
                false => test_names(file, &text).iter().any(|name| name.contains(filter)),
            })
        };
        if !files.iter().any(has) {
            return Err(format!("no test has {filter} in its name"));
        }
    }
    Ok(())
}

/// Returns the names of a file's tests, with the modules of its path.
fn test_names(file: &Path, text: &str) -> Vec<String> {
    let path = file.with_extension("");
    let parts = path.iter().filter_map(|part| part.to_str()).filter(|part| *part != "mod");
    let path = parts.collect::<Vec<_>>().join("::");
    let module = if text.contains("\nmod tests {") { "tests::" } else { "" };
    let mut names = Vec::new();
    let mut marked = false;
    for line in text.lines().map(str::trim) {
        marked |= line.starts_with("#[test]");
        let name = line.strip_prefix("fn ").and_then(|rest| rest.split(['(', '<']).next());
        if let Some(name) = name.filter(|_| std::mem::take(&mut marked)) {
            names.push(format!("{path}::{module}{name}"));
        }
    }
    names
}

/// Returns true if a file has examples in its documentation, and all names of a filter, such as
/// `module::Type`.
fn documents(file: &Path, text: &str, filter: &str) -> bool {
    let has = |part: &str| text.contains(part) || file.to_string_lossy().contains(part);
    ["/// ```", "//! ```"].into_iter().any(|mark| text.contains(mark)) && filter.split("::").all(has)
}

fn bench(project: &Project, arguments: &[String]) -> Result<(), String> {
    let line = Line::read(arguments)?;
    let packages = Package::selected_by(project, &line)?;
    for path in targets(&packages, line.values(&["--bench"]), "bench")? {
        let mut files = Vec::new();
        match path.file_name().is_some_and(|name| name == "main.rs") {
            true => sources(path.parent().unwrap_or(&path), &mut files),
            false => files.push(path.clone()),
        }
        packages.iter().for_each(|package| sources(&package.folder.join("benches/common"), &mut files));
        known_options(&line.rest, &files)?;
    }
    Ok(())
}

/// Returns an error for an option that no source contains as a string.
fn known_options(rest: &[&str], files: &[PathBuf]) -> Result<(), String> {
    let options = rest.iter().filter(|word| word.starts_with("--")).map(|word| word.split('=').next().unwrap_or(word));
    let known = |option: &str| {
        let quoted = format!("\"{option}\"");
        files.iter().any(|file| fs::read_to_string(file).is_ok_and(|text| text.contains(&quoted)))
    };
    options.into_iter().find(|option| !known(option)).map_or(Ok(()), |option| Err(format!("it has no {option}")))
}

fn run(project: &Project, arguments: &[String]) -> Result<(), String> {
    let line = Line::read(arguments)?;
    let packages = Package::selected_by(project, &line)?;
    targets(&packages, line.values(&["--example"]), "example").map(drop)
}

fn chore(project: &Project, arguments: &[String]) -> Result<(), String> {
    let Some((name, arguments)) = arguments.split_first() else { return Ok(()) };
    let mut files = Vec::new();
    sources(&project.folder.join("xtask/src"), &mut files);
    let begins = format!("[\"{name}\"");
    if !files.iter().any(|file| fs::read_to_string(file).is_ok_and(|text| text.contains(&begins))) {
        return Err(format!("there is no chore {name}"));
    }
    known_options(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &files)
}

/// Collects all sources in a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [(&str, &str); 12] = [
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\".\", \"k\"]\ndefault-members = [\".\"]\n\n[package]\nname = \"core\"\n\n[lib]\nname = \"c\"\npath = \"host/lib.rs\"\n\n[[bench]]\nname = \"b\"\npath = \"benches/b/main.rs\"\n",
        ),
        ("k/Cargo.toml", "[package]\nname = \"kernels\"\n"),
        ("k/src/lib.rs", ""),
        (
            "k/src/part/one.rs",
            "/// ```\n/// f();\n/// ```\nfn f() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n\n    fn helps() {}\n}\n",
        ),
        ("k/tests/duels.rs", "fn check() {}\n#[test]\n// Why.\nfn every_slip_loses() {}\n"),
        ("host/lib.rs", "#[test]\nfn own() {}\n"),
        ("tests/big/main.rs", "mod small;\n"),
        ("tests/big/small.rs", "#[test]\nfn of_a_module() {}\n"),
        ("benches/b/main.rs", "fn main() { \"--runs\"; }\n"),
        ("benches/common/line.rs", "\"--json\""),
        ("examples/01_e.rs", "fn main() {}"),
        ("xtask/src/main.rs", "[\"docs\"] => docs(), [\"ptx\", \"--check\"] => check(),"),
    ];

    /// Creates a small project, and returns it with its folder.
    fn project() -> (tempfile::TempDir, Project) {
        let project = tempfile::tempdir().unwrap();
        for (path, text) in FILES {
            let path = project.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let read = Project::read(project.path()).unwrap();
        (project, read)
    }

    fn say(project: &Project, command: &str) -> String {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        fault(project, &words).unwrap_or_default()
    }

    #[test]
    fn commands_that_are_right() {
        let (_folder, project) = project();
        for command in [
            "cargo",
            "cargo test",
            "cargo test --release -p kernels --test duels slip_loses -- --nocapture",
            "cargo test -p kernels --test duels -- every_slip_loses",
            "cargo test --test big of_a_module",
            "cargo test own",
            "cargo test -p kernels --lib part::one::tests::adds",
            "cargo test -p kernels --doc one::f",
            "cargo test --workspace adds",
            "cargo bench --bench b -- --runs 3 --json a.json",
            "cargo run --release --example 01_e",
            "cargo run --release -- lcs a b",
            "cargo xtask",
            "cargo xtask ptx --check",
            "cargo doc --open",
        ] {
            assert_eq!(say(&project, command), "", "{command}");
        }
    }

    #[test]
    fn faults_of_commands() {
        let (_folder, project) = project();
        for (command, expected) in [
            ("cargo tset", "I do not know `cargo tset`"),
            ("cargo test …", "a command is written out"),
            ("cargo test -p none", "there is no package none"),
            ("cargo test --test duels", "there is no test duels"),
            ("cargo test -p kernels --test duels check", "no test has check in its name"),
            ("cargo test -p kernels --test duels adds", "no test has adds in its name"),
            ("cargo test -p kernels helps", "no test has helps in its name"),
            ("cargo test -p kernels --test duels -- slip_loses check", "no test has check in its name"),
            ("cargo test adds", "no test has adds in its name"),
            ("cargo test -p kernels --doc nothing", "no test has nothing in its name"),
            ("cargo test own of_a_module", "cargo takes one filter before `--`, and not of_a_module too"),
            ("cargo test --fast", "cargo has no --fast"),
            ("cargo test --test", "--test takes a value"),
            ("cargo bench --bench c", "there is no bench c"),
            ("cargo bench --bench b -- --run", "it has no --run"),
            ("cargo run --example 02_e", "there is no example 02_e"),
            ("cargo xtask dcos", "there is no chore dcos"),
            ("cargo xtask ptx --chcek", "it has no --chcek"),
        ] {
            assert_eq!(say(&project, command), expected, "{command}");
        }
    }
}
