//! Similar strings on a device: their distance, and a cheapest script, by cuts in bands.
//!
//! A band must be as wide as the distance, which is unknown, so it starts from a guess. The band
//! finds the cheapest path within it. If that path costs no more than the guess, it is a cheapest
//! path overall. If it costs more, its cost is an upper bound, and a band of that width is wide
//! enough.
//!
//! The script comes from Hirschberg's recursion (1975), as in `hirschberg.rs`. Each cut also gives
//! the costs of its two parts, so their bands are as narrow as possible. All parts of a level form
//! one request.

use super::cuts::{BandCut, BandRequest, Cuts};
use super::hirschberg::Parts;
use super::similar::Answer;
use crate::alignment::Run;
use crate::error::Result;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Maximum share of the full table's time for a band whose width is a guess. If the guess is wrong,
/// this time is lost; together with the seeds it should be at most a third.
const GUESSED: f64 = 0.27;

/// Maximum share of the full table's time for a band whose width is a known bound.
const KNOWN: f64 = 0.7;

/// Solves two parts without recursion.
type Leaf<'s> = &'s (dyn Fn(&[u8], &[u8]) -> Result<Vec<Run>> + Sync);

/// Two strings on a device, which should be similar.
pub(crate) struct Banded<'s> {
    pub a: &'s [u8],
    pub b: &'s [u8],
    pub engine: &'s dyn Cuts,
    /// True to use bands even if the full table should be faster.
    pub always: bool,
    /// Parts up to this length, in symbols and at least 1, are solved by `leaf`.
    pub leaf_symbols: usize,
    /// Finds the matches of a cheapest script of two parts that are not empty.
    pub leaf: Leaf<'s>,
}

/// A cheapest script.
struct Script {
    distance: u64,
    /// Matches, in order.
    runs: Vec<Run>,
}

/// Two parts, and their distance.
struct Cost {
    parts: Parts,
    cost: u64,
}

impl Banded<'_> {
    /// Computes the distance of the strings, starting from a guess of it, and a script if `script`;
    /// `None` if bands do not pay off.
    pub fn answer(&self, guess: u64, script: bool) -> Result<Option<Answer>> {
        Ok(if script {
            self.script(guess)?.map(|Script { distance, runs }| Answer::Distance { distance, runs: Some(runs) })
        } else {
            self.distance(guess)?.map(|distance| Answer::Distance { distance, runs: None })
        })
    }

    /// Computes the distance of the strings, starting from a guess of it; `None` if bands do not
    /// pay off.
    fn distance(&self, guess: u64) -> Result<Option<u64>> {
        Ok(self.first(guess)?.map(|halves| halves.iter().map(|half| half.cost).sum()))
    }

    /// Computes a cheapest script of the strings, starting from a guess of the distance; `None` if
    /// bands do not pay off.
    fn script(&self, guess: u64) -> Result<Option<Script>> {
        let Some(halves) = self.first(guess)? else { return Ok(None) };
        let distance = halves.iter().map(|half| half.cost).sum();
        let mut level = Vec::from(halves);
        let mut leaves = Vec::new();
        loop {
            let is_large = |Cost { parts, cost }: &Cost| {
                let m = parts.a.len();
                let n = parts.b.len();
                *cost > 0 && m.min(n) > 0 && m.max(n) > self.leaf_symbols
            };
            let (large, small): (Vec<Cost>, Vec<Cost>) = level.into_iter().partition(is_large);
            leaves.extend(small);
            let requests: Vec<BandRequest> = large.iter().map(Cost::request).collect();
            let cuts = if requests.is_empty() { None } else { self.engine.in_bands(&requests, self.share(KNOWN))? };
            let Some(cuts) = cuts else {
                leaves.extend(large);
                break;
            };
            let halves = large.iter().zip(&requests).zip(&cuts);
            level = halves.flat_map(|((cost, request), cut)| cost.cut(request, cut)).collect();
        }
        let solved: Vec<Vec<Run>> = leaves.par_iter().map(|leaf| self.solve(leaf)).collect::<Result<_>>()?;
        let mut runs = solved.concat();
        runs.par_sort_unstable_by_key(|run: &Run| run.a_start);
        Ok(Some(Script { distance, runs }))
    }

    /// Returns the share of the full table's time that a band may take.
    fn share(&self, most: f64) -> f64 {
        if self.always { f64::INFINITY } else { most }
    }

    /// Computes both halves of the whole strings.
    fn first(&self, guess: u64) -> Result<Option<[Cost; 2]>> {
        let m = self.a.len();
        let n = self.b.len();
        if m.max(n) < 2 || m.min(n) == 0 {
            return Ok(None);
        }
        let mut whole = Cost { parts: Parts { a: 0..m, b: 0..n }, cost: guess.max(m.abs_diff(n) as u64) };
        let mut share = GUESSED;
        loop {
            let request = whole.request();
            let Some(cuts) = self.engine.in_bands(std::slice::from_ref(&request), self.share(share))? else {
                return Ok(None);
            };
            let [cut] = cuts[..] else { return Ok(None) };
            let distance = cut.costs.iter().sum();
            if distance <= whole.cost {
                return Ok(Some(whole.cut(&request, &cut)));
            }
            log::debug!("a band for {} errors contains a path of cost {distance}", whole.cost);
            (whole.cost, share) = (distance, KNOWN);
        }
    }

    fn solve(&self, Cost { parts, cost }: &Cost) -> Result<Vec<Run>> {
        let a = parts.a.start as u64;
        let b = parts.b.start as u64;
        let x = &self.a[parts.a.clone()];
        let y = &self.b[parts.b.clone()];
        if x.is_empty() || y.is_empty() {
            return Ok(Vec::new());
        }
        if *cost == 0 {
            return Ok(vec![Run { a_start: a, b_start: b, len: x.len() as u64 }]);
        }
        let runs = (self.leaf)(x, y)?;
        Ok(runs.into_iter().map(|run| Run { a_start: run.a_start + a, b_start: run.b_start + b, ..run }).collect())
    }
}

