//! A fault as JSON, and the two accesses of a race.

use serde_json::{Value, json};
use simt_std::simulator::{Fault, FaultKind, Thread};
use std::panic::Location;

/// Returns a fault: its message, its thread and line, and those of the other access of a race.
pub fn describe(fault: &Fault) -> Value {
    let kind = format!("{:?}", fault.kind);
    let earlier = earlier(fault).map(
        |(thread, location)| json!({ "thread": position(thread), "file": location.file(), "line": location.line() }),
    );
    json!({
        "text": fault.to_string(),
        "kernel": fault.kernel,
        "kind": kind.chars().take_while(|c| c.is_alphanumeric()).collect::<String>(),
        "thread": fault.thread.as_ref().map(position),
        "file": fault.location.map(|location| location.file()),
        "line": fault.location.map(|location| location.line()),
        "earlier": earlier,
    })
}

fn position(thread: &Thread) -> Value {
    json!({ "block": thread.block, "thread": thread.thread })
}

/// Returns the other access of a race: its thread and its source line.
pub fn earlier(fault: &Fault) -> Option<(&Thread, &'static Location<'static>)> {
    match &fault.kind {
        FaultKind::Race { earlier_thread, earlier_location, .. }
        | FaultKind::ReadOnly { earlier_thread, earlier_location, .. } => Some((earlier_thread, earlier_location)),
        _ => None,
    }
}
