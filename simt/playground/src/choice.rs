//! The values that the user chose, checked against the controls.

use crate::catalogue;
use crate::lesson::Lesson;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    lesson: String,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    values: BTreeMap<String, u32>,
}

/// A value for each control of a lesson.
pub struct Choice {
    values: BTreeMap<String, u32>,
    /// Seed of the schedule.
    pub seed: Option<u64>,
}

impl Choice {
    /// Returns the value of a control; 0 if the lesson has no such control.
    pub fn get(&self, id: &str) -> u32 {
        self.values.get(id).copied().unwrap_or(0)
    }

    /// Returns true if a switch or a fault is on.
    pub fn is_on(&self, id: &str) -> bool {
        self.get(id) != 0
    }
}

/// Returns the lesson and the values that a request names.
pub fn parse(text: &str) -> Result<(Lesson, Choice), String> {
    let request: Request = serde_json::from_str(text).map_err(|error| format!("not a choice: {error}"))?;
    let lesson = catalogue::lessons().into_iter().find(|lesson| lesson.id == request.lesson);
    let lesson = lesson.ok_or_else(|| format!("there is no kernel `{}`", request.lesson))?;
    let mut values: BTreeMap<String, u32> =
        lesson.controls.iter().map(|control| (control.id.to_string(), control.first)).collect();
    for (id, value) in request.values {
        let control = lesson.controls.iter().find(|control| control.id == id);
        let control = control.ok_or_else(|| format!("`{}` has no control `{id}`", lesson.id))?;
        if !control.allows(value) {
            return Err(format!("`{id}` cannot be {value}"));
        }
        values.insert(id, value);
    }
    Ok((lesson, Choice { values, seed: request.seed }))
}
