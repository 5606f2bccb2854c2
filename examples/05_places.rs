//! The parts of a text with the smallest distance to a pattern:
//! `cargo run --release --example 05_places`. With `--lines` the example reads lines of three
//! tab-separated fields (mode, pattern, text). For each line it prints the distance, the positions,
//! and the edit script at the first position; `tests/peers/edlib_modes.py` compares these with
//! edlib's. With the mode `overlap` it prints the score, the distance and both ranges of the best
//! overlap, for `tests/peers/parasail_overlap.py`.

use carrywave::distance::{Comparison, Mode, Overlap, PlacedScript};
use std::io::{BufRead, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().nth(1).as_deref() == Some("--lines") {
        return lines();
    }
    let comparison = Comparison::new().mode(Mode::Infix);
    let (pattern, text) = (b"GATTACA", b"TTGATACATTTTGACTACATT");
    let places = comparison.places(pattern, text)?;
    for place in &places.places {
        let part = &text[place.start as usize..place.end as usize];
        println!("{place:?}: {}, distance {}", part.escape_ascii(), places.distance);
    }
    let found = comparison.script_with_place(pattern, text)?;
    println!("the first, from {}: {}", found.place.start, found.script.cigar());
    Ok(())
}

fn lines() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        let [mode, a, b] = fields[..] else { return Err(format!("not three fields: {line}").into()) };
        if mode == "overlap" {
            let Overlap { score, distance, a, b, .. } = Comparison::new().overlap(a.as_bytes(), b.as_bytes())?;
            writeln!(out, "{score}\t{distance}\t{}-{}\t{}-{}", a.start, a.end, b.start, b.end)?;
            continue;
        }
        let comparison = Comparison::new().mode(mode.parse()?);
        let places = comparison.places(a.as_bytes(), b.as_bytes())?;
        let PlacedScript { script, place, .. } = comparison.script_with_place(a.as_bytes(), b.as_bytes())?;
        let all: Vec<String> = places.places.iter().map(|place| format!("{}-{}", place.start, place.end)).collect();
        writeln!(
            out,
            "{}\t{}\t{}-{}\t{}",
            comparison.distance(a.as_bytes(), b.as_bytes())?,
            all.join(","),
            place.start,
            place.end,
            script.cigar()
        )?;
    }
    Ok(())
}
