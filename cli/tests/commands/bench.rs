//! `carrywave bench` from the command line, with all jobs at the smallest sizes. The measured
//! figures are not checked.

use crate::common::program::{Folder, assert_mentions, finish};
use serde_json::Value;
use std::fs;

const JOBS: [&str; 14] = [
    "lcs-dna",
    "lcs-64",
    "lcs-256",
    "lcs-tokens",
    "lcs-subsequence",
    "lcs-similar",
    "distance-dna",
    "distance-similar",
    "pairs",
    "search-exact",
    "search-k1",
    "search-k3",
    "best",
    "diff",
];

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let arguments = [&["bench", "--quick", "--json"][..], arguments].concat();
    serde_json::from_str(&folder.answer(&arguments)).unwrap()
}

/// Returns the names of the jobs in a report.
fn names(report: &Value) -> Vec<&str> {
    report["jobs"].as_array().unwrap().iter().map(|job| job["job"].as_str().unwrap()).collect()
}

#[test]
fn all_jobs_of_the_cpu_as_json() {
    let report = json(&Folder::new(), &["--engine", "cpu", "--threads", "2"]);
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&report["threads"], &report["quick"], &report["gpu"]), (&2.into(), &true.into(), &Value::Null));
    for text in ["system", "processor", "simd", "ptx"] {
        assert!(report[text].as_str().is_some_and(|text| !text.is_empty()), "{text}: {report}");
    }
    let limits = report["limits"].as_array().unwrap();
    assert!(limits.iter().any(|limit| limit["name"] == "memory read" && limit["unit"] == "GB/s"), "{report}");
    assert!(limits.iter().all(|limit| limit["rate"].as_f64().is_some_and(|rate| rate > 0.0)), "{report}");
    assert_eq!(names(&report), JOBS);
    for job in report["jobs"].as_array().unwrap() {
        assert_eq!((&job["engine"], &job["faults"]), (&"cpu".into(), &Value::Array(vec![])), "{job}");
        assert!(job["rate"].as_f64().is_some_and(|rate| rate > 0.0), "{job}");
        assert!(job["seconds"].as_array().unwrap().len() == 1 && job["median_s"].as_f64() > Some(0.0), "{job}");
        // A job has a share exactly if it has a limit, which is one of the listed limits.
        assert_eq!(job["limit"].is_null(), job["share"].is_null(), "{job}");
        assert!(job["limit"].is_null() || limits.iter().any(|limit| limit["name"] == job["limit"]), "{job}");
    }
    // Parts of commands are rounded to milliseconds, and a quick job takes only a few.
    let commands = report["commands"].as_array().unwrap();
    let of_commands: Vec<&str> = commands.iter().map(|command| command["job"].as_str().unwrap()).collect();
    assert_eq!(of_commands, ["lcs-dna", "lcs-subsequence", "distance-dna", "pairs", "search-k1", "diff"]);
    for command in commands {
        assert_eq!((&command["engine"], &command["faults"]), (&"cpu".into(), &Value::Array(vec![])), "{command}");
        assert!(command["command"].as_str().unwrap().starts_with("carrywave "), "{command}");
        let parts = command["parts"].as_array().unwrap();
        let share: f64 = parts.iter().map(|part| part["share"].as_f64().unwrap()).sum();
        assert!(share > 0.5 && parts.iter().any(|part| part["name"] == "start"), "{command}");
    }
    // Jobs without a known limit.
    for uncounted in ["lcs-tokens", "lcs-similar", "distance-similar", "diff"] {
        let job = report["jobs"].as_array().unwrap().iter().find(|job| job["job"] == uncounted).unwrap();
        assert!(job["share"].is_null(), "{job}");
    }
}

/// The messages of the commands are read whatever the environment says about messages.
#[test]
fn colours_and_levels_of_messages_do_not_matter() {
    let folder = Folder::new();
    for (name, value) in
        [("CLICOLOR_FORCE", "1"), ("RUST_LOG_STYLE", "always"), ("RUST_LOG", "error"), ("NO_COLOR", "1")]
    {
        let mut bench = folder.command(&["bench", "--quick", "--engine", "cpu", "--only", "lcs-dna"]);
        bench.env(name, value);
        let ran = finish(bench);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
    }
}

