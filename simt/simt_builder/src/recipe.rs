//! The recipe from Rust to PTX: six calls of rustc.
//!
//! 1. `core` for `nvptx64-nvidia-cuda` from the standard library's source, with bitcode for the
//!    link-time optimisation of step 6;
//! 2. an empty `compiler_builtins`, which rustc requires;
//! 3. `libm`, from the same source, for the floating-point functions without an instruction;
//! 4. `simt_macros` for the host, because rustc runs macros there;
//! 5. `simt_std` for the GPU, also with bitcode;
//! 6. the kernels as a `cdylib` with fat LTO and `--emit=asm`: the assembly of this target is PTX.
//!    rustc includes the other crates in the LTO only if it also links; hence `link` and
//!    `-Zno-link`, which stops before the linker.
//!
//! A seventh call compiles the kernels once more with all functions inlined, if no test checks the
//! barriers of the kernels ([`Crates::repairs_barriers`]).
//!
//! The first three are stored in a private sysroot that is kept between builds. Kernels need
//! unstable features, so these calls, and no others, run with `RUSTC_BOOTSTRAP=1`. The attributes
//! of a GPU crate are passed on the command line, so that the file of the kernels needs none.

use crate::collectives;
use crate::diagnostics::{Failure, plain};
use crate::files::{create_dir, read, write};
use crate::maxntid;
use crate::ptx_checks;
use crate::rustc::{Rustc, remap, run};
use crate::shared_names;
use crate::sources::{STAMP, fingerprint, sources_in};
use crate::target::Target;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// rustc's name of the target for NVIDIA GPUs.
const TARGET: &str = "nvptx64-nvidia-cuda";

/// Flags of the calls for the GPU; those of its [`Target`] follow.
const COMMON: &[&str] = &["--edition=2024", "--target", TARGET, "-Copt-level=3", "-Cpanic=abort"];

/// Flags of the calls whose bitcode the last call includes.
const LIBRARY: &[&str] = &["--crate-type=rlib", "-Cembed-bitcode=yes", "--cap-lints=allow"];

/// Flags of the call that makes the PTX.
const KERNELS: &[&str] = &[
    "--crate-type=cdylib",
    "-Zcrate-attr=no_std",
    "-Zcrate-attr=feature(abi_ptx,asm_experimental_arch)",
    "-Aunused_attributes",
    "--emit=asm,link,dep-info",
    "-Zno-link",
    "-Clto=fat",
    "-Ccodegen-units=1",
];

/// Flags that inline all functions before LLVM sees them, with the instructions that LLVM knows not
/// to copy. LLVM may copy a *call* of a function with a barrier into both arms of a branch, before
/// it inlines the function: rustc 1.95 does not mark the function as convergent.
const INLINED: &[&str] = &["-Zinline-mir-threshold=100000", "-Zinline-mir-hint-threshold=100000"];

/// Root of `libm` below the standard library's source.
pub(crate) const LIBM: &str = "compiler-builtins/libm/src/lib.rs";

/// Source of the second call.
const COMPILER_BUILTINS: &str = "#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n";

/// The directories of a kernel's crates.
#[derive(Debug, Clone)]
pub struct Crates {
    /// Directory of `simt_std`.
    pub simt_std: PathBuf,
    /// Directory of `simt_macros`.
    pub simt_macros: PathBuf,
    /// Directory of the kernels' crate.
    pub kernels: PathBuf,
    /// File of the kernels below that directory: the root module for the GPU.
    pub file: PathBuf,
    /// True to declare the block sizes in the PTX: see
    /// [`Kernels::without_block_sizes`](crate::Kernels::without_block_sizes).
    pub block_sizes: bool,
    /// True for kernels whose numbers of barriers no test checks: they are compiled a second time,
    /// with all functions inlined. That code is taken if LLVM has copied a barrier in the first.
    pub repairs_barriers: bool,
    /// The type of GPU and the version of PTX.
    pub target: Target,
}

/// The result of the recipe.
#[derive(Debug)]
pub struct Built {
    /// The PTX, with the compiler's version in its first line.
    pub ptx: String,
    /// Its source files and their fingerprints: see [`packaged`](crate::packaged).
    pub sources: String,
    /// rustc's warnings.
    pub warnings: String,
}

/// Builds the private sysroot for a target in `cache`, unless it already has one by this compiler
/// from this source. Returns its path.
///
/// # Errors
/// If the compiler cannot compile this source; the error is rustc's message.
pub fn build_core(rustc: &Rustc, library: &Path, target: &Target, cache: &Path) -> Result<PathBuf, String> {
    let cache = cache.join(target.name());
    let sysroot = cache.join("sysroot");
    let key_file = cache.join("key");
    let key = format!("{}{}\n{COMMON:?}\n{LIBRARY:?}\n{LIBM}\n", rustc.verbose_version(), library.display());
    if fs::read_to_string(&key_file).is_ok_and(|old| old == key) {
        return Ok(sysroot);
    }

    let _ = fs::remove_file(&key_file);
    let _ = fs::remove_dir_all(&sysroot);
    let lib = sysroot.join("lib/rustlib").join(TARGET).join("lib");
    create_dir(&lib)?;
    let compile = |name: &str, source: &Path, flags: &[&str]| {
        run(for_gpu(rustc, name, &sysroot, target)
            .args(LIBRARY)
            .args(flags)
            .arg(remap(library, "/rust/library"))
            .arg("-o")
            .arg(lib.join(format!("lib{name}.rlib")))
            .arg(source))
    };
    let unstable = ["-Zforce-unstable-if-unmarked"];
    compile("core", &library.join("core/src/lib.rs"), &unstable)?;
    let compiler_builtins = cache.join("compiler_builtins.rs");
    write(&compiler_builtins, COMPILER_BUILTINS)?;
    compile("compiler_builtins", &compiler_builtins, &unstable)?;
    compile("libm", &library.join(LIBM), &[])?;

    write(&key_file, &key)?;
    Ok(sysroot)
}

