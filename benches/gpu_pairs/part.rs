//! A part of the benchmark: lists of similar strings, by one cost.

use crate::common::{self, Outcome};
use crate::options::Options;
use carrywave::internal::{DevicePairs, PairTuning as Tuning, kernel_cost};
use carrywave::kernels::distance::all_pairs::ALL_PAIRS_INSTANCES;
use carrywave::pairs::Cost;
use rayon::prelude::*;
use serde_json::{Value, json};
use simt_launch::Device;
use std::ops::RangeInclusive;
use std::time::Instant;

/// Number of random pairs to check.
const CHECKED: usize = 40;

/// Default number of strings of a list in one launch.
const BLOCK: usize = 4096;

/// Rows of results for the JSON, and failures.
#[derive(Default)]
pub struct Report {
    pub rows: Vec<Value>,
    pub failures: Vec<String>,
}

pub struct Part {
    pub name: &'static str,
    /// Number of strings of each list.
    side: usize,
    lengths: RangeInclusive<usize>,
    symbols: u64,
    /// True to compare the strings with the same number in both lists, instead of all pairs.
    listed: bool,
}

/// Result of a run: seconds of kernels and of the whole call, and some distances.
struct Run {
    kernels: f64,
    total: f64,
    found: Vec<u32>,
}

impl Part {
    pub fn all() -> Vec<Self> {
        let part = |name, side, lengths, symbols| Self { name, side, lengths, symbols, listed: false };
        vec![
            part("dna-1000", 4096, 1000..=1000, 4),
            part("dna-100", 8192, 100..=100, 4),
            part("symbols-64", 4096, 1000..=1000, 64),
            part("symbols-256", 4096, 1000..=1000, 256),
            part("dna-5000", 2048, 5000..=5000, 4),
            part("dna-20000", 1024, 20_000..=20_000, 4),
            part("mixed", 4096, 50..=2000, 4),
            Self { listed: true, ..part("listed", 1_000_000, 150..=150, 4) },
        ]
    }

    fn strings(&self, side: usize, shorter: usize, seed: u64) -> Vec<Vec<u8>> {
        let mut random = fastrand::Rng::with_seed(seed);
        let lengths = self.lengths.start() / shorter..=self.lengths.end() / shorter;
        (0..side).map(|i| common::random(random.usize(lengths.clone()), self.symbols, seed << 32 | i as u64)).collect()
    }

    pub fn run(&self, device: &impl Device, options: &Options, cost: Cost, report: &mut Report) -> Outcome<()> {
        let (side, shorter) = if options.rehearse { (40, 20) } else { (options.side.unwrap_or(self.side), 1) };
        let a = self.strings(side, shorter, 1);
        let mut b = self.strings(side, shorter, 2);
        // Some strings are near: equal except for every tenth symbol.
        for (i, near) in b.iter_mut().enumerate().step_by(7) {
            for (x, y) in near.iter_mut().zip(&a[i]).enumerate().filter(|(k, _)| k % 10 != 3).map(|(_, both)| both) {
                *x = *y;
            }
        }
        let mut random = fastrand::Rng::with_seed(9);
        let mut checked: Vec<(usize, usize)> = (0..CHECKED)
            .map(|k| {
                if k % 8 == 0 {
                    (k / 8 * 7 % side, k / 8 * 7 % side)
                } else {
                    (random.usize(..side), random.usize(..side))
                }
            })
            .collect();
        if self.listed {
            checked.iter_mut().for_each(|pair| pair.1 = pair.0);
        }
        let expected: Vec<u32> = checked.par_iter().map(|&(i, j)| distance(&a[i], &b[j], cost)).collect();

        let mut tunings = vec![options.tuning];
        if options.sweep && !self.listed {
            let used = |strings: &[Vec<u8>]| {
                let mut used = [false; 256];
                strings.iter().flatten().for_each(|&symbol| used[usize::from(symbol)] = true);
                used.iter().filter(|&&used| used).count()
            };
            // The tables that suit the alphabet: see `Codes`.
            let table = options.tuning.table.unwrap_or(match used(&a) {
                ..=6 => 0,
                7..=80 => 1,
                _ => 2,
            });
            let fits = |&&(of, c, t, l): &&(u32, usize, u32, u32)| {
                of == kernel_cost(cost)
                    && t == table
                    && options.tuning.columns.is_none_or(|columns| columns == c)
                    && options.tuning.logic.is_none_or(|logic| logic == l)
            };
            tunings = ALL_PAIRS_INSTANCES
                .iter()
                .filter(fits)
                .flat_map(|&(_, columns, table, logic)| {
                    let blocks = match options.tuning.blocks {
                        Some(blocks) => vec![blocks],
                        None => vec![2, 3, 4, 5],
                    };
                    blocks.into_iter().map(move |blocks| Tuning {
                        columns: Some(columns),
                        table: Some(table),
                        logic: Some(logic),
                        blocks: Some(blocks),
                        ..options.tuning
                    })
                })
                .collect();
        }
        for tuning in tunings {
            self.time(
                device,
                options,
                cost,
                report,
                (&a, &b),
                Tuning { side: Some(side), ..tuning },
                &checked,
                &expected,
            )?;
        }
        Ok(())
    }

