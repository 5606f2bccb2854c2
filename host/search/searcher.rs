//! A search that is ready for one text after the other: from the ends that the engine finds to hits.

use super::chains::{Chains, LONGEST_PIECE, Rest};
use super::choice::{Choice, Chooser};
use super::ends::FindEnds;
use super::find::{Ends, Search, Searched};
use super::hit::Hit;
use super::lines::{self, LineHits};
use super::records::{self, Memory};
use super::resident::Source;
use super::slices::Slices;
use super::stream::Hits;
use super::whole::WholeRecords;
use crate::device::Cpu;
use crate::error::{Error, Result};
use crate::infix::End;
use crate::memory;
use crate::text::parts::Parts;
use crate::text::{Pattern, Text};
use rayon::prelude::*;
use std::fmt;
use std::ops::Range;
use std::time::Instant;

/// A search that is ready for one text after the other ([`Search::prepare`]): what was made of the patterns is kept, and on a GPU their tables and
/// the room for texts.
///
/// ```
/// use carrywave::search::Search;
/// use carrywave::text::Pattern;
///
/// let mut searcher = Search::new(Pattern::literal(b"wave")).errors(1).prepare()?;
/// assert_eq!(searcher.count(b"a wavy line")?, 1);
/// assert_eq!(searcher.count(b"a straight line")?, 0);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub struct Searcher<'p> {
    search: Search<'p>,
    /// What each pattern stands for that the engine looks for.
    searched: Vec<Searched>,
    patterns: Vec<Pattern>,
    engine: Box<dyn FindEnds + 'p>,
    /// The threads that do what the engine does not.
    cpu: Cpu,
    /// Where hits are whole records: the engine has no patterns then.
    whole: Option<WholeRecords>,
}

impl fmt::Debug for Searcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("search", &self.search).finish_non_exhaustive()
    }
}

impl<'p> Searcher<'p> {
    pub(super) fn new(
        search: Search<'p>,
        searched: Vec<Searched>,
        patterns: Vec<Pattern>,
        engine: Box<dyn FindEnds + 'p>,
        cpu: Cpu,
    ) -> Self {
        Self { search, searched, patterns, engine, cpu, whole: None }
    }

    /// The same where hits are whole records.
    pub(super) fn of_whole(self, whole: WholeRecords) -> Self {
        Self { whole: Some(whole), ..self }
    }

    /// The hits among records, if these are searched as a whole.
    pub(super) fn whole(&self, symbols: &[u8], records: &[Range<usize>]) -> Option<Vec<Hit>> {
        let (whole, patterns, searched) = (self.whole.as_ref()?, &self.patterns, &self.searched);
        let hits = self.cpu.clone().run(|| whole.hits((patterns, searched), symbols, records));
        let strands = if self.search.both_strands { 2 } else { 1 };
        let patterns = self.search.patterns.len() as u64;
        (self.search.progress)((symbols.len() as u64).saturating_mul(patterns).saturating_mul(strands));
        Some(hits)
    }

