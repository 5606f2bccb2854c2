//! Times on the CPU for E. coli K-12 MG1655 and DH1, whose files hold opposite strands: the
//! estimate of the strand, and the LCS on either strand:
//! `cargo bench --bench ecoli_strands_cpu -- --json FILE --commit NAME`. Computes six lengths, in
//! about two minutes on two cores with AVX-512.
//! A length takes ten seconds or more, too long for Criterion's ten runs, and each row has the
//! answer beside the times.
mod common;

use carrywave::device::Cpu;
use carrywave::lcs::{Comparison, expected_length};
use carrywave::text::{estimate_strand, reverse_complement};
use common::line::Line;
use common::{Outcome, cpu_model, row};
use serde_json::{Value, json};
use std::time::Instant;

/// Number of runs for a length, and for everything else.
const TIMES: (usize, usize) = (3, 9);

fn main() -> Outcome<()> {
    // `cargo test --benches` runs benches with `--test`: compile only.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let line = Line::read("", |_, _| Ok(false))?;
    let (a, b) = match common::ecoli() {
        Ok(pair) => pair,
        Err(reason) => {
            eprintln!("skipped: {reason}");
            return Ok(());
        }
    };
    let mut rows = Vec::new();
    let mut timed = |name: &str, times: usize, run: &mut dyn FnMut() -> Outcome<Value>| -> Outcome<()> {
        let mut seconds = Vec::new();
        let mut more = Value::Null;
        for _ in 0..times {
            let start = Instant::now();
            more = run()?;
            seconds.push(start.elapsed().as_secs_f64());
        }
        let row = row("E. coli MG1655 × DH1", name, "cpu", (a.len(), b.len()), &seconds, more);
        eprintln!("{name}: {:.4} s, {}", row["median_s"].as_f64().unwrap_or_default(), row["more"]);
        rows.push(row);
        Ok(())
    };
    timed("estimate of the strand", TIMES.1, &mut || {
        let found = estimate_strand(&a, &b);
        Ok(json!({ "k": found.k, "sampled": found.sampled, "forward": found.forward, "reverse": found.reverse }))
    })?;
    let mut turned = Vec::new();
    timed("reverse complement of B", TIMES.1, &mut || {
        turned = reverse_complement(&b)?;
        Ok(json!({}))
    })?;
    timed("expected length of random strings", TIMES.1, &mut || {
        let expected = expected_length(&a, &turned);
        Ok(json!({ "length": expected.length, "standard_error": expected.standard_error }))
    })?;
    for (name, b) in [("length, forward strand", &b), ("length, reverse strand", &turned)] {
        timed(name, TIMES.0, &mut || Ok(json!({ "length": Comparison::new().on(&Cpu::new()).length(&a, b)? })))?;
    }
    line.write(
        "cargo bench --bench ecoli_strands_cpu --",
        json!({ "cpu": cpu_model(), "threads": rayon::current_num_threads(), "rows": rows }),
    )
}
