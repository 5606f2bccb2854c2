//! What several tests have in common; each takes what it needs.
//!
//! | file | what |
//! |---|---|
//! | `oracle` | dumb and obvious answers that engines are checked against; they share no code with them |
//! | `texts` | random strings, and strings that are near to others |
//! | `devices` | every engine that there is here, each opened once |
//! | `vectors` | the CPU's algorithms with less than this processor has |
//! | `files` | a folder for a test |
//! | `random_inputs` | random inputs of several kinds, in turn, for as long as is asked |
//!
//! The tests of the program, in `cli/tests`, have some of it too.
#![allow(dead_code, unused_imports, unused_macros, reason = "each test takes what it needs")]

#[cfg(feature = "simt")]
pub mod devices;
pub mod files;
pub mod oracle;
pub mod random_inputs;
pub mod texts;
pub mod vectors;
