//! Clusters of UMIs by the directional method.

use super::super::packed::code;
use crate::error::{Error, Result, UsageFault};
use crate::memory;
use foldhash::fast::RandomState;
use hashbrown::HashMap;

/// Greatest number of bases of a UMI.
pub(super) const MOST_BASES: usize = 31;

/// Maximum number of UMIs for a comparison of all pairs.
const FEW: usize = 48;

/// A UMI and its number of reads. As in the [example](super).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Umi {
    /// Bases A, C, G, T or U, in upper or lower case.
    pub bases: Vec<u8>,
    /// Number of reads.
    pub count: u64,
}

impl Umi {
    /// Returns a UMI with its number of reads. As in the [example](super).
    pub fn new(bases: impl Into<Vec<u8>>, count: u64) -> Self {
        Self { bases: bases.into(), count }
    }
}

/// UMIs that count as one molecule. As in the [example](super).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cluster {
    /// Numbers of the UMIs in the list, by falling count, then by their bases. The first took the
    /// others.
    pub members: Vec<usize>,
    /// Number of reads of all members.
    pub count: u64,
}

/// Returns the clusters of different UMIs of one length, by the count of their first members, then
/// by its bases. UMIs with equal counts are visited in alphabetical order; the number of clusters
/// does not depend on this order. O(n log n + n × bases) time. As in the [example](super).
///
/// # Errors
/// [`Error::Pattern`] with the UMI's number, from 0: with [`Syntax`](UsageFault::Syntax) for a
/// letter that is no base, with [`TooLarge`](UsageFault::TooLarge) for more than 31 bases, with
/// [`Mismatch`](UsageFault::Mismatch) for another length than the first has, with
/// [`Combination`](UsageFault::Combination) for a UMI that is in the list twice;
/// [`Error::Usage`] with [`TooLarge`](UsageFault::TooLarge) for 2^32 UMIs; [`Error::Memory`].
pub fn directional(umis: &[Umi]) -> Result<Vec<Cluster>> {
    if u32::try_from(umis.len()).is_err() {
        return Err(UsageFault::TooLarge.error(format!("{} UMIs are more than 2^32 - 1", umis.len())));
    }
    let len = umis.first().map_or(0, |umi| umi.bases.len());
    let mut ranked = Vec::new();
    memory::reserve(&mut ranked, umis.len(), "UMIs")?;
    for (number, umi) in umis.iter().enumerate() {
        let refused = |fault, reason| Error::Pattern { number, fault, reason };
        if umi.bases.len() > MOST_BASES {
            let reason = format!("has {} bases; a UMI has at most {MOST_BASES}", umi.bases.len());
            return Err(refused(UsageFault::TooLarge, reason));
        }
        if umi.bases.len() != len {
            let reason = format!("has {} bases, and the first UMI has {len}", umi.bases.len());
            return Err(refused(UsageFault::Mismatch, reason));
        }
        let packed = packed(&umi.bases);
        let packed =
            packed.ok_or_else(|| refused(UsageFault::Syntax, "has a letter other than A, C, G and T".into()))?;
        ranked.push(Ranked { packed, count: umi.count, number: number as u32 });
    }
    ranked.sort_unstable_by_key(|umi| (umi.packed, umi.number));
    if let Some([first, second]) = ranked.array_windows().find(|[a, b]| a.packed == b.packed) {
        let reason = format!("is the same as UMI {} of the list", first.number + 1);
        return Err(Error::Pattern { number: second.number as usize, fault: UsageFault::Combination, reason });
    }
    let mut clusters: Vec<Cluster> = Vec::new();
    let owners = owners(&mut ranked, len)?;
    for (umi, &cluster) in ranked.iter().zip(&owners.clusters) {
        if cluster as usize == clusters.len() {
            clusters.push(Cluster { members: Vec::new(), count: 0 });
        }
        let own = &mut clusters[cluster as usize];
        own.members.push(umi.number as usize);
        own.count = own.count.saturating_add(umi.count);
    }
    Ok(clusters)
}

/// Packs bases so that the order of words is that of the bases; `None` if one is unknown.
pub(super) fn packed(bases: &[u8]) -> Option<u64> {
    bases.iter().try_fold(0, |word, &base| Some(word << 2 | u64::from(code(base)?)))
}

/// A packed UMI with its number of reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub packed: u64,
    pub count: u64,
    /// Number in the caller's list.
    pub number: u32,
}

/// The cluster of each UMI.
pub(super) struct Owners {
    /// Number of the cluster, by UMI. The first UMI of a cluster comes before all that follow it.
    pub clusters: Vec<u32>,
    /// Number of clusters.
    pub count: u32,
}

/// No cluster yet.
const FREE: u32 = u32::MAX;

/// Sorts UMIs of `len` bases by falling count, then by their bases, and returns their clusters.
pub(super) fn owners(umis: &mut [Ranked], len: usize) -> Result<Owners> {
    umis.sort_unstable_by_key(|umi| (std::cmp::Reverse(umi.count), umi.packed));
    let neighbours = Neighbours::new(umis, len)?;
    let mut clusters = memory::filled(umis.len(), FREE, "clusters of UMIs")?;
    let mut count = 0;
    let mut queue = Vec::new();
    for root in 0..umis.len() {
        if clusters[root] != FREE {
            continue;
        }
        clusters[root] = count;
        queue.push(root);
        // The order of the search does not matter: a cluster has all that can be reached.
        while let Some(from) = queue.pop() {
            neighbours.each(umis, from, |to| {
                let is_taken = u128::from(umis[from].count) + 1 >= 2 * u128::from(umis[to].count);
                if is_taken && clusters[to] == FREE {
                    clusters[to] = count;
                    queue.push(to);
                }
            });
        }
        count += 1;
    }
    Ok(Owners { clusters, count })
}

/// Finds the UMIs that differ in one base.
enum Neighbours {
    /// By comparison with all.
    Compared,
    /// By a table of the UMIs.
    Listed { table: HashMap<u64, u32, RandomState>, len: usize },
}

impl Neighbours {
    fn new(umis: &[Ranked], len: usize) -> Result<Self> {
        if umis.len() <= FEW {
            return Ok(Self::Compared);
        }
        memory::check::<[u64; 3]>(umis.len(), "a table of UMIs")?;
        let mut table = HashMap::with_capacity_and_hasher(umis.len(), RandomState::default());
        table.extend(umis.iter().enumerate().map(|(at, umi)| (umi.packed, at as u32)));
        Ok(Self::Listed { table, len })
    }

    /// Calls `visit` with each UMI that differs in one base.
    fn each(&self, umis: &[Ranked], from: usize, mut visit: impl FnMut(usize)) {
        let own = umis[from].packed;
        match self {
            Self::Compared => {
                for (at, umi) in umis.iter().enumerate() {
                    let differs = own ^ umi.packed;
                    if ((differs | differs >> 1) & 0x5555_5555_5555_5555).count_ones() == 1 {
                        visit(at);
                    }
                }
            }
            Self::Listed { table, len } => {
                for base in 0..*len {
                    for change in 1..4 {
                        if let Some(&at) = table.get(&(own ^ change << (2 * base))) {
                            visit(at as usize);
                        }
                    }
                }
            }
        }
    }
}
