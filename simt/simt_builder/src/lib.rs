//! Compiles GPU kernels in Rust to PTX in a build script, with rustc alone.
//!
//! It needs no CUDA, no LLVM and no nightly compiler, only the standard library's source (`rustup
//! component add rust-src`). This is the build script of a crate with its kernels in
//! `src/kernels.rs`:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     simt_builder::Kernels::new("src/kernels.rs").build()
//! }
//! ```
//!
//! The crate depends on `simt_std`, and includes the result by `simt_launch::module!()`, or the PTX
//! alone by `include_str!(concat!(env!("OUT_DIR"), "/kernels.ptx"))`. The environment variable
//! `SIMT_PTX_ORIGIN`, for `env!`, states the PTX's origin.
//!
//! The file of the kernels is compiled twice: as a module of its crate, for the simulator, and by
//! itself, for the GPU. So it refers to its own items by `self::`, not by `crate::`, and needs no
//! attributes.
//!
//! **Without the library source**, a crate can provide packaged PTX ([`Kernels::packaged`]). A
//! crate without it still builds: its kernels run on the simulator, the PTX contains only the
//! reason, and cargo shows a warning.
//!
//! **Machine code** ([`Kernels::machine_code`]) starts without the driver's compiler, which takes
//! 0.02 to 1 s for a kernel that it has not compiled before. It is assembled by NVIDIA's `ptxas`,
//! or packaged beside the PTX.
//!
//! | environment variable | |
//! |---|---|
//! | `SIMT_PTX=build` | always compile, even if the packaged PTX is up to date, or fail |
//! | `SIMT_PTX=packaged` | always use the packaged PTX, even if the sources have changed |
//! | `SIMT_RUST_SRC=DIRECTORY` | the directory `library` of the standard library's source |
//! | `SIMT_PTXAS=PROGRAM` | NVIDIA's assembler, for machine code of PTX that is compiled here |
//!
//! | module | contents |
//! |---|---|
//! | [`recipe`] | the six calls of rustc |
//! | [`target`] | the type of GPU and the version of PTX |
//! | [`machine_code`] | NVIDIA's assembler |
//! | [`usage`] | the registers and memory of each kernel |
//! | [`packaged`] | PTX that comes with a crate, and the list of its sources |
//! | [`kernel_list`] | the places of the kernels in PTX |
//! | [`library`] | the search for the standard library's source |
//! | [`collectives`] | the number of collectives of each kernel |
//! | [`diagnostics`] | error messages about kernels |
//! | [`rustc`] | the compiler |

pub mod collectives;
pub mod diagnostics;
mod files;
pub mod kernel_list;
pub mod library;
pub mod machine_code;
mod maxntid;
pub mod packaged;
mod ptx_checks;
pub mod recipe;
pub mod rustc;
mod shared_names;
mod sources;
pub mod target;
pub mod usage;

use diagnostics::Failure;
use files::{read, write};
use machine_code::Image;
use recipe::{Crates, build_core, build_kernels};
use rustc::Rustc;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use target::Target;

/// Environment variable that chooses between compiling and the packaged PTX.
const CHOICE_VAR: &str = "SIMT_PTX";

/// Environment variable with the assembler.
const PTXAS_VAR: &str = "SIMT_PTXAS";

/// Erases cargo's prefix `error: package@version: `, on a terminal; elsewhere cargo removes this
/// sequence: cursor to column 1, erase the line.
const ALONE_ON_LINE: &str = "\x1b[G\x1b[2K";

/// The kernels of a crate, and the options for compiling them to PTX.
#[derive(Debug, Clone)]
pub struct Kernels {
    file: PathBuf,
    package: Option<String>,
    packaged: Option<PathBuf>,
    /// The oldest GPU that the kernels run on; `None` for the default.
    architecture: Option<String>,
    /// Version of PTX; `None` for the first one with this architecture.
    ptx_version: Option<u32>,
    /// Types of GPUs that get machine code.
    machine_code: Vec<String>,
    block_sizes: bool,
    /// True to write a compressed copy, too.
    compressed: bool,
}

/// Origin of the PTX, for messages.
type Origin = String;

