//! Passes the directory of this crate to the build script of `carrywave`, which compiles the crate
//! a second time, to PTX. Also lists the source files with their text, so that the program can show
//! the simulator's counts beside the source lines on any machine.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let crate_directory = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::metadata=dir={crate_directory}");

    let src = Path::new(&crate_directory).join("src");
    let mut files = Vec::new();
    walk(&src, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let below: Vec<_> =
            file.strip_prefix(&src).expect("it is below").iter().map(|part| part.to_string_lossy()).collect();
        writeln!(list, "    ({:?}, include_str!({:?})),", below.join("/"), file).expect("a String takes all");
    }
    list += "]\n";
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("sources.rs"), list)
}

/// Appends the Rust files in a directory and its subdirectories to `files`.
fn walk(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
