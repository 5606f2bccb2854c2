//! `--slices`: the experiments of Melo and Canalli (2014), section 4: Myers by slices of the text,
//! in twelve configurations.
//!
//! | part | what |
//! |---|---|
//! | `configurations` | a row for each configuration: the paper's and the measured milliseconds |
//! | `configurations, timings` | each measured time, with all of its runs |
//! | `simulator` | the simulator's counts in configurations 2 and 8, for the text's first symbols |
//! | `1 GiB` | the Bible repeated to 2^30 symbols, pattern of 31, k = 3: paper's kernels, others |
//!
//! **Texts.** This benchmark uses the King James Bible, a verse a line without references,
//! 4,137,850 bytes; the paper's text has 4,351,843 bytes, or 8,703,687 doubled. Books are delimited
//! by their first verses. The paper's Genesis is incomplete; here it is whole.
//!
//! **k** is not in the paper. Here it is 0: there are 6,655 occurrences of LORD, and the paper
//! counts 13 replays of stores in a million threads, which means that stores are rare. With errors
//! they would be frequent.
//!
//! **Times.** The paper's CPU time is of a sequential run. Its GPU time is the sum of nvprof's
//! times: copies of text and results, setting results to 0, and the kernel. `with_copies_ms` is the
//! same sum here, with the text copied from page-locked memory; a launch of `myers-slices` sets
//! results to 0 first. A separate row times a whole call: from the text in memory to the list of
//! ends. `cpu_ms` is algorithm 1 run sequentially, a byte of result a symbol, on one thread;
//! `cpu_myers_ms` is the algorithm `myers` of this library, on one thread. The speedup is `cpu_ms`
//! divided by `with_copies_ms`, as in the paper.
//!
//! The counters of the paper's nvprof table, with their equivalents in Nsight Compute
//! (configurations 2 and 8; `--once` launches each of both kernels once):
//!
//! ```text
//! ncu --kernel-name regex:myers_slices --metrics smsp__warps_launched.sum,\
//! l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,\
//! l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,\
//! l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum,\
//! l1tex__t_requests_pipe_lsu_mem_global_op_red.sum,\
//! sm__cycles_active.avg.pct_of_peak_sustained_elapsed,\
//! smsp__thread_inst_executed_per_inst_executed.ratio,\
//! l1tex__t_sector_hit_rate.pct,lts__t_sector_op_read_hit_rate.pct,\
//! lts__t_sectors.avg.pct_of_peak_sustained_elapsed \
//! gpu_search --slices --once 2
//! ```
//!
//! nvprof's metrics of 2014, with the paper's values for configurations 2 and 8, and Nsight
//! Compute's metric for the same:
//!
//! - `warps_launched` (32,768 and 4,096): `smsp__warps_launched.sum`
//! - `global_ld_mem_divergence_replays` (130,302 and 2,081,757): none; the sectors per request of
//!   loads show the same
//! - `global_st_mem_divergence_replays` (13 and 0): none; the sectors per request of stores and
//!   reductions show the same
//! - `sm_efficiency` (99.10 and 99.91 %): `sm__cycles_active.avg.pct_of_peak_sustained_elapsed`
//! - `warp_execution_efficiency` (100 and 100 %):
//!   `smsp__thread_inst_executed_per_inst_executed.ratio`, of 32
//! - `tex_cache_hit_rate` (97.55 and 92.61 %): `l1tex__t_sector_hit_rate.pct`; textures and global
//!   memory have one cache
//! - `l1_cache_global_hit_rate` (0 and 0 %): the same
//! - `l2_texture_read_hit_rate` (83.87 and 100 %) and `l2_l1_read_hit_rate` (87.52 and 98.36 %):
//!   `lts__t_sector_op_read_hit_rate.pct`
//! - `l2_utilization` (4 and 10 of 10): `lts__t_sectors.avg.pct_of_peak_sustained_elapsed`

use super::{Bench, Outcome, common, plain, prepare};
use carrywave::internal::search::cpu::CpuEnds;
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::internal::search::gpu::{DeviceAlgorithm, DeviceEnds, DeviceResult, DeviceText, ResultKind};
use carrywave::kernels::published::myers_slices::{SliceColumn, Slices};
use carrywave::search::{Algorithm, Tuning};
use carrywave::text::{Pattern, Text};
use serde_json::{Value, json};
use simt_launch::{Device, Simt};
use simt_std::simulator::{Access, KernelCosts, Space};
use std::io::Read;
use std::sync::Arc;

/// Numbers of errors in the twelve configurations, and in the text of 1 GiB.
const K: u32 = 0;
const K_LONG: u32 = 3;

