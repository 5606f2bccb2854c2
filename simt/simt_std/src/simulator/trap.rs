//! Turns a stack overflow of a simulated thread into a fault, instead of ending the process.
//!
//! Below the stack of each coroutine is a *guard page*, which may not be accessed. A signal handler
//! sees the accesses to it:
//!
//! ```text
//! the coroutine's stack   │ guard page │ ← room for the simulator │ ←←←←←←← the kernel's frames │
//!                           SIGSEGV       checked at each access
//!                           └─> handler, on the host thread's alternate stack
//!                               ├─ the running coroutine's guard page: the coroutine ends, with
//!                               │  `Ended::Overflow`
//!                               └─ any other address: the handler that was there before
//! ```
//!
//! The simulator checks the remaining room before each access, so the handler interrupts only the
//! kernel's own code.

use super::coroutine::CoroutineTrapHandler;
use super::request::Ended;

/// The running coroutine as the handler sees it.
pub(super) type Trap = CoroutineTrapHandler<Ended>;

#[cfg(all(
    any(target_os = "linux", target_os = "macos"),
    any(target_arch = "x86_64", target_arch = "aarch64"),
    target_pointer_width = "64"
))]
mod signals {
    use super::{Ended, Trap};
    use corosensei::trap::TrapHandlerRegs;
    use std::cell::Cell;
    use std::ffi::{c_int, c_void};
    use std::sync::atomic::{AtomicPtr, Ordering};
    use std::sync::{Mutex, PoisonError};
    use std::{mem, ptr};

