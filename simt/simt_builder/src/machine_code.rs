//! Machine code for GPUs, assembled from PTX by NVIDIA's `ptxas`.
//!
//! Machine code for `sm_86` runs on all GPUs of compute capability 8.x with x >= 6, and so on. A
//! package can provide it in the directory of its packaged PTX: `sm_86.cubin.zst`, compressed by
//! zstd, was assembled from that PTX.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Machine code in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Name of the type of GPU, such as `sm_86`.
    pub architecture: String,
    /// The file: a cubin, plain or compressed by zstd.
    pub file: PathBuf,
}

/// End of the name of a packaged file; the name of the architecture precedes it.
pub const PACKAGED_END: &str = ".cubin.zst";

/// Returns the machine code in the directory of packaged PTX, in the order of the names.
pub(crate) fn in_directory(directory: &Path) -> Result<Vec<Image>, String> {
    let cannot = |error| format!("cannot read {}: {error}", directory.display());
    let mut images = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(cannot)? {
        let file = entry.map_err(cannot)?.path();
        let name = file.file_name().and_then(|name| name.to_str());
        if let Some(architecture) = name.and_then(|name| name.strip_suffix(PACKAGED_END)) {
            images.push(Image { architecture: architecture.to_owned(), file });
        }
    }
    images.sort_by(|one, other| one.architecture.cmp(&other.architecture));
    Ok(images)
}

/// Assembles PTX for a type of GPU. Returns the assembler's report on the kernels' resources.
///
/// # Errors
/// The assembler's message.
pub fn assemble(ptxas: &Path, ptx: &Path, architecture: &str, cubin: &Path) -> Result<String, String> {
    let mut command = Command::new(ptxas);
    command.arg("-v").arg(format!("-arch={architecture}")).arg(ptx).arg("-o").arg(cubin);
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", ptxas.display()))?;
    let report = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        Ok(report.into_owned())
    } else {
        Err(format!("{} failed:\n{report}", ptxas.display()))
    }
}

/// Assembles PTX for several types of GPUs, in threads of their own, into files of a directory.
pub(crate) fn assemble_all(
    ptxas: &Path,
    ptx: &Path,
    architectures: &[String],
    out: &Path,
) -> Result<Vec<Image>, String> {
    let one = |architecture: &String| {
        let file = out.join(format!("{architecture}.cubin"));
        assemble(ptxas, ptx, architecture, &file)?;
        Ok(Image { architecture: architecture.clone(), file })
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = architectures.iter().map(|architecture| scope.spawn(|| one(architecture))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|_| Err("the thread of an assembler panicked".to_owned()))
        };
        threads.into_iter().map(join).collect()
    })
}

/// Returns the expression that `simt_launch::machine_code!` includes.
///
/// # Errors
/// If an architecture's name is not like `sm_86`.
pub(crate) fn expression(images: &[Image]) -> Result<String, String> {
    let mut text = String::from("&[\n");
    for Image { architecture, file } in images {
        let (major, minor) = capability(architecture)?;
        let file = file.display().to_string();
        writeln!(text, "    MachineCode {{ capability: ({major}, {minor}), image: include_bytes!({file:?}) }},")
            .expect("a String takes all");
    }
    text += "]\n";
    Ok(text)
}

/// Returns the compute capability of an architecture: the last digit is the minor number.
fn capability(architecture: &str) -> Result<(u32, u32), String> {
    let number: Option<u32> = architecture.strip_prefix("sm_").and_then(|digits| digits.parse().ok());
    let number = number.filter(|number| (50..1000).contains(number));
    number
        .map(|number| (number / 10, number % 10))
        .ok_or_else(|| format!("`{architecture}` is no architecture; one is called `sm_86`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expression_lists_the_images() {
        let image = |architecture: &str| Image { architecture: architecture.into(), file: "/o/x y.cubin".into() };
        let text = expression(&[image("sm_86"), image("sm_120")]).unwrap();
        let line = |numbers| {
            format!("    MachineCode {{ capability: {numbers}, image: include_bytes!(\"/o/x y.cubin\") }},\n")
        };
        assert_eq!(text, format!("&[\n{}{}]\n", line("(8, 6)"), line("(12, 0)")));
        assert_eq!(expression(&[]).unwrap(), "&[\n]\n");
    }

    #[test]
    fn packaged_files_are_found_by_their_names() {
        let directory = std::env::temp_dir().join(format!("simt_builder-code-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        for name in ["sm_90.cubin.zst", "sm_120.cubin.zst", "sm_86.cubin", "kernels.ptx"] {
            std::fs::write(directory.join(name), "").unwrap();
        }
        let found = in_directory(&directory).unwrap();
        assert_eq!(found.iter().map(|image| &image.architecture[..]).collect::<Vec<_>>(), ["sm_120", "sm_90"]);
        std::fs::remove_dir_all(&directory).unwrap();
        assert!(in_directory(&directory).is_err());
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["sm_90a", "90", "sm_", "sm_4", "sm_99999999999", "compute_90"] {
            let error = expression(&[Image { architecture: name.into(), file: "x".into() }]).unwrap_err();
            assert_eq!(error, format!("`{name}` is no architecture; one is called `sm_86`"));
        }
    }
}
