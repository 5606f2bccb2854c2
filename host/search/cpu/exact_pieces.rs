//! Pieces of a pattern, of which an occurrence with at most k errors has one without errors: k + 1 that have no position in common.

/// The greatest length that so many pieces of these stretches can have, with no position in common; 0 if there are none.
pub(super) fn longest_pieces(stretches: &[(usize, usize)], count: usize) -> usize {
    // There are so many of `least` positions, and not of `most`.
    let (mut least, mut most) = (0, stretches.iter().map(|(_, length)| length).sum::<usize>() / count + 1);
    while most - least > 1 {
        let middle = least.midpoint(most);
        let pieces: usize = stretches.iter().map(|(_, length)| length / middle).sum();
        if pieces >= count { least = middle } else { most = middle }
    }
    least
}

/// So many pieces of these stretches, as (offset, length), each of `least` positions or more: all of a stretch that any are of.
pub(super) fn pieces(stretches: &[(usize, usize)], count: usize, least: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut missing = count;
    stretches.iter().flat_map(move |&(start, length)| {
        let pieces = (length / least).min(missing);
        missing -= pieces;
        let border = move |piece: usize| start + length * piece / pieces;
        (0..pieces).map(move |piece| (border(piece), border(piece + 1) - border(piece)))
    })
}