/// Number of symbols of the texts in the simulator.
const SIMULATED: usize = 1 << 15;

/// The paper's kernel, and the paper's future work.
const BOTH: [&str; 2] = ["myers-slices", "myers-slices-shared"];

const PATTERNS: [&[u8]; 2] = [b"LORD", b"for his mercy endureth for ever"];

/// One or several books: their beginning, and the beginning of what follows.
struct Books {
    name: &'static str,
    begins: &'static str,
    until: Option<&'static str>,
    /// Number of repetitions.
    times: usize,
    /// Number of symbols in the paper.
    published: usize,
}

const BIBLE: &str = "In the beginning God created the heaven and the earth.";
const EXODUS: &str = "Now these are the names of the children of Israel, which came into Egypt;";
const PSALMS: &str = "Blessed is the man that walketh not in the counsel of the ungodly,";
const PROVERBS: &str = "The proverbs of Solomon the son of David, king of Israel;";
const MATTHEW: &str = "The book of the generation of Jesus Christ,";
const FIRST_JOHN: &str = "That which was from the beginning, which we have heard,";
const SECOND_JOHN: &str = "The elder unto the elect lady and her children,";

#[rustfmt::skip]
const TEXTS: [Books; 6] = [
    Books { name: "Bible, twice", begins: BIBLE, until: None, times: 2, published: 8_703_687 },
    Books { name: "Bible", begins: BIBLE, until: None, times: 1, published: 4_351_843 },
    Books { name: "New Testament", begins: MATTHEW, until: None, times: 1, published: 1_017_275 },
    Books { name: "Psalms", begins: PSALMS, until: Some(PROVERBS), times: 1, published: 240_885 },
    Books { name: "Genesis", begins: BIBLE, until: Some(EXODUS), times: 1, published: 166_659 },
    Books { name: "1 John", begins: FIRST_JOHN, until: Some(SECOND_JOHN), times: 1, published: 13_369 },
];

/// The paper's milliseconds: sequential on a Core i5 4200U, and on a GT 740M.
const PUBLISHED: [(f64, f64); 12] = [
    (278.787018, 20.677804),
    (140.347, 7.93738),
    (34.472, 1.705135),
    (8.427, 0.414089),
    (6.247, 0.298561),
    (1.269, 0.0376),
    (279.370026, 15.87318),
    (139.198013, 10.337652),
    (35.797001, 2.380277),
    (8.577001, 0.546658),
    (6.34, 0.390404),
    (1.46, 0.101409),
];

impl Books {
    /// Returns the symbols of the books.
    fn symbols(&self, bible: &[u8]) -> Outcome<Vec<u8>> {
        let verse = |beginning: &str| {
            let mut starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', bible).map(|end| end + 1));
            let found = starts.find(|&start| bible[start..].starts_with(beginning.as_bytes()));
            found.ok_or_else(|| format!("the Bible has no verse that begins with `{beginning}`"))
        };
        let end = self.until.map_or(Ok(bible.len()), verse)?;
        let book = bible.get(verse(self.begins)?..end).ok_or_else(|| format!("{} is not in order", self.name))?;
        Ok(book.repeat(self.times))
    }
}

/// A configuration: the paper's number, its text and its pattern.
struct Configuration {
    number: usize,
    name: &'static str,
    text: Vec<u8>,
    pattern: &'static [u8],
    published: usize,
}

/// Returns the last positions of occurrences, a byte for each position of the text, by algorithm 1
/// run sequentially, as the paper's sequential program.
fn sequential(text: &[u8], pattern: &[u8], k: u32) -> Vec<u8> {
    let m = pattern.len() as u32;
    let mut peq = [0; 256];
    for (i, &symbol) in pattern.iter().enumerate() {
        peq[usize::from(symbol)] |= 1 << i;
    }
    let mut column = SliceColumn::new(m);
    let end = |&symbol: &u8| {
        column.step(peq[usize::from(symbol)], m);
        u8::from(column.score <= k)
    };
    text.iter().map(end).collect()
}

/// Returns the number of ends.
fn count(bytes: &[u8]) -> u64 {
    bytes.iter().map(|&byte| u64::from(byte)).sum()
}

