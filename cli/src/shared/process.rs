//! Process-wide settings: threads, memory, signals, standard output.

use super::notes::note;
use carrywave::Result;
use carrywave::error::{UsageFault, without_number};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Maximum number of threads.
const MOST_THREADS: usize = 4096;

/// Exit code of a failed run.
static FAILURE: AtomicU8 = AtomicU8::new(1);

/// Sets the exit code of a failed run, and installs signal handlers that remove drafts of output
/// files.
pub fn begin(failure: u8) {
    FAILURE.store(failure, Ordering::Relaxed);
    #[cfg(unix)]
    signals::handle();
}

/// Starts the compute threads: `asked` threads, otherwise the number in `RAYON_NUM_THREADS`,
/// otherwise one per core. If the system refuses threads, the current thread computes alone.
///
/// # Errors
/// [`Error::Usage`](carrywave::Error::Usage) for a number that is out of range.
pub fn start_threads(asked: Option<usize>) -> Result<rayon::ThreadPool> {
    let refused = |source: &str, number: &str| {
        UsageFault::Range.error(format!("{source} must be 1 to {MOST_THREADS}, not {number}"))
    };
    let threads = match (asked, std::env::var("RAYON_NUM_THREADS")) {
        (Some(threads), _) if (1..=MOST_THREADS).contains(&threads) => threads,
        (Some(threads), _) => return Err(refused("--threads", &threads.to_string())),
        // As in rayon, 0 and values that are not numbers stand for one thread per core.
        (None, Ok(text)) => match text.parse::<u128>() {
            Ok(threads) if threads > MOST_THREADS as u128 => return Err(refused("RAYON_NUM_THREADS", &text)),
            Ok(threads) => threads as usize,
            Err(_) => 0,
        },
        (None, Err(_)) => 0,
    };
    let builder = || rayon::ThreadPoolBuilder::new();
    // Thread stacks that exhaust the address space before a thread is refused would leave no memory
    // for the work.
    let pool = if stacks_fit(threads) {
        builder().num_threads(threads).build().map_err(|error| without_number(&error.to_string()).to_owned())
    } else {
        Err("their stacks exceed the address space limit (ulimit -v)".into())
    };
    pool.or_else(|error| {
        note(&format!(
            "cannot start the threads ({error}), so one thread computes alone; set --threads to a smaller number"
        ));
        let alone = builder().num_threads(1).use_current_thread().build();
        alone.map_err(|error| UsageFault::Engine.error(format!("cannot start any thread: {error}")))
    })
}

/// Returns true if the stacks of `threads` threads fit into the process's address space limit.
fn stacks_fit(threads: usize) -> bool {
    #[cfg(unix)]
    {
        // Default stack size of the standard library's threads, in bytes.
        const STACK: u64 = 2 << 20;
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the pointer is valid for the write of the limit.
        let is_known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) } == 0;
        !is_known || threads as u64 * STACK <= limit.rlim_cur
    }
    #[cfg(not(unix))]
    true
}

/// Returns true if standard output was closed when the program started. Rust's runtime replaces it
/// by /dev/null, so that writing succeeds.
pub fn stdout_is_closed() -> bool {
    STDOUT_IS_CLOSED.load(Ordering::Relaxed)
}

static STDOUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

// Runs before main and before Rust's runtime, which it does not need.
#[cfg(unix)]
ctor::declarative::ctor! {
    #[ctor(unsafe)]
    fn look_at_stdout() {
        // SAFETY: the call only reads the flags of a descriptor.
        let open = unsafe { libc::fcntl(1, libc::F_GETFD) } != -1;
        STDOUT_IS_CLOSED.store(!open, Ordering::Relaxed);
    }
}

/// The system's allocator, except for failed allocations whose caller has no fallback: these end
/// the program with a message and the exit code of a failed run, where Rust would abort.
pub struct ExitOnOutOfMemory;

// SAFETY: every call is forwarded to the system's allocator.
unsafe impl GlobalAlloc for ExitOnOutOfMemory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the same contract.
        exit_if_null(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the same contract.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the same contract.
        exit_if_null(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller upholds the same contract.
        exit_if_null(unsafe { System.realloc(memory, layout, size) }, size)
    }
}

#[inline(always)]
fn exit_if_null(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() && !carrywave::memory::is_checking() {
        end(size)
    }
    memory
}

/// Ends the program without allocating, and without taking a lock that another thread may hold.
#[cold]
fn end(size: usize) -> ! {
    use std::io::Write;
    let mut line = [0u8; 96];
    let mut rest = &mut line[..];
    let _ = writeln!(rest, "carrywave: out of memory: cannot allocate {} MiB", size.div_ceil(1 << 20));
    let unused = rest.len();
    let line = &line[..line.len() - unused];
    let code = FAILURE.load(Ordering::Relaxed).into();
    #[cfg(unix)]
    {
        carrywave::io::output::remove_drafts();
        // SAFETY: the pointer and length are those of `line`. Ending the process is sound, whatever
        // its threads are doing.
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

    /// Signals that by default end a program, and that users or systems send.
    const ENDING: [c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGXCPU];

    /// Installs handlers that remove drafts before the signals end the program. Ignored signals
    /// stay ignored, as under nohup.
    pub fn handle() {
        for signal in ENDING.into_iter().filter(|&signal| !is_ignored(signal)) {
            let handler = move || {
                carrywave::io::output::remove_drafts();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            };
            // SAFETY: the handler is async-signal-safe: it makes system calls, uses atomics, and
            // does not allocate.
            let registered = unsafe { signal_hook::low_level::register(signal, handler) };
            if let Err(error) = registered {
                log::debug!("no handler for signal {signal}, so it may leave drafts of output files: {error}");
            }
        }
    }

    fn is_ignored(signal: c_int) -> bool {
        let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: a null action only queries, and the pointer is valid for the answer.
        let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
        // SAFETY: zeros are a valid value, and so is the value that the system writes.
        asked == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
    }
}
