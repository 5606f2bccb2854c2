//! From a file in the page cache, or a text in memory, to the hits, relative to the rate of copying
//! pinned memory to the GPU in the same run.
//!
//! Warm: the GPU is open, kernels are compiled, and an earlier untimed search has allocated pinned
//! memory. The timings include everything else, from opening the file to the last hit.

use super::{Bench, Outcome, common};
use carrywave::internal::infix::End;
use carrywave::internal::search::cpu::CpuEnds;
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::internal::search::gpu::{CHUNK, DeviceEnds};
use carrywave::search::{Algorithm, Ends, Search, Tuning};
use carrywave::text::{Pattern, Text};
use rayon::prelude::*;
use serde_json::json;
use simt_launch::Device;
use simt_std::U32x4;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Number of timings of a row, after a warm-up run.
const RUNS: usize = 3;

/// Number of symbols of the pattern.
const M: usize = 32;

/// Number of different symbols of the text.
const SYMBOLS: u64 = 64;

/// Chunk sizes to compare, in MiB.
const CHUNKS: [u64; 5] = [8, 16, 32, 64, 128];

/// Number of chunks of pinned memory that take turns, as in a search.
const TURNS: usize = 3;

fn timed(mut run: impl FnMut() -> Outcome<()>) -> Outcome<Vec<f64>> {
    run()?;
    (0..RUNS)
        .map(|_| {
            let started = Instant::now();
            run()?;
            Ok(started.elapsed().as_secs_f64())
        })
        .collect()
}

/// Writes a file of `symbols` random symbols; the system keeps it in its page cache.
fn write(path: &Path, symbols: u64) -> Outcome<()> {
    const PIECE: usize = 1 << 20;
    let mut file = std::fs::File::create(path)?;
    let mut block = vec![0; 256 * PIECE];
    let mut done = 0;
    while done < symbols {
        let len = (symbols - done).min(block.len() as u64) as usize;
        let pieces = block[..len].par_chunks_mut(PIECE).enumerate();
        pieces.for_each(|(i, piece)| {
            let seed = done / PIECE as u64 + i as u64;
            piece.copy_from_slice(&common::random(piece.len(), SYMBOLS, seed));
        });
        file.write_all(&block[..len])?;
        done += len as u64;
    }
    // Syncs now, so that the system does not write to the disk during the timings.
    Ok(file.sync_all()?)
}

fn ends<D: Device>(engine: &mut DeviceEnds<'_, D>, text: &Text<'_>) -> Outcome<Vec<End>> {
    let mut all = Vec::new();
    engine.each(text, &mut |_, some| {
        all.extend(some);
        Ok(())
    })?;
    Ok(all)
}

impl<D: Device> Bench<D> {
    /// Measures all rows of this part.
    pub fn end_to_end(&mut self) -> Outcome<()> {
        let symbols = self.options.file_symbols;
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("text");
        write(&path, symbols)?;
        let file = Text::open(&path)?;
        let n = file.len();
        if n < M as u64 {
            return Err(format!("--file-symbols takes at least {M}").into());
        }
        println!("end to end: {n} symbols in {}, warm, medians of {RUNS}", path.display());
        let pattern = Pattern::literal(&file.part(n / 2 - M as u64 / 2..n / 2 + M as u64 / 2)?);
        let gpu = self.device.clone();
        let engine = |k, chunk| {
            let what = (vec![pattern.clone()], k);
            DeviceEnds::new(vec![gpu.clone()], what, (None, Tuning::default()), &|_| ())?.with_chunk(chunk)
        };
        let mut copied = 0.0;
        for chunk in CHUNKS.map(|mib| mib << 20) {
            let rate = self.copies(n, chunk)?;
            if chunk == CHUNK {
                copied = rate;
            }
            self.fills(&file, chunk)?;
            let name = format!("file, count, k 0, chunks of {} MiB", chunk >> 20);
            let seconds = timed(|| {
                engine(0, chunk)?.count(&Text::open(&path)?)?;
                Ok(())
            })?;
            self.end_to_end_row(&name, n, &seconds, Some(rate));
        }
        for k in [0, 1, 3] {
            let expected = CpuEnds::new(vec![pattern.clone()], k, Algorithm::AUTO, &|_| ())?.count(&file)?;
            let seconds = timed(|| match engine(k, CHUNK)?.count(&Text::open(&path)?)? {
                found if found == expected => Ok(()),
                found => Err(format!("{found} ends, and {expected} on the CPU, k = {k}").into()),
            })?;
            self.end_to_end_row(&format!("file, count, k {k}"), n, &seconds, Some(copied));
            let seconds = timed(|| match ends(&mut engine(k, CHUNK)?, &Text::open(&path)?)?.len() as u64 {
                found if found == expected => Ok(()),
                found => Err(format!("{found} hits, and {expected} on the CPU, k = {k}").into()),
            })?;
            self.end_to_end_row(&format!("file, ends, k {k}"), n, &seconds, Some(copied));
            let search = Search::new(pattern.clone()).errors(k).on(&*self.engine).ends(Ends::All);
            let seconds = timed(|| {
                search.hits(&Text::open(&path)?)?;
                Ok(())
            })?;
            self.end_to_end_row(&format!("file, hits with starts, k {k}"), n, &seconds, Some(copied));
        }
        let mut memory = vec![0; n as usize];
        file.read(0, &mut memory)?;
        let memory = Text::from(memory);
        for k in [0, 1] {
            let seconds = timed(|| {
                engine(k, CHUNK)?.count(&memory)?;
                Ok(())
            })?;
            self.end_to_end_row(&format!("memory, count, k {k}"), n, &seconds, Some(copied));
        }
        Ok(())
    }

