//! The line diff job. Its check replays the script and compares its length with that of an LCS of
//! the lines.

use super::job::{Done, Unit, grouped};
use super::site::{Site, mismatch};
use carrywave::Result;
use carrywave::diff::{Comparison, Diff, UnitCounts};
use carrywave::internal::measure::inputs::tokens;
use carrywave::job::Recorder;
use carrywave::lcs;

/// `LINES` is the number of lines of the first text. About one line in `CHANGED` is changed.
const LINES: usize = 200_000;
const CHANGED: u32 = 50;

/// Returns a text of random lines, some of them repeated, and the same text with changes.
pub fn texts(lines: usize) -> [Vec<u8>; 2] {
    let line = |number: u32| format!("line {number} of a text, {} words in it\n", number % 17);
    let numbers = tokens(lines, (lines / 2).max(1) as u32, 1);
    let changes = tokens(lines, 3 * CHANGED, 2);
    let mut old = String::new();
    let mut new = String::new();
    for (&number, change) in numbers.iter().zip(changes) {
        old += &line(number);
        match change {
            0 => {}
            1 => new += &line(number + 1),
            2 => new += &(line(number) + "a new line\n"),
            _ => new += &line(number),
        }
    }
    [old.into_bytes(), new.into_bytes()]
}

/// Returns the number of lines of the first text.
pub fn lines_of(site: &Site<'_>) -> usize {
    site.pick(LINES, LINES, 2000, 2000)
}

pub fn lines(site: &Site<'_>) -> Result<Option<Done>> {
    if site.is_device() {
        // A script with few differences is computed on the CPU, whichever engine is chosen.
        return Ok(None);
    }
    let [old, new] = texts(lines_of(site));
    let recorder = Recorder::new();
    let job = Comparison::new().on(site.engine).recorder(&recorder);
    let times = site.time(&recorder, &mut || {
        let UnitCounts { deleted, inserted } = job.compare(&old, &new)?.counts();
        Ok(deleted + inserted)
    })?;
    let mut faults = times.faults();
    let diff = job.compare(&old, &new)?;
    let [a, b] = [diff.a(), diff.b()].map(|units| units.iter().collect::<Vec<_>>());
    if !is_replayed(&diff, &a, &b) {
        faults.push("lines reported as equal differ".into());
    }
    let common = lcs::Comparison::new().alignment_of(&a, &b)?.len();
    let expected = (a.len() + b.len()) as u64 - 2 * common;
    faults.extend(mismatch("length of the script in lines", times.answer(), expected));
    Ok(Some(Done {
        size: format!("{} + {} lines", grouped(a.len()), grouped(b.len())),
        work: (a.len() + b.len()) as f64,
        device_work: 0.0,
        unit: Unit::MillionLines,
        times,
        ceiling: None,
        faults,
    }))
}

/// Returns true if the lines between the changes are equal in both texts.
fn is_replayed(diff: &Diff<'_>, a: &[&[u8]], b: &[&[u8]]) -> bool {
    let mut at_a = 0;
    let mut at_b = 0;
    let ends = std::iter::once((a.len()..a.len(), b.len()..b.len()));
    let changes = diff.changes().iter().map(|change| (change.a.clone(), change.b.clone()));
    changes.chain(ends).all(|(own, other)| {
        let equal = a.get(at_a..own.start).is_some_and(|lines| b.get(at_b..other.start) == Some(lines));
        at_a = own.end;
        at_b = other.end;
        equal
    })
}
