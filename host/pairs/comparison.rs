//! The job: computes the distances of many pairs, on the engine that the caller chooses.

use super::cost::{ABOVE, Cost};
use super::cpu::{CpuPairs, numbers, pieces};
use super::engine::PairEngine;
use super::gpu::{DeviceAlgorithm, DevicePairs, OnDevice};
use super::kinds::AnyKinds;
use super::limit::Limit;
use super::or_cpu::OrCpu;
use super::problem::Algorithm;
use super::strings::{PairString, Symbols, check_lengths, pairs_of_bytes, symbols_of};
use super::thresholds::{MATRIX_COSTS, Matrix};
use super::used::Used;
use crate::cost::Machine;
use crate::device::{Cpu, Device, Devices, Engine, EngineKind, Gpu, ReadyGpu, Timings};
use crate::error::Result;
use crate::job::{Progress, Recorder, Report};
use crate::memory;
use crate::threads;
use carrywave_kernels::distance::last_row::LONGEST;
use rayon::prelude::*;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A computation of the distances of many pairs. A distance is `Some(d)`, or `None` if it is above
/// the [`maximum`](Self::maximum) or below the [`similarity`](Self::similarity); without these
/// there is no `None`.
///
/// Time: with hundreds of pairs of similar lengths, a pair of m and n symbols takes about mn / 200
/// clock cycles of a core with AVX-512, and three times as long with AVX2. Single pairs take mn /
/// 10, or mn / 60 if strings have thousands of symbols. With a maximum of k, only cells within k of
/// the diagonal count. Space: only the result and a list of the strings grow with the number of
/// pairs.
///
/// Strings of bytes are compared byte by byte, [`Characters`](super::Characters) character by
/// character, and sequences of items of any type by the methods whose names end in `_of`.
///
/// A string may have up to 2^30 - 1 symbols, with any number of different ones. A pair that shares
/// more than 254 different symbols is compared on the CPU, whatever the engine.
///
/// ```
/// use carrywave::device::Cpu;
/// use carrywave::pairs::{Algorithm, Cost, Pairs};
///
/// let job = Pairs::new()
///     .on(&Cpu::new())
///     .cost(Cost::Indel)
///     .maximum(3)
///     .algorithm(Algorithm::named("words")?);
/// assert_eq!(
///     job.on_progress(&|_cells| ()).listed(&[("kitten", "sitting"), ("flaw", "lawn")])?,
///     [None, Some(2)]
/// );
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "the job does nothing until it is asked for distances"]
pub struct Pairs<'p> {
    pub(super) devices: Option<Devices>,
    /// Engine that tests use instead of GPU 0.
    pub(super) automatic: Option<Devices>,
    pub(super) algorithm: Algorithm,
    pub(super) cost: Cost,
    pub(super) maximum: Option<u32>,
    pub(super) similarity: Option<f64>,
    pub(super) progress: Progress<'p>,
    pub(super) recorder: Option<&'p Recorder>,
}

impl Default for Pairs<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Pairs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pairs")
            .field("engine", &self.devices.as_ref().map(Devices::kind))
            .field("algorithm", &self.algorithm)
            .field("cost", &self.cost)
            .field("maximum", &self.maximum)
            .field("similarity", &self.similarity)
            .finish_non_exhaustive()
    }
}

impl<'p> Pairs<'p> {
    /// Returns a job for Levenshtein's distance without a maximum, on the engine that should be
    /// fastest: GPU 0, which is opened for the job, if there is one and all pairs of byte strings
    /// are enough for it to pay off; else the CPU. The CPU always takes listed pairs. As in the
    /// [example](Self).
    pub fn new() -> Self {
        Self {
            devices: None,
            automatic: None,
            algorithm: Algorithm::AUTO,
            cost: Cost::default(),
            maximum: None,
            similarity: None,
            progress: &|_| (),
            recorder: None,
        }
    }

