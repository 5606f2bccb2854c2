//! Standard output, and output files that appear whole or not at all.

use super::parts::{Part, during};
use super::process::stdout_is_closed;
use carrywave::error::UsageFault;
use carrywave::io::output::OutputFile;
use carrywave::{Error, Result};
use std::io::{self, Write};
use std::path::Path;

/// Locks standard output.
///
/// # Errors
/// [`Error::Io`] if standard output was closed when the program started: all output would be lost.
pub fn stdout() -> Result<io::StdoutLock<'static>> {
    if stdout_is_closed() {
        return Err(stdout_error(io::Error::other("it is closed; redirect it to a file or to /dev/null")));
    }
    Ok(io::stdout().lock())
}

/// Returns the error of writing to standard output.
pub fn stdout_error(source: io::Error) -> Error {
    Error::Io { path: "standard output".into(), source }
}

/// Opens an output file before anything is computed.
pub fn open_output(path: &Path) -> Result<OutputFile> {
    let file = OutputFile::open(path)?;
    if file.descriptor() == Some(1) {
        drop(stdout()?);
    }
    Ok(file)
}

/// Writes to standard output.
pub fn print(write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<()> {
    drop(stdout()?);
    // Unlocked, so that any thread can write.
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout());
    write(&mut out).and_then(|()| out.flush()).map_err(stdout_error)
}

/// Writes a complete result to a file, or to standard output if `file` is `None`.
pub fn write(file: Option<OutputFile>, result: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<()> {
    during(Part::Write, || write_to(file, result))
}

/// Like [`write`], for a result that is computed while it is written.
pub fn write_to(file: Option<OutputFile>, write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<()> {
    match file {
        Some(file) => file.write(write),
        None => print(write),
    }
}

/// Writes the results of a job as they arrive, to a file, or to standard output if `file` is
/// `None`. If the job fails, writing stops and the job's error is returned. The job wraps write
/// errors with [`results_error`].
pub fn write_results(file: Option<OutputFile>, job: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>) -> Result<()> {
    let name = file.as_ref().map_or("standard output".into(), |file| file.path().to_owned());
    let mut failure = Ok(());
    let done = write_to(file, |out| {
        job(out).map_err(|error| match error {
            Error::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe => source,
            error => {
                failure = Err(error);
                io::Error::other("the job failed")
            }
        })
    });
    failure.and(done).map_err(|error| match error {
        Error::Io { path, source } if path == Path::new(OUTPUT) => Error::Io { path: name, source },
        error => error,
    })
}

/// Placeholder for the name of the output where that is unknown.
const OUTPUT: &str = "the output";

/// Returns the error of writing results, for [`write_results`], which fills in the name of the
/// output.
pub fn results_error(source: io::Error) -> Error {
    Error::Io { path: OUTPUT.into(), source }
}

/// Output files of a command: its result and its plot.
pub struct Targets {
    /// Output file, or `None` for standard output.
    pub output: Option<OutputFile>,
    pub plot: Option<OutputFile>,
}

impl Targets {
    /// No output.
    pub const NONE: Self = Self { output: None, plot: None };

    /// Opens both files, so that errors in their names or permissions show before hours of work.
    pub fn open(output: Option<&Path>, plot: Option<&Path>) -> Result<Self> {
        if let Some(path) = plot {
            let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
            if !matches!(extension.as_deref(), Some("svg" | "png")) {
                return Err(UsageFault::FileName
                    .error(format!("{}: the file name of a plot must end in .svg or .png", path.display())));
            }
        }
        let output = output.map(open_output).transpose()?;
        let plot = plot.map(open_output).transpose()?;
        if let (Some(output), Some(plot)) = (&output, &plot)
            && output.is_same(plot)
        {
            let name = plot.path().display();
            return Err(UsageFault::Combination
                .error(format!("-o and --plot name the same file, {name}; give two different names")));
        }
        if output.is_none() {
            drop(stdout()?);
        }
        Ok(Self { output, plot })
    }
}
