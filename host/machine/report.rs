//! One run of a kernel on a memory machine, formatted for output.

use super::count::Count;
use super::kernels::{Case, DNA, MachineKernel};
use super::model::{Machine, Model};
use crate::error::Result;
use serde::Serialize;
use simt_std::simulator::Spaces;
use std::fmt;

/// The cost of a kernel on a machine.
///
/// ```
/// use carrywave::machine::kernels::{Case, MachineKernel};
/// use carrywave::machine::page::{SAMPLES, write_page};
/// use carrywave::machine::report::Report;
/// use carrywave::machine::{Machine, Model};
/// use simt_std::simulator::Spaces;
///
/// let kernel = MachineKernel::named("contiguous")?;
/// assert!(kernel.takes('p') && kernel.check('k').is_err());
/// let machine = Machine::new(Model::Umm, 32, 400);
/// let case = Case::new(0, 4096, 256, 0, 32);
/// assert!(kernel.options().is_empty() && !kernel.takes_strings());
/// let spaces = Spaces { global: true, shared: false };
/// let report = Report::new(kernel, &machine, &case, spaces, SAMPLES)?;
/// assert_eq!(Some(report.count.time), kernel.closed_form(&machine, &case));
/// assert_eq!(report.count.lines.iter().map(|line| report.count.share(line)).sum::<f64>(), 1.0);
/// let mut page = Vec::new();
/// write_page(&mut page, &report)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The kernel's name.
    pub kernel: &'static str,
    /// A description of the kernel.
    pub about: &'static str,
    /// The machine.
    pub machine: Machine,
    /// The memories whose accesses count: global, shared, or both.
    pub memory: &'static str,
    /// The sizes of the input; p is the number of threads.
    pub case: Case,
    /// The parameters as text: the sizes that the kernel depends on, the number of symbols unless
    /// it is that of DNA, and the given options.
    pub sizes: String,
    /// Time units by the kernel's closed form; `None` if it has none.
    pub closed_form: Option<u64>,
    /// The counted accesses and time units.
    pub count: Count,
}

impl Report {
    /// Runs a kernel, and keeps up to `samples` warp accesses of each line. See the
    /// [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with the [`UsageFault`](crate::error::UsageFault)
    /// `Range` or `TooLarge` for sizes that the kernel or the machine does not take.
    pub fn new(kernel: &MachineKernel, machine: &Machine, case: &Case, spaces: Spaces, samples: usize) -> Result<Self> {
        machine.check()?;
        let count = machine.run_sampled(&kernel.record(case, spaces)?, samples)?;
        let p = if kernel.takes('p') { case.p } else { u32::try_from(count.threads).unwrap_or(u32::MAX) };
        let case = Case { p, ..*case };
        let size = |(letter, size): (char, u64)| kernel.takes(letter).then(|| format!("{letter} = {size}, "));
        let sizes =
            [('m', case.m), ('n', case.n), ('k', case.k.into())].into_iter().filter_map(size).collect::<String>();
        Ok(Self {
            kernel: kernel.name,
            about: kernel.about,
            machine: *machine,
            memory: match (spaces.global, spaces.shared) {
                (true, true) => "global and shared memory",
                (_, false) => "global memory",
                _ => "shared memory",
            },
            case,
            sizes: format!("{sizes}p = {p}{}", others(&case)),
            closed_form: kernel.closed_form(machine, &case).filter(|_| spaces.global),
            count,
        })
    }
}

/// Returns the number of symbols and the options, where they are not the defaults.
fn others(case: &Case) -> String {
    let symbols = if case.sigma == DNA { String::new() } else { format!(", σ = {}", case.sigma) };
    let options = if case.tuning.given().next().is_none() { String::new() } else { format!(", {}", case.tuning) };
    symbols + &options
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, count, .. } = self;
        writeln!(f, "{}: {}", self.kernel, self.about)?;
        let name = machine.model.to_string().to_uppercase();
        let Machine { width, latency, mode, word, dmms, shared_latency, .. } = machine;
        let parts = match machine.model {
            Model::Hmm => format!(", {dmms} DMMs of latency {shared_latency}"),
            Model::Dmm | Model::Umm => String::new(),
        };
        let article = if machine.model == Model::Hmm { "an" } else { "a" };
        let memory = self.memory;
        writeln!(f, "on {article} {name}, w = {width}, l = {latency}{parts}, {mode}, {memory}, words of {word} bytes")?;
        let launches = if count.launches == 1 { "launch" } else { "launches" };
        writeln!(f, "{}, {} {launches}\n\n{}\n", self.sizes, count.launches, words(machine.model))?;
        write!(f, "{count}")?;
        if let Some(time) = self.closed_form {
            writeln!(f, "\nclosed form: {time} time units")?;
        }
        Ok(())
    }
}

/// Returns the legend of a machine's costs.
pub(super) fn words(model: Model) -> String {
    let served = match model {
        Model::Dmm => "one word of each bank",
        Model::Umm => "w neighbouring words, an address group",
        Model::Hmm => "shared memory: one word of each bank of a DMM; global memory: an address group",
    };
    format!(
        "stage: what the memory serves at once ({served})\n\
         conflicts: the stages of a warp access beyond its first\n\
         time: in time units; in each one stage enters the memory's pipeline, and l time units later its words are there"
    )
}
