//! A benchmark job and its result.

use super::site::{Site, Times};
use carrywave::Result;
use carrywave::internal::measure::ceilings::Ceiling;
use serde::Serialize;

/// A benchmark job.
#[derive(Debug)]
pub struct Job {
    /// Name, as `--only` takes it.
    pub name: &'static str,
    /// One-line description.
    pub about: &'static str,
    /// Times the job on an engine. Returns `None` if the job does not run on that engine.
    pub run: fn(&Site<'_>) -> Result<Option<Done>>,
}

/// The unit of a job's speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Unit {
    /// 10^12 table cells per second.
    #[serde(rename = "TCUPS")]
    Tcups,
    #[serde(rename = "GB/s")]
    GigabytesPerSecond,
    #[serde(rename = "million pairs/s")]
    MillionPairs,
    /// 10^6 symbols of both strings per second.
    #[serde(rename = "million symbols/s")]
    MillionSymbols,
    /// 10^6 lines of both texts per second.
    #[serde(rename = "million lines/s")]
    MillionLines,
}

impl Unit {
    /// Returns the unit's name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tcups => "TCUPS",
            Self::GigabytesPerSecond => "GB/s",
            Self::MillionPairs => "M pairs/s",
            Self::MillionSymbols => "M symbols/s",
            Self::MillionLines => "M lines/s",
        }
    }

    /// Returns the work per second that one unit stands for.
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
    /// Size of the input, formatted for readers.
    pub size: String,
    /// Work of one run.
    pub work: f64,
    /// Part of the work that the GPU does.
    pub device_work: f64,
    /// Unit of the speed.
    pub unit: Unit,
    pub times: Times,
    /// Greatest possible rate, or `None` if it is unknown.
    pub ceiling: Option<Ceiling>,
    /// Errors found in the answer.
    pub faults: Vec<String>,
}

/// Formats a number with a comma between groups of three digits.
pub fn grouped(number: usize) -> String {
    carrywave::internal::grouped(number as u64)
}
