//! `carrywave lcs`
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the options |
//! | `circular` | chooses the rotation of B |
//! | `strand` | chooses the strand of B to compare |
//! | `print`, `meaning` | output for two strings, and the interpretation of the LCS length |
//! | `records` | many pairs: the records of two files |

mod arguments;
mod circular;
mod meaning;
mod print;
mod records;
mod strand;

pub use arguments::Arguments;

use crate::shared::engine::GpuArguments;
use crate::shared::output::Targets;
use crate::shared::parts::ReportAtEnd;
use crate::shared::plot::{Advice, plot};
use crate::shared::progress::{CELLS, bar};
use crate::shared::strings::{ReadStrings, StringRequest, Strings};
use arguments::Output;
use carrywave::Result;
use carrywave::job::Recorder;
use carrywave::lcs::Comparison;
use print::ComparedStrings;
use strand::{ChosenStrand, choose_strand};

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments, threads: Option<usize>) -> Result<()> {
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    if let Some(which) = arguments.records {
        arguments.members.refuse("not available with --records, which uses one engine per pair")?;
        return records::run(arguments, which, gpus);
    }
    circular::check(arguments)?;
    let cluster = arguments.members.open(&arguments.engine, gpus, threads)?;
    // Only the first rank writes output.
    let prints = cluster.as_ref().is_none_or(|cluster| cluster.rank() == 0);
    let targets =
        if prints { Targets::open(arguments.file.as_deref(), arguments.plot.as_deref())? } else { Targets::NONE };
    let request = StringRequest {
        strings: &arguments.strings,
        unit: &arguments.unit,
        needs_bytes: false,
        engine: arguments.engine.engine,
        gpus,
        has_members: cluster.is_some(),
    };
    let ReadStrings { mut strings, engine } = request.read()?;
    let Strings { a, b, .. } = &strings;
    let only_length = matches!(arguments.output, Output::Length | Output::Summary) && arguments.plot.is_none();
    let cells = (a.symbols.len() as u64).saturating_mul(b.symbols.len() as u64);
    let bar = bar(if only_length { cells } else { cells.saturating_mul(2) }, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    // The recorder makes comparisons of short strings appear in the log, too.
    let recorder = Recorder::new();
    let _report = ReportAtEnd(&recorder);
    let mut comparison = Comparison::new().algorithm(arguments.algorithm).rules(arguments.rules.into());
    comparison = comparison.on_progress(&on_progress).recorder(&recorder);
    if let Some(engine) = &engine {
        comparison = comparison.on(&**engine);
    }
    if let Some(cluster) = &cluster {
        comparison = comparison.across(cluster);
    }
    let mut rotation = None;
    if arguments.circular {
        let start = circular::start(&comparison, &strings).inspect_err(|_| bar.finish_and_clear())?;
        strings = strings.rotated(start as usize);
        rotation = Some(start);
    }
    let Strings { a, b, numbered, .. } = &strings;
    let ChosenStrand { strand, reverse_b, length } = match arguments.strand {
        Some(asked) => choose_strand(asked, a, b, |b| comparison.length(&a.symbols, b))?,
        None => ChosenStrand::FORWARD,
    };
    let pair = ComparedStrings { strings: &strings, strand, compared: reverse_b.as_ref().unwrap_or(b), rotation };
    let [one, other] = [&a.symbols, &pair.compared.symbols];

    if only_length {
        let length = match (length, numbered) {
            (Some(length), _) => Ok(length),
            (None, Some(numbered)) => comparison.length_of_numbers(numbered),
            (None, None) => comparison.length(one, other),
        };
        bar.finish_and_clear();
        let length = length?;
        return if prints { pair.print_length(arguments, targets.output, length) } else { Ok(()) };
    }
    let lcs = match numbered {
        Some(numbered) => comparison.alignment_of_numbers(numbered),
        None => comparison.alignment(one, other),
    };
    bar.finish_and_clear();
    let lcs = lcs?;
    if !prints {
        return Ok(());
    }
    if let Some(file) = targets.plot {
        plot(file, a, b, &lcs, strand, Advice::Option)?;
    }
    pair.print(arguments, targets.output, &lcs)
}
