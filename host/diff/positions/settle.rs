//! Chooses the positions of changes that have several, as GNU diff does.
//!
//! If the last line of a run of changed lines equals the line before the run, the run can as well
//! be one line further up, and so on; likewise down. Each text is settled by itself, A first. A run
//! goes up as far as possible and then down as far as possible. If it meets another run, they join
//! and the joined run starts again. It stays at its last position. But if on its way down it was
//! beside a run of the other text, it goes back to the last such position, so that both print as
//! one change.

use crate::alignment::Run;
use crate::diff::changes::Change;
use crate::{Result, memory};

/// The changed lines of a text.
struct Marks<'n> {
    changed: Vec<bool>,
    /// The lines as numbers; equal lines have equal numbers.
    numbers: &'n [u32],
}

impl<'n> Marks<'n> {
    /// Marks all lines as changed.
    fn new(numbers: &'n [u32]) -> Result<Self> {
        let mut changed = Vec::new();
        memory::reserve(&mut changed, numbers.len(), "the marks of changed lines")?;
        changed.resize(numbers.len(), true);
        Ok(Self { changed, numbers })
    }

    /// Returns true if a line has changed; false beyond the end.
    fn has(&self, line: usize) -> bool {
        self.changed.get(line).copied().unwrap_or(false)
    }

    fn has_before(&self, line: usize) -> bool {
        line > 0 && self.has(line - 1)
    }

    fn set(&mut self, line: usize, is_changed: bool) {
        if let Some(changed) = self.changed.get_mut(line) {
            *changed = is_changed;
        }
    }

    fn are_equal(&self, one: usize, other: usize) -> bool {
        self.numbers.get(one) == self.numbers.get(other)
    }

    /// Returns the first unchanged line from `line` on.
    fn end_of_run(&self, mut line: usize) -> usize {
        while self.has(line) {
            line += 1;
        }
        line
    }

    /// Returns the first line of the run that ends before `line`.
    fn start_of_run(&self, mut line: usize) -> usize {
        while self.has_before(line) {
            line -= 1;
        }
        line
    }

    /// Settles all runs, given the runs of the other text.
    fn settle(&mut self, other: &Marks<'_>) {
        let end = self.numbers.len();
        // `beside` is the line of the other text that corresponds to `at`, after the changes before
        // it.
        let mut at = 0;
        let mut beside = 0;
        loop {
            while at < end && !self.has(at) {
                beside = other.end_of_run(beside) + 1;
                at += 1;
            }
            if at == end {
                return;
            }
            let run = Settling { start: at, end: self.end_of_run(at), beside: other.end_of_run(beside) };
            (at, beside) = run.settle(self, other);
        }
    }
}

/// A run that is being moved.
struct Settling {
    start: usize,
    end: usize,
    /// Unchanged line of the other text that corresponds to `end`.
    beside: usize,
}

impl Settling {
    /// Moves the run to its position. Returns its end and the line of the other text beside that.
    fn settle(mut self, own: &mut Marks<'_>, other: &Marks<'_>) -> (usize, usize) {
        let end_of_all = own.numbers.len();
        loop {
            let len = self.end - self.start;
            while self.start > 0 && own.are_equal(self.start - 1, self.end - 1) {
                self.up(own, other);
                self.start = own.start_of_run(self.start);
            }
            let mut last_beside = other.has_before(self.beside).then_some(self.end);
            while self.end < end_of_all && own.are_equal(self.start, self.end) {
                own.set(self.start, false);
                own.set(self.end, true);
                self.start += 1;
                self.end = own.end_of_run(self.end);
                self.beside += 1;
                if other.has(self.beside) {
                    self.beside = other.end_of_run(self.beside);
                    last_beside = Some(self.end);
                }
            }
            if len == self.end - self.start {
                while last_beside.is_some_and(|end| end < self.end) {
                    self.up(own, other);
                }
                return (self.end, self.beside);
            }
        }
    }

    /// Moves the run up by one line.
    fn up(&mut self, own: &mut Marks<'_>, other: &Marks<'_>) {
        self.start -= 1;
        self.end -= 1;
        own.set(self.start, true);
        own.set(self.end, false);
        // The line before the run is unchanged, so a line of the other text corresponds to it.
        self.beside = self.beside.saturating_sub(1);
        while other.has(self.beside) && self.beside > 0 {
            self.beside -= 1;
        }
    }
}

/// Returns the settled changes between runs of matches. The numbers are those of the compared parts
/// of both texts.
pub(in crate::diff) fn changes(runs: &[Run], a: &[u32], b: &[u32]) -> Result<Vec<Change>> {
    let mut of_a = Marks::new(a)?;
    let mut of_b = Marks::new(b)?;
    for run in runs {
        for (marks, start) in [(&mut of_a, run.a_start as usize), (&mut of_b, run.b_start as usize)] {
            marks.changed.iter_mut().skip(start).take(run.len as usize).for_each(|changed| *changed = false);
        }
    }
    of_a.settle(&of_b);
    of_b.settle(&of_a);
    let mut changes = Vec::new();
    let mut x = 0;
    let mut y = 0;
    while x < a.len() || y < b.len() {
        let end_x = of_a.end_of_run(x);
        let end_y = of_b.end_of_run(y);
        if end_x > x || end_y > y {
            memory::reserve(&mut changes, 1, "changes")?;
            changes.push(Change::new(x..end_x, y..end_y));
        }
        (x, y) = (end_x + 1, end_y + 1);
    }
    Ok(changes)
}