    /// The hits in a text, as [`Search::hits`].
    ///
    /// # Errors
    /// As [`Search::hits`], and for a text that is on a GPU: that is searched there, by [`Search::hits`].
    pub fn hits<'t>(&mut self, text: impl Into<Source<'t>>) -> Result<Vec<Hit>> {
        let source = text.into();
        self.refuse_kept(&source)?;
        self.hits_in(source.text())
    }

    /// How many hits there are in a text, as [`Search::count`].
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn count<'t>(&mut self, text: impl Into<Source<'t>>) -> Result<u64> {
        let source = text.into();
        self.refuse_kept(&source)?;
        self.count_in(source.text())
    }

    /// The hits in the lines of a text, each line on its own: those that [`hits`](Self::hits) tells of a text whose records are its lines. Only lines
    /// are looked at in which something may be, so that there may be very many.
    ///
    /// ```
    /// use carrywave::search::{Pattern, Search};
    ///
    /// let found = Search::new(Pattern::literal(b"wave")).prepare()?.hits_in_lines(b"one wa\nve\nno wave\n")?;
    /// assert_eq!((found.hits[0].start, found.lines[0].number), (3, 2));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Search::hits`].
    pub fn hits_in_lines(&mut self, text: &[u8]) -> Result<LineHits> {
        self.in_lines(text, false)
    }

    /// The lines of a text that have hits, each with its first hit alone: for those who do not show where the hits are. As
    /// [`hits_in_lines`](Self::hits_in_lines), but a line with very many hits takes no memory for them.
    ///
    /// # Errors
    /// As [`Search::hits`].
    pub fn first_hits_in_lines(&mut self, text: &[u8]) -> Result<LineHits> {
        self.in_lines(text, true)
    }

    fn in_lines(&mut self, text: &[u8], only_first: bool) -> Result<LineHits> {
        let mut hits = Vec::new();
        let mut add = |mut found: Vec<Hit>| -> Result<()> {
            if only_first {
                let last = hits.last().map(|hit: &Hit| hit.record);
                found.dedup_by_key(|hit| hit.record);
                found.retain(|hit| Some(hit.record) != last);
            }
            memory::reserve(&mut hits, found.len(), "the hits")?;
            hits.extend(found);
            Ok(())
        };
        let lines;
        if self.whole.is_some() {
            lines = lines::all_lines(text);
            add(self.whole(text, &lines).unwrap_or_default())?;
        } else {
            let all = self.all_ends(text)?;
            lines = lines::lines_of(text, &all);
            let text = Memory { symbols: text, records: &lines, from: 0, is_whole: true };
            let mut slices = Slices::with_ends(self, text.symbols.len(), all);
            while !slices.is_done() {
                add(slices.next(self, &text)?)?;
            }
        }
        Ok(LineHits { lines: lines::numbered(text, lines), hits })
    }

    /// The hits in a text that comes in parts, as they are found: see [`Hits`].
    pub fn stream<P: Parts>(self, parts: P) -> Hits<'p, P> {
        Hits::new(self, parts)
    }

    fn refuse_kept(&self, source: &Source<'_>) -> Result<()> {
        match source.kept() {
            None => Ok(()),
            Some(_) => {
                Err(Error::Usage("a text that is on a GPU is searched by `Search::hits`, without `prepare`".into()))
            }
        }
    }

    pub(super) fn hits_in(&mut self, text: &Text<'_>) -> Result<Vec<Hit>> {
        if self.whole.is_some() {
            let Some(symbols) = text.in_memory() else {
                return Err(Error::Usage(
                    "whole records are searched in memory, and in parts; this text is a file".into(),
                ));
            };
            let all = 0..symbols.len();
            let records = text.records().unwrap_or(std::slice::from_ref(&all));
            return Ok(self.whole(symbols, records).unwrap_or_default());
        }
        let mut hits = Vec::new();
        let mut add = |found: Vec<Hit>| {
            memory::reserve(&mut hits, found.len(), "the hits")?;
            hits.extend(found);
            Ok(())
        };
        if text.in_memory().is_some() {
            self.in_memory(text, &mut add)?;
        } else {
            self.in_file(text, &mut add)?;
            self.cpu.run(|| hits.par_sort_unstable());
        }
        Ok(hits)
    }

    pub(super) fn count_in(&mut self, text: &Text<'_>) -> Result<u64> {
        let mut count = 0;
        if self.search.ends == Ends::All && !self.search.both_strands && self.whole.is_none() {
            match text.in_memory().zip(text.records()) {
                None => count = self.run(text.len(), |engine| engine.count(text))?,
                Some((symbols, records)) => {
                    let text = Memory { symbols, records, from: 0, is_whole: true };
                    let all = self.all_ends(symbols)?;
                    for ((pattern, searched), ends) in self.patterns.iter().zip(&self.searched).zip(all) {
                        let mut in_records = Vec::new();
                        records::ends(&text, &ends, pattern, searched.allowed, &mut in_records);
                        count += in_records.len() as u64;
                    }
                }
            }
            return Ok(count);
        }
        if self.whole.is_some() {
            return Ok(self.hits_in(text)?.len() as u64);
        }
        let mut add = |found: Vec<Hit>| {
            count += found.len() as u64;
            Ok(())
        };
        if text.in_memory().is_some() {
            self.in_memory(text, &mut add)?
        } else {
            self.in_file(text, &mut add)?
        }
        Ok(count)
    }

    /// Runs the engine on a text of `symbols` symbols, and logs the time.
    fn run<R: Send>(&mut self, symbols: u64, job: impl FnOnce(&mut dyn FindEnds) -> Result<R> + Send) -> Result<R> {
        let started = Instant::now();
        let (engine, cpu) = (&mut *self.engine, self.cpu.clone());
        let result = cpu.run(|| job(engine))?;
        if self.search.both_strands {
            // A pattern that is its own reverse complement was looked for once.
            let own = self.searched.iter().filter(|searched| searched.strands.len() > 1).count() as u64;
            if own > 0 {
                (self.search.progress)(symbols.saturating_mul(own));
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        log::info!(
            "search for {} patterns, k = {}, in {symbols} symbols: {seconds:.3} s, {:.2} GB/s for each pattern and strand",
            self.search.patterns.len(),
            self.searched.iter().map(|searched| searched.allowed.errors).max().unwrap_or(0),
            symbols as f64 * self.patterns.len() as f64 / 1e9 / seconds.max(1e-9),
        );
        Ok(result)
    }

    /// All ends in a text, of each pattern.
    fn all_ends(&mut self, text: &[u8]) -> Result<Vec<Vec<End>>> {
        self.ends_beyond(text, 0)
    }

    /// The ends of each pattern beyond the first `halo` symbols of a text, which were searched before.
    pub(super) fn ends_beyond(&mut self, text: &[u8], halo: u64) -> Result<Vec<Vec<End>>> {
        let count = self.patterns.len();
        self.run(text.len() as u64 - halo, |engine| engine.all_beyond(text, halo, count))
    }

    /// Calls `add` with the hits of a text in memory, in order, some at a time.
    fn in_memory(&mut self, text: &Text<'_>, add: TakeHits<'_>) -> Result<()> {
        let symbols = text.in_memory().unwrap_or_default();
        let whole = 0..symbols.len();
        let records = text.records().unwrap_or(std::slice::from_ref(&whole));
        let text = Memory { symbols, records, from: 0, is_whole: true };
        let mut slices = Slices::new(self);
        while !slices.is_done() {
            add(slices.next(self, &text)?)?;
        }
        Ok(())
    }

    /// Calls `add` with the hits of a text that may be larger than memory, as one record: some of a pattern at a time.
    fn in_file(&mut self, text: &Text<'_>, add: TakeHits<'_>) -> Result<()> {
        let choice = self.search.choice();
        let (searched, patterns) = (self.searched.clone(), self.patterns.clone());
        let open = |(searched, pattern): (_, &Pattern)| Groups::new(searched, pattern, choice);
        let mut all: Vec<Groups<'_>> = searched.iter().zip(&patterns).map(open).collect();
        self.run(text.len(), |engine| {
            engine.each(text, &mut |i, ends| add(all[i].add(text, ends)?))?;
            all.into_iter().try_for_each(|groups| add(groups.finish(text)?))
        })
    }

    /// The largest m + k of a pattern: symbols before a part that tell what is found in it.
    pub(super) fn context(&self) -> u64 {
        let each = self.patterns.iter().zip(&self.searched);
        each.map(|(pattern, own)| pattern.len() as u64 + u64::from(own.allowed.errors)).max().unwrap_or(0)
    }

    /// The patterns that the engine looks for, what each stands for, and which occurrences are told.
    pub(super) fn patterns(&self) -> (&[Pattern], &[Searched], Choice) {
        (&self.patterns, &self.searched, self.search.choice())
    }

    /// Returns true if the engine is the processor.
    pub(super) fn is_on_cpu(&self) -> bool {
        self.search.is_on_cpu()
    }

    /// The threads that do what the engine does not.
    pub(super) fn cpu(&self) -> &Cpu {
        &self.cpu
    }
}

/// Takes some hits; an error stops the search.
type TakeHits<'f> = &'f mut (dyn FnMut(Vec<Hit>) -> Result<()> + Send);

/// The ends of a pattern in a text that comes in parts, in chains.
struct Groups<'s> {
    searched: &'s Searched,
    chooser: Chooser,
    chains: Chains,
    /// The undecided part of the last chain.
    rest: Rest,
}