impl<D: Device> Bench<D> {
    /// Measures all parts.
    pub fn slices(&mut self) -> Outcome<()> {
        let bible = self.bible()?;
        let mut all = Vec::new();
        for (i, (pattern, books)) in PATTERNS.iter().flat_map(|p| TEXTS.iter().map(move |t| (*p, t))).enumerate() {
            let mut text = books.symbols(&bible)?;
            if self.options.rehearse {
                text.truncate(SIMULATED);
            }
            all.push(Configuration { number: i + 1, name: books.name, text, pattern, published: books.published });
        }
        if let Some(number) = self.options.slices.once {
            let one = all.iter().find(|one| one.number == number).ok_or("--once takes 1 to 12")?;
            return self.once(one);
        }
        let mut summary = Vec::new();
        for one in &all {
            summary.push(self.configuration(one)?);
        }
        for (one, more) in all.iter().zip(summary) {
            let name = format!("{}: {}, |p| = {}", one.number, one.name, one.pattern.len());
            self.rows.push(json!({
                "part": "configurations", "name": name, "m": one.pattern.len(), "n": one.text.len(), "more": more,
            }));
        }
        self.save()?;
        for one in [&all[1], &all[7]] {
            self.simulated(one)?;
        }
        self.save()?;
        if self.options.symbols > 0 {
            self.long(&bible)?;
        }
        self.save()
    }

    fn bible(&self) -> Outcome<Vec<u8>> {
        let path = self.options.slices.bible.clone().unwrap_or_else(|| common::data_dir().join("kjv.txt.gz"));
        let file = std::fs::read(&path).map_err(|error| format!("{}: {error} (--bible FILE)", path.display()))?;
        if !file.starts_with(&[0x1f, 0x8b]) {
            return Ok(file);
        }
        let mut bible = Vec::new();
        flate2::read::MultiGzDecoder::new(&file[..]).read_to_end(&mut bible)?;
        Ok(bible)
    }

    /// Launches each kernel once.
    fn once(&self, one: &Configuration) -> Outcome<()> {
        let patterns = [Pattern::literal(one.pattern)];
        let on_gpu = DeviceText::new(self.device.clone(), &one.text)?;
        for name in BOTH {
            let mut search = prepare(&on_gpu, plain(name), &patterns, K, ResultKind::Bytes)?;
            search.launch(0)?;
            search.wait()?;
            println!(
                "{name}: configuration {}, {:?}",
                one.number,
                Slices::new(one.text.len() as u64, patterns[0].len() as u32)
            );
        }
        Ok(())
    }

    /// Measures the rows of a configuration, and returns its line of the summary.
    fn configuration(&mut self, one: &Configuration) -> Outcome<Value> {
        let part = "configurations, timings";
        let m = one.pattern.len();
        let n = one.text.len();
        let name = format!("{}: {}", one.number, one.name);
        let row = |bench: &mut Self, engine: &str, what: &str, seconds: &[f64]| {
            1e3 * bench.row(part, &name, &format!("{engine}, {what}"), (m, n), seconds, json!({ "k": K }))
        };
        let expected = sequential(&one.text, one.pattern, K);
        let ends = count(&expected);
        let cpu = self.calls(&expected, || Ok(sequential(&one.text, one.pattern, K)))?;
        let cpu = row(self, "cpu", "algorithm 1", &cpu);
        let one_thread = common::pool(1);
        let pattern = Pattern::literal(one.pattern);
        let text = Text::from(&one.text);
        let myers = Algorithm::named("myers")?;
        let fastest = self.calls(&ends, || {
            let found = one_thread.install(|| CpuEnds::new(vec![pattern.clone()], K, myers, &|_| ())?.count(&text));
            Ok(found?)
        })?;
        let fastest = row(self, "cpu", "myers", &fastest);

        // Both copies, as in the paper: from page-locked memory to the GPU, and back.
        let device = self.device.clone();
        let stream = device.stream()?;
        let buffer = device.alloc::<u8>(n, "text")?;
        let mut pinned = device.pinned(n)?;
        device.pinned_bytes(&mut pinned)?[..n].copy_from_slice(&one.text);
        let copies = self.calls(&(), || {
            device.upload_async(&stream, &buffer, &mut pinned, n)?;
            Ok(device.wait(&stream)?)
        })?;
        let to_gpu = row(self, "gpu", "text to the GPU", &copies);
        let copies = self.calls(&one.text, || Ok(device.download(&stream, &buffer, n)?))?;
        let from_gpu = row(self, "gpu", "results to the host", &copies);

        let (paper_cpu, paper_gpu) = PUBLISHED[one.number - 1];
        let mut more = json!({
            "ends": ends, "k": K, "paper_symbols": one.published, "paper_cpu_ms": paper_cpu, "paper_gpu_ms": paper_gpu,
            "paper_speed_up": paper_cpu / paper_gpu, "cpu_ms": cpu, "cpu_myers_ms": fastest, "copies_ms": to_gpu + from_gpu,
            "slices": Slices::new(n as u64, m as u32).count,
        });
        let on_gpu = DeviceText::new(device.clone(), &one.text)?;
        for (engine, key) in BOTH.into_iter().zip(["published", "shared"]) {
            let one_pattern = std::slice::from_ref(&pattern);
            let mut search = prepare(&on_gpu, plain(engine), one_pattern, K, ResultKind::Bytes)?;
            let seconds = self.time(&mut search)?;
            let kernel = row(self, engine, "kernel", &seconds);
            if search.run(0)? != DeviceResult::Bytes(expected.clone()) {
                return Err(format!("{engine} has found something else in configuration {}", one.number).into());
            }
            let algorithm = DeviceAlgorithm::<D>::ALL.iter().find(|row| row.about.name == engine);
            let what = (vec![pattern.clone()], K);
            let how = (algorithm, Tuning::default());
            let mut ends_of = DeviceEnds::new(vec![device.clone()], what, how, &|_| ())?;
            let call = self.calls(&ends, || Ok(ends_of.all(&text, 1)?.concat().len() as u64))?;
            let call = row(self, engine, "whole call", &call);
            more[format!("{key}_kernel_ms")] = json!(kernel);
            more[format!("{key}_with_copies_ms")] = json!(kernel + to_gpu + from_gpu);
            more[format!("{key}_call_ms")] = json!(call);
            more[format!("{key}_speed_up")] = json!(cpu / (kernel + to_gpu + from_gpu));
        }
        Ok(more)
    }