impl Kernels {
    /// Selects the kernels in a file, given by its path below the directory of the build script's
    /// package.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            package: None,
            packaged: None,
            architecture: None,
            ptx_version: None,
            machine_code: Vec::new(),
            block_sizes: true,
            compressed: false,
        }
    }

    /// Selects a file in another package. This package depends on it, and its `Cargo.toml` has
    /// `links` with this name. Its build script contains `println!("cargo::metadata=dir={}",
    /// env!("CARGO_MANIFEST_DIR"))`.
    #[must_use]
    pub fn in_package(self, links: &str) -> Self {
        Self { package: Some(links.to_owned()), ..self }
    }

    /// Sets the path of the package's PTX below its directory, with [`packaged::SOURCES`] in the
    /// same directory. This PTX is used if its sources have not changed, or if there is no source
    /// of the standard library.
    #[must_use]
    pub fn packaged(self, ptx: impl Into<PathBuf>) -> Self {
        Self { packaged: Some(ptx.into()), ..self }
    }

    /// Selects the oldest type of GPU that the kernels run on: `sm_70` (the default), `sm_72`,
    /// `sm_75`, `sm_80`, `sm_86`, `sm_87`, `sm_89`, `sm_90`, `sm_100` or `sm_120`. The PTX runs on
    /// all later ones, too.
    ///
    /// With `sm_80`, `cfg(target_feature = "sm_80")` is true in the kernels and in `simt_std` when
    /// they are compiled for the GPU, as is that of every earlier type. On the simulator it is
    /// false.
    #[must_use]
    pub fn architecture(self, name: &str) -> Self {
        Self { architecture: Some(name.to_owned()), ..self }
    }

    /// Selects the version of PTX, such as 78 for PTX 7.8. The default is the first version from
    /// 6.3 on that has the architecture, because a driver only reads versions that it knows. The
    /// PTX manual's release notes list the versions and their drivers.
    #[must_use]
    pub fn ptx_version(self, version: u32) -> Self {
        Self { ptx_version: Some(version), ..self }
    }

    /// Selects the types of GPUs that get machine code, such as `sm_86` for compute capability 8.6
    /// and greater of 8.x. It is assembled if the environment variable `SIMT_PTXAS` names the
    /// assembler: some tenths of a second for each kernel. The driver compiles the PTX for all
    /// other GPUs.
    ///
    /// Packaged PTX needs no assembler: the files beside it are used
    /// ([`machine_code`](mod@machine_code)).
    #[must_use]
    pub fn machine_code(self, architectures: &[&str]) -> Self {
        Self { machine_code: architectures.iter().map(|&name| name.to_owned()).collect(), ..self }
    }

    /// Omits the block sizes (`.maxntid`) from the PTX. With them, no driver's compiler gives a
    /// thread more registers than its block can have. But the compiler then also allocates
    /// registers differently, and may spill some to memory. `simt_launch` does not need block
    /// sizes: it compiles a kernel again if its threads have too many registers.
    #[must_use]
    pub fn without_block_sizes(self) -> Self {
        Self { block_sizes: false, ..self }
    }

    /// Also writes the compressed PTX to `$OUT_DIR/kernels.ptx.xz`: a tenth of the size,
    /// decompressed in some tenths of a second.
    #[cfg(feature = "xz")]
    #[must_use]
    pub fn compressed(self) -> Self {
        Self { compressed: true, ..self }
    }

    /// Writes the PTX to `$OUT_DIR/kernels.ptx`, and returns the exit code for the build script's
    /// `main`.
    ///
    /// If it fails, the code is that of success, since cargo shows the output of a failed build
    /// script in place of its errors. Two other ways end the build:
    /// - An error in the kernels that cargo's compilation of the crate also finds is left to it: it
    ///   is shown like all errors, and editors find it. A `compile_error!` in the file that
    ///   `simt_launch::module!()` includes names it, too.
    /// - All other errors are printed by `cargo::error`, with rustc's colours on a terminal.
    pub fn build(&self) -> ExitCode {
        match self.embed().and_then(|origin| self.compress().map(|()| origin)) {
            Ok(origin) => println!("cargo::rustc-env=SIMT_PTX_ORIGIN={origin}"),
            Err(message) => message.trim_end().lines().for_each(|line| println!("cargo::error={ALONE_ON_LINE}{line}")),
        }
        ExitCode::SUCCESS
    }

    #[cfg(feature = "xz")]
    fn compress(&self) -> Result<(), String> {
        use std::io::Write;
        if !self.compressed {
            return Ok(());
        }
        let ptx = directory("OUT_DIR")?.join("kernels.ptx");
        let text = read(&ptx)?;
        let path = ptx.with_extension("ptx.xz");
        let compress = || -> std::io::Result<()> {
            let file = std::fs::File::create(&path)?;
            let mut options = lzma_rust2::XzOptions::with_preset(6);
            // Better for text than the preset's values: long matches, at any position.
            (options.lzma_options.nice_len, options.lzma_options.pb) = (273, 0);
            let mut writer = lzma_rust2::XzWriter::new(file, options)?;
            writer.write_all(text.as_bytes())?;
            writer.finish()?.sync_all()
        };
        compress().map_err(|error| format!("{}: {error}", path.display()))
    }

    #[cfg(not(feature = "xz"))]
    fn compress(&self) -> Result<(), String> {
        debug_assert!(!self.compressed);
        Ok(())
    }

    /// Writes the PTX and the lists of its kernels and of machine code. Returns the PTX's origin.
    fn embed(&self) -> Result<Origin, String> {
        println!("cargo::rerun-if-env-changed={PTXAS_VAR}");
        let Embedded { origin, images, errors } = self.embed_ptx()?;
        let out = directory("OUT_DIR")?;
        let list = match errors {
            Some(errors) => format!("compile_error!({errors:?})\n"),
            None => kernel_list::expression(&read(&out.join("kernels.ptx"))?),
        };
        write(&out.join("kernel_list.rs"), &list)?;
        write(&out.join("machine_code.rs"), &machine_code::expression(&images)?)?;
        Ok(origin)
    }

    /// Writes the PTX.
    fn embed_ptx(&self) -> Result<Embedded, String> {
        let package = directory("CARGO_MANIFEST_DIR")?;
        let kernels = match &self.package {
            Some(links) => metadata(links, "DIR")?,
            None => package.clone(),
        };
        let simt_std = metadata("simt_std", "DIR")?;
        let simt_macros = metadata("simt_std", "MACROS")?;
        let Self { file, block_sizes, .. } = self.clone();
        let target = Target::new(self.architecture.as_deref(), self.ptx_version)?;
        let repairs_barriers = self.packaged.is_none();
        let crates = Crates { simt_std, simt_macros, kernels, file, block_sizes, repairs_barriers, target };
        let out = directory("OUT_DIR")?;
        let result = out.join("kernels.ptx");

        println!("cargo::rerun-if-env-changed={CHOICE_VAR}");
        println!("cargo::rerun-if-env-changed={}", library::RUST_SRC_VAR);
        for directory in [&crates.simt_std, &crates.simt_macros] {
            watch(&directory.join("src"));
        }
        watch(crates.kernels.join(&self.file).parent().unwrap_or(&crates.kernels));
        watch(&package.join("build.rs"));
        let choice = env::var(CHOICE_VAR).unwrap_or_default();
        let packaged = self.packaged.as_ref().map(|path| crates.kernels.join(path));
        let packaged = packaged.map(|path| Packaged::read(&path, &crates)).transpose()?;
        if let Some(packaged) =
            packaged.as_ref().filter(|p| choice != "build" && (choice == "packaged" || p.is_current()))
        {
            return packaged.take(&result);
        }

        let rustc = Rustc::current()?;
        // rustup changes this list when a component, such as the library source, is added or
        // removed.
        watch(&rustc.sysroot().join("lib/rustlib/components"));
        let targets: Vec<PathBuf> = out.ancestors().map(Path::to_owned).chain([package.join("target")]).collect();
        let Some(library) = library::find(&rustc, &targets)? else {
            let reason = "there is no source of the standard library (`rustup component add rust-src` gets it)";
            return without_compiling(packaged, reason, &choice, &result);
        };
        watch(&library.join("core/src/lib.rs"));

        let sysroot = match build_core(&rustc, &library, &crates.target, &out.join("core")) {
            Ok(sysroot) => sysroot,
            Err(message) => {
                let reason = cannot_compile(&rustc, &format!("core from {}", library.display()), &message);
                return without_compiling(packaged, &reason, &choice, &result);
            }
        };
        let built = match (build_kernels(&rustc, &sysroot, &crates, &out.join("scratch")), packaged) {
            (Ok(built), Some(packaged)) if packaged.is_current() => {
                let differ = collectives::differences(&packaged.ptx, &built.ptx);
                if !differ.is_empty() {
                    println!(
                        "cargo::warning=using the packaged PTX: {} generates different numbers of barriers, shuffles or \
                         votes: {}",
                        rustc.version(),
                        differ.join(", ")
                    );
                    return packaged.take(&result);
                }
                built
            }
            (Ok(built), _) => built,
            (Err(failure), Some(packaged)) if packaged.is_current() => {
                let reason = cannot_compile(&rustc, "the kernels", &failure.lines().join("\n"));
                return without_compiling(Some(packaged), &reason, &choice, &result);
            }
            (Err(failure), _) if failure.on_host => return left_to_the_host(&failure, &result),
            (Err(failure), _) => return Err(failure.text),
        };
        eprint!("{}", built.warnings);
        write(&result, &built.ptx)?;
        let images = match env::var_os(PTXAS_VAR) {
            Some(ptxas) => {
                let architectures: Vec<&str> = self.machine_code.iter().map(String::as_str).collect();
                let assembled = machine_code::assemble(Path::new(&ptxas), &result, &architectures, &out)?;
                assembled.into_iter().map(|assembled| assembled.image).collect()
            }
            None => Vec::new(),
        };
        Ok(Embedded { origin: format!("built by {}", rustc.version()), images, errors: None })
    }
}

