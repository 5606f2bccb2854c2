//! Adapters.

use super::ends::Place;
use super::finder::Finder;
use super::found::Found;
use super::notation::{self, Written};
use super::tolerance::AdapterSettings;
use crate::error::UsageFault;
use crate::{Error, Result};
use std::sync::Arc;

/// End of the read at which an adapter is. See the [example](Adapter).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AdapterEnd {
    /// The 3' end: the adapter and what follows it are removed.
    ThreePrime,
    /// The 5' end: the adapter and what precedes it are removed.
    FivePrime,
    /// Either: as a 5' adapter if its match has the first symbol of the read, otherwise as a 3'
    /// adapter.
    Either,
}

/// An adapter, or a 5' adapter linked with a 3' adapter.
///
/// | notation | meaning |
/// |---|---|
/// | `ACGT` | anywhere in the read, or partly over the end of the read at which it is |
/// | `^ACGT`, `ACGT$` | the start, or the end, of the read |
/// | `XACGT`, `ACGTX` | at the start, or the end, of the read, whole or in part |
/// | `ACGT...TTGA` | linked: a 5' adapter, then a 3' adapter |
/// | `NAME=ACGT` | with a name |
/// | `A{5}` | AAAAA |
/// | `ACGT;e=0.2;o=5` | with settings of its own |
///
/// The settings are `e`, `o`, `indels`, `noindels`, `rightmost` and `anywhere`, and in linked
/// adapters `required` and `optional`. Linked adapters of the 5' end are both required, those of
/// the 3' end if they have a mark.
///
/// ```
/// use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings};
///
/// let settings = AdapterSettings { errors: 1.0, ..Default::default() };
/// let adapter = Adapter::parse("left=^GATTACA...CCGGAA", AdapterEnd::ThreePrime, &settings)?;
/// assert_eq!(adapter.name(), Some("left"));
/// let back = adapter.back().unwrap();
/// assert_eq!((back.symbols(), back.find(b"TTTTCCGCAA").unwrap().errors), ("CCGGAA", 1));
/// assert!(Adapter::parse("GATTACA!", AdapterEnd::ThreePrime, &settings).is_err());
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Adapter {
    name: Option<String>,
    pub(super) kind: Kind,
}

/// A single adapter, or a linked one.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    Single(Arc<SingleAdapter>),
    Linked(Box<Linked>),
}

/// A 5' adapter and a 3' adapter behind it.
#[derive(Debug, Clone)]
pub(super) struct Linked {
    pub front: SingleAdapter,
    pub back: SingleAdapter,
    pub needs_front: bool,
    pub needs_back: bool,
}

impl Adapter {
    /// Parses an adapter. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`]: [`Syntax`](UsageFault::Syntax) for a notation or a symbol that is
    /// unknown, [`Combination`](UsageFault::Combination) for marks and settings that exclude one
    /// another, [`Empty`](UsageFault::Empty) without symbols other than N,
    /// [`Range`](UsageFault::Range) for more errors than symbols or an overlap of 0, and
    /// [`TooLarge`](UsageFault::TooLarge) above 10,000 symbols.
    pub fn parse(text: &str, end: AdapterEnd, defaults: &AdapterSettings) -> Result<Self> {
        Self::parse_in(text, end, defaults).map_err(|error| match error {
            Error::Usage { fault, reason } => fault.error(format!("adapter `{text}`: {reason}")),
            error => error,
        })
    }

    fn parse_in(text: &str, end: AdapterEnd, defaults: &AdapterSettings) -> Result<Self> {
        match text.split_once("...") {
            None => Self::single(notation::parse(text, unmarked(end), defaults)?),
            Some(_) if end == AdapterEnd::Either => {
                Err(UsageFault::Combination.error("an adapter of either end has no `...`"))
            }
            Some(("", "")) => Err(UsageFault::Empty.error("there is no adapter beside `...`")),
            Some(("", back)) if end == AdapterEnd::ThreePrime => {
                Self::single(notation::parse(back, Place::Back, defaults)?)
            }
            Some(("", _)) => Err(UsageFault::Combination.error("a 5' adapter has no `...` before it")),
            Some((front, "")) => Self::single(notation::parse(front, Place::Front, defaults)?),
            Some((front, back)) => {
                let front = notation::parse(front, Place::Front, defaults)?;
                let back = notation::parse(back, Place::Back, defaults)?;
                Self::linked(front, back, end == AdapterEnd::FivePrime)
            }
        }
    }

    fn single(written: Written) -> Result<Self> {
        if written.is_required.is_some() {
            return Err(UsageFault::Combination.error("`required` and `optional` are for linked adapters"));
        }
        Ok(Self { name: written.name.clone(), kind: Kind::Single(Arc::new(SingleAdapter::new(&written)?)) })
    }

    fn linked(front: Written, back: Written, needs_both: bool) -> Result<Self> {
        let needed = |part: &Written, unmarked| {
            let is_marked = part.place != unmarked;
            part.is_required.unwrap_or(needs_both || is_marked)
        };
        let linked = Linked {
            needs_front: needed(&front, Place::Front),
            needs_back: needed(&back, Place::Back),
            front: SingleAdapter::new(&front)?,
            back: SingleAdapter::new(&back)?,
        };
        Ok(Self { name: front.name, kind: Kind::Linked(Box::new(linked)) })
    }

