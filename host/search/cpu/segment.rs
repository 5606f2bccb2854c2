//! A text in segments, one per lane of a SIMD vector: their bounds, and the loop over them.
//!
//! ```text
//!            text  |------------------------------------------------------------|
//!      segment 0   [=================]
//!      segment 1                 [hh|=================]
//!      segment 2                                   [hh|=================]
//!                  ^ a step takes 64 U symbols of every segment (U vectors)
//!      h: halo, m + k - 1 symbols of the segment before, whose ends are dropped
//! ```
//!
//! An occurrence with at most k errors has at most m + k symbols, so a halo of m + k - 1 symbols
//! holds all of it but its last symbol.

use crate::cpu::class_test::ClassTest;
use crate::cpu::segment_isa::{MAX_LANES, SegmentIsa, WORD};
use crate::infix::End;
use crate::text::Pattern;

/// The words of a vector.
pub(super) type Words = [u64; MAX_LANES];

/// A search that runs over the segments, U vectors per step.
pub(super) trait Automaton<I: SegmentIsa, const U: usize> {
    /// Runs one step. `members` holds, for each of the pattern's different classes, the symbols
    /// that are in it. Returns true if the step may have ends, which [`errors`](Self::errors) then
    /// lists.
    fn step(&mut self, members: &[[Words; U]]) -> bool;

    /// Calls `found` with the vector, lane, bit and errors of every end of the last step, in order
    /// for each lane.
    fn errors(&mut self, found: &mut dyn FnMut(usize, usize, u32, u32));
}

/// Returns the number of symbols before a segment that an occurrence with its end in the segment
/// may cover.
pub(super) fn halo(pattern: &Pattern, k: u32) -> usize {
    pattern.len().saturating_add(k as usize).saturating_sub(1)
}

/// Returns the ends that an automaton finds.
#[inline(always)]
pub(super) fn ends<I: SegmentIsa, A: Automaton<I, U>, const U: usize>(
    isa: I,
    mut automaton: A,
    text: &[u8],
    classes: &[ClassTest],
    halo: usize,
) -> Vec<End> {
    let lanes = I::LANES;
    let length = (text.len().saturating_sub(halo).div_ceil(lanes) + halo).next_multiple_of(U * WORD);
    // At least a segment's share of the text, so that the last segment reaches the text's end.
    let stride = length - halo;
    let mut members = vec![[[0; MAX_LANES]; U]; classes.len()];
    let mut found: [Vec<End>; MAX_LANES] = Default::default();
    let past = [0; WORD];
    let mut last = [[0; WORD]; MAX_LANES];
    for at in (0..length).step_by(U * WORD) {
        for u in 0..U {
            let start = |lane: usize| lane * stride + at + u * WORD;
            // After the text's end, any value will do.
            for (lane, last) in last.iter_mut().enumerate().take(lanes) {
                if let Some(rest) = text.get(start(lane)..)
                    && rest.len() < WORD
                {
                    last[..rest.len()].copy_from_slice(rest);
                }
            }
            let words: [&[u8; WORD]; MAX_LANES] = std::array::from_fn(|lane| match text.get(start(lane)..) {
                _ if lane >= lanes => &past,
                Some(rest) => rest.first_chunk().unwrap_or(&last[lane]),
                None => &past,
            });
            for (class, members) in classes.iter().zip(&mut members) {
                isa.members(class, &words, &mut members[u]);
            }
        }
        if automaton.step(&members) {
            automaton.errors(&mut |u, lane, bit, errors| {
                let in_segment = at + u * WORD + bit as usize;
                let end = lane * stride + in_segment + 1;
                if (lane == 0 || in_segment >= halo) && end <= text.len() {
                    found[lane].push(End { end: end as u64, errors });
                }
            });
        }
    }
    found.concat()
}
