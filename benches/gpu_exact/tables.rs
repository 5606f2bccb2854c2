//! The paper's tables 1 to 4, m = 1,000: the time of each stage, beside the paper's on a GeForce GTX TITAN X and its CPU.
//!
//! **Texts.** The paper's are "generated", and it does not say how. Its brute force takes 5 · 10^10 comparisons a second if all m are made at
//! every position, and 5 · 10^7 if the texts are random. So there are two here: random letters, and `a`s with the pattern a^(m-1) b, where
//! nothing is found after m comparisons. Both patterns are non-periodic, as its duels ask for.
//!
//! **Stages.** Copies are of page-locked memory, a byte a symbol to the GPU and a byte a position back. The witnesses are computed in order,
//! by one thread of the CPU. A kernel's time is from its launch to its end; `kernels` are all of an algorithm, with what sets its results to 0
//! where it only writes ones. `total` is the sum of what the paper adds up. In `more`, `paper_ms` is the paper's time where there is one,
//! and `times` is that divided by ours.
//!
//! Beside the paper's algorithms there are those of this library, in its formats; and KMP on the device. KMP on the CPU is the paper's
//! listing, with the slip in its failure function mended.

use super::{Bench, Outcome, common, count, named, prepare};
use carrywave::device::Device;
use carrywave::kernels::search::published::brute_force::BruteForce;
use carrywave::kernels::search::published::duel_global::{Duel, DuelGlobal, block_positions};
use carrywave::kernels::search::published::duel_shared::DuelShared;
use carrywave::search::gpu::{DeviceText, ROUND, ResultKind};
use carrywave::text::{Pattern, witnesses};
use serde_json::json;

/// Symbols of the pattern.
const M: usize = 1000;

/// Logarithms of the texts' lengths; the paper has the first three, and only what is fast has the others.
const PUBLISHED: [u32; 3] = [20, 22, 24];
const LARGER: [u32; 2] = [26, 28];
const REHEARSED: [u32; 3] = [12, 13, 14];

/// Comparisons above which brute force is left out, and those of a rehearsal.
const MOST: [f64; 2] = [1e11, 1e6];

/// The paper's milliseconds.
struct Published {
    table: u32,
    engine: &'static str,
    stages: &'static [(&'static str, [f64; 3])],
}

const TABLES: [Published; 4] = [
    Published {
        table: 1,
        engine: "brute-force",
        stages: &[
            ("copy in", [0.560384, 1.069824, 3.014336]),
            ("kernel", [17.264000, 67.444992, 310.652466]),
            ("copy out", [0.708128, 2.559744, 10.067680]),
            ("total", [18.532428, 71.0735, 323.7345]),
        ],
    },
    Published {
        table: 2,
        engine: "duel-global",
        stages: &[
            ("witnesses", [0.03, 0.03, 0.03]),
            ("copy in", [0.785664, 1.352672, 3.696800]),
            ("elimination", [0.123680, 0.404608, 1.461184]),
            ("verification", [0.063232, 0.081984, 0.806720]),
            ("copy out", [0.794976, 3.004512, 7.773664]),
            ("total", [1.7674, 4.873072, 13.7682]),
        ],
    },
    Published {
        table: 3,
        engine: "duel-shared",
        stages: &[
            ("witnesses", [0.03, 0.03, 0.03]),
            ("copy in", [0.736640, 1.2390, 2.719616]),
            ("elimination", [0.174368, 0.676064, 2.120864]),
            ("verification", [0.620896, 0.711264, 2.389024]),
            ("copy out", [0.736224, 2.658560, 8.388256]),
            ("total", [2.582128, 5.559896, 15.886760]),
        ],
    },
    Published {
        table: 4,
        engine: "kmp on the CPU",
        stages: &[
            ("failure function", [0.002, 0.002, 0.003]),
            ("matching", [3.705, 14.676, 46.746]),
            ("total", [3.707, 14.678, 46.749]),
        ],
    },
];

