//! Hits at the ends of records, anchored or with an overhang, against their definition: every part
//! of the pattern with every part of the record.
#![cfg(feature = "io")]

use carrywave::io::sequence::{PartOptions, PartReader};
use carrywave::search::{Anchor, Beyond, Ends, Hit, Overhang, Search};
use carrywave::text::{Alphabet, Pattern, Strand, Text};
use fastrand::Rng;
use std::cmp::Reverse;
use std::ops::Range;

/// Limits on errors: in all, substitutions, insertions and deletions.
type Limits = [u32; 4];

/// Returns the fewest errors, and the fewest gaps with these, of an alignment of `pattern` with all
/// of `part`, by trying every number of insertions and deletions.
fn least(pattern: &Pattern, part: &[u8], limits: Limits, (transpositions, gap): (bool, u32)) -> Option<(u32, u32)> {
    let (m, n) = (pattern.len(), part.len());
    let [all, most_substitutions, most_insertions, most_deletions] = limits.map(|most| most.min(20) as usize);
    let mut best = None;
    for insertions in 0..=most_insertions {
        for deletions in 0..=most_deletions {
            if m + insertions != n + deletions {
                continue;
            }
            // The fewest substitutions of the first i and j symbols with a and b gaps.
            let index = |i: usize, a: usize, b: usize| (i * (insertions + 1) + a) * (deletions + 1) + b;
            let mut cells = vec![usize::MAX / 2; index(m, insertions, deletions) + 1];
            for i in 0..=m {
                for a in 0..=insertions {
                    for b in 0..=deletions {
                        let Some(j) = (i + a).checked_sub(b).filter(|&j| j <= n) else { continue };
                        let mut cell = if (i, a, b) == (0, 0, 0) { 0 } else { usize::MAX / 2 };
                        let is_fixed = |i: usize| i >= 1 && i <= m && pattern.is_fixed(i - 1);
                        let matches = |i: usize, j: usize| pattern.classes()[i - 1].contains(part[j - 1]);
                        if i > 0 && j > 0 && (matches(i, j) || !is_fixed(i)) {
                            cell = cell.min(cells[index(i - 1, a, b)] + usize::from(!matches(i, j)));
                        }
                        let is_exchange = i > 1 && j > 1 && matches(i, j - 1) && matches(i - 1, j);
                        if transpositions && is_exchange && !is_fixed(i) && !is_fixed(i - 1) {
                            cell = cell.min(cells[index(i - 2, a, b)] + 1);
                        }
                        let edge = |i: usize, is_edge: bool| if is_edge { pattern.has_fixed() } else { is_fixed(i) };
                        if a > 0 && j > 0 && !(edge(i, i == 0) && edge(i + 1, i == m)) {
                            cell = cell.min(cells[index(i, a - 1, b)]);
                        }
                        if i > 0 && b > 0 && !is_fixed(i) {
                            cell = cell.min(cells[index(i - 1, a, b - 1)]);
                        }
                        cells[index(i, a, b)] = cell;
                    }
                }
            }
            let substitutions = cells[index(m, insertions, deletions)];
            let errors = substitutions + gap as usize * (insertions + deletions);
            if substitutions <= most_substitutions && errors <= all {
                let one = (errors as u32, (insertions + deletions) as u32);
                best = Some(best.map_or(one, |best: (u32, u32)| best.min(one)));
            }
        }
    }
    best
}

/// The rule for symbols beyond a record.
#[derive(Debug, Clone, Copy)]
enum Rule {
    None,
    Share,
    Cost(f64),
}

/// A search, in terms of the definition.
#[derive(Debug, Clone)]
struct Case {
    symbols: Vec<u8>,
    fixed: Vec<usize>,
    limits: Limits,
    percent: Option<u32>,
    transpositions: bool,
    gap: u32,
    rule: Rule,
    least: usize,
    anchor: Anchor,
    overlapping: bool,
    both_strands: bool,
}

