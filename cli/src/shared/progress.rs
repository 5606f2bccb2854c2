//! Progress bars, shown if standard error is a terminal.

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::sync::{Mutex, PoisonError};

/// Appearance of a progress bar.
pub struct Look {
    /// Minimum number of work units for a bar. Less work is done in a moment.
    pub least: u64,
    /// Formats a speed, given in 10^9 units per second.
    pub speed: fn(f64) -> String,
    /// Words before the remaining time, such as "at most".
    pub most: &'static str,
}

/// Table cells. A comparison may skip some of them.
pub const CELLS: Look = Look { least: 20_000_000_000, speed: |units| format!("{units:.0} GCUPS"), most: "at most " };

/// Symbols of a text.
pub const SYMBOLS: Look = Look { least: 10_000_000_000, speed: bytes_a_second, most: "" };

/// Lines of two files. A line stands for as many cells as the other file has lines.
pub const LINES: Look =
    Look { least: 20_000_000_000, speed: |units| format!("{:.0} lines/s", units * 1e9), most: "at most " };

fn bytes_a_second(units: f64) -> String {
    if units < 0.1 { format!("{:.1} MB/s", units * 1e3) } else { format!("{units:.1} GB/s") }
}

/// Returns a bar for `units` units, each with `weight` times the usual cost. The bar is drawn on
/// progress, needs no thread, and is cleared when it is dropped, for instance after an error.
pub fn bar(units: u64, weight: u64, look: Look) -> ProgressBar {
    if units.saturating_mul(weight) < look.least {
        return ProgressBar::hidden();
    }
    let template = format!("{{bar:30}} {{percent:>3}} %, {{speed}}, {{elapsed}} so far, {}{{eta}} left", look.most);
    ProgressBar::new(units).with_style(style(&template, look))
}

/// Returns a bar for an unknown number of units.
pub fn counter(look: Look) -> ProgressBar {
    ProgressBar::no_length().with_style(style("{speed}, {elapsed} so far", look))
}

/// Returns a bar for `count` steps. Its message describes the current step.
pub fn steps(count: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} done, {elapsed} so far, {msg}");
    ProgressBar::new(count as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn style(template: &str, look: Look) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("speed", move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // A failed write is visible on the screen or irrelevant.
        let _ = out.write_str(&(look.speed)(state.per_sec() / 1e9));
    })
}

/// Progress bar of the current file, if the search takes long.
#[derive(Default)]
pub struct FileBar {
    bar: Mutex<Option<ProgressBar>>,
    is_hidden: bool,
}

impl FileBar {
    /// Returns a bar that is never shown.
    pub fn hidden() -> Self {
        Self { is_hidden: true, ..Self::default() }
    }

    /// Starts the bar for a search of `units` units, if their number is known. A unit costs
    /// `weight` times the usual amount.
    pub fn begin(&self, units: Option<u64>, weight: u64) {
        let bar = match units {
            _ if self.is_hidden => None,
            Some(units) if units.saturating_mul(weight) < SYMBOLS.least => None,
            Some(units) => Some(bar(units, weight, SYMBOLS)),
            None => Some(counter(SYMBOLS)),
        };
        self.set(bar);
    }

    /// Adds finished units.
    pub fn add(&self, units: u64) {
        if let Some(bar) = &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.inc(units);
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.set(None);
    }

    fn set(&self, bar: Option<ProgressBar>) {
        let before = std::mem::replace(&mut *self.bar.lock().unwrap_or_else(PoisonError::into_inner), bar);
        if let Some(before) = before {
            before.finish_and_clear();
        }
    }
}
