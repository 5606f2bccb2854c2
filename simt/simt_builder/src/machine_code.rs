//! Machine code for GPUs, assembled from PTX by NVIDIA's `ptxas`.
//!
//! Machine code for `sm_86` runs on all GPUs of compute capability 8.x with x >= 6, and so on. A
//! package can provide it in the directory of its packaged PTX: `sm_86.cubin.zst`, compressed by
//! zstd, was assembled from that PTX.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::rustc::{self, Output};

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

/// Machine code assembled from PTX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembled {
    /// The machine code: a cubin.
    pub image: Image,
    /// The assembler's report on the registers and memory of each kernel (`ptxas -v`).
    pub report: String,
}

/// Assembles PTX for these types of GPUs, as many at a time as there are cores, into files of the
/// directory `out`. The results have the order of the architectures.
///
/// # Errors
/// The assembler's message, or the reason why it does not run.
pub fn assemble(ptxas: &Path, ptx: &Path, architectures: &[&str], out: &Path) -> Result<Vec<Assembled>, String> {
    let one = |architecture: &str| -> Result<Assembled, String> {
        let file = out.join(format!("{architecture}.cubin"));
        let mut command = Command::new(ptxas);
        command.arg("-v").arg(format!("-arch={architecture}")).arg(ptx).arg("-o").arg(&file);
        let Output { stdout, stderr } = rustc::run(&mut command)?;
        Ok(Assembled { image: Image { architecture: architecture.to_owned(), file }, report: stdout + &stderr })
    };
    let waiting = Mutex::new(architectures.iter().enumerate());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || std::iter::from_fn(next).map(|(number, name)| one(name).map(|done| (number, done))).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(architectures.len());
    let results: Vec<Result<Vec<_>, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let panicked = |_| Err("the thread of an assembler panicked".to_owned());
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(panicked)).collect()
    });
    let mut done: Vec<_> = results.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, assembled)| assembled).collect())
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