#[test]
fn a_command_that_cannot_run_leaves_the_report() {
    let folder = Folder::new();
    let mut bench = folder.command(&["bench", "--quick", "--engine", "cpu", "--only", "lcs-dna"]);
    bench.env("TMPDIR", folder.path("none"));
    let ran = finish(bench);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let report = String::from_utf8(ran.stdout).unwrap();
    assert_mentions(&report, &["lcs-dna", "WRONG: lcs-dna on cpu: its command was not timed"]);
}

#[test]
fn the_kernels_jobs_on_the_simulator() {
    let report = json(&Folder::new(), &["--engine", "simt"]);
    // Jobs with kernels.
    let expected: Vec<&str> = JOBS.into_iter().filter(|job| !["lcs-similar", "diff"].contains(job)).collect();
    assert_eq!(names(&report), expected);
    for job in report["jobs"].as_array().unwrap() {
        assert_eq!((&job["engine"], &job["faults"]), (&"simt".into(), &Value::Array(vec![])), "{job}");
    }
    let of = |name: &str| report["jobs"].as_array().unwrap().iter().find(|job| job["job"] == name).unwrap();
    for with_kernels in ["lcs-dna", "distance-dna", "pairs", "search-exact"] {
        assert!(of(with_kernels)["device_median_s"].as_f64() > Some(0.0), "{}", of(with_kernels));
        assert!(!of(with_kernels)["share"].is_null(), "{}", of(with_kernels));
    }
    let message = Folder::new().refusal(2, &["bench", "--engine", "simt"]);
    assert_mentions(&message, &["simt", "--quick"]);
}

#[test]
fn a_table_for_people() {
    let folder = Folder::new();
    let text = folder.answer(&["bench", "--quick", "--only", "lcs-dna,diff", "--engine", "cpu"]);
    let head = format!("carrywave {} bench\n", env!("CARGO_PKG_VERSION"));
    assert!(text.starts_with(&head), "{text}");
    assert_mentions(&text, &["\nsystem ", "\ncpu ", "\nkernels ", "the figures mean nothing", "memory read", "GB/s"]);
    assert_mentions(&text, &["LCS length, random DNA", "2,000 × 2,000", "TCUPS", " %\n", "diff of lines", "M lines/s"]);
    assert!(!text.contains("search") && !text.contains("WRONG"), "{text}");
    // Columns are aligned.
    let column = |line: &str, word: &str| line.split_once(word).map(|(before, _)| before.chars().count());
    let rows = |head: &str| -> Vec<&str> {
        text.lines().skip_while(|line| !line.starts_with(head)).take_while(|line| !line.is_empty()).collect()
    };
    assert_eq!(rows("  command").len(), 3, "{text}");
    let rows = rows("  job");
    assert_eq!(rows.len(), 3, "{text}");
    assert_eq!(column(rows[0], "size"), column(rows[1], "2,000 ×"), "{text}");
}