impl Case {
    fn random(random: &mut Rng) -> Self {
        let m = random.usize(2..9);
        let symbols: Vec<u8> = (0..m).map(|_| b"AACCN"[random.usize(..5)]).collect();
        let percent = (random.u8(..3) == 0).then(|| random.u32(5..50));
        let counted = symbols.iter().filter(|&&symbol| symbol != b'N').count() as u32;
        let k = percent.map_or(random.u32(..3).min(m as u32 - 1), |percent| counted * percent / 100);
        let is_by_kind = random.u8(..3) == 0;
        let mut most = || if is_by_kind { random.u32(..=k) } else { k };
        let kinds = [most(), most(), most()];
        // No more errors are possible.
        let gap = if random.u8(..4) == 0 { 2 } else { 1 };
        let gaps = kinds[1].min(k / gap) + kinds[2].min(k / gap);
        let limits = [k.min(kinds[0] + gap * gaps), kinds[0], kinds[1], kinds[2]];
        let fixed = if random.u8(..4) == 0 { vec![random.usize(..m)] } else { Vec::new() };
        let rule = match random.u8(..4) {
            0 => Rule::None,
            1 => Rule::Cost([0.25, 0.5, 1.0][random.usize(..3)]),
            _ => Rule::Share,
        };
        let anchors = match rule {
            Rule::None => &[Anchor::Start, Anchor::End, Anchor::Both][..],
            _ => &[Anchor::Anywhere, Anchor::Anywhere, Anchor::Start, Anchor::End],
        };
        Self {
            symbols,
            fixed,
            limits,
            percent,
            transpositions: random.u8(..4) == 0 && 2 * k < m as u32,
            gap,
            rule,
            least: random.usize(1..4),
            anchor: anchors[random.usize(..anchors.len())],
            overlapping: random.bool(),
            both_strands: random.u8(..4) == 0,
        }
    }

    fn pattern(&self) -> Pattern {
        Pattern::parse(&self.symbols, Alphabet::Iupac).unwrap().with_fixed(self.fixed.iter().copied()).unwrap()
    }