impl Cost {
    fn request(&self) -> BandRequest {
        BandRequest { cut: self.parts.request(), most: self.cost }
    }

    /// Returns both halves of a cut.
    fn cut(&self, request: &BandRequest, cut: &BandCut) -> [Cost; 2] {
        let [before, after] = self.parts.cut(&request.cut, cut.row);
        let [first, second] = cut.costs;
        [Cost { parts: before, cost: first }, Cost { parts: after, cost: second }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::script::EditScript;
    use crate::pairwise::cuts::{Cut, CutRequest, Cuts, Part};
    use crate::pairwise::wavefront::{Distances, Wavefront, WavefrontPlan};
    use simt_launch::Simt;
    use std::sync::Mutex;

    /// An engine that always uses bands and records its requests.
    struct Always<'w> {
        on: Wavefront<'w, Simt, Distances>,
        asked: Mutex<Vec<u64>>,
    }

    impl Cuts for Always<'_> {
        fn cuts(&self, _requests: &[CutRequest]) -> Result<Vec<Cut>> {
            panic!("a cut of a full table")
        }

        fn value(&self, _rows: &Part, _columns: &Part) -> Result<u64> {
            panic!("a full table")
        }

        fn in_bands(&self, requests: &[BandRequest], _share: f64) -> Result<Option<Vec<BandCut>>> {
            self.asked.lock().unwrap().extend(requests.iter().map(|request| request.most));
            self.on.cuts_in_bands(requests)
        }
    }

    /// Computes D of all prefixes, by the recurrence.
    fn table(a: &[u8], b: &[u8]) -> Vec<Vec<u64>> {
        let mut table = vec![(0..=b.len() as u64).collect::<Vec<u64>>()];
        for (i, x) in a.iter().enumerate() {
            let mut row = vec![i as u64 + 1];
            for (j, y) in b.iter().enumerate() {
                let above = &table[i];
                row.push((above[j] + u64::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1));
            }
            table.push(row);
        }
        table
    }

    /// Finds the matches of a cheapest script, from the last cell back.
    fn matches(a: &[u8], b: &[u8]) -> Vec<Run> {
        let table = table(a, b);
        let mut i = a.len();
        let mut j = b.len();
        let mut runs = Vec::new();
        while i > 0 && j > 0 {
            if a[i - 1] == b[j - 1] {
                runs.push(Run { a_start: i as u64 - 1, b_start: j as u64 - 1, len: 1 });
                (i, j) = (i - 1, j - 1);
            } else if table[i][j] == table[i - 1][j - 1] + 1 {
                (i, j) = (i - 1, j - 1);
            } else if table[i][j] == table[i - 1][j] + 1 {
                i -= 1;
            } else {
                j -= 1;
            }
        }
        runs.reverse();
        runs
    }

    #[test]
    fn any_guess_gives_the_distance_and_a_script_of_it() {
        let mut random = fastrand::Rng::with_seed(1);
        let a: Vec<u8> = (0..3000).map(|_| random.u8(..4)).collect();
        let b: Vec<u8> = a
            .iter()
            .filter_map(|&s| match random.u8(..30) {
                0 => None,
                1 => Some((s + 1) % 4),
                _ => Some(s),
            })
            .collect();
        let leaf = |x: &[u8], y: &[u8]| Ok(matches(x, y));
        let device = Simt::default();
        for (a, b) in [(&a[..], &b[..]), (&b[..], &a[..2500]), (&a[..], &a[..])] {
            let d = table(a, b)[a.len()][b.len()];
            for guess in [0, d / 2, d, 3 * d] {
                let on =
                    Wavefront::new(&[&device], a, b, &|_| ()).unwrap().with_plan(WavefrontPlan::new(1, 2)).unwrap();
                let engine = Always { on, asked: Mutex::new(Vec::new()) };
                let banded = Banded { a, b, engine: &engine, always: false, leaf_symbols: 400, leaf: &leaf };
                assert_eq!(banded.distance(guess).unwrap(), Some(d), "{guess}");
                let first = engine.asked.lock().unwrap().len();
                assert_eq!(
                    first,
                    if guess.max(a.len().abs_diff(b.len()) as u64) < d { 2 } else { 1 },
                    "bands for {guess} and {d}"
                );
                let Script { distance, runs } = banded.script(guess).unwrap().unwrap();
                assert_eq!(distance, d, "{guess}");
                let script = EditScript::new(runs, a.len() as u64, b.len() as u64).unwrap();
                script.verify(a, b).unwrap();
                assert_eq!(script.distance(), d, "{guess}");
            }
        }
    }
}
