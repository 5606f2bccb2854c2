//! The costs that `carrywave bench --calibrate` has measured on this machine, in a small JSON file.
//!
//! Each cost replaces the default of its job. A file that cannot be read is ignored with a warning.

use super::estimate::Cost;
use once_cell::race::OnceBox;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Environment variable with the path of the file; if it is empty, no file is read.
pub const VARIABLE: &str = "CARRYWAVE_CALIBRATION";

/// Version of the file's format.
const VERSION: u32 = 1;

/// Maximum size of the file, in bytes.
const MAX_BYTES: u64 = 1 << 16;

/// Measured costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    version: u32,
    /// Seconds to open the GPU; `None` without a GPU.
    pub opening: Option<f64>,
    /// Costs of each job, by its name.
    pub jobs: BTreeMap<String, Measured>,
}

/// Measured costs of a job; `None` for an engine that was not measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// On the CPU.
    pub cpu: Option<Cost>,
    /// On the GPU.
    pub gpu: Option<Cost>,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { version: VERSION, opening: None, jobs: BTreeMap::new() }
    }
}

/// Returns this machine's calibration; it is empty if there is no file or a broken one.
pub fn here() -> &'static Calibration {
    static HERE: OnceBox<Calibration> = OnceBox::new();
    HERE.get_or_init(|| Box::new(path().and_then(|path| read_or_warn(&path)).unwrap_or_default()))
}

/// Returns the path of the file; `None` if the environment names no folder for it.
pub fn path() -> Option<PathBuf> {
    path_in(|name| std::env::var_os(name))
}

/// Returns the path of the file in an environment.
fn path_in(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(path) = variable(VARIABLE) {
        return (!path.is_empty()).then(|| path.into());
    }
    // The XDG rules ignore a relative path.
    let folder = |name| variable(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let cache = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
    Some(cache.join("carrywave/calibration.json"))
}

/// Reads the file; `None`, with a warning if it is broken, if there is no calibration in it.
fn read_or_warn(path: &Path) -> Option<Calibration> {
    match read(path) {
        Ok(calibration) => calibration,
        Err(reason) => {
            log::warn!("{}: ignored, {reason}; carrywave bench --calibrate writes a new one", path.display());
            None
        }
    }
}

/// Reads the file; `None` if it does not exist.
///
/// # Errors
/// The reason why it cannot be used.
pub fn read(path: &Path) -> Result<Option<Calibration>, String> {
    match fs::metadata(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error.to_string()),
        Ok(about) if !about.is_file() => return Err("it is no file".into()),
        Ok(about) if about.len() > MAX_BYTES => return Err(format!("it has more than {MAX_BYTES} bytes")),
        Ok(_) => {}
    }
    let text = fs::read(path).map_err(|error| error.to_string())?;
    let calibration: Calibration = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    if calibration.version != VERSION {
        return Err(format!("it has version {}, not {VERSION}", calibration.version));
    }
    let costs = calibration.jobs.values().flat_map(|job| [job.cpu, job.gpu]).flatten();
    let is_time = calibration.opening.is_none_or(|seconds| (0.0..1e6).contains(&seconds));
    if !is_time || !costs.into_iter().all(|cost| cost.is_valid()) {
        return Err("a cost is no positive number of seconds".into());
    }
    Ok(Some(calibration))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_follows_the_environment() {
        let path =
            |variables: &[(&str, &str)]| path_in(|name| Some(variables.iter().find(|(own, _)| *own == name)?.1.into()));
        let home = ("HOME", "/home/me");
        assert_eq!(path(&[home]), Some("/home/me/.cache/carrywave/calibration.json".into()));
        assert_eq!(path(&[home, ("XDG_CACHE_HOME", "/c")]), Some("/c/carrywave/calibration.json".into()));
        assert_eq!(path(&[home, ("XDG_CACHE_HOME", "c")]), path(&[home]));
        assert_eq!(path(&[home, (VARIABLE, "x.json")]), Some("x.json".into()));
        assert_eq!((path(&[home, (VARIABLE, "")]), path(&[])), (None, None));
    }

    #[test]
    fn a_file_is_read_and_a_broken_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calibration.json");
        assert_eq!(read(&path), Ok(None));
        let cost = Cost { call: 0.0, symbol: 1e-9, cell: 1e-12 };
        let measured = Measured { cpu: Some(cost), gpu: None };
        let jobs = BTreeMap::from([("lcs".to_owned(), measured)]);
        let calibration = Calibration { opening: Some(0.25), jobs, ..Calibration::default() };
        let text = serde_json::to_string(&calibration).unwrap();
        fs::write(&path, &text).unwrap();
        assert_eq!(read(&path), Ok(Some(calibration)));
        assert!(read(folder.path()).unwrap_err().contains("no file"));
        for (from, to) in [
            ("0.25", "-1"),
            ("0.25", "1e300"),
            ("0.25", "null, \"more\": 1"),
            ("\"version\":1", "\"version\":2"),
            ("1e-12", "0"),
            ("1e-12", "\"fast\""),
            ("}", ""),
        ] {
            let broken = text.replacen(from, to, 1);
            assert_ne!(broken, text, "{from}");
            fs::write(&path, &broken).unwrap();
            assert!(read(&path).is_err(), "{broken}");
            assert_eq!(read_or_warn(&path), None);
        }
        fs::write(&path, vec![b' '; MAX_BYTES as usize + 1]).unwrap();
        assert!(read(&path).unwrap_err().contains("bytes"));
    }
}
