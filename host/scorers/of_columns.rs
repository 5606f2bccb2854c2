//! Scores of two columns in the memory of a GPU, side by side.

use super::kind::{Kind, Score};
use super::of_pairs::{PairNumber, Strings};
use super::parameters::Parameters;
use super::scorer::Scorer;
use crate::error::{Error, Result, UsageFault};
use crate::memory;
use crate::pairs::position_number::PositionNumber;
use crate::pairs::{Pairs, ResidentColumn};
use crate::threads;
use carrywave_kernels::distance::position_matches::{LONGEST, TOO_LONG};
use rayon::prelude::*;

/// Number of rows whose scores a thread computes at a time: they stay in its cache.
const PART: usize = 1 << 12;

impl Scorer {
    /// Returns true if [`scores_of_columns`](Self::scores_of_columns) takes this scorer: true for
    /// `levenshtein`, unless its weights are neither equal nor those of `indel`; and for `indel`,
    /// `lcs`, `osa`, `ratio`, `quick-ratio`, `hamming`, `prefix`, `postfix`, `jaro` and
    /// `jaro-winkler`.
    ///
    /// ```
    /// use carrywave::scorers::{Parameters, named};
    ///
    /// let takes = |name| {
    ///     named(name).is_ok_and(|scorer| scorer.takes_columns(&Parameters::DEFAULT))
    /// };
    /// assert!(takes("jaro") && !takes("damerau"));
    /// ```
    pub fn takes_columns(&self, parameters: &Parameters) -> bool {
        self.of_pairs.is_some_and(|of_pairs| {
            let is_positions = matches!(of_pairs.number, PairNumber::Positions(_));
            of_pairs.strings == Strings::Whole && (is_positions || of_pairs.cost(parameters).is_some())
        })
    }

    /// Computes the scores of the strings of two columns in a GPU's memory, side by side, in order.
    /// Strings are compared byte by byte, on the columns' GPU. It sends back a number of 4 bytes
    /// for each pair, and the CPU makes the scores of these. It also compares pairs with a string
    /// of more than 64 symbols by `jaro` and `jaro-winkler`. The score of a missing string is NaN.
    /// `limit` is that of [`score`](Self::score).
    ///
    /// ```no_run
    /// use carrywave::device::Gpu;
    /// use carrywave::pairs::ResidentColumn;
    /// use carrywave::scorers::{Kind, Parameters, named};
    ///
    /// let gpu = Gpu::open(0)?;
    /// let typed = ResidentColumn::new(&gpu, &["dwayne", "martha"])?;
    /// let right = ResidentColumn::new(&gpu, &["duane", "marhta"])?;
    /// let jaro = named("jaro-winkler")?;
    /// let (columns, parameters) = ([&typed, &right], Parameters::DEFAULT);
    /// let scores = jaro.scores_of_columns(Kind::Similarity, columns, &parameters, None)?;
    /// let percent: Vec<u32> = scores.iter().map(|score| (score * 100.0).round() as u32).collect();
    /// assert_eq!(percent, [84, 96]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// Time: a GPU's for the strings, and that of 4 bytes over the bus and 10 to 20 clock cycles of
    /// the CPU for each pair. Space: 4 bytes for each pair on the GPU, 12 on the host.
    ///
    /// # Errors
    /// [`Unsupported`](Error::Unsupported) for other scorers than those of
    /// [`takes_columns`](Self::takes_columns), and for columns on different GPUs;
    /// [`Usage`](Error::Usage) as [`score`](Self::score), with [`Mismatch`](UsageFault::Mismatch)
    /// also for columns of different lengths, and with [`TooLarge`](UsageFault::TooLarge) for
    /// strings that are too long; [`Memory`](Error::Memory) if the scores do not fit into memory;
    /// [`DeviceMemory`](Error::DeviceMemory) and [`Gpu`](Error::Gpu) if the GPU lacks memory or
    /// fails.
    pub fn scores_of_columns(
        &self,
        kind: Kind,
        [a, b]: [&ResidentColumn; 2],
        parameters: &Parameters,
        limit: Option<Score>,
    ) -> Result<Vec<f64>> {
        memory::check::<f64>(a.len(), "the scores")?;
        let mut scores = vec![0.0; a.len()];
        let copy = |_, found: &[f64], places: &mut [f64]| places.copy_from_slice(found);
        self.write_scores_of_columns(kind, [a, b], parameters, limit, &mut scores, copy)?;
        Ok(scores)
    }

