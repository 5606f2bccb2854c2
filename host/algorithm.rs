//! Algorithms by name: what there is to know of one, and the type by which a job is told which to take.
//!
//! Each problem has two tables of its algorithms, one for the CPU and one for GPUs and the simulator, in the module of that hardware. An
//! algorithm is one file, which exports its entry, and one line of its table. The command line's help and refusals, `auto`, `verify`, the
//! tests' loops, the benchmarks and the tables in docs/ are made from the tables.

use crate::device::EngineKind;
use crate::error::{Error, Result};
use serde::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// A description of an algorithm. See the [example](Algorithm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct About {
    /// Its name on the command line, in reports and in the documentation.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Where it comes from: a paper, or a crate.
    pub source: &'static str,
    /// What it costs. n is the text's length, or the longer string's, m the pattern's or the shorter string's, k the errors allowed.
    pub cost: &'static str,
    /// What it takes.
    pub limits: Limits,
}

/// The limits of an algorithm: the inputs that it takes. See the [example](Algorithm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Limits {
    /// Symbols of a pattern at most; `None` if there is no limit but memory.
    pub symbols: Option<u64>,
    /// Errors at most; `None` if there is no limit but the pattern's length.
    pub errors: Option<u32>,
    /// Whether a position of a pattern may stand for several symbols.
    pub classes: bool,
    /// Whether errors may be gaps: insertions and deletions.
    pub gaps: bool,
    /// Whether the [period](crate::text::period()) of a pattern may be up to half of its length.
    pub periodic: bool,
    /// True if it searches for many patterns in one pass over the text.
    pub together: bool,
    /// True if it compares whole records with patterns, and finds no occurrences within a record.
    pub whole_records: bool,
    /// GPUs that work on one job at most.
    pub devices: usize,
}

impl Limits {
    /// No limits, and one device.
    pub(crate) const NONE: Self = Self {
        symbols: None,
        errors: None,
        classes: true,
        gaps: true,
        periodic: true,
        together: false,
        whole_records: false,
        devices: 1,
    };
}

impl About {
    /// An algorithm without limits.
    pub(crate) const fn new(
        name: &'static str,
        summary: &'static str,
        source: &'static str,
        cost: &'static str,
    ) -> Self {
        Self { name, summary, source, cost, limits: Limits::NONE }
    }

    /// With limits.
    pub(crate) const fn limited(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The error of what it does not take: [`Error::Unsupported`], with the reason.
    pub(crate) fn unsupported(&self, reason: String) -> Error {
        Error::Unsupported { algorithm: self.name.into(), reason }
    }

    /// The error of more GPUs than the one it runs on.
    pub(crate) fn takes_one_gpu(&self, given: usize) -> Error {
        self.unsupported(format!("runs on one GPU, and {given} were given"))
    }

    /// Refuses what is beyond the limits: a pattern of m symbols with k errors, of which each position is one symbol (`is_literal`).
    ///
    /// # Errors
    /// [`Error::Unsupported`], with the limit.
    pub(crate) fn check(&self, m: usize, k: u32, is_literal: bool) -> Result<()> {
        let refuse = |reason| Err(self.unsupported(reason));
        match self.limits {
            Limits { symbols: Some(most), .. } if m as u64 > most => {
                refuse(format!("takes patterns of up to {} symbols, not {}", grouped(most), grouped(m as u64)))
            }
            Limits { errors: Some(0), .. } if k > 0 => {
                refuse(format!("finds occurrences without errors only, and {k} were allowed"))
            }
            Limits { errors: Some(most), .. } if k > most => refuse(format!("allows up to {most} errors, not {k}")),
            Limits { classes: false, .. } if !is_literal => {
                refuse("takes patterns of single symbols only, and a position of this one stands for several".into())
            }
            _ => Ok(()),
        }
    }
}

/// 1234567 as 1,234,567.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A problem that has tables of algorithms.
///
/// ```
/// use carrywave::algorithm::Problem;
/// use carrywave::device::EngineKind;
///
/// fn names<P: Problem>(engine: EngineKind) -> Vec<&'static str> {
///     P::algorithms(engine).iter().map(|about| about.name).collect()
/// }
/// assert!(names::<carrywave::lcs::Lcs>(EngineKind::Cpu).contains(&"dp"));
/// ```
pub trait Problem: Copy + fmt::Debug + Eq + 'static {
    /// What an algorithm for it is called, in messages.
    const WHAT: &'static str;

    /// The algorithms on the CPU; the first is the one to compare others with, not always the fastest.
    const CPU: &'static [&'static About];

    /// The algorithms on GPUs and on the simulator.
    const DEVICE: &'static [&'static About];

    /// Returns the algorithms of an engine. See the [example](Self).
    fn algorithms(engine: EngineKind) -> &'static [&'static About] {
        match engine {
            EngineKind::Cpu => Self::CPU,
            EngineKind::Gpu | EngineKind::Simt => Self::DEVICE,
        }
    }
}

