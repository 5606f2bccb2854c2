//! Debian packages by `apt-get`, without touching the system: with lists, cache and sources of our own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::Stop;
use crate::shell;

/// Where Debian keeps several releases of Rust: backports for the stable release, and what will be the next one.
const SUITES: [&str; 4] = ["trixie-backports", "sid", "forky", "trixie"];

/// The keys of all Debian releases.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// A line of `sources.list`, or a paragraph of a `.sources` file, as far as we need it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Source {
    uris: Vec<String>,
    suites: Vec<String>,
    signed_by: Option<String>,
}

/// Downloads the package in the given upstream version into `scratch`; returns the file and Debian's version.
pub fn download(package: &str, upstream: &str, scratch: &Path) -> Result<(PathBuf, String), Stop> {
    if !shell::exists("apt-get", "--version") || !shell::exists("dpkg-deb", "--version") {
        return Err(Stop::Unavailable("there is no apt-get here to get Debian's package with".to_owned()));
    }
    let archives = debian_archives(&configured_sources(Path::new("/etc/apt")));
    if archives.is_empty() {
        return Err(Stop::Unavailable("this machine's apt does not use a Debian archive".to_owned()));
    }
    let apt = Apt::new(scratch)?;
    let mut reasons = Vec::new();
    for suite in SUITES {
        if let Err(reason) = apt.update(&archives, suite) {
            reasons.push(shell::essence(&reason));
            continue;
        }
        let listed = shell::capture(apt.command("apt-cache").args(["madison", package]))?;
        if let Some(version) = matching_version(&listed, upstream) {
            let file = apt.download(package, &version).map_err(|output| Stop::Unavailable(shell::essence(&output)))?;
            return Ok((file, version));
        }
    }
    if reasons.len() < SUITES.len() {
        reasons.push(format!("no {package} {upstream} in Debian's {}", SUITES.join(", ")));
    }
    Err(Stop::Unavailable(reasons.join("\n")))
}

/// apt with a state of its own.
struct Apt {
    directory: PathBuf,
    options: Vec<String>,
}

impl Apt {
    fn new(directory: &Path) -> Result<Self, String> {
        for part in ["lists/partial", "cache/archives/partial"] {
            let path = directory.join(part);
            fs::create_dir_all(&path).map_err(|error| format!("cannot create {}: {error}", path.display()))?;
        }
        let at = |part: &str| directory.join(part).display().to_string();
        let options = vec![
            format!("Dir::State::lists={}", at("lists")),
            format!("Dir::Cache={}", at("cache")),
            format!("Dir::Etc::sourcelist={}", at("sources.list")),
            "Dir::Etc::sourceparts=/dev/null".to_owned(),
            "Dir::Etc::preferences=/dev/null".to_owned(),
            "Dir::Etc::preferencesparts=/dev/null".to_owned(),
            "Acquire::Languages=none".to_owned(),
            "Acquire::Retries=1".to_owned(),
            // A mirror that cannot be reached is an error, not a warning.
            "APT::Update::Error-Mode=any".to_owned(),
            // root's apt would hand the download to a user who may not write here.
            "APT::Sandbox::User=root".to_owned(),
        ];
        Ok(Self { directory: directory.to_owned(), options })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.directory).env("LC_ALL", "C").arg("-q");
        for option in &self.options {
            command.args(["-o", option]);
        }
        command
    }

    fn update(&self, archives: &[Source], suite: &str) -> Result<(), String> {
        let sources: String = archives.iter().flat_map(|archive| archive.one_line(suite)).collect();
        let path = self.directory.join("sources.list");
        fs::write(&path, sources).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        shell::capture(self.command("apt-get").arg("update")).map(drop)
    }

    fn download(&self, package: &str, version: &str) -> Result<PathBuf, String> {
        let packages = || fs::read_dir(&self.directory).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_package = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "deb");
        packages().filter(is_package).for_each(|old| drop(fs::remove_file(old)));
        shell::capture(self.command("apt-get").args(["download", &format!("{package}={version}")]))?;
        packages().find(is_package).ok_or_else(|| "apt-get downloaded nothing".to_owned())
    }
}

