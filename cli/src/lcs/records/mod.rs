//! `carrywave lcs --records`: LCS lengths of records of two files, as a table.
//!
//! All records are held in memory. Results are not: each line is written as soon as it is known, in
//! order.
//!
//! | file | what |
//! |---|---|
//! | `list` | the records of a file |
//! | `compare` | LCS lengths of pairs |
//! | `best` | the best partner of each record |
//! | `table` | the output lines |

mod best;
mod compare;
mod list;
mod table;

use super::arguments::{Arguments, Output, RecordsArgument, StrandArgument};
use super::strand::not_nucleotides;
use crate::shared::engine::{EngineName, GpuArguments};
use crate::shared::notes::note;
use crate::shared::output::{open_output, write_results};
use crate::shared::progress::{CELLS, bar};
use best::BestPartners;
use carrywave::Result;
use carrywave::device::EngineKind;
use carrywave::error::UsageFault;
use carrywave::io::output::Visible;
use carrywave::io::sequence::Kind;
use carrywave::lcs::{Algorithm, Comparison, ExpectedLengths, Rules};
use carrywave::pairs::{Cost, Pairs};
use compare::{Comparer, RecordPair, cells};
use list::RecordList;
use std::collections::HashMap;
use table::TableWriter;

/// Maximum number of names in a message.
const NAMES: usize = 5;

/// Compares records and prints the table.
pub fn run(arguments: &Arguments, which: RecordsArgument, gpus: GpuArguments) -> Result<()> {
    let json = match arguments.output {
        Output::Length => false,
        Output::Json => true,
        _ => {
            return Err(UsageFault::Combination
                .error("--records does not support this --output; leave it out for a table, or use --output json"));
        }
    };
    let file = arguments.file.as_deref().map(open_output).transpose()?;
    let engine = gpus.open(arguments.engine.engine)?;
    let lists = RecordList::read(&arguments.strings)?;
    let strand = compared_strand(arguments, &lists)?;
    let [a, b] = &lists;
    let reverse = if strand == StrandArgument::Forward { Vec::new() } else { b.reverse_complements(a)? };
    let in_a = a.strings();
    let in_b = b.strings();
    let in_reverse: Vec<&[u8]> = reverse.iter().map(Vec::as_slice).collect();
    // Fails before anything is written.
    let pairs = if which == RecordsArgument::Same { partners(&lists)? } else { Vec::new() };

    let symbols = |strings: &[&[u8]]| strings.iter().map(|string| string.len() as u64).sum::<u64>();
    let cells = match which {
        RecordsArgument::Same => {
            pairs.iter().map(|pair| cells(in_a[pair.a], in_b[pair.b])).fold(0, u64::saturating_add)
        }
        _ => symbols(&in_a).saturating_mul(symbols(&in_b)),
    };
    let bar = bar(cells, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let rules = Rules::from(arguments.rules);
    let mut comparison = Comparison::new().algorithm(arguments.algorithm).rules(rules).on_progress(&on_progress);
    if let Some(engine) = &engine {
        comparison = comparison.on(&**engine);
    }
    let is_usual = arguments.algorithm == Algorithm::AUTO && rules == Rules::Measured;
    let is_on_cpu = [EngineName::Auto, EngineName::One(EngineKind::Cpu)].contains(&arguments.engine.engine)
        && engine.as_ref().is_none_or(|engine| engine.kind() == EngineKind::Cpu);
    let many = (is_usual && is_on_cpu).then(|| Pairs::new().cost(Cost::Indel).on_progress(&on_progress));
    let expected = [&in_b, &in_reverse].map(|in_b| ExpectedLengths::new(&in_a, in_b));
    let comparer = Comparer { a: in_a, b: [in_b, in_reverse], comparison, many, strand };

    let done = write_results(file, |out| {
        let mut table = TableWriter { out, lists: &lists, expected: &expected, json };
        table.head()?;
        let write = |pairs: &[compare::ComparedPair]| table.rows(pairs);
        match which {
            RecordsArgument::All => {
                let count = comparer.b[0].len();
                let all = (0..comparer.a.len()).flat_map(|a| (0..count).map(move |b| RecordPair { a, b }));
                comparer.each(all, write)
            }
            RecordsArgument::Same => comparer.each(pairs.iter().copied(), write),
            RecordsArgument::Best => BestPartners::new(&comparer, &on_progress).each(write),
        }
    });
    bar.finish_and_clear();
    done
}

/// Returns the strand to compare. Other records than nucleotides have a forward strand only.
fn compared_strand(arguments: &Arguments, lists: &[RecordList; 2]) -> Result<StrandArgument> {
    let asked = arguments.strand.unwrap_or(StrandArgument::Forward);
    match (asked, lists.iter().find(|list| list.kind != Kind::Nucleotide)) {
        (StrandArgument::Reverse, Some(list)) => {
            Err(not_nucleotides(&format!("the records of {} are read as proteins", Visible(&list.file))))
        }
        (StrandArgument::Auto, Some(_)) => Ok(StrandArgument::Forward),
        (strand, _) => Ok(strand),
    }
}

/// Returns the pairs of records with the same name, in the order of A. A note lists the names
/// without a partner.
fn partners(lists: &[RecordList; 2]) -> Result<Vec<RecordPair>> {
    let [of_a, of_b] = lists.each_ref().map(|list| {
        let mut numbers = HashMap::new();
        for (number, name) in list.names.iter().enumerate() {
            if numbers.insert(name.as_str(), number).is_some() {
                let file = Visible(&list.file);
                let name = Visible(name);
                return Err(UsageFault::Combination.error(format!(
                    "{file}: two records are called {name}, but --records same needs unique names; rename \
                     one, or use --records all"
                )));
            }
        }
        Ok(numbers)
    });
    let of_a = of_a?;
    let of_b = of_b?;
    for (own, [list, other]) in [(&of_b, [&lists[0], &lists[1]]), (&of_a, [&lists[1], &lists[0]])] {
        let alone: Vec<&str> = list.names.iter().map(String::as_str).filter(|&name| !own.contains_key(name)).collect();
        if !alone.is_empty() {
            let mut names = alone.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ");
            if alone.len() > NAMES {
                names.push_str(", …");
            }
            let count = alone.len();
            let records = if alone.len() == 1 { "record" } else { "records" };
            note(&format!(
                "skipped {count} {records} of {}, because {} has none of the same name: {names}",
                list.file, other.file
            ));
        }
    }
    let names = lists[0].names.iter().enumerate();
    Ok(names.filter_map(|(a, name)| Some(RecordPair { a, b: *of_b.get(name.as_str())? })).collect())
}
