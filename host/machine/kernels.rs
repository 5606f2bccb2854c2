//! The table of the kernels that can be run on a memory machine.

use super::closed::{Pattern as CellPattern, closed_form};
use super::model::{MOST_WIDTH, Machine};
use super::run::too_large;
use crate::best::end::BestEnds;
use crate::best::gpu::{DeviceAlgorithm, DeviceBest};
use crate::device::Device;
use crate::error::{Error, Result, UsageFault};
use crate::io::output::Shortened;
use crate::kernels::collectives::add::{ConditionalSum, LookAhead};
use crate::kernels::measure::contiguous::{Contiguous, ContiguousBank, blocks};
use crate::kernels::measure::shared_access::{self, SharedAccess};
use crate::lcs::gpu::published::block_step::BlockStepLcs;
use crate::lcs::gpu::wavefront::WavefrontLcs;
use crate::pairwise::columns::Columns;
use crate::pairwise::cuts::{CutRequest, Cuts, Part, Side};
use crate::search;
use crate::search::gpu::ResultKind::{self, Bytes, Count};
use crate::search::gpu::{DeviceText, Gaps, Request};
use crate::search::{Tuning, TuningOption};
use crate::text::Pattern;
use serde::Serialize;
use simt_launch::Simt;
use simt_std::WARP;
use simt_std::simulator::{Spaces, Trace};
use std::marker::PhantomData;
use std::sync::Arc;

/// Largest number of symbols or cells: the simulator takes seconds for them.
const MAX_SIZE: u64 = 1 << 22;

/// Largest number of cells of an array that is laid out by banks: each costs the host about 100
/// bytes.
const MAX_CELLS: u64 = 1 << 24;

/// Largest number of threads; fewer if the simulator cannot record them.
const MAX_THREADS: u32 = 1 << 24;

/// The parameters of a kernel's input. Strings are random. See the
/// [example](super::report::Report).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Case {
    /// Number of symbols of the pattern, or of the first string.
    pub m: u64,
    /// Number of symbols of the text or of the second string, or of cells.
    pub n: u64,
    /// Number of threads, for kernels that do not choose it.
    pub p: u32,
    /// Number of errors, for searches with errors.
    pub k: u32,
    /// Number of banks, for kernels with data laid out by banks.
    pub w: u64,
    /// Number of different symbols of the strings, 1 to 256: up to four are A, C, G and T, more are
    /// the bytes from 0 on.
    pub sigma: u32,
    /// Options of the published searches.
    pub tuning: Tuning,
}

impl Case {
    /// Returns a case of DNA, without options. See the [example](super::report::Report).
    pub fn new(m: u64, n: u64, p: u32, k: u32, w: u64) -> Self {
        Self { m, n, p, k, w, sigma: DNA, tuning: Tuning::default() }
    }
}

/// Number of symbols of DNA.
pub const DNA: u32 = 4;

/// Largest number of symbols.
const MOST_SYMBOLS: u32 = 256;

/// A kernel, or the kernels of an engine, by name. See the [example](super::report::Report).
pub struct MachineKernel {
    /// The name on the command line.
    pub name: &'static str,
    /// A description of one line.
    pub about: &'static str,
    /// The letters among m, n, p and k that the kernel depends on. Without p, the kernel chooses
    /// its number of threads.
    pub letters: &'static str,
    /// True if the accessed cells depend on the width of the machine.
    pub depends_on_width: bool,
    /// The terms of the time units, by the kernel's theorem or a count of its accesses.
    pub terms: &'static [&'static str],
    run: Run,
    closed: fn(&Machine, &Case) -> Option<u64>,
}

