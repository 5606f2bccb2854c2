//! GPUs that the driver initialises.

use std::ffi::{OsStr, OsString};

/// The driver's list of the GPUs that a process sees.
const VISIBLE: &str = "CUDA_VISIBLE_DEVICES";

/// Makes the driver initialise only GPU 0 of this process. Each further GPU of a machine costs its
/// initialisation about 0.2 s.
///
/// # Safety
/// The process has one thread.
pub unsafe fn only_the_first() {
    let first = first(std::env::var_os(VISIBLE).as_deref());
    // SAFETY: the caller guarantees that no other thread reads the environment.
    unsafe { std::env::set_var(VISIBLE, first) };
}

/// Returns the list with the first GPU of a list, or of the machine if there is no list.
fn first(list: Option<&OsStr>) -> OsString {
    let Some(list) = list else { return "0".into() };
    match list.to_str() {
        Some(list) => list.split(',').next().unwrap_or("").into(),
        // Not a list that the driver knows.
        None => list.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_gpu_stays() {
        for (list, expected) in [
            (None, "0"),
            (Some("2,0,1"), "2"),
            (Some("1"), "1"),
            (Some(""), ""),
            (Some("-1,0"), "-1"),
            (Some("GPU-8932f937,GPU-1"), "GPU-8932f937"),
        ] {
            assert_eq!(first(list.map(OsStr::new)), expected, "{list:?}");
        }
    }
}
