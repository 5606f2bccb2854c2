//! Cuts a pattern into k + 1 disjoint pieces. An occurrence with at most k errors contains at least
//! one piece without errors.

/// Returns the greatest possible length of `count` disjoint pieces of these stretches; 0 if there
/// are no such pieces.
pub(super) fn longest_pieces(stretches: &[(usize, usize)], count: usize) -> usize {
    // Invariant: `count` pieces of `least` positions exist, but not of `most`.
    let (mut least, mut most) = (0, stretches.iter().map(|(_, length)| length).sum::<usize>() / count + 1);
    while most - least > 1 {
        let middle = least.midpoint(most);
        let pieces: usize = stretches.iter().map(|(_, length)| length / middle).sum();
        if pieces >= count { least = middle } else { most = middle }
    }
    least
}

/// Returns `count` pieces of these stretches, as (offset, length), each of at least `least`
/// positions. The pieces of a stretch cover it.
pub(super) fn pieces(stretches: &[(usize, usize)], count: usize, least: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut missing = count;
    stretches.iter().flat_map(move |&(start, length)| {
        let pieces = (length / least).min(missing);
        missing -= pieces;
        let border = move |piece: usize| start + length * piece / pieces;
        (0..pieces).map(move |piece| (border(piece), border(piece + 1) - border(piece)))
    })
}
