//! Packaged PTX: what a crate of kernels brings along for those who cannot compile it, and of which sources it was made.
//!
//! Beside `kernels.ptx` lies `sources.txt`: a line for each source file with its fingerprint. Where all of them are
//! what they were, the packaged PTX is what compiling would give, and nothing has to be compiled.

use crate::files::{create_dir, write as write_file};
use crate::recipe::{Built, Crates};
use crate::sources::{STAMP, fingerprint};
use std::fs;
use std::path::Path;

/// The list of sources, beside the PTX.
pub const SOURCES: &str = "sources.txt";

/// Packages the PTX in a file, and beside it the list of its sources.
///
/// # Errors
/// When a file cannot be written.
pub fn write(path: &Path, built: &Built) -> Result<(), String> {
    create_dir(path.parent().unwrap_or(Path::new("")))?;
    write_file(path, &built.ptx)?;
    write_file(&path.with_file_name(SOURCES), &built.sources)
}

/// Which compiler made this PTX, by its first line.
pub fn made_by(ptx: &str) -> Option<&str> {
    ptx.lines().next()?.strip_prefix(STAMP)
}

/// The source files that have changed since the packaged PTX was made, by its list `sources`.
pub fn changed(sources: &str, crates: &Crates) -> Vec<String> {
    let changed = |line: &str| {
        let (recorded, file) = line.split_once(' ')?;
        let (prefix, below) = file.split_once('/')?;
        let directory = match prefix {
            "simt_macros" => &crates.simt_macros,
            "simt_std" => &crates.simt_std,
            _ => &crates.kernels,
        };
        let now = fs::read_to_string(directory.join(below)).map(|source| fingerprint(&source));
        (u64::from_str_radix(recorded, 16).ok() != now.ok()).then(|| file.to_owned())
    };
    sources.lines().filter_map(changed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_sources_are_those_whose_code_differs() {
        let directory = std::env::temp_dir().join(format!("simt_builder-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("same.rs"), "// other words\n    fn f() {}\r\n").unwrap();
        fs::write(directory.join("edited.rs"), "fn f() { 1 }\n").unwrap();
        let print = fingerprint("fn f() {}\n");
        let sources =
            format!("{print:016x} kernels/same.rs\n{print:016x} simt_std/edited.rs\n{print:016x} kernels/gone.rs\n");
        let [simt_std, simt_macros, kernels] = [(); 3].map(|()| directory.clone());
        let crates = Crates { simt_std, simt_macros, kernels, file: "lib.rs".into(), block_sizes: true };
        assert_eq!(changed(&sources, &crates), ["simt_std/edited.rs", "kernels/gone.rs"]);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn the_first_line_names_the_compiler() {
        let ptx = "// kernels, compiled by rustc 1.95.0 (x 2026-04-14)\n.version 6.0\n";
        assert_eq!(made_by(ptx), Some("rustc 1.95.0 (x 2026-04-14)"));
        assert_eq!(made_by(".version 6.0\n"), None);
    }
}