/// The PTX and the machine code that a package embeds.
struct Embedded {
    origin: Origin,
    images: Vec<Image>,
    /// Message of the error that ends the compilation of the crate.
    errors: Option<String>,
}

/// PTX that comes with a package.
struct Packaged {
    ptx: String,
    images: Vec<Image>,
    /// Source files that have changed since it was made.
    changed: Vec<String>,
}

impl Packaged {
    fn read(path: &Path, crates: &Crates) -> Result<Self, String> {
        watch(path);
        let images = machine_code::in_directory(path.parent().unwrap_or(Path::new("")))?;
        images.iter().for_each(|image| watch(&image.file));
        let sources = path.with_file_name(packaged::SOURCES);
        let sources =
            fs::read_to_string(&sources).map_err(|error| format!("cannot read {}: {error}", sources.display()))?;
        Ok(Self { ptx: read(path)?, images, changed: packaged::changed(&sources, crates) })
    }

    fn is_current(&self) -> bool {
        self.changed.is_empty()
    }

    fn take(&self, result: &Path) -> Result<Embedded, String> {
        write(result, &self.ptx)?;
        let maker = packaged::made_by(&self.ptx).map(|rustc| format!(", built by {rustc}"));
        let origin = format!("packaged{}", maker.unwrap_or_default());
        Ok(Embedded { origin, images: self.images.clone(), errors: None })
    }
}