    /// Signals of an access to a guard page: SIGSEGV on Linux, and also SIGBUS on macOS.
    const SIGNALS: [c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

    /// Size in bytes of an alternate stack, for host threads that have none.
    const ALTERNATE: usize = 64 * 1024;

    /// The previous handlers; never freed, because a handler may be reading them.
    static BEFORE: [AtomicPtr<libc::sigaction>; 2] = [const { AtomicPtr::new(ptr::null_mut()) }; 2];

    /// Held while a handler is installed.
    static INSTALLING: Mutex<()> = Mutex::new(());

    thread_local! {
        /// Trap of the coroutine that runs on this host thread.
        static RUNNING: Cell<Option<Trap>> = const { Cell::new(None) };
        /// True while the previous handler runs.
        static PASSED_ON: Cell<bool> = const { Cell::new(false) };
        static STACK: AlternateStack = AlternateStack::new();
    }

    /// Sets the coroutine that is about to run on this host thread, or none.
    #[inline]
    pub fn watch(running: Option<Trap>) {
        RUNNING.set(running);
    }

    /// Installs the handler if necessary, and gives this host thread a stack for it.
    pub fn prepare() {
        STACK.with(|_| ());
        let _one = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
        for (signal, before) in SIGNALS.into_iter().zip(&BEFORE) {
            // SAFETY: a struct of the C library without pointers that must be valid. The calls read
            // and write only these two structs, and the handler meets their requirements: it takes
            // three arguments and runs on any stack.
            unsafe {
                let mut now: libc::sigaction = mem::zeroed();
                if libc::sigaction(signal, ptr::null(), &mut now) != 0 || now.sa_sigaction == handler_address() {
                    continue;
                }
                before.store(Box::into_raw(Box::new(now)), Ordering::Release);
                let mut ours: libc::sigaction = mem::zeroed();
                ours.sa_sigaction = handler_address();
                ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigemptyset(&mut ours.sa_mask);
                libc::sigaction(signal, &ours, ptr::null_mut());
            }
        }
    }

    fn handler_address() -> usize {
        on_signal as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as usize
    }

    extern "C" fn on_signal(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: the system calls this with the signal's information and the interrupted thread's
        // context. The trap is set exactly while its coroutine runs.
        unsafe {
            let registers = &mut *context.cast::<libc::ucontext_t>();
            // Positive: caused by an access, not sent by a process.
            let by_access = (*info).si_code > 0;
            let trap = RUNNING.get().filter(|trap| by_access && trap.stack_ptr_in_bounds((*info).si_addr() as usize));
            match trap.filter(|_| is_kernel(program_counter(registers))) {
                Some(trap) => {
                    RUNNING.set(None);
                    // All of a coroutine's stack but its guard page can be accessed, so the address
                    // is in the guard page. The coroutine never continues: what its frames own is
                    // leaked. It was in code of this program or library. It was not in the C
                    // library, which might have left its locks and lists half changed, and not in
                    // the simulator, which checks for room first.
                    set_registers(registers, trap.setup_trap_handler(|| Ended::Overflow));
                }
                None => pass_on(signal, info, context),
            }
        }
    }

    /// Returns true if an address is in the code of the program or library that contains the
    /// simulator and the kernels.
    fn is_kernel(address: usize) -> bool {
        let file_of = |address: usize| {
            // SAFETY: a struct of the C library without pointers that must be valid, which the call
            // fills in.
            unsafe {
                let mut found: libc::Dl_info = mem::zeroed();
                (libc::dladdr(address as *const c_void, &mut found) != 0).then_some(found.dli_fbase)
            }
        };
        file_of(address).is_some_and(|file| Some(file) == file_of(handler_address()))
    }

    /// Calls the previous handler.
    ///
    /// # Safety
    /// A handler calls it with its own arguments.
    unsafe fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        let number = usize::from(signal != SIGNALS[0]);
        let before = BEFORE[number].load(Ordering::Acquire);
        // SAFETY: null, or a struct that `prepare` has stored. Its handler takes one or three
        // arguments, as its flags say.
        unsafe {
            let action = before.as_ref().map_or(libc::SIG_DFL, |before| before.sa_sigaction);
            if action == libc::SIG_DFL || action == libc::SIG_IGN || PASSED_ON.replace(true) {
                end_the_process(signal);
                return;
            }
            if (*before).sa_flags & libc::SA_SIGINFO != 0 {
                let call: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = mem::transmute(action);
                call(signal, info, context);
            } else {
                let call: extern "C" fn(c_int) = mem::transmute(action);
                call(signal);
            }
            // A handler that raises the signal again, such as Python's faulthandler, leaves it to
            // the previous handler.
            let mut pending: libc::sigset_t = mem::zeroed();
            if libc::sigpending(&mut pending) == 0 && libc::sigismember(&pending, signal) == 1 {
                end_the_process(signal);
            }
        }
        PASSED_ON.set(false);
    }

    /// Sets the system's default action: the access is repeated and ends the process.
    fn end_the_process(signal: c_int) {
        // SAFETY: a struct of the C library without pointers that must be valid, which the call
        // reads.
        unsafe {
            let mut default: libc::sigaction = mem::zeroed();
            default.sa_sigaction = libc::SIG_DFL;
            libc::sigaction(signal, &default, ptr::null_mut());
        }
    }

    /// The alternate stack of a host thread that has no other.
    struct AlternateStack {
        bytes: Option<Box<[u8]>>,
    }

    impl AlternateStack {
        fn new() -> Self {
            // SAFETY: reads the thread's alternate stack, and sets one that lives until the drop
            // below, at the end of the thread.
            unsafe {
                let mut now: libc::stack_t = mem::zeroed();
                if libc::sigaltstack(ptr::null(), &mut now) != 0 || now.ss_flags & libc::SS_DISABLE == 0 {
                    return Self { bytes: None };
                }
                let mut bytes = vec![0; ALTERNATE].into_boxed_slice();
                let stack = libc::stack_t { ss_sp: bytes.as_mut_ptr().cast(), ss_flags: 0, ss_size: ALTERNATE };
                let set = libc::sigaltstack(&stack, ptr::null_mut()) == 0;
                Self { bytes: set.then_some(bytes) }
            }
        }
    }

