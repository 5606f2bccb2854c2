//! What the program asks of its process: threads, memory, signals, standard output.

use super::notes::note;
use carrywave::Result;
use carrywave::error::{UsageFault, without_number};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Threads at most.
const MOST_THREADS: usize = 4096;

/// The exit code of a run that could not be done.
static FAILURE: AtomicU8 = AtomicU8::new(1);

/// Says with which exit code a run ends that could not be done, and has signals remove the drafts of output files.
pub fn begin(failure: u8) {
    FAILURE.store(failure, Ordering::Relaxed);
    #[cfg(unix)]
    signals::handle();
}

/// Starts the threads that compute: so many, or as many as `RAYON_NUM_THREADS` says, or one for each core. Where the system has no
/// threads to give, this one computes alone.
///
/// # Errors
/// [`Error::Usage`](carrywave::Error::Usage) for a number that is out of range.
pub fn start_threads(asked: Option<usize>) -> Result<rayon::ThreadPool> {
    let refused = |source: &str, number: &str| {
        UsageFault::Range.error(format!("{source} takes 1 to {MOST_THREADS}, not {number}"))
    };
    let threads = match (asked, std::env::var("RAYON_NUM_THREADS")) {
        (Some(threads), _) if (1..=MOST_THREADS).contains(&threads) => threads,
        (Some(threads), _) => return Err(refused("--threads", &threads.to_string())),
        // As rayon does, 0 and what is no number stand for one thread a core.
        (None, Ok(text)) => match text.parse::<u128>() {
            Ok(threads) if threads > MOST_THREADS as u128 => return Err(refused("RAYON_NUM_THREADS", &text)),
            Ok(threads) => threads as usize,
            Err(_) => 0,
        },
        (None, Err(_)) => 0,
    };
    let builder = || rayon::ThreadPoolBuilder::new();
    // Threads that take all addresses before one of them is refused leave none for the work.
    let pool = if stacks_fit(threads) {
        builder().num_threads(threads).build().map_err(|error| without_number(&error.to_string()).to_owned())
    } else {
        Err("their stacks are more than the limit of addresses".into())
    };
    pool.or_else(|error| {
        note(&format!("the threads cannot be started ({error}); one thread computes alone"));
        let alone = builder().num_threads(1).use_current_thread().build();
        alone.map_err(|error| UsageFault::Engine.error(format!("not even one thread can compute: {error}")))
    })
}

/// Whether the stacks of so many threads are within the process's limit of addresses.
fn stacks_fit(threads: usize) -> bool {
    #[cfg(unix)]
    {
        // What the standard library gives a thread.
        const STACK: u64 = 2 << 20;
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the call writes to a limit that is there.
        let is_known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) } == 0;
        !is_known || threads as u64 * STACK <= limit.rlim_cur
    }
    #[cfg(not(unix))]
    true
}

/// Whether standard output was closed when the program began. Rust's runtime opens /dev/null in its place, so that writing succeeds.
pub fn stdout_is_closed() -> bool {
    STDOUT_IS_CLOSED.load(Ordering::Relaxed)
}

static STDOUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

// Before main, and before the runtime, of which it needs nothing.
#[cfg(unix)]
ctor::declarative::ctor! {
    #[ctor(unsafe)]
    fn look_at_stdout() {
        // SAFETY: asks for a descriptor's flags.
        let open = unsafe { libc::fcntl(1, libc::F_GETFD) } != -1;
        STDOUT_IS_CLOSED.store(!open, Ordering::Relaxed);
    }
}

/// The system's allocator. When memory is out and the one who asked for it has no other way, it ends the program with a line and the
/// exit code of a run that could not be done, where Rust would abort.
pub struct OrEnd;

// SAFETY: all is done by the system's allocator.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for this function.
        or_end(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as for this function.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for this function.
        or_end(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for this function.
        or_end(unsafe { System.realloc(memory, layout, size) }, size)
    }
}

#[inline(always)]
fn or_end(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() && !carrywave::memory::is_checking() {
        end(size)
    }
    memory
}

/// Ends the program without allocating, and without a lock that somebody may hold.
#[cold]
fn end(size: usize) -> ! {
    use std::io::Write;
    let mut line = [0u8; 96];
    let mut rest = &mut line[..];
    let _ = writeln!(rest, "carrywave: out of memory: {} MiB cannot be had", size.div_ceil(1 << 20));
    let unused = rest.len();
    let line = &line[..line.len() - unused];
    let code = FAILURE.load(Ordering::Relaxed).into();
    #[cfg(unix)]
    {
        carrywave::io::output::remove_drafts();
        // SAFETY: the line's bytes; and the process ends here, whatever its threads are doing.
        unsafe {
            libc::write(2, line.as_ptr().cast(), line.len());
            libc::_exit(code)
        }
    }
    #[cfg(not(unix))]
    {
        let _ = std::io::stderr().write_all(line);
        std::process::exit(code)
    }
}

#[cfg(unix)]
mod signals {
    use std::ffi::c_int;

    /// Those that end a program by default, and that it may be sent.
    const ENDING: [c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGXCPU];

    /// Has them remove drafts before they end the program; but for those that are ignored, as by nohup.
    pub fn handle() {
        for signal in ENDING.into_iter().filter(|&signal| !is_ignored(signal)) {
            let handler = move || {
                carrywave::io::output::remove_drafts();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            };
            // SAFETY: both calls are safe in a signal handler: system calls, atomics, and no allocation.
            let registered = unsafe { signal_hook::low_level::register(signal, handler) };
            if let Err(error) = registered {
                log::debug!("signal {signal} leaves drafts: {error}");
            }
        }
    }

    fn is_ignored(signal: c_int) -> bool {
        let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: asks what is set, and has room for the answer.
        let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
        // SAFETY: zeros are valid, and so is what the system wrote.
        asked == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
    }
}