/// The way to run a kernel.
enum Run {
    Launch(fn(&Simt, &Case) -> Result<()>),
    /// A search by the algorithm of this name, with results in this format.
    Search(&'static str, ResultKind),
    /// The best match by the algorithm of this name.
    Best(&'static str),
}

impl std::fmt::Debug for MachineKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

const NO_CLOSED_FORM: fn(&Machine, &Case) -> Option<u64> = |_, _| None;

/// Makes the entry of a search, whose engine chooses the number of threads.
const fn searching(
    name: &'static str,
    about: &'static str,
    algorithm: &'static str,
    format: ResultKind,
) -> MachineKernel {
    MachineKernel {
        name,
        about,
        letters: "mnk",
        depends_on_width: false,
        terms: &["n/w", "n", "l"],
        run: Run::Search(algorithm, format),
        closed: NO_CLOSED_FORM,
    }
}

/// Makes the entry of a comparison, whose engine chooses the number of threads.
const fn comparison(name: &'static str, about: &'static str, run: fn(&Simt, &Case) -> Result<()>) -> MachineKernel {
    MachineKernel {
        name,
        about,
        letters: "mn",
        depends_on_width: false,
        terms: &["mn/w", "nl", "ml"],
        run: Run::Launch(run),
        closed: NO_CLOSED_FORM,
    }
}

/// Makes the entry of one of Nakano's algorithms for the best match, with the terms of its lemma or
/// theorem.
const fn best(name: &'static str, about: &'static str, terms: &'static [&'static str]) -> MachineKernel {
    let run = Run::Best(name);
    MachineKernel { name, about, letters: "mn", depends_on_width: false, terms, run, closed: NO_CLOSED_FORM }
}

/// Makes the entry of an access pattern of p threads.
const fn cells(
    name: &'static str,
    about: &'static str,
    run: fn(&Simt, &Case) -> Result<()>,
    closed: fn(&Machine, &Case) -> Option<u64>,
) -> MachineKernel {
    let run = Run::Launch(run);
    MachineKernel { name, about, letters: "np", depends_on_width: true, terms: &["n/w", "nl/p", "n/p"], run, closed }
}

/// All kernels.
pub const KERNELS: &[MachineKernel] = &[
    cells(
        "contiguous",
        "p threads read n cells side by side (lemma 1)",
        |device, case| contiguous(device, case, false),
        |machine, case| closed_form(machine, CellPattern::Contiguous, case.n, case.p.into()),
    ),
    cells(
        "contiguous-write",
        "the same, written",
        |device, case| contiguous(device, case, true),
        |machine, case| closed_form(machine, CellPattern::Contiguous, case.n, case.p.into()),
    ),
    cells(
        "contiguous-bank",
        "p threads read n cells, neighbours in neighbouring banks and each in another group (lemma 2)",
        |device, case| contiguous_bank(device, case, false),
        |machine, case| closed_form(machine, CellPattern::Bank, case.n, case.p.into()),
    ),
    cells(
        "contiguous-bank-write",
        "the same, written",
        |device, case| contiguous_bank(device, case, true),
        |machine, case| closed_form(machine, CellPattern::Bank, case.n, case.p.into()),
    ),
    MachineKernel {
        name: "shared-access",
        about: "a warp of 32 reads n times at random places of shared memory, which is the memory to count",
        letters: "n",
        depends_on_width: false,
        terms: &["n/w", "n", "nl", "l"],
        run: Run::Launch(shared_access),
        closed: NO_CLOSED_FORM,
    },
    MachineKernel {
        // A row of the matrix has a multiple of w words.
        depends_on_width: true,
        ..best("dmm", "the best match on the matrix as it is, by m threads (lemma 3)", &["mn/w", "nl"])
    },
    best("umm", "the best match on the slid matrix, by m threads (lemma 4)", &["mn/w", "nl"]),
    best("umm-3m", "the best match in 3m words, by m threads (theorem 5)", &["mn/w", "nl"]),
    best("umm-n", "the best match in windows side by side, by n threads (theorem 6)", &["mn/w", "ml"]),
    comparison("block-step", "the last column of an LCS table by carries across blocks", |device, case| {
        let (a, b) = strings(case);
        column(&BlockStepLcs::<_, ConditionalSum>::new(device, &a, &b, &|_| ())?, case)
    }),
    comparison("block-step-look-ahead", "the same, with the carries of a warp by ballot look-ahead", |device, case| {
        let (a, b) = strings(case);
        column(&BlockStepLcs::<_, LookAhead>::new(device, &a, &b, &|_| ())?, case)
    }),
    comparison("wavefront", "the last column of an LCS table by lanes that follow one another", |device, case| {
        let (a, b) = strings(case);
        column(&WavefrontLcs::new(&[device], &a, &b, &|_| ())?, case)
    }),
    comparison(
        "cut",
        "where Hirschberg's recursion cuts: two tables by wavefronts, and their best row",
        |device, case| {
            let (a, b) = strings(case);
            if b.len() < 2 {
                return Err(UsageFault::Range.error("n is 2 at least here: one column cannot be cut"));
            }
            let (rows, columns) = parts(case);
            let request = CutRequest { rows, columns, middle: b.len() / 2 };
            WavefrontLcs::new(&[device], &a, &b, &|_| ())?.cuts(&[request])?;
            Ok(())
        },
    ),
    searching("shift-or", "exact search in tiles that lanes join", "shift-or", Count),
    searching("wu-manber", "search with k errors, a run of the text a lane", "wu-manber", Count),
    searching("myers", "search with k errors and any m, a run of the text a lane", "myers", Count),
    searching("packed", "search with k errors, patterns side by side in a lane's words", "packed", Count),
    searching("pieces", "the same behind a filter for parts of patterns without errors", "pieces", Count),
    searching("kmp", "exact search by Knuth, Morris and Pratt's automaton, a part of the text a thread", "kmp", Bytes),
    searching("brute-force", "exact search, a comparison at every position, as published", "brute-force", Bytes),
    searching(
        "duel-global",
        "exact search by duels of candidates in global memory, as published",
        "duel-global",
        Bytes,
    ),
    searching("duel-shared", "the same with candidates in shared memory", "duel-shared", Bytes),
    searching("shift-or-scan", "exact search as an inclusive scan, as published; k errors with -k", "scan", Bytes),
    searching("scan-steps", "the same over the whole text, a launch for each step, as published", "scan-steps", Bytes),
    searching("scan-segments", "the same in segments that a launch joins, as published", "scan-segments", Bytes),
    searching(
        "brute-force-filtered",
        "exact search: a window of eight symbols, then the pattern",
        "brute-force-filtered",
        Count,
    ),
    searching("duel", "exact search by duels: a sieve, a tournament of a warp, few winners verified", "duel", Count),
    searching("gbpr", "search in a short segment a thread (GBPR)", "gbpr", Bytes),
    searching("myers-slices", "search in a slice of m to 2 m symbols a thread, as published", "myers-slices", Bytes),
    searching("myers-slices-shared", "the same with text and results in shared memory", "myers-slices-shared", Bytes),
    searching("xbitpar", "search in words of 1,024 bits, one a warp (XBitPar)", "xbitpar", Bytes),
];

impl MachineKernel {
    /// Returns the kernel with a name. See the [example](super::report::Report).
    ///
    /// # Errors
    /// [`Error::UnknownName`] if no kernel has this name.
    pub fn named(name: &str) -> Result<&'static Self> {
        KERNELS.iter().find(|kernel| kernel.name == name).ok_or_else(|| Error::UnknownName {
            what: "kernel",
            name: Shortened(name).to_string(),
            known: KERNELS.iter().map(|kernel| kernel.name).collect(),
        })
    }

