//! `-v` for records: those without a hit, as FASTA or FASTQ.

use super::output::{Out, Printed, RecordText};
use super::ready::Ready;
use super::session::Session;
use crate::shared::parts::Measured;
use carrywave::Result;
use carrywave::io::sequence::PartReader;
use carrywave::text::Text;
use carrywave::text::parts::Parts;
use std::ops::Range;

/// Searches a file of records in parts of whole records, and prints those without a hit. Returns
/// their number.
pub fn search(session: &Session<'_>, ready: &mut Ready<'_>, reader: PartReader, out: &mut Out<'_>) -> Result<u64> {
    let prints = Printed::new(session.arguments) == Printed::Records;
    let most = session.arguments.most();
    let mut count = 0;
    session.with_bar(ready.longest, reader.bytes(), || {
        let mut searcher = ready.take()?;
        searcher.expect(reader.bytes().unwrap_or(0));
        let mut reader = Measured(reader);
        while count < most
            && let Some(part) = reader.next_part()?
        {
            let ranges: Vec<Range<usize>> = part.records.iter().map(|record| record.range.clone()).collect();
            let hits = match session.patterns.is_empty() {
                true => Vec::new(),
                false => searcher.hits(Text::with_records(&part.symbols, &ranges)?)?,
            };
            let mut rest = hits.iter().map(|hit| hit.record).peekable();
            for (number, record) in part.records.iter().enumerate() {
                let mut has_hit = false;
                while rest.next_if(|&hit| hit == number).is_some() {
                    has_hit = true;
                }
                if has_hit || count == most {
                    continue;
                }
                count += 1;
                if prints {
                    let symbols = &part.symbols[record.range.clone()];
                    let fastq = record.fastq.as_deref();
                    let text = RecordText { name: record.name.as_deref(), fastq, symbols };
                    out.record(&text, &[])?;
                }
            }
            // Shows results before the next read, which may wait for a pipe.
            out.flush()?;
            reader.recycle(part.symbols);
        }
        ready.give_back(searcher);
        Ok(())
    })?;
    Ok(count)
}