/// An algorithm for a problem, by its name; or [`AUTO`](Self::AUTO), the fastest of the engine for the input at hand.
///
/// ```
/// use carrywave::device::EngineKind;
/// use carrywave::lcs::Algorithm;
///
/// let plain = Algorithm::named("dp")?;
/// let about = plain.about(EngineKind::Cpu).expect("the CPU has it");
/// println!("{plain}: {}, from {}, costs {}", about.summary, about.source, about.cost);
/// assert!(Algorithm::all_on(EngineKind::Cpu).any(|other| other == plain) && Algorithm::all().any(|other| other == plain));
/// assert!(plain.check_on(EngineKind::Gpu).is_err());
/// assert_eq!((plain.name(), plain.is_auto(), about.limits.devices), ("dp", false, 1));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Algorithm<P> {
    /// None for the fastest.
    name: Option<&'static str>,
    problem: PhantomData<P>,
}

/// The kinds of engines that have tables of their own; the simulator has the GPU's.
const TABLES: [EngineKind; 2] = [EngineKind::Cpu, EngineKind::Gpu];

impl<P: Problem> Algorithm<P> {
    /// The engine's fastest for the input at hand.
    pub const AUTO: Self = Self { name: None, problem: PhantomData };

    /// Returns the algorithm of this name; `auto` is [`AUTO`](Self::AUTO). See the [example](Self).
    ///
    /// # Errors
    /// [`Error::UnknownName`] for a name that no engine has.
    pub fn named(name: &str) -> Result<Self> {
        if name == "auto" {
            return Ok(Self::AUTO);
        }
        let mut all = Self::all();
        all.find(|algorithm| algorithm.name() == name).ok_or_else(|| Error::UnknownName {
            what: P::WHAT,
            name: name.into(),
            known: std::iter::once("auto").chain(Self::all().map(Self::name)).collect(),
        })
    }

    /// Returns all algorithms of all engines, without `AUTO`. See the [example](Self).
    pub fn all() -> impl Iterator<Item = Self> {
        let mut names: Vec<&'static str> = Vec::new();
        for about in TABLES.into_iter().flat_map(P::algorithms) {
            if !names.contains(&about.name) {
                names.push(about.name);
            }
        }
        names.into_iter().map(|name| Self { name: Some(name), problem: PhantomData })
    }

    /// Returns the algorithms of an engine. See the [example](Self).
    pub fn all_on(engine: EngineKind) -> impl Iterator<Item = Self> {
        P::algorithms(engine).iter().map(|about| Self { name: Some(about.name), problem: PhantomData })
    }

    /// Returns the name. See the [example](Self).
    pub fn name(self) -> &'static str {
        self.name.unwrap_or("auto")
    }

    /// Returns its description on an engine; `None` if the engine does not have it, and for `AUTO`. See the [example](Self).
    pub fn about(self, engine: EngineKind) -> Option<&'static About> {
        P::algorithms(engine).iter().copied().find(|about| Some(about.name) == self.name)
    }

    /// Returns true if it is [`AUTO`](Self::AUTO). See the [example](Self).
    pub fn is_auto(self) -> bool {
        self.name.is_none()
    }

    /// Returns an error for an engine that does not have it. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Unsupported`], with those that it has.
    pub fn check_on(self, engine: EngineKind) -> Result<()> {
        if self.is_auto() || self.about(engine).is_some() { Ok(()) } else { Err(self.missing_on(engine)) }
    }

    /// Its row in an engine's table; the first for `AUTO`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the table does not have it.
    pub(crate) fn row<R>(
        self,
        rows: &'static [R],
        engine: EngineKind,
        about: impl Fn(&R) -> &About,
    ) -> Result<&'static R> {
        let mut rows = rows.iter();
        let found = rows.find(|row| self.is_auto() || about(row).name == self.name());
        found.ok_or_else(|| self.missing_on(engine))
    }

    /// What is said when an engine does not have it.
    pub(crate) fn missing_on(self, engine: EngineKind) -> Error {
        let names: Vec<&str> = P::algorithms(engine).iter().map(|about| about.name).collect();
        Error::Unsupported {
            algorithm: self.name().into(),
            reason: format!("is not there for the engine {engine}, which has {}", names.join(", ")),
        }
    }
}

impl<P: Problem> Default for Algorithm<P> {
    fn default() -> Self {
        Self::AUTO
    }
}

impl<P: Problem> fmt::Debug for Algorithm<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<P: Problem> fmt::Display for Algorithm<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl<P: Problem> FromStr for Algorithm<P> {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::named(name)
    }
}

impl<P: Problem> Serialize for Algorithm<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
