//! The page `docs/faults.md`: the planted faults and their messages.

use crate::fault::{Found, Group, Planted, Seen, name_of};
use std::fmt::Write;

/// Maximum number of columns of a message on the page.
const COLUMNS: usize = 112;

const HEAD: &str = "\
# Planted faults and their messages

After this page you can tell which mistakes in a kernel the simulator reports, which run reports them, and what the
message says. Use it to look up a message, or to choose mistakes for a course. Each mistake is a small kernel in
[`simt/examples/tests/planted`](../simt/examples/tests/planted), with the host code that runs it. Copy one of them to try
it. [simulator.md](simulator.md) explains the faults.

| found by | meaning |
|---|---|
| a launch | Every launch reports the fault, with the seed or without. |
| schedules | `schedules` reports it: the seed that the message names is the first of them. |
| results | `schedules` reports that the result depends on the order. |
| costs | `Simulator::costs` shows it at the line. |
| a reference | Nothing is reported; only a comparison with the expected result shows the mistake. |

The tests compare this page with the simulator. This command writes it again:

    WRITE_PAGE=1 cargo test --release -p simt_examples --test planted
";

fn row(group: &Group, planted: &Planted, seen: &Seen) -> String {
    let Planted { name, mistake, found, .. } = planted;
    let (by, what) = match (found, seen) {
        (Found::ByCosts { conflicts: 0, sectors }, _) => ("costs", format!("{sectors} sectors instead of 4")),
        (Found::ByCosts { conflicts, .. }, _) => ("costs", format!("{conflicts} conflicts")),
        (Found::Wrong(reason), _) => ("a reference", reason.to_string()),
        (_, Seen::Differs { seed }) => ("results", format!("differ with seed {seed}")),
        (_, Seen::Fault(fault)) => {
            let by = if fault.seed.is_some() { "schedules" } else { "a launch" };
            (by, format!("`{}`", name_of(&fault.kind)))
        }
        (_, Seen::WrongResult | Seen::RightResult) => ("nothing", String::new()),
    };
    let lines = match group.marked(name) {
        lines if lines.is_empty() || !matches!(seen, Seen::Fault(_)) => String::new(),
        lines => lines.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
    };
    format!("| {mistake} | `{name}` | {by} | {what} | {lines} |")
}

/// Breaks a text into lines.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is one");
        if line.is_empty() {
            *line = word.into();
        } else if line.chars().count() + 1 + word.chars().count() <= COLUMNS {
            *line += " ";
            *line += word;
        } else {
            lines.push(format!("    {word}"));
        }
    }
    lines.join("\n")
}

/// Returns the text of the page.
pub fn page(groups: &[(Group, Vec<Seen>)]) -> String {
    let mut page = String::from(HEAD);
    for (group, seen) in groups {
        let name = group.file.rsplit('/').next().unwrap_or(group.file);
        let link = format!("[`{name}`](../{})", group.file);
        writeln!(page, "\n## {}\n\nThe kernels are in {link}.\n", group.title).expect("a string");
        page += "| mistake | kernel | found by | as | lines |\n|---|---|---|---|---|\n";
        let mut messages = Vec::new();
        for (planted, seen) in group.planted.iter().zip(seen) {
            page += &row(group, planted, seen);
            page += "\n";
            if let Seen::Fault(fault) = seen {
                messages.push(wrapped(&fault.to_string().replace(group.file, name)));
            }
        }
        if !messages.is_empty() {
            write!(page, "\nThe messages:\n\n```text\n{}\n```\n", messages.join("\n\n")).expect("a string");
        }
    }
    page
}
