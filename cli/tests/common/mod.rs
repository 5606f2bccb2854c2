//! Helpers shared by the program's tests, some of them also by the library's tests.
#![allow(dead_code, unused_imports, unused_macros, reason = "each test takes what it needs")]

pub mod beside_gnu;
pub mod cigar;
#[path = "../../../tests/common/devices.rs"]
pub mod devices;
#[path = "../../../tests/common/files.rs"]
pub mod files;
#[path = "../../../tests/common/oracle/lcs.rs"]
pub mod oracle_of_lcs;
pub mod peer;
pub mod program;
#[path = "../../../tests/common/random_inputs.rs"]
pub mod random_inputs;
#[path = "../../../tests/common/texts.rs"]
pub mod texts;