impl Source {
    /// In the format of `sources.list`, for another suite.
    fn one_line(&self, suite: &str) -> Vec<String> {
        let key = self.signed_by.clone().or_else(|| Path::new(KEYRING).exists().then(|| KEYRING.to_owned()));
        let options = key.map(|key| format!("[signed-by={key}] ")).unwrap_or_default();
        self.uris.iter().map(|uri| format!("deb {options}{uri} {suite} main\n")).collect()
    }

    /// Whether this is a Debian archive proper: not security updates, and not somebody else's packages.
    fn is_debian(&self) -> bool {
        let path_is_debian = |uri: &String| {
            let name = uri.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            name == "debian" || name == "debian.list"
        };
        !self.uris.is_empty()
            && self.uris.iter().all(path_is_debian)
            && !self.suites.iter().any(|suite| suite.contains("-security") || suite.contains('/'))
    }
}

/// The Debian archives among the sources, each once.
fn debian_archives(sources: &[Source]) -> Vec<Source> {
    let mut archives: Vec<Source> = Vec::new();
    for source in sources.iter().filter(|source| source.is_debian()) {
        if !archives.iter().any(|known| known.uris == source.uris) {
            archives.push(source.clone());
        }
    }
    archives
}

/// What the machine's apt is set up to use.
fn configured_sources(etc: &Path) -> Vec<Source> {
    let parts = fs::read_dir(etc.join("sources.list.d")).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = [etc.join("sources.list")].into_iter().chain(parts).collect();
    files.sort();
    let mut sources = Vec::new();
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("list") => sources.extend(text.lines().filter_map(parse_one_line)),
            Some("sources") => sources.extend(parse_paragraphs(&text)),
            _ => {}
        }
    }
    sources
}

/// `deb [signed-by=FILE arch=amd64] URI SUITE COMPONENT…`
fn parse_one_line(line: &str) -> Option<Source> {
    let rest = line.trim().strip_prefix("deb ")?.trim_start();
    let (options, rest) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => ("", rest),
    };
    let mut words = rest.split_whitespace().map(str::to_owned);
    let (uri, suite) = (words.next()?, words.next()?);
    let signed_by = options.split_whitespace().find_map(|option| option.strip_prefix("signed-by=")).map(str::to_owned);
    Some(Source { uris: vec![uri], suites: vec![suite], signed_by })
}