    impl Drop for AlternateStack {
        fn drop(&mut self) {
            let Some(bytes) = &self.bytes else { return };
            // SAFETY: reads the thread's alternate stack, and removes it if it is this one.
            unsafe {
                let mut now: libc::stack_t = mem::zeroed();
                if libc::sigaltstack(ptr::null(), &mut now) == 0 && ptr::eq(now.ss_sp.cast(), bytes.as_ptr()) {
                    let none = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: ALTERNATE };
                    libc::sigaltstack(&none, ptr::null_mut());
                }
            }
        }
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn program_counter(context: &libc::ucontext_t) -> usize {
        context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn set_registers(context: &mut libc::ucontext_t, registers: TrapHandlerRegs) {
        let TrapHandlerRegs { rip, rsp, rbp, rdi, rsi } = registers;
        let set = [
            (libc::REG_RIP, rip),
            (libc::REG_RSP, rsp),
            (libc::REG_RBP, rbp),
            (libc::REG_RDI, rdi),
            (libc::REG_RSI, rsi),
        ];
        for (register, value) in set {
            context.uc_mcontext.gregs[register as usize] = value as i64;
        }
    }

    #[cfg(all(target_os = "linux", target_arch = "aarch64"))]
    fn program_counter(context: &libc::ucontext_t) -> usize {
        context.uc_mcontext.pc as usize
    }

    #[cfg(all(target_os = "linux", target_arch = "aarch64"))]
    fn set_registers(context: &mut libc::ucontext_t, registers: TrapHandlerRegs) {
        let TrapHandlerRegs { pc, sp, x0, x1, x29, lr } = registers;
        let machine = &mut context.uc_mcontext;
        (machine.pc, machine.sp) = (pc, sp);
        for (register, value) in [(0, x0), (1, x1), (29, x29), (30, lr)] {
            machine.regs[register] = value;
        }
    }

    #[cfg(all(target_os = "macos", target_arch = "x86_64"))]
    fn program_counter(context: &libc::ucontext_t) -> usize {
        // SAFETY: the system's context points to the thread's registers.
        unsafe { (*context.uc_mcontext).__ss.__rip as usize }
    }

    #[cfg(all(target_os = "macos", target_arch = "x86_64"))]
    fn set_registers(context: &mut libc::ucontext_t, registers: TrapHandlerRegs) {
        let TrapHandlerRegs { rip, rsp, rbp, rdi, rsi } = registers;
        // SAFETY: the system's context points to the thread's registers.
        let state = unsafe { &mut (*context.uc_mcontext).__ss };
        (state.__rip, state.__rsp, state.__rbp) = (rip, rsp, rbp);
        (state.__rdi, state.__rsi) = (rdi, rsi);
    }

    #[cfg(all(target_os = "macos", target_arch = "aarch64"))]
    fn program_counter(context: &libc::ucontext_t) -> usize {
        // SAFETY: the system's context points to the thread's registers.
        unsafe { (*context.uc_mcontext).__ss.__pc as usize }
    }

    #[cfg(all(target_os = "macos", target_arch = "aarch64"))]
    fn set_registers(context: &mut libc::ucontext_t, registers: TrapHandlerRegs) {
        let TrapHandlerRegs { pc, sp, x0, x1, x29, lr } = registers;
        // SAFETY: the system's context points to the thread's registers.
        let state = unsafe { &mut (*context.uc_mcontext).__ss };
        (state.__pc, state.__sp, state.__fp, state.__lr) = (pc, sp, x29, lr);
        (state.__x[0], state.__x[1]) = (x0, x1);
    }
}

/// Other systems have no handler: the simulator finds an overflow only at the next access.
#[cfg(not(all(
    any(target_os = "linux", target_os = "macos"),
    any(target_arch = "x86_64", target_arch = "aarch64"),
    target_pointer_width = "64"
)))]
mod signals {
    pub fn watch(_: Option<super::Trap>) {}
    pub fn prepare() {}
}

pub(super) use signals::{prepare, watch};
