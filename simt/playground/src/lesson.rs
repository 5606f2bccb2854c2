//! A kernel of the page, and its controls.

use crate::bench::{Bench, Check};
use crate::choice::Choice;
use serde_json::{Value, json};
use simt_std::simulator::Fault;

/// A kernel with an input.
pub struct Lesson {
    pub id: &'static str,
    pub title: &'static str,
    /// One or two sentences on what to try.
    pub idea: &'static str,
    /// True for a kernel of a paper, false for one of the course.
    pub paper: bool,
    pub controls: Vec<Control>,
    pub run: fn(&Choice, &mut Bench) -> Result<Check, Fault>,
}

/// Something that the user chooses: a number.
pub struct Control {
    pub id: &'static str,
    pub label: &'static str,
    pub kind: Kind,
    /// The value before the user chooses.
    pub first: u32,
}

pub enum Kind {
    /// The number of one of these versions.
    Version(&'static [&'static str]),
    /// One of these numbers.
    Number(&'static [u32]),
    /// 1 if on.
    Switch,
    /// 1 if the kernel has this fault. It has an effect in these versions alone, or in all if there
    /// are none.
    Fault(&'static [u32]),
}

impl Lesson {
    pub fn to_json(&self) -> Value {
        let controls: Vec<Value> = self.controls.iter().map(Control::to_json).collect();
        json!({
            "id": self.id, "title": self.title, "idea": self.idea, "paper": self.paper, "controls": controls,
        })
    }
}

impl Control {
    fn to_json(&self) -> Value {
        let mut shown = json!({ "id": self.id, "label": self.label, "value": self.first });
        let (kind, list) = match self.kind {
            Kind::Version(names) => ("version", Some(("names", json!(names)))),
            Kind::Number(values) => ("number", Some(("values", json!(values)))),
            Kind::Switch => ("switch", None),
            Kind::Fault(versions) => ("fault", Some(("versions", json!(versions)))),
        };
        shown["kind"] = kind.into();
        if let Some((name, list)) = list {
            shown[name] = list;
        }
        shown
    }

    /// Returns true if the control can have this value.
    pub fn allows(&self, value: u32) -> bool {
        match self.kind {
            Kind::Version(names) => (value as usize) < names.len(),
            Kind::Number(values) => values.contains(&value),
            Kind::Switch | Kind::Fault(_) => value <= 1,
        }
    }
}
