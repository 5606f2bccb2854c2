//! Downloads Debian packages by `apt-get` without changing the system: with separate lists, cache
//! and sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::Stop;
use crate::shell;

/// Debian suites with different releases of Rust: backports, unstable, the next stable release, and
/// the stable release.
const SUITES: [&str; 4] = ["trixie-backports", "sid", "forky", "trixie"];

/// Keys of all Debian releases.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Downloads the package of the given upstream version into `scratch`. Returns the file and
/// Debian's version.
pub fn download(package: &str, upstream: &str, scratch: &Path) -> Result<(PathBuf, String), Stop> {
    if !shell::exists("apt-get", "--version") || !shell::exists("dpkg-deb", "--version") {
        return Err(Stop::Unavailable("there is no apt-get here to get Debian's package with".to_owned()));
    }
    let mut configured = Command::new("apt-get");
    configured.args(["indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"]);
    let targets = shell::capture(&mut configured)?;
    let archives = debian_archives(&targets);
    if archives.is_empty() {
        return Err(Stop::Unavailable("this machine's apt does not use a Debian archive".to_owned()));
    }
    let apt = Apt::new(scratch)?;
    let mut reasons = Vec::new();
    for suite in SUITES {
        if let Err(reason) = apt.update(&archives, suite) {
            reasons.push(shell::first_error(&reason));
            continue;
        }
        let listed = shell::capture(apt.command("apt-cache").args(["madison", package]))?;
        if let Some(version) = matching_version(&listed, upstream) {
            let file =
                apt.download(package, &version).map_err(|output| Stop::Unavailable(shell::first_error(&output)))?;
            return Ok((file, version));
        }
    }
    if reasons.len() < SUITES.len() {
        reasons.push(format!("no {package} {upstream} in Debian's {}", SUITES.join(", ")));
    }
    Err(Stop::Unavailable(reasons.join("\n")))
}

/// Downloads packages of the machine's own Debian, with the packages that they need and that are
/// not installed, and unpacks them into `root`.
pub fn unpack(packages: &[&str], scratch: &Path, root: &Path) -> Result<(), Stop> {
    if !shell::exists("apt-get", "--version") || !shell::exists("dpkg-deb", "--version") {
        return Err(Stop::Unavailable("there is no apt-get here to get Debian's packages with".to_owned()));
    }
    let [lists, archives] = ["lists", "archives"].map(|part| scratch.join(part));
    for path in [lists.join("partial"), archives.join("partial"), root.to_owned()] {
        fs::create_dir_all(&path).map_err(|error| format!("cannot create {}: {error}", path.display()))?;
    }
    let apt = || {
        let mut command = Command::new("apt-get");
        command.env("LC_ALL", "C").args(["-q", "-y", "-o", "APT::Sandbox::User=root", "-o", "Debug::NoLocking=1"]);
        command.arg("-o").arg(format!("Dir::State::lists={}", lists.display()));
        command.arg("-o").arg(format!("Dir::Cache::archives={}", archives.display()));
        command
    };
    let unavailable = |output: String| Stop::Unavailable(shell::first_error(&output));
    shell::capture(apt().arg("update")).map_err(unavailable)?;
    let mut install = apt();
    install.args(["--no-install-recommends", "--download-only", "--reinstall", "install"]).args(packages);
    shell::capture(&mut install).map_err(unavailable)?;
    let files = fs::read_dir(&archives).into_iter().flatten().flatten().map(|entry| entry.path());
    for file in files.filter(|path| path.extension().is_some_and(|extension| extension == "deb")) {
        shell::capture(Command::new("dpkg-deb").arg("-x").arg(&file).arg(root))?;
    }
    Ok(())
}

/// apt with its own state.
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
            // An unreachable mirror is an error, not a warning.
            "APT::Update::Error-Mode=any".to_owned(),
            // apt run by root would give the download to a user without write access here.
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

    fn update(&self, archives: &[&str], suite: &str) -> Result<(), String> {
        let key = if Path::new(KEYRING).exists() { format!("[signed-by={KEYRING}] ") } else { String::new() };
        let sources: String = archives.iter().map(|uri| format!("deb {key}{uri} {suite} main\n")).collect();
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

/// Returns the Debian archives that the machine's apt uses, without duplicates, security updates
/// and third-party archives. `targets` has a line for each list of packages, with the archive's URI
/// and the suite.
fn debian_archives(targets: &str) -> Vec<&str> {
    let mut archives = Vec::new();
    for (uri, suite) in targets.lines().filter_map(|line| line.split_once(' ')) {
        let uri = uri.trim_end_matches('/');
        let is_debian = matches!(uri.rsplit('/').next(), Some("debian" | "debian.list"));
        if is_debian && !suite.contains("-security") && !archives.contains(&uri) {
            archives.push(uri);
        }
    }
    archives
}

/// Returns the version of this upstream release from the output of `apt-cache madison`: `package |
/// version | archive`.
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

    #[test]
    fn only_debian_archives_are_taken_and_each_once() {
        let targets = "\
http://mirror.example/debian/ bookworm
http://mirror.example/debian/ bookworm-updates
http://mirror.example/debian-security/ bookworm-security
http://mirror.example/debian/ bookworm-security
http://mirror.example/ubuntu/ noble
http://other.example/apt/ stable
";
        assert_eq!(debian_archives(targets), ["http://mirror.example/debian"]);
        assert_eq!(debian_archives(""), [""; 0]);
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
