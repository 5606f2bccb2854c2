//! Strings that are compared a fixed number at a time.

/// Writes the results of some strings, `L` at a time by `together`, which returns `None` for
/// strings that it does not take. The others are compared by `alone`.
pub(super) fn by_lanes<'s, const L: usize, T: Copy>(
    strings: &[&'s [u8]],
    results: &mut [T],
    mut together: impl FnMut(&[&'s [u8]; L]) -> Option<[T; L]>,
    alone: impl Fn(&[u8]) -> T,
) {
    for (strings, results) in strings.chunks(L).zip(results.chunks_mut(L)) {
        match strings.try_into().ok().and_then(&mut together) {
            Some(all) => results.copy_from_slice(&all),
            None => results.iter_mut().zip(strings).for_each(|(result, string)| *result = alone(string)),
        }
    }
}
