//! The job: the distances of many pairs, on the engine of the caller's choice.

use super::candidates::Candidates;
use super::cost::{ABOVE, Cost};
use super::cpu::CpuPairs;
use super::engine::PairEngine;
use super::gpu::{DevicePairs, OnDevice};
use super::kinds::AnyKinds;
use super::near::Near;
use super::nearest::{Nearest, Neighbour, locked};
use super::rows::Blocks;
use super::strings::{PairString, Symbols, check_lengths, pairs_of_bytes, symbols_of};
use crate::device::{Cpu, Device, Devices, Engine, Timings};
use crate::error::{Error, Result};
use crate::memory;
use crate::threads;
use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// The distances of many pairs. A distance is `Some(d)`, or `None` where it is above the [`maximum`](Self::maximum); without a maximum
/// it is always there.
///
/// Time: about mn / 200 clock cycles of a core for a pair of m and n symbols where there are hundreds of pairs of like lengths and the
/// processor has AVX-512, a third of that speed by AVX2, and for single pairs mn / 10, or mn / 60 where strings have thousands of symbols;
/// with a maximum of k, what lies within k of the diagonal. Space: nothing that grows with the number of pairs but the result and a list of the strings.
///
/// Strings of bytes are compared byte for byte; those of other symbols, such as characters, are given as [`Symbols`]:
///
/// ```
/// use carrywave::pairs::{Pairs, Symbols};
/// use carrywave::text::characters::numbers_of;
///
/// assert_eq!(Pairs::new().listed(&[("中", "国")])?, [Some(3)]);
/// let [a, b] = ["中", "国"].map(|text| numbers_of(text.as_bytes()));
/// assert_eq!(Pairs::new().listed(&[(Symbols::Numbers(&a), Symbols::Numbers(&b))])?, [Some(1)]);
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// A string may have up to 2^30 - 1 symbols, of any number of kinds. A pair that shares more than 254 kinds is compared on the CPU, whatever the
/// engine.
#[derive(Clone)]
#[must_use = "the job does nothing until it is asked for distances"]
pub struct Pairs<'p> {
    pub(super) devices: Devices,
    pub(super) cost: Cost,
    pub(super) maximum: Option<u32>,
    pub(super) progress: &'p (dyn Fn(u64) + Sync),
}

impl Default for Pairs<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Pairs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pairs")
            .field("engine", &self.devices.kind())
            .field("cost", &self.cost)
            .field("maximum", &self.maximum)
            .finish_non_exhaustive()
    }
}

impl<'p> Pairs<'p> {
    /// Levenshtein's distance without a maximum, on the CPU.
    pub fn new() -> Self {
        Self { devices: Devices::of(&Cpu::new()), cost: Cost::default(), maximum: None, progress: &|_| () }
    }

