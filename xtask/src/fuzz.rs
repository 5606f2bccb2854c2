//! `cargo xtask fuzz`: random inputs with each of the CPU's vector types, and on emulated
//! processors with fewer instructions.

use std::process::Command;

use crate::outcome::{Outcome, Stop};
use crate::shell;

/// Default total time in seconds, as in CI.
pub const SECONDS: u64 = 30;

/// Values of `CARRYWAVE_SIMD`.
const VECTORS: [&str; 3] = ["avx512", "avx2", "none"];

/// Debian's emulator for single programs. The emulated processors lack AVX2 and AVX-512,
/// respectively.
const EMULATORS: [&str; 2] = ["qemu-x86_64", "qemu-x86_64-static"];
const PROCESSORS: [&str; 2] = ["Nehalem", "Haswell"];

/// Runs for about `seconds` in total, in equal shares.
pub fn run(seconds: u64, seed: u64) -> Outcome {
    let emulator = EMULATORS.into_iter().find(|name| shell::exists(name, "-version"));
    let emulator = emulator.filter(|_| cfg!(all(target_arch = "x86_64", target_os = "linux")));
    // The program is tested only once: a program started by an emulated one is not emulated.
    let shares = 1 + VECTORS.len() + emulator.map_or(0, |_| PROCESSORS.len());
    let share = seconds / shares as u64;
    shell::show(&mut test("fuzz_program", share, seed))?;
    for vectors in VECTORS {
        shell::show(test("fuzz", share, seed).env("CARRYWAVE_SIMD", vectors))?;
    }
    let Some(emulator) = emulator else {
        return Ok(format!("ok; no {} here, so no other processor", EMULATORS[0]));
    };
    for processor in PROCESSORS {
        let runner = format!("{emulator} -cpu {processor}");
        let mut command = test("fuzz", share, seed);
        shell::show(command.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", runner))?;
    }
    Ok("ok".to_owned())
}

fn test(name: &str, seconds: u64, seed: u64) -> Command {
    let mut command = shell::cargo_for_tests();
    command.args(["test", "--workspace", shell::PARQUET, "--release", "--test", name, "--", "--nocapture"]);
    command.env("CARRYWAVE_FUZZ_SECONDS", seconds.to_string()).env("CARRYWAVE_FUZZ_SEED", seed.to_string());
    command
}

/// Parses `[--seconds N] [--seed S]` and runs the tests.
pub fn run_with_arguments(arguments: &[&str]) -> Outcome {
    let (mut seconds, mut seed) = (SECONDS, 1);
    for pair in arguments.chunks(2) {
        let number = pair.get(1).and_then(|value| value.parse().ok());
        match (pair[0], number) {
            ("--seconds", Some(number)) => seconds = number,
            ("--seed", Some(number)) => seed = number,
            _ => return Err(Stop::Failed(format!("fuzz takes --seconds N and --seed S, not `{}`", pair.join(" ")))),
        }
    }
    run(seconds, seed)
}
