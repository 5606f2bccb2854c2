//! `carrywave lcs --records`: the LCS of records of two files with one another, as a table.
//!
//! Records are in memory, results are not: a line is written as soon as it is known, in order. Short pairs are compared many at a time, each
//! by one thread or several of them by the lanes of a vector; long pairs one after the other, each by all threads or a GPU.

use super::aligned::Field;
use super::engine::{EngineArguments, EngineName, GpuArguments};
use super::progress::{CELLS, bar};
use super::record_lists::RecordList;
use super::strand::{Decision, StrandArgument, longer, not_nucleotides};
use super::strings::StringArguments;
use super::{json, note, open_output, write_results, written};
use carrywave::device::EngineKind;
use carrywave::io::output::Visible;
use carrywave::io::sequence::Kind;
use carrywave::lcs::{Algorithm, Comparison, ExpectedLengths, Rules};
use carrywave::pairs::{Cost, Pairs};
use carrywave::text::Strand;
use carrywave::{Error, Result};
use clap::ValueEnum;
use rayon::prelude::*;
use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

/// Which records are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RecordsArgument {
    /// Each record of A with each one of B.
    All,
    /// Each record of A with the record of B that has the greatest identity with it, the first one of several. Those that cannot have it, by their
    /// lengths and counts of symbols, are left out.
    Best,
    /// Each record of A with the record of B that has the same name.
    Same,
}

/// Cells of a pair above which it is compared on its own, by all threads.
const LONG: u64 = 1 << 28;
/// Cells of the pairs that are compared together.
const TOGETHER: u64 = 1 << 30;
/// Pairs that are compared together at most.
const PAIRS: usize = 4096;
/// Records of A whose best partners are looked for together, and records of B that are compared with each before the next ones are thought of.
const BEST: (usize, usize) = (64, 32);
/// Names that a message lists.
const NAMES: usize = 5;

/// What the command was asked for.
pub(super) struct Table<'c> {
    pub strings: &'c StringArguments,
    pub engine: &'c EngineArguments,
    pub algorithm: Algorithm,
    pub rules: Rules,
    pub strand: StrandArgument,
    pub json: bool,
}

impl Table<'_> {
    /// Runs the command.
    pub fn run(&self, records: RecordsArgument, gpus: GpuArguments, output: &Option<PathBuf>) -> Result<()> {
        let file = output.as_deref().map(open_output).transpose()?;
        let engine = gpus.open(self.engine.engine)?;
        let lists = RecordList::read(self.strings)?;
        let strand = self.strand_of(&lists)?;
        let [a, b] = &lists;
        let turned = if strand == StrandArgument::Forward { Vec::new() } else { b.turned(a)? };
        let (in_a, in_b) = (a.strings(), b.strings());
        let in_turned: Vec<&[u8]> = turned.iter().map(Vec::as_slice).collect();
        // Before anything is written.
        let pairs = if records == RecordsArgument::Same { partners(&lists)? } else { Vec::new() };

        let symbols = |strings: &[&[u8]]| strings.iter().map(|string| string.len() as u64).sum::<u64>();
        let cells = match records {
            RecordsArgument::Same => pairs.iter().map(|&(i, j)| cells(in_a[i], in_b[j])).fold(0, u64::saturating_add),
            _ => symbols(&in_a).saturating_mul(symbols(&in_b)),
        };
        let bar = bar(cells, 1, CELLS);
        let on_progress = |cells| bar.inc(cells);
        let mut comparison = Comparison::new().algorithm(self.algorithm).rules(self.rules).on_progress(&on_progress);
        if let Some(engine) = &engine {
            comparison = comparison.on(&**engine);
        }
        let usual = self.algorithm == Algorithm::AUTO && self.rules == Rules::Measured;
        let on_cpu =
            [EngineName::Auto, EngineName::One(EngineKind::Cpu)].contains(&self.engine.engine) && !gpus_given(&engine);
        let many = (usual && on_cpu).then(|| Pairs::new().cost(Cost::Indel).on_progress(&on_progress));
        let expected = [&in_b, &in_turned].map(|in_b| ExpectedLengths::new(&in_a, in_b));
        let job = Job { a: in_a, b: [in_b, in_turned], comparison, many, strand, expected };

        let done = write_results(file, |out| {
            let mut lines = Lines { out, lists: &lists, job: &job, json: self.json };
            lines.head().and_then(|()| match records {
                RecordsArgument::All => {
                    let count = job.b[0].len();
                    job.each((0..job.a.len()).flat_map(|i| (0..count).map(move |j| (i, j))), &mut lines)
                }
                RecordsArgument::Same => job.each(pairs.iter().copied(), &mut lines),
                RecordsArgument::Best => job.each_best(&mut lines, &on_progress),
            })
        });
        bar.finish_and_clear();
        done
    }

    /// The strand, which is forward for anything but nucleotides.
    fn strand_of(&self, lists: &[RecordList; 2]) -> Result<StrandArgument> {
        match (self.strand, lists.iter().find(|list| list.kind != Kind::Nucleotide)) {
            (StrandArgument::Reverse, Some(list)) => {
                Err(not_nucleotides(&format!("the records of {} are taken for proteins", Visible(&list.file))))
            }
            (StrandArgument::Auto, Some(_)) => Ok(StrandArgument::Forward),
            (strand, _) => Ok(strand),
        }
    }
}

