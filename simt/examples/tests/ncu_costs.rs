//! Runs the tests of the script that compares counts with Nsight Compute, if there is a Python.

use std::path::Path;
use std::process::Command;

#[test]
fn the_script_passes_its_tests() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/ncu_costs.py");
    let python = |arguments: &[&str]| Command::new("python3").args(arguments).arg(&script).output();
    let Ok(tested) = python(&["-B", "-m", "doctest"]) else { return };
    assert!(tested.status.success(), "{}", String::from_utf8_lossy(&tested.stdout));
}
