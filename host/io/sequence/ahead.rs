//! Reads the next parts in a thread of their own while the caller works on the current one.

use super::builder::{Limits, join};
use super::source::Source;
use crate::text::parts::{Part, Parts};
use crate::{Error, Result};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// Hands out the parts of another reader, which reads ahead: one part is ready while the next is
/// read. Parts smaller than the limits, such as those of a pipe, are joined until the caller takes
/// them.
pub(super) enum Ahead<P> {
    Thread(Arc<Shared>),
    /// Reads in the caller's thread, if no thread could be started.
    Here(P),
}

/// State shared by the reading thread and the caller.
#[derive(Default)]
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    part: Option<Part>,
    /// Buffer for the symbols of a later part.
    spare: Option<Vec<u8>>,
    /// End of the input, or the error that ended it.
    end: Option<Result<()>>,
    /// True if the caller takes no more parts.
    is_dropped: bool,
}

impl<P: Parts + 'static> Ahead<P> {
    /// Starts reading.
    pub fn start(parts: P, limits: Limits, source: Source) -> Self {
        let shared = Arc::new(Shared::default());
        let (give, given) = mpsc::channel::<P>();
        let thread = thread::Builder::new().name("reader".into()).spawn({
            let shared = Arc::clone(&shared);
            move || {
                let end = End { shared: &shared, source };
                if let Ok(parts) = given.recv() {
                    end.set(read(parts, &shared, limits));
                }
            }
        });
        if thread.is_err() {
            return Self::Here(parts);
        }
        match give.send(parts) {
            Ok(()) => Self::Thread(shared),
            Err(mpsc::SendError(parts)) => Self::Here(parts),
        }
    }
}

impl<P: Parts> Parts for Ahead<P> {
    fn next_part(&mut self) -> Result<Option<Part>> {
        match self {
            Self::Thread(shared) => shared.take(),
            Self::Here(parts) => parts.next_part(),
        }
    }

    fn recycle(&mut self, symbols: Vec<u8>) {
        match self {
            Self::Thread(shared) => shared.lock().spare = Some(symbols),
            Self::Here(parts) => parts.recycle(symbols),
        }
    }
}

impl<P> Drop for Ahead<P> {
    /// The thread ends when it has the next part. This does not wait for it, as the thread may be
    /// waiting for a pipe.
    fn drop(&mut self) {
        if let Self::Thread(shared) = self {
            shared.lock().is_dropped = true;
            shared.changed.notify_all();
        }
    }
}

/// Reads until the end, or until the caller takes no more parts.
fn read(mut parts: impl Parts, shared: &Shared, limits: Limits) -> Result<()> {
    while let Some(part) = parts.next_part()? {
        if !shared.put(part, limits)? {
            break;
        }
        let spare = shared.lock().spare.take();
        if let Some(symbols) = spare {
            parts.recycle(symbols);
        }
    }
    Ok(())
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands over a part as soon as there is room for it. Returns false if the caller takes no more
    /// parts.
    fn put(&self, part: Part, limits: Limits) -> Result<bool> {
        let mut state = self.lock();
        while !state.is_dropped {
            match &mut state.part {
                None => {
                    state.part = Some(part);
                    self.changed.notify_all();
                    return Ok(true);
                }
                Some(before) if limits.fit(before, &part) => return join(before, part).map(|()| true),
                Some(_) => state = self.wait(state),
            }
        }
        Ok(false)
    }

    fn take(&self) -> Result<Option<Part>> {
        let mut state = self.lock();
        loop {
            if let Some(part) = state.part.take() {
                self.changed.notify_all();
                return Ok(Some(part));
            }
            if let Some(end) = &mut state.end {
                return std::mem::replace(end, Ok(())).map(|()| None);
            }
            state = self.wait(state);
        }
    }
}

/// Records how the thread ended, even if it panics.
struct End<'s> {
    shared: &'s Shared,
    source: Source,
}

impl End<'_> {
    fn set(&self, end: Result<()>) {
        self.shared.lock().end.get_or_insert(end);
        self.shared.changed.notify_all();
    }
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        let fault = io::Error::other("the reading thread stopped, which is a bug in carrywave");
        self.set(Err::<(), Error>(self.source.io(fault)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parts::PartRecord;

    /// Parts of one symbol each, and a message when there are no more.
    struct Symbols(u64, u64, mpsc::Sender<()>);

    impl Parts for Symbols {
        fn next_part(&mut self) -> Result<Option<Part>> {
            let number = self.0;
            if number == self.1 {
                // The test may have ended already.
                let _ = self.2.send(());
                return Ok(None);
            }
            self.0 += 1;
            let record =
                PartRecord { number, name: None, range: 0..1, before: 0, place: 0, is_whole: true, fastq: None };
            Ok(Some(Part { symbols: vec![b'a' + number as u8], records: vec![record] }))
        }
    }

    #[test]
    fn small_parts_become_one_until_somebody_takes_it() {
        let (done, is_done) = mpsc::channel();
        let source = Source::new("test", "test");
        let mut ahead = Ahead::start(Symbols(0, 5, done), Limits::new(10, false), source);
        is_done.recv().unwrap();
        let part = ahead.next_part().unwrap().unwrap();
        assert_eq!((&part.symbols[..], part.records[4].range.clone()), (&b"abcde"[..], 4..5));
        assert_eq!(ahead.next_part().unwrap(), None);
    }

    #[test]
    fn parts_are_no_larger_than_they_may_be_and_none_is_lost() {
        let (done, _) = mpsc::channel();
        let mut ahead = Ahead::start(Symbols(0, 26, done), Limits::new(4, false), Source::new("test", "test"));
        let mut symbols = Vec::new();
        while let Some(part) = ahead.next_part().unwrap() {
            assert!(part.symbols.len() <= 4);
            symbols.extend(part.symbols);
        }
        assert_eq!(symbols, (b'a'..=b'z').collect::<Vec<_>>());
    }

    #[test]
    fn a_record_that_goes_on_is_one_again() {
        let record = |range: std::ops::Range<usize>, before, is_whole| PartRecord {
            number: 3,
            name: None,
            range,
            before,
            place: 0,
            is_whole,
            fastq: None,
        };
        // Without and with symbols that the next part repeats.
        for (next, range) in [(&b"cd"[..], 0..1), (b"bcd", 1..2), (b"abcd", 2..3)] {
            let mut part = Part { symbols: b"ab".to_vec(), records: vec![record(0..2, 0, false)] };
            join(&mut part, Part { symbols: next.to_vec(), records: vec![record(range, 2, true)] }).unwrap();
            assert_eq!(part, Part { symbols: b"abcd".to_vec(), records: vec![record(0..3, 0, true)] });
        }
    }
}
