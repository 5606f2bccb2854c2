//! `carrywave machine`

use crate::shared::json::write_json;
use crate::shared::output::{open_output, print, stdout};
use carrywave::Result;
use carrywave::machine::fit::Term;
use carrywave::machine::kernels::{Case, KERNELS, MachineKernel};
use carrywave::machine::page::{SAMPLES, write_page};
use carrywave::machine::report::Report;
use carrywave::machine::sweep::{Ranges, Sweep};
use carrywave::machine::{Machine, Mode, Model};
use clap::{Args, ValueEnum};
use simt_std::simulator::Spaces;
use std::path::PathBuf;

/// Threads where none are given.
const THREADS: u32 = 256;

/// Symbols of the shorter string where none are given.
const SYMBOLS: u64 = 32;

/// What a kernel's memory accesses cost on one of Nakano's memory machines, counted under the simulator.
#[derive(Debug, Args)]
#[command(after_help = help())]
pub struct Arguments {
    /// Which kernel; see below.
    kernel: String,

    /// Which machine: dmm (each bank has an address, as in shared memory) or umm (all have one, as in global memory).
    #[arg(long, default_value = "umm")]
    model: Model,

    /// The width w: banks, and threads of a warp.
    #[arg(short, long, value_name = "W", default_value_t = 32)]
    width: u64,

    /// The latency l: how many time units after a request the word is there. (A time unit: one stage enters the memory's pipeline; a
    /// stage: what the memory serves at once.)
    #[arg(short, long, value_name = "L", default_value_t = 400)]
    latency: u64,

    /// m: symbols of the pattern or the first string [default: 32].
    #[arg(short, value_name = "M")]
    m: Option<u64>,

    /// n: symbols of the text or the second string, or cells.
    #[arg(short, value_name = "N", default_value_t = 4096)]
    n: u64,

    /// p: threads, for kernels that leave it open [default: 256].
    #[arg(short, value_name = "P")]
    p: Option<u32>,

    /// k: errors, for searches [default: 0].
    #[arg(short, value_name = "K")]
    k: Option<u32>,

    /// How far warps run ahead: lockstep (all wait for all, as the paper counts) or free (as far as they can).
    #[arg(long, default_value = "lockstep")]
    mode: Mode,

    /// Which accesses count.
    #[arg(long, value_enum, default_value_t = Memory::Global)]
    memory: Memory,

    /// Bytes of a word, the cell of a bank.
    #[arg(long, value_name = "BYTES", default_value_t = 4)]
    word: u64,

    /// Count for many sizes, and fit the time to terms: m, n, p, w, l, k, each with values and ranges first:last:step, as
    /// n=1024:8192:1024,l=1,100.
    #[arg(long, value_name = "RANGES")]
    sweep: Option<Ranges>,

    /// The terms of the fit, as mn/w,nl,1 [default: those of the kernel's theorem].
    #[arg(long, value_name = "TERMS", value_delimiter = ',', requires = "sweep")]
    terms: Vec<Term>,

    /// Draw the sweep as a curve for each combination, up to seven, of all letters but one; the file's name ends in .svg.
    #[arg(long, value_name = "FILE", requires = "sweep")]
    plot: Option<PathBuf>,

    /// Write a page with the kernel's source, the cost of each line and pictures of its warp accesses.
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    html: Option<PathBuf>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Memory {
    Global,
    Shared,
    /// Both, as one memory.
    All,
}

fn help() -> String {
    let mut text = "Kernels:\n".to_string();
    for kernel in KERNELS {
        text += &format!("  {:<22} {}\n", kernel.name, kernel.about);
    }
    text + "
Examples:
  carrywave machine contiguous -w 32 -l 400 -n 4096 -p 256     lemma 1: (n/p)(p/w + l - 1)
  carrywave machine contiguous-bank --model umm --html bank.html
  carrywave machine shift-or --memory shared --model dmm       bank conflicts of a kernel's tables
  carrywave machine contiguous --sweep n=4096:32768:4096,p=64,256,l=1,100"
}

impl Arguments {
    /// The kernel, if there is such a one and it depends on what was given of m, p and k.
    pub fn kernel(&self) -> Result<&'static MachineKernel> {
        let kernel = MachineKernel::named(&self.kernel)?;
        let given = [('m', self.m.is_some()), ('p', self.p.is_some()), ('k', self.k.is_some())];
        given.iter().filter(|(_, given)| *given).try_for_each(|(letter, _)| kernel.check(*letter))?;
        Ok(kernel)
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let kernel = arguments.kernel()?;
    let machine = Machine {
        model: arguments.model,
        width: arguments.width,
        latency: arguments.latency,
        mode: arguments.mode,
        word: arguments.word,
    };
    let case = Case {
        m: arguments.m.unwrap_or(SYMBOLS),
        n: arguments.n,
        p: arguments.p.unwrap_or(THREADS),
        k: arguments.k.unwrap_or(0),
        w: arguments.width,
    };
    let spaces = Spaces { global: arguments.memory != Memory::Shared, shared: arguments.memory != Memory::Global };
    drop(stdout()?);
    if let Some(ranges) = &arguments.sweep {
        return sweep(arguments, kernel, &machine, &case, ranges, spaces);
    }
    let page = arguments.html.as_deref().map(open_output).transpose()?;
    let samples = if page.is_some() { SAMPLES } else { 0 };
    let report = Report::new(kernel, &machine, &case, spaces, samples)?;
    if let Some(page) = page {
        page.write(|out| write_page(out, &report))?;
    }
    print(|out| if arguments.json { write_json(out, &report) } else { write!(out, "{report}") })
}

fn sweep(
    arguments: &Arguments,
    kernel: &MachineKernel,
    machine: &Machine,
    case: &Case,
    ranges: &Ranges,
    spaces: Spaces,
) -> Result<()> {
    let plot = arguments.plot.as_deref().map(open_output).transpose()?;
    let own = kernel.terms.iter().map(|term| term.parse()).collect::<Result<Vec<Term>>>()?;
    let terms = if arguments.terms.is_empty() { &own } else { &arguments.terms };
    let sweep = Sweep::new(kernel, (machine, case), ranges, terms, spaces)?;
    if let Some(file) = plot {
        carrywave::machine::plot::plot(file, &sweep)?;
    }
    print(|out| if arguments.json { write_json(out, &sweep) } else { write!(out, "{sweep}") })
}