    /// Returns true if the kernel depends on a letter among m, n, p and k. See the
    /// [example](super::report::Report).
    pub fn takes(&self, letter: char) -> bool {
        self.letters.contains(letter)
    }

    /// Returns an error if the kernel does not depend on a letter. See the
    /// [example](super::report::Report).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Combination`] if the kernel does not depend on the
    /// letter.
    pub fn check(&self, letter: char) -> Result<()> {
        match letter {
            'w' | 'l' => Ok(()),
            _ if self.takes(letter) => Ok(()),
            'p' => {
                Err(UsageFault::Combination
                    .error(format!("{} chooses its own number of threads; leave p out", self.name)))
            }
            _ => Err(UsageFault::Combination.error(format!("{} does not depend on {letter}; leave it out", self.name))),
        }
    }

    /// Returns true if the kernel's input is strings. See the [example](super::report::Report).
    pub fn takes_strings(&self) -> bool {
        self.takes('m')
    }

    /// Returns the options of [`Tuning`] that the kernel has. See the
    /// [example](super::report::Report).
    pub fn options(&self) -> &'static [TuningOption] {
        match self.run {
            Run::Search(algorithm, _) => search_algorithm(algorithm).map_or(&[], |row| row.tuning),
            Run::Launch(_) | Run::Best(_) => &[],
        }
    }

    /// Refuses a number of symbols, and options, that the kernel does not have. The values of
    /// options are checked when the kernel runs.
    fn check_parameters(&self, case: &Case) -> Result<()> {
        if !(1..=MOST_SYMBOLS).contains(&case.sigma) {
            return Err(UsageFault::Range
                .error(format!("sigma is 1 to {MOST_SYMBOLS} symbols, not {}; take another number", case.sigma)));
        }
        if case.sigma != DNA && !self.takes_strings() {
            return Err(UsageFault::Combination.error(format!("{} has no strings; leave sigma out", self.name)));
        }
        let own = self.options();
        let is_own = |name: &&str| own.iter().any(|option| option.name == *name);
        let Some(name) = case.tuning.given().find(|name| !is_own(name)) else { return Ok(()) };
        let names: Vec<&str> = own.iter().map(|option| option.name).collect();
        let has = if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) };
        Err(UsageFault::Combination.error(format!("{} has no option {name}; {has}", self.name)))
    }

    /// Runs the kernel on the simulator and records its accesses. See the
    /// [example](super::report::Report).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Range`] for sizes that the kernel does not take, with
    /// [`UsageFault::Combination`] for options that it does not have, and with
    /// [`UsageFault::TooLarge`] for sizes that are too large for the simulator;
    /// [`Error::Unsupported`] for values of options that it does not take; other errors if the
    /// kernel fails.
    pub fn record(&self, case: &Case, spaces: Spaces) -> Result<Trace> {
        for (name, size) in [('m', case.m), ('n', case.n)] {
            if self.takes(name) && (size == 0 || size > MAX_SIZE) {
                return Err(
                    UsageFault::Range.error(format!("{name} is 1 to {MAX_SIZE} here, not {size}; take another size"))
                );
            }
        }
        if self.takes('p') && (case.p == 0 || case.p > MAX_THREADS) {
            return Err(UsageFault::Range
                .error(format!("p is 1 to {MAX_THREADS} here, not {}; take another number of threads", case.p)));
        }
        if self.depends_on_width && !(1..=MOST_WIDTH).contains(&case.w) {
            return Err(
                UsageFault::Range.error(format!("w is 1 to {MOST_WIDTH} here, not {}; take another width", case.w))
            );
        }
        self.check_parameters(case)?;
        let device = Simt::recording(spaces);
        let outcome = match self.run {
            Run::Launch(run) => run(&device, case),
            Run::Search(algorithm, format) => find(&device, case, algorithm, format),
            Run::Best(algorithm) => best_match(&device, case, algorithm),
        };
        let trace = device.take_trace();
        match outcome {
            _ if trace.is_full() => Err(too_large()),
            Ok(()) => Ok(trace),
            Err(Error::DeviceMemory { needed, free }) => Err(UsageFault::TooLarge.error(format!(
                "this needs {} MiB of the simulator's memory, which has {} MiB; take smaller sizes",
                needed.div_ceil(1 << 20),
                free >> 20
            ))),
            Err(error) => Err(error),
        }
    }

    /// Returns the time units by the closed form; `None` if the kernel has none. See the
    /// [example](super::report::Report).
    pub fn closed_form(&self, machine: &Machine, case: &Case) -> Option<u64> {
        (self.closed)(machine, case)
    }
}

