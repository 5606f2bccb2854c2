//! Runs the CPU's algorithms with fewer instruction sets than the processor has.

/// Environment variable that restricts the vector instructions of a process. It is read once.
pub const VARIABLE: &str = "CARRYWAVE_SIMD";

/// Returns true if this processor has the instructions of the CPU search algorithm `name`, unless
/// `CARRYWAVE_SIMD` forbids them.
pub fn has_instructions_of(name: &str) -> bool {
    #[cfg(target_arch = "x86_64")]
    let vectors = is_x86_feature_detected!("avx2") && std::env::var(VARIABLE).as_deref() != Ok("none");
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = false;
    !["segments", "mismatches", "filter", "guides"].contains(&name) || vectors
}

/// Runs the tests of this program again, except those whose names contain an entry of `except`: in
/// a process with AVX2 only, and in a process without vectors.
pub fn again_with_less(except: &[&str]) {
    // This is such a process, or the user has set the variable.
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