    /// Measures the limit: copies of `bytes` bytes from pinned memory, in chunks. Returns bytes per
    /// second.
    fn copies(&mut self, bytes: u64, chunk: u64) -> Outcome<f64> {
        let gpu = self.device.clone();
        let stream = gpu.stream()?;
        let buffer = gpu.alloc::<U32x4>(chunk as usize / 16, "chunk")?;
        let mut pinned = (0..TURNS).map(|_| gpu.pinned(chunk as usize)).collect::<Result<Vec<_>, _>>()?;
        let seconds = timed(|| {
            for i in 0..bytes.div_ceil(chunk) {
                let vectors = chunk.min(bytes - i * chunk) as usize / size_of::<U32x4>();
                gpu.upload_async(&stream, &buffer, &mut pinned[i as usize % TURNS], vectors)?;
            }
            Ok(gpu.wait(&stream)?)
        })?;
        let name = format!("pinned memory to GPU, chunks of {} MiB", chunk >> 20);
        Ok(self.end_to_end_row(&name, bytes, &seconds, None))
    }

    /// Measures the speed from the page cache to pinned memory, with all threads.
    fn fills(&mut self, file: &Text<'_>, chunk: u64) -> Outcome<()> {
        let gpu = self.device.clone();
        let n = file.len();
        let mut pinned = (0..TURNS).map(|_| gpu.pinned(chunk as usize)).collect::<Result<Vec<_>, _>>()?;
        let seconds = timed(|| {
            for i in 0..n.div_ceil(chunk) {
                let len = chunk.min(n - i * chunk) as usize;
                file.read(i * chunk, &mut gpu.pinned_bytes(&mut pinned[i as usize % TURNS])?[..len])?;
            }
            Ok(())
        })?;
        self.end_to_end_row(&format!("page cache to pinned memory, chunks of {} MiB", chunk >> 20), n, &seconds, None);
        Ok(())
    }

    /// Adds a row, and returns the median in bytes per second.
    fn end_to_end_row(&mut self, name: &str, bytes: u64, seconds: &[f64], limit: Option<f64>) -> f64 {
        let median = self.row("end to end", name, "", (M, bytes as usize), seconds, json!({ "warm": true }));
        let rate = bytes as f64 / median;
        let share = limit.map(|limit| rate / limit);
        let shown = share.map_or(String::new(), |share| format!(", {:.1} % of the copies' rate", 100.0 * share));
        println!("    {:.2} GB/s{shown}", rate / 1e9);
        if let Some(row) = self.rows.last_mut() {
            row["more"]["gb_per_s"] = json!(rate / 1e9);
            row["more"]["share_of_copies"] = json!(share);
        }
        rate
    }
}