    /// Returns the search without anchor and overhang.
    fn inside(&self) -> Search<'static> {
        let [k, substitutions, insertions, deletions] = self.limits;
        let search = Search::new(self.pattern()).transpositions(self.transpositions).gap_cost(self.gap);
        let search = search.substitutions(substitutions).insertions(insertions).deletions(deletions);
        let search = match self.percent {
            Some(percent) => search.errors_percent(percent),
            None => search.errors(k),
        };
        search.overlapping(self.overlapping).both_strands(self.both_strands)
    }

    fn search(&self) -> Search<'static> {
        let search = self.inside().anchor(self.anchor);
        match self.rule {
            Rule::None => search,
            Rule::Share => search.overhang(Overhang::new().min_overlap(self.least)),
            Rule::Cost(cost) => search.overhang(Overhang::with_cost(cost).unwrap().min_overlap(self.least)),
        }
    }

    /// Returns the limits of a part of the pattern.
    fn of_part(&self, symbols: &[u8]) -> Option<Limits> {
        let m = self.symbols.len();
        if symbols.len() == m {
            return Some(self.limits);
        }
        let counted = |symbols: &[u8]| symbols.iter().filter(|&&symbol| symbol != b'N').count() as u32;
        let k = match self.rule {
            Rule::None => return None,
            Rule::Cost(cost) => self.limits[0].checked_sub((cost * (m - symbols.len()) as f64) as u32)?,
            Rule::Share => match self.percent {
                Some(percent) => counted(symbols) * percent / 100,
                None => counted(symbols) * self.limits[0] / counted(&self.symbols).max(1),
            },
        };
        let k = k.min(self.limits[0]).min(symbols.len() as u32 - 1);
        (symbols.len() >= self.least).then(|| self.limits.map(|most| most.min(k)))
    }

    /// Returns the hits in one record.
    fn hits(&self, record: &[u8]) -> Vec<Hit> {
        let mut inside = match self.anchor {
            Anchor::Anywhere => self.inside().hits(record).unwrap(),
            _ => Vec::new(),
        };
        let mut all = Vec::new();
        let forward = self.pattern();
        let reverse = forward.reverse_complement();
        let is_own = forward == reverse;
        let mut strands = vec![(Strand::Forward, forward, self.symbols.clone())];
        if self.both_strands && !is_own {
            let symbols = self.symbols.iter().rev().map(|&symbol| carrywave::text::complement(symbol)).collect();
            strands.push((Strand::Reverse, reverse, symbols));
        }
        for (strand, pattern, symbols) in strands {
            let mut found = self.at_ends(&pattern, &symbols, record);
            if !self.overlapping {
                let score = |one: &Found| one.score();
                found.sort_by_key(|one| (Reverse(score(one)), one.errors, one.range.start));
                let mut kept: Vec<Found> = Vec::new();
                let overlap = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
                for one in found {
                    let of_inside = inside.iter().filter(|hit| hit.strand == strand);
                    let is_free = of_inside.clone().all(|hit| {
                        !overlap(&(hit.start as usize..hit.end as usize), &one.range)
                            || (self.symbols.len() as i64 - 2 * i64::from(hit.errors)) < one.score()
                    });
                    if is_free && kept.iter().all(|other| !overlap(&other.range, &one.range)) {
                        kept.push(one);
                    }
                }
                inside.retain(|hit| {
                    let range = hit.start as usize..hit.end as usize;
                    hit.strand != strand || kept.iter().all(|one| !overlap(&one.range, &range))
                });
                found = kept;
            }
            all.extend(found.into_iter().map(|one| Hit {
                record: 0,
                start: one.range.start as u64,
                end: one.range.end as u64,
                pattern: 0,
                strand,
                errors: one.errors,
                beyond: Beyond { start: one.part.start as u32, end: (symbols.len() - one.part.end) as u32 },
            }));
        }
        all.extend(inside);
        all.sort_unstable();
        all
    }

    fn within(&self, pattern: &Pattern, symbols: &[u8], part: Range<usize>, text: &[u8]) -> Option<(u32, u32)> {
        let limits = self.of_part(&symbols[part.clone()])?;
        let fixed = part.clone().filter(|&at| pattern.is_fixed(at)).map(|at| at - part.start);
        let piece = Pattern::new(pattern.classes()[part.clone()].to_vec()).with_fixed(fixed).unwrap();
        least(&piece, text, limits, (self.transpositions, self.gap))
    }

    /// Returns the best occurrence at each end of a record, and the best that covers it.
    fn at_ends(&self, pattern: &Pattern, symbols: &[u8], record: &[u8]) -> Vec<Found> {
        let (m, n) = (symbols.len(), record.len());
        let is_overhang = !matches!(self.rule, Rule::None);
        let mut found = Vec::new();
        let best = |all: Vec<(Found, u32)>| {
            let key = |(one, gaps): &(Found, u32)| (Reverse(one.score()), one.errors, *gaps, Reverse(one.range.len()));
            all.into_iter().min_by_key(key).map(|(one, _)| one)
        };
        let all = |parts: Vec<Range<usize>>, ranges: Vec<Range<usize>>| {
            let mut all = Vec::new();
            for part in &parts {
                for range in &ranges {
                    if let Some((errors, gaps)) = self.within(pattern, symbols, part.clone(), &record[range.clone()]) {
                        all.push((Found { part: part.clone(), range: range.clone(), errors }, gaps));
                    }
                }
            }
            all
        };
        let from = |is_anchor: bool| if is_anchor { 0 } else { 1 };
        let (starts, ends) = (self.anchor == Anchor::Start, self.anchor == Anchor::End);
        let has_start = starts || is_overhang;
        let has_end = ends || is_overhang;
        if has_start {
            let parts = (from(starts)..m).map(|start| start..m).collect();
            found.extend(best(all(parts, (1..=n).map(|end| 0..end).collect())));
        }
        if has_end {
            let parts = (1..=m - from(ends)).map(|end| 0..end).collect();
            found.extend(best(all(parts, (0..n).map(|start| start..n).collect())));
        }
        if is_overhang && n > 0 {
            let mut both = Vec::new();
            for end in 1..m {
                // The part that ends there with the fewest edits, then gaps, then the most symbols.
                let edits = |start: usize| {
                    let piece = Pattern::new(pattern.classes()[start..end].to_vec());
                    least(&piece, record, [20; 4], (false, 1)).unwrap()
                };
                let part = (0..=end).min_by_key(|&start| (edits(start), start)).unwrap()..end;
                if part.start > 0
                    && let Some((errors, _)) = self.within(pattern, symbols, part.clone(), record)
                {
                    both.push((Found { part, range: 0..n, errors }, end as u32));
                }
            }
            // Of equal scores, the one whose plain edit distance is smaller, and then the first.
            both.sort_by_key(|(one, end)| {
                let piece = Pattern::new(pattern.classes()[one.part.clone()].to_vec());
                (Reverse(one.score()), least(&piece, record, [20; 4], (false, 1)).unwrap().0, *end)
            });
            found.extend(both.into_iter().next().map(|(one, _)| one));
        }
        if self.anchor == Anchor::Both && n > 0 {
            let (part, range) = (0..m, 0..n);
            found.extend(all(Vec::from([part]), Vec::from([range])).into_iter().map(|(one, _)| one));
        }
        found.retain(|one| match self.anchor {
            Anchor::Start => one.range.start == 0,
            Anchor::End => one.range.end == n,
            _ => true,
        });
        found
    }
}

