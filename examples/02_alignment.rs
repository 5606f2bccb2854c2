//! Aligns the sequences of two FASTA files:
//! `cargo run --release --example 02_alignment [A.fa B.fa]`.

use carrywave::alignment::Operation;
use carrywave::io::sequence::{ReadOptions, read};
use carrywave::view::blocks::{WIDTH, write_blocks};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let mut paths = std::env::args().skip(1);
    let a = read(paths.next().unwrap_or(format!("{data}/humanMito.fa")), &ReadOptions::default())?;
    let b = read(paths.next().unwrap_or(format!("{data}/mouseMito.fa")), &ReadOptions::default())?;

    let lcs = carrywave::lcs(&a.symbols, &b.symbols)?;
    // Optional and cheap: compares every run of matches with both strings.
    lcs.verify(&a.symbols, &b.symbols)?;
    println!("{} ({} symbols) and {} ({})", a.name, lcs.a_len(), b.name, lcs.b_len());
    println!("have {} in common, in {} runs", lcs.len(), lcs.runs().len());

    let longest = lcs.runs().iter().max_by_key(|run| run.len);
    if let Some(run) = longest {
        println!("the longest run: {} symbols, from {} and {} (counted from 0)", run.len, run.a_start, run.b_start);
    }
    // A is the query, B the reference: `I` marks symbols of A alone, `D` symbols of B alone.
    let only_in_a: u64 = lcs.operations().filter(|o| matches!(o, Operation::Insertion { .. })).map(|o| o.len()).sum();
    println!("{only_in_a} symbols are in A alone; the CIGAR begins {:.40}…\n", lcs.cigar());

    // Prints the first rows side by side. To a file or a socket, the view streams row by row.
    let mut view = Vec::new();
    write_blocks(&mut view, &a, &b, &lcs, WIDTH)?;
    String::from_utf8(view)?.lines().take(11).for_each(|line| println!("{line}"));
    Ok(())
}
