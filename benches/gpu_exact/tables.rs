//! Tables 1 to 4 of Wang (2018), with a row for each stage.

use super::{Bench, Outcome};
use crate::common;
use carrywave::internal::search::cpu::kmp;
use carrywave::internal::search::gpu::{DeviceResult, DeviceText, ResultKind};
use carrywave::kernels::published::brute_force::BruteForce;
use carrywave::kernels::published::duel_global::{CheckCandidates, Duel, DuelGlobal};
use carrywave::kernels::published::duel_shared::DuelShared;
use carrywave::text::witnesses;
use serde_json::json;
use simt_launch::Device;

/// Number of symbols of the paper's pattern.
const M: usize = 1_000;

/// The paper's milliseconds for n = 2^20, 2^22, 2^24, by table and stage.
const PUBLISHED: &[(&str, &str, [f64; 3])] = &[
    ("brute-force", "copy in", [0.560384, 1.069824, 3.014336]),
    ("brute-force", "kernel", [17.264, 67.444992, 310.652466]),
    ("brute-force", "copy out", [0.708128, 2.559744, 10.067680]),
    ("brute-force", "total", [18.532428, 71.0735, 323.7345]),
    ("duel-global", "witnesses", [0.03, 0.03, 0.03]),
    ("duel-global", "copy in", [0.785664, 1.352672, 3.6968]),
    ("duel-global", "elimination", [0.12368, 0.404608, 1.461184]),
    ("duel-global", "verification", [0.063232, 0.081984, 0.80672]),
    ("duel-global", "copy out", [0.794976, 3.004512, 7.773664]),
    ("duel-global", "total", [1.7674, 4.873072, 13.7682]),
    ("duel-shared", "witnesses", [0.03, 0.03, 0.03]),
    ("duel-shared", "copy in", [0.73664, 1.239, 2.719616]),
    ("duel-shared", "elimination", [0.174368, 0.676064, 2.120864]),
    ("duel-shared", "verification", [0.620896, 0.711264, 2.389024]),
    ("duel-shared", "copy out", [0.736224, 2.65856, 8.388256]),
    ("duel-shared", "total", [2.582128, 5.559896, 15.88676]),
    ("kmp on the CPU", "failure function", [0.002, 0.002, 0.003]),
    ("kmp on the CPU", "matching", [3.705, 14.676, 46.746]),
    ("kmp on the CPU", "total", [3.707, 14.678, 46.749]),
];

/// A size of the tables: a text and a pattern from it on the device, and the times that the tables
/// share.
struct Size<D: Device> {
    /// Binary logarithm of n.
    log: u32,
    text: Vec<u8>,
    pattern: Vec<u8>,
    /// Number of occurrences of the pattern.
    expected: usize,
    stream: D::Stream,
    symbols: D::Buffer<u8>,
    pattern_on_device: D::Buffer<u8>,
    /// Buffer for the results, a byte for each position.
    bytes: D::Buffer<u8>,
    copy_in: Vec<f64>,
    copy_out: Vec<f64>,
}

impl<D: Device> Size<D> {
    fn n(&self) -> usize {
        self.text.len()
    }

    /// Returns an error for a different number of occurrences.
    fn check(&self, found: usize) -> Outcome<()> {
        let expected = self.expected;
        if found == expected { Ok(()) } else { Err(format!("{found} occurrences, and memmem finds {expected}").into()) }
    }

    /// Checks the occurrences in `bytes`.
    fn check_bytes(&self, device: &D) -> Outcome<()> {
        let found = device.download(&self.stream, &self.bytes, self.n())?;
        self.check(memchr::memchr_iter(1, &found).count())
    }
}

impl<D: Device> Bench<D> {
    /// Computes all tables, for each n.
    pub(crate) fn tables(&mut self) -> Outcome<()> {
        for log in self.options.logs.clone() {
            self.table(log)?;
            self.save()?;
        }
        Ok(())
    }

    /// Adds a stage, with the paper's milliseconds and the measured ones.
    fn stage(&mut self, engine: &str, stage: &str, log: u32, seconds: &[f64]) -> f64 {
        let column = [20, 22, 24].iter().position(|&own| own == log);
        let of_paper = PUBLISHED.iter().find(|(own, name, _)| *own == engine && *name == stage);
        let m = self.m();
        let paper = of_paper.zip(column).filter(|_| m == M).map(|((_, _, times), column)| times[column]);
        let median = common::median(seconds);
        let ratio = paper.map(|paper| (paper / (1e3 * median) * 10.0).round() / 10.0);
        let more = json!({ "ms": (1e6 * median).round() / 1e3, "paper_ms": paper, "times_faster": ratio });
        self.row(&format!("tables, n = 2^{log}"), stage, engine, (m, 1 << log), seconds, more)
    }

    /// Returns the number of symbols of the pattern.
    fn m(&self) -> usize {
        self.options.m.filter(|_| self.options.part.as_deref() == Some("tables")).unwrap_or(M)
    }

    fn table(&mut self, log: u32) -> Outcome<()> {
        let size = self.size(log)?;
        self.brute_force(&size)?;
        self.duels(&size)?;
        let build = self.time(|| {
            std::hint::black_box(kmp::borders(&size.pattern));
            Ok(())
        })?;
        let borders = kmp::borders(&size.pattern);
        let matching = self.time(|| size.check(kmp::matching(&size.text, &size.pattern, &borders).len()))?;
        let total = common::median(&build) + common::median(&matching);
        self.stage("kmp on the CPU", "failure function", log, &build);
        self.stage("kmp on the CPU", "matching", log, &matching);
        self.stage("kmp on the CPU", "total", log, &[total]);
        self.on_the_gpu(&size)
    }

