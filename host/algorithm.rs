//! Algorithms by name: their descriptions, and the type that a caller chooses one by.
//!
//! Each problem has two tables of algorithms, one for the CPU and one for GPUs and the simulator,
//! in the module of that hardware. An algorithm is one file, which exports its entry, and one line
//! of the table. The command line's help and error messages, `auto`, `verify`, the loops in tests,
//! the benchmarks and the tables in docs/ all derive from these tables.

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
    /// Name on the command line, in reports and in the documentation.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Source: a paper or a crate.
    pub source: &'static str,
    /// Cost. n is the length of the text or of the longer string, m that of the pattern or of the
    /// shorter string, k the maximum number of errors.
    pub cost: &'static str,
    /// Limits on the input.
    pub limits: Limits,
}

/// The limits of an algorithm: the inputs that it takes. See the [example](Algorithm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum length of a pattern, in symbols; `None` if only memory limits it.
    pub symbols: Option<u64>,
    /// Maximum number of errors; `None` if only the pattern's length limits it.
    pub errors: Option<u32>,
    /// True if a position of a pattern may match several symbols.
    pub classes: bool,
    /// True if errors may be gaps: insertions and deletions.
    pub gaps: bool,
    /// True if errors may be gaps in patterns whose first or last positions must match
    /// ([`Pattern::with_fixed`](crate::text::Pattern::with_fixed)), and in no others.
    pub gaps_if_fixed: bool,
    /// True if it takes periodic patterns, whose [period](crate::text::period()) is at most half of
    /// their length.
    pub periodic: bool,
    /// True if it searches for many patterns in one pass over the text.
    pub together: bool,
    /// True if it compares whole records with patterns, and does not find occurrences within a
    /// record.
    pub whole_records: bool,
    /// Maximum number of GPUs that work on one job.
    pub devices: usize,
}

impl Limits {
    /// No limits, and one device.
    pub(crate) const NONE: Self = Self {
        symbols: None,
        errors: None,
        classes: true,
        gaps: true,
        gaps_if_fixed: false,
        periodic: true,
        together: false,
        whole_records: false,
        devices: 1,
    };
}

impl About {
    /// Describes an algorithm without limits.
    pub(crate) const fn new(
        name: &'static str,
        summary: &'static str,
        source: &'static str,
        cost: &'static str,
    ) -> Self {
        Self { name, summary, source, cost, limits: Limits::NONE }
    }

    /// Sets the limits.
    pub(crate) const fn limited(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Returns the error for input beyond the limits: [`Error::Unsupported`], with the reason.
    pub(crate) fn unsupported(&self, reason: String) -> Error {
        Error::Unsupported { algorithm: self.name.into(), reason }
    }

    /// Returns the error for `given` GPUs, where the algorithm runs on one.
    pub(crate) fn takes_one_gpu(&self, given: usize) -> Error {
        self.unsupported(format!("runs on one GPU, not on {given}"))
    }

    /// Refuses a pattern of m symbols with k errors that is beyond the limits. `is_literal` is true
    /// if each position of the pattern is one symbol.
    ///
    /// # Errors
    /// [`Error::Unsupported`], with the limit.
    pub(crate) fn check(&self, m: usize, k: u32, is_literal: bool) -> Result<()> {
        let refuse = |reason| Err(self.unsupported(reason));
        match self.limits {
            Limits { symbols: Some(most), .. } if m as u64 > most => {
                refuse(format!("supports patterns of up to {} symbols, not {}", grouped(most), grouped(m as u64)))
            }
            Limits { errors: Some(0), .. } if k > 0 => {
                refuse(format!("finds exact matches only; allow 0 errors, not {k}"))
            }
            Limits { errors: Some(most), .. } if k > most => refuse(format!("supports up to {most} errors, not {k}")),
            Limits { classes: false, .. } if !is_literal => {
                refuse("supports plain symbols only, but a position of this pattern stands for several symbols".into())
            }
            _ => Ok(()),
        }
    }
}

/// Groups digits by commas: 1234567 as 1,234,567.
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
    /// Term for an algorithm of this problem, in messages.
    const WHAT: &'static str;

    /// Algorithms on the CPU. The first is the reference for the others, and not always the
    /// fastest.
    const CPU: &'static [&'static About];

    /// Algorithms on GPUs and on the simulator.
    const DEVICE: &'static [&'static About];

    /// Returns the algorithms of an engine. See the [example](Self).
    fn algorithms(engine: EngineKind) -> &'static [&'static About] {
        match engine {
            EngineKind::Cpu => Self::CPU,
            EngineKind::Gpu | EngineKind::Simt => Self::DEVICE,
        }
    }
}

/// An algorithm for a problem, by its name; or [`AUTO`](Self::AUTO), the engine's fastest for the
/// given input.
///
/// ```
/// use carrywave::device::EngineKind;
/// use carrywave::lcs::Algorithm;
///
/// let plain = Algorithm::named("dp")?;
/// let about = plain.about(EngineKind::Cpu).expect("the CPU has it");
/// println!("{plain}: {}, from {}, costs {}", about.summary, about.source, about.cost);
/// assert!(
///     Algorithm::all_on(EngineKind::Cpu).any(|other| other == plain)
///         && Algorithm::all().any(|other| other == plain)
/// );
/// assert!(plain.check_on(EngineKind::Gpu).is_err());
/// assert_eq!((plain.name(), plain.is_auto(), about.limits.devices), ("dp", false, 1));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Algorithm<P> {
    /// `None` for the fastest.
    name: Option<&'static str>,
    problem: PhantomData<P>,
}

/// Kinds of engines that have tables of their own; the simulator uses the GPU's.
const TABLES: [EngineKind; 2] = [EngineKind::Cpu, EngineKind::Gpu];

impl<P: Problem> Algorithm<P> {
    /// The engine's fastest algorithm for the given input.
    pub const AUTO: Self = Self { name: None, problem: PhantomData };

    /// Returns the algorithm of this name; `auto` gives [`AUTO`](Self::AUTO). See the
    /// [example](Self).
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

    /// Returns the description of the algorithm on an engine; `None` for `AUTO`, or if the engine
    /// does not have it. See the [example](Self).
    pub fn about(self, engine: EngineKind) -> Option<&'static About> {
        P::algorithms(engine).iter().copied().find(|about| Some(about.name) == self.name)
    }

    /// Returns true for [`AUTO`](Self::AUTO). See the [example](Self).
    pub fn is_auto(self) -> bool {
        self.name.is_none()
    }

    /// Returns an error if the engine does not have the algorithm. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Unsupported`], with the algorithms that the engine has.
    pub fn check_on(self, engine: EngineKind) -> Result<()> {
        if self.is_auto() || self.about(engine).is_some() { Ok(()) } else { Err(self.missing_on(engine)) }
    }

    /// Returns the algorithm's row in an engine's table; the first row for `AUTO`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the table does not have it.
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

    /// Returns the error for an engine that does not have the algorithm.
    pub(crate) fn missing_on(self, engine: EngineKind) -> Error {
        let names: Vec<&str> = P::algorithms(engine).iter().map(|about| about.name).collect();
        Error::Unsupported {
            algorithm: self.name().into(),
            reason: format!("is not available on {engine}; available: {}", names.join(", ")),
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
