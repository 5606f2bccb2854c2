//! Progress bars, on stderr if that is a terminal.

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// How a bar looks.
pub struct Look {
    /// Units of work below which there is no bar: it would be gone in a moment.
    pub least: u64,
    /// What a second's units are, in 10^9.
    pub speed: fn(f64) -> String,
    /// Before the time left, as in "at most".
    pub most: &'static str,
}

/// Cells of a table of which not all may have to be computed.
pub const CELLS: Look = Look { least: 20_000_000_000, speed: |units| format!("{units:.0} GCUPS"), most: "at most " };

/// Symbols of a text.
pub const SYMBOLS: Look = Look { least: 10_000_000_000, speed: bytes_a_second, most: "" };

/// Lines of two files, of which one stands for as many cells as the other file has lines.
pub const LINES: Look =
    Look { least: 20_000_000_000, speed: |units| format!("{:.0} lines/s", units * 1e9), most: "at most " };

fn bytes_a_second(units: f64) -> String {
    if units < 0.1 { format!("{:.1} MB/s", units * 1e3) } else { format!("{units:.1} GB/s") }
}

/// A bar for so many units, of which one costs `weight` times the usual. It draws when there is progress, has no thread,
/// and is cleared when it is dropped, as by an error.
pub fn bar(units: u64, weight: u64, look: Look) -> ProgressBar {
    if units.saturating_mul(weight) < look.least {
        return ProgressBar::hidden();
    }
    let template = format!("{{bar:30}} {{percent:>3}} %, {{speed}}, {{elapsed}} so far, {}{{eta}} left", look.most);
    ProgressBar::new(units).with_style(style(&template, look))
}

/// The same where nobody knows how many units there are.
pub fn counter(look: Look) -> ProgressBar {
    ProgressBar::no_length().with_style(style("{speed}, {elapsed} so far", look))
}

/// The same for so many steps, the message of which says what they do.
pub fn steps(count: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} done, {elapsed} so far, {msg}");
    ProgressBar::new(count as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn style(template: &str, look: Look) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("speed", move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // A failed write shows on the screen, or nowhere.
        let _ = out.write_str(&(look.speed)(state.per_sec() / 1e9));
    })
}
