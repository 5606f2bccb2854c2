//! Checks edit distances of two strings against the recurrence: cuts, distances and scripts.

use super::lcs::Input;
use super::{CheckJob, Checker, oracle};
use crate::device::Device;
use crate::distance::cpu::CpuAlgorithm;
use crate::distance::cpu::columns::CpuColumns;
use crate::distance::gpu::DeviceAlgorithm;
use crate::distance::{Algorithm, Comparison, Mode, PlacedScript};
use crate::error::Result;
use crate::pairwise::cuts::{Cut, CutRequest, Cuts, Part, Side};
use crate::pairwise::differences::{Differences, least_cut};
use crate::text::{Equality, Pattern};
use std::sync::Arc;

impl Checker<'_> {
    /// Adds jobs for the CPU's algorithms.
    pub(super) fn distance_on_cpu<'r>(&'r self, algorithms: &'static [CpuAlgorithm], jobs: &mut Vec<CheckJob<'r>>) {
        for row in algorithms {
            self.distance(row.about.name, jobs, move |input, expected| {
                let Some(last_column) = row.columns() else { return Ok(()) };
                let strings = [&input.a[..], &input.b[..]];
                let engine = CpuColumns { strings, equality: &Equality::exact(), last_column, progress: &|_| () };
                self.cuts(row.about.name, &engine, input, expected)
            });
        }
    }

    /// Adds jobs for the devices' algorithms; devices work together if an algorithm can.
    pub(super) fn distance_on<'r, D: Device>(&'r self, devices: &'r [Arc<D>], jobs: &mut Vec<CheckJob<'r>>) {
        for row in DeviceAlgorithm::<D>::ALL {
            let together: Vec<&D> = devices.iter().take(row.about.limits.devices).map(|device| &**device).collect();
            self.distance(row.about.name, jobs, move |input, expected| {
                let engine = (row.open)(&together, [&input.a, &input.b], &|_| ())?;
                self.cuts(row.about.name, &*engine, input, expected)
            });
        }
    }

    fn distance<'r>(
        &'r self,
        name: &'static str,
        jobs: &mut Vec<CheckJob<'r>>,
        cuts: impl Fn(&Input, &Expected) -> Result<()> + 'r,
    ) {
        self.two_strings(format!("distance {name}"), 4, jobs, move |input| {
            let expected = Expected::for_input(input);
            cuts(input, &expected)?;
            self.script(name, input, &expected)
        });
    }

    /// Checks the distance and the script, with every table on the engine and small leaves.
    fn script(&self, name: &str, input: &Input, expected: &Expected) -> Result<()> {
        let (a, b) = (&input.a[..], &input.b[..]);
        let Ok(algorithm) = Algorithm::named(name) else { return Ok(()) };
        let about = algorithm.about(self.engine.kind());
        if about.is_none_or(|about| self.engine.count() > about.limits.devices) {
            return Ok(());
        }
        let comparison = Comparison::new().on_devices(self.engine).algorithm(algorithm).thresholds(1 << 14, 1 << 12);
        let want = expected.whole;
        let distance = comparison.distance(a, b)?;
        if distance != want {
            return Err(self.wrong(format!("{name}: {input}: distance {distance}, not {want}")));
        }
        let script = comparison.script(a, b)?;
        script.verify(a, b)?;
        if script.distance() != want {
            return Err(self.wrong(format!("{name}: {input}: a script of {}, not {want}", script.distance())));
        }
        let parts = [(Mode::Prefix, expected.prefix), (Mode::Suffix, expected.suffix), (Mode::Infix, expected.infix)];
        for (mode, want) in parts {
            let PlacedScript { script, place } = comparison.clone().mode(mode).script_with_place(a, b)?;
            script.verify(a, &b[place.start as usize..place.end as usize])?;
            let border = if mode == Mode::Suffix { place.start } else { place.end };
            if (script.distance(), border) != want {
                let found = (script.distance(), border);
                return Err(self.wrong(format!("{name}: {input}: {mode}: distance and border {found:?}, not {want:?}")));
            }
        }
        for (mode, want) in parts.map(|(mode, want)| (mode, want.0)).into_iter().chain([(Mode::Global, want)]) {
            let within = |maximum| comparison.clone().mode(mode).maximum(maximum).within(a, b);
            if within(want)? != Some(want) || want > 0 && within(want - 1)?.is_some() {
                return Err(self.wrong(format!("{name}: {input}: {mode}: not within {want}, or within less")));
            }
        }
        Ok(())
    }

    /// Checks the cut in the middle, and the distance.
    fn cuts(&self, name: &str, engine: &dyn Cuts, input: &Input, expected: &Expected) -> Result<()> {
        let (a, b) = (&input.a[..], &input.b[..]);
        let (rows, columns) = (Part { side: Side::A, range: 0..a.len() }, Part { side: Side::B, range: 0..b.len() });
        if !a.is_empty() && !b.is_empty() {
            let distance = engine.value(&rows, &columns)?;
            if distance != expected.whole {
                return Err(self.wrong(format!("{name}: {input}: {distance}, not {}", expected.whole)));
            }
        }
        let middle = input.middle();
        if !a.is_empty() && middle > 0 {
            let cuts = engine.cuts(&[CutRequest { rows, columns, middle }])?;
            if cuts != [expected.cut] {
                return Err(self.wrong(format!("{name}: {input}: the cut is {cuts:?}, not {:?}", expected.cut)));
            }
        }
        Ok(())
    }
}

/// The reference for an input.
struct Expected {
    whole: u64,
    cut: Cut,
    /// (least distance, first end) of A to a prefix of B, and of A to a part of B; (least distance,
    /// first start) of A to a suffix of B.
    prefix: (u64, u64),
    suffix: (u64, u64),
    infix: (u64, u64),
}

impl Expected {
    fn for_input(input: &Input) -> Self {
        let (before, after) = input.b.split_at(input.middle());
        let column = |distances: Vec<u64>| Differences::from_distances(&distances);
        let forward = column(oracle::distances(input.a.iter(), before.iter()));
        let backward = column(oracle::distances(input.a.iter().rev(), after.iter().rev()));
        let first =
            |distances: &[u64]| (0..).zip(distances).map(|(end, &distance)| (distance, end)).min().unwrap_or_default();
        let infix = oracle::infix_distances(&input.b, &Pattern::literal(&input.a));
        Self {
            prefix: first(&oracle::distances(input.b.iter(), input.a.iter())),
            suffix: first_suffix(input),
            infix: first(&infix.into_iter().map(u64::from).collect::<Vec<u64>>()),
            whole: column(oracle::distances(input.a.iter(), input.b.iter())).last(),
            cut: least_cut(&forward, &backward),
        }
    }
}

/// Returns the least distance of A to a suffix of B, and the start of the longest such suffix. If A
/// is empty, that is the empty suffix.
fn first_suffix(input: &Input) -> (u64, u64) {
    let n = input.b.len() as u64;
    if input.a.is_empty() {
        return (0, n);
    }
    let distances = oracle::distances(input.b.iter().rev(), input.a.iter().rev());
    let starts = (0..=n).rev().zip(distances).map(|(start, distance)| (distance, start));
    starts.min().unwrap_or_default()
}