    /// Selects the algorithm. A job returns an error if its engine does not have the algorithm, or
    /// if the algorithm does not take its pairs. As in the [example](Algorithm).
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// Sets the allowed operations. As in the [example](super).
    pub fn cost(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// Sets the greatest distance of interest: the smaller it is, the less is computed. As in the
    /// [example](super).
    pub fn maximum(self, maximum: u32) -> Self {
        Self { maximum: Some(maximum), ..self }
    }

    /// Sets the least normalised similarity of interest, from 0 to 1. That of two strings of m and
    /// n symbols with the distance d is 1 - d / max(m, n), and 1 - d / (m + n) for [`Cost::Indel`];
    /// that of two empty strings is 1. So distances are of interest up to the share 1 - `least` of
    /// the symbols, rounded down. With a [`maximum`](Self::maximum) too, both bounds apply.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let job = Pairs::new().similarity(0.8);
    /// assert_eq!(job.listed(&[("carry", "curry"), ("wave", "ware")])?, [Some(1), None]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// A job returns [`Usage`](crate::Error::Usage) with [`Range`](crate::error::UsageFault::Range)
    /// for other numbers.
    pub fn similarity(self, least: f64) -> Self {
        Self { similarity: Some(least), ..self }
    }

    /// Sets the engine. As in the [example](crate::device).
    pub fn on(self, engine: &dyn Engine) -> Self {
        self.on_devices(&Devices::from_engine(engine))
    }

    pub(crate) fn on_devices(self, devices: &Devices) -> Self {
        Self { devices: Some(devices.clone()), ..self }
    }

    /// Uses this engine as GPU 0, and treats every matrix as large: for tests.
    #[doc(hidden)]
    pub fn automatic(self, engine: &dyn Engine) -> Self {
        Self { automatic: Some(Devices::from_engine(engine)), ..self }
    }

    /// Sets the progress callback: it gets the number of cells done since its last call. Called
    /// from any thread. A pair of m and n symbols has mn cells, whether a maximum spares some of
    /// them or not. As in the [example](Self).
    pub fn on_progress(self, progress: Progress<'p>) -> Self {
        Self { progress, ..self }
    }

    /// Sets a recorder that gets a report when a job has ended: the algorithms that ran, cells and
    /// times.
    ///
    /// ```
    /// use carrywave::job::Recorder;
    /// use carrywave::pairs::Pairs;
    ///
    /// let recorder = Recorder::new();
    /// Pairs::new().recorder(&recorder).listed(&[("kitten", "sitting")])?;
    /// assert_eq!(recorder.report().and_then(|report| report.algorithm()), Some("words"));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn recorder(self, recorder: &'p Recorder) -> Self {
        Self { recorder: Some(recorder), ..self }
    }

