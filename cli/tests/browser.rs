//! Tests of the HTML pages in headless Chromium, if it is installed (Debian's package `chromium`):
//! their scripts run without errors, and they show the expected content.

use simt_std::prelude::*;
use simt_std::simulator::{Options, Simulator};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the page after its script has run, or `None` if Chromium is not installed.
fn opened(page: &Path) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut chromium = Command::new("chromium");
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]);
    chromium.arg(format!("--user-data-dir={}", folder.path().display()));
    let output = chromium.arg(format!("file://{}", page.display())).output().ok()?;
    let console = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{console}");
    // Console messages of the page or the browser. Errors of the script are `Uncaught ...`.
    let said: Vec<&str> = console.lines().filter(|line| line.contains(":CONSOLE")).collect();
    assert!(said.is_empty(), "{said:?}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_machine_page_shows_its_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut carrywave = Command::new(env!("CARGO_BIN_EXE_carrywave"));
    let output = carrywave.args(["machine", "contiguous", "--html"]).arg(&page).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let Some(document) = opened(&page) else { return };
    assert!(document.contains("contiguous.rs"), "{document}");
    assert!(document.matches("<svg").count() > 0 && document.matches("<td").count() > 10, "{document}");
}

/// Each of 64 threads passes its number to its neighbour through shared memory.
#[kernel(threads = 64)]
fn hand_on(numbers: Global<u32>) {
    shared_array!(all: [u32; 64]);
    let i = thread::thread_idx_x();
    all.write(i, numbers.read(i as usize));
    // SAFETY: all threads of the block reach this call.
    unsafe { thread::sync_threads() };
    numbers.write(i as usize, all.read((i + 1) % 64));
}

#[test]
fn the_timeline_shows_warps_and_barriers() {
    let mut gpu = Simulator::new(Options { timeline: true, ..Options::default() });
    let numbers = gpu.alloc_from(&Vec::from_iter(0..64u32), "numbers");
    gpu.launch_kernel(1, HandOn { numbers: numbers.handle() }).unwrap();
    let html = gpu.timeline_html();
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("timeline.html");
    fs::write(&page, html).unwrap();
    let Some(document) = opened(&page) else { return };
    // The script creates the list of launches.
    assert!(document.contains("0: hand_on</option>"), "{document}");
}