/// An occurrence of a part of the pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    part: Range<usize>,
    range: Range<usize>,
    errors: u32,
}

impl Found {
    fn score(&self) -> i64 {
        self.part.len() as i64 - 2 * i64::from(self.errors)
    }
}

#[test]
fn hits_are_those_of_the_definition() {
    let mut random = Rng::with_seed(41);
    let mut beyond = [0; 3];
    for round in 0..6000 {
        let case = Case::random(&mut random);
        let n = random.usize(..14);
        let record: Vec<u8> = (0..n).map(|_| b"AAACG"[random.usize(..5)]).collect();
        let found = match case.search().hits(&record) {
            Ok(found) => found,
            // A pattern of no more symbols than errors.
            Err(_) if case.inside().hits(&record).is_err() => continue,
            Err(error) => panic!("{error}: {case:?}"),
        };
        let expected = case.hits(&record);
        assert_eq!(found, expected, "{round}: {} in {}, {case:?}", text(&case.symbols), text(&record));
        for hit in &found {
            beyond[0] += u32::from(hit.beyond.start > 0);
            beyond[1] += u32::from(hit.beyond.end > 0);
            beyond[2] += u32::from(hit.beyond.start > 0 && hit.beyond.end > 0);
        }
        assert_eq!(case.search().count(&record).unwrap(), found.len() as u64);
    }
    assert!(beyond[0] > 1000 && beyond[1] > 1000 && beyond[2] > 150, "{beyond:?}");
}

fn text(symbols: &[u8]) -> &str {
    std::str::from_utf8(symbols).unwrap()
}

/// The hits of records are those of each record alone: in memory, in parts of a file, as lines, and
/// on the simulator.
#[test]
fn hits_do_not_depend_on_other_records() {
    let mut random = Rng::with_seed(42);
    let mut found = 0;
    for round in 0..200 {
        let case = Case::random(&mut random);
        let (mut symbols, mut records, mut fasta, mut lines) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for number in 0..random.usize(1..600) {
            let n = random.usize(1..14);
            let record: Vec<u8> = (0..n).map(|_| b"AAACG"[random.usize(..5)]).collect();
            records.push(symbols.len()..symbols.len() + n);
            fasta.extend(format!(">{number}\n{}\n", text(&record)).into_bytes());
            lines.extend(format!("{}\n", text(&record)).into_bytes());
            symbols.extend(record);
        }
        let search = case.search();
        let Ok(mut searcher) = search.prepare() else { continue };
        let mut expected = Vec::new();
        for (number, record) in records.iter().enumerate() {
            let hits = searcher.hits(&symbols[record.clone()]).unwrap();
            expected.extend(hits.into_iter().map(|hit| Hit { record: number, ..hit }));
        }
        found += expected.len();
        let all = Text::with_records(&symbols, &records).unwrap();
        let together = search.hits(all.clone()).unwrap();
        let differs = together.iter().zip(&expected).find(|(one, other)| one != other);
        assert!(together == expected, "{round}: {differs:?}, {case:?}");
        let options = PartOptions::default().whole(true).symbols(random.usize(1..2000));
        let reader = PartReader::from_reader("text", std::io::Cursor::new(fasta), options).unwrap();
        let streamed: Vec<Hit> = searcher.stream(reader).map(|found| found.unwrap().hit).collect();
        assert_eq!(streamed, expected, "{round}");
        let found_lines = search.prepare().unwrap().hits_in_lines(&lines).unwrap();
        let number = |hit: Hit| Hit { record: found_lines.lines[hit.record].number as usize, ..hit };
        assert_eq!(found_lines.hits.into_iter().map(number).collect::<Vec<_>>(), expected, "{round}");
        #[cfg(feature = "simt")]
        if case.anchor == Anchor::Anywhere {
            assert_eq!(search.on(&carrywave::device::Simt::new()).hits(all).unwrap(), expected, "{round}");
        } else {
            assert!(search.on(&carrywave::device::Simt::new()).hits(all).is_err());
        }
    }
    assert!(found > 10_000, "{found}");
}

