//! Runs the program's commands as users do. One program, because each would compile and link the
//! library's code once more.

#[path = "../common/mod.rs"]
mod common;

mod alignments;
mod answers;
mod barcodes;
mod bench;
mod best;
mod characters;
mod cluster;
mod diff;
mod diff_git;
mod distance;
mod formats;
mod grep;
mod guides;
mod help;
mod lcs;
mod lcs_records;
mod machine;
mod manual;
mod packed;
#[cfg(feature = "parquet")]
mod parquet;
mod process;
mod record_ends;
mod regions;
mod sam;
mod search;
mod side_by_side;
mod strands;
mod trim;
