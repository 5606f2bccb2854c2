//! Strings to compare in pairs: bytes, or numbers.

use crate::error::{Result, UsageFault};
use crate::memory;
use crate::pairwise::hashed::Hashed;
use crate::text::characters::numbers_of;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Symbols of a string. A byte equals the number with its value, so ASCII text as bytes can be
/// compared with the code points of other text.
///
/// ```
/// use carrywave::pairs::{Pairs, Symbols};
///
/// let (word, numbers) = (Symbols::Bytes(b"wave"), [119, 97, 8364, 101]);
/// assert_eq!((word.len(), word.is_empty()), (4, false));
/// assert_eq!(Pairs::new().listed(&[(word, Symbols::Numbers(&numbers))])?, [Some(1)]);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Symbols<'s> {
    /// One symbol per byte.
    Bytes(&'s [u8]),
    /// One symbol per number, such as a code point. Any numbers are allowed, and any number of
    /// different ones.
    Numbers(&'s [u32]),
}

impl<'s> Symbols<'s> {
    /// Returns the bytes, or an empty slice if the symbols are numbers.
    pub(super) fn as_bytes(self) -> &'s [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Numbers(_) => &[],
        }
    }

    /// Returns the number of symbols, as in the [example](Self).
    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    /// Returns true if there are no symbols, as in the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the symbols as numbers.
    pub(crate) fn to_numbers(self) -> Vec<u32> {
        match self {
            Self::Bytes(bytes) => bytes.iter().map(|&byte| byte.into()).collect(),
            Self::Numbers(numbers) => numbers.to_vec(),
        }
    }
}

impl Hashed for Symbols<'_> {
    fn len(&self) -> usize {
        Symbols::len(self)
    }

    fn for_each(&self, mut each: impl FnMut(u64)) {
        match self {
            Self::Bytes(bytes) => bytes.iter().for_each(|&byte| each(byte.into())),
            Self::Numbers(numbers) => numbers.iter().for_each(|&number| each(number.into())),
        }
    }
}

/// A string that [`Pairs`](super::Pairs) compares: any type that is bytes, [`Symbols`] as in their
/// [example](Symbols), or [`Characters`].
pub trait PairString {
    /// Returns the string's symbols. See the [example](Symbols).
    fn symbols(&self) -> Symbols<'_>;
}

impl<S: AsRef<[u8]>> PairString for S {
    #[inline]
    fn symbols(&self) -> Symbols<'_> {
        Symbols::Bytes(self.as_ref())
    }
}

impl PairString for Symbols<'_> {
    fn symbols(&self) -> Symbols<'_> {
        *self
    }
}

/// Text as a string of characters. A byte outside any UTF-8 character is a symbol of its own.
///
/// ```
/// use carrywave::pairs::{Characters, Pairs};
///
/// assert_eq!(Pairs::new().listed(&[("中", "国")])?, [Some(3)]);
/// let [a, b] = ["中", "国"].map(|text| Characters::new(text.as_bytes()));
/// assert_eq!(Pairs::new().listed(&[(a, b)])?, [Some(1)]);
/// let [a, b] = ["中", "国"].map(|text| Characters::of_bytes(text.as_bytes()));
/// assert_eq!(Pairs::new().listed(&[(a, b)])?, [Some(3)]);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Characters<'s>(Coded<'s>);

#[derive(Debug, Clone)]
enum Coded<'s> {
    Bytes(&'s [u8]),
    Numbers(Vec<u32>),
}

impl<'s> Characters<'s> {
    /// Returns the characters of a text, as in the [example](Self). ASCII is not copied.
    pub fn new(text: &'s [u8]) -> Self {
        Self(if text.is_ascii() { Coded::Bytes(text) } else { Coded::Numbers(numbers_of(text)) })
    }

    /// Returns a text whose bytes are the symbols, for lists with strings of both types, as in the
    /// [example](Self).
    pub fn of_bytes(text: &'s [u8]) -> Self {
        Self(Coded::Bytes(text))
    }
}

impl PairString for Characters<'_> {
    fn symbols(&self) -> Symbols<'_> {
        match &self.0 {
            Coded::Bytes(bytes) => Symbols::Bytes(bytes),
            Coded::Numbers(numbers) => Symbols::Numbers(numbers),
        }
    }
}

/// Returns the strings of a list.
///
/// # Errors
/// [`Error::Usage`](crate::Error::Usage) if one is too long,
/// [`Error::Memory`](crate::Error::Memory).
pub(super) fn symbols_of<S: PairString>(list: &[S]) -> Result<Vec<Symbols<'_>>> {
    memory::check::<Symbols<'_>>(list.len(), "a list of the strings")?;
    let list: Vec<Symbols<'_>> = list.iter().map(PairString::symbols).collect();
    check_lengths(list.iter().map(Symbols::len))?;
    Ok(list)
}

/// Number of pairs whose strings a thread lists together.
const LISTED_TOGETHER: usize = 1 << 13;

/// Returns the strings of pairs, or `None` unless all of them are bytes.
///
/// # Errors
/// As [`symbols_of`].
pub(super) fn pairs_of_bytes<'p, A: PairString + Sync, B: PairString + Sync>(
    pairs: &'p [(A, B)],
) -> Result<Option<Vec<[&'p [u8]; 2]>>> {
    memory::check::<[&[u8]; 2]>(pairs.len(), "a list of the pairs")?;
    let (are_bytes, are_short) = (AtomicBool::new(true), AtomicBool::new(true));
    let of_pair = |(a, b): &'p (A, B)| {
        let (Symbols::Bytes(a), Symbols::Bytes(b)) = (a.symbols(), b.symbols()) else {
            are_bytes.store(false, Ordering::Relaxed);
            return [&[][..]; 2];
        };
        if a.len().max(b.len()) > LONGEST {
            are_short.store(false, Ordering::Relaxed);
        }
        [a, b]
    };
    let bytes: Vec<[&[u8]; 2]> = pairs.par_iter().with_min_len(LISTED_TOGETHER).map(of_pair).collect();
    if !are_short.into_inner() {
        check_lengths(bytes.iter().flatten().map(|string| string.len()))?;
    }
    Ok(are_bytes.into_inner().then_some(bytes))
}

/// Number of symbols of the longest strings.
const LONGEST: usize = (1 << 30) - 1;

/// Returns an error for strings that are too long.
pub(super) fn check_lengths(mut lengths: impl Iterator<Item = usize>) -> Result<()> {
    match lengths.find(|&length| length > LONGEST) {
        Some(length) => Err(UsageFault::TooLarge.error(format!(
            "a string has {length} symbols, but many pairs support fewer than 2^30; compare long strings as single pairs"
        ))),
        None => Ok(()),
    }
}

/// Returns the strings as bytes, or `None` unless all of them are bytes.
pub(super) fn all_bytes<'s>(list: &[Symbols<'s>]) -> Option<Vec<&'s [u8]>> {
    let bytes = |string: &Symbols<'s>| match *string {
        Symbols::Bytes(bytes) => Some(bytes),
        Symbols::Numbers(_) => None,
    };
    // Most lists have strings of one type, so this checks all of them before copying any.
    if list.iter().any(|string| bytes(string).is_none()) {
        return None;
    }
    list.iter().map(bytes).collect()
}