/// With gaps of cost 2, the ends of a search are those of the recurrence, and alignments have the
/// hit's errors.
#[test]
fn gaps_that_count_several_errors() {
    let mut random = Rng::with_seed(44);
    let mut found = 0;
    for round in 0..1500 {
        let m = random.usize(2..12);
        let symbols: Vec<u8> = (0..m).map(|_| b"AC"[random.usize(..2)]).collect();
        let pattern = Pattern::literal(&symbols);
        let fixed: Vec<usize> = (0..m).filter(|_| random.u8(..8) == 0).collect();
        let pattern = pattern.with_fixed(fixed).unwrap();
        let (k, gap) = (random.u32(..m as u32), random.u32(1..4));
        let record: Vec<u8> = (0..random.usize(..40)).map(|_| b"ACG"[random.usize(..3)]).collect();
        let mut most = || if random.bool() { k } else { random.u32(..=k) };
        let limits = [k, most(), most(), most()];
        let search = Search::new(pattern.clone()).errors(k).gap_cost(gap).ends(Ends::All);
        let search = search.substitutions(limits[1]).insertions(limits[2]).deletions(limits[3]);
        let hits = search.hits(&record).unwrap();
        let of_end = |end: usize| {
            let starts = 0..=end;
            starts.filter_map(|start| least(&pattern, &record[start..end], limits, (false, gap))).min()
        };
        let expected: Vec<(u64, u32)> =
            (1..=record.len()).filter_map(|end| Some((end as u64, of_end(end)?.0))).collect();
        let mut ends: Vec<_> = hits.iter().map(|hit| (hit.end, hit.errors)).collect();
        ends.sort_unstable();
        assert_eq!(ends, expected, "{round}: {symbols:?} {record:?} {k} {gap}");
        let aligner = search.aligner().unwrap();
        for hit in &hits {
            let aligned = aligner.align(hit, &record[hit.start as usize..hit.end as usize]).unwrap();
            let gaps = aligned.insertions() + aligned.deletions();
            assert_eq!(aligned.substitutions() + u64::from(gap) * gaps, u64::from(hit.errors), "{round}");
        }
        found += hits.len();
    }
    assert!(found > 3000, "{found}");
}

/// Aligned hits consist of the symbols within the record.
#[test]
fn alignments_of_parts() {
    let search = Search::new(Pattern::literal(b"GATTACA")).errors(1).overhang(Overhang::new());
    let text = b"TTACATCCGATT";
    let hits = search.hits(text).unwrap();
    let aligner = search.aligner().unwrap();
    let cigars: Vec<String> = hits
        .iter()
        .map(|hit| aligner.align(hit, &text[hit.start as usize..hit.end as usize]).unwrap().cigar())
        .collect();
    let beyond: Vec<Beyond> = hits.iter().map(|hit| hit.beyond).collect();
    assert_eq!(cigars, ["5=", "4="], "{hits:?}");
    assert_eq!(beyond, [Beyond { start: 2, end: 0 }, Beyond { start: 0, end: 3 }]);
}

