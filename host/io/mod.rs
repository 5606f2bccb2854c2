//! Reading and writing files.
//!
//! | file | what |
//! |---|---|
//! | [`sequence`] | FASTA, FASTQ and raw files, also compressed ones, whole or in parts |
//! | [`output`] | files that are written whole or not at all, and text that a terminal may show |
pub mod output;
pub mod sequence;
