//! Theorems 5 and 6 of Nakano (2012) on a GPU: `cargo bench --bench gpu_best -- [OPTIONS]`. The
//! program can be copied to a machine with a GPU, and runs there without Rust and CUDA.
//!
//! ```text
//! --m N, --n N    symbols of the pattern (64) and the text (2^26), random bases
//! --runs N        timings of each row (5); the results are medians. Theorem 5 is timed once: it
//!                 takes minutes
//! --json FILE     the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME   the version, for the results
//! ```
//!
//! Times are of kernels, with the strings in the GPU's memory. Both kernels must give the same
//! distance and end, or the run fails.
//! Criterion is not used: it takes at least ten runs, and Theorem 5 runs for minutes.

#[path = "../common/mod.rs"]
mod common;

use carrywave::device::{Gpu, PTX_ORIGIN};
use carrywave::internal::device::open_gpu;
use carrywave::kernels::published::nakano::umm_3m::Umm3m;
use carrywave::kernels::published::nakano::umm_n::{FirstFlag, NONE, UmmN, windows};
use carrywave::kernels::published::nakano::{FOUND, Strings};
use common::Outcome;
use common::line::Line;
use serde_json::{Value, json};
use simt_launch::Device;
use std::time::Instant;

fn main() -> Outcome<()> {
    let mut m = 64u32;
    let mut n = 1u32 << 26;
    let mut runs = 5;
    let line = Line::read("--m --n --runs", |name, value| {
        match name {
            "--m" => m = value.number::<u32>()?.clamp(1, 1024),
            "--n" => n = value.number::<u32>()?.clamp(1, 1 << 30),
            "--runs" => runs = value.number::<usize>()?.max(1),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let opened = match Gpu::open(0) {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("skipped: {error}");
            return Ok(());
        }
    };
    let gpu = open_gpu(&opened);
    let bases = |len: u32, seed| common::random(len as usize, 4, seed).into_iter().map(u32::from).collect::<Vec<_>>();
    let stream = gpu.stream()?;
    let mut x = gpu.alloc::<u32>(m as usize, "X")?;
    let mut y = gpu.alloc::<u32>(n as usize, "Y")?;
    gpu.upload(&stream, &mut x, &bases(m, 1))?;
    gpu.upload(&stream, &mut y, &bases(n, 2))?;
    let words = 3 * m as usize * windows(m, n) as usize;
    let work = gpu.alloc::<u32>(words, "rows")?;
    let found = gpu.alloc::<u32>(FOUND, "found")?;
    let mut flags = gpu.alloc::<u32>(m as usize + 1, "flags")?;
    let strings = Strings { x: gpu.handle(&x), y: gpu.handle(&y), m, n };
    let s = gpu.handle(&work);
    let out = gpu.handle(&found);
    let marks = gpu.handle(&flags);

    let mut rows: Vec<Value> = Vec::new();
    let mut answers: Vec<Vec<u32>> = Vec::new();
    for (engine, runs) in [("umm-n", runs + 1), ("umm-3m", 1)] {
        let mut seconds = Vec::new();
        for _ in 0..runs {
            gpu.upload(&stream, &mut flags, &vec![NONE; m as usize + 1])?;
            let started = Instant::now();
            // SAFETY: neither string is empty, the rows have 3 m words for each window, there are m
            // + 1 flags, and all buffers live until the stream has been waited for.
            unsafe {
                if engine == "umm-3m" {
                    gpu.launch(&stream, 1, Umm3m { strings, s, found: out })?;
                } else {
                    let kernel = UmmN { strings, windows: windows(m, n), s, flags: marks };
                    gpu.launch(&stream, kernel.blocks(), kernel)?;
                    gpu.launch(&stream, 1, FirstFlag { flags: marks, m, found: out })?;
                }
            }
            gpu.wait(&stream)?;
            seconds.push(started.elapsed().as_secs_f64());
        }
        answers.push(gpu.download(&stream, &found, FOUND)?);
        if runs > 1 {
            // The first run compiles the kernels.
            seconds.remove(0);
        }
        let (median, least, greatest) = common::spread(&seconds);
        let gcups = f64::from(m) * f64::from(n) / median / 1e9;
        println!("{engine:<8} m {m} n {n}: {median:.6} s ({least:.6} to {greatest:.6}), {gcups:.3} GCUPS");
        let more = json!({ "gcups": gcups, "distance": answers[answers.len() - 1][0] });
        rows.push(common::row("best match", "random bases", engine, (m as usize, n as usize), &seconds, more));
    }
    if answers[0] != answers[1] {
        return Err(format!("theorem 6 gives {:?}, theorem 5 {:?}", answers[0], answers[1]).into());
    }
    let all = json!({
        "gpu": opened.describe()?, "cpu": common::cpu_model(), "ptx": PTX_ORIGIN, "rows": rows,
    });
    line.write("gpu_best", all)
}
