//! The list of benchmark jobs.

use super::job::Job;
use super::{diff, pairs, search, strings};
use carrywave::{Error, Result};
use std::str::FromStr;

/// All jobs, in the order of the report.
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

/// Name of a job.
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
