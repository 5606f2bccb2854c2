//! The recipe from Rust to PTX: three calls of rustc, and where the library source for them comes from.
//!
//! Used twice: by `build.rs`, which embeds the result, and by `cargo xtask ptx`, which packages it. Standard library
//! only, since a build script should add no dependencies.
//!
//! 1. `core` for `nvptx64-nvidia-cuda` from the standard library's source, with bitcode for the link-time
//!    optimisation of step 3;
//! 2. an empty `compiler_builtins`, which rustc wants to see beside it;
//! 3. the kernel crate as a `cdylib` with fat LTO and `--emit=asm`: the assembly of this target is PTX. rustc takes
//!    `core` into the LTO only when it is to link as well, hence `link` and `-Zno-link`, which stops short of the linker.
//!
//! The first two lie in a private sysroot and are kept between builds. The features that the kernel crate needs are
//! unstable, so the three calls, and nothing else, run with `RUSTC_BOOTSTRAP=1`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target that rustc calls the NVIDIA GPU.
const TARGET: &str = "nvptx64-nvidia-cuda";

/// The oldest GPU the kernels run on: Volta, the first with independent threads and `shfl.sync`.
const GPU: &str = "sm_70";

/// Environment variable that names the directory `library` of the standard library's source.
pub const RUST_SRC_VAR: &str = "CARRYWAVE_RUST_SRC";

/// The PTX's first line starts with this and goes on with the compiler's version.
const STAMP: &str = "// carrywave kernels, compiled by ";

/// Where the packaged PTX lies inside the kernel crate.
pub const PACKAGED: &str = "ptx/carrywave_kernels.ptx";

/// Beside it: the source files it was made of and the fingerprint of each.
pub const SOURCES: &str = "ptx/sources.txt";

/// Flags of all three calls.
const COMMON: &[&str] = &["--edition=2024", "--target", TARGET, "-Copt-level=3", "-Cpanic=abort", "--color=never"];

/// Flags of the two calls that fill the private sysroot.
const LIBRARY: &[&str] =
    &["--crate-type=rlib", "-Cembed-bitcode=yes", "-Zforce-unstable-if-unmarked", "--cap-lints=allow"];

/// Flags of the call that makes the PTX.
const KERNELS: &[&str] = &[
    "--crate-type=cdylib",
    "-Ainternal_features",
    "--emit=asm,link,dep-info",
    "-Zno-link",
    "-Clto=fat",
    "-Ccodegen-units=1",
];

/// What the second call compiles.
const COMPILER_BUILTINS: &str = "#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n";

/// A Rust compiler.
pub struct Rustc {
    program: PathBuf,
    verbose_version: String,
    sysroot: PathBuf,
}

impl Rustc {
    /// The compiler that cargo uses: `$RUSTC`, or else the `rustc` in the path.
    pub fn current() -> Result<Self, String> {
        let program = env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
        let ask = |argument: &[&str]| run(command(&program).args(argument)).map(|o| o.stdout);
        let verbose_version = ask(&["-vV"])?;
        let sysroot = PathBuf::from(ask(&["--print", "sysroot"])?.trim());
        Ok(Self { program, verbose_version, sysroot })
    }

    /// The version line: `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub fn version(&self) -> &str {
        self.verbose_version.lines().next().unwrap_or_default()
    }

    /// The release alone: `1.95.0` or `1.97.0-nightly`.
    pub fn release(&self) -> &str {
        self.version().split_whitespace().nth(1).unwrap_or_default()
    }

    /// The directory of the toolchain.
    pub fn sysroot(&self) -> &Path {
        &self.sysroot
    }

    /// Where the source component of rustup lies, if it is there.
    pub fn sysroot_library(&self) -> PathBuf {
        self.sysroot.join("lib/rustlib/src/rust/library")
    }

    /// Whether rustc may duplicate a barrier by threading jumps in MIR: it leaves GPU targets alone from 1.97 on
    /// (rust#149637).
    fn threads_jumps(&self) -> bool {
        minor(self.release()).is_some_and(|minor| minor < 97)
    }
}

