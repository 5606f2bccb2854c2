//! `cargo xtask wheel`: builds the Python package as a wheel, and tests it as a user would:
//! installed into a new environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::{Outcome, Stop};
use crate::{python, shell};

/// Maximum size of a wheel in bytes.
const MAX_BYTES: u64 = 13_000_000;

/// Levels above 9 select the compressor Zopfli, with that many more iterations.
const ZOPFLI_LEVEL: i64 = 9 + 10;

/// Build tool of the wheel.
const MATURIN: &str = "maturin>=1.9,<2";

/// Packages for the wheel's tests: the peers for comparison, a type checker, and the packages of
/// its examples.
const TESTS: [&str; 20] = [
    "pytest",
    "numpy",
    "pyarrow",
    "polars",
    "pandas",
    "edlib",
    "Levenshtein==0.27.*",
    "rapidfuzz>=3.14",
    "hypothesis",
    "mypy",
    "tqdm",
    "ray[data]",
    "dask[dataframe]",
    "datasketch",
    "duckdb",
    "splink>=5",
    "matplotlib",
    "jupytext",
    "nbconvert",
    "ipykernel",
];

/// Builds the wheel into `target/wheels`.
pub fn build() -> Outcome {
    let wheel = built()?;
    let bytes = fs::metadata(&wheel).map_err(|error| format!("{}: {error}", wheel.display()))?.len();
    if bytes > MAX_BYTES {
        return Err(Stop::Failed(format!("{} has {bytes} bytes, and may have {MAX_BYTES}", wheel.display())));
    }
    Ok(format!("{}: {:.2} MB", wheel.display(), bytes as f64 / 1e6))
}

/// Builds the wheel, installs it into a new environment, and runs the tests of `python/tests` with
/// it.
pub fn test() -> Outcome {
    let built = build()?;
    let folder = shell::scratch("wheel-tests")?;
    let python = python::environment("wheel-tests", &TESTS)?;
    python::pip(&python, &["--force-reinstall", "--no-deps"], &[&wheel()?.to_string_lossy()])?;
    pytest(&python, &folder, None)?;
    Ok(format!("{built}, and its tests passed"))
}

/// Runs the tests of `python/tests` with the package as the workspace's release build has it, which
/// shares the library with the tests in Rust.
pub fn test_unpacked() -> Outcome {
    // The tests are built, too: their dependencies turn on features of other crates. Without them,
    // the library would be compiled once more for the tests in Rust.
    shell::show(shell::cargo_for_tests().args([
        "build",
        "--workspace",
        shell::PARQUET,
        "--release",
        "--lib",
        "--tests",
    ]))?;
    let library = if cfg!(target_os = "macos") { "lib_carrywave.dylib" } else { "lib_carrywave.so" };
    // First: a new environment clears its folder.
    let python = python::environment("wheel-tests", &TESTS)?;
    let folder = shell::scratch("wheel-tests")?;
    let package = folder.join("unpacked/carrywave");
    let tell = |error: std::io::Error| format!("{}: {error}", package.display());
    let _ = fs::remove_dir_all(&package);
    shell::copy(&shell::project().join("python/carrywave"), &package).map_err(tell)?;
    let library = shell::target().join("release").join(library);
    fs::copy(library, package.join("_carrywave.abi3.so")).map_err(tell)?;
    pytest(&python, &folder, Some(&folder.join("unpacked")))?;
    Ok("the tests of the package passed".to_owned())
}

/// Runs the tests in a folder, with the package in `path`, or the one that is installed.
fn pytest(python: &Path, folder: &Path, path: Option<&Path>) -> Result<(), Stop> {
    let mut tests = Command::new(python);
    // Runs in another folder, so that the tests do not import the package's source.
    tests.current_dir(folder).args(["-m", "pytest", "-q", "--durations=5", "-p", "no:cacheprovider"]);
    tests.arg(shell::project().join("python/tests")).env("PYTHONDONTWRITEBYTECODE", "1");
    if let Some(path) = path {
        tests.env("PYTHONPATH", path);
    }
    shell::show(&mut tests)?;
    Ok(())
}

fn built() -> Result<PathBuf, Stop> {
    let python = python::environment("wheel-build", &[MATURIN])?;
    let wheels = shell::scratch("wheels")?;
    for old in wheels_in(&wheels) {
        fs::remove_file(&old).map_err(|error| format!("{}: {error}", old.display()))?;
    }
    let mut maturin = Command::new(&python);
    maturin.current_dir(shell::project()).args(["-m", "maturin", "build", "--release", "--locked"]);
    maturin.args(["--manifest-path", "python/Cargo.toml", "--compression-level", "9", "--out"]).arg(&wheels);
    // For this target, rustc's own linker merges functions with identical machine code.
    if cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")) {
        maturin.args(["--", "-C", "link-arg=-Wl,--icf=all"]);
    }
    shell::show(&mut maturin)?;
    let wheel = wheel()?;
    repack(&wheel).map_err(|error| format!("{}: {error}", wheel.display()))?;
    Ok(wheel)
}

/// Compresses the files of a wheel again, by a slower compressor of the same format: 1.3 % smaller.
fn repack(wheel: &Path) -> zip::result::ZipResult<()> {
    let repacked = wheel.with_extension("repacked");
    let mut from = zip::ZipArchive::new(fs::File::open(wheel)?)?;
    let mut to = zip::ZipWriter::new(fs::File::create(&repacked)?);
    for number in 0..from.len() {
        let mut file = from.by_index(number)?;
        let options = zip::write::SimpleFileOptions::default().compression_level(Some(ZOPFLI_LEVEL));
        to.start_file(file.name()?, options.unix_permissions(file.unix_mode().unwrap_or(0o644)))?;
        std::io::copy(&mut file, &mut to)?;
    }
    to.finish()?.sync_all()?;
    Ok(fs::rename(repacked, wheel)?)
}

/// Returns the newest built wheel.
fn wheel() -> Result<PathBuf, Stop> {
    let wheels = shell::scratch("wheels")?;
    wheels_in(&wheels).pop().ok_or_else(|| Stop::Failed(format!("there is no wheel in {}", wheels.display())))
}

fn wheels_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "whl")).collect()
}
