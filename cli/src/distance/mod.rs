//! `carrywave distance`
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the options |
//! | `two` | the comparison of two strings |
//! | `print` | output for two strings |
//! | `overlap` | the overlap of two strings |
//! | `circular` | the nearest rotation of the second string |
//! | `transpositions` | two strings, with transpositions |
//! | `pairs`, `clusters` | many pairs, and groups of near strings |
//! | `columns`, `column` | the columns of a table |
//! | `parquet` | the columns of a Parquet file |

mod arguments;
mod circular;
mod clusters;
mod column;
mod columns;
mod overlap;
mod pairs;
#[cfg(feature = "parquet")]
mod parquet;
mod print;
mod transpositions;
mod two;

pub use arguments::Arguments;

use crate::shared::engine::GpuArguments;
use crate::shared::output::Targets;
use crate::shared::parts::ReportAtEnd;
use crate::shared::progress::{CELLS, bar};
use crate::shared::strings::{ReadStrings, StringRequest, Strings};
use arguments::{ModeArgument, Output};
use carrywave::Result;
use carrywave::distance::Comparison;
use carrywave::error::UsageFault;
use carrywave::job::Recorder;
use two::StringComparison;

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments, threads: Option<usize>) -> Result<()> {
    if arguments.many.are_given() {
        arguments.members.refuse("not available with --pairs and --all, which use one engine per pair")?;
        return pairs::run(arguments, gpus);
    }
    let none = || UsageFault::Empty.error("no strings; give two strings, or --pairs or --all");
    let strings = arguments.strings.as_ref().ok_or_else(none)?;
    arguments.many.refuse()?;
    overlap::check(arguments)?;
    circular::check(arguments)?;
    if arguments.meaning.transpositions {
        return transpositions::run(arguments, strings, gpus);
    }
    let algorithm = arguments.algorithm()?;
    gpus.check(arguments.engine.engine, algorithm)?;
    let cluster = arguments.members.open(&arguments.engine, gpus, threads)?;
    // Only the first rank writes output.
    let prints = cluster.as_ref().is_none_or(|cluster| cluster.rank() == 0);
    let targets =
        if prints { Targets::open(arguments.file.as_deref(), arguments.plot.as_deref())? } else { Targets::NONE };
    let equality = arguments.meaning.equality()?;
    let request = StringRequest {
        strings,
        unit: &arguments.unit,
        needs_bytes: !equality.is_exact(),
        engine: arguments.engine.engine,
        gpus,
        has_members: cluster.is_some(),
    };
    let ReadStrings { strings, engine } = request.read()?;
    let Strings { a, b, .. } = &strings;

    let needs_script = !matches!(arguments.output, Output::Distance | Output::Places) || arguments.plot.is_some();
    let cells = (a.symbols.len() as u64).saturating_mul(b.symbols.len() as u64);
    let bar = bar(if needs_script { cells.saturating_mul(2) } else { cells }, 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    // The recorder makes comparisons of short strings appear in the log, too.
    let recorder = Recorder::new();
    let _report = ReportAtEnd(&recorder);
    let mut comparison = Comparison::new().algorithm(algorithm);
    comparison = comparison.on_progress(&on_progress).recorder(&recorder);
    comparison = arguments.meaning.set(comparison, &equality);
    if let Some(engine) = &engine {
        comparison = comparison.on(&**engine);
    }
    if let Some(cluster) = &cluster {
        comparison = comparison.across(cluster);
    }
    let all = StringComparison {
        arguments,
        strings: &strings,
        equality: &equality,
        comparison,
        needs_script,
        prints,
        bar: &bar,
        score: None,
        rotation: None,
    };
    match &arguments.meaning {
        meaning if meaning.mode == ModeArgument::Overlap => overlap::run(&all, targets),
        meaning if meaning.circular => circular::run(&all, targets),
        _ => all.run(targets),
    }
}
