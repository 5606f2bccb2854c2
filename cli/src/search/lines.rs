//! Selection of a file's lines by match, with their context. Each part is reported before the next
//! part is read.

use super::arguments::BinaryFiles;
use super::line_printer::{LinePrinter, LinesFound};
use super::output::{FileName, Line, Out};
use super::ready::Ready;
use super::session::Session;
use super::wanted::WantedHits;
use crate::shared::parts::Measured;
use carrywave::Result;
use carrywave::io::sequence::PartReader;
use carrywave::memory::BlockSize;
use carrywave::search::{Hit, LineHits};
use carrywave::text::parts::Parts;
use std::cmp::Reverse;

/// Lines that are searched together.
struct Block<'t> {
    text: &'t [u8],
    /// Offset of the first byte in the file.
    start: u64,
}

/// Searches the lines of a file, and prints the selected lines or their hits.
pub fn search(
    session: &Session<'_>,
    ready: &mut Ready<'_>,
    reader: PartReader,
    name: &FileName,
    out: &mut Out<'_>,
) -> Result<LinesFound> {
    let mut searcher = ready.take()?;
    searcher.expect(reader.bytes().unwrap_or(0));
    let wanted = WantedHits::new(session)?;
    let mut printer = LinePrinter::new(session.arguments, name, out);
    let mut size = BlockSize::new(FIRST_BLOCK, SMALLEST_BLOCK..=usize::MAX, BLOCK_HITS);
    let mut reader = Measured(reader);
    let mut goes_on = true;
    while goes_on && let Some(part) = reader.next_part()? {
        // Offset in the file of the part's first byte.
        let start = part.records.first().map_or(0, |all| all.place + all.before);
        let mut at = 0;
        while goes_on && at < part.symbols.len() {
            let end = block_end(&part.symbols, at, size.get());
            let block = Block { text: &part.symbols[at..end], start: start + at as u64 };
            let found = match () {
                () if session.patterns.is_empty() => LineHits::default(),
                () if wanted.all_of_line => searcher.hits_in_lines(block.text)?,
                () => searcher.first_hits_in_lines(block.text)?,
            };
            size.adapt(block.text.len(), found.hits.len());
            goes_on = take_block(&mut printer, found, &wanted, &block)?;
            at = end;
        }
        // Shows results before the next read, which may wait for a pipe.
        printer.out.flush()?;
        reader.recycle(part.symbols);
    }
    let found = printer.found;
    ready.give_back(searcher);
    Ok(found)
}

/// Initial and smallest size of a block of lines, in symbols. Blocks are small where hits are
/// frequent, to limit the memory for hits.
const FIRST_BLOCK: usize = 1 << 20;
const SMALLEST_BLOCK: usize = 1 << 16;

/// Number of hits per block to aim at.
const BLOCK_HITS: usize = 1 << 17;

/// Returns the end of the block of lines that starts at `start` and has at least `size` symbols.
fn block_end(text: &[u8], start: usize, size: usize) -> usize {
    let least = start.saturating_add(size).min(text.len());
    memchr::memchr(b'\n', &text[least..]).map_or(text.len(), |length| least + length + 1)
}

/// Keeps the hits that grep prints: the leftmost hit, or the longest of several with that start,
/// and so on after its end.
fn leftmost_longest(hits: &mut Vec<Hit>) {
    hits.sort_unstable_by_key(|hit| (hit.start, Reverse(hit.end)));
    let mut done = 0;
    hits.retain(|hit| {
        let is_free = hit.start >= done;
        if is_free {
            done = hit.end;
        }
        is_free
    });
}

/// Processes the lines of a block. Returns false if the rest of the file does not matter.
fn take_block(
    printer: &mut LinePrinter<'_, '_>,
    found: LineHits,
    wanted: &WantedHits,
    block: &Block<'_>,
) -> Result<bool> {
    let text = block.text;
    let LineHits { lines, hits } = found;
    // Lines with hits that are not yet processed, with their indices, and their hits.
    let mut lines = lines.iter().enumerate().peekable();
    let mut hits = &hits[..];
    let mut own = Vec::new();
    // Offset of the next line, and the number of lines before it.
    let mut at = 0;
    let mut number = 0;
    let mut looked = 0;
    while at < text.len() {
        if !printer.needs_lines_without_hits() {
            // Skips to the next line with hits.
            let Some((_, next)) = lines.peek() else { break };
            number = next.number;
            at = next.symbols.start;
        }
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1);
        printer.look_for_nul(text, &mut looked, end);
        if printer.has_nul && printer.arguments.binary_files() == BinaryFiles::WithoutMatch {
            printer.found.count = 0;
            return Ok(false);
        }
        own.clear();
        if let Some((place, _)) = lines.next_if(|(_, next)| next.number == number) {
            let (of_line, rest) = hits.split_at(hits.partition_point(|hit| hit.record <= place));
            own.extend_from_slice(of_line);
            hits = rest;
        }
        if wanted.one_of_all {
            leftmost_longest(&mut own);
            own.sort_unstable();
        }
        let symbols = &text[at..end];
        let symbols = symbols.strip_suffix(b"\n").unwrap_or(symbols);
        let line = Line { number: printer.lines + number + 1, place: block.start + at as u64, symbols, hits: &own };
        if (printer.needs_lines_without_hits() || !own.is_empty()) && !printer.take(&line)? {
            return Ok(false);
        }
        at = end;
        number += 1;
    }
    printer.look_for_nul_in_rest(&text[looked..]);
    printer.lines += number;
    // This is exact if another part follows, since this part then ends with a line feed.
    printer.count_lines(&text[at.min(text.len())..]);
    Ok(true)
}
