//! All steps, for pairs of reads.

use super::best::Matched;
use super::cutter::CutRead;
use super::trimmer::{Fate, Worker, before_adapters};
use crate::text::Read;

/// Two reads after the removal of adapters.
type CutPair<'r> = [CutRead<'r>; 2];

impl Worker<'_> {
    /// Trims a pair of reads: the first with the steps for first reads, the second with those for
    /// second reads.
    ///
    /// ```
    /// use carrywave::text::Read;
    /// use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings, Settings, Trimmer};
    ///
    /// let defaults = AdapterSettings::default();
    /// let adapter = |text| Adapter::parse(text, AdapterEnd::ThreePrime, &defaults);
    /// let mut settings = Settings::default();
    /// settings.first.adapters = vec![adapter("CCGGCC")?];
    /// settings.second.adapters = vec![adapter("TTGGTT")?];
    /// let trimmer = Trimmer::new(settings)?;
    /// let pair = [Read::new(b"1/1", b"GATTACACCGGCC"), Read::new(b"1/2", b"TGTAATCTTGGTT")];
    /// let ([first, second], fate) = trimmer.worker().trim_pair(pair);
    /// assert_eq!((&first.symbols[..], &second.symbols[..]), (&b"GATTACA"[..], &b"TGTAATC"[..]));
    /// assert_eq!(fate.filter, None);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn trim_pair<'r>(&mut self, [mut first, mut second]: [Read<'r>; 2]) -> ([Read<'r>; 2], Fate) {
        let settings = &self.trimmer.settings;
        self.counts.reads += 1;
        let cut_off = [
            before_adapters(&mut first, &settings.first, settings.quality_base, &mut self.counts.first),
            before_adapters(&mut second, &settings.second, settings.quality_base, &mut self.counts.second),
        ];
        let cut = if settings.pair_adapters {
            self.cut_together([first, second])
        } else if settings.either_strand {
            self.cut_either_order([first, second])
        } else {
            self.cut_each([first, second])
        };
        self.finish(cut, &cut_off)
    }

    /// Removes adapters from each read.
    fn cut_each<'r>(&mut self, reads: [Read<'r>; 2]) -> CutPair<'r> {
        let mut side = 0;
        reads.map(|read| {
            let cut = self.trimmer.cutters[side].cut(read, &mut self.scratch[side]);
            side += 1;
            cut
        })
    }

    /// Removes adapters from the pair or from the swapped pair, whichever has the higher score.
    fn cut_either_order<'r>(&mut self, [first, second]: [Read<'r>; 2]) -> CutPair<'r> {
        let swapped = self.cut_each([second.clone(), first.clone()]);
        let forward = self.cut_each([first, second]);
        let score = |pair: &CutPair<'_>| pair.iter().map(CutRead::score).sum::<i64>();
        if score(&swapped) <= score(&forward) {
            return forward;
        }
        swapped.map(|cut| CutRead { is_reversed: true, ..cut })
    }

    /// Removes the adapters of the number whose two matches are best together.
    fn cut_together<'r>(&mut self, reads: [Read<'r>; 2]) -> CutPair<'r> {
        let trimmer = self.trimmer;
        let [first, second] = &reads;
        let mut best: Option<[Matched; 2]> = None;
        let rank = |[first, second]: &[Matched; 2]| first.rank().and(second.rank());
        for number in 0..trimmer.settings.first.adapters.len() {
            let mut find = |side: usize, read: &Read<'_>| {
                trimmer.cutters[side].best.find_one(number, &read.symbols, &mut self.scratch[side])
            };
            let Some(in_first) = find(0, first) else { continue };
            let Some(in_second) = find(1, second) else { continue };
            let both = [in_first, in_second];
            if best.as_ref().is_none_or(|best| rank(&both) > rank(best)) {
                best = Some(both);
            }
        }
        let Some([in_first, in_second]) = best else { return reads.map(CutRead::without_match) };
        let [first, second] = reads;
        [trimmer.cutters[0].cut_match(first, in_first), trimmer.cutters[1].cut_match(second, in_second)]
    }
}
