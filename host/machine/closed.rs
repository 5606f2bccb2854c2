//! Lemmas 1 and 2, exactly: the time units of the kernels in
//! [`contiguous`](crate::kernels::measure::contiguous).

use super::model::{Machine, Mode, Model};

/// The cells that the kernel accesses. See the [example](closed_form).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Thread i in turn t: cell pt + i.
    Contiguous,
    /// Thread i in turn t: cell b(pt + i), which is in bank (pt + i) mod w and in its own address
    /// group.
    Bank,
}

/// Returns the time units for p threads that access n cells of one word each; `None` if there is no
/// closed form here, and for no threads.
///
/// There are ⌈n/p⌉ turns. The last one has n mod p threads, if that is not 0. A turn of r threads
/// has ⌈r/w⌉ warps. The number of warp accesses of all turns is
///
/// > A = ⌊n/p⌋ ⌈p/w⌉ + ⌈(n mod p)/w⌉
///
/// **Stages.** On the DMM each access takes one stage, because w neighbours are in w different
/// banks: S = A. On the UMM
/// - by banks, each thread is in its own group: S = n;
/// - contiguous, a warp access takes one additional stage for each group border inside it. There
///   are ⌈n/w⌉ cells where a group starts. Each of them is inside a warp access, unless an access
///   starts there too. That happens in the turns that start at a multiple of L = lcm(p, w); there
///   are C = ⌈n/L⌉ such turns. In all other turns no warp's first cell is a multiple of w. Let
///   c = n - (C - 1) L be the number of cells from the last such turn on. Then
///
/// > S = A + ⌈n/w⌉ - (C - 1) ⌈p/w⌉ - ⌈min(p, c)/w⌉
///
/// **Lockstep.** Each turn of k stages takes k + l - 1 time units:
///
/// > T = S + ⌈n/p⌉ (l - 1)
///
/// If p is a multiple of w and n a multiple of p, this is lemma 1's (n/p)(p/w + l - 1). For p < w
/// the paper states (n/p) l, which holds on the UMM if p divides w: otherwise a turn may cross a
/// border.
///
/// **Free.** A warp starts a turn when its access in the turn before is done and the pipeline is
/// free. Let all turns but the last take s stages, k of them for the turn's first warp (k = 1, or
/// min(p, w) by banks on the UMM). Then a turn starts max(s, k + l - 1) after the one before it.
/// With ⌊n/p⌋ such turns and s' remaining stages,
///
/// > T = (⌊n/p⌋ - 1) max(s, k + l - 1) + s + l - 1, or
/// > T = ⌊n/p⌋ max(s, k + l - 1) + s' + l - 1 if s' > 0
///
/// On the UMM this holds for contiguous access if p is a multiple of w. If p < w there is a single
/// warp, and free is the same as lockstep. Otherwise there is no closed form here.
///
/// ```
/// use carrywave::machine::closed::{Pattern, closed_form};
/// use carrywave::machine::{Machine, Model};
///
/// let machine = Machine::new(Model::Umm, 32, 400);
/// assert_eq!(
///     closed_form(&machine, Pattern::Contiguous, 4096, 256),
///     Some(4096 / 256 * (256 / 32 + 400 - 1))
/// );
/// ```
pub fn closed_form(machine: &Machine, pattern: Pattern, n: u64, p: u64) -> Option<u64> {
    let w = machine.width;
    let l = machine.latency;
    if p == 0 || w == 0 || l == 0 || machine.word != 4 || machine.model == Model::Hmm {
        return None;
    }
    let turns = n / p;
    let rest = n % p;
    let spread = machine.model == Model::Umm && pattern == Pattern::Bank;
    // Stages of a turn of r threads that no border cuts.
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
