//! Indexes of FASTA and FASTQ files, as samtools and bgzip write them, to read a part of a file by
//! seeking.
//!
//! | file | what |
//! |---|---|
//! | `fai` | a row of `FILE.fai`: the offset and the line lengths of a record |
//! | `gzi` | `FILE.gzi`: the offsets of the blocks of a BGZF file |
//! | `blocks` | the blocks of a BGZF file, one after the other |
//! | `window` | bytes at an offset of a file, plain or BGZF |
//! | `find` | a record or a part of it, read by the indexes beside its file |
//! | `rows` | the rows of `FILE.fai`, made from the bytes of a file |
//! | `write` | both indexes, written beside a file |

mod blocks;
mod fai;
mod find;
mod gzi;
mod rows;
#[cfg(test)]
mod tests;
mod window;
mod write;

pub(super) use find::find;
pub use write::{Indexed, write_index};

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the path of an index: the file's path with another ending added.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".");
    name.push(ending);
    name.into()
}
