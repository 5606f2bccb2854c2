//! `carrywave machine`

use crate::shared::help::{EXIT_STATUS, INPUT, OUTPUT, TEMPLATE, few, one_of, section};
use crate::shared::json::write_json;
use crate::shared::output::{open_output, print, stdout};
use carrywave::Result;
use carrywave::machine::fit::Term;
use carrywave::machine::kernels::{Case, DNA, KERNELS, MachineKernel};
use carrywave::machine::page::{SAMPLES, write_page};
use carrywave::machine::report::Report;
use carrywave::machine::sweep::{Ranges, Sweep};
use carrywave::machine::{Machine, Mode, Model};
use carrywave::search::{Tuning, TuningOption};
use clap::{Args, ValueEnum};
use simt_std::simulator::Spaces;
use std::path::PathBuf;

/// Default number of threads.
const THREADS: u32 = 256;

/// Default number of symbols of the shorter string.
const SYMBOLS: u64 = 32;

const EXAMPLES: &str = "\
Examples:
  carrywave machine contiguous -w 32 -l 400 -n 4096 -p 256     lemma 1: (n/p)(p/w + l - 1)
  carrywave machine contiguous-bank --model umm --html bank.html
  carrywave machine shift-or --memory shared --model dmm       bank conflicts of a kernel's tables
  carrywave machine shift-or-scan --tune alpha=4,table=paper --sigma 256 --memory shared --model dmm
  carrywave machine contiguous --sweep n=4096:32768:4096,p=64,256,l=1,100";

/// The cost of a kernel's memory accesses on Nakano's memory machines, counted on the simulator.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave machine [OPTIONS] KERNEL")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES)]
#[command(after_help = "All options, and the list of kernels: carrywave machine --help")]
#[command(after_long_help = format!("{}\n\n{}\n\n{EXIT_STATUS}", kernels(), parameters()))]
pub struct Arguments {
    /// Kernel; the list is at the end of --help.
    #[arg(hide_possible_values = true, value_parser = one_of::<String>(KERNELS.iter().map(|kernel| kernel.name)))]
    kernel: String,

    /// Symbols of the pattern or the first string, 1 to 4194304 [default: 32].
    #[arg(short, value_name = "M", help_heading = INPUT)]
    m: Option<u64>,

    /// Symbols of the text or the second string, or number of cells.
    #[arg(short, value_name = "N", default_value_t = 4096, help_heading = INPUT)]
    n: u64,

    /// Threads, for kernels of any number of threads [default: 256].
    #[arg(short, value_name = "P", help_heading = INPUT)]
    p: Option<u32>,

    /// Errors, for searches [default: 0].
    #[arg(short, value_name = "K", help_heading = INPUT)]
    k: Option<u32>,

    /// Different symbols of the random strings, 1 to 256.
    #[arg(long, value_name = "N", default_value_t = DNA, help_heading = INPUT)]
    sigma: u32,

    /// Parameters of a published search, such as alpha=4,table=paper; the list is at the end of
    /// --help.
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", hide_default_value = true, help_heading = INPUT)]
    tune: Tuning,

    /// Machine: dmm (one address per bank, as in shared memory), umm (one for all, as in global
    /// memory) or hmm (DMMs for the shared memory of blocks, a UMM for global memory).
    #[arg(long, default_value = "umm", help_heading = MACHINE, hide_possible_values = true)]
    #[arg(value_parser = one_of::<Model>(["dmm", "umm", "hmm"]))]
    model: Model,

    /// Width w: number of banks, and threads of a warp.
    #[arg(short, long, value_name = "W", default_value_t = 32, help_heading = MACHINE)]
    width: u64,

    /// Latency l of a request, in time units. In one time unit the memory accepts one pipeline
    /// stage.
    #[arg(short, long, value_name = "L", default_value_t = 400, help_heading = MACHINE)]
    latency: u64,

    /// DMMs of an hmm: block b is on DMM b mod N.
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = MACHINE)]
    dmms: u64,

    /// Latency of the shared memory of an hmm, in time units.
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "L", default_value_t = 1, help_heading = MACHINE)]
    shared_latency: u64,

    /// Order of warps: lockstep (all wait for all, as in the paper) or free (none waits).
    #[arg(hide_short_help = true)]
    #[arg(long, default_value = "lockstep", help_heading = MACHINE, hide_possible_values = true)]
    #[arg(value_parser = one_of::<Mode>(["lockstep", "free"]))]
    mode: Mode,

    /// Memory whose accesses count: global, shared, or all (both; as one memory, except on an hmm)
    /// [default: global; all for an hmm].
    #[arg(long, value_enum, help_heading = MACHINE, hide_possible_values = true)]
    memory: Option<Memory>,

    /// Bytes of a word, the cell of a bank.
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "BYTES", default_value_t = 4, help_heading = MACHINE)]
    word: u64,

    /// Count for many sizes, and fit the time to terms. Values and ranges first:last:step of m, n,
    /// p, w, l and k, such as n=1024:8192:1024,l=1,100.
    #[arg(long, value_name = "RANGES", help_heading = INPUT)]
    sweep: Option<Ranges>,

    /// Terms of the fit, such as mn/w,nl,1 [default: those of the kernel's theorem].
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "TERMS", value_delimiter = ',', requires = "sweep", help_heading = INPUT)]
    terms: Vec<Term>,

    /// Draw the sweep as curves, at most seven, to a file that ends in .svg.
    #[arg(long, value_name = "FILE", requires = "sweep", help_heading = OUTPUT)]
    plot: Option<PathBuf>,

    /// Write a page with the source, the cost of each line, and pictures of warp accesses.
    #[arg(long, value_name = "FILE", conflicts_with = "sweep", help_heading = OUTPUT)]
    html: Option<PathBuf>,

    /// Print JSON.
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

/// Heading of the options that describe the machine.
const MACHINE: &str = "Machine";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Memory {
    Global,
    Shared,
    All,
}

/// Returns the section of the help that lists the kernels.
fn kernels() -> String {
    section("Kernels", KERNELS.iter().map(|kernel| (format!("{:<22}", kernel.name), kernel.about.to_owned())))
}

/// Returns the section of the help that lists the parameters of `--tune`.
fn parameters() -> String {
    let line = |kernel: &MachineKernel, option: &TuningOption| {
        let TuningOption { name, values, default } = option;
        (format!("{:<22}", kernel.name), format!("{name}={values} [default: {default}]"))
    };
    section(
        "Parameters (--tune)",
        KERNELS.iter().flat_map(|kernel| kernel.options().iter().map(move |o| line(kernel, o))),
    )
}

impl Arguments {
    /// Returns the kernel. Fails if the kernel is unknown, or if m, p or k is given and the kernel
    /// does not depend on it.
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
        dmms: arguments.dmms,
        shared_latency: arguments.shared_latency,
        mode: arguments.mode,
        word: arguments.word,
    };
    let case = Case {
        m: arguments.m.unwrap_or(SYMBOLS),
        n: arguments.n,
        p: arguments.p.unwrap_or(THREADS),
        k: arguments.k.unwrap_or(0),
        w: arguments.width,
        sigma: arguments.sigma,
        tuning: arguments.tune,
    };
    let memory = arguments.memory.unwrap_or(if machine.model == Model::Hmm { Memory::All } else { Memory::Global });
    let spaces = Spaces { global: memory != Memory::Shared, shared: memory != Memory::Global };
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
