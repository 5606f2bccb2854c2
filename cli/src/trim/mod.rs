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

use crate::shared::output::{open_output, stdout};
use crate::shared::progress::FileBar;
use crate::shared::read_files::Files;
use block::{Block, Done, Work};
use carrywave::internal::threads::Crew;
use carrywave::trim::{Counts, Trimmer};
use carrywave::{Error, Result};
use input::Input;
use routes::Routes;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

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
    let mut take = |done: Done| -> Result<()> {
        files.write(done.outputs)?;
        bar.add(done.size);
        match &mut counts {
            Some(counts) => counts.add(&done.counts),
            None => counts = Some(done.counts),
        }
        Ok(())
    };
    let threads = rayon::current_num_threads();
    let start = |work: Arc<Work>| Crew::start(threads, move |block: Block| work.trim(&block));
    let crew = if threads > 1 { start(Arc::clone(work)) } else { None };
    match crew {
        None => {
            while let Some(block) = input.next_block()? {
                take(work.trim(&block)?)?;
            }
        }
        Some(mut crew) => {
            let reader = Reader::start(input)?;
            for block in &reader.blocks {
                while !crew.has_room() {
                    if let Some(done) = crew.pop().map_err(stopped)? {
                        take(done?)?;
                    }
                }
                crew.push(block?).map_err(stopped)?;
            }
            reader.end()?;
            while let Some(done) = crew.pop().map_err(stopped)? {
                take(done?)?;
            }
        }
    }
    Ok(counts.unwrap_or_else(|| work.trimmer.worker().into_counts()))
}

/// A thread that reads ahead. After an error elsewhere nothing waits for it, as it may be waiting
/// for a pipe.
struct Reader {
    blocks: Receiver<Result<Block>>,
    thread: JoinHandle<()>,
}

impl Reader {
    fn start(mut input: Input) -> Result<Self> {
        let (give, blocks) = mpsc::sync_channel(2);
        let read = move || {
            while let Some(block) = input.next_block().transpose() {
                let is_last = block.is_err();
                if give.send(block).is_err() || is_last {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("reader".into()).spawn(read).map_err(stopped)?;
        Ok(Self { blocks, thread })
    }

    /// Checks that all blocks have come.
    fn end(self) -> Result<()> {
        let panicked = |_| stopped(io::Error::other("the reading thread stopped, which is a bug in carrywave"));
        self.thread.join().map_err(panicked)
    }
}

fn stopped(source: io::Error) -> Error {
    Error::Threads(source.to_string())
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
