//! Checks the error messages of `#[kernel]`, and their positions, for functions that cannot become
//! kernels. The macro is compiled as in the build scripts of kernels: by one call of rustc.

use std::path::Path;
use std::process::Command;

/// A line of source with `▸` before the position of the error, and the message.
const CASES: &[(&str, &str)] = &[
    ("#[kernel(threads = 32)] ▸struct Nothing;", "#[kernel] makes a kernel of a `fn` or an `unsafe fn`"),
    ("#[kernel(threads = 32)] ▸const fn constant() {}", "#[kernel] makes a kernel of a `fn` or an `unsafe fn`"),
    ("▸#[kernel] fn no_threads() {}", "#[kernel] needs `threads = N` or `threads = [X, Y]`, the threads of a block"),
    ("▸#[kernel(threads = [])] fn none() {}", "a block has one, two or three dimensions"),
    ("▸#[kernel(threads = [1, 1, 1, 1])] fn four() {}", "a block has one, two or three dimensions"),
    (
        "#[kernel(threads = 32, ▸blocks = 1)] fn unknown() {}",
        "#[kernel] has no argument `blocks`: it takes threads, max_threads, min_blocks, shared or instances, or `cooperative`",
    ),
    (
        "#[kernel(▸32)] fn no_name() {}",
        "an argument of #[kernel] is `name = value`, with threads, max_threads, min_blocks, shared or instances, or `cooperative`",
    ),
    ("#[kernel(threads = 32, ▸threads = 64)] fn twice() {}", "`threads` is given twice"),
    (
        "#[kernel(threads = 32)] fn ▸generic<const N: usize>() {}",
        "a generic kernel needs `instances = [name: (values), …]`: each is an entry of its own in the PTX",
    ),
    (
        "#[kernel(threads = 32, instances = [one: ▸(1)])] fn two<const N: usize, T>(a: Two<N, T>) {}",
        "2 generic parameters, and 1 values",
    ),
    ("#[kernel(threads = 32, instances = [▸one])] fn form<T>() {}", "instances are a list: [name: (values), …]"),
    (
        "#[kernel(threads = 32)] fn lifetime<▸'a>() {}",
        "a kernel has no lifetimes: its parameters are copied to the device",
    ),
    (
        "#[kernel(threads = 32)] fn sum(a: u32) ▸-> u32 { a }",
        "a kernel returns nothing: it writes its results to memory",
    ),
    (
        "#[kernel(threads = 32)] fn pattern(▸(a, b): (u32, u32)) {}",
        "a kernel's parameter is `name: Type`, or its only one `self: Type`",
    ),
    (
        "#[kernel(threads = 32)] fn itself(▸self) {}",
        "a kernel's parameter is `name: Type`, or its only one `self: Type`",
    ),
    (
        "#[kernel(threads = 32)] fn more(self: Own, ▸a: u32) {}",
        "beside `self: Type` a kernel has no parameters: they are in the type",
    ),
    ("#[kernel(threads = 32)] fn ▸open();", "a kernel has a body"),
    ("#[kernel(threads = 32)] fn slice(x: ▸&[f32], n: u32) {}", "arrays are `Global<T>`: write `x: Global<f32>`"),
    ("#[kernel(threads = 32)] fn change(n: u32, y: ▸&mut [u8]) {}", "arrays are `Global<T>`: write `y: Global<u8>`"),
    ("#[kernel(threads = 32)] fn array(x: ▸&[f32; 32]) {}", "arrays are `Global<T>`: write `x: Global<f32>`"),
    ("#[kernel(threads = 32)] fn bare(mut x: ▸[f32]) {}", "arrays are `Global<T>`: write `x: Global<f32>`"),
    ("#[kernel(threads = 32)] fn vector(x: ▸Vec<u32>) {}", "arrays are `Global<T>`: write `x: Global<u32>`"),
    ("#[kernel(threads = 32)] fn path(x: ▸std::vec::Vec<u32>) {}", "arrays are `Global<T>`: write `x: Global<u32>`"),
    ("#[kernel(threads = 32)] fn text(x: ▸String) {}", "text is an array of bytes: write `x: Global<u8>`"),
    ("#[kernel(threads = 32)] fn str(x: ▸&str) {}", "text is an array of bytes: write `x: Global<u8>`"),
    (
        "#[kernel(threads = 32)] fn reference(x: ▸&u32) {}",
        "a kernel has no references, because the device has memory of its own: pass a value by itself, and an array as `Global<T>`",
    ),
];

#[test]
fn errors_say_what_is_wrong_and_where() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let rustc = || Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let built = rustc()
        .args(["--crate-type=proc-macro", "--edition=2024", "--out-dir"])
        .arg(scratch)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"))
        .args(["--crate-name=simt_macros", "--extern=proc_macro"])
        .status();
    assert!(built.unwrap().success());

    let mut source = String::from("#![crate_type = \"lib\"] use simt_macros::kernel;\n");
    for (line, _) in CASES {
        source += &format!("{}\n", line.replace('▸', ""));
    }
    let file = scratch.join("cases.rs");
    std::fs::write(&file, source).unwrap();
    let output = rustc()
        .args(["--edition=2024", "--emit=metadata", "--error-format=short", "--color=never"])
        .args(["--extern=simt_macros", "-L"])
        .arg(scratch)
        .arg("--out-dir")
        .arg(scratch)
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    for (i, (line, message)) in CASES.iter().enumerate() {
        let column = line.chars().position(|c| c == '▸').unwrap() + 1;
        let wanted = format!("cases.rs:{}:{column}: error: {message}\n", i + 2);
        assert!(said.contains(&wanted), "{line}\nwanted: {wanted}rustc said:\n{said}");
    }
    assert_eq!(said.lines().filter(|line| line.contains(": error: ")).count(), CASES.len(), "{said}");
}