    /// Copies a random text and a pattern to the device.
    fn size(&self, log: u32) -> Outcome<Size<D>> {
        let n = 1 << log;
        let text = common::random(n, 4, log.into());
        let pattern = text[n / 2..n / 2 + self.m()].to_vec();
        let device = &*self.device;
        let stream = device.stream()?;
        let mut pinned = device.pinned(n)?;
        device.pinned_bytes(&mut pinned)?[..n].copy_from_slice(&text);
        let symbols = device.alloc::<u8>(n.next_multiple_of(16), "text")?;
        let copy_in = self.time(|| {
            device.upload_async(&stream, &symbols, &mut pinned, n)?;
            Ok(device.wait(&stream)?)
        })?;
        let pattern_on_device = device.alloc_from(&stream, &pattern, "pattern")?;
        let mut bytes = device.alloc::<u8>(n.next_multiple_of(16), "a byte a position")?;
        device.zero(&stream, &mut bytes)?;
        let copy_out = self.time(|| {
            device.download(&stream, &bytes, n)?;
            Ok(())
        })?;
        let expected = memchr::memmem::find_iter(&text, &pattern).count();
        Ok(Size { log, text, pattern, expected, stream, symbols, pattern_on_device, bytes, copy_in, copy_out })
    }

    fn brute_force(&mut self, size: &Size<D>) -> Outcome<()> {
        let device = self.device.clone();
        let brute = BruteForce {
            text: device.handle(&size.symbols),
            pattern: device.handle(&size.pattern_on_device),
            n: size.n() as u64,
            m: self.m() as u32,
            bytes: device.handle(&size.bytes),
        };
        let kernel = self.time(|| {
            // SAFETY: text, pattern and bytes have the lengths that the kernel requires, and the
            // stream is waited for.
            unsafe { device.launch(&size.stream, brute.blocks(), brute) }?;
            Ok(device.wait(&size.stream)?)
        })?;
        size.check_bytes(&device)?;
        let total = [&size.copy_in, &kernel, &size.copy_out].map(|seconds| common::median(seconds)).iter().sum();
        self.stage("brute-force", "copy in", size.log, &size.copy_in);
        self.stage("brute-force", "kernel", size.log, &kernel);
        self.stage("brute-force", "copy out", size.log, &size.copy_out);
        self.stage("brute-force", "total", size.log, &[total]);
        Ok(())
    }

    fn duels(&mut self, size: &Size<D>) -> Outcome<()> {
        let device = self.device.clone();
        let stream = &size.stream;
        let build = self.time(|| {
            std::hint::black_box(witnesses(&size.pattern));
            Ok(())
        })?;
        let of_shifts = device.alloc_from(stream, &witnesses(&size.pattern), "witnesses")?;
        let output = device.alloc::<u32>(size.n(), "a candidate a position")?;
        let duel = Duel {
            text: device.handle(&size.symbols),
            pattern: device.handle(&size.pattern_on_device),
            witnesses: device.handle(&of_shifts),
            n: size.n() as u32,
            m: self.m() as u32,
        };
        let bytes = device.handle(&size.bytes);
        let global = DuelGlobal { duel, output: device.handle(&output) };
        let shared = DuelShared { duel, candidates: device.handle(&output) };
        for name in ["duel-global", "duel-shared"] {
            let is_global = name == "duel-global";
            let elimination = self.time(|| {
                // SAFETY: as for brute force; the output is as long as the text, and the pattern is
                // not periodic.
                unsafe {
                    match is_global {
                        true => device.launch(stream, duel.blocks(), global)?,
                        false => device.launch(stream, duel.blocks(), shared)?,
                    }
                }
                Ok(device.wait(stream)?)
            })?;
            let check: CheckCandidates = if is_global { global.then(bytes) } else { shared.then(bytes) };
            let verification = self.time(|| {
                // SAFETY: as above.
                unsafe { device.launch(stream, check.blocks(), check) }?;
                Ok(device.wait(stream)?)
            })?;
            size.check_bytes(&device)?;
            let stages = [
                ("witnesses", &build),
                ("copy in", &size.copy_in),
                ("elimination", &elimination),
                ("verification", &verification),
                ("copy out", &size.copy_out),
            ];
            for (stage, seconds) in stages {
                self.stage(name, stage, size.log, seconds);
            }
            let total = stages.iter().map(|(_, seconds)| common::median(seconds)).sum();
            self.stage(name, "total", size.log, &[total]);
        }
        Ok(())
    }

    /// Times the kernels of searches.
    fn on_the_gpu(&mut self, size: &Size<D>) -> Outcome<()> {
        let kept = DeviceText::new(self.device.clone(), &size.text)?;
        for (name, format) in
            [("kmp", ResultKind::Bytes), ("brute-force-filtered", ResultKind::Count), ("duel", ResultKind::Count)]
        {
            let Some(mut search) = self.prepare(&kept, name, &size.pattern, format)? else { continue };
            let seconds = self.time(|| {
                search.launch(0)?;
                Ok(search.wait()?)
            })?;
            match search.run(0)? {
                DeviceResult::Count(found) => size.check(found as usize)?,
                DeviceResult::Bytes(found) => size.check(memchr::memchr_iter(1, &found).count())?,
                _ => {}
            }
            self.stage(&format!("{name} on the GPU"), "kernel", size.log, &seconds);
        }
        Ok(())
    }
}
