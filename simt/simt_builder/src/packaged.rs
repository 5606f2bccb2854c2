//! Packaged PTX: the PTX that a crate of kernels provides for users who cannot compile it, with a
//! list of its sources.
//!
//! In the directory of `kernels.ptx` is `sources.txt`: one line per source file, with its
//! fingerprint. If no source file has changed, compiling would give the packaged PTX, and is
//! skipped. For another target than the default, the first line names it: `target sm_80-ptx70`.

use crate::files::{create_dir, write as write_file};
use crate::recipe::{Built, Crates};
use crate::sources::{STAMP, fingerprint};
use crate::target::LINE;
use std::fs;
use std::path::Path;

/// Name of the list of sources, in the directory of the PTX.
pub const SOURCES: &str = "sources.txt";

/// Writes the packaged PTX to a file, and the list of its sources to the same directory.
///
/// # Errors
/// If a file cannot be written.
pub fn write(path: &Path, built: &Built) -> Result<(), String> {
    create_dir(path.parent().unwrap_or(Path::new("")))?;
    write_file(path, &built.ptx)?;
    write_file(&path.with_file_name(SOURCES), &built.sources)
}

/// Returns the compiler of this PTX, from its first line.
pub fn made_by(ptx: &str) -> Option<&str> {
    ptx.lines().next()?.strip_prefix(STAMP)
}

/// Returns the source files that have changed since the packaged PTX was made, according to its
/// list `sources`, and `the target` if it was made for another one.
pub fn changed(sources: &str, crates: &Crates) -> Vec<String> {
    let (mut made_for, mut files) = (String::new(), sources);
    if sources.starts_with(LINE) {
        let end = sources.find('\n').map_or(sources.len(), |end| end + 1);
        made_for = sources[..end].trim_end().to_owned() + "\n";
        files = &sources[end..];
    }
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
    let target = (made_for != crates.target.line()).then(|| "the target".to_owned());
    target.into_iter().chain(files.lines().filter_map(changed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Target;

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
        let target = Target::default();
        let file = "lib.rs".into();
        let (block_sizes, repairs_barriers) = (true, false);
        let crates = Crates { simt_std, simt_macros, kernels, file, block_sizes, repairs_barriers, target };
        assert_eq!(changed(&sources, &crates), ["simt_std/edited.rs", "kernels/gone.rs"]);

        let ampere = Crates { target: Target::new(Some("sm_80"), None).unwrap(), ..crates.clone() };
        let line = ampere.target.line();
        assert_eq!(line, "target sm_80-ptx70\n");
        assert_eq!(changed("", &crates), [""; 0]);
        assert_eq!(changed("", &ampere), ["the target"]);
        assert_eq!(changed(&line, &crates), ["the target"]);
        assert_eq!(changed(&(line + &sources), &ampere), ["simt_std/edited.rs", "kernels/gone.rs"]);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn the_first_line_names_the_compiler() {
        let ptx = "// kernels, compiled by rustc 1.95.0 (x 2026-04-14)\n.version 6.0\n";
        assert_eq!(made_by(ptx), Some("rustc 1.95.0 (x 2026-04-14)"));
        assert_eq!(made_by(".version 6.0\n"), None);
    }
}
