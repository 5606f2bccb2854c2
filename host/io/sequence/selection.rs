//! Selects one record of a file by the names of all.

use super::Clipped;
use super::region::{By, Request};
use super::source::Source;
use crate::error::InputFault;
use crate::{Result, memory};
use std::fmt;

/// Number of names that an error lists; further records are only counted.
const LISTED: usize = 20;
/// Number of records that an error counts; a file of reads may have billions.
const COUNTED: u64 = 100_000;

/// Selection of the record that fits a request best.
pub(super) struct Selection<'r> {
    /// The request, or `None` for the only record.
    request: Option<Request<'r>>,
    names: Names,
    /// The criterion that the best record fits by.
    by: Option<By>,
    /// Numbers of the records that fit by this criterion, 1-based.
    matches: Vec<u64>,
}

/// The selected record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Selected {
    /// Number of the record, 1-based.
    pub number: u64,
    pub by: By,
}

impl<'r> Selection<'r> {
    pub fn new(request: Option<Request<'r>>) -> Self {
        Self { request, names: Names::default(), by: None, matches: Vec::new() }
    }

    /// Considers the next record. Returns the criterion if the record fits better than all before.
    pub fn consider(&mut self, header: &[u8]) -> Result<Option<By>> {
        if self.is_hopeless() {
            return Ok(None);
        }
        let header = String::from_utf8_lossy(header);
        let header = header.trim();
        let name = header.split_whitespace().next().unwrap_or("");
        self.names.add(name);
        let by = match &self.request {
            Some(request) => request.fits(name, header, self.names.count),
            None => Some(By::Name),
        };
        let Some(by) = by.filter(|&by| self.by.is_none_or(|best| by <= best)) else { return Ok(None) };
        let is_better = self.by != Some(by);
        if is_better {
            self.by = Some(by);
            self.matches.clear();
        }
        memory::reserve(&mut self.matches, 1, "the numbers of records")?;
        self.matches.push(self.names.count);
        Ok(is_better.then_some(by))
    }

    /// Returns true if there are certainly too many records, and enough have been counted for the
    /// error.
    pub fn is_hopeless(&self) -> bool {
        self.request.is_none() && self.names.count >= COUNTED
    }

    /// Returns the only record that fits best.
    ///
    /// # Errors
    /// [`Error::Input`](crate::Error::Input) if no record or several records fit.
    pub fn selected(&self, source: &Source) -> Result<Selected> {
        let names = &self.names;
        if let (&[number], Some(by)) = (&self.matches[..], self.by) {
            return Ok(Selected { number, by });
        }
        let Some(Request { text, .. }) = self.request else {
            return Err(source.wrong(InputFault::SeveralRecords, format!("several records: choose one of {names}")));
        };
        let wanted = Clipped(text, 60);
        if self.matches.is_empty() {
            return Err(source.wrong(InputFault::NoSuchRecord, format!("no record '{wanted}' in {names}")));
        }
        let matches = self.matches.len();
        let mut numbers: Vec<String> = self.matches.iter().take(LISTED).map(u64::to_string).collect();
        if matches > LISTED {
            numbers.push("others".into());
        }
        let last = numbers.pop().unwrap_or_default();
        let numbers = format!("{} and {last}", numbers.join(", "));
        let called = if self.by.is_some_and(By::is_region) { "fit" } else { "are called" };
        let reason = format!(
            "{matches} records {called} '{wanted}': numbers {numbers}; give one of the numbers, or the whole header line"
        );
        Err(source.wrong(InputFault::SameNames, reason))
    }
}

/// Summary of a file's records: "3 records: a, b, c".
#[derive(Default)]
struct Names {
    listed: Vec<String>,
    count: u64,
}

impl Names {
    fn add(&mut self, name: &str) {
        self.count += 1;
        if self.listed.len() < LISTED {
            self.listed.push(match name {
                "" => "(no name)".into(),
                name => Clipped(name, 60).to_string(),
            });
        }
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = if self.count == COUNTED { "at least " } else { "" };
        let plural = if self.count == 1 { "" } else { "s" };
        write!(f, "{least}{} record{plural}: {}", self.count, self.listed.join(", "))?;
        match self.count - self.listed.len() as u64 {
            0 => Ok(()),
            more => write!(f, " and {least}{more} more"),
        }
    }
}
