//! The kernels of the page, with their inputs, expected results and controls.

mod course;
mod papers;
mod sums;

use crate::lesson::{Control, Kind, Lesson};

/// Returns all kernels, in the order of the page.
pub fn lessons() -> Vec<Lesson> {
    let mut all = course::lessons();
    all.extend(sums::lessons());
    all.extend(papers::lessons());
    all
}

fn version(names: &'static [&'static str], first: u32) -> Control {
    Control { id: "version", label: "version", kind: Kind::Version(names), first }
}

fn number(id: &'static str, label: &'static str, values: &'static [u32], first: u32) -> Control {
    Control { id, label, kind: Kind::Number(values), first }
}

fn switch(id: &'static str, label: &'static str, first: bool) -> Control {
    Control { id, label, kind: Kind::Switch, first: first.into() }
}

fn fault(id: &'static str, label: &'static str) -> Control {
    fault_in(id, label, &[])
}

fn fault_in(id: &'static str, label: &'static str, versions: &'static [u32]) -> Control {
    Control { id, label, kind: Kind::Fault(versions), first: 0 }
}

/// Threads of a block.
fn threads(values: &'static [u32], first: u32) -> Control {
    number("threads", "threads of a block", values, first)
}
