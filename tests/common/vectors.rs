//! The CPU's algorithms with less than this processor has.

/// The variable by which a process is kept from the processor's wider vectors. It is looked at once.
pub const VARIABLE: &str = "CARRYWAVE_SIMD";

/// Whether this processor has the instructions of the CPU's search algorithm of a name. `CARRYWAVE_SIMD` may say that it has not.
pub fn has_instructions_of(name: &str) -> bool {
    #[cfg(target_arch = "x86_64")]
    let vectors = is_x86_feature_detected!("avx2") && std::env::var(VARIABLE).as_deref() != Ok("none");
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = false;
    !["segments", "mismatches", "filter", "guides"].contains(&name) || vectors
}

/// Runs the tests of this program again, but for those whose names contain one of `except`: in a process with AVX2 only, and in one
/// without vectors.
pub fn again_with_less(except: &[&str]) {
    // This is such a process, or somebody has chosen.
    if std::env::var_os(VARIABLE).is_some() {
        return;
    }
    for width in ["avx2", "none"] {
        let mut tests = std::process::Command::new(std::env::current_exe().unwrap());
        for name in except {
            tests.args(["--skip", name]);
        }
        let output = tests.env(VARIABLE, width).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{VARIABLE}={width}:\n{said}{}", String::from_utf8_lossy(&output.stderr));
        let passed = said.lines().filter(|line| line.starts_with("test ") && line.ends_with(" ... ok")).count();
        assert!(passed >= 3, "{VARIABLE}={width}:\n{said}");
    }
}
