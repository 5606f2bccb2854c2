//! Runs of the program in a temporary folder.

pub use super::files::{Folder, gz};
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Result of a run.
#[derive(Debug)]
pub struct Ran {
    /// Exit code, or -1 after a signal.
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Folder {
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carrywave"));
        command.current_dir(self.path("")).args(arguments).stdin(Stdio::null());
        command.env_remove("RUST_LOG").env_remove("RUST_LOG_STYLE").env_remove("RAYON_NUM_THREADS");
        // No calibration of the user.
        command.env("CARRYWAVE_CALIBRATION", "");
        command
    }

    /// Runs a shell command line. `$C` stands for the program.
    pub fn shell(&self, line: &str) -> Ran {
        let mut command = Command::new("sh");
        command.current_dir(self.path("")).env("C", env!("CARGO_BIN_EXE_carrywave")).arg("-c").arg(line);
        command.stdin(Stdio::null()).env_remove("RUST_LOG").env_remove("RAYON_NUM_THREADS");
        finish(command)
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        finish(self.command(arguments))
    }

    pub fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The program may end without reading its input.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        ran(child.wait_with_output().unwrap())
    }

    /// Runs the program. Panics if it exceeds the time limit.
    #[track_caller]
    pub fn run_within(&self, limit: Duration, arguments: &[&str]) -> Ran {
        let mut command = self.command(arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let process = child.id().to_string();
        let (sender, receiver) = channel();
        std::thread::spawn(move || sender.send(child.wait_with_output()));
        let Ok(output) = receiver.recv_timeout(limit) else {
            let _ = Command::new("kill").args(["-KILL", &process]).status();
            panic!("{arguments:?} takes more than {limit:?}");
        };
        ran(output.unwrap())
    }

    /// Returns the output of a run that succeeds without a message.
    #[track_caller]
    pub fn answer(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
        String::from_utf8(ran.stdout).unwrap()
    }

    /// Returns the message of a run that fails as expected: one line on standard error, the given
    /// exit code, no output and no new files.
    #[track_caller]
    pub fn refusal(&self, code: i32, arguments: &[&str]) -> String {
        let before = self.names();
        let ran = self.run(arguments);
        assert_eq!(self.names(), before, "files left by {arguments:?}");
        complaint(&ran, code, arguments)
    }
}

#[track_caller]
pub fn complaint(ran: &Ran, code: i32, what: impl std::fmt::Debug) -> String {
    let message = &ran.stderr;
    assert_eq!(ran.code, code, "{what:?}: {message}");
    assert!(!message.contains("panicked"), "{what:?}: {message}");
    assert_eq!(ran.stdout, b"", "{what:?} prints a result");
    assert_eq!(message.lines().count(), 1, "{what:?}: {message}");
    assert!(message.starts_with("carrywave: ") && message.ends_with('\n'), "{what:?}: {message}");
    message.trim_end().to_string()
}

pub fn finish(mut command: Command) -> Ran {
    ran(command.output().unwrap())
}

pub fn ran(output: Output) -> Ran {
    let stderr = String::from_utf8(output.stderr).unwrap();
    // A process that a signal ends has no exit code.
    Ran { code: output.status.code().unwrap_or(-1), stdout: output.stdout, stderr }
}

#[track_caller]
pub fn assert_mentions(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "no '{word}' in: {message}");
    }
}
