//! The lines of a file that match, or do not, with those around them: part by part, each told before the next part is read.

use super::arguments::BinaryFiles;
use super::line_printer::{LinePrinter, LinesFound};
use super::output::{FileName, Line, Out};
use super::ready::Ready;
use super::session::Session;
use super::wanted::WantedHits;
use super::words::{CodedText, Symbols, between, leftmost_longest};
use carrywave::Result;
use carrywave::io::sequence::PartReader;
use carrywave::memory::BlockSize;
use carrywave::search::{Hit, HitLine, LineHits, Searcher};
use carrywave::text::characters::{Coded, PatternGroup};
use carrywave::text::parts::Parts;
use std::ops::Range;

/// The lines that are searched together.
struct Block<'t> {
    text: &'t [u8],
    /// Its first byte, counted from the start of the file.
    start: u64,
}

/// Searches the lines of a file, and prints what is asked of them.
pub fn search(
    session: &Session<'_>,
    ready: &mut Ready<'_>,
    mut reader: PartReader,
    name: &FileName,
    out: &mut Out<'_>,
) -> Result<LinesFound> {
    let mut searchers = ready.take()?;
    let wanted = WantedHits::new(session)?;
    let mut printer = LinePrinter::new(session.arguments, name, out);
    let mut size = block_size(ready.groups.len());
    let mut goes_on = true;
    while goes_on && let Some(part) = reader.next_part()? {
        // The part's first byte, counted from the start of the file.
        let start = part.records.first().map_or(0, |all| all.place + all.before);
        let mut at = 0;
        while goes_on && at < part.symbols.len() {
            let end = block_end(&part.symbols, at, size.get());
            let block = Block { text: &part.symbols[at..end], start: start + at as u64 };
            let groups = ready.groups.iter().zip(&mut searchers);
            let hits = groups.map(|(group, searcher)| GroupHits::new(group, searcher, &wanted, block.text));
            let mut hits = hits.collect::<Result<Vec<_>>>()?;
            size.adapt(block.text.len(), hits.iter().map(|group| group.found.hits.len()).sum());
            goes_on = take_block(&mut printer, &mut hits, &wanted, &block)?;
            at = end;
        }
        // Before there is more of a pipe.
        printer.out.flush()?;
        reader.recycle(part.symbols);
    }
    let found = printer.found;
    ready.give_back(searchers);
    Ok(found)
}

/// Symbols of lines that are searched together, the first time and at least: few where there are many hits, so that these take little memory.
const FIRST_BLOCK: usize = 1 << 20;
const SMALLEST_BLOCK: usize = 1 << 16;

/// Symbols of a block at most where several groups of patterns have it in their codes: for all groups together.
const MOST_OF_GROUPS: usize = 1 << 24;

/// Hits that a block should have.
const BLOCK_HITS: usize = 1 << 17;

/// The size of the first block, for `groups` groups of patterns.
fn block_size(groups: usize) -> BlockSize {
    let most = if groups > 1 { (MOST_OF_GROUPS / groups).max(SMALLEST_BLOCK) } else { usize::MAX };
    BlockSize::new(FIRST_BLOCK.min(most), SMALLEST_BLOCK..=most, BLOCK_HITS)
}

/// The end of a block of lines of at least `size` symbols that begins at a line's start.
fn block_end(text: &[u8], start: usize, size: usize) -> usize {
    let least = start.saturating_add(size).min(text.len());
    memchr::memchr(b'\n', &text[least..]).map_or(text.len(), |length| least + length + 1)
}

/// The start of a line in a block.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct LineStart {
    /// Lines before it.
    number: u64,
    byte: usize,
}

/// The hits of a group of patterns in a block, taken line by line.
struct GroupHits<'r, 't> {
    group: &'r PatternGroup,
    /// The block in codes, if these are not its bytes.
    coded: Option<Coded<'t>>,
    found: LineHits,
    /// The first line that was not taken, and its first hit.
    line: usize,
    hit: usize,
}

