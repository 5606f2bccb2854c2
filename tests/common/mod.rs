//! Code that several tests share; each test uses some of it.
//!
//! | file | what |
//! |---|---|
//! | `oracle` | simple reference implementations, which share no code with the engines |
//! | `naive_sites` | the sites of guides by their definition |
//! | `texts` | random strings, and strings that resemble others |
//! | `devices` | every available engine, each opened once |
//! | `vectors` | runs the CPU's algorithms with fewer instruction sets than the processor has |
//! | `genomes` | genomes that are not in the project |
//! | `files` | a temporary folder for a test |
//! | `random_inputs` | random inputs of several types, in turn, for a chosen time |
//!
//! The tests of the program, in `cli/tests`, use some of it too.
#![allow(dead_code, unused_imports, unused_macros, reason = "each test takes what it needs")]

#[cfg(feature = "simt")]
pub mod devices;
pub mod files;
pub mod genomes;
pub mod naive_sites;
pub mod oracle;
pub mod random_inputs;
pub mod texts;
pub mod vectors;
