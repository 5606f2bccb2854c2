//! Lemmas 1 and 2, exactly: the time units of the kernels in [`contiguous`](crate::kernels::measure::contiguous).

use super::model::{Machine, Mode, Model};

/// The cells that the kernel accesses. See the [example](closed_form).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Thread i in turn t: cell pt + i.
    Contiguous,
    /// Thread i in turn t: cell b(pt + i), each in bank (pt + i) mod w and in an address group of its own.
    Bank,
}

/// The time units in which p threads access n cells of a word each; `None` where there is no closed form here, and for
/// no threads.
///
/// There are ⌈n/p⌉ turns, the last one of n mod p threads if that is not 0. A turn of r threads is one of ⌈r/w⌉ warps.
/// In all turns together the warp accesses are
///
/// > A = ⌊n/p⌋ ⌈p/w⌉ + ⌈(n mod p)/w⌉
///
/// **Stages.** On the DMM each takes one, as w neighbours are in w different banks: S = A. On the UMM
/// - by banks, each thread is in a group of its own: S = n;
/// - contiguous, a warp access takes one more stage for each border between groups inside it. Of the ⌈n/w⌉ cells at which a
///   group begins, all are inside of a warp access except where one begins there too. That is so in the turns that begin at a
///   multiple of L = lcm(p, w), of which there are C = ⌈n/L⌉; elsewhere no warp's first cell is a multiple of w. With c = n -
///   (C - 1) L cells from the last such turn on,
///
/// > S = A + ⌈n/w⌉ - (C - 1) ⌈p/w⌉ - ⌈min(p, c)/w⌉
///
/// **Lockstep.** Each turn of k stages takes k + l - 1:
///
/// > T = S + ⌈n/p⌉ (l - 1)
///
/// For p a multiple of w and n one of p that is lemma 1's (n/p)(p/w + l - 1). For p below w the paper says (n/p) l,
/// which on the UMM is so if p divides w: else a turn may cross a border.
///
/// **Free.** A warp begins a turn when its access in the turn before is done, and the pipeline is free. If all turns but
/// the last take s stages, and a turn's first warp k of them (1, or min(p, w) by banks on the UMM), a turn begins max(s, k + l - 1)
/// after the one before it. With ⌊n/p⌋ such turns and s' stages left,
///
/// > T = (⌊n/p⌋ - 1) max(s, k + l - 1) + s + l - 1, or ⌊n/p⌋ max(s, k + l - 1) + s' + l - 1 if s' > 0
///
/// On the UMM that holds for contiguous access if p is a multiple of w. If p is below w there is one warp, and free is
/// lockstep. For others there is no closed form here.
///
/// ```
/// use carrywave::machine::closed::{Pattern, closed_form};
/// use carrywave::machine::{Machine, Model};
///
/// let machine = Machine::new(Model::Umm, 32, 400);
/// assert_eq!(closed_form(&machine, Pattern::Contiguous, 4096, 256), Some(4096 / 256 * (256 / 32 + 400 - 1)));
/// ```
pub fn closed_form(machine: &Machine, pattern: Pattern, n: u64, p: u64) -> Option<u64> {
    let w = machine.width;
    let l = machine.latency;
    if p == 0 || w == 0 || l == 0 || machine.word != 4 {
        return None;
    }
    let turns = n / p;
    let rest = n % p;
    let spread = machine.model == Model::Umm && pattern == Pattern::Bank;
    // Stages of a turn of r threads that is not cut by a border.
    let stages = |r: u64| if spread { r } else { r.div_ceil(w) };
    let aligned = machine.model == Model::Dmm || spread || p.is_multiple_of(w);
    let borders = if aligned || n == 0 {
        0
    } else {
        let common = p / gcd(p, w) * w;
        let first = n.div_ceil(common) - 1;
        n.div_ceil(w) - first * p.div_ceil(w) - p.min(n - first * common).div_ceil(w)
    };
    if machine.mode == Mode::Lockstep || p <= w {
        return Some(turns * stages(p) + stages(rest) + borders + n.div_ceil(p) * (l - 1));
    }
    let first = if spread { p.min(w) } else { 1 };
    let period = stages(p).max(first + l - 1);
    match (turns, rest) {
        _ if !aligned => None,
        (0, 0) => Some(0),
        (_, 0) => Some((turns - 1) * period + stages(p) + l - 1),
        _ => Some(turns * period + stages(rest) + l - 1),
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
