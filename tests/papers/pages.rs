//! The pages of a folder.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the pages of a folder, by their paths in the project, in order.
pub fn pages(project: &Path, folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(project.join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
    let mut pages: Vec<PathBuf> = entries.map(|name| Path::new(folder).join(name)).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}
