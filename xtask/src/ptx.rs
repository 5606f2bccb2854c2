//! `cargo xtask ptx`: packages the PTX and its machine code, and checks that the packaged PTX
//! corresponds to the sources.

use std::fs;

use crate::outcome::{Outcome, Stop};
use crate::{ptxas, shell};
use simt_builder::recipe::{self, Built, Crates};
use simt_builder::rustc::Rustc;
use simt_builder::target::Target;
use simt_builder::{library, packaged};

/// A package with kernels.
struct Package {
    /// Folder of the package.
    folder: &'static str,
    /// Packaged PTX of the package.
    ptx: &'static str,
    /// True if the build script declares block sizes in the PTX.
    block_sizes: bool,
}

const PACKAGES: [Package; 2] = [
    // If ptxas knows the block sizes, it spills registers of some of these kernels to memory:
    // docs/performance.md.
    Package { folder: "gpu-kernels", ptx: ptxas::PTX, block_sizes: false },
    Package { folder: "simt/examples", ptx: "simt/examples/ptx/simt_examples.ptx", block_sizes: true },
];

/// Maximum number of lines of each side that a difference shows.
const SHOWN: usize = 8;

/// Compiles the kernels and writes the PTX, the list of its sources and the project's machine code
/// into their packages.
pub fn package() -> Outcome {
    let mut lines = Vec::new();
    for package in &PACKAGES {
        let built = build(&Rustc::current()?, package)?;
        let ptx = package.ptx;
        let path = shell::project().join(ptx);
        let before = fs::read_to_string(&path).unwrap_or_default();
        packaged::write(&path, &built)?;
        let state = if before == built.ptx { "unchanged" } else { "commit it" };
        lines.push(format!("{ptx}: {} lines, {state}", built.ptx.lines().count()));
    }
    lines.push(ptxas::package()?);
    Ok(lines.join("\n"))
}

/// Compiles the kernels and compares the PTX. Different compilers generate different PTX, so only
/// PTX of the same compiler is compared.
pub fn check() -> Outcome {
    let rustc = Rustc::current()?;
    for package in &PACKAGES {
        let ptx = package.ptx;
        let path = shell::project().join(ptx);
        let packaged = fs::read_to_string(&path)
            .map_err(|error| format!("no packaged PTX: {}: {error}; make it with `cargo xtask ptx`", path.display()))?;
        let maker = packaged::made_by(&packaged).unwrap_or("an unknown compiler");
        if maker != rustc.version() {
            return Ok(format!("not compared: {ptx} is by {maker}, and this is {}", rustc.version()));
        }
        let built = build(&rustc, package)?;
        if let Some(difference) = difference(&packaged, &built.ptx) {
            let advice = format!("{ptx} is not what the kernels give; run `cargo xtask ptx` and commit");
            return Err(Stop::Failed(format!("{advice}\n{difference}")));
        }
        if fs::read_to_string(path.with_file_name(packaged::SOURCES)).ok().as_ref() != Some(&built.sources) {
            let advice = format!("{ptx} is right, but sources.txt beside it is not; run `cargo xtask ptx` and commit");
            return Err(Stop::Failed(advice));
        }
    }
    Ok(format!("the packaged PTX is what {} gives", rustc.version()))
}

/// Returns the PTX of a package whose kernels start from its `src/lib.rs`. The tests of the package
/// check its barriers.
fn build(rustc: &Rustc, package: &Package) -> Result<Built, Stop> {
    let crates = crates(package.folder, "src/lib.rs");
    compile(rustc, &Crates { block_sizes: package.block_sizes, repairs_barriers: false, ..crates })
}

/// Compiles a file of kernels to PTX, as a user's build script does.
pub fn compile_file(rustc: &Rustc, folder: &str, file: &str) -> Result<Built, Stop> {
    compile(rustc, &crates(folder, file))
}

/// Returns the crates of a file of kernels in a folder of the project.
fn crates(folder: &str, file: &str) -> Crates {
    let project = shell::project();
    Crates {
        simt_std: project.join("simt/simt_std"),
        simt_macros: project.join("simt/simt_macros"),
        kernels: project.join(folder),
        file: file.into(),
        block_sizes: true,
        repairs_barriers: true,
        target: Target::default(),
    }
}

fn compile(rustc: &Rustc, crates: &Crates) -> Result<Built, Stop> {
    let library = library::find(rustc, &[shell::project().join("target")])?
        .ok_or_else(|| Stop::Unavailable("no standard library source; try `cargo xtask rust-src`".to_owned()))?;
    let scratch = shell::scratch("xtask")?;
    let sysroot = recipe::build_core(rustc, &library, &crates.target, &scratch.join("core"))?;
    let built = recipe::build_kernels(rustc, &sysroot, crates, &scratch.join("kernels"));
    let built = built.map_err(|failure| failure.text)?;
    eprint!("{}", built.warnings);
    Ok(built)
}

/// Returns the lines that differ between two texts, without the common start and end, shortened;
/// `None` if the texts are equal.
fn difference(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[first..], &new[first..]);
    let last = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - last], &new[..new.len() - last]);

    let mut text = format!("from line {}:\n", first + 1);
    for (sign, lines) in [("packaged: ", old), ("compiled: ", new)] {
        for line in lines.iter().take(SHOWN) {
            text += &format!("{sign}{line}\n");
        }
        if lines.len() > SHOWN {
            text += &format!("{sign}... {} lines more\n", lines.len() - SHOWN);
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_builder::collectives;

    /// Compiles a kernel whose barriers LLVM copies, if this machine can compile kernels.
    #[test]
    fn barriers_that_llvm_copies_are_repaired() {
        let rustc = Rustc::current().unwrap();
        let barriers = |repairs_barriers| {
            let crates = crates("simt/simt_builder/tests/kernels", "between_tests.rs");
            let built = compile(&rustc, &Crates { repairs_barriers, ..crates });
            built.map(|built| collectives::count(&built.ptx)["between_tests"].barriers)
        };
        let repaired = match barriers(true) {
            Err(Stop::Unavailable(reason)) => return println!("skipped: {reason}"),
            repaired => repaired.unwrap(),
        };
        assert_eq!(repaired, 2);
        if rustc.version().contains(" 1.95.") {
            assert_eq!(barriers(false).unwrap(), 4, "the kernel is no test, unless LLVM copies its barriers");
        }
    }

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    }

    #[test]
    fn a_difference_leaves_out_what_is_common() {
        let shown = difference("a\nb\nc\nd\n", "a\nx\ny\nd\n").unwrap();
        assert_eq!(shown, "from line 2:\npackaged: b\npackaged: c\ncompiled: x\ncompiled: y\n");
    }

    #[test]
    fn a_difference_of_repeated_lines_does_not_count_them_twice() {
        assert_eq!(difference("a\na\n", "a\na\na\n").unwrap(), "from line 3:\ncompiled: a\n");
    }

    #[test]
    fn a_long_difference_is_shortened() {
        let shown = difference("", &"x\n".repeat(20)).unwrap();
        assert!(shown.ends_with("compiled: ... 12 lines more\n"), "{shown}");
    }
}