/// Uses the packaged PTX, or none, if the kernels cannot be compiled.
fn without_compiling(
    packaged: Option<Packaged>,
    reason: &str,
    choice: &str,
    result: &Path,
) -> Result<Embedded, String> {
    if choice == "build" {
        return Err(format!("{CHOICE_VAR}=build, and {reason}"));
    }
    let Some(packaged) = packaged else {
        println!("cargo::warning=the kernels are not compiled for GPUs and run on the simulator alone: {reason}");
        write(result, &format!("// There is no PTX: {reason}\n"))?;
        return Ok(Embedded { origin: format!("none: {reason}"), images: Vec::new(), errors: None });
    };
    // cargo repeats a warning at every build, so it only warns about packaged PTX that is out of
    // date.
    if let [first, rest @ ..] = &packaged.changed[..] {
        let others = if rest.is_empty() { String::new() } else { format!(" and {} others", rest.len()) };
        println!(
            "cargo::warning=using the packaged PTX, although {first}{others} changed since it was built: {reason}"
        );
    } else {
        eprintln!("using the packaged PTX: {reason}");
    }
    packaged.take(result)
}

/// Maximum number of errors that [`left_to_the_host`] names.
const NAMED: usize = 3;

/// Writes no PTX, because the kernels have errors that the compilation for the host shows.
fn left_to_the_host(failure: &Failure, result: &Path) -> Result<Embedded, String> {
    let reason = "the kernels have errors";
    write(result, &format!("// There is no PTX: {reason}\n"))?;
    let lines = failure.lines();
    let mut named = lines.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join("\n");
    if lines.len() > NAMED {
        named += &format!("\nand {} more", lines.len() - NAMED);
    }
    let errors = Some(format!("the kernels do not compile for the GPU either:\n{named}"));
    Ok(Embedded { origin: format!("none: {reason}"), images: Vec::new(), errors })
}

/// Describes in one line why something is not compiled.
fn cannot_compile(rustc: &Rustc, what: &str, message: &str) -> String {
    format!("{} cannot compile {what} ({})", rustc.version(), message.lines().next().unwrap_or_default())
}

fn directory(variable: &str) -> Result<PathBuf, String> {
    env::var_os(variable).map(PathBuf::from).ok_or_else(|| format!("cargo did not set {variable}"))
}

/// Returns a value that the build script of a dependency has published.
fn metadata(links: &str, key: &str) -> Result<PathBuf, String> {
    let variable = format!("DEP_{}_{key}", links.to_uppercase().replace('-', "_"));
    env::var_os(&variable)
        .map(PathBuf::from)
        .ok_or_else(|| format!("{variable} is not set: does this package depend on `{links}`, in [dependencies]?"))
}

/// Makes cargo run this script again when the path changes. With a missing path, cargo would run it
/// every time.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}
