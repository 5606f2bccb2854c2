//! A job and its result.

use super::site::{Site, Times};
use carrywave::Result;
use carrywave::internal::measure::ceilings::Ceiling;
use serde::Serialize;

/// A job.
#[derive(Debug)]
pub struct Job {
    /// Its name for `--only`.
    pub name: &'static str,
    /// A line about it.
    pub about: &'static str,
    /// Times it on an engine; `None` if the engine has no such job.
    pub run: fn(&Site<'_>) -> Result<Option<Done>>,
}

/// The unit of a job's speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Unit {
    /// 10^12 cells of a table a second.
    #[serde(rename = "TCUPS")]
    Tcups,
    #[serde(rename = "GB/s")]
    GigabytesPerSecond,
    #[serde(rename = "million pairs/s")]
    MillionPairs,
    /// Of both strings.
    #[serde(rename = "million symbols/s")]
    MillionSymbols,
    /// Of both texts.
    #[serde(rename = "million lines/s")]
    MillionLines,
}

impl Unit {
    /// Returns its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tcups => "TCUPS",
            Self::GigabytesPerSecond => "GB/s",
            Self::MillionPairs => "M pairs/s",
            Self::MillionSymbols => "M symbols/s",
            Self::MillionLines => "M lines/s",
        }
    }

    /// Returns how much work a second it is.
    pub fn scale(self) -> f64 {
        match self {
            Self::Tcups => 1e12,
            Self::GigabytesPerSecond => 1e9,
            Self::MillionPairs | Self::MillionSymbols | Self::MillionLines => 1e6,
        }
    }
}

/// The result of a job.
#[derive(Debug)]
pub struct Done {
    /// The size of its input, for people.
    pub size: String,
    /// The algorithm that ran, if the library reports it.
    pub algorithm: Option<&'static str>,
    /// Work of a run.
    pub work: f64,
    /// Work of the GPU in it.
    pub device_work: f64,
    /// The unit of work.
    pub unit: Unit,
    pub times: Times,
    /// The greatest possible rate, if it is known.
    pub ceiling: Option<Ceiling>,
    /// Faults of the answer.
    pub faults: Vec<String>,
}

/// Returns a number with a comma after each three digits.
pub fn grouped(number: usize) -> String {
    carrywave::internal::grouped(number as u64)
}
