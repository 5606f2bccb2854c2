//! Answers of the option parser: help, versions, and errors of the call.

use crate::shared::notes::note;
use crate::shared::output::stdout_error;
use crate::shared::process::stdout_is_closed;
use carrywave::error::system_words;
use carrywave::io::output::{SHORT, Shortened, Visible};
use clap::error::{ContextKind, ContextValue};
use std::error::Error as _;
use std::io::{self, IsTerminal, Write};
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::process::ExitCode;

/// Exit code of a wrong call.
const WRONG: u8 = 2;

/// Prints help or a version on standard output, or the parser's error on standard error. Returns
/// the exit code.
pub fn answer(answer: &clap::Error) -> ExitCode {
    if answer.use_stderr() {
        // If standard error cannot be written, the exit code still reports the error.
        let _ = io::stderr().write_all(refusal(answer).as_bytes());
        return ExitCode::from(WRONG);
    }
    let print = || -> io::Result<()> {
        if stdout_is_closed() {
            return Err(io::Error::other("it is closed; redirect it to a file or to /dev/null"));
        }
        let mut out = io::stdout().lock();
        let text = answer.render();
        if out.is_terminal() && anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never {
            write!(out, "{}", text.ansi())?;
        } else {
            write!(out, "{text}")?;
        }
        out.flush()
    };
    match print() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has closed the pipe.
        Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(source) => {
            note(&stdout_error(source).to_string());
            let command = std::env::args_os().nth(1);
            let is_of_files = command.is_some_and(|command| command == "search" || command == "diff");
            ExitCode::from(if is_of_files { 2 } else { 1 })
        }
    }
}

/// Formats the message of a wrong call: with the prefix of all messages, and safe for a terminal.
fn refusal(error: &clap::Error) -> String {
    let text = error.render().to_string();
    // Help that is printed because no command was given is no error.
    let Some(reason) = text.strip_prefix("error: ") else { return text };
    let mut reason = reason.to_owned();
    if let Some(source) = error.source()
        && let Some(expected) = expected(source)
    {
        reason = reason.replacen(&source.to_string(), &expected, 1);
    }
    for (kind, value) in error.context() {
        if let (
            ContextKind::InvalidValue | ContextKind::InvalidArg | ContextKind::InvalidSubcommand,
            ContextValue::String(value),
        ) = (kind, value)
            && value.chars().nth(SHORT).is_some()
        {
            reason = reason.replace(value.as_str(), &Shortened(value).to_string());
        }
    }
    let lines: Vec<String> = reason.lines().map(|line| Visible(line).to_string()).collect();
    format!("carrywave: {}\n", lines.join("\n"))
}

/// Returns a sentence about the numbers that an option takes, for errors of the number parser.
fn expected(source: &(dyn std::error::Error + 'static)) -> Option<String> {
    if let Some(fault) = source.downcast_ref::<ParseIntError>() {
        return Some(match fault.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "this number is too large".into(),
            _ => "give a whole number, such as 3".into(),
        });
    }
    if source.downcast_ref::<ParseFloatError>().is_some() {
        return Some("give a number, such as 3 or 0.5".into());
    }
    source.downcast_ref::<io::Error>().map(system_words)
}
