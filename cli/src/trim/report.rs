//! The report as text.

use super::arguments::{Arguments, Report};
use carrywave::internal::grouped;
use carrywave::trim::{
    Adapter, AdapterCounts, Counts, EndCounts, Filter, Settings, SideCounts, SingleAdapter, Trimmer,
};
use std::fmt::Write;

/// Returns the report.
pub fn report(arguments: &Arguments, trimmer: &Trimmer, counts: &Counts) -> String {
    let (names, settings) = (trimmer.names(), trimmer.settings());
    match arguments.report {
        Report::None => String::new(),
        Report::Short => short(arguments, counts),
        Report::Full => {
            let mut text = summary(arguments, settings, counts);
            let sides = [(&settings.first.adapters, &counts.first), (&settings.second.adapters, &counts.second)];
            for (side, (adapters, side_counts)) in sides.into_iter().enumerate() {
                let heading = if arguments.is_paired() {
                    ["First read: adapter", "Second read: adapter"][side]
                } else {
                    "Adapter"
                };
                for (number, adapter) in adapters.iter().enumerate() {
                    let name = &names[side][number];
                    let found = &side_counts.adapters[number];
                    text += &format!("\n=== {heading} {name} ===\n\n");
                    text += &of_adapter(adapter, found, counts.reads, arguments.reverse_complement);
                }
            }
            text
        }
    }
}

/// Returns one line of numbers after a heading.
fn short(arguments: &Arguments, counts: &Counts) -> String {
    let mut columns = vec![
        ("in_reads", counts.reads),
        ("in_bp", counts.first.symbols + counts.second.symbols),
        ("too_short", counts.failed(Filter::TooShort)),
        ("too_long", counts.failed(Filter::TooLong)),
        ("too_many_n", counts.failed(Filter::TooManyN)),
        ("out_reads", counts.written),
        ("w/adapters", counts.first.with_adapter),
        ("qualtrim_bp", counts.first.low_quality),
        ("out_bp", counts.first.written_symbols),
    ];
    if arguments.is_paired() {
        columns.extend([
            ("w/adapters2", counts.second.with_adapter),
            ("qualtrim2_bp", counts.second.low_quality),
            ("out2_bp", counts.second.written_symbols),
        ]);
    }
    let line = |cells: Vec<String>| cells.join("\t") + "\n";
    let heading = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    line(heading) + &line(columns.iter().map(|(_, number)| number.to_string()).collect())
}

/// Returns the numbers of reads and bases.
fn summary(arguments: &Arguments, settings: &Settings, counts: &Counts) -> String {
    let mut rows = Rows::default();
    let all = counts.reads;
    let reads = if arguments.is_paired() { "pairs" } else { "reads" };
    rows.text(format!("=== Summary ===\n\nTotal {reads}"), all, None);
    if arguments.is_paired() {
        rows.text("  First reads with adapter".into(), counts.first.with_adapter, Some(all));
        rows.text("  Second reads with adapter".into(), counts.second.with_adapter, Some(all));
    } else if !settings.first.adapters.is_empty() {
        rows.text("Reads with adapter".into(), counts.first.with_adapter, Some(all));
    }
    if arguments.reverse_complement {
        rows.text("Reverse complemented".into(), counts.reversed, Some(all));
    }
    for (filter, words) in [
        (Filter::TooShort, "Too short"),
        (Filter::TooLong, "Too long"),
        (Filter::TooManyN, "With too many N"),
        (Filter::TooManyExpectedErrors, "With too many expected errors"),
        (Filter::TooHighErrorRate, "With too high an error rate"),
        (Filter::FailedBySequencer, "Failed by the sequencer"),
        (Filter::Trimmed, "Dropped with adapter"),
        (Filter::Untrimmed, "Dropped, or sent apart, without adapter"),
    ] {
        if counts.failed(filter) > 0 {
            rows.text(words.into(), counts.failed(filter), Some(all));
        }
    }
    rows.text(format!("Written {reads}"), counts.written, Some(all));
    let both = |of: fn(&SideCounts) -> u64| of(&counts.first) + of(&counts.second);
    let bases = both(|side| side.symbols);
    rows.text("\nTotal bases".into(), bases, None);
    for (words, number) in
        [("Removed for quality", both(|side| side.low_quality)), ("Removed as poly-A", both(|side| side.poly_a))]
    {
        if number > 0 {
            rows.text(words.into(), number, Some(bases));
        }
    }
    rows.text("Written bases".into(), both(|side| side.written_symbols), Some(bases));
    rows.0
}

/// Rows of a name, a number, and its share.
#[derive(Default)]
struct Rows(String);

impl Rows {
    fn text(&mut self, name: String, number: u64, of: Option<u64>) {
        let share = match of {
            Some(all) if all > 0 => format!(" ({:.1} %)", number as f64 * 100.0 / all as f64),
            _ => String::new(),
        };
        let last = name.rsplit('\n').next().unwrap_or_default();
        let pad = 42_usize.saturating_sub(last.chars().count());
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{name}:{:>pad$}{share}", grouped(number));
    }
}

/// Returns the section of an adapter.
fn of_adapter(adapter: &Adapter, counts: &AdapterCounts, reads: u64, is_either_strand: bool) -> String {
    let mut text = String::new();
    let ends = [("5'", adapter.front(), &counts.front), ("3'", adapter.back(), &counts.back)];
    for (end, single, found) in ends {
        let Some(single) = single else { continue };
        text += &format!(
            "{end} sequence: {}; length {}; matches {}; at least {} bases\n",
            single.symbols(),
            single.symbols().len(),
            grouped(found.matches()),
            single.overlap(),
        );
    }
    if is_either_strand {
        text += &format!("Matches on the other strand: {}\n", grouped(counts.reversed));
    }
    for (end, single, found) in ends {
        let Some(single) = single else { continue };
        if end == "3'" && found.matches() > 0 {
            text += &adjacent(found);
        }
        text += &table(single, found, reads, end);
    }
    text
}

/// Returns the bases before a 3' adapter.
fn adjacent(found: &EndCounts) -> String {
    let all: u64 = found.adjacent.iter().sum();
    let names = ["A", "C", "G", "T", "none or other"];
    let share = |number: u64| number as f64 * 100.0 / all.max(1) as f64;
    let cells: Vec<String> =
        names.iter().zip(found.adjacent).map(|(name, number)| format!("{name} {:.1} %", share(number))).collect();
    format!("Base before it: {}\n", cells.join(", "))
}

/// Returns the table of lengths.
fn table(single: &SingleAdapter, found: &EndCounts, reads: u64, end: &str) -> String {
    if found.matches() == 0 {
        return String::new();
    }
    let mut text = format!("\nBases removed at the {end} end\nlength\tcount\texpect\tmax.err\terror counts\n");
    for (length, by_errors) in &found.removed {
        let count: u64 = by_errors.iter().sum();
        let errors: Vec<String> = by_errors.iter().map(u64::to_string).collect();
        text += &format!(
            "{length}\t{count}\t{:.1}\t{}\t{}\n",
            expected(*length, single, reads),
            single.allowed_errors(*length),
            errors.join(" ")
        );
    }
    text
}

/// Returns the number of reads that match an adapter by chance, without errors.
pub fn expected(length: usize, single: &SingleAdapter, reads: u64) -> f64 {
    let bases = length.min(single.symbols().len());
    reads as f64 * 0.25_f64.powi(i32::try_from(bases).unwrap_or(i32::MAX))
}
