//! The properties of the machine that are reported with results.

use std::fs;

/// Returns the CPU's model name, or its architecture if that is unknown.
pub fn processor() -> String {
    field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.into())
}

/// Returns the name of the vector instructions in use: those that the CPU has and `CARRYWAVE_SIMD`
/// allows.
pub fn simd() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    match crate::cpu::vector::Lanes::widest().map(|lanes| lanes.words()) {
        Some(8) => return "AVX-512",
        Some(_) => return "AVX2",
        None => {}
    }
    "none"
}

/// Returns the memory size in bytes, if the system reports it.
pub fn memory() -> Option<u64> {
    let kib = field("/proc/meminfo", "MemTotal")?;
    Some(kib.strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Returns the average number of runnable processes in the last minute, if the system reports it: a
/// measure of other load.
pub fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// Returns the operating system and its version, as far as known.
pub fn system() -> String {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let all = [name.map(|name| name.trim_matches('"')), Some(os), Some(kernel.trim()), Some(arch)];
    all.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the version of NVIDIA's driver, if there is one and it reports it.
pub fn driver() -> Option<String> {
    driver_of(&fs::read_to_string("/proc/driver/nvidia/version").ok()?)
}

/// Returns the version number after the words `Kernel Module`; some drivers print the architecture
/// in between.
fn driver_of(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.contains("Kernel Module"))?;
    let mut words = line.split_whitespace();
    let number = |word: &&str| word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    words.find(number).map(str::to_owned)
}

/// Returns the text after a name and a colon in a file of the system.
fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_s_version() {
        let text = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\nGCC version: 12.2.0";
        assert_eq!(driver_of(text).as_deref(), Some("535.183.01"));
        let open = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build";
        assert_eq!(driver_of(open).as_deref(), Some("580.95.05"));
        assert_eq!(driver_of(""), None);
    }
}