    /// Computes the distance of each pair of a list, in order: as in the [example](super).
    ///
    /// # Errors
    /// [`Usage`](crate::Error::Usage) with [`TooLarge`](crate::error::UsageFault::TooLarge) for
    /// strings that are too long; [`Memory`](crate::Error::Memory) if the distances do not fit into
    /// memory; [`Unsupported`](crate::Error::Unsupported) for several GPUs, and for an
    /// [algorithm](Self::algorithm) that does not take the pairs;
    /// [`DeviceMemory`](crate::Error::DeviceMemory) and [`Gpu`](crate::Error::Gpu) if a chosen GPU
    /// lacks memory or fails.
    pub fn listed<A, B>(&self, pairs: &[(A, B)]) -> Result<Vec<Option<u32>>>
    where
        A: PairString + Sync,
        B: PairString + Sync,
    {
        self.refuse_pieces()?;
        memory::check::<Option<u32>>(pairs.len(), "the distances")?;
        let longest = |of: fn(&(A, B)) -> usize| match self.similarity {
            Some(_) => pairs.par_iter().map(of).max().unwrap_or(0),
            None => 0,
        };
        let job = self.limited([longest(|(a, _)| a.symbols().len()), longest(|(_, b)| b.symbols().len())])?;
        let is_free = self.algorithm.name() != numbers::ALGORITHM.about.name;
        let part = |engine: &AnyKinds<'_>, pairs: &[(A, B)]| {
            if let Some(pairs) = if is_free { pairs_of_bytes(pairs)? } else { None } {
                return engine.engine.listed(&pairs);
            }
            memory::check::<[Symbols<'_>; 2]>(pairs.len(), "a list of the pairs")?;
            let pairs: Vec<[Symbols<'_>; 2]> = pairs.iter().map(|(a, b)| [a.symbols(), b.symbols()]).collect();
            check_lengths(pairs.iter().flatten().map(Symbols::len))?;
            engine.listed(&pairs)
        };
        job.on_engine(Workload::OnCpu, |engine| {
            let at_once = engine.engine.listed_at_once().min(pairs.len().max(1));
            let parts: Result<Vec<Vec<u32>>> = pairs.par_chunks(at_once).map(|pairs| part(engine, pairs)).collect();
            let parts = parts?;
            let distance = |pair: usize| {
                let (a, b) = &pairs[pair];
                let found = optional(parts[pair / at_once][pair % at_once]);
                found.filter(|&distance| engine.takes(distance, || [a.symbols().len(), b.symbols().len()]))
            };
            Ok((0..pairs.len()).into_par_iter().map(distance).collect())
        })
    }

    /// Returns the job with a maximum for all pairs, if it has a similarity: the greatest bound of
    /// two strings of at most `longest` symbols.
    ///
    /// # Errors
    /// [`Usage`](crate::Error::Usage) for a similarity out of range.
    pub(super) fn limited(&self, longest: [usize; 2]) -> Result<Self> {
        let limit = self.limit();
        limit.check()?;
        Ok(Self { maximum: limit.of(self.cost, longest[0], longest[1]), ..self.clone() })
    }

    pub(super) fn limit(&self) -> Limit {
        Limit { maximum: self.maximum, similarity: self.similarity }
    }

    /// Returns an error for `pieces`, which leaves pairs out, in a job that needs all distances.
    pub(super) fn refuse_pieces(&self) -> Result<()> {
        let about = &pieces::ALGORITHM.about;
        if self.algorithm.name() == about.name {
            return Err(about.unsupported(
                "finds the pairs of one list within a maximum distance; use another algorithm for all distances".into(),
            ));
        }
        Ok(())
    }

    /// Runs a job that compares all strings of two lists.
    pub(super) fn on_lists<A: PairString, B: PairString, R: Send>(
        &self,
        a: &[A],
        b: &[B],
        compute: impl FnOnce(&AnyKinds<'_>, &[Symbols<'_>], &[Symbols<'_>]) -> Result<R> + Send,
    ) -> Result<R> {
        self.refuse_pieces()?;
        let a = symbols_of(a)?;
        let b = symbols_of(b)?;
        let job = self.limited([longest(&a), longest(&b)])?;
        let matrix = Matrix { a: &a, b: &b, is_half: false, maximum: job.maximum };
        job.on_engine(Workload::Matrix(matrix), |engine| compute(engine, &a, &b))
    }

    /// Runs a job on the chosen engine, or on the one that should be fastest.
    pub(super) fn on_engine<R: Send>(
        &self,
        workload: Workload<'_>,
        compute: impl FnOnce(&AnyKinds<'_>) -> Result<R> + Send,
    ) -> Result<R> {
        let Chosen { devices, open } = self.devices(workload)?;
        let used = Used::default();
        let Some(recorder) = self.recorder else {
            return Ok(self.on_devices_given(&devices, self.progress, &used, compute)?.result);
        };
        let done = AtomicU64::new(0);
        let progress = |cells| {
            done.fetch_add(cells, Ordering::Relaxed);
            (self.progress)(cells);
        };
        let started = Instant::now();
        let Done { result, timings } = self.on_devices_given(&devices, &progress, &used, compute)?;
        let report = Report::since(started, used.ran(devices.kind()), done.into_inner(), Timings { open, ..timings });
        recorder.add(Report { total: report.total + open, ..report });
        Ok(result)
    }

    fn on_devices_given<R: Send>(
        &self,
        devices: &Devices,
        progress: Progress<'_>,
        used: &Used,
        compute: impl FnOnce(&AnyKinds<'_>) -> Result<R> + Send,
    ) -> Result<Done<R>> {
        let run = Run { job: self, progress, used };
        match devices {
            Devices::Cpu(cpu) => cpu.run(|| {
                let engine = run.cpu()?;
                Ok(Done { result: compute(&run.any_kinds(&engine))?, timings: Timings::default() })
            }),
            Devices::Gpus(gpus) => threads::run(|| run.on_device(gpus, EngineKind::Gpu, compute)),
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => threads::run(|| run.on_device(devices, EngineKind::Simt, compute)),
        }
    }

    /// Returns the chosen engine, or the one that should be fastest.
    fn devices(&self, workload: Workload<'_>) -> Result<Chosen> {
        let at_once = |devices| Chosen { devices, open: Duration::ZERO };
        if let Some(devices) = &self.devices {
            return Ok(at_once(devices.clone()));
        }
        let on_cpu = self.algorithm.is_auto() || self.algorithm.about(EngineKind::Cpu).is_some();
        let on_gpu = self.algorithm.is_auto() || self.algorithm.about(EngineKind::Gpu).is_some();
        let is_faster = |matrix: &Matrix<'_>| {
            let work = || matrix.for_gpu(LONGEST as usize);
            self.automatic.is_some() || work().is_some_and(|work| MATRIX_COSTS.prefers_gpu(work, Machine::here))
        };
        if on_cpu && !(on_gpu && matches!(&workload, Workload::Matrix(matrix) if is_faster(matrix))) {
            return Ok(at_once(Devices::Cpu(Cpu::new())));
        }
        if let Some(devices) = &self.automatic {
            return Ok(at_once(devices.clone()));
        }
        match Gpu::opened_or_open() {
            Ok(ReadyGpu { gpu, open }) => Ok(Chosen { devices: Devices::from_engine(&gpu), open }),
            Err(_) if on_cpu => Ok(at_once(Devices::Cpu(Cpu::new()))),
            Err(error) => Err(error),
        }
    }
}

/// Input for the choice of an engine.
#[derive(Clone, Copy)]
pub(super) enum Workload<'m> {
    /// A list of pairs, or a list with few candidate pairs by their pieces: the CPU is faster.
    OnCpu,
    /// All pairs.
    Matrix(Matrix<'m>),
}

/// An engine, and the time of opening it for this job.
struct Chosen {
    devices: Devices,
    open: Duration,
}

/// A result, and the times of a device.
struct Done<R> {
    result: R,
    timings: Timings,
}

/// A running job.
struct Run<'r> {
    job: &'r Pairs<'r>,
    progress: Progress<'r>,
    used: &'r Used,
}

impl<'r> Run<'r> {
    fn cpu(&self) -> Result<CpuPairs<'r>> {
        let Pairs { algorithm, cost, .. } = *self.job;
        CpuPairs::new(algorithm, cost, self.job.limit(), self.progress, self.used)
    }

    fn on_device<D: Device, R>(
        &self,
        devices: &[Arc<D>],
        kind: EngineKind,
        compute: impl FnOnce(&AnyKinds<'_>) -> Result<R>,
    ) -> Result<Done<R>> {
        let Pairs { algorithm, cost, maximum, .. } = *self.job;
        let row = algorithm.row(DeviceAlgorithm::<D>::ALL, kind, |row| row.about)?;
        let [device] = devices else { return Err(row.about.takes_one_gpu(devices.len())) };
        let pairs = DevicePairs::new(&**device).max_distance(maximum).progress(self.progress).used(self.used);
        let named = (!algorithm.is_auto()).then_some(row);
        let engine = OnDevice { pairs, cost, maximum, named };
        let result = if self.job.devices.is_none() && algorithm.is_auto() {
            compute(&self.any_kinds(&OrCpu { device: &engine, cpu: self.cpu()? }))
        } else {
            compute(&self.any_kinds(&engine))
        };
        Ok(Done { result: result?, timings: engine.timings() })
    }

    fn any_kinds<'e>(&'e self, engine: &'e dyn PairEngine) -> AnyKinds<'e> {
        let Pairs { algorithm, cost, .. } = *self.job;
        AnyKinds { engine, algorithm, cost, limit: self.job.limit(), progress: self.progress, used: self.used }
    }
}

/// Returns the length of the longest string of a list.
pub(super) fn longest(list: &[Symbols<'_>]) -> usize {
    list.iter().map(Symbols::len).max().unwrap_or(0)
}

/// Returns a distance, or `None` if it is above the maximum.
pub(super) fn optional(distance: u32) -> Option<u32> {
    (distance != ABOVE).then_some(distance)
}

#[cfg(all(test, feature = "simt"))]
mod tests {
    use super::super::naive;
    use super::super::near::Near;
    use super::super::rows::ROWS;
    use super::*;
    use crate::device::Simt;
    use crate::error::{Error, UsageFault};
    use std::time::Duration;

    fn list(count: usize, seed: u64) -> Vec<Vec<u8>> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut list: Vec<Vec<u8>> = Vec::new();
        for number in 0..count {
            let len = random.usize(..30);
            let string = match number % 3 {
                0 => naive::random(&mut random, len, 4),
                _ => naive::edited(&mut random, &list[number - 1], 2, 4),
            };
            list.push(string);
        }
        list
    }

    #[test]
    fn pairs_that_are_near_by_all_pairs() {
        // More than a block of rows.
        let list = list(ROWS + 10, 1);
        for cost in naive::COSTS {
            let job = Pairs::new().cost(cost);
            let found = job.clone().maximum(3).within(&list[ROWS - 20..]).unwrap();
            let mut expected = Vec::new();
            for (a, x) in list[ROWS - 20..].iter().enumerate() {
                for (b, y) in list[ROWS - 20..].iter().enumerate().skip(a + 1) {
                    let distance = naive::distance(x, y, cost, None);
                    if distance <= 3 {
                        expected.push(Near { a, b, distance });
                    }
                }
            }
            assert!(expected.len() > 20);
            assert_eq!(found, expected);
            // Each string is near itself, and pairs are there both ways.
            let joined = job.clone().maximum(3).join(&list[ROWS - 20..], &list[ROWS - 20..]).unwrap();
            assert!(joined.is_sorted());
            let half: Vec<Near> = joined.iter().filter(|near| near.a < near.b).copied().collect();
            assert_eq!((half, joined.len()), (expected.clone(), 2 * expected.len() + 30));
            let all = job.clone().maximum(1).within(&list).unwrap();
            assert!(all.is_sorted() && all.iter().all(|near| near.a < near.b));
            let last = |near: &&Near| near.a >= ROWS - 20;
            let moved = |near: &Near| (near.a + ROWS - 20, near.b + ROWS - 20, near.distance);
            let expected: Vec<_> = expected.iter().filter(|near| near.distance <= 1).map(moved).collect();
            let found: Vec<_> = all.iter().filter(last).map(|near| (near.a, near.b, near.distance)).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn nearest_by_sorting() {
        let (a, b) = (list(30, 2), list(600, 3));
        for (top, maximum) in [(0, None), (1, None), (5, None), (5, Some(2)), (1000, None)] {
            let job = maximum.map_or(Pairs::new(), |maximum| Pairs::new().maximum(maximum));
            let found = job.nearest(&a, &b, top).unwrap();
            assert_eq!(found.len(), a.len());
            for (number, (found, a)) in found.iter().zip(&a).enumerate() {
                let all = b.iter().enumerate().map(|(j, b)| (naive::distance(a, b, Cost::Levenshtein, maximum), j));
                let mut all: Vec<_> = all.filter(|&(distance, _)| distance != ABOVE).collect();
                all.sort_unstable();
                all.truncate(top);
                let found: Vec<_> = found.iter().map(|near| (near.distance, near.b)).collect();
                assert_eq!(found, all, "{number}, {top}");
            }
        }
    }

    /// Returns the names of the algorithms that ran in a job.
    fn ran(job: Pairs<'_>, compute: impl FnOnce(&Pairs<'_>)) -> Vec<(EngineKind, &'static str)> {
        let recorder = Recorder::new();
        compute(&job.recorder(&recorder));
        let report = recorder.report().unwrap();
        report.ran.iter().map(|ran| (ran.engine, ran.algorithm)).collect()
    }

    #[test]
    fn reports_say_what_ran() {
        let list = list(40, 6);
        let near: Vec<String> = (0..300).map(|number| format!("{number:04}").repeat(8)).collect();
        let wide: Vec<u32> = (0..300).collect();
        let (cpu, simt) = (EngineKind::Cpu, EngineKind::Simt);
        let listed = |job: &Pairs<'_>| drop(job.listed(&[(&list[0], &list[1])]).unwrap());
        let all = |job: &Pairs<'_>| drop(job.matrix(&list, &list).unwrap());
        assert_eq!(ran(Pairs::new(), listed), [(cpu, "words")]);
        assert_eq!(ran(Pairs::new().maximum(3), |job| drop(job.within(&near).unwrap())).last(), Some(&(cpu, "pieces")));
        // Names, with pieces of three letters.
        let mut random = fastrand::Rng::with_seed(7);
        let names: Vec<Vec<u8>> = (0..600).map(|_| naive::random(&mut random, 9, 26)).collect();
        let ran_for_names = ran(Pairs::new().maximum(2), |job| drop(job.within(&names).unwrap()));
        assert_eq!(ran_for_names.last(), Some(&(cpu, "pieces")), "{ran_for_names:?}");
        let numbers = |job: &Pairs<'_>| drop(job.listed(&[[Symbols::Numbers(&wide); 2].into()]).unwrap());
        assert_eq!(ran(Pairs::new(), numbers), [(cpu, "numbers")]);
        assert_eq!(ran(Pairs::new().on(&Simt::new()), numbers), [(cpu, "numbers")]);
        // The CPU takes listed pairs, and GPU 0 a large matrix.
        assert_eq!(ran(Pairs::new().automatic(&Simt::new()), listed), [(cpu, "words")]);
        assert_eq!(ran(Pairs::new().automatic(&Simt::new()), all), [(simt, "all-pairs")]);
        for algorithm in Algorithm::all_on(simt) {
            assert_eq!(ran(Pairs::new().on(&Simt::new()).algorithm(algorithm), all), [(simt, algorithm.name())]);
        }
        let recorder = Recorder::new();
        Pairs::new().on(&Simt::new()).recorder(&recorder).matrix(&list, &list).unwrap();
        let report = recorder.take().unwrap();
        let symbols: u64 = list.iter().map(|string| string.len() as u64).sum();
        assert_eq!((report.done, report.done_by_kernels), (symbols * symbols, symbols * symbols));
        assert!(report.kernels > Duration::ZERO && report.kernels + report.transfer() <= report.total);
    }

    #[test]
    fn what_an_algorithm_does_not_take_is_refused() {
        let job = |name: &str| Pairs::new().algorithm(Algorithm::named(name).unwrap());
        let wide: Vec<u32> = (0..300).collect();
        let pair = [[Symbols::Numbers(&wide); 2].into()];
        let refusals = [
            job("pieces").listed(&[("a", "b")]).unwrap_err(),
            job("pieces").matrix(&["a"], &["b"]).unwrap_err(),
            job("pieces").nearest(&["a"], &["b"], 1).unwrap_err(),
            job("words").listed(&pair).unwrap_err(),
            job("all-pairs").on(&Simt::new()).listed(&[("a", "b")]).unwrap_err(),
            job("words").on(&Simt::new()).listed(&[("a", "b")]).unwrap_err(),
            job("listed-pairs").on(&Cpu::new()).listed(&[("a", "b")]).unwrap_err(),
        ];
        assert!(refusals.iter().all(|error| matches!(error, Error::Unsupported { .. })), "{refusals:?}");
        let error = Pairs::new().within(&["a"]).unwrap_err();
        assert!(matches!(error, Error::Usage { fault: UsageFault::Empty, .. }), "{error}");
    }

    /// The automatically chosen device has too little memory for the strings.
    #[test]
    fn the_cpu_takes_what_does_not_fit_into_a_devices_memory() {
        let list = [vec![b'a'; 30_000], vec![b'b'; 29_000]];
        let small = crate::device::Devices::Simulated(vec![Arc::new(simt_launch::Simt::with_memory(100_000))]);
        let job = Pairs { automatic: Some(small.clone()), ..Pairs::new() };
        assert_eq!(job.matrix(&list[..1], &list[1..]).unwrap(), [[Some(30_000)]]);
        assert_eq!(
            ran(job, |job| drop(job.matrix(&list[..1], &list[1..]).unwrap()))[1..],
            [(EngineKind::Cpu, "strips")]
        );
        let asked = Pairs::new().on_devices(&small).matrix(&list[..1], &list[1..]);
        assert!(matches!(asked, Err(Error::DeviceMemory { .. })));
    }

    #[test]
    fn the_simulator_gives_what_the_cpu_gives() {
        let (a, b) = (list(40, 3), list(35, 4));
        let pairs: Vec<_> = a.iter().zip(&b).collect();
        for cost in naive::COSTS {
            for maximum in [None, Some(4)] {
                let job = Pairs { maximum, ..Pairs::new().cost(cost) };
                let simulated = job.clone().on(&Simt::new());
                assert_eq!(simulated.listed(&pairs).unwrap(), job.listed(&pairs).unwrap());
                assert_eq!(simulated.matrix(&a, &b).unwrap(), job.matrix(&a, &b).unwrap());
                assert_eq!(simulated.nearest(&a, &b, 3).unwrap(), job.nearest(&a, &b, 3).unwrap());
                assert_eq!(simulated.maximum(3).within(&a).unwrap(), job.maximum(3).within(&a).unwrap());
            }
        }
        assert!(matches!(Pairs::new().on(&Simt::several(2).unwrap()).listed(&pairs), Err(Error::Unsupported { .. })));
    }
}
