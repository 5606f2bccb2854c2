//! A job, and what it comes to.

use super::site::{Site, Times};
use carrywave::Result;
use carrywave::measure::ceilings::Ceiling;
use serde::Serialize;

/// A job.
#[derive(Debug)]
pub struct Job {
    /// What `--only` calls it.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Times it on an engine; none where the engine does not do it.
    pub run: fn(&Site<'_>) -> Result<Option<Done>>,
}

/// What a job's speed is told in.
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

/// What came out.
#[derive(Debug)]
pub struct Done {
    /// On how much.
    pub size: String,
    /// By which algorithm, if the library tells.
    pub algorithm: Option<&'static str>,
    /// How much work a run is, and what the GPU did of it.
    pub work: f64,
    pub device_work: f64,
    /// What work is counted in.
    pub unit: Unit,
    pub times: Times,
    /// How much work a second is possible, if anybody has counted.
    pub ceiling: Option<Ceiling>,
    /// What is wrong with the answer.
    pub faults: Vec<String>,
}

/// A number with a comma after each three digits.
pub fn grouped(number: usize) -> String {
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
