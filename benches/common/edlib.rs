//! Timings of edlib (C++, M. Šošić and M. Šikić 2017) through a Python that has it
//! (`pip install edlib`), and of carrywave by the same rules.

use super::Outcome;
use std::process::Command;
use std::time::Instant;

/// A call longer than this, in seconds, is timed once.
const LONG: f64 = 5.0;

/// Python program that times one call repeatedly: the files of the strings, the mode, the task, the
/// number of runs and the longest call.
const CALL: &str = "
import sys, time, edlib
a, b = (open(name, 'rb').read() for name in sys.argv[1:3])
seconds = []
while len(seconds) < int(sys.argv[5]) and (not seconds or seconds[0] < float(sys.argv[6])):
    start = time.perf_counter()
    found = edlib.align(a, b, mode=sys.argv[3], task=sys.argv[4])
    seconds.append(time.perf_counter() - start)
print(found['editDistance'], *(end + 1 for _, end in found['locations']))
print(*seconds)
";

/// A distance, the ends of the parts of the second string with that distance, and the seconds of
/// each run.
pub struct Timed {
    pub distance: u64,
    pub ends: Vec<u64>,
    pub seconds: Vec<f64>,
}

/// Times a call that returns a distance and an end: `runs` times, or once if it is long.
pub fn ours(runs: usize, mut call: impl FnMut() -> Outcome<(u64, u64)>) -> Outcome<Timed> {
    let mut timed = Timed { distance: 0, ends: Vec::new(), seconds: Vec::new() };
    while timed.seconds.len() < runs && timed.seconds.first().is_none_or(|first| *first < LONG) {
        let started = Instant::now();
        let (distance, end) = call()?;
        timed.seconds.push(started.elapsed().as_secs_f64());
        (timed.distance, timed.ends) = (distance, vec![end]);
    }
    Ok(timed)
}

/// Times edlib on two strings in one of its modes.
pub fn edlib(python: &str, [mode, task]: [&str; 2], a: &[u8], b: &[u8], runs: usize) -> Outcome<Timed> {
    let folder = tempfile::tempdir()?;
    let files = ["a", "b"].map(|name| folder.path().join(name));
    std::fs::write(&files[0], a)?;
    std::fs::write(&files[1], b)?;
    let mut command = Command::new(python);
    command.args(["-c", CALL]).args(&files).args([mode, task, &runs.to_string(), &LONG.to_string()]);
    let output = command.output()?;
    let answer = String::from_utf8_lossy(&output.stdout);
    let mut lines = answer.lines().map(str::split_whitespace);
    let (Some(mut found), Some(seconds)) = (lines.next(), lines.next()) else {
        return Err(format!("edlib: {}", String::from_utf8_lossy(&output.stderr)).into());
    };
    let distance = found.next().ok_or("edlib gives no distance")?.parse()?;
    let ends = found.map(str::parse).collect::<Result<_, _>>()?;
    let seconds = seconds.map(str::parse).collect::<Result<_, _>>()?;
    Ok(Timed { distance, ends, seconds })
}