fn contiguous(device: &Simt, case: &Case, write: bool) -> Result<()> {
    let stream = device.stream()?;
    let mut a = device.alloc::<u32>(case.n as usize, "a")?;
    device.zero(&stream, &mut a)?;
    let kernel = Contiguous { a: device.handle(&a), n: case.n, p: case.p, write: write.into() };
    // SAFETY: a has n cells, and is dropped after the wait.
    unsafe { device.launch(&stream, blocks(case.p), kernel)? };
    Ok(device.wait(&stream)?)
}

fn contiguous_bank(device: &Simt, case: &Case, write: bool) -> Result<()> {
    let n = case.n;
    let p = case.p;
    let w = case.w as u32;
    let cells = n.saturating_mul(case.w);
    if cells > MAX_CELLS {
        return Err(
            UsageFault::TooLarge.error(format!("n w = {cells} cells are more than {MAX_CELLS}; take a smaller n or w"))
        );
    }
    let stream = device.stream()?;
    let mut a = device.alloc::<u32>(cells as usize, "a")?;
    device.zero(&stream, &mut a)?;
    let kernel = ContiguousBank { a: device.handle(&a), n, p, w, write: write.into() };
    // SAFETY: a has n w cells, and is dropped after the wait.
    unsafe { device.launch(&stream, blocks(p), kernel)? };
    Ok(device.wait(&stream)?)
}