impl<'r, 't> GroupHits<'r, 't> {
    fn new(group: &'r PatternGroup, searcher: &mut Searcher<'_>, wanted: &WantedHits, text: &'t [u8]) -> Result<Self> {
        let coded = Some(group.code(text)?).filter(|coded| !coded.is_ascii());
        let searched = coded.as_ref().map_or(text, Coded::symbols);
        let found = match () {
            () if group.patterns.is_empty() => LineHits::default(),
            () if wanted.all_of_line => searcher.hits_in_lines(searched)?,
            () => searcher.first_hits_in_lines(searched)?,
        };
        Ok(Self { group, coded, found, line: 0, hit: 0 })
    }

    /// Returns the start of the next line with hits.
    fn next_line(&self) -> Option<LineStart> {
        let HitLine { number, symbols } = self.found.lines.get(self.line)?;
        let start = self.coded.as_ref().map_or(symbols.start, |coded| coded.bytes(symbols.clone()).start);
        Some(LineStart { number: *number, byte: start })
    }

    /// Adds the hits of a line that begins at a byte, if this is the next line with hits; their places are bytes of the line.
    fn add(&mut self, number: u64, start: usize, text: &[u8], wanted: &WantedHits, own: &mut Vec<Hit>) {
        let Some(HitLine { symbols, .. }) = self.found.lines.get(self.line).filter(|next| next.number == number) else {
            return;
        };
        let rest = &self.found.hits[self.hit..];
        let of_line = &rest[..rest.partition_point(|hit| hit.record <= self.line)];
        let before = own.len();
        if wanted.words {
            let all = self.coded.as_ref().map_or(text, Coded::symbols);
            let coded = self.coded.as_ref().map(|text| CodedText { text, line_start: symbols.start });
            let symbols = Symbols { symbols: &all[symbols.clone()], coded };
            own.extend(between(&symbols, of_line, &self.group.patterns, wanted.errors));
        } else {
            own.extend_from_slice(of_line);
        }
        self.line += 1;
        self.hit += of_line.len();
        for hit in &mut own[before..] {
            // The number of the line among those of the group says nothing about other groups.
            hit.record = 0;
            hit.pattern = self.group.numbers[hit.pattern];
            if let Some(coded) = &self.coded {
                place_in_bytes(hit, coded, symbols, start);
            }
        }
    }
}

/// Looks at the lines of a block. Returns false if no more of the file matters.
fn take_block(
    printer: &mut LinePrinter<'_, '_>,
    groups: &mut [GroupHits<'_, '_>],
    wanted: &WantedHits,
    block: &Block<'_>,
) -> Result<bool> {
    let text = block.text;
    let mut own = Vec::new();
    // The next line, and how many are before it.
    let mut at = 0;
    let mut number = 0;
    let mut looked = 0;
    while at < text.len() {
        if !printer.takes_all() {
            // On to the next line with hits.
            let Some(next) = groups.iter().filter_map(GroupHits::next_line).min() else { break };
            number = next.number;
            at = next.byte;
        }
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1);
        printer.look_for_nul(text, &mut looked, end);
        if printer.has_nul && printer.arguments.binary_files() == BinaryFiles::WithoutMatch {
            printer.found.count = 0;
            return Ok(false);
        }
        own.clear();
        groups.iter_mut().for_each(|group| group.add(number, at, text, wanted, &mut own));
        if wanted.one_of_all {
            leftmost_longest(&mut own);
        }
        own.sort_unstable();
        let symbols = &text[at..end];
        let symbols = symbols.strip_suffix(b"\n").unwrap_or(symbols);
        let line = Line { number: printer.lines + number + 1, place: block.start + at as u64, symbols, hits: &own };
        if (printer.takes_all() || !own.is_empty()) && !printer.take(&line)? {
            return Ok(false);
        }
        at = end;
        number += 1;
    }
    printer.look_for_nul(text, &mut looked, text.len());
    // There are more lines only if the next part has them: then this one ends with a line's end.
    printer.lines += number + memchr::memchr_iter(b'\n', &text[at.min(text.len())..]).count() as u64;
    Ok(true)
}

/// Tells a hit in bytes of a line that begins there, and has these symbols.
fn place_in_bytes(hit: &mut Hit, coded: &Coded<'_>, line: &Range<usize>, start: usize) {
    let bytes = coded.bytes(line.start + hit.start as usize..line.start + hit.end as usize);
    hit.start = (bytes.start - start) as u64;
    hit.end = (bytes.end - start) as u64;
}