    /// Does the same, but calls `write` from several threads with a row, the scores from there on,
    /// and their part of `places`, which has as many elements for each row.
    ///
    /// # Errors
    /// As [`scores_of_columns`](Self::scores_of_columns).
    #[doc(hidden)]
    pub fn write_scores_of_columns<T: Send>(
        &self,
        kind: Kind,
        [a, b]: [&ResidentColumn; 2],
        parameters: &Parameters,
        limit: Option<Score>,
        places: &mut [T],
        write: impl Fn(usize, &[f64], &mut [T]) + Sync,
    ) -> Result<()> {
        self.check(parameters)?;
        if a.len() != b.len() {
            return Err(UsageFault::Mismatch.error(format!("the columns have {} and {} strings", a.len(), b.len())));
        }
        let width = places.len().checked_div(a.len()).unwrap_or(0);
        let offsets = [a, b].map(ResidentColumn::offsets);
        let lengths = |row: usize| offsets.map(|offsets| (offsets[row + 1] - offsets[row]) as usize);
        let missing = [a, b].map(ResidentColumn::missing);
        let is_there = |row: usize| missing.iter().all(|missing| missing.get(row) != Some(&true));
        threads::run(|| {
            let rows = || (0..a.len()).into_par_iter().filter(|&row| is_there(row));
            if !parameters.pad {
                rows().try_for_each(|row| {
                    let [m, n] = lengths(row);
                    self.check_lengths(m, n, parameters)
                })?;
            }
            let numbers = self.numbers_of_columns(kind, [a, b], parameters, limit)?;
            let part = |(part, (numbers, places)): (usize, (&[u32], &mut [T]))| {
                let first = part * PART;
                let score = |(row, &number): (usize, &u32)| match is_there(row) {
                    true => self.score_of_pair(kind, lengths(row), number.into(), parameters, limit).value(),
                    false => f64::NAN,
                };
                write(first, &(first..).zip(numbers).map(score).collect::<Vec<f64>>(), places);
            };
            numbers.par_chunks(PART).zip(places.par_chunks_mut((PART * width).max(1))).enumerate().for_each(part);
            if self.has_jaro_numbers() && a.longest().max(b.longest()) > LONGEST as usize {
                // The kernel leaves these out.
                let long: Vec<usize> = rows().filter(|&row| numbers[row] == TOO_LONG).collect();
                let (x, y) = (a.strings(&long)?, b.strings(&long)?);
                let score = |(x, y)| Ok(self.score(kind, x, y, parameters, limit)?.value());
                let found: Vec<f64> = x.par_iter().zip(&y).map(score).collect::<Result<_>>()?;
                for (&row, score) in long.iter().zip(&found) {
                    write(row, std::slice::from_ref(score), &mut places[row * width..][..width]);
                }
            }
            Ok(())
        })
    }

    /// Returns true if symbols in common for Jaro's similarity give the scores.
    fn has_jaro_numbers(&self) -> bool {
        let number = self.of_pairs.map(|of_pairs| of_pairs.number);
        matches!(number, Some(PairNumber::Positions(PositionNumber::Jaro)))
    }

    /// Computes the numbers that give scores.
    fn numbers_of_columns(
        &self,
        kind: Kind,
        [a, b]: [&ResidentColumn; 2],
        parameters: &Parameters,
        limit: Option<Score>,
    ) -> Result<Vec<u32>> {
        let of_whole = self.of_pairs.filter(|of_pairs| of_pairs.strings == Strings::Whole);
        if let Some(PairNumber::Positions(number)) = of_whole.map(|of_pairs| of_pairs.number) {
            return a.position_matches(b, number);
        }
        let Some(cost) = of_whole.and_then(|of_pairs| of_pairs.cost(parameters)) else {
            return Err(Error::Unsupported {
                algorithm: self.name.to_owned(),
                reason: "compares strings that are in the host's memory".to_owned(),
            });
        };
        let pairs = Pairs::new().cost(cost);
        let pairs = match self.pair_maximum(kind, [a.longest(), b.longest()], parameters, limit) {
            Some(maximum) => pairs.maximum(maximum),
            None => pairs,
        };
        pairs.listed_resident(a, b)?.download()
    }
}
