//! Pages: the output goes through the system's `pr`, as with GNU diff's `-l`.

use carrywave::{Error, Result};
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Name of the paginating program.
const PR: &str = "pr";

/// Splits a text into pages with a heading.
pub fn paginated(text: &[u8], heading: &[u8]) -> Result<Vec<u8>> {
    let fault = |source: io::Error| Error::Io { path: PR.into(), source };
    #[cfg(unix)]
    let heading: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(heading);
    #[cfg(not(unix))]
    let heading = String::from_utf8_lossy(heading).into_owned();
    let mut command = Command::new(PR);
    command.arg("-h").arg(heading).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(fault)?;
    let stdin = child.stdin.take();
    // Writes and reads at the same time, since each side may wait for the other.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(text)));
        child.wait_with_output()
    })
    .map_err(fault)?;
    if !output.status.success() {
        return Err(fault(io::Error::other("it failed; check that it works, or leave out --paginate")));
    }
    Ok(output.stdout)
}