    /// Adds a row of results.
    #[expect(clippy::too_many_arguments, reason = "what is timed, how, and what must come out")]
    fn time(
        &self,
        device: &impl Device,
        options: &Options,
        cost: Cost,
        report: &mut Report,
        (a, b): (&[Vec<u8>], &[Vec<u8>]),
        tuning: Tuning,
        checked: &[(usize, usize)],
        expected: &[u32],
    ) -> Outcome<()> {
        let total = |strings: &[Vec<u8>]| strings.iter().map(|string| string.len() as u64).sum::<u64>();
        let cells = if self.listed {
            a.iter().zip(b).map(|(a, b)| a.len() as u64 * b.len() as u64).sum()
        } else {
            total(a) * total(b)
        };
        let mut runs = Vec::new();
        for _ in 0..=options.runs {
            // Kernels are timed in one launch. The end-to-end time is in blocks, so that copies and
            // kernels overlap.
            let whole = Tuning { side: Some(a.len()), ..tuning };
            let mut run = once(device, self.listed, cost, (a, b), whole, checked)?;
            if !self.listed && a.len() > BLOCK {
                run.total = once(device, self.listed, cost, (a, b), tuning, checked)?.total;
            }
            if let Some(k) = (0..expected.len()).find(|&k| run.found[k] != expected[k]) {
                let (i, j) = checked[k];
                return Err(format!("{tuning:?}: pair {i}, {j}: {}, not {}", run.found[k], expected[k]).into());
            }
            runs.push(run);
        }
        // The first run compiles the kernels.
        runs.remove(0);
        let spread = |of: &dyn Fn(&Run) -> f64| {
            let mut seconds: Vec<f64> = runs.iter().map(of).collect();
            seconds.sort_by(f64::total_cmp);
            (seconds[seconds.len() / 2], seconds[0], seconds[seconds.len() - 1])
        };
        let (kernels, whole) = (spread(&|run| run.kernels), spread(&|run| run.total));
        let tcups = |seconds: f64| cells as f64 / seconds / 1e12;
        let chosen: Vec<String> = [
            ("columns", tuning.columns.map(|n| n as u32)),
            ("table", tuning.table),
            ("logic", tuning.logic),
            ("warps", tuning.warps),
            ("blocks", tuning.blocks),
        ]
        .into_iter()
        .filter_map(|(name, value)| value.map(|value| format!("{name} {value}")))
        .collect();
        println!(
            "{:<12} {cost:<12} {} × {}, {:<34} kernels {:>9.4} s ({:.4} to {:.4}) {:>7.2} TCUPS; end to end {:>9.4} s ({:.4} to {:.4}) {:>7.2} TCUPS",
            self.name,
            a.len(),
            b.len(),
            chosen.join(", "),
            kernels.0,
            kernels.1,
            kernels.2,
            tcups(kernels.0),
            whole.0,
            whole.1,
            whole.2,
            tcups(whole.0),
            cost = format!("{cost:?}").to_lowercase(),
        );
        report.rows.push(json!({
            "part": self.name, "name": format!("{} × {} strings", a.len(), b.len()),
            "engine": format!("gpu {cost:?}").to_lowercase(),
            "m": self.lengths.end(), "n": self.lengths.end(), "cells": cells,
            "seconds": runs.iter().map(|run| run.kernels).collect::<Vec<_>>(),
            "median_s": kernels.0, "least_s": kernels.1, "greatest_s": kernels.2, "tcups": tcups(kernels.0),
            "more": {
                "end_to_end_s": whole.0, "end_to_end_least_s": whole.1, "end_to_end_greatest_s": whole.2,
                "end_to_end_tcups": tcups(whole.0), "symbols": self.symbols, "pairs": if self.listed { a.len() as u64 } else { a.len() as u64 * b.len() as u64 },
                "checked": checked.len(), "chosen": chosen.join(", "),
            },
        }));
        Ok(())
    }
}

