//! Reading and writing files.
//!
//! | file | what |
//! |---|---|
//! | [`sequence`] | FASTA, FASTQ and raw files, plain or compressed, whole or in parts |
//! | [`output`] | output files that are complete or absent, and text that is safe for a terminal |
pub mod output;
pub mod sequence;
