//! Part `ecoli`: E. coli MG1655 × DH1, the length and the subsequence by every algorithm, all
//! checked against the CPU's.

use crate::algorithms::{BIT_PARALLEL, WAVEFRONT, gpu_algorithms};
use crate::bench::{Bench, Outcome, Row, median, split, totals};
use serde_json::json;

const NAME: &str = "E. coli";

pub fn run(bench: &mut Bench) -> Outcome<()> {
    let ecoli = match bench.ecoli() {
        Ok(ecoli) => ecoli,
        Err(error) => {
            println!("E. coli left out: {error}");
            return Ok(());
        }
    };
    let a = &ecoli.a;
    let b = &ecoli.b;
    let m = a.len();
    let n = b.len();
    let cells = m as u64 * n as u64;
    let runs = bench.options.runs;
    // Slower algorithms run once.
    let of_runs = |algorithm| (algorithm, if algorithm == WAVEFRONT { runs } else { 1 });
    for (algorithm, runs) in gpu_algorithms().chain([BIT_PARALLEL]).map(of_runs) {
        let (length, reports) = bench.length(algorithm, runs, a, b)?;
        let mut more = json!({});
        if algorithm != BIT_PARALLEL {
            more = split(&reports);
            let kernels = median(&reports, |r| r.kernels.as_secs_f64());
            if let Some(limits) = &bench.limits {
                more["share_of_limit"] = limits.share(algorithm, cells as f64 / kernels);
            }
        }
        more["length"] = json!(length);
        let row = Row {
            name: "E. coli, length",
            engine: bench.label(algorithm),
            m,
            n,
            cells,
            seconds: totals(&reports),
            more,
        };
        bench.row(row);
        bench.agree(NAME, m, n, length)?;
    }

    let name = "E. coli, subsequence";
    for (algorithm, runs) in gpu_algorithms().map(of_runs) {
        let (lcs, reports) = bench.subsequence(algorithm, runs, a, b)?;
        let mut more = split(&reports);
        more["length"] = json!(lcs.len());
        more["runs_of_matches"] = json!(lcs.runs().len());
        let cells = reports[0].done;
        let seconds = totals(&reports);
        bench.row(Row { name, engine: bench.label(algorithm), m, n, cells, seconds, more });
        if lcs != ecoli.lcs {
            return Err(format!("{algorithm} and the CPU give different subsequences").into());
        }
    }
    let cells = ecoli.report.done;
    let seconds = totals(std::slice::from_ref(&ecoli.report));
    let more = json!({ "length": ecoli.lcs.len(), "runs_of_matches": ecoli.lcs.runs().len() });
    bench.row(Row { name, engine: bench.label(BIT_PARALLEL), m, n, cells, seconds, more });
    Ok(())
}
