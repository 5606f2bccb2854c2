//! The head of a report: the program, the machine and the measuring parameters.

use carrywave::device::{Description, PTX_ORIGIN};
use carrywave::internal::measure::machine::{driver, load, memory, processor, simd, system};
use serde::Serialize;
use std::fmt;

/// Program, machine and measuring parameters of a report.
#[derive(Debug, Serialize)]
pub struct Machine {
    version: &'static str,
    system: String,
    /// Mean number of runnable processes over the last minute, or `None` if the system does not
    /// report it.
    load: Option<f64>,
    processor: String,
    threads: usize,
    simd: &'static str,
    /// Memory in bytes, or `None` if the system does not report it.
    memory: Option<u64>,
    gpu: Option<Description>,
    /// Version of the NVIDIA driver.
    driver: Option<String>,
    /// Reason why no GPU is measured, if one was requested.
    pub no_gpu: Option<String>,
    ptx: &'static str,
    /// Number of timings per job.
    runs: usize,
    /// True for a quick run, whose figures mean nothing.
    quick: bool,
}

impl Machine {
    /// Describes this machine, without a GPU.
    pub fn new(runs: usize, quick: bool) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            system: system(),
            load: load(),
            processor: processor(),
            threads: rayon::current_num_threads(),
            simd: simd(),
            memory: memory(),
            gpu: None,
            driver: None,
            no_gpu: None,
            ptx: PTX_ORIGIN,
            runs,
            quick,
        }
    }

    /// Adds a GPU and returns its expected speed, relative to an H200.
    pub fn add_gpu(&mut self, gpu: Description) -> f64 {
        let speed = f64::from(gpu.multiprocessors) * f64::from(gpu.clock_mhz) / (132.0 * 1980.0);
        self.gpu = Some(gpu);
        self.driver = driver();
        speed
    }

    /// Returns the hardware name of each engine, for the chart.
    pub fn names(&self) -> Vec<String> {
        let cpu = format!("{}, {} threads, {}", self.processor, self.threads, self.simd);
        std::iter::once(cpu).chain(self.gpu.as_ref().map(|gpu| gpu.name.clone())).collect()
    }
}

/// Returns the expected speed of this processor, relative to one thread with AVX-512.
pub fn speed_of_cpu() -> f64 {
    let thread = match simd() {
        "AVX-512" => 1.0,
        "AVX2" => 0.5,
        _ => 0.1,
    };
    thread * rayon::current_num_threads() as f64
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "carrywave {} bench", self.version)?;
        let load = self.load.map_or(String::new(), |load| format!(", load {load} before"));
        writeln!(f, "system     {}{load}", self.system)?;
        let memory =
            self.memory.map_or(String::new(), |bytes| format!(", {:.1} GiB", bytes as f64 / f64::from(1 << 30)));
        writeln!(f, "cpu        {}, {} threads, SIMD {}{memory}", self.processor, self.threads, self.simd)?;
        if let Some(gpu) = &self.gpu {
            let driver = self.driver.as_ref().map_or(String::new(), |driver| format!(", driver {driver}"));
            writeln!(f, "gpu {}      {gpu}{driver}", gpu.ordinal)?;
        }
        if let Some(reason) = &self.no_gpu {
            writeln!(f, "gpu        none: {reason}")?;
        }
        writeln!(f, "kernels    {}", self.ptx)?;
        let plural = if self.runs == 1 { "" } else { "s" };
        writeln!(f, "times      medians of {} run{plural}; limits by the fastest", self.runs)?;
        if self.quick {
            writeln!(f, "--quick    the smallest sizes: the figures mean nothing")?;
        }
        Ok(())
    }
}
