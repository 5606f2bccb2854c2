//! Files of two folders, compared side by side, with their output in the order of the files.
//!
//! A thread compares two small files, and writes the output into memory. An entry is left to the
//! caller if a note or an error is to be printed, or if it is not a pair of small files. The caller
//! compares such entries one after the other.

use super::folders::Entry;
use super::session::{Outcome, Session};
use super::side::Side;
use crate::shared::notes::without_notes;
use carrywave::Result;
use carrywave::diff::Counts;
use rayon::prelude::*;
use std::path::Path;

/// Maximum size of a file that one thread compares, in bytes.
const SMALL: u64 = 1 << 18;

/// Number of entries that are compared before their output is printed: it is in memory until then.
pub const TOGETHER: usize = 256;

/// Minimum number of entries for several threads.
const FEWEST: usize = 64;

/// The result for two files.
pub struct Done {
    pub outcome: Outcome,
    pub output: Vec<u8>,
    /// Rows of the table of files.
    pub counts: Vec<Counts>,
    /// Lines after all pages.
    pub last: Vec<u8>,
}

impl Session<'_> {
    /// Compares entries of two folders side by side. Returns the results, and `None` for each entry
    /// that the caller is to compare.
    pub fn side_by_side(&mut self, a: &Side, b: &Side, entries: &[Entry]) -> Result<Vec<Option<Done>>> {
        let none = || entries.iter().map(|_| None).collect();
        if entries.len() < FEWEST {
            return Ok(none());
        }
        let threads = self.threads()?;
        if threads.current_num_threads() == 1 {
            return Ok(none());
        }
        let template = self.fork();
        let compare = |entry: &Entry| template.compare_small(a, b, entry);
        Ok(threads.install(|| entries.par_iter().with_max_len(1).map(compare).collect()))
    }

    /// Returns a session for the files of a thread.
    fn fork(&self) -> Self {
        Session {
            arguments: self.arguments,
            format: self.format.clone(),
            style: self.style.clone(),
            comparison: self.comparison.clone(),
            excluded: self.excluded.clone(),
            colors: self.colors,
            palette: self.palette,
            complains_of_palette: self.complains_of_palette,
            function_lines: self.function_lines,
            tab_size: self.tab_size,
            labels: self.labels.clone(),
            options: self.options.clone(),
            counts: Vec::new(),
            last: Vec::new(),
            threads: None,
            settings: self.settings.clone(),
            patch: None,
            open: Vec::new(),
        }
    }

    /// Compares two small files; `None` if the caller is to compare the entry.
    fn compare_small(&self, a: &Side, b: &Side, entry: &Entry) -> Option<Done> {
        let [Some(in_a), Some(in_b)] = entry else { return None };
        let is_small =
            |path: &Path| std::fs::symlink_metadata(path).is_ok_and(|about| about.is_file() && about.len() <= SMALL);
        if !is_small(&a.path.join(in_a)) || !is_small(&b.path.join(in_b)) {
            return None;
        }
        let mut own = self.fork();
        let mut output = Vec::new();
        match without_notes(|| own.entry(a, b, entry.clone(), &mut output))? {
            Ok(outcome @ (Outcome::Same | Outcome::Different)) => {
                Some(Done { outcome, output, counts: own.counts, last: own.last })
            }
            Ok(Outcome::Trouble) | Err(_) => None,
        }
    }
}
