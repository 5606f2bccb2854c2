//! A text in segments, one a lane of a SIMD vector: where they begin, and the walk through them.
//!
//! ```text
//!            text  |------------------------------------------------------------|
//!      segment 0   [=================]
//!      segment 1                 [hh|=================]        h: halo, m + k - 1 symbols that the segment before has
//!      segment 2                                   [hh|=================]       too; ends there are not its own
//!                   ^ a step takes 64 U symbols of every segment: U vectors
//! ```
//!
//! An occurrence with at most k errors has at most m + k symbols, so a halo of one less holds all of it but its last
//! symbol.

use crate::cpu::class_test::ClassTest;
use crate::cpu::segment_isa::{MAX_LANES, SegmentIsa, WORD};
use crate::infix::End;
use crate::text::Pattern;

/// The words of a vector.
pub(super) type Words = [u64; MAX_LANES];

/// What goes through the segments, U vectors a step.
pub(super) trait Automaton<I: SegmentIsa, const U: usize> {
    /// Takes a step. `members` says, for each of the pattern's different classes, which symbols are in it. The answer is
    /// whether there may be an end, and if there may, [`errors`](Self::errors) tells.
    fn step(&mut self, members: &[[Words; U]]) -> bool;

    /// Calls `found` with vector, lane, bit and errors of every end of the last step, in order for each lane.
    fn errors(&mut self, found: &mut dyn FnMut(usize, usize, u32, u32));
}

/// Symbols before a segment that may belong to an occurrence which ends in it.
pub(super) fn halo(pattern: &Pattern, k: u32) -> usize {
    pattern.len().saturating_add(k as usize).saturating_sub(1)
}

/// The ends that an automaton finds.
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
    // No less than a segment's share of the text, so that the last one reaches its end.
    let stride = length - halo;
    let mut members = vec![[[0; MAX_LANES]; U]; classes.len()];
    let mut found: [Vec<End>; MAX_LANES] = Default::default();
    let past = [0; WORD];
    let mut last = [[0; WORD]; MAX_LANES];
    for at in (0..length).step_by(U * WORD) {
        for u in 0..U {
            let start = |lane: usize| lane * stride + at + u * WORD;
            // After the text's end, anything will do.
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
