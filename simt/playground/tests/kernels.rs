//! The kernels of the page are right under many schedules, and each of their faults shows.

use serde_json::{Value, json};
use simt_playground::{lessons, run};

/// Seeds under which a fault has to show at least once.
const SEEDS: u64 = 20;

fn answer(choice: &Value) -> Value {
    serde_json::from_str(&run(&choice.to_string())).unwrap()
}

fn lesson_list() -> Vec<Value> {
    serde_json::from_str(&lessons()).unwrap()
}

/// Returns the numbers of a lesson's versions; 0 if there is only one.
fn versions(lesson: &Value) -> Vec<u64> {
    let controls = lesson["controls"].as_array().unwrap();
    let names = controls.iter().find_map(|control| control["names"].as_array());
    (0..names.map_or(1, |names| names.len() as u64)).collect()
}

fn choice(lesson: &Value, version: u64, seed: Option<u64>, values: &[(&str, u64)]) -> Value {
    let mut choice = json!({ "lesson": lesson["id"], "seed": seed, "values": {} });
    if versions(lesson).len() > 1 {
        choice["values"]["version"] = version.into();
    }
    values.iter().for_each(|&(id, value)| choice["values"][id] = value.into());
    choice
}

fn is_right(answer: &Value) -> bool {
    answer["fault"].is_null() && answer["result"]["right"] == true
}

#[test]
fn every_version_is_right_under_every_schedule() {
    for lesson in lesson_list() {
        for version in versions(&lesson) {
            for seed in [None].into_iter().chain((0..SEEDS).map(Some)) {
                let choice = choice(&lesson, version, seed, &[]);
                let answer = answer(&choice);
                assert!(is_right(&answer), "{choice}: {} {}", answer["fault"], answer["result"]);
            }
        }
    }
}

#[test]
fn every_value_of_every_control_is_right() {
    for lesson in lesson_list() {
        for control in lesson["controls"].as_array().unwrap() {
            let switch = [json!(0), json!(1)];
            let values = match control["kind"].as_str().unwrap() {
                "number" => control["values"].as_array().unwrap(),
                "switch" => &switch[..],
                _ => continue,
            };
            for version in versions(&lesson) {
                for value in values {
                    let id = control["id"].as_str().unwrap();
                    let choice = choice(&lesson, version, None, &[(id, value.as_u64().unwrap())]);
                    let answer = answer(&choice);
                    assert!(is_right(&answer), "{choice}: {answer}");
                }
            }
        }
    }
}

#[test]
fn every_fault_shows_in_the_versions_that_it_concerns() {
    for lesson in lesson_list() {
        for fault in lesson["controls"].as_array().unwrap().iter().filter(|control| control["kind"] == "fault") {
            for version in versions(&lesson) {
                let wanted = fault["versions"].as_array().unwrap();
                let shows = (0..SEEDS).any(|seed| {
                    let choice = choice(&lesson, version, Some(seed), &[(fault["id"].as_str().unwrap(), 1)]);
                    !is_right(&answer(&choice))
                });
                let concerns = wanted.is_empty() || wanted.contains(&version.into());
                assert_eq!(shows, concerns, "{} version {version}: {}", lesson["id"], fault["label"]);
            }
        }
    }
}

#[test]
fn both_accesses_of_a_race_are_marked() {
    let answer = answer(&json!({ "lesson": "transpose", "values": { "no_barrier": 1 } }));
    assert_eq!(answer["fault"]["kind"], "Race");
    let launch = &answer["timeline"]["launches"][0];
    let marks = &answer["marks"];
    for (mark, line) in [("fault", &answer["fault"]["line"]), ("earlier", &answer["fault"]["earlier"]["line"])] {
        let step = &launch["steps"][marks[mark]["step"].as_u64().unwrap() as usize];
        assert_eq!(&answer["timeline"]["sites"][step[4].to_string()][1], line);
        assert_eq!(step[5].as_u64().unwrap() >> marks[mark]["lane"].as_u64().unwrap() & 1, 1);
    }
}

#[test]
fn a_kernel_that_panics_is_a_fault_with_its_line() {
    let answer = answer(&json!({ "lesson": "myers", "values": { "unknown": 1 } }));
    assert_eq!(answer["fault"]["kind"], "Panic");
    assert!(answer["fault"]["text"].as_str().unwrap().contains("symbol 4 of text 0"), "{answer}");
    assert!(answer["fault"]["line"].as_u64().is_some_and(|line| line > 1));
    // The thread's last step is the read of the symbol, one line before.
    let last = answer["marks"]["last"].as_u64().unwrap() as usize;
    let site = &answer["timeline"]["launches"][0]["steps"][last][4];
    assert_eq!(answer["timeline"]["sites"][site.to_string()][1].as_u64().unwrap() + 1, answer["fault"]["line"]);
}

#[test]
fn what_is_no_choice_is_an_error() {
    for (choice, error) in [
        ("", "not a choice"),
        ("{}", "missing field `lesson`"),
        (r#"{"lesson":"x"}"#, "no kernel `x`"),
        (r#"{"lesson":"myers","values":{"m":7}}"#, "`m` cannot be 7"),
        (r#"{"lesson":"myers","values":{"k":7}}"#, "no control `k`"),
        (r#"{"lesson":"myers","values":{"m":-1}}"#, "not a choice"),
        (r#"{"lesson":"myers","more":1}"#, "unknown field"),
    ] {
        let told: Value = serde_json::from_str(&run(choice)).unwrap();
        assert!(told["error"].as_str().unwrap().contains(error), "{choice}: {told}");
    }
}
