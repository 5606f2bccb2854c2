//! Nakano's (2012) algorithms for the best match on a GPU: `cargo bench --bench gpu_best --
//! [OPTIONS]`. The program can be copied to a machine with a GPU, and runs there without Rust and
//! CUDA.
//!
//! ```text
//! --m LIST, --n LIST  symbols of the pattern (64) and the text (67108864), random bases; every m
//!                     with every n
//! --algorithms LIST   of dmm (the matrix as it is, lemma 3), umm (the slid matrix, lemma 4),
//!                     umm-3m (3m words, theorem 5) and umm-n (n threads, theorem 6)
//!                     [umm-n,umm-3m]
//! --gib N             GiB of a matrix (32): algorithms that need more are left out for that pair
//! --runs N            timings of each row (5), after one that is not counted; the results are
//!                     medians. A row whose first run takes more than a second has that run alone
//! --rehearse          no GPU: all of it on the simulator
//! --json FILE         the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME       the version, for the results
//! ```
//!
//! Times are of kernels, with the strings in the GPU's memory. All algorithms must give the same
//! distance and end for a pair, or the run fails. `ns_a_step` is the time of one of the m + n - 1
//! diagonals of the algorithms with m threads. Criterion is not used: it takes at least ten runs,
//! and theorem 5 runs for minutes.

#[path = "../common/mod.rs"]
mod common;

use carrywave::device::{Gpu, PTX_ORIGIN, Simt};
use carrywave::internal::best::gpu;
use carrywave::internal::best::gpu::nakano::Launch;
use carrywave::internal::device::{Devices, open_gpu};
use carrywave::kernels::published::nakano::umm_n::NONE;
use carrywave::kernels::published::nakano::{FOUND, Strings};
use common::Outcome;
use common::line::Line;
use serde_json::{Value, json};
use simt_launch::Device;
use simt_std::WARP;
use std::time::Instant;

/// Seconds of a first run that make it the only one.
const LONG: f64 = 1.0;

struct Options {
    m: Vec<u32>,
    n: Vec<u32>,
    algorithms: Vec<String>,
    matrix_bytes: u64,
    runs: usize,
    rehearse: bool,
    line: Line,
}

impl Options {
    fn read() -> Outcome<Self> {
        let (mut m, mut n, mut algorithms) = (vec![64], vec![1 << 26], vec!["umm-n".to_owned(), "umm-3m".to_owned()]);
        let (mut gib, mut runs, mut rehearse) = (32u64, 5, false);
        let line = Line::read("--m --n --algorithms --gib --runs --rehearse", |name, value| {
            match name {
                "--m" => m = value.numbers(1..=1024)?,
                "--n" => n = value.numbers(1..=1 << 28)?,
                "--algorithms" => algorithms = value.text()?.split(',').map(str::to_owned).collect(),
                "--gib" => gib = value.number()?,
                "--runs" => runs = value.number::<usize>()?.max(1),
                "--rehearse" => rehearse = true,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Self { m, n, algorithms, matrix_bytes: gib.saturating_mul(1 << 30), runs, rehearse, line })
    }
}

fn main() -> Outcome<()> {
    let options = Options::read()?;
    if options.rehearse {
        let engine = Simt::new();
        let Devices::Simulated(devices) = Devices::from_engine(&engine) else { return Err("no simulator".into()) };
        return run(&options, &*devices[0], json!("none: a rehearsal on the simulator"));
    }
    match Gpu::open(0) {
        Ok(gpu) => run(&options, &**open_gpu(&gpu), json!(gpu.describe()?)),
        Err(error) => {
            println!("skipped: {error}");
            Ok(())
        }
    }
}

fn run<D: Device>(options: &Options, device: &D, description: Value) -> Outcome<()> {
    let mut rows: Vec<Value> = Vec::new();
    for &m in &options.m {
        for &n in &options.n {
            pair(options, device, (m, n), &mut rows)?;
        }
    }
    let all = json!({ "gpu": description, "cpu": common::cpu_model(), "ptx": PTX_ORIGIN, "rows": rows });
    options.line.write("gpu_best", all)
}

/// Measures all algorithms for a pattern of m symbols and a text of n.
fn pair<D: Device>(options: &Options, device: &D, (m, n): (u32, u32), rows: &mut Vec<Value>) -> Outcome<()> {
    let bases = |len: u32, seed| common::random(len as usize, 4, seed).into_iter().map(u32::from).collect::<Vec<_>>();
    let stream = device.stream()?;
    let x = device.alloc_from(&stream, &bases(m, 1), "X")?;
    let y = device.alloc_from(&stream, &bases(n, 2), "Y")?;
    let strings = Strings { x: device.handle(&x), y: device.handle(&y), m, n };
    let mut expected: Option<Vec<u32>> = None;
    for name in &options.algorithms {
        let row = gpu::matrix::<D>(name).ok_or_else(|| format!("{name}: not an algorithm of the paper"))?;
        let words = (row.words)(m, n, WARP);
        if words.saturating_mul(4) > options.matrix_bytes {
            println!("{name:<8} m {m} n {n}: left out, its matrix has {} MiB", words >> 18);
            continue;
        }
        let matrix = device.alloc::<u32>(words as usize, "matrix")?;
        let found = device.alloc::<u32>(FOUND, "found")?;
        let mut seconds = Vec::new();
        while seconds.len() <= options.runs {
            let flags = device.alloc_from(&stream, &vec![NONE; (row.flags)(m).max(1)], "flags")?;
            device.wait(&stream)?;
            let started = Instant::now();
            let launch = Launch {
                device,
                stream: &stream,
                strings,
                width: WARP,
                matrix: device.handle(&matrix),
                flags: device.handle(&flags),
                found: device.handle(&found),
            };
            // SAFETY: neither string is empty, the arrays have the lengths that the row names, and
            // all of them live until the stream has been waited for.
            unsafe { (row.launch)(launch) }?;
            device.wait(&stream)?;
            seconds.push(started.elapsed().as_secs_f64());
            if seconds[0] > LONG {
                break;
            }
        }
        if seconds.len() > 1 {
            // The first run loads the kernels.
            seconds.remove(0);
        }
        let answer = device.download(&stream, &found, FOUND)?;
        if *expected.get_or_insert_with(|| answer.clone()) != answer {
            return Err(format!("{name} gives {answer:?}, another algorithm {expected:?}").into());
        }
        let (median, least, greatest) = common::spread(&seconds);
        let gcups = f64::from(m) * f64::from(n) / median / 1e9;
        println!("{name:<8} m {m} n {n}: {median:.6} s ({least:.6} to {greatest:.6}), {gcups:.3} GCUPS");
        let mut more =
            json!({ "gcups": gcups, "distance": answer[0], "matrix_mib": words as f64 / f64::from(1 << 18) });
        if name != "umm-n" {
            more["ns_a_step"] = json!(1e9 * median / f64::from(m + n - 1));
        }
        rows.push(common::row("best match", "random bases", name, (m as usize, n as usize), &seconds, more));
    }
    Ok(())
}
