//! Names of output files that contain the name of an adapter or a barcode.

use carrywave::Result;
use carrywave::error::UsageFault;
use std::path::{Path, PathBuf};

/// Name of reads without an adapter or a barcode.
pub const UNKNOWN: &str = "unknown";

/// Checks that names can be parts of the names of files, and that they differ. `what` says what has
/// the names.
pub fn check_names(what: &str, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return Err(UsageFault::Combination
            .error(format!("{{name}} in an output stands for the {what}s of the reads; give some")));
    }
    if let Some(name) = names.iter().find(|name| name.contains(['/', '\0'])) {
        return Err(UsageFault::FileName
            .error(format!("the {what}'s name `{name}` cannot be part of a file's name; give it another name")));
    }
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(UsageFault::Combination
            .error(format!("two {what}s have the name `{}`, and would have one file; give them other names", pair[0]))),
    }
}

/// Returns a path with words replaced.
pub fn replaced(path: &Option<PathBuf>, words: &[(&str, &str)]) -> Option<PathBuf> {
    let text = path.as_ref()?.to_string_lossy().into_owned();
    Some(words.iter().fold(text, |text, (word, by)| text.replace(word, by)).into())
}

/// Refuses names of compressed files that are not written here.
pub fn check_file_name(path: &Path) -> Result<()> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if ["bz2", "xz", "zst", "zip"].contains(&extension.to_ascii_lowercase().as_str()) {
        return Err(UsageFault::FileName.error(format!(
            "{}: only .gz files are written compressed; write a plain file, or pipe standard output through another \
             compressor",
            path.display()
        )));
    }
    Ok(())
}