/// Whether GPUs were asked for.
fn gpus_given(engine: &Option<Box<dyn carrywave::device::Engine>>) -> bool {
    engine.as_ref().is_some_and(|engine| engine.kind() != EngineKind::Cpu)
}

fn cells(a: &[u8], b: &[u8]) -> u64 {
    (a.len() as u64).saturating_mul(b.len() as u64)
}

/// The pairs of records with one name, in the order of A. Names that have no partner are told.
fn partners(lists: &[RecordList; 2]) -> Result<Vec<(usize, usize)>> {
    let [of_a, of_b] = lists.each_ref().map(|list| {
        let mut numbers = HashMap::new();
        for (number, name) in list.names.iter().enumerate() {
            if numbers.insert(name.as_str(), number).is_some() {
                let (file, name) = (Visible(&list.file), Visible(name));
                return Err(Error::Usage(format!(
                    "{file}: two records have the name {name}, and --records same goes by names"
                )));
            }
        }
        Ok(numbers)
    });
    let (of_a, of_b) = (of_a?, of_b?);
    for (own, [list, other]) in [(&of_b, [&lists[0], &lists[1]]), (&of_a, [&lists[1], &lists[0]])] {
        let alone: Vec<&str> = list.names.iter().map(String::as_str).filter(|&name| !own.contains_key(name)).collect();
        if !alone.is_empty() {
            let mut names = alone.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ");
            if alone.len() > NAMES {
                names.push_str(", …");
            }
            let (count, records) = (alone.len(), if alone.len() == 1 { "record" } else { "records" });
            note(&format!("{count} {records} of {} without a namesake in {}: {names}", list.file, other.file));
        }
    }
    let names = lists[0].names.iter().enumerate();
    Ok(names.filter_map(|(i, name)| Some((i, *of_b.get(name.as_str())?))).collect())
}

/// A pair that was compared.
#[derive(Clone, Copy)]
struct Row {
    a: usize,
    b: usize,
    strand: Strand,
    length: u64,
}

/// The records, and how they are compared.
struct Job<'j> {
    a: Vec<&'j [u8]>,
    /// As they are, and their reverse complements if these are compared.
    b: [Vec<&'j [u8]>; 2],
    comparison: Comparison<'j>,
    /// What compares many short pairs; none where an engine or an algorithm was asked for that it is not.
    many: Option<Pairs<'j>>,
    strand: StrandArgument,
    /// For both strands of B.
    expected: [ExpectedLengths; 2],
}