impl<'s> Groups<'s> {
    fn new(searched: &'s Searched, pattern: &Pattern, choice: Choice) -> Self {
        let chooser = Chooser::new(pattern, searched.allowed, choice);
        let chains = Chains::new(chooser.longest(), LONGEST_PIECE, choice);
        Self { searched, chooser, chains, rest: Rest::default() }
    }

    /// Takes ends that come after all before; the hits that are now decided.
    fn add(&mut self, text: &Text<'_>, ends: Vec<End>) -> Result<Vec<Hit>> {
        let known = ends.last().map(|last| (0, last.end));
        if known.is_none() {
            return Ok(Vec::new());
        }
        self.hits(text, ends, known)
    }

    /// The hits of what is left.
    fn finish(mut self, text: &Text<'_>) -> Result<Vec<Hit>> {
        self.hits(text, Vec::new(), None)
    }

    fn hits(&mut self, text: &Text<'_>, ends: Vec<End>, known: Option<(usize, u64)>) -> Result<Vec<Hit>> {
        let before = std::mem::take(&mut self.rest);
        let mut all = before.ends.clone();
        memory::reserve(&mut all, ends.len(), "the ends of occurrences")?;
        all.extend(ends.into_iter().map(|end| (0, end)));
        let (pieces, mut rest) = self.chains.pieces(&all, &before, known);
        let hits = self.chains.hits(&pieces, &before, rest.as_mut(), |piece, first, hits| {
            let window = text.part(self.chooser.window(piece))?;
            self.searched.hits(&self.chooser, &window, piece, first, hits);
            Ok(())
        })?;
        self.rest = rest.unwrap_or_default();
        Ok(hits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::allowed::Allowed;
    use crate::infix::sellers;
    use crate::search::{Ends, Strand};

    /// Finds the hits of ends that come a few at a time, in pieces of `piece` symbols.
    fn in_parts(text: &[u8], pattern: &Pattern, k: u32, choice: Choice, piece: u64, seed: u64) -> Vec<Hit> {
        let mut random = fastrand::Rng::with_seed(seed);
        let searched = Searched { number: 0, strands: &[Strand::Forward], allowed: Allowed::any(k) };
        let ends = sellers::ends(text, pattern, k);
        let text = Text::from(text);
        let mut groups = Groups::new(&searched, pattern, choice);
        groups.chains = Chains::new(groups.chooser.longest(), piece, choice);
        let (mut found, mut rest) = (Vec::new(), &ends[..]);
        while !rest.is_empty() {
            let (some, later) = rest.split_at(random.usize(..=rest.len().min(4)));
            found.extend(groups.add(&text, some.to_vec()).unwrap());
            rest = later;
        }
        found.extend(groups.finish(&text).unwrap());
        found.sort_unstable();
        found
    }

    #[test]
    fn groups_that_come_in_parts() {
        let mut random = fastrand::Rng::with_seed(4);
        for seed in 0..300 {
            let symbols: Vec<u8> = (0..random.usize(..600)).map(|_| random.u8(..2)).collect();
            let pattern: Vec<u8> = (0..random.usize(2..6)).map(|_| random.u8(..2)).collect();
            let (pattern, k) = (Pattern::literal(&pattern), random.u32(..2));
            for (ends, overlapping, choice) in [
                (Ends::Best, false, Choice::Apart),
                (Ends::Best, true, Choice::Overlapping),
                (Ends::All, false, Choice::EachEnd),
            ] {
                let search = Search::new(pattern.clone()).errors(k).ends(ends).overlapping(overlapping);
                let expected = search.hits(&symbols).unwrap();
                assert_eq!(in_parts(&symbols, &pattern, k, choice, u64::MAX, seed), expected, "{choice:?}");
                let pieced = in_parts(&symbols, &pattern, k, choice, 1, seed);
                if choice == Choice::Apart {
                    assert!(pieced.windows(2).all(|pair| pair[0].end <= pair[1].start), "{pieced:?}");
                } else {
                    assert_eq!(pieced, expected, "{choice:?}");
                }
            }
        }
    }
}