fn shared_access(device: &Simt, case: &Case) -> Result<()> {
    let mut random = fastrand::Rng::with_seed(case.n);
    let elements = shared_access::BYTES / size_of::<u32>() as u32;
    let list: Vec<u32> = (0..case.n * u64::from(WARP)).map(|_| random.u32(..elements)).collect();
    let stream = device.stream()?;
    let indices = device.alloc_from(&stream, &list, "places")?;
    let mut out = device.alloc(WARP as usize, "out")?;
    device.zero(&stream, &mut out)?;
    let (places, accesses) = (device.handle(&indices), case.n as u32);
    let kernel =
        SharedAccess::<u32> { indices: places, accesses, write: 0, out: device.handle(&out), element: PhantomData };
    // SAFETY: there is an index into the array for each lane and turn, and both are dropped after
    // the wait.
    unsafe { device.launch(&stream, 1, kernel)? };
    Ok(device.wait(&stream)?)
}

/// Returns two random strings, always the same ones for equal sizes and numbers of symbols.
fn strings(case: &Case) -> (Vec<u8>, Vec<u8>) {
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    let symbols = if case.sigma <= DNA { &b"ACGT"[..case.sigma as usize] } else { &bytes[..case.sigma as usize] };
    let mut random = fastrand::Rng::with_seed(case.m << 32 ^ case.n);
    let mut string = |length: u64| (0..length).map(|_| symbols[random.usize(..symbols.len())]).collect();
    (string(case.m), string(case.n))
}

/// Returns all rows and all columns.
fn parts(case: &Case) -> (Part, Part) {
    let part = |side, length: u64| Part { side, range: 0..length as usize };
    (part(Side::A, case.m), part(Side::B, case.n))
}

fn column(engine: &impl Columns, case: &Case) -> Result<()> {
    let (rows, columns) = parts(case);
    engine.column(&rows, &columns)?;
    Ok(())
}

/// Returns the error for an algorithm that is missing in its table.
fn gone(name: &str) -> Error {
    Error::Verification(format!("there is no algorithm {name}"))
}

fn best_match(device: &Simt, case: &Case, name: &str) -> Result<()> {
    let (pattern, text) = strings(case);
    let all = 0..text.len();
    let row = DeviceAlgorithm::<Simt>::ALL.iter().find(|row| row.about.name == name);
    let engine = DeviceBest::new(Arc::new(device.peer()), row.ok_or_else(|| gone(name))?, &|_| ());
    let engine = engine.of_width(u32::try_from(case.w).unwrap_or(u32::MAX));
    engine.best_end(&text, std::slice::from_ref(&all), &Pattern::literal(&pattern))?;
    Ok(())
}

fn find(device: &Simt, case: &Case, name: &str, format: ResultKind) -> Result<()> {
    let (pattern, text) = strings(case);
    let patterns = [Pattern::literal(&pattern)];
    let request = Request { patterns: &patterns, k: case.k, gaps: Gaps::ANY, tuning: case.tuning };
    let text = DeviceText::new(Arc::new(device.peer()), &text)?;
    text.prepare(search_algorithm(name).ok_or_else(|| gone(name))?, &request, format)?.run(0)?;
    Ok(())
}

fn search_algorithm(name: &str) -> Option<&'static search::gpu::DeviceAlgorithm<Simt>> {
    search::gpu::DeviceAlgorithm::ALL.iter().find(|row| row.about.name == name)
}
