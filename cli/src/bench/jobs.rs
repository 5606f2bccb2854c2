//! The jobs, and what one of them comes to.

use super::site::{Site, Times};
use super::{diff, pairs, search, strings};
use carrywave::measure::ceilings::Ceiling;
use carrywave::{Error, Result};
use serde::Serialize;
use std::str::FromStr;

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

/// All jobs, as a report has them.
pub const JOBS: &[Job] = &[
    Job { name: "lcs-dna", about: "LCS length, random DNA", run: strings::lcs_of_dna },
    Job { name: "lcs-64", about: "LCS length, 64 symbols", run: strings::lcs_of_64 },
    Job { name: "lcs-256", about: "LCS length, 256 symbols", run: strings::lcs_of_256 },
    Job { name: "lcs-tokens", about: "LCS, 1,000 kinds of tokens", run: strings::lcs_of_tokens },
    Job { name: "lcs-subsequence", about: "LCS itself, random DNA", run: strings::subsequence },
    Job { name: "lcs-similar", about: "LCS length, similar DNA", run: strings::lcs_of_similar },
    Job { name: "distance-dna", about: "edit distance, random DNA", run: strings::distance_of_dna },
    Job { name: "distance-similar", about: "edit distance, similar DNA", run: strings::distance_of_similar },
    Job { name: "pairs", about: "edit distances of pairs", run: pairs::listed },
    Job { name: "search-exact", about: "search, exact", run: search::exact },
    Job { name: "search-k1", about: "search, k = 1", run: search::one_error },
    Job { name: "search-k3", about: "search, k = 3", run: search::three_errors },
    Job { name: "best", about: "best match", run: search::best },
    Job { name: "diff", about: "diff of lines", run: diff::lines },
];

/// The name of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobName(pub &'static str);

impl FromStr for JobName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = || JOBS.iter().map(|job| job.name);
        let found = known().find(|&known| known == name);
        found.map(Self).ok_or_else(|| Error::UnknownName { what: "job", name: name.into(), known: known().collect() })
    }
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
    /// Its name, and how many a second it is.
    pub fn named(self) -> (&'static str, f64) {
        match self {
            Self::Tcups => ("TCUPS", 1e12),
            Self::GigabytesPerSecond => ("GB/s", 1e9),
            Self::MillionPairs => ("M pairs/s", 1e6),
            Self::MillionSymbols => ("M symbols/s", 1e6),
            Self::MillionLines => ("M lines/s", 1e6),
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