/// The `95` of `1.95.0-nightly`.
pub fn minor(release: &str) -> Option<u32> {
    release.strip_prefix("1.")?.split('.').next()?.parse().ok()
}

/// Where `cargo xtask rust-src` puts the source, whatever the target directory is.
pub fn fetched_library(project: &Path, release: &str) -> PathBuf {
    project.join("target/rust-src").join(release).join("library")
}

/// Whether this is a `library` directory with all that `core` consists of.
pub fn holds_core(library: &Path) -> bool {
    ["core/src/lib.rs", "stdarch/crates/core_arch/src/mod.rs", "portable-simd/crates/core_simd/src/mod.rs"]
        .iter()
        .all(|file| library.join(file).is_file())
}

/// The standard library's source: from `CARRYWAVE_RUST_SRC`, the toolchain, or where `cargo xtask rust-src` puts it.
/// To set the variable to a place that holds no source is an error.
pub fn find_library(rustc: &Rustc, project: &Path) -> Result<Option<PathBuf>, String> {
    if let Some(library) = env::var_os(RUST_SRC_VAR).map(PathBuf::from) {
        if holds_core(&library) {
            return Ok(Some(library));
        }
        let shown = library.display();
        return Err(format!("{RUST_SRC_VAR}={shown} is not the standard library's directory `library`"));
    }
    let places = [rustc.sysroot_library(), fetched_library(project, rustc.release())];
    Ok(places.into_iter().find(|library| holds_core(library)))
}

/// Builds the private sysroot in `cache`, unless this compiler has already built it there from this source.
///
/// An error means that this compiler and this source do not go together; it carries rustc's words.
pub fn build_core(rustc: &Rustc, library: &Path, cache: &Path) -> Result<PathBuf, String> {
    let sysroot = cache.join("sysroot");
    let key_file = cache.join("key");
    let key = format!("{}{}\n{COMMON:?}\n{LIBRARY:?}\n{GPU}\n", rustc.verbose_version, library.display());
    if fs::read_to_string(&key_file).is_ok_and(|old| old == key) {
        return Ok(sysroot);
    }

    let _ = fs::remove_file(&key_file);
    let _ = fs::remove_dir_all(&sysroot);
    let lib = sysroot.join("lib/rustlib").join(TARGET).join("lib");
    create_dir(&lib)?;
    let compile = |name: &str, source: &Path| {
        run(gpu_rustc(rustc, name)
            .args(LIBRARY)
            .arg(remap(library, "/rust/library"))
            .arg("--sysroot")
            .arg(&sysroot)
            .arg("-o")
            .arg(lib.join(format!("lib{name}.rlib")))
            .arg(source))
    };
    compile("core", &library.join("core/src/lib.rs"))?;
    let compiler_builtins = cache.join("compiler_builtins.rs");
    write(&compiler_builtins, COMPILER_BUILTINS)?;
    compile("compiler_builtins", &compiler_builtins)?;

    write(&key_file, &key)?;
    Ok(sysroot)
}

/// What step 3 makes.
pub struct Kernels {
    /// The PTX, with the compiler's version in its first line.
    pub ptx: String,
    /// The source files it is made of and their fingerprints: what [`SOURCES`] holds.
    pub sources: String,
    /// rustc's warnings.
    pub warnings: String,
}