/// What a stage took: its name, and its seconds.
type Stage = (&'static str, Vec<f64>);

/// A text, its pattern, and what is there.
struct Case {
    name: &'static str,
    text: Vec<u8>,
    pattern: Vec<u8>,
    found: u64,
    /// Of brute force, about.
    comparisons: f64,
}

/// The lengths of the longest borders of the pattern's beginnings: the paper's listing, mended.
fn failure_function(pattern: &[u8]) -> Vec<usize> {
    let mut failure = vec![0; pattern.len()];
    let (mut k, mut j) = (1, 0);
    while k < pattern.len() {
        if pattern[k] == pattern[j] {
            j += 1;
            failure[k] = j;
            k += 1;
        } else if j != 0 {
            j = failure[j - 1];
        } else {
            k += 1;
        }
    }
    failure
}

/// How many occurrences there are: the paper's second listing.
fn kmp(text: &[u8], pattern: &[u8], failure: &[usize]) -> u64 {
    let (mut i, mut j, mut found) = (0, 0, 0);
    while i < text.len() {
        if pattern[j] == text[i] {
            (i, j) = (i + 1, j + 1);
            if j == pattern.len() {
                found += 1;
                j = failure[j - 1];
            }
        } else if j != 0 {
            j = failure[j - 1];
        } else {
            i += 1;
        }
    }
    found
}

impl<D: Device> Bench<D> {
    /// All rows of this part.
    pub fn tables(&mut self) -> Outcome<()> {
        let (published, larger) =
            if self.options.rehearse { (REHEARSED, vec![]) } else { (PUBLISHED, LARGER.to_vec()) };
        for (i, log) in published.into_iter().chain(larger).enumerate() {
            eprintln!("tables: n = 2^{log}");
            for case in cases(1 << log) {
                let paper = (i < PUBLISHED.len() && !self.options.rehearse).then_some(i);
                self.case(&case, log, paper)?;
            }
            self.save()?;
        }
        Ok(())
    }

    fn case(&mut self, case: &Case, log: u32, paper: Option<usize>) -> Outcome<()> {
        let n = case.text.len();
        let name = |stage: &str| format!("n = 2^{log}, {}: {stage}", case.name);
        // The paper's algorithms, stage by stage.
        for published in &TABLES {
            let slow = ["brute-force", "kmp on the CPU"].contains(&published.engine);
            let many = case.comparisons > MOST[usize::from(self.options.rehearse)];
            if slow && (many || paper.is_none() && !self.options.rehearse) {
                continue;
            }
            let mut stages = match published.engine {
                "kmp on the CPU" => self.kmp_on_the_cpu(case)?,
                engine => self.stages(case, engine)?,
            };
            let total = stages.iter().map(|(_, seconds)| common::median(seconds)).sum();
            stages.push(("total", vec![total]));
            for (stage, seconds) in &stages {
                let ms = 1e3 * common::median(seconds);
                let mut more = json!({ "ms": ms });
                let of_paper = published.stages.iter().find(|(known, _)| known == stage);
                if let Some((&(_, milliseconds), i)) = of_paper.zip(paper) {
                    more["paper_ms"] = json!(milliseconds[i]);
                    more["times"] = json!(milliseconds[i] / ms);
                }
                let part = format!("table {}", published.table);
                self.row(&part, &name(stage), published.engine, (case.pattern.len(), n), seconds, more);
            }
        }
        self.kernels(case, &name)
    }

    /// Whole launches of all algorithms, in the formats that they write.
    fn kernels(&mut self, case: &Case, name: &dyn Fn(&str) -> String) -> Outcome<()> {
        let on_gpu = DeviceText::new(self.device.clone(), &case.text)?;
        let pattern = Pattern::literal(&case.pattern);
        for engine in ["brute-force", "duel-global", "duel-shared", "kmp", "brute-force-filtered", "duel"] {
            if engine == "brute-force" && case.comparisons > MOST[usize::from(self.options.rehearse)] {
                continue;
            }
            let Some(algorithm) = named::<D>(engine) else { continue };
            for format in [ResultKind::Bytes, ResultKind::Count] {
                let Some(mut search) = prepare(&on_gpu, algorithm, &pattern, format)? else { continue };
                let seconds = self.time(&mut search)?;
                let found = count(search.run(0)?);
                if found != case.found {
                    return Err(format!("{engine} finds {found} in {}, not {}", case.name, case.found).into());
                }
                let n = case.text.len();
                let gbps = n as f64 / common::median(&seconds) / 1e9;
                let more = json!({ "ms": 1e3 * common::median(&seconds), "gb_per_s": gbps, "found": found });
                let what = name(&format!("kernels, {format:?}"));
                self.row("kernels", &what, engine, (case.pattern.len(), n), &seconds, more);
            }
        }
        Ok(())
    }

    fn kmp_on_the_cpu(&self, case: &Case) -> Outcome<Vec<Stage>> {
        let mut failure = Vec::new();
        let first = self.calls(|| {
            failure = failure_function(&case.pattern);
            Ok(())
        })?;
        let mut found = 0;
        let second = self.calls(|| {
            found = kmp(&case.text, &case.pattern, &failure);
            Ok(())
        })?;
        if found != case.found {
            return Err(format!("KMP on the CPU finds {found} in {}, not {}", case.name, case.found).into());
        }
        Ok(vec![("failure function", first), ("matching", second)])
    }

    /// The stages of one of the published algorithms on the device, in their order.
    fn stages(&self, case: &Case, engine: &str) -> Outcome<Vec<Stage>> {
        let (device, n, m) = (&*self.device, case.text.len(), case.pattern.len() as u32);
        let stream = device.stream()?;
        let rounded = n.next_multiple_of(ROUND as usize);
        let (text, mut bytes) = (device.alloc::<u8>(rounded, "text")?, device.alloc::<u8>(rounded, "bytes")?);
        let pattern = device.alloc_from(&stream, &case.pattern, "pattern")?;
        let mut pinned = device.pinned(rounded)?;
        device.pinned_bytes(&mut pinned)[..n].copy_from_slice(&case.text);
        let mut stages = Vec::new();
        let mut on_device = None;
        if engine != "brute-force" {
            // The device's own computation of them would be a stage here, too.
            let mut of_pattern = Vec::new();
            stages.push((
                "witnesses",
                self.calls(|| {
                    of_pattern = witnesses(&case.pattern);
                    Ok(())
                })?,
            ));
            on_device = Some(device.alloc_from(&stream, &of_pattern, "witnesses")?);
        }
        let copies = self.calls(|| {
            // SAFETY: nobody writes the pinned memory; it and the buffer live until the stream was waited for, in the next line.
            let put = unsafe { device.upload_async(&stream, &text, &pinned, n) };
            device.wait(&stream)?;
            Ok(put?)
        })?;
        stages.push(("copy in", copies));
        device.zero(&stream, &mut bytes)?;
        match on_device {
            None => {
                let kernel = BruteForce {
                    text: device.handle(&text),
                    n: n as u64,
                    pattern: device.handle(&pattern),
                    m,
                    bytes: device.handle(&bytes),
                };
                let seconds = self.calls(|| {
                    // SAFETY: text and bytes have n symbols, rounded up, and the pattern m; all live until the stream was waited for.
                    let launched = unsafe { device.launch(&stream, kernel.blocks(), kernel) };
                    device.wait(&stream)?;
                    Ok(launched?)
                })?;
                stages.push(("kernel", seconds));
            }
            Some(witnesses) => {
                let duel = Duel {
                    text: device.handle(&text),
                    pattern: device.handle(&pattern),
                    witnesses: device.handle(&witnesses),
                    n: n as u32,
                    m,
                };
                let is_global = engine == "duel-global";
                let candidates = if is_global { rounded } else { n.div_ceil(block_positions(m) as usize) };
                let candidates = device.alloc::<u32>(candidates, "candidates")?;
                let first = DuelGlobal { duel, output: device.handle(&candidates) };
                let other = DuelShared { duel, candidates: device.handle(&candidates) };
                let seconds = self.calls(|| {
                    // SAFETY: there is a word for each position, or for each block of the other kernel; the pattern's period is more than
                    // half of its length, the witnesses are its own, and all live until the stream was waited for.
                    let launched = unsafe {
                        if is_global {
                            device.launch(&stream, duel.blocks(), first)
                        } else {
                            device.launch(&stream, duel.blocks(), other)
                        }
                    };
                    device.wait(&stream)?;
                    Ok(launched?)
                })?;
                stages.push(("elimination", seconds));
                let bytes = device.handle(&bytes);
                let second = if is_global { first.then(bytes) } else { other.then(bytes) };
                let seconds = self.calls(|| {
                    // SAFETY: as above; the bytes were 0, but for ones where this launch writes ones too.
                    let launched = unsafe { device.launch(&stream, second.blocks(), second) };
                    device.wait(&stream)?;
                    Ok(launched?)
                })?;
                stages.push(("verification", seconds));
            }
        }
        let copies = self.calls(|| Ok(device.download_to_pinned(&stream, &bytes, &mut pinned, n)?))?;
        stages.push(("copy out", copies));
        let found: u64 = device.pinned_bytes(&mut pinned)[..n].iter().map(|&byte| u64::from(byte)).sum();
        if found != case.found {
            return Err(format!("{engine} finds {found} in {}, not {}", case.name, case.found).into());
        }
        Ok(stages)
    }
}

/// The texts of n symbols, with their patterns.
fn cases(n: usize) -> [Case; 2] {
    let m = M.min(n / 2);
    let text = super::texts::letters(n, b"abcdefghijklmnopqrstuvwxyz", 1);
    let pattern = text[n / 3..][..m].to_vec();
    let found = memchr::memmem::find_iter(&text, &pattern).count() as u64;
    let random = Case { name: "random letters", text, pattern, found, comparisons: n as f64 };
    let pattern = [vec![b'a'; m - 1], vec![b'b']].concat();
    let comparisons = n as f64 * m as f64;
    [random, Case { name: "a^n, a^(m-1) b", text: vec![b'a'; n], pattern, found: 0, comparisons }]
}
