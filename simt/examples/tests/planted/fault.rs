//! A planted fault, and what the simulator reports of it.

use simt_std::simulator::{Fault, FaultKind, LineCost, Options, ScheduleError, Simulator, schedules};
use std::collections::BTreeSet;

/// Number of schedules that a fault has to show in, if the default launch does not show it.
const SCHEDULES: u64 = 1000;

/// How a fault is found today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// By any launch, as a fault of this type.
    ByLaunch(&'static str),
    /// By `schedules`, as a fault of this type.
    BySchedules(&'static str),
    /// By `schedules`: the results differ.
    Differs,
    /// By the costs of the marked line.
    ByCosts { conflicts: u64, sectors: u64 },
    /// By a comparison with the expected result alone, for this reason.
    Wrong(&'static str),
}

/// A kernel with a fault, and the host code that runs it.
pub struct Planted {
    /// Name of the kernel. Each line that the message must name ends with `// fault: ` and it.
    pub name: &'static str,
    /// The mistake.
    pub mistake: &'static str,
    pub found: Found,
    run: fn(&mut Simulator) -> Result<Vec<u32>, Fault>,
    expected: Option<&'static [u32]>,
}

/// The planted faults of a file.
pub struct Group {
    pub title: &'static str,
    /// Path of the file.
    pub file: &'static str,
    /// Text of the file.
    pub text: &'static str,
    pub planted: Vec<Planted>,
}

/// Makes a planted fault without an expected result.
pub fn planted(
    name: &'static str,
    mistake: &'static str,
    found: Found,
    run: fn(&mut Simulator) -> Result<Vec<u32>, Fault>,
) -> Planted {
    Planted { name, mistake, found, run, expected: None }
}

/// The outcome of a planted fault.
#[derive(Debug)]
pub enum Seen {
    Fault(Fault),
    Differs { seed: u64 },
    WrongResult,
    RightResult,
}

impl Planted {
    /// Adds the result that the kernel should have computed.
    pub fn expecting(self, expected: &'static [u32]) -> Self {
        Self { expected: Some(expected), ..self }
    }

    /// Runs the kernel by a default launch, and if that reports nothing, under many schedules.
    pub fn observe(&self) -> Seen {
        let options = Options { echo: false, ..Options::default() };
        match schedules(SCHEDULES, options, self.run) {
            Err(ScheduleError::Fault(fault)) => Seen::Fault(fault),
            Err(ScheduleError::Differs { seed, .. }) => Seen::Differs { seed },
            Ok(result) if self.expected.is_some_and(|expected| expected != result) => Seen::WrongResult,
            Ok(_) => Seen::RightResult,
            Err(other) => panic!("{}: {other}", self.name),
        }
    }

    /// Returns the cost of the accesses of one source line.
    pub fn cost(&self, line: u32) -> LineCost {
        let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
        (self.run)(&mut gpu).unwrap_or_else(|fault| panic!("{fault}"));
        let costs = gpu.costs().lines().filter(|&(_, number, ..)| number == line).map(|(.., cost)| *cost);
        costs.fold(LineCost::default(), |mut sum, cost| {
            sum += cost;
            sum
        })
    }
}

impl Group {
    /// Returns the numbers of the lines that are marked with this name.
    pub fn marked(&self, name: &str) -> BTreeSet<u32> {
        let mark = format!("// fault: {name}");
        (1..).zip(self.text.lines()).filter(|(_, line)| line.ends_with(&mark)).map(|(number, _)| number).collect()
    }

    /// Returns the numbers of the lines of this file that a message names.
    pub fn named(&self, message: &str) -> BTreeSet<u32> {
        let file = format!("{}:", self.file);
        let numbers = message.split(&file).skip(1).map(|rest| {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..digits].parse().expect("a line number")
        });
        numbers.collect()
    }
}

/// Returns the name of a type of fault.
pub fn name_of(kind: &FaultKind) -> String {
    format!("{kind:?}").chars().take_while(char::is_ascii_alphanumeric).collect()
}
