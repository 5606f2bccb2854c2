//! `cargo xtask rust-src`: gets the standard library's source, for compiling `core` and `libm` for
//! the GPU.
//!
//! The toolchain's own component is best, but adding it changes the user's toolchain and requires
//! network access for rustup. Debian's package has the same files; it is unpacked below `target`,
//! not installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::apt;
use crate::outcome::{Outcome, Stop};
use crate::{ptxas, shell};
use simt_builder::library;
use simt_builder::rustc::Rustc;

/// Finds or downloads the source for the compiler in use.
pub fn run(rustup_may_help: bool) -> Outcome {
    let rustc = Rustc::current()?;
    let project = shell::project();
    if let Some(found) = library::find(&rustc, &[project.join("target")])? {
        return Ok(format!("{} is there", found.display()));
    }
    let place = library::in_target(&project.join("target"), rustc.release());
    let reason = match from_debian(&rustc, &place) {
        Ok(line) => {
            look_again(&project)?;
            return Ok(line);
        }
        Err(Stop::Unavailable(reason)) => reason,
        Err(stop) => return Err(stop),
    };
    if rustup_may_help {
        shell::show(Command::new("rustup").args(["component", "add", "rust-src"])).map_err(Stop::Unavailable)?;
        look_again(&project)?;
        return Ok(format!("{} is there", library::in_sysroot(&rustc).display()));
    }
    Err(Stop::Unavailable(format!(
        "{reason}\n\
         The source of {} can also come from\n  \
         rustup component add rust-src        (`cargo xtask rust-src --rustup` does that if all else fails)\n  \
         {}=DIRECTORY      (the directory `library` of that version's source)\n\
         Without it the library embeds the packaged PTX.",
        rustc.version(),
        library::RUST_SRC_VAR,
    )))
}

/// Returns the source of the whole standard library, for compiling `std` for another target.
pub fn whole(rustc: &Rustc) -> Result<PathBuf, Stop> {
    let target = shell::project().join("target");
    let holds_std = |library: &PathBuf| library.join("std/src/lib.rs").is_file();
    if let Some(library) = library::find(rustc, std::slice::from_ref(&target))?.filter(holds_std) {
        return Ok(library);
    }
    let place = library::in_target(&target, rustc.release());
    if !holds_std(&place) {
        from_debian(rustc, &place)?;
    }
    Ok(place)
}

/// Unpacks Debian's package of the same release into `place`.
fn from_debian(rustc: &Rustc, place: &Path) -> Outcome {
    let release = rustc.release();
    if release.contains('-') {
        return Err(Stop::Unavailable(format!("Debian has the source of releases only, not of {release}")));
    }
    let scratch = shell::scratch("apt")?;
    let (package, version) = apt::download("rust-src", release, &scratch)?;
    let unpacked = scratch.join("unpacked");
    let _ = fs::remove_dir_all(&unpacked);
    shell::capture(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&unpacked))?;

    // The source is moved as a whole at the end, so that an interrupted run does not leave an
    // incomplete source.
    let from = unpacked.join(format!("usr/src/rustc-{release}/library"));
    let tell = |error: std::io::Error| format!("cannot move {}: {error}", from.display());
    let _ = fs::remove_dir_all(place);
    fs::create_dir_all(place.parent().expect("has a directory")).map_err(tell)?;
    fs::rename(&from, place).map_err(tell)?;
    let _ = fs::remove_dir_all(&unpacked);
    let _ = fs::remove_file(&package);
    if !library::is_complete(place) {
        return Err(Stop::Failed(format!("Debian's rust-src {version} is not laid out as expected")));
    }
    Ok(format!("{} is there, from Debian's rust-src {version}", place.display()))
}

/// Makes `build.rs` search for the source again: it watches the packaged PTX, so a newer
/// modification time suffices.
fn look_again(project: &Path) -> Result<(), String> {
    let packaged = project.join(ptxas::PTX);
    let Ok(file) = fs::File::options().append(true).open(&packaged) else { return Ok(()) };
    file.set_modified(std::time::SystemTime::now()).map_err(|error| format!("{}: {error}", packaged.display()))
}
