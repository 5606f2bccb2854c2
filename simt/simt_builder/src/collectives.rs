//! Counts the collectives of each kernel in its PTX.
//!
//! A barrier, a shuffle or a vote is an instruction that threads execute together. rustc 1.95 does
//! not mark functions with such instructions as convergent for LLVM, and an optimisation that
//! duplicates or drops one changes the kernel's meaning. So two compilations of one source must
//! have the same counts.

use crate::kernel_list::{Place, places};
use std::collections::BTreeMap;

/// The number of collective instructions of one kernel, by type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Collectives {
    /// Barriers of a block: `bar.sync`, `barrier.sync`, and those that vote.
    pub barriers: usize,
    /// Barriers of a warp: `bar.warp.sync`.
    pub warp_barriers: usize,
    /// Shuffles: `shfl.sync`.
    pub shuffles: usize,
    /// Votes: `vote.sync`.
    pub votes: usize,
    /// Matches: `match.sync`.
    pub matches: usize,
    /// Reductions: `redux.sync`.
    pub reductions: usize,
}

/// Counts the collectives of every kernel in a PTX text, by the kernel's name.
pub fn count(ptx: &str) -> BTreeMap<String, Collectives> {
    places(ptx).into_iter().map(|Place { name, range }| (name.to_owned(), of_kernel(&ptx[range]))).collect()
}

/// Returns true if an instruction is a collective.
pub(crate) fn is_collective(instruction: &str) -> bool {
    ["bar.", "barrier.", "shfl.", "vote.", "match.", "redux."].iter().any(|start| instruction.starts_with(start))
}

/// Counts the collectives in the PTX of a kernel.
fn of_kernel(ptx: &str) -> Collectives {
    let mut counts = Collectives::default();
    let code = ptx.lines().filter_map(|line| line.split("//").next());
    // An instruction may follow a predicate, and inline assembly may have several in one line.
    for word in code.flat_map(str::split_whitespace) {
        if word.starts_with("bar.warp.sync") {
            counts.warp_barriers += 1;
        } else if word.starts_with("bar.") || word.starts_with("barrier.") {
            counts.barriers += 1;
        } else if word.starts_with("shfl.sync") {
            counts.shuffles += 1;
        } else if word.starts_with("vote.sync") {
            counts.votes += 1;
        } else if word.starts_with("match.") {
            counts.matches += 1;
        } else if word.starts_with("redux.sync") {
            counts.reductions += 1;
        }
    }
    counts
}

/// Returns the kernels whose collectives differ between two compilations, or that only one of them
/// has.
pub fn differences(one: &str, other: &str) -> Vec<String> {
    let (one, other) = (count(one), count(other));
    let names: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    names.into_iter().filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

/// Returns true if a kernel has more barriers in one compilation than in the other.
pub(crate) fn has_more_barriers(one: &str, other: &str) -> bool {
    let other = count(other);
    count(one).iter().any(|(name, of_one)| other.get(name).is_some_and(|of_other| of_one.barriers > of_other.barriers))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "\
.visible .entry one(
\t.param .u64 one_param_0
)
{
\tbar.sync \t0; // bar.sync in a comment
\t@%p1 bar.warp.sync \t-1;
\tshfl.sync.up.b32 \t%r1, %r2, 1, 0, -1;
\tvote.sync.ballot.b32 \t%r1, %p1, -1;
\tmatch.any.sync.b32 \t%r1, %r2, -1;
\tredux.sync.add.s32 \t%r1, %r2, -1;
}
.visible .entry two(
)
{
\tret;
}
";

    #[test]
    fn each_kind_is_counted_in_its_kernel() {
        let one = Collectives { barriers: 1, warp_barriers: 1, shuffles: 1, votes: 1, matches: 1, reductions: 1 };
        let counts = count(PTX);
        assert_eq!(
            counts.into_iter().collect::<Vec<_>>(),
            [("one".into(), one), ("two".into(), Collectives::default())]
        );
    }

    #[test]
    fn a_copied_barrier_is_a_difference() {
        let copied = PTX.replacen("\tbar.sync \t0;", "\tbar.sync \t0;\n\tbar.sync \t0;", 1);
        assert_eq!(differences(PTX, &copied), ["one"]);
        assert_eq!(differences(PTX, PTX), [""; 0]);
        assert!(has_more_barriers(&copied, PTX) && !has_more_barriers(PTX, &copied));
        let without = PTX.split(".visible .entry two").next().unwrap();
        assert_eq!(differences(PTX, without), ["two"]);
    }
}