    /// Which operations there are.
    pub fn cost(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// The greatest distance that is of interest: the smaller it is, the less is computed.
    pub fn maximum(self, maximum: u32) -> Self {
        Self { maximum: Some(maximum), ..self }
    }

    /// Sets the engine.
    pub fn on(self, engine: &dyn Engine) -> Self {
        Self { devices: Devices::of(engine), ..self }
    }

    pub(crate) fn on_devices(self, devices: &Devices) -> Self {
        Self { devices: devices.clone(), ..self }
    }

    /// Sets the progress callback: it gets the number of cells done since its last call. Called from any thread. A pair of m and n symbols has mn cells, whether a maximum spares some of them or not.
    pub fn on_progress(self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// The distance of each pair of a list, in order.
    ///
    /// # Errors
    /// [`Error::Usage`] for strings that are too long, [`Error::Memory`] when there is no room for the distances,
    /// [`Error::Unsupported`] for several GPUs; [`Error::DeviceMemory`] and [`Error::Gpu`] when a GPU cannot do it.
    pub fn listed<A, B>(&self, pairs: &[(A, B)]) -> Result<Vec<Option<u32>>>
    where
        A: PairString,
        B: PairString,
    {
        Ok(self.listed_with_timings(pairs)?.0)
    }

    /// [`listed`](Self::listed), and where the time of a device went.
    ///
    /// # Errors
    /// As [`listed`](Self::listed).
    #[doc(hidden)]
    pub fn listed_with_timings<A, B>(&self, pairs: &[(A, B)]) -> Result<(Vec<Option<u32>>, Timings)>
    where
        A: PairString,
        B: PairString,
    {
        memory::check::<Option<u32>>(pairs.len(), "the distances")?;
        let (distances, timings) = match pairs_of_bytes(pairs)? {
            Some(pairs) => self.on_engine(|engine| Ok((engine.engine.listed(&pairs)?, engine.engine.timings())))?,
            None => {
                memory::check::<[Symbols<'_>; 2]>(pairs.len(), "a list of the pairs")?;
                let pairs: Vec<[Symbols<'_>; 2]> = pairs.iter().map(|(a, b)| [a.symbols(), b.symbols()]).collect();
                check_lengths(pairs.iter().flatten().map(Symbols::len))?;
                self.on_engine(|engine| Ok((engine.listed(&pairs)?, engine.engine.timings())))?
            }
        };
        Ok((distances.into_iter().map(optional).collect(), timings))
    }

    /// The distance of one string to each of many, in order.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let words = ["longest", "common", "subsequence"];
    /// assert_eq!(Pairs::new().maximum(2).one_to_many("comon", &words)?, [None, Some(1), None]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`listed`](Self::listed).
    pub fn one_to_many<T: PairString>(&self, query: impl PairString, texts: &[T]) -> Result<Vec<Option<u32>>> {
        let mut row = Vec::new();
        self.all(&[query], texts, |_, distances| {
            row = distances.to_vec();
            Ok(())
        })?;
        Ok(row)
    }

    /// The distances of all strings of a list to all of another. `each` is called with the number of a string of `a`, from 0 on in order,
    /// and its distances to the strings of `b` in order. Some rows of the matrix are kept at a time, of 2^22 distances or one row.
    ///
    /// # Errors
    /// As [`listed`](Self::listed); and those of `each`, which end the job.
    pub fn all<A, B>(
        &self,
        a: &[A],
        b: &[B],
        mut each: impl FnMut(usize, &[Option<u32>]) -> Result<()> + Send,
    ) -> Result<()>
    where
        A: PairString,
        B: PairString,
    {
        let a = symbols_of(a)?;
        let b = symbols_of(b)?;
        memory::check::<Option<u32>>(b.len(), "a row of distances")?;
        let mut row = Vec::with_capacity(b.len());
        self.on_engine(|engine| {
            engine.all(&a, &b, &mut |first, distances| {
                if b.is_empty() {
                    return Ok(());
                }
                for (number, distances) in (first..).zip(distances.chunks(b.len())) {
                    row.clear();
                    row.extend(distances.iter().map(|distance| optional(distance.load(Ordering::Relaxed))));
                    each(number, &row)?;
                }
                Ok(())
            })
        })
    }

    /// The whole matrix of distances: row i has those of string i of `a`, in the order of `b`. For those who need it at once;
    /// [`all`](Self::all) takes no memory for it.
    ///
    /// # Errors
    /// As [`listed`](Self::listed).
    pub fn matrix<A, B>(&self, a: &[A], b: &[B]) -> Result<Vec<Vec<Option<u32>>>>
    where
        A: PairString,
        B: PairString,
    {
        memory::check::<Option<u32>>(a.len().saturating_mul(b.len()), "the matrix of distances")?;
        let mut rows = Vec::with_capacity(a.len());
        self.all(a, b, |_, row| {
            rows.push(row.to_vec());
            Ok(())
        })?;
        // No row is given of nothing.
        rows.resize(a.len(), Vec::new());
        Ok(rows)
    }

    /// The pairs of a list's strings with a distance of at most `maximum`, each once, a before b, in order of a and then of b.
    ///
    /// On the CPU, where strings are long beside `maximum`, only pairs are compared that have a piece in common, and not all.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let near = Pairs::new().within(&["wave", "carry", "waves", "ware"], 1)?;
    /// let found: Vec<_> = near.iter().map(|near| (near.a, near.b, near.distance)).collect();
    /// assert_eq!(found, [(0, 2, 1), (0, 3, 1)]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`listed`](Self::listed).
    pub fn within<A: PairString>(&self, list: &[A], maximum: u32) -> Result<Vec<Near>> {
        let mut all = Vec::new();
        self.each_within(list, maximum, |near| {
            memory::reserve(&mut all, near.len(), "the pairs that are near")?;
            all.extend_from_slice(near);
            Ok(())
        })?;
        Ok(all)
    }

    /// [`within`](Self::within), a part of the list after the other: `each` is called with the pairs of some strings a, in order.
    ///
    /// # Errors
    /// As [`listed`](Self::listed); and those of `each`, which end the job.
    pub fn each_within<A: PairString>(
        &self,
        list: &[A],
        maximum: u32,
        mut each: impl FnMut(&[Near]) -> Result<()> + Send,
    ) -> Result<()> {
        let list = symbols_of(list)?;
        Self { maximum: Some(maximum), ..self.clone() }.on_engine(|engine| {
            let mut candidates = if engine.engine.takes_candidates() { Candidates::new(&list, maximum)? } else { None };
            let mut blocks = Blocks::new(list.len(), list.len());
            while let Some(block) = blocks.next() {
                let first = block.start;
                let rows = &list[block];
                if let Some(some) = &candidates {
                    match some.near(engine, first, rows.len())? {
                        Some(found) => {
                            blocks.adapt(rows.len(), found.len());
                            each(&found)?;
                            continue;
                        }
                        None => candidates = None,
                    }
                }
                let found = Mutex::new(Ok(Vec::new()));
                engine.tile(rows, &list[first..], &|row, columns, distances| {
                    let near = columns.iter().zip(distances).filter(|&(&b, &d)| b > row && d <= maximum && d != ABOVE);
                    let near: Vec<Near> =
                        near.map(|(b, &distance)| Near { a: first + row, b: first + b, distance }).collect();
                    if !near.is_empty() {
                        append(&mut locked(&found), near);
                    }
                })?;
                let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)?;
                found.sort_unstable();
                blocks.adapt(rows.len(), found.len());
                each(&found)?;
            }
            Ok(())
        })
    }

    /// For each string of `a`, in order, the `top` nearest of `b`, the nearest first, and of those with one distance the first first.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let near = Pairs::new().nearest(&["wave"], &["carry", "waves", "ware"], 2)?;
    /// let found: Vec<_> = near[0].iter().map(|near| (near.b, near.distance)).collect();
    /// assert_eq!(found, [(1, 1), (2, 1)]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`listed`](Self::listed).
    pub fn nearest<A, B>(&self, a: &[A], b: &[B], top: usize) -> Result<Vec<Vec<Near>>>
    where
        A: PairString,
        B: PairString,
    {
        memory::check::<Near>(a.len().saturating_mul(top.min(b.len())), "the nearest strings")?;
        let mut all = Vec::with_capacity(a.len());
        self.each_nearest(a, b, top, |near| {
            all.push(near.to_vec());
            Ok(())
        })?;
        Ok(all)
    }

    /// [`nearest`](Self::nearest), one string after the other: `each` is called once for each string of `a`, in order.
    ///
    /// # Errors
    /// As [`listed`](Self::listed); and those of `each`, which end the job.
    pub fn each_nearest<A, B>(
        &self,
        a: &[A],
        b: &[B],
        top: usize,
        mut each: impl FnMut(&[Near]) -> Result<()> + Send,
    ) -> Result<()>
    where
        A: PairString,
        B: PairString,
    {
        let a = symbols_of(a)?;
        let b = symbols_of(b)?;
        self.on_engine(|engine| {
            let mut blocks = Blocks::new(a.len(), top.min(b.len()));
            while let Some(block) = blocks.next() {
                let first = block.start;
                let rows = &a[block];
                let nearest: Vec<Nearest> = rows.iter().map(|_| Nearest::default()).collect();
                engine.tile(rows, &b, &|row, columns, distances| nearest[row].add(columns, distances, top))?;
                for (row, nearest) in nearest.into_iter().enumerate() {
                    let near = |found: Neighbour| Near { a: first + row, b: found.number, distance: found.distance };
                    let near: Vec<Near> = nearest.into_sorted().into_iter().map(near).collect();
                    each(&near)?;
                }
            }
            Ok(())
        })
    }

    /// Runs a job on the engine asked for.
    fn on_engine<R: Send>(&self, job: impl FnOnce(&AnyKinds<'_>) -> Result<R> + Send) -> Result<R> {
        match &self.devices {
            Devices::Cpu(cpu) => {
                cpu.run(|| job(&self.any_kinds(&CpuPairs::new(self.cost, self.maximum, self.progress))))
            }
            Devices::Gpus(gpus) => threads::run(|| self.on_device(gpus, job)),
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => threads::run(|| self.on_device(devices, job)),
        }
    }

    fn on_device<D: Device, R>(&self, devices: &[Arc<D>], job: impl FnOnce(&AnyKinds<'_>) -> Result<R>) -> Result<R> {
        let [device] = devices else {
            return Err(Error::Unsupported {
                algorithm: "many pairs".into(),
                reason: format!("run on one GPU, and {} were given", devices.len()),
            });
        };
        let pairs = DevicePairs::new(&**device).max_distance(self.maximum).progress(self.progress);
        job(&self.any_kinds(&OnDevice { pairs, cost: self.cost, maximum: self.maximum }))
    }

    fn any_kinds<'e>(&'e self, engine: &'e dyn PairEngine) -> AnyKinds<'e> {
        AnyKinds { engine, cost: self.cost, maximum: self.maximum, progress: self.progress }
    }
}

/// Adds pairs; without memory for them, an error.
fn append(all: &mut Result<Vec<Near>>, near: Vec<Near>) {
    if let Ok(found) = all {
        match memory::reserve(found, near.len(), "the pairs that are near") {
            Ok(()) => found.extend(near),
            Err(error) => *all = Err(error),
        }
    }
}

/// A distance, if it is not above the maximum.
fn optional(distance: u32) -> Option<u32> {
    (distance != ABOVE).then_some(distance)
}

#[cfg(all(test, feature = "simt"))]
mod tests {
    use super::super::naive;
    use super::super::rows::ROWS;
    use super::*;
    use crate::device::Simt;

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
            let found = job.within(&list[ROWS - 20..], 3).unwrap();
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
            let all = job.within(&list, 1).unwrap();
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

    #[test]
    fn rows_in_order_and_errors_of_the_caller() {
        let (a, b) = (list(50, 4), list(20, 5));
        let matrix = Pairs::new().on(&Cpu::with_threads(2).unwrap()).matrix(&a, &b).unwrap();
        for (a, row) in a.iter().zip(&matrix) {
            let expected: Vec<_> = b.iter().map(|b| Some(naive::distance(a, b, Cost::Levenshtein, None))).collect();
            assert_eq!(row, &expected);
            assert_eq!(Pairs::new().one_to_many(a, &b).unwrap(), expected);
        }
        let none: &[&str] = &[];
        assert_eq!(Pairs::new().matrix(&a, none).unwrap(), vec![Vec::new(); 50]);
        assert_eq!(Pairs::new().matrix(none, &a).unwrap(), Vec::<Vec<_>>::new());
        assert_eq!(Pairs::new().one_to_many("a", none).unwrap(), []);
        let mut rows = 0;
        let stopped = Pairs::new().all(&a, &b, |row, _| {
            rows += 1;
            if row == 3 { Err(Error::Interrupted) } else { Ok(()) }
        });
        assert!(matches!(stopped, Err(Error::Interrupted)) && rows == 4);
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
                assert_eq!(simulated.within(&a, 3).unwrap(), job.within(&a, 3).unwrap());
            }
        }
        assert!(matches!(Pairs::new().on(&Simt::several(2).unwrap()).listed(&pairs), Err(Error::Unsupported { .. })));
    }
}