/// Compiles kernels to PTX with the private sysroot, using temporary files in `scratch`.
///
/// The result depends only on the compiler and the source files, not on their directories or on the
/// environment.
///
/// # Errors
/// If the kernels do not compile, or their PTX has a fault that rustc does not report: more static
/// shared memory than a kernel can have, or a collective in a function that is not inlined.
pub fn build_kernels(rustc: &Rustc, sysroot: &Path, crates: &Crates, scratch: &Path) -> Result<Built, Failure> {
    create_dir(scratch)?;
    let mut macros = rustc.command();
    macros.args(["--crate-name=simt_macros", "--crate-type=proc-macro", "--edition=2024", "--cap-lints=allow"]);
    run(macros
        .args(["--extern=proc_macro", "--emit=link,dep-info"])
        .arg("--out-dir")
        .arg(scratch)
        .arg(crates.simt_macros.join("src/lib.rs")))?;

    let mut layer = for_gpu(rustc, "simt_std", sysroot, &crates.target);
    layer.args(LIBRARY).args(["--emit=link,dep-info"]).arg(remap(&crates.simt_std, "simt_std"));
    layer.arg("-L").arg(scratch).args(["--extern=simt_macros", "--extern=libm"]);
    run(without_jump_threading(rustc, &mut layer)
        .arg("--out-dir")
        .arg(scratch)
        .arg(crates.simt_std.join("src/lib.rs")))?;

    let compile = |flags: &[&str], out: &Path| {
        let mut kernels = for_gpu(rustc, "kernels", sysroot, &crates.target);
        kernels
            .args(KERNELS)
            .args(flags)
            .arg(remap(&crates.kernels, "kernels"))
            .arg(remap(&crates.simt_std, "simt_std"));
        kernels.arg("-L").arg(scratch).arg("--extern=simt_std");
        without_jump_threading(rustc, &mut kernels);
        run(kernels.arg("--out-dir").arg(out).arg(crates.kernels.join(&crates.file)))
    };
    let output =
        compile(&["--color=always"], scratch).map_err(|messages| Failure::of_rustc(&messages, &crates.kernels))?;
    let mut assembly = read(&scratch.join("kernels.s"))?;
    if !ptx_checks::faults(&assembly).is_empty() {
        // Once more, for the source lines.
        let lines = scratch.join("lines");
        create_dir(&lines)?;
        compile(&["-Cdebuginfo=line-tables-only"], &lines)?;
        return Err(Failure::of_ptx(&ptx_checks::faults(&read(&lines.join("kernels.s"))?), &crates.kernels));
    }

    if crates.repairs_barriers && rustc.threads_jumps() {
        let inlined = scratch.join("inlined");
        create_dir(&inlined)?;
        compile(INLINED, &inlined)?;
        let other = read(&inlined.join("kernels.s"))?;
        if collectives::has_more_barriers(&assembly, &other) {
            assembly = other;
        }
    }

    let mut sources = crates.target.line();
    for (list, prefix, directory) in [
        ("simt_macros.d", "simt_macros", &crates.simt_macros),
        ("simt_std.d", "simt_std", &crates.simt_std),
        ("kernels.d", "kernels", &crates.kernels),
    ] {
        for file in sources_in(&read(&scratch.join(list))?, directory) {
            let print = fingerprint(&read(&directory.join(&file))?);
            writeln!(sources, "{print:016x} {prefix}/{file}").expect("a String takes all");
        }
    }
    let ptx = maxntid::apply(&shared_names::apply(&assembly), crates.block_sizes)?;
    Ok(Built {
        ptx: format!("{STAMP}{}\n{ptx}", rustc.version()),
        sources,
        warnings: about_the_kernels(&plain(&output.stderr)),
    })
}

/// Removes two of rustc's warnings: the one about a flag of this recipe, which does not concern the
/// kernels' author, and the total count.
fn about_the_kernels(warnings: &str) -> String {
    let ours = |warning: &&str| !warning.contains("for `-Ctarget-feature`") && !warning.contains("emitted");
    warnings.split_inclusive("\n\n").filter(ours).collect()
}

/// Returns a call that compiles for the GPU.
fn for_gpu(rustc: &Rustc, crate_name: &str, sysroot: &Path, target: &Target) -> Command {
    let mut command = rustc.command();
    command.args(["--crate-name", crate_name]).args(COMMON).args(target.arguments());
    command.arg("--sysroot").arg(sysroot);
    command
}

fn without_jump_threading<'c>(rustc: &Rustc, command: &'c mut Command) -> &'c mut Command {
    if rustc.threads_jumps() {
        command.arg("-Zmir-enable-passes=-JumpThreading");
    }
    command
}

#[cfg(test)]
mod tests {
    use super::about_the_kernels;

    #[test]
    fn only_warnings_about_kernels_are_shown() {
        let flag = "warning: unstable feature specified for `-Ctarget-feature`: `ptx63`\n  |\n  = note: x\n\n";
        let unused = "warning: unused variable: `n`\n --> src/kernels.rs:3:9\n\n";
        assert_eq!(about_the_kernels(&format!("{flag}{unused}warning: 2 warnings emitted\n\n")), unused);
        assert_eq!(about_the_kernels(&format!("{flag}warning: 1 warning emitted\n\n")), "");
    }
}
