//! A peer of `carrywave barcodes`: a hash of all neighbours of the barcodes. Each barcode's
//! neighbours, the strings of its length within --errors edits that a read may begin with, are in
//! one table; a read is cut to the barcodes' length and looked up. One thread, standard library
//! alone; `benches/barcodes.py` compiles it with `rustc -O` and runs it.
//!
//!     neighbours BARCODES READS.fastq ERRORS > assigned.tsv

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, BufRead, BufReader, BufWriter, Write};

/// Fibonacci hashing, which is fast for packed bases.
#[derive(Default)]
struct Packed(u64);

impl Hasher for Packed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are u64")
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(26);
    }
}

type Table = HashMap<u64, Neighbour, BuildHasherDefault<Packed>>;

struct Neighbour {
    barcode: u32,
    errors: u8,
    ties: bool,
}

fn packed(bases: &[u8]) -> Option<u64> {
    bases.iter().try_fold(0, |word, base| Some(word << 2 | b"ACGT".iter().position(|own| own == base)? as u64))
}

/// Returns the strings of the same length that one edit makes, if any base follows.
fn edited(word: u64, len: usize) -> Vec<u64> {
    let mut all = Vec::new();
    let mask = (1u64 << (2 * len)) - 1;
    for at in 0..len {
        let low = 2 * (len - 1 - at);
        let (before, behind) = (word >> (low + 2) << (low + 2), word & ((1 << low) - 1));
        for base in 0..4 {
            // A substitution, a base that is added before this one, and the loss of this one.
            all.push(before | base << low | behind);
            let rest = word & ((1 << (low + 2)) - 1);
            all.push((before | base << low | rest >> 2) & mask);
            all.push(before | (behind << 2 | base));
        }
    }
    all
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let errors: u8 = arguments[3].parse().expect("a number of errors");
    let list = std::fs::read_to_string(&arguments[1])?;
    let barcodes: Vec<&str> = list.lines().collect();
    let len = barcodes[0].len();
    let mut table = Table::default();
    for (number, barcode) in barcodes.iter().enumerate() {
        let mut level = vec![packed(barcode.as_bytes()).expect("bases")];
        for own in 0..=errors {
            for &word in &level {
                match table.entry(word) {
                    Entry::Vacant(entry) => {
                        entry.insert(Neighbour { barcode: number as u32, errors: own, ties: false });
                    }
                    Entry::Occupied(mut entry) => {
                        let before = entry.get_mut();
                        if own < before.errors {
                            *before = Neighbour { barcode: number as u32, errors: own, ties: false };
                        } else if own == before.errors && before.barcode != number as u32 {
                            before.ties = true;
                        }
                    }
                }
            }
            if own < errors {
                level = level.iter().flat_map(|&word| edited(word, len)).collect();
                level.sort_unstable();
                level.dedup();
            }
        }
    }
    eprintln!("{} neighbours of {} barcodes", table.len(), barcodes.len());
    let mut reads = BufReader::with_capacity(1 << 20, std::fs::File::open(&arguments[2])?);
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut lines: [Vec<u8>; 4] = Default::default();
    loop {
        for line in &mut lines {
            line.clear();
            reads.read_until(b'\n', line)?;
        }
        if lines[0].is_empty() {
            return out.flush();
        }
        out.write_all(lines[0][1..].trim_ascii_end())?;
        match lines[1].get(..len).and_then(packed).and_then(|word| table.get(&word)) {
            Some(Neighbour { barcode, errors, ties }) => {
                let status = if *ties { "ambiguous" } else { "assigned" };
                writeln!(out, "\t{}\t{errors}\t{status}", barcodes[*barcode as usize])?;
            }
            None => writeln!(out, "\t*\t*\tnone")?,
        }
    }
}
