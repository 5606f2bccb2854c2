//! The result of a run as JSON.

use crate::bench::Bench;
use crate::choice::Choice;
use crate::fault::describe;
use crate::lesson::Lesson;
use crate::marks::marks;
use serde_json::{Value, json};
use simt_std::simulator::{Meeting, Simulator, Space};
use std::collections::BTreeMap;

/// Runs a lesson.
pub fn answer(lesson: &Lesson, choice: &Choice) -> Value {
    let mut bench = Bench::new(choice.seed);
    let outcome = (lesson.run)(choice, &mut bench);
    let gpu = &bench.gpu;
    let timeline = value(&gpu.timeline_json());
    let (fault, result) = match &outcome {
        Ok(check) => (Value::Null, json!({ "right": check.right, "text": check.text })),
        Err(fault) => (describe(fault), Value::Null),
    };
    json!({
        "lesson": lesson.id,
        "fault": fault,
        "result": result,
        "costs": value(&gpu.costs().to_json()),
        "totals": totals(gpu),
        "marks": outcome.as_ref().err().zip(bench.grid).and_then(|(fault, grid)| marks(&timeline, fault, grid)),
        "sources": sources(gpu, &timeline),
        "timeline": timeline,
    })
}

/// Parses JSON that the simulator has written.
fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or(Value::Null)
}

fn totals(gpu: &Simulator) -> Value {
    let (shared, global) = (gpu.costs().total(Space::Shared), gpu.costs().total(Space::Global));
    let times = |wanted| gpu.costs().meetings().filter(|(_, _, m, _)| *m == wanted).map(|(.., c)| c.times).sum::<u64>();
    json!({
        "accesses": shared.accesses + global.accesses,
        "lanes": shared.lanes + global.lanes,
        "wavefronts": shared.wavefronts,
        "conflicts": shared.conflicts,
        "sectors": global.sectors,
        "bytes": global.bytes,
        "barriers": times(Meeting::Barrier),
        "collectives": times(Meeting::Warp),
    })
}

/// Returns the sources of the lines in the timeline.
fn sources(gpu: &Simulator, timeline: &Value) -> BTreeMap<String, String> {
    let sites = timeline["sites"].as_object().into_iter().flatten();
    let files = sites.filter_map(|(_, place)| place[0].as_str());
    files.filter_map(|file| Some((file.to_string(), gpu.source(file)?.to_string()))).collect()
}
