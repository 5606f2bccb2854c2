//! The page of `cargo xtask playground`: kernels with switches for their parameters and faults, on
//! the simulator in a browser.
//!
//! [`lessons`] describes the kernels and their controls as JSON, and [`run`] takes a choice of
//! values and returns what the simulator found, as JSON too. Natively, both return the same text as
//! in the browser; `examples/answer.rs` prints it, and the test of the page compares.
//!
//! | file | contents |
//! |---|---|
//! | `kernels` | the kernels: what the page shows |
//! | `catalogue` | their inputs, expected results and controls |
//! | `lesson` | a kernel of the page and its controls |
//! | `choice` | the values that the user chose, checked |
//! | `bench` | a simulated GPU for one run |
//! | `answer` | the result as JSON |
//! | `fault` | a fault as JSON, and the two accesses of a race |
//! | `marks` | the steps of the timeline that a fault is about |
//! | `wasm` | the functions that the page calls |

mod answer;
mod bench;
mod catalogue;
mod choice;
mod fault;
mod kernels;
mod lesson;
mod marks;

#[cfg(target_arch = "wasm32")]
mod wasm;

use serde_json::{Value, json};

/// Returns the kernels and their controls as JSON: a list of `id`, `title`, `idea`, `paper` (true
/// or false) and `controls`.
///
/// A control has `id`, `label`, `kind` (`version`, `number`, `switch` or `fault`) and `value`, its
/// first value. A version has `names`, and a number has `values`. A fault has an effect in its
/// `versions` only, or in all if the list is empty.
pub fn lessons() -> String {
    Value::Array(catalogue::lessons().iter().map(lesson::Lesson::to_json).collect()).to_string()
}

/// Runs a kernel with chosen values. `choice` is JSON: `lesson` (an id), `seed` (a number or null),
/// and `values` (a number for each control that differs from its first value).
///
/// The result is JSON: `fault`, `result`, `costs`, `totals`, `timeline`, `marks` and `sources`; or
/// `error` if there is no such choice.
pub fn run(choice: &str) -> String {
    let outcome = choice::parse(choice).map(|(lesson, choice)| answer::answer(&lesson, &choice));
    outcome.unwrap_or_else(|error| json!({ "error": error })).to_string()
}