#[test]
fn files_are_written_whole() {
    let folder = Folder::new();
    let calls =
        [&["-o", "a.json", "--json"][..], &["-o", "a.txt", "--plot", "a.svg"], &["-o", "b.txt", "--plot", "b.png"]];
    for call in calls {
        let call = [&["bench", "--quick", "--engine", "cpu", "--only", "lcs-dna,best"][..], call].concat();
        assert_eq!(folder.answer(&call), "");
    }
    let report: Value = serde_json::from_slice(&folder.read("a.json")).unwrap();
    assert_eq!(names(&report), ["lcs-dna", "best"]);
    assert_mentions(&String::from_utf8(folder.read("a.txt")).unwrap(), &["LCS length", "best match"]);
    let chart = String::from_utf8(folder.read("a.svg")).unwrap();
    assert_mentions(&chart, &["<svg", "LCS length, random DNA", "a process", "best match", "100 %", "read", "</svg>"]);
    assert_eq!(&folder.read("b.png")[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(folder.names(), ["a.json", "a.svg", "a.txt", "b.png", "b.txt"]);
}

#[test]
fn what_cannot_be_written_is_refused_before_anything_is_measured() {
    let folder = Folder::new();
    // Without --quick, these calls would take a minute.
    for (code, call, words) in [
        (1, &["-o", "no/where.txt"][..], &["no/where.txt"][..]),
        (2, &["--plot", "a.pdf"], &["a.pdf", ".svg"]),
        (2, &["-o", "a.svg", "--plot", "a.svg"], &["the same file"]),
        (2, &["--runs", "0"], &["--runs", "at least 1"]),
        (2, &["--gpus", "2"], &["--gpus", "--gpu"]),
        (2, &["--calibrate", "--gpus", "2"], &["--gpus", "--gpu"]),
        (2, &["--calibrate", "--engine", "simt"], &["--calibrate", "simt"]),
        (2, &["--calibrate"], &["CARRYWAVE_CALIBRATION"]),
        (2, &["--engine", "cpu", "--gpu", "0"], &["--gpu", "cpu"]),
    ] {
        let message = folder.refusal(code, &[&["bench"][..], call].concat());
        assert_mentions(&message, words);
    }
    for (call, words) in [
        (&["--only", "lcs-dna,sort"][..], &["sort", "lcs-dna", "search-k3"][..]),
        (&["--engine", "tpu"], &["tpu", "simt"]),
        (&["--runs", "many"], &["many"]),
    ] {
        let ran = folder.run(&[&["bench"][..], call].concat());
        assert_eq!((ran.code, ran.stdout.len()), (2, 0), "{call:?}: {}", ran.stderr);
        assert_mentions(&ran.stderr, words);
    }
}

/// Runs every example of the help.
#[test]
fn the_examples_of_the_help_are_accepted() {
    let folder = Folder::new();
    let help = folder.answer(&["bench", "--help"]);
    for job in JOBS {
        assert!(help.contains(&format!("\n  {job} ")), "{job}: {help}");
    }
    let examples = help.lines().filter_map(|line| line.strip_prefix("  carrywave "));
    let mut count = 0;
    // A calibration takes most of a minute.
    for line in examples.filter(|line| !line.contains("--calibrate")) {
        let command = line.split("  ").next().unwrap();
        let quick = if command.contains("--quick") { &[][..] } else { &["--quick"] };
        let arguments: Vec<&str> = command.split(' ').chain(quick.iter().copied()).collect();
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, 0, "{line}: {}", ran.stderr);
        count += 1;
    }
    assert_eq!(count, 5, "{help}");
}

#[test]
fn a_calibration_is_kept_and_a_broken_one_is_ignored() {
    let folder = Folder::new();
    let call = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        command.env("CARRYWAVE_CALIBRATION", folder.path("new/costs.json"));
        finish(command)
    };
    let devices = || String::from_utf8(call(&["devices"]).stdout).unwrap();
    assert_mentions(&devices(), &["costs: defaults", "--calibrate"]);
    let ran = call(&["bench", "--calibrate", "--engine", "cpu"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_mentions(&String::from_utf8(ran.stdout).unwrap(), &["costs.json", "no GPU"]);
    assert_mentions(&devices(), &["costs: measured", "costs.json"]);
    let text = fs::read_to_string(folder.path("new/costs.json")).unwrap();
    for job in ["lcs", "lcs-length", "lcs-tokens", "distance", "script", "pairs"] {
        assert!(text.contains(&format!("\"{job}\":")), "{text}");
    }

    fs::write(folder.path("new/costs.json"), &text[1..]).unwrap();
    assert_mentions(&devices(), &["costs: defaults", "costs.json", "cannot be used"]);
    let a = "ACGT".repeat(1000);
    let ran = call(&["lcs", "-e", &a, &a]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_mentions(&ran.stderr, &["costs.json", "ignored", "--calibrate"]);
}
