//! A run as one page: the kernel's source with the cost of each line, and for a selected line
//! pictures of its warp accesses. The page is self-contained and loads nothing from the network.

use super::count::short;
use super::report::{Report, words};
use carrywave_kernels::source;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Number of warp accesses of each line that a page shows well.
pub const SAMPLES: usize = 24;

/// The page, with placeholders for its title and its data.
const PAGE: &str = include_str!("page.html");

/// Writes the page of a run. See the [example](super::report::Report).
///
/// # Errors
/// An error if the page cannot be written.
pub fn write_page(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    // In a script element, only `<` could end the element early.
    let data = data(report).to_string().replace('<', "\\u003c");
    let (before, rest) = PAGE.split_once("{{title}}").unwrap_or((PAGE, ""));
    let (middle, after) = rest.split_once("{{data}}").unwrap_or((rest, ""));
    let title = format!("{} on a {}", report.kernel, report.machine.model.to_string().to_uppercase());
    for part in [before, &title, middle, &data, after] {
        out.write_all(part.as_bytes())?;
    }
    Ok(())
}

fn data(report: &Report) -> Value {
    let mut files: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for line in &report.count.lines {
        let mut row = json!(line);
        row["share"] = json!(report.count.share(line));
        row["samples"] = json!(line.samples);
        files.entry(line.file).or_default().push(row);
    }
    let file = |(file, costs): (&str, Vec<Value>)| {
        let text: Vec<&str> = source(file).map(|text| text.lines().collect()).unwrap_or_default();
        json!({ "name": short(file), "source": text, "costs": costs })
    };
    let files: Vec<Value> = files.into_iter().map(file).collect();
    json!({ "report": report, "words": words(report.machine.model), "files": files })
}
