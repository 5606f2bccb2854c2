//! Genomes that are not in the project.

use std::io::Read as _;
use std::path::PathBuf;

/// Returns the symbols of a FASTA file with one record.
pub fn symbols(fasta: &[u8]) -> Vec<u8> {
    fasta.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b">")).collect::<Vec<_>>().concat()
}

/// Reads E. coli (MG1655) from the folder CARRYWAVE_DATA, or from `../shared/data`.
pub fn escherichia_coli() -> Vec<u8> {
    let folder = std::env::var_os("CARRYWAVE_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let (file, mut fasta) = (std::fs::File::open(folder.join("MG1655-K12.fasta.gz")).unwrap(), Vec::new());
    flate2::read::MultiGzDecoder::new(file).read_to_end(&mut fasta).unwrap();
    symbols(&fasta)
}
