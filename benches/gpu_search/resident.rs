//! `--resident`: many searches, of one pattern each, in a text resident on the GPU, and the time
//! of the kernels alone.
//!
//! Times are of whole calls: `hits` with the default choice of ends, and `count` of all ends. They
//! include the copy of the pattern's tables to the GPU, the kernel, the copy of the results to the
//! host, and for hits the search for their starts. The kernels alone are those that `auto` chooses,
//! launched in a text of the same symbols, several launches a timing. Their counts must equal those
//! of the calls.

use super::{Bench, Outcome, common, plain, prepare};
use carrywave::internal::search::gpu::{DeviceAlgorithm, DeviceResult, DeviceText, ResultKind, Size};
use carrywave::search::{Ends, ResidentText, Search};
use carrywave::text::Pattern;
use serde_json::json;
use simt_launch::Device;
use std::sync::Arc;
use std::time::Instant;

/// Number of symbols of a pattern.
const M: usize = 20;

impl<D: Device> Bench<D> {
    /// Measures all rows of this part.
    pub fn resident(&mut self) -> Outcome<()> {
        let n = self.options.symbols.max(M);
        let text: Vec<u8> = super::random_text(n, 4).iter().map(|symbol| b"ACGT"[usize::from(symbol % 4)]).collect();
        let started = Instant::now();
        let resident = ResidentText::new(&*self.engine, &text)?;
        let seconds = started.elapsed().as_secs_f64();
        self.row(
            "resident",
            "text to the GPU",
            "",
            (0, n),
            &[seconds],
            json!({ "gb_per_s": n as f64 / seconds / 1e9 }),
        );
        let on_gpu = DeviceText::new(self.device.clone(), &text)?;
        for k in [0, 1, 2] {
            let mut random = fastrand::Rng::with_seed(k.into());
            let mut pattern = || Pattern::literal(&text[random.usize(..=n - M)..][..M]);
            let patterns: Vec<Pattern> = (0..self.options.searches).map(|_| pattern()).collect();
            let search = |pattern: &Pattern| Search::new(pattern.clone()).errors(k);
            let hits = |pattern: &Pattern| Ok(search(pattern).hits(&resident)?.len() as u64);
            self.searches(&on_gpu, &patterns, (n, k, ResultKind::Hits), &hits)?;
            let count = |pattern: &Pattern| Ok(search(pattern).ends(Ends::All).count(&resident)?);
            self.searches(&on_gpu, &patterns, (n, k, ResultKind::Count), &count)?;
        }
        Ok(())
    }

    /// Adds a row: one call for each pattern, and the kernel that it uses.
    fn searches(
        &mut self,
        on_gpu: &Arc<DeviceText<D>>,
        patterns: &[Pattern],
        (n, k, format): (usize, u32, ResultKind),
        call: &dyn Fn(&Pattern) -> Outcome<u64>,
    ) -> Outcome<()> {
        let size = Size { has_periods: true, ..Size::from_patterns(&patterns[..1], k) };
        let costs = DeviceAlgorithm::<D>::ALL.iter().filter_map(|row| Some(((row.cost)(size)?, row.about.name)));
        let (_, algorithm) = costs.min_by_key(|(cost, _)| *cost).ok_or("no algorithm for these patterns")?;
        // The first call compiles the kernel.
        call(&patterns[0])?;
        let mut seconds = Vec::new();
        let mut found = Vec::new();
        for pattern in patterns {
            let started = Instant::now();
            found.push(call(pattern)?);
            seconds.push(started.elapsed().as_secs_f64());
        }
        let mut kernel = Vec::new();
        for (pattern, &found) in patterns.iter().zip(&found) {
            let one = std::slice::from_ref(pattern);
            let mut search = prepare(on_gpu, plain(algorithm), one, k, format)?;
            kernel.extend(self.time(&mut search)?);
            let agree = match search.run(0)? {
                DeviceResult::Count(ends) => ends == found,
                // Of neighbouring ends, one is a hit.
                DeviceResult::Hits(ends) => (1..=ends[0].len() as u64).contains(&found),
                _ => false,
            };
            if !agree {
                return Err(
                    format!("k = {k}, {format:?}: {found} found, and something else by the kernel alone").into()
                );
            }
        }
        let name = format!("{} searches, {}, k {k}", patterns.len(), format!("{format:?}").to_lowercase());
        let of = common::percentile;
        let more = json!({
            "p5_s": of(&seconds, 5), "p95_s": of(&seconds, 95), "found": found.iter().sum::<u64>(),
            "kernel_s": of(&kernel, 50), "kernel_p5_s": of(&kernel, 5), "kernel_p95_s": of(&kernel, 95),
            "times_kernel": of(&seconds, 50) / of(&kernel, 50),
        });
        self.row("resident", &name, algorithm, (M, n), &seconds, more);
        // Leaves out the seconds of single calls: thousands are too many for a file.
        if let Some(row) = self.rows.last_mut().and_then(|row| row.as_object_mut()) {
            row.remove("seconds");
        }
        Ok(())
    }
}