/// Compiles the kernel crate in the directory `kernels`, by way of files in `scratch`.
///
/// The result depends on the compiler and the source files alone: not on where they lie, nor on the environment.
pub fn build_kernels(rustc: &Rustc, sysroot: &Path, kernels: &Path, scratch: &Path) -> Result<Kernels, String> {
    create_dir(scratch)?;
    let mut command = gpu_rustc(rustc, "carrywave_kernels");
    command.args(KERNELS).arg(remap(kernels, "gpu-kernels")).arg("--sysroot").arg(sysroot);
    if rustc.threads_jumps() {
        command.arg("-Zmir-enable-passes=-JumpThreading");
    }
    let output = run(command.arg("--out-dir").arg(scratch).arg(kernels.join("src/lib.rs")))?;

    let assembly = read(&scratch.join("carrywave_kernels.s"))?;
    let dependencies = read(&scratch.join("carrywave_kernels.d"))?;
    let mut sources = String::new();
    for file in sources_in(&dependencies, kernels) {
        writeln!(sources, "{:016x} {file}", fingerprint(&read(&kernels.join(&file))?)).expect("a String takes all");
    }
    Ok(Kernels { ptx: format!("{STAMP}{}\n{assembly}", rustc.version()), sources, warnings: output.stderr })
}

/// The files below `kernels` that rustc's dependency list names, in order, with `/` between directories.
pub fn sources_in(dependencies: &str, kernels: &Path) -> Vec<String> {
    // Besides the rules `output: inputs`, the list has an empty rule `input:` for every input.
    let inputs = dependencies.lines().filter_map(|line| line.strip_suffix(':')).map(|path| path.replace("\\ ", " "));
    let below = inputs.filter_map(|path| Some(Path::new(&path).strip_prefix(kernels).ok()?.display().to_string()));
    let mut files: Vec<String> = below.map(|file| file.replace('\\', "/")).collect();
    files.sort();
    files
}

/// FNV-1a of a source file, but for the lines that are comments: to see an edit, not to withstand an attack.
pub fn fingerprint(source: &str) -> u64 {
    let code = source.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let bytes = code.flat_map(|line| line.bytes().chain([b'\n']));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The source files in the directory `kernels` that have changed since the packaged PTX was made, by its `sources`.
pub fn changed_sources(sources: &str, kernels: &Path) -> Vec<String> {
    let changed = |line: &str| {
        let (recorded, file) = line.split_once(' ')?;
        let now = fs::read_to_string(kernels.join(file)).map(|source| fingerprint(&source));
        (u64::from_str_radix(recorded, 16).ok() != now.ok()).then(|| file.to_owned())
    };
    sources.lines().filter_map(changed).collect()
}

/// Which compiler made this PTX, by its first line.
pub fn made_by(ptx: &str) -> Option<&str> {
    ptx.lines().next()?.strip_prefix(STAMP)
}

/// One of the three calls, as far as they are alike.
fn gpu_rustc(rustc: &Rustc, crate_name: &str) -> Command {
    let mut command = command(&rustc.program);
    command.env("RUSTC_BOOTSTRAP", "1");
    command.args(["--crate-name", crate_name]).args(COMMON).arg(format!("-Ctarget-cpu={GPU}"));
    command
}

/// A command that does not see what cargo and its user's settings put into the environment.
fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os() {
        if changes_rustc(&name) {
            command.env_remove(name);
        }
    }
    command
}

/// Variables through which cargo, or a user's settings, reach rustc. What rustup needs to find the toolchain stays.
fn changes_rustc(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let prefixes = ["CARGO", "RUSTC", "RUSTFLAGS", "RUSTDOC", "RUST_LOG", "SOURCE_DATE_EPOCH"];
    name != "CARGO_HOME" && prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// `--remap-path-prefix`, so that file names in panic messages are the same everywhere.
fn remap(from: &Path, to: &str) -> OsString {
    let mut argument = OsString::from("--remap-path-prefix=");
    argument.push(from);
    argument.push("=");
    argument.push(to);
    argument
}

/// What a command that went well has written.
struct Output {
    stdout: String,
    stderr: String,
}

/// Runs a command to its end; its standard error is the error.
fn run(command: &mut Command) -> Result<Output, String> {
    let program = command.get_program().to_owned();
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    if output.status.success() {
        return Ok(Output { stdout, stderr });
    }
    Err(if stderr.is_empty() { format!("{} failed: {}", program.display(), output.status) } else { stderr })
}

fn create_dir(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("cannot create {}: {error}", path.display()))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