    /// Counts the accesses of both kernels on the simulator, in the first symbols of a text.
    fn simulated(&mut self, one: &Configuration) -> Outcome<()> {
        let text = &one.text[..one.text.len().min(SIMULATED)];
        let patterns = [Pattern::literal(one.pattern)];
        for engine in BOTH {
            let simulator = Arc::new(Simt::new(true));
            prepare(&DeviceText::new(simulator.clone(), text)?, plain(engine), &patterns, K, ResultKind::Bytes)?
                .run(0)?;
            for (name, KernelCosts { costs, .. }) in simulator.costs_by_kernel() {
                let slices = Slices::new(text.len() as u64, one.pattern.len() as u32);
                let mut more = json!({ "slices": slices.count, "k": K });
                let of = [("load", Access::Read), ("store", Access::Write), ("atomic", Access::Atomic)];
                for (what, access) in of {
                    let global = costs.total_of(Space::Global, access);
                    more[format!("global_{what}_warp_accesses")] = json!(global.accesses);
                    more[format!("sectors_a_global_{what}")] =
                        json!(global.sectors as f64 / global.accesses.max(1) as f64);
                    more[format!("lanes_a_global_{what}")] = json!(global.lanes as f64 / global.accesses.max(1) as f64);
                }
                let shared = costs.total(Space::Shared);
                more["shared_conflicts_a_warp_access"] = json!(shared.conflicts as f64 / shared.accesses.max(1) as f64);
                println!("simulator, configuration {}: {name} {more}", one.number);
                self.rows.push(json!({
                    "part": "simulator", "name": format!("{}: {}", one.number, one.name), "engine": name,
                    "m": one.pattern.len(), "n": text.len(), "more": more,
                }));
            }
        }
        Ok(())
    }

    /// Measures the Bible repeated.
    fn long(&mut self, bible: &[u8]) -> Outcome<()> {
        let n = self.options.symbols;
        let text: Vec<u8> = bible.iter().copied().cycle().take(n).collect();
        let on_gpu = DeviceText::new(self.device.clone(), &text)?;
        let pattern = Pattern::literal(PATTERNS[1]);
        let mut found = None;
        use ResultKind::{Bytes, Count};
        for (engine, formats) in [
            (BOTH[0], &[Bytes][..]),
            (BOTH[1], &[Bytes]),
            ("wu-manber", &[Bytes, Count]),
            ("packed", &[Count]),
            ("myers", &[Bytes, Count]),
        ] {
            for &format in formats {
                let mut search = prepare(&on_gpu, plain(engine), std::slice::from_ref(&pattern), K_LONG, format)?;
                let seconds = self.time(&mut search)?;
                let ends = match search.run(0)? {
                    DeviceResult::Bytes(bytes) => count(&bytes),
                    DeviceResult::Count(ends) => ends,
                    _ => return Err("a format that was not asked for".into()),
                };
                if *found.get_or_insert(ends) != ends {
                    return Err(format!("{engine} has {ends} ends, where another one has {found:?}").into());
                }
                let tbps = 8.0 * n as f64 / common::median(&seconds) / 1e12;
                let more = json!({ "k": K_LONG, "ends": ends, "tbps": tbps });
                self.row("1 GiB", &format!("{format:?}"), engine, (pattern.len(), n), &seconds, more);
            }
        }
        Ok(())
    }
}
