//! Wang's (2018) tables 1 to 4: each stage a row.

use super::{Bench, Outcome};
use crate::common;
use carrywave::device::Device;
use carrywave::kernels::published::brute_force::BruteForce;
use carrywave::kernels::published::duel_global::{CheckCandidates, Duel, DuelGlobal};
use carrywave::kernels::published::duel_shared::DuelShared;
use carrywave::search::cpu::{Query, kmp};
use carrywave::search::gpu::{DeviceResult, DeviceText, ResultKind};
use carrywave::text::{Pattern, witnesses};
use serde_json::json;

/// Symbols of the pattern.
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
    ("kmp on the CPU", "total", [3.707, 14.678, 46.749]),
];

impl<D: Device> Bench<D> {
    /// All tables, for each n.
    pub(crate) fn tables(&mut self) -> Outcome<()> {
        let sizes: &[u32] = if self.options.rehearse { &[13] } else { &[20, 22, 24, 26, 28] };
        for &log in sizes {
            self.table(1 << log, log)?;
            self.save()?;
        }
        Ok(())
    }

    /// A stage: the paper's milliseconds beside ours.
    fn stage(&mut self, engine: &str, stage: &str, (n, log): (usize, u32), seconds: &[f64]) -> f64 {
        let column = [20, 22, 24].iter().position(|&own| own == log);
        let of_paper = PUBLISHED.iter().find(|(own, name, _)| *own == engine && *name == stage);
        let paper = of_paper.zip(column).map(|((_, _, times), column)| times[column]);
        let median = common::median(seconds);
        let ratio = paper.map(|paper| (paper / (1e3 * median) * 10.0).round() / 10.0);
        let more = json!({ "ms": (1e6 * median).round() / 1e3, "paper_ms": paper, "times_faster": ratio });
        self.row(&format!("tables, n = 2^{log}"), stage, engine, (M, n), seconds, more)
    }

    fn table(&mut self, n: usize, log: u32) -> Outcome<()> {
        let size = (n, log);
        let text = common::random(n, 4, log.into());
        let pattern = text[n / 2..n / 2 + M].to_vec();
        let device = self.device.clone();
        let stream = device.stream()?;
        let mut pinned = device.pinned(n)?;
        device.pinned_bytes(&mut pinned)[..n].copy_from_slice(&text);
        let symbols = device.alloc::<u8>(n.next_multiple_of(16), "text")?;
        let copy_in = self.time(|| {
            // SAFETY: nobody writes the pinned memory; it and the buffer live until the stream was waited for, in the next line.
            let put = unsafe { device.upload_async(&stream, &symbols, &pinned, n) };
            device.wait(&stream)?;
            Ok(put?)
        })?;
        let build = self.time(|| {
            std::hint::black_box(witnesses(&pattern));
            Ok(())
        })?;
        let on_device = device.alloc_from(&stream, &pattern, "pattern")?;
        let of_shifts = device.alloc_from(&stream, &witnesses(&pattern), "witnesses")?;
        let mut bytes = device.alloc::<u8>(n.next_multiple_of(16), "a byte a position")?;
        let output = device.alloc::<u32>(n, "a candidate a position")?;
        let expected = memchr::memmem::find_iter(&text, &pattern).count();

        let (text_on, pattern_on) = (device.handle(&symbols), device.handle(&on_device));
        let bytes_on = device.handle(&bytes);
        device.zero(&stream, &mut bytes)?;
        let download = |count: &mut usize| -> Outcome<()> {
            let found = device.download(&stream, &bytes, n)?;
            *count = memchr::memchr_iter(1, &found).count();
            Ok(())
        };
        let mut count = 0;
        let copies = self.time(|| {
            device.download(&stream, &bytes, n)?;
            Ok(())
        })?;
        let median = common::median;
        let ends = |found: usize| match found == expected {
            true => Ok(()),
            false => Err(format!("{found} occurrences, and memmem finds {expected}")),
        };

        let brute = BruteForce { text: text_on, pattern: pattern_on, n: n as u64, m: M as u32, bytes: bytes_on };
        let kernel = self.time(|| {
            // SAFETY: text, pattern and bytes are as long as the kernel says, and the stream is waited for.
            unsafe { device.launch(&stream, brute.blocks(), brute) }?;
            Ok(device.wait(&stream)?)
        })?;
        download(&mut count)?;
        ends(count)?;
        self.stage("brute-force", "copy in", size, &copy_in);
        self.stage("brute-force", "kernel", size, &kernel);
        self.stage("brute-force", "copy out", size, &copies);
        self.stage("brute-force", "total", size, &[median(&copy_in) + median(&kernel) + median(&copies)]);

        let duel =
            Duel { text: text_on, pattern: pattern_on, witnesses: device.handle(&of_shifts), n: n as u32, m: M as u32 };
        let global = DuelGlobal { duel, output: device.handle(&output) };
        let shared = DuelShared { duel, candidates: device.handle(&output) };
        for name in ["duel-global", "duel-shared"] {
            let eliminate = || -> Outcome<()> {
                // SAFETY: as above; the output is as long as the text, and the pattern is not periodic.
                unsafe {
                    match name {
                        "duel-global" => device.launch(&stream, duel.blocks(), global)?,
                        _ => device.launch(&stream, duel.blocks(), shared)?,
                    }
                }
                Ok(device.wait(&stream)?)
            };
            let elimination = self.time(eliminate)?;
            let check: CheckCandidates =
                if name == "duel-global" { global.then(bytes_on) } else { shared.then(bytes_on) };
            let verification = self.time(|| {
                // SAFETY: as above.
                unsafe { device.launch(&stream, check.blocks(), check) }?;
                Ok(device.wait(&stream)?)
            })?;
            download(&mut count)?;
            ends(count)?;
            let total: f64 =
                [&build, &copy_in, &elimination, &verification, &copies].into_iter().map(|s| median(s)).sum();
            self.stage(name, "witnesses", size, &build);
            self.stage(name, "copy in", size, &copy_in);
            self.stage(name, "elimination", size, &elimination);
            self.stage(name, "verification", size, &verification);
            self.stage(name, "copy out", size, &copies);
            self.stage(name, "total", size, &[total]);
        }

        let query = Query::new(Pattern::literal(&pattern), 0);
        let matching = self.time(|| Ok(ends((kmp::ALGORITHM.ends)(&text, &query, &|_| ()).len())?))?;
        self.stage("kmp on the CPU", "total", size, &matching);

        let kept = DeviceText::new(device.clone(), &text)?;
        for (name, format) in
            [("kmp", ResultKind::Bytes), ("brute-force-filtered", ResultKind::Count), ("duel", ResultKind::Count)]
        {
            let Some(mut search) = self.prepare(&kept, name, &pattern, format)? else { continue };
            let seconds = self.time(|| {
                search.launch(0)?;
                Ok(search.wait()?)
            })?;
            match search.run(0)? {
                DeviceResult::Count(found) => ends(found as usize)?,
                DeviceResult::Bytes(found) => ends(memchr::memchr_iter(1, &found).count())?,
                _ => {}
            }
            self.stage(&format!("{name} on the GPU"), "kernel", size, &seconds);
        }
        Ok(())
    }
}