impl Job<'_> {
    fn cells(&self, (a, b): (usize, usize)) -> u64 {
        cells(self.a[a], self.b[0][b])
    }

    fn string_of_b(&self, b: usize, strand: Strand) -> &[u8] {
        self.b[strand as usize][b]
    }

    /// Compares pairs and writes a line for each.
    fn each(&self, pairs: impl Iterator<Item = (usize, usize)>, lines: &mut Lines<'_>) -> Result<()> {
        let mut pairs = pairs.peekable();
        let (mut together, mut sum) = (Vec::new(), 0u64);
        while let Some(pair) = pairs.next() {
            together.push(pair);
            sum = sum.saturating_add(self.cells(pair));
            let next = pairs.peek().map_or(u64::MAX, |&next| self.cells(next));
            if sum > LONG && together.len() == 1 || sum >= TOGETHER || next > LONG || together.len() == PAIRS {
                lines.rows(&self.compare(&together)?)?;
                together.clear();
                sum = 0;
            }
        }
        lines.rows(&self.compare(&together)?)
    }

    /// The LCS lengths of pairs, each with its strand.
    fn compare(&self, pairs: &[(usize, usize)]) -> Result<Vec<Row>> {
        // The strands of a pair that are compared: both have to be where the quick estimate cannot say.
        let strands = |&(a, b): &(usize, usize)| -> &'static [Strand] {
            const BOTH: &[Strand] = &[Strand::Forward, Strand::Reverse];
            match self.strand {
                StrandArgument::Forward => &BOTH[..1],
                StrandArgument::Reverse => &BOTH[1..],
                StrandArgument::Auto => match Decision::about(self.a[a], self.b[0][b]) {
                    Decision::One(Strand::Forward, _) => &BOTH[..1],
                    Decision::One(Strand::Reverse, _) => &BOTH[1..],
                    Decision::Both(_) => BOTH,
                },
            }
        };
        let strands: Vec<&[Strand]> = pairs.par_iter().map(strands).collect();
        let compared: Vec<(&[u8], &[u8])> = pairs
            .iter()
            .zip(&strands)
            .flat_map(|(&(a, b), strands)| strands.iter().map(move |&strand| (self.a[a], self.string_of_b(b, strand))))
            .collect();
        let lengths = match &self.many {
            Some(many) if pairs.len() > 1 => {
                let distances = many.listed(&compared)?;
                let length = |((a, b), distance): (&(&[u8], &[u8]), Option<u32>)| {
                    ((a.len() + b.len()) as u64).saturating_sub(distance.unwrap_or(0).into()) / 2
                };
                compared.iter().zip(distances).map(length).collect()
            }
            _ => compared.iter().map(|(a, b)| self.comparison.length(a, b)).collect::<Result<Vec<_>>>()?,
        };
        let mut lengths = lengths.into_iter();
        let mut row = |(&(a, b), strands): (&(usize, usize), &&[Strand])| match **strands {
            [strand] => Some(Row { a, b, strand, length: lengths.next()? }),
            _ => {
                let (forward, reverse) = (lengths.next()?, lengths.next()?);
                Some(Row { a, b, strand: longer(forward, reverse), length: forward.max(reverse) })
            }
        };
        Ok(pairs.iter().zip(&strands).filter_map(&mut row).collect())
    }

    /// Writes a line for each record of A, with its best partner.
    fn each_best(&self, lines: &mut Lines<'_>, left_out: &(dyn Fn(u64) + Sync)) -> Result<()> {
        let counted = Counts::new(self);
        let numbers: Vec<usize> = (0..self.a.len()).collect();
        let longest = self.b[0].iter().map(|b| b.len()).max().unwrap_or(0) as u64;
        for numbers in numbers.chunks(BEST.0) {
            let is_long = numbers.iter().any(|&a| (self.a[a].len() as u64).saturating_mul(longest) > LONG);
            let best = |&a: &usize| self.best(a, &counted, left_out);
            let rows: Vec<Option<Row>> = if is_long || self.many.is_none() {
                numbers.iter().map(best).collect::<Result<_>>()?
            } else {
                numbers.par_iter().map(best).collect::<Result<_>>()?
            };
            lines.rows(&rows.into_iter().flatten().collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// The partner of a record of A with the greatest identity; of several the first. None if B has no records.
    fn best(&self, a: usize, counted: &Counts, left_out: &(dyn Fn(u64) + Sync)) -> Result<Option<Row>> {
        let share = |length: u64, b: usize| Share(length, self.a[a].len().max(self.b[0][b].len()) as u64);
        let mut candidates: Vec<(Share, usize)> =
            (0..self.b[0].len()).map(|b| (share(counted.most(a, b), b), b)).collect();
        // The most promising first.
        candidates.sort_unstable_by_key(|&(most, b)| (Reverse(most), b));
        let mut best: Option<(Reverse<Share>, usize, Row)> = None;
        let mut rest = &candidates[..];
        while !rest.is_empty() {
            // One alone tells much of which others are worth a comparison; a long one takes all threads by itself.
            let short = rest.iter().take_while(|&&(_, b)| self.cells((a, b)) <= LONG).take(BEST.1).count();
            let count = if best.is_none() { 1 } else { short.max(1) };
            let (now, later) = rest.split_at(count);
            rest = later;
            let (now, hopeless): (Vec<_>, Vec<_>) = now
                .iter()
                .partition(|&&(most, b)| best.as_ref().is_none_or(|&(best, of, _)| (Reverse(most), b) < (best, of)));
            let skipped =
                |candidates: &[(Share, usize)]| candidates.iter().map(|&(_, b)| self.cells((a, b))).sum::<u64>();
            left_out(skipped(&hopeless));
            if now.is_empty() {
                // Nor is any after them, which can have no more than these.
                left_out(skipped(rest));
                break;
            }
            let pairs: Vec<_> = now.iter().map(|&(_, b)| (a, b)).collect();
            let rows = self.compare(&pairs)?;
            let ranked = rows.iter().map(|&row| (Reverse(share(row.length, row.b)), row.b, row));
            best = best.into_iter().chain(ranked).min_by_key(|&(share, b, _)| (share, b));
        }
        Ok(best.map(|(_, _, row)| row))
    }
}

/// A length over that of the longer string, which may be 0.
#[derive(Clone, Copy)]
struct Share(u64, u64);

impl Ord for Share {
    fn cmp(&self, other: &Self) -> Ordering {
        let times = |one: u64, other: u64| u128::from(one) * u128::from(other.max(1));
        times(self.0, other.1).cmp(&times(other.0, self.1))
    }
}

impl PartialOrd for Share {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Share {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Share {}

/// How often each symbol occurs in each record: no LCS has a symbol more often than either string.
struct Counts {
    /// Of a record as many numbers as there are different symbols in all.
    a: Vec<u32>,
    /// Of B's records, and of their reverse complements if these may be compared.
    b: Vec<Vec<u32>>,
    symbols: usize,
}

impl Counts {
    fn new(job: &Job<'_>) -> Self {
        let mut occurs = [false; 256];
        let lists = || [&job.a, &job.b[0], &job.b[1]].into_iter();
        lists().flatten().flat_map(|string| string.iter()).for_each(|&symbol| occurs[usize::from(symbol)] = true);
        let mut place = [0; 256];
        let mut symbols = 0;
        for (place, _) in place.iter_mut().zip(occurs).filter(|(_, occurs)| *occurs) {
            (*place, symbols) = (symbols, symbols + 1);
        }
        let count = |strings: &[&[u8]]| {
            let mut counts = vec![0u32; strings.len() * symbols];
            for (record, string) in strings.iter().enumerate() {
                string.iter().for_each(|&symbol| counts[record * symbols + place[usize::from(symbol)]] += 1);
            }
            counts
        };
        let strands = match job.strand {
            StrandArgument::Forward => &job.b[..1],
            StrandArgument::Reverse => &job.b[1..],
            StrandArgument::Auto => &job.b[..],
        };
        Self { a: count(&job.a), b: strands.iter().map(|strings| count(strings)).collect(), symbols }
    }

    /// The most symbols that an LCS of two records can have.
    fn most(&self, a: usize, b: usize) -> u64 {
        let own = &self.a[a * self.symbols..][..self.symbols];
        let shared = |counts: &Vec<u32>| {
            let other = &counts[b * self.symbols..][..self.symbols];
            own.iter().zip(other).map(|(&x, &y)| u64::from(x.min(y))).sum::<u64>()
        };
        self.b.iter().map(shared).max().unwrap_or(0)
    }
}

/// Where the lines go.
struct Lines<'o> {
    out: &'o mut (dyn Write + Send),
    lists: &'o [RecordList; 2],
    job: &'o Job<'o>,
    json: bool,
}

/// A line of JSON.
#[derive(serde::Serialize)]
struct JsonRow<'n> {
    a: &'n str,
    b: &'n str,
    strand: Strand,
    a_len: usize,
    b_len: usize,
    length: u64,
    identity: Option<f64>,
    expected: f64,
}

impl Lines<'_> {
    /// The names of the columns.
    fn head(&mut self) -> Result<()> {
        if self.json {
            return Ok(());
        }
        writeln!(self.out, "a\tb\tstrand\ta_len\tb_len\tlcs\tidentity\texpected").map_err(written)
    }

    fn rows(&mut self, rows: &[Row]) -> Result<()> {
        let Self { job, lists: [a, b], .. } = *self;
        let expected: Vec<f64> =
            rows.par_iter().map(|row| job.expected[row.strand as usize].length(row.a, row.b)).collect();
        for (&Row { a: i, b: j, strand, length }, expected) in rows.iter().zip(expected) {
            let (name_a, name_b) = (&a.names[i], &b.names[j]);
            let (a_len, b_len) = (job.a[i].len(), job.b[0][j].len());
            let longer = a_len.max(b_len);
            let identity = (longer > 0).then(|| length as f64 / longer as f64);
            if self.json {
                let row = JsonRow { a: name_a, b: name_b, strand, a_len, b_len, length, identity, expected };
                json(self.out, &row).map_err(written)?;
                continue;
            }
            let (name_a, name_b, strand) = (Field(name_a), Field(name_b), strand.sign());
            let identity = identity.map_or("NA".to_owned(), |identity| format!("{identity:.6}"));
            writeln!(self.out, "{name_a}\t{name_b}\t{strand}\t{a_len}\t{b_len}\t{length}\t{identity}\t{expected:.1}")
                .map_err(written)?;
        }
        self.out.flush().map_err(written)
    }
}
