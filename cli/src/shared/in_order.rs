//! Blocks of a file that all threads work on, with the results in the order of the file.

use carrywave::internal::threads::Crew;
use carrywave::{Error, Result};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

/// Works on blocks by all threads, and takes the results in the order of the blocks. One more
/// thread reads ahead, if there are several. The first error ends it.
///
/// # Errors
/// Those of the functions, and [`Error::Threads`].
pub fn in_order<B: Send + 'static, D: Send + 'static>(
    mut next: impl FnMut() -> Result<Option<B>> + Send + 'static,
    work: impl Fn(B) -> Result<D> + Send + Sync + 'static,
    mut take: impl FnMut(D) -> Result<()>,
) -> Result<()> {
    let threads = rayon::current_num_threads();
    let work = Arc::new(work);
    let shared = Arc::clone(&work);
    let crew = if threads > 1 { Crew::start(threads, move |block| shared(block)) } else { None };
    let Some(mut crew) = crew else {
        while let Some(block) = next()? {
            take(work(block)?)?;
        }
        return Ok(());
    };
    let reader = Reader::start(next)?;
    for block in &reader.blocks {
        while !crew.has_room() {
            if let Some(done) = crew.pop().map_err(stopped)? {
                take(done?)?;
            }
        }
        crew.push(block?).map_err(stopped)?;
    }
    reader.end()?;
    while let Some(done) = crew.pop().map_err(stopped)? {
        take(done?)?;
    }
    Ok(())
}

/// A thread that reads ahead. After an error elsewhere nothing waits for it, as it may be waiting
/// for a pipe.
struct Reader<B> {
    blocks: Receiver<Result<B>>,
    thread: JoinHandle<()>,
}

impl<B: Send + 'static> Reader<B> {
    fn start(mut next: impl FnMut() -> Result<Option<B>> + Send + 'static) -> Result<Self> {
        let (give, blocks) = mpsc::sync_channel(2);
        let read = move || {
            while let Some(block) = next().transpose() {
                let is_last = block.is_err();
                if give.send(block).is_err() || is_last {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("reader".into()).spawn(read).map_err(stopped)?;
        Ok(Self { blocks, thread })
    }

    /// Checks that all blocks have come.
    fn end(self) -> Result<()> {
        let panicked = |_| stopped(io::Error::other("the reading thread stopped, which is a bug in carrywave"));
        self.thread.join().map_err(panicked)
    }
}

fn stopped(source: io::Error) -> Error {
    Error::Threads(source.to_string())
}
