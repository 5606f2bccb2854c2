//! All distances of two lists: row by row, in parts, or as a matrix.

use super::comparison::{Pairs, optional};
use super::cost::ABOVE;
use super::strings::PairString;
use crate::error::Result;
use crate::memory;
use std::sync::atomic::Ordering;

impl Pairs<'_> {
    /// Computes the distances of all strings of a list to all strings of another. Calls `each` with
    /// the index of a string of `a`, in order from 0, and its distances to the strings of `b` in
    /// order. Some rows of the matrix are kept at a time: 2^22 distances or one row.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let mut sums = Vec::new();
    /// Pairs::new().all(&["wave", "carry"], &["waves", "curry"], |_, row| {
    ///     sums.push(row.iter().flatten().sum::<u32>());
    ///     Ok(())
    /// })?;
    /// assert_eq!(sums, [6, 5]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// Like [`listed`](Self::listed); and errors of `each`, which end the job.
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
        memory::check::<Option<u32>>(b.len(), "a row of distances")?;
        let mut row = vec![None; b.len()];
        self.on_lists(a, b, |engine, a, b| {
            engine.all(a, b, &mut |rows| {
                rows.iter().try_for_each(|(number, distances)| {
                    for (&column, distance) in rows.columns.iter().zip(distances) {
                        let distance = optional(distance.load(Ordering::Relaxed));
                        let lengths = || [a[number].len(), b[column].len()];
                        row[column] = distance.filter(|&distance| engine.takes(distance, lengths));
                    }
                    each(number, &row)
                })
            })
        })
    }

    /// Like [`all`](Self::all), but calls `each` from several threads and in no order, with the
    /// index of a string of `a`, some indices of strings of `b`, and the distances of these pairs;
    /// `u32::MAX` stands for a distance that [`all`](Self::all) reports as `None`. Each pair comes
    /// once. For large results: where `each` does little, `all` takes several times as long.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    /// use std::sync::Mutex;
    ///
    /// let sums = [const { Mutex::new(0) }; 2];
    /// Pairs::new().all_in_parts(&["wave", "carry"], &["waves", "curry"], |row, _, distances| {
    ///     *sums[row].lock().unwrap() += distances.iter().sum::<u32>();
    /// })?;
    /// assert_eq!(sums.map(|sum| sum.into_inner().unwrap()), [6, 5]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// Like [`listed`](Self::listed).
    pub fn all_in_parts<A, B>(&self, a: &[A], b: &[B], each: impl Fn(usize, &[usize], &[u32]) + Sync) -> Result<()>
    where
        A: PairString,
        B: PairString,
    {
        self.on_lists(a, b, |engine, a, b| match self.similarity {
            None => engine.all_in_parts(a, b, &each),
            Some(_) => engine.all_in_parts(a, b, &|row, columns, distances| {
                let known = columns.iter().zip(distances).map(|(&column, &distance)| {
                    let is_known = engine.takes(distance, || [a[row].len(), b[column].len()]);
                    if is_known { distance } else { ABOVE }
                });
                each(row, columns, &known.collect::<Vec<_>>());
            }),
        })
    }

    /// Computes the whole matrix of distances: row i has those of string i of `a`, in the order of
    /// `b`. [`all`](Self::all) computes the same without storing the matrix.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// assert_eq!(Pairs::new().matrix(&["wave"], &["waves", "curry"])?, [[Some(1), Some(5)]]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
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
        // `all` reports no rows for empty lists.
        rows.resize(a.len(), Vec::new());
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cost::Cost;
    use super::super::naive;
    use super::super::strings::Symbols;
    use super::*;
    use crate::device::{Cpu, Engine};
    use crate::error::Error;
    use std::sync::Mutex;

    /// Returns words of 0 to 20 letters.
    fn list(len: usize, seed: u64) -> Vec<String> {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..len).map(|_| (0..random.usize(..20)).map(|_| random.char('a'..'e')).collect()).collect()
    }

    #[test]
    fn rows_in_order_and_errors_of_the_caller() {
        let (a, b) = (list(50, 4), list(20, 5));
        let matrix = Pairs::new().on(&Cpu::with_threads(2).unwrap()).matrix(&a, &b).unwrap();
        for (a, row) in a.iter().zip(&matrix) {
            let expected: Vec<_> =
                b.iter().map(|b| Some(naive::distance(a.as_bytes(), b.as_bytes(), Cost::Levenshtein, None))).collect();
            assert_eq!(row, &expected);
        }
        let none: &[&str] = &[];
        assert_eq!(Pairs::new().matrix(&a, none).unwrap(), vec![Vec::new(); 50]);
        assert_eq!(Pairs::new().matrix(none, &a).unwrap(), Vec::<Vec<_>>::new());
        let mut rows = 0;
        let stopped = Pairs::new().all(&a, &b, |row, _| {
            rows += 1;
            if row == 3 { Err(Error::Interrupted) } else { Ok(()) }
        });
        assert!(matches!(stopped, Err(Error::Interrupted)) && rows == 4);
    }

    #[test]
    fn parts_have_each_pair_once() {
        let engines: &[&dyn Engine] = &[
            &Cpu::new(),
            &Cpu::with_threads(1).unwrap(),
            #[cfg(feature = "simt")]
            &crate::device::Simt::new(),
        ];
        let wide: Vec<u32> = (0..300).collect();
        for (rows, columns) in [(3, 2500), (90, 70), (1, 1), (0, 5), (5, 0)] {
            let (words_a, words_b) = (list(rows, 7), list(columns, 8));
            for with_numbers in [false, true] {
                let symbols = |words| -> Vec<Symbols<'_>> {
                    let words: &[String] = words;
                    let some = Symbols::Numbers(&wide);
                    let strings = words.iter().map(|word| Symbols::Bytes(word.as_bytes()));
                    strings.enumerate().map(|(i, word)| if with_numbers && i % 40 == 2 { some } else { word }).collect()
                };
                let (a, b) = (symbols(&words_a), symbols(&words_b));
                for (engine, maximum) in engines.iter().flat_map(|engine| [(*engine, None), (*engine, Some(4))]) {
                    let job = maximum.map_or(Pairs::new(), |maximum| Pairs::new().maximum(maximum)).on(engine);
                    let found = Mutex::new(vec![vec![Vec::new(); columns]; rows]);
                    job.all_in_parts(&a, &b, |row, columns, distances| {
                        assert_eq!(columns.len(), distances.len());
                        let mut found = found.lock().unwrap();
                        columns.iter().zip(distances).for_each(|(&column, &d)| found[row][column].push(d));
                    })
                    .unwrap();
                    for (a, row) in a.iter().zip(found.into_inner().unwrap()) {
                        for (b, found) in b.iter().zip(row) {
                            let of = |symbols: &Symbols<'_>| symbols.to_numbers();
                            let distance = naive::distance(&of(a), &of(b), Cost::Levenshtein, maximum);
                            assert_eq!(found, [distance]);
                        }
                    }
                }
            }
        }
    }
}
