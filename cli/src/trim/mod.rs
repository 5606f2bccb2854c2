//! `carrywave trim`
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the options |
//! | `adapters` | the adapters of the options and of files |
//! | `settings` | the settings of the library |
//! | `input` | the reads, alone or in pairs, in blocks |
//! | `routes` | the output file of each read |
//! | `block` | the work on a block: trimming, formatting, compression |
//! | `report`, `json` | what was found and removed |

mod adapters;
mod arguments;
mod block;
mod input;
mod json;
mod report;
mod routes;
mod settings;

pub use arguments::Arguments;

use crate::shared::in_order::in_order;
use crate::shared::output::{open_output, stdout};
use crate::shared::progress::FileBar;
use crate::shared::read_files::Files;
use block::{Block, Done, Work};
use carrywave::trim::{Counts, Trimmer};
use carrywave::{Error, Result};
use input::Input;
use routes::Routes;
use std::io::{self, Write};
use std::sync::Arc;

/// Cost of trimming a byte of reads, relative to searching a byte of a text.
const WEIGHT: u64 = 10;

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let trimmer = Trimmer::new(settings::settings(arguments)?)?;
    let input = Input::open(arguments)?;
    let json = arguments.json.as_deref().map(open_output).transpose()?;
    let routes = Routes::new(arguments, trimmer.names())?;
    let mut files = Files::open(&routes.paths, arguments.level, input.format())?;
    let work = Work::new(trimmer, routes, files.forms(input.repeats_names()), arguments.level);
    let bar = FileBar::default();
    bar.begin(input.bytes(), WEIGHT);
    let work = Arc::new(work);
    let counts = trim(input, &work, &mut files, &bar)?;
    bar.end();
    files.finish()?;
    if let Some(json) = json {
        let report = json::report(arguments, &work.trimmer, &counts);
        json.write(|out| out.write_all(report.as_bytes()))?;
    }
    print_report(arguments, &work.trimmer, &counts, arguments.uses_stdout())
}

/// Trims all blocks by all threads, and writes them in order.
fn trim(mut input: Input, work: &Arc<Work>, files: &mut Files, bar: &FileBar) -> Result<Counts> {
    let mut counts: Option<Counts> = None;
    let take = |done: Done| -> Result<()> {
        files.write(done.outputs)?;
        bar.add(done.size);
        match &mut counts {
            Some(counts) => counts.add(&done.counts),
            None => counts = Some(done.counts),
        }
        Ok(())
    };
    let own = Arc::clone(work);
    in_order(move || input.next_block(), move |block: Block| own.trim(&block), take)?;
    Ok(counts.unwrap_or_else(|| work.trimmer.worker().into_counts()))
}

/// Prints the report: to standard output, or to standard error if the reads are there.
fn print_report(arguments: &Arguments, trimmer: &Trimmer, counts: &Counts, reads_on_stdout: bool) -> Result<()> {
    let text = report::report(arguments, trimmer, counts);
    if text.is_empty() {
        return Ok(());
    }
    let written =
        if reads_on_stdout { io::stderr().write_all(text.as_bytes()) } else { stdout()?.write_all(text.as_bytes()) };
    written.map_err(|source| Error::Io { path: "the report".into(), source })
}
