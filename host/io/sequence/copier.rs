//! Appends long pieces of bytes by several threads: one thread copies at a fraction of the memory's
//! speed.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem::MaybeUninit;

/// Length in bytes of the shortest piece that several threads copy.
const LONG: usize = 1 << 18;
/// Upper bound on the threads that copy. More threads are not faster.
const THREADS: usize = 4;

/// Appends bytes to vectors.
///
/// Its threads are its own: those of the caller's pool may all wait for a reader.
#[derive(Debug, Default)]
pub(super) struct Copier {
    /// The threads that help the caller.
    helpers: Option<ThreadPool>,
}

impl Copier {
    /// Returns a copier that uses up to `threads` threads, or one thread if the system starts no
    /// others.
    pub fn new(threads: usize) -> Self {
        let helpers = threads.min(THREADS).saturating_sub(1);
        let pool = (helpers > 0).then(|| ThreadPoolBuilder::new().num_threads(helpers).build());
        Self { helpers: pool.and_then(Result::ok) }
    }

    /// Appends `from` to `to`. O(`from`).
    pub fn append(&self, to: &mut Vec<u8>, from: &[u8]) {
        let Some(helpers) = self.helpers.as_ref().filter(|_| from.len() >= LONG) else {
            return to.extend_from_slice(from);
        };
        to.reserve(from.len());
        let len = to.len() + from.len();
        let piece = from.len().div_ceil(helpers.current_num_threads() + 1);
        let mut pieces = to.spare_capacity_mut().chunks_mut(piece).zip(from.chunks(piece));
        helpers.in_place_scope(|scope| {
            let own = pieces.next();
            pieces.for_each(|(to, from)| scope.spawn(|_| write(to, from)));
            own.into_iter().for_each(|(to, from)| write(to, from));
        });
        // SAFETY: the pieces of `from` have been written to the first bytes of the spare capacity,
        // one behind another. If a thread had panicked, the scope would not have returned.
        unsafe { to.set_len(len) };
    }
}

/// Writes `from` to the start of `to`.
fn write(to: &mut [MaybeUninit<u8>], from: &[u8]) {
    to[..from.len()].write_copy_of_slice(from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_threads_appends_the_same_bytes() {
        let from: Vec<u8> = (0..3 * LONG + 7).map(|number| ((number * number) >> 7) as u8).collect();
        for threads in 0..7 {
            let copier = Copier::new(threads);
            for len in [0, 1, LONG - 1, LONG, LONG + 1, 2 * LONG + 3, from.len()] {
                let mut to = b"before".to_vec();
                copier.append(&mut to, &from[..len]);
                copier.append(&mut to, b"behind");
                assert!(to == [b"before", &from[..len], b"behind"].concat(), "{threads} {len}");
            }
        }
    }
}
