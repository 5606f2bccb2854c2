//! Measures a program: wall seconds, processor seconds and peak memory, as the system reports them
//! for a child process.
//!
//! A small program starts the others, since the peak memory of a child is at least that of its
//! parent.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs a program for at most `seconds` processor seconds, with its standard output in a file.
/// Prints the exit code (or -1 if a signal ended it), wall seconds, seconds in user mode and in
/// system mode, and the peak of resident memory in kilobytes.
pub fn run(seconds: &str, output: &Path, program: &[OsString]) -> io::Result<()> {
    let seconds: u64 = seconds.parse().map_err(|_| io::Error::other("the seconds are a number"))?;
    let output = File::create(output)?;
    let mut command = Command::new(&program[0]);
    command.args(&program[1..]).stdin(Stdio::null()).stdout(output).stderr(Stdio::null());
    // SAFETY: between fork and exec this makes one system call, which takes no lock.
    unsafe {
        command.pre_exec(move || {
            let limit = libc::rlimit { rlim_cur: seconds, rlim_max: seconds };
            match libc::setrlimit(libc::RLIMIT_CPU, &raw const limit) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        });
    }
    let started = Instant::now();
    let child = command.spawn()?;
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are valid for writes, and the child belongs to this process and is not
    // waited for elsewhere.
    let ended = unsafe { libc::wait4(child.id() as libc::pid_t, &raw mut status, 0, usage.as_mut_ptr()) };
    let wall = started.elapsed().as_secs_f64();
    if ended < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: zeros are valid, and so are the values that the system wrote.
    let usage = unsafe { usage.assume_init() };
    let of = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let code = if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 };
    println!("{code} {wall:.6} {:.6} {:.6} {}", of(usage.ru_utime), of(usage.ru_stime), usage.ru_maxrss);
    Ok(())
}