/// Paragraphs of `Field: value`, where a line that starts with a blank goes on with the value before.
fn parse_paragraphs(text: &str) -> Vec<Source> {
    let mut paragraphs: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields = paragraphs.last_mut().expect("starts with one");
        if line.trim().is_empty() {
            paragraphs.push(Vec::new());
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                *value += line;
            }
        } else if let Some((field, value)) = line.split_once(':') {
            fields.push((field.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    paragraphs.iter().filter_map(|fields| source_of_paragraph(fields)).collect()
}

fn source_of_paragraph(fields: &[(String, String)]) -> Option<Source> {
    let value = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
    let words =
        |name: &str| -> Vec<String> { value(name).unwrap_or_default().split_whitespace().map(str::to_owned).collect() };
    if !words("types").contains(&"deb".to_owned()) || value("enabled") == Some("no") {
        return None;
    }
    // The key can also stand in the file itself, where the list that we write cannot refer to it.
    let signed_by = value("signed-by").filter(|key| key.starts_with('/')).map(str::to_owned);
    Some(Source { uris: words("uris"), suites: words("suites"), signed_by })
}

/// The version of this upstream release in what `apt-cache madison` prints: `package | version | archive`.
fn matching_version(madison: &str, upstream: &str) -> Option<String> {
    let versions = madison.lines().filter_map(|line| line.split('|').nth(1)).map(str::trim);
    let matches = |version: &&str| {
        version.strip_prefix(upstream).is_some_and(|rest| rest.starts_with(['+', '-', '~']) || rest.is_empty())
    };
    versions.filter(matches).map(str::to_owned).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(uri: &str, suites: &[&str], signed_by: Option<&str>) -> Source {
        let suites = suites.iter().map(|&suite| suite.to_owned()).collect();
        Source { uris: vec![uri.to_owned()], suites, signed_by: signed_by.map(str::to_owned) }
    }

    #[test]
    fn one_line_sources_are_read() {
        let plain = parse_one_line("deb http://mirror.example/debian bookworm main contrib");
        assert_eq!(plain, Some(source("http://mirror.example/debian", &["bookworm"], None)));
        let signed = parse_one_line("  deb [arch=amd64 signed-by=/k.gpg] http://mirror.example/debian/ sid main");
        assert_eq!(signed, Some(source("http://mirror.example/debian/", &["sid"], Some("/k.gpg"))));
        assert_eq!(parse_one_line("# deb http://mirror.example/debian bookworm main"), None);
        assert_eq!(parse_one_line("deb-src http://mirror.example/debian bookworm main"), None);
        assert_eq!(parse_one_line("deb"), None);
    }

    #[test]
    fn paragraphs_are_read() {
        let text = "Types: deb deb-src\n# a comment\nURIs: http://mirror.example/debian\n\
                    Suites: bookworm\n bookworm-updates\nComponents: main\nSigned-By: /k.gpg\n\n\
                    Types: deb\nEnabled: no\nURIs: http://off.example/debian\nSuites: x\n\n\n\
                    Types: deb-src\nURIs: http://src.example/debian\nSuites: x\n\n\
                    Types: deb\nURIs: http://key.example/debian\nSuites: x\nSigned-By:\n -----BEGIN\n .\n -----END\n";
        let expected = [
            source("http://mirror.example/debian", &["bookworm", "bookworm-updates"], Some("/k.gpg")),
            source("http://key.example/debian", &["x"], None),
        ];
        assert_eq!(parse_paragraphs(text), expected);
    }

    #[test]
    fn only_debian_archives_are_taken_and_each_once() {
        let main = source("http://mirror.example/debian/", &["bookworm", "bookworm-updates"], None);
        let sources = [
            main.clone(),
            source("http://mirror.example/debian/", &["bookworm-backports"], None),
            source("http://mirror.example/debian-security", &["bookworm-security"], None),
            source("http://mirror.example/debian", &["bookworm-security"], None),
            source("http://mirror.example/ubuntu", &["noble"], None),
            source("http://other.example/apt", &["stable"], None),
        ];
        assert_eq!(debian_archives(&sources), [main]);
        assert_eq!(debian_archives(&[]), []);
    }

    #[test]
    fn a_source_is_written_for_another_suite() {
        let archive = source("http://mirror.example/debian", &["bookworm"], Some("/k.gpg"));
        let expected = ["deb [signed-by=/k.gpg] http://mirror.example/debian sid main\n"];
        assert_eq!(archive.one_line("sid"), expected);
    }

    #[test]
    fn a_version_matches_as_a_whole() {
        let madison = " rust-src | 1.95.0+dfsg1-2~bpo13+1 | http://mirror.example/debian x/main amd64 Packages\n \
                        rust-src | 1.9.0+dfsg1-1 | http://mirror.example/debian x/main amd64 Packages\n";
        assert_eq!(matching_version(madison, "1.95.0").as_deref(), Some("1.95.0+dfsg1-2~bpo13+1"));
        assert_eq!(matching_version(madison, "1.9.0").as_deref(), Some("1.9.0+dfsg1-1"));
        assert_eq!(matching_version(madison, "1.95"), None);
        assert_eq!(matching_version("", "1.95.0"), None);
    }
}
