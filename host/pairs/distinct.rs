//! The distinct strings of a list, for jobs that compare equal strings once.

use super::cluster::{Cluster, Member};
use super::strings::{PairString, Symbols};
use crate::error::Result;
use crate::memory;
use std::borrow::Cow;
use std::collections::HashMap;

/// A string as a key: equal strings have equal keys, whether given as bytes or as numbers.
#[derive(PartialEq, Eq, Hash)]
enum Key<'s> {
    Bytes(Cow<'s, [u8]>),
    /// Numbers, at least one of them above 255.
    Numbers(&'s [u32]),
}

impl<'s> Key<'s> {
    fn new(string: Symbols<'s>) -> Self {
        match string {
            Symbols::Bytes(bytes) => Self::Bytes(Cow::Borrowed(bytes)),
            Symbols::Numbers(numbers) if numbers.iter().all(|&number| number < 256) => {
                Self::Bytes(numbers.iter().map(|&number| number as u8).collect())
            }
            Symbols::Numbers(numbers) => Self::Numbers(numbers),
        }
    }
}

/// The distinct strings of a list, in the order of their first occurrences.
pub(super) struct Distinct<'s> {
    pub(super) strings: Vec<Symbols<'s>>,
    /// For each string of the list, the number of the distinct string that equals it.
    own: Vec<usize>,
}

impl<'s> Distinct<'s> {
    /// Finds the distinct strings. O(symbols).
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub(super) fn new<A: PairString>(list: &'s [A]) -> Result<Self> {
        memory::check::<[usize; 8]>(list.len(), "the clusters of strings")?;
        let mut strings = Vec::new();
        let mut firsts = HashMap::new();
        let number_of = |string: &'s A| {
            *firsts.entry(Key::new(string.symbols())).or_insert_with(|| {
                strings.push(string.symbols());
                strings.len() - 1
            })
        };
        let own = list.iter().map(number_of).collect();
        Ok(Self { strings, own })
    }

    /// Returns the number of strings in the list that equal each distinct string.
    pub(super) fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.strings.len()];
        self.own.iter().for_each(|&own| counts[own] += 1);
        counts
    }

    /// Returns the clusters of the list, given the representative of each distinct string and its
    /// distance to it.
    pub(super) fn clusters(&self, belongs: &[Belongs]) -> Vec<Cluster> {
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut places: HashMap<usize, Place> = HashMap::new();
        for (number, &own) in self.own.iter().enumerate() {
            let Belongs { to, distance } = belongs[own];
            let place = places.entry(to).or_insert_with(|| {
                clusters.push(Vec::new());
                Place { cluster: clusters.len() - 1, has_first: false }
            });
            let cluster = &mut clusters[place.cluster];
            cluster.push(Member { number, distance });
            if own == to && !std::mem::replace(&mut place.has_first, true) {
                cluster.rotate_right(1);
            }
        }
        clusters
    }
}

/// The cluster of a distinct string.
#[derive(Debug, Clone, Copy)]
pub(super) struct Belongs {
    /// Number of the distinct string that represents the cluster.
    pub(super) to: usize,
    pub(super) distance: u32,
}

/// A cluster that is being filled.
struct Place {
    cluster: usize,
    /// True if the representative is its first string.
    has_first: bool,
}