fn once(
    device: &impl Device,
    listed: bool,
    cost: Cost,
    (a, b): (&[Vec<u8>], &[Vec<u8>]),
    tuning: Tuning,
    checked: &[(usize, usize)],
) -> Outcome<Run> {
    let (a, b): (Vec<&[u8]>, Vec<&[u8]>) =
        (a.iter().map(Vec::as_slice).collect(), b.iter().map(Vec::as_slice).collect());
    let started = Instant::now();
    let job = DevicePairs::new(device).tuning(tuning);
    let mut found = vec![0; checked.len()];
    if listed {
        let pairs: Vec<[&[u8]; 2]> = a.into_iter().zip(b).map(|(a, b)| [a, b]).collect();
        let started = Instant::now();
        let distances = job.listed(&pairs, cost)?;
        let total = started.elapsed().as_secs_f64();
        let found = checked.iter().map(|&(i, _)| distances[i]).collect();
        return Ok(Run { kernels: job.timings().kernels.as_secs_f64(), total, found });
    }
    job.all(&a, &b, cost, &mut |block| {
        let rows = block.first_a..block.first_a + block.rows;
        let columns = block.first_b..block.first_b + block.columns;
        for (found, (i, j)) in found.iter_mut().zip(checked) {
            if rows.contains(i) && columns.contains(j) {
                *found = block.distances[(i - rows.start) * block.columns + (j - columns.start)];
            }
        }
        Ok(())
    })?;
    let total = started.elapsed().as_secs_f64();
    Ok(Run { kernels: job.timings().kernels.as_secs_f64(), total, found })
}

/// Computes the distance by the table of edits.
fn distance(a: &[u8], b: &[u8], cost: Cost) -> u32 {
    let other = if cost == Cost::Indel { 2 } else { 1 };
    // The row that is computed, and the two above it.
    let mut rows: [Vec<u32>; 3] = [(0..=b.len() as u32).collect(), vec![], vec![]];
    for (i, x) in a.iter().enumerate() {
        rows.rotate_right(1);
        let [row, above, two_above] = &mut rows;
        row.clear();
        row.push(i as u32 + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = above[j] + if x == y { 0 } else { other };
            let mut least = replaced.min(row[j] + 1).min(above[j + 1] + 1);
            if cost == Cost::Osa && i > 0 && j > 0 && a[i - 1] == *y && *x == b[j - 1] {
                least = least.min(two_above[j - 1] + 1);
            }
            row.push(least);
        }
    }
    rows[0][b.len()]
}