#[test]
fn wrong_settings() {
    let search = Search::new(Pattern::literal(b"wave"));
    let fails = |search: Search<'_>| assert!(search.hits(b"wave").is_err());
    fails(search.clone().overhang(Overhang::new().min_overlap(0)));
    fails(search.clone().overhang(Overhang::new()).anchor(Anchor::Both));
    fails(search.clone().overhang(Overhang::new()).whole_records(true));
    fails(search.clone().anchor(Anchor::Start).whole_words(true));
    fails(search.clone().anchor_each(vec![Anchor::Start; 2]));
    for cost in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert!(Overhang::with_cost(cost).is_err());
    }
    assert_eq!(search.ends(Ends::All).overhang(Overhang::new()).count(b"xwav").unwrap(), 1);
}

/// The hits in a circular record are those in many turns of it, each reported once.
#[test]
fn circular_records() {
    let mut random = Rng::with_seed(43);
    let (mut over, mut found) = (0, 0);
    for round in 0..3000 {
        let m = random.usize(2..7);
        let pattern: Vec<u8> = (0..m).map(|_| b"AC"[random.usize(..2)]).collect();
        let k = random.u32(..(m as u32).min(3));
        let n = random.usize(1..40);
        let record: Vec<u8> = (0..n).map(|_| b"AACGT"[random.usize(..5)]).collect();
        let ends = if random.bool() { Ends::All } else { Ends::Best };
        let overlapping = random.bool() || ends == Ends::All;
        let search = Search::new(Pattern::parse(&pattern, Alphabet::Dna).unwrap()).errors(k).ends(ends);
        let search = search.overlapping(overlapping).both_strands(random.u8(..3) == 0);
        let hits = search.clone().circular(true).hits(&record).unwrap();
        over += hits.iter().filter(|hit| hit.end > n as u64).count();
        found += hits.len();
        assert!(hits.iter().all(|hit| hit.start < n as u64) && hits.is_sorted(), "{round}");
        let mut places: Vec<_> = hits.iter().map(|hit| (hit.start, hit.end, hit.strand)).collect();
        places.dedup();
        assert_eq!(places.len(), hits.len(), "told once");
        // Far more than a turn on both sides.
        let turns: Vec<u8> = record.iter().copied().cycle().take(40 * n + 400).collect();
        let middle = (20 * n) as u64..(21 * n) as u64;
        let linear = search.hits(&turns).unwrap();
        if overlapping {
            let own = linear.iter().filter(|hit| middle.contains(&hit.start)).map(|hit| {
                let start = hit.start % n as u64;
                Hit { start, end: start + hit.end - hit.start, ..*hit }
            });
            let mut expected: Vec<Hit> = own.collect();
            expected.sort_unstable();
            assert_eq!(hits, expected, "{round}: {} k = {k} in {}", text(&pattern), text(&record));
        } else {
            // No two overlap, and every end of the linear text is near a hit.
            for (number, hit) in hits.iter().enumerate() {
                let turn = |shift: u64| hit.start + shift..hit.end + shift;
                for other in hits[number + 1..].iter().filter(|other| other.strand == hit.strand) {
                    for shift in [0, n as u64, 2 * n as u64] {
                        let range = turn(shift);
                        let apart = |other: Range<u64>| other.end <= range.start || range.end <= other.start;
                        assert!(
                            apart(other.start..other.end) && apart(other.start + n as u64..other.end + n as u64)
                                || hit.end - hit.start > n as u64,
                            "{round}: {hit:?} {other:?}"
                        );
                    }
                }
            }
            assert_eq!(hits.is_empty(), linear.is_empty(), "{round}");
        }
        let fasta = format!(">plasmid\n{}\n>other\n{}\n", text(&record), text(&record));
        let options = PartOptions::default().whole(true);
        let reader = PartReader::from_reader("text", std::io::Cursor::new(fasta), options).unwrap();
        let streamed: Vec<_> = search.circular(true).prepare().unwrap().stream(reader).map(Result::unwrap).collect();
        let (first, second) = streamed.split_at(hits.len());
        for ((one, other), hit) in first.iter().zip(second).zip(&hits) {
            assert_eq!((one.hit, Hit { record: 0, ..other.hit }), (*hit, *hit), "{round}");
            let of_turns = &turns[hit.start as usize..hit.end as usize];
            assert_eq!((one.symbols(), one.record()), (of_turns, Some(&record[..])), "{round}");
        }
    }
    assert!(over > 1000 && found > 10_000, "{over} {found}");
}