    /// Sets the name. See the [example](Self::name).
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Returns the name, if there is one.
    ///
    /// ```
    /// use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings};
    ///
    /// let settings = AdapterSettings::default();
    /// let adapter = Adapter::parse("GATTACA", AdapterEnd::ThreePrime, &settings)?;
    /// assert_eq!(adapter.name(), None);
    /// assert_eq!(adapter.named("seven").name(), Some("seven"));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the 5' adapter, or the adapter of either end. See the [example](Found).
    pub fn front(&self) -> Option<&SingleAdapter> {
        match &self.kind {
            Kind::Linked(linked) => Some(&linked.front),
            Kind::Single(single) => Some(&**single).filter(|single| !single.is_back()),
        }
    }

    /// Returns the 3' adapter, or the adapter of either end. See the [example](Self).
    pub fn back(&self) -> Option<&SingleAdapter> {
        match &self.kind {
            Kind::Linked(linked) => Some(&linked.back),
            Kind::Single(single) => Some(&**single).filter(|single| !single.place.is_front()),
        }
    }

    /// Returns true if this is a 5' adapter linked with a 3' adapter.
    ///
    /// ```
    /// use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings};
    ///
    /// let settings = AdapterSettings::default();
    /// let adapter = Adapter::parse("GAT...ACA", AdapterEnd::FivePrime, &settings)?;
    /// assert!(adapter.is_linked());
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn is_linked(&self) -> bool {
        matches!(self.kind, Kind::Linked(_))
    }
}

fn unmarked(end: AdapterEnd) -> Place {
    match end {
        AdapterEnd::ThreePrime => Place::Back,
        AdapterEnd::FivePrime => Place::Front,
        AdapterEnd::Either => Place::Either,
    }
}

/// An adapter of one end. See the [example](Adapter).
#[derive(Debug, Clone)]
pub struct SingleAdapter {
    pub(super) place: Place,
    pub(super) finder: Finder,
    symbols: String,
}

impl SingleAdapter {
    fn new(written: &Written) -> Result<Self> {
        let symbols: String = written.symbols.to_ascii_uppercase().replace('U', "T").replace('I', "N");
        if symbols.is_empty() {
            return Err(UsageFault::Empty.error("the adapter has no symbols"));
        }
        let finder = Finder::new(symbols.as_bytes(), written)?;
        Ok(Self { place: written.place, finder, symbols })
    }

    fn is_back(&self) -> bool {
        matches!(self.place, Place::Back | Place::BackEnd | Place::Suffix)
    }

    /// Returns the symbols, in upper case, with T for U and N for I. See the [example](Adapter).
    pub fn symbols(&self) -> &str {
        &self.symbols
    }

    /// Returns the name of its place, as in reports: `regular_three_prime`, `anchored_five_prime`
    /// and others.
    ///
    /// ```
    /// use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings};
    ///
    /// let settings = AdapterSettings::default();
    /// let adapter = Adapter::parse("GATTACAGATTA$", AdapterEnd::ThreePrime, &settings)?;
    /// let back = adapter.back().unwrap();
    /// assert_eq!(back.kind(), "anchored_three_prime");
    /// assert_eq!((back.overlap(), back.error_rate()), (12, 0.1));
    /// assert_eq!((back.allows_indels(), back.error_lengths()), (true, vec![9, 12]));
    /// assert_eq!((back.allowed_errors(9), back.allowed_errors(10)), (0, 1));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn kind(&self) -> &'static str {
        match self.place {
            Place::Back if self.finder.is_reversed => "rightmost_three_prime",
            Place::Back => "regular_three_prime",
            Place::BackEnd => "noninternal_three_prime",
            Place::Suffix => "anchored_three_prime",
            Place::Front if self.finder.is_reversed => "rightmost_five_prime",
            Place::Front => "regular_five_prime",
            Place::FrontStart => "noninternal_five_prime",
            Place::Prefix => "anchored_five_prime",
            Place::Either => "anywhere",
        }
    }

    /// Returns the fewest symbols that an alignment has. See the [example](Self::kind).
    pub fn overlap(&self) -> usize {
        self.finder.aligner.overlap
    }

    /// Returns the errors allowed per aligned symbol. See the [example](Self::kind).
    pub fn error_rate(&self) -> f64 {
        self.finder.aligner.rate
    }

    /// Returns true if insertions and deletions are allowed. See the [example](Self::kind).
    pub fn allows_indels(&self) -> bool {
        self.finder.aligner.gap == 1
    }

    /// Returns the errors allowed in an alignment of `len` symbols of the adapter that are not N,
    /// at most all of them. See the [example](Self::kind).
    pub fn allowed_errors(&self, len: usize) -> usize {
        (len.min(self.counted()) as f64 * self.error_rate()) as usize
    }

    /// Returns, for each number of errors from 0, the most symbols that may have no more. See the
    /// [example](Self::kind).
    pub fn error_lengths(&self) -> Vec<usize> {
        let last = self.counted();
        let mut lengths: Vec<usize> = (1..=last)
            .filter(|len| self.allowed_errors(*len) > self.allowed_errors(len - 1))
            .map(|len| len - 1)
            .collect();
        lengths.push(last);
        lengths
    }

    /// Returns the number of symbols that are not N, if N matches all symbols.
    fn counted(&self) -> usize {
        let aligner = &self.finder.aligner;
        aligner.len - aligner.codes_before[aligner.len]
    }

    /// Returns the best match in a read, or `None`. O(n) if no part of the read is like the
    /// adapter, otherwise O(m n). See the [example](Found).
    pub fn find(&self, read: &[u8]) -> Option<Found> {
        self.find_with(read, &mut Vec::new())
    }

    /// Like [`find`](Self::find), with memory to use.
    pub(super) fn find_with(&self, read: &[u8], column: &mut super::alignment::Column) -> Option<Found> {
        let mut found = self.finder.find(read, column)?;
        found.is_front = match self.place {
            Place::Either => found.read.start == 0,
            place => place.is_front(),
        };
        Some(found)
    }
}
