//! Source files of a PTX text, and fingerprints to detect their changes.

use std::path::Path;

/// Start of the PTX's first line; the compiler's version follows.
pub(crate) const STAMP: &str = "// kernels, compiled by ";

/// Returns the files below `directory` in rustc's dependency list, in order, with `/` as the
/// separator.
pub(crate) fn sources_in(dependencies: &str, directory: &Path) -> Vec<String> {
    // Besides the rules `output: inputs`, the list has an empty rule `input:` for every input.
    let inputs = dependencies.lines().filter_map(|line| line.strip_suffix(':')).map(|path| path.replace("\\ ", " "));
    let below = inputs.filter_map(|path| Some(Path::new(&path).strip_prefix(directory).ok()?.display().to_string()));
    let mut files: Vec<String> = below.map(|file| file.replace('\\', "/")).collect();
    files.sort();
    files
}

/// Returns the FNV-1a hash of a source file without its comment lines: it detects edits, but does
/// not withstand attacks.
pub(crate) fn fingerprint(source: &str) -> u64 {
    let code = source.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let bytes = code.flat_map(|line| line.bytes().chain([b'\n']));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_the_inputs_below_the_crate() {
        let list = "/o/k.s: /p\\ q/src/lib.rs /p\\ q/src/a.rs\n\n/p\\ q/src/lib.rs:\n/p\\ q/src/a.rs:\n/r/core.rs:\n";
        assert_eq!(sources_in(list, Path::new("/p q")), ["src/a.rs", "src/lib.rs"]);
    }
}
