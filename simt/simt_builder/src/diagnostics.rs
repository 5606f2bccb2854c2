//! Error messages about kernels: those of rustc, and others in the same form.
//!
//! cargo compiles the file of the kernels for the host, too. An error that is in both builds is
//! shown by cargo's own call of rustc, where editors also find it. So this module distinguishes the
//! errors that only the GPU build has, and the build script prints these.

use crate::ptx_checks::{Position, PtxFault, STATIC_SHARED_LIMIT};
use std::fmt::Write;
use std::path::Path;

/// Prefix of the kernels' files in rustc's messages, in place of the directory of their crate.
const KERNELS: &str = "kernels/";

/// The reason why kernels are not compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Errors as rustc prints them, with colours (ANSI escape sequences).
    pub text: String,
    /// True if the compilation for the host fails, too, with the same errors.
    pub on_host: bool,
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self { text, on_host: false }
    }
}

impl Failure {
    /// Makes a failure of rustc's messages about the crate in `directory`.
    pub(crate) fn of_rustc(messages: &str, directory: &Path) -> Self {
        let errors: Vec<String> = split(messages).into_iter().filter(|part| is_error(&plain(part))).collect();
        if errors.is_empty() {
            return messages.to_owned().into();
        }
        let on_host = errors.iter().all(|error| is_on_host(&plain(error)));
        let mut text = with_paths(&errors.concat(), directory);
        if !on_host {
            text += ALONE;
        }
        Self { text, on_host }
    }

    /// Makes a failure of faults in the PTX of the crate in `directory`.
    pub(crate) fn of_ptx(faults: &[PtxFault], directory: &Path) -> Self {
        let messages = faults.iter().map(|fault| with_paths(&describe(fault, directory), directory));
        messages.collect::<String>().into()
    }

    /// Returns each error in one line: `src/kernels.rs:3:9: mismatched types`.
    pub fn lines(&self) -> Vec<String> {
        let line = |part: &String| {
            let text = plain(part);
            let title = text.lines().next().unwrap_or_default();
            let title = title.split_once(": ").map_or(title, |(_, title)| title);
            let place = text.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
            place.map_or_else(|| title.to_owned(), |place| format!("{place}: {title}"))
        };
        split(&self.text).iter().filter(|part| is_error(&plain(part))).map(line).collect()
    }
}

/// Ends messages about errors that only the GPU build has.
const ALONE: &str = "\
note: for the GPU, the file of the kernels is compiled by itself, with `core` and `simt_std`: without `std`, without a
      heap and other packages, and `crate::` is this file

";

/// Codes of errors that the host build may not have: of paths, missing crates and files, unstable
/// features, and constants.
const GPU_CODES: &[&str] =
    &["[E0080]", "[E0432]", "[E0433]", "[E0463]", "[E0472]", "[E0583]", "[E0658]", "cannot find macro", "environment"];

/// Names that are in the prelude of the standard library, and not in that of `core`.
const STD_NAMES: &[&str] = &["`Vec`", "`String`", "`Box`", "`ToString`", "`ToOwned`"];

/// Returns true if the compilation for the host has this error, too. If in doubt, it returns false.
fn is_on_host(error: &str) -> bool {
    let title = error.lines().next().unwrap_or_default();
    let is_in_kernels = error.contains(&format!("--> {KERNELS}"));
    // Methods of `core`'s types may be those of the standard library: `sqrt`, `to_vec`.
    let is_method = title.contains("[E0599]");
    let of_own_type = title.contains(" for struct `") || title.contains(" for enum `");
    is_in_kernels
        && !GPU_CODES.iter().any(|code| title.contains(code))
        && !STD_NAMES.iter().any(|name| title.contains(name))
        && (!is_method || of_own_type)
}

/// Splits messages, which end with empty lines. A part that does not start like a message belongs
/// to the one before.
pub(crate) fn split(messages: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in messages.split_inclusive("\n\n") {
        let text = plain(part);
        match parts.last_mut() {
            Some(last) if !["error", "warning", "note"].iter().any(|start| text.starts_with(start)) => {
                last.push_str(part);
            }
            _ => parts.push(part.to_owned()),
        }
    }
    parts
}

/// Returns true for an error, and false for a warning and for the number of errors.
fn is_error(text: &str) -> bool {
    text.starts_with("error") && !text.starts_with("error: aborting due to")
}

/// Returns the text without colours.
pub(crate) fn plain(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\x1b' {
            // A sequence is `ESC [`, parameters, and a letter.
            let _ = characters.by_ref().skip(1).find(char::is_ascii_alphabetic);
        } else {
            result.push(character);
        }
    }
    result
}

/// Replaces the prefix of the kernels' files by the path of their directory, as cargo's call of
/// rustc shows it: relative to the workspace, which is where `Cargo.lock` is.
fn with_paths(text: &str, directory: &Path) -> String {
    let workspace = directory.ancestors().find(|ancestor| ancestor.join("Cargo.lock").is_file());
    let shown = workspace.and_then(|workspace| directory.strip_prefix(workspace).ok()).unwrap_or(directory);
    let shown = if shown.as_os_str().is_empty() { String::new() } else { format!("{}/", shown.display()) };
    let line = |line: &str| match line.split_once(KERNELS) {
        Some((before, after)) if plain(before).trim_end().ends_with(['>', ':']) => format!("{before}{shown}{after}"),
        _ => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Returns the message about a fault in PTX.
fn describe(fault: &PtxFault, directory: &Path) -> String {
    match fault {
        PtxFault::TooMuchShared { kernel, bytes, arrays } => {
            let limit = STATIC_SHARED_LIMIT;
            let title = format!(
                "the kernel `{kernel}` has {bytes} bytes of static shared memory, and {limit} (48 KiB) are possible"
            );
            let mut text = error(&title);
            for array in arrays {
                let label = format!("{} bytes", array.bytes);
                text += &match &array.position {
                    Some(position) => excerpt(position, &label, directory),
                    None => format!("  {}: {label}\n", array.symbol),
                };
            }
            let help = "dynamic shared memory may be larger: `#[kernel(threads = …, shared = BYTES)]` and\n          \
                        `let array = shared::dynamic_shared_mem::<T>();`";
            text + &format!("   = help: {help}\n\n")
        }
        PtxFault::CalledCollective { function, instruction, position } => {
            let source = position.as_ref().and_then(|position| source_line(position, directory));
            let name = source.as_deref().and_then(function_name).unwrap_or(function);
            let mut text =
                error(&format!("the function `{name}` has a collective (`{instruction}`) and is not inlined"));
            if let Some(position) = position {
                text += &excerpt(position, "", directory);
            }
            let why = "the compiler may copy or move calls of it, so that threads would not meet";
            text + &format!("   = note: {why}\n   = help: write `#[inline(always)]` before it\n\n")
        }
    }
}

/// Returns the first line of an error.
fn error(title: &str) -> String {
    format!("\x1b[1m\x1b[91merror\x1b[0m\x1b[1m: {title}\x1b[0m\n")
}

/// Returns a source line with its position, as in rustc's messages.
fn excerpt(position: &Position, label: &str, directory: &Path) -> String {
    let Position { file, line } = position;
    let mut text = format!("  --> {file}:{line}\n");
    if let Some(source) = source_line(position, directory) {
        write!(text, "   |\n{line:<3}| {source}\n   |").expect("a String takes all");
        let indent = source.len() - source.trim_start().len() + 1;
        let mark = if label.is_empty() { String::new() } else { format!("{:indent$}^ {label}", "") };
        writeln!(text, "{mark}").expect("a String takes all");
    }
    text
}

/// Reads a source line of the kernels' crate.
fn source_line(position: &Position, directory: &Path) -> Option<String> {
    let path = directory.join(position.file.strip_prefix(KERNELS)?);
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().nth(position.line.checked_sub(1)?).map(str::to_owned)
}

/// Returns the name of the function that is declared in a source line; `closure` for a closure.
fn function_name(source: &str) -> Option<&str> {
    match source.split_once("fn ") {
        Some((_, rest)) => {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
        }
        None => source.contains('|').then_some("closure"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx_checks::Array;

    fn failure(messages: &str) -> Failure {
        Failure::of_rustc(messages, Path::new("/somewhere/package"))
    }

    const MISMATCH: &str = "\
\x1b[1m\x1b[91merror[E0308]\x1b[0m\x1b[1m: mismatched types\x1b[0m
  \x1b[94m--> \x1b[0mkernels/src/kernels.rs:10:19
   |
10 |     sums.write(0, kernels/src);
note: method defined here
  --> simt_std/src/global.rs:86:12

";

    #[test]
    fn errors_of_both_builds_are_left_to_the_host() {
        let warning = "warning: unused variable\n --> kernels/src/kernels.rs:3:9\n\n";
        let failure = failure(&format!("{warning}{MISMATCH}error: aborting due to 1 previous error\n\n"));
        assert!(failure.on_host);
        assert_eq!(failure.lines(), ["/somewhere/package/src/kernels.rs:10:19: mismatched types"]);
        assert!(failure.text.contains("write(0, kernels/src);") && !failure.text.contains("unused"));
        assert!(failure.text.contains("\x1b[94m--> \x1b[0m/somewhere/package/src/kernels.rs"), "{}", failure.text);
    }

    #[test]
    fn errors_of_the_gpu_build_alone_are_told_apart() {
        for (title, on_host) in [
            ("error: expected one of `,` or `}`", true),
            ("error: arrays are `Global<T>`", true),
            ("error[E0425]: cannot find function `foo` in this scope", true),
            ("error[E0599]: no method named `raed` found for struct `Global<T>` in the current scope", true),
            ("error[E0599]: no method named `sqrt` found for type `f32` in the current scope", false),
            ("error[E0599]: no method named `to_vec` found for array `[u32; 2]` in the current scope", false),
            ("error[E0425]: cannot find type `Vec` in this scope", false),
            ("error[E0433]: cannot find module or crate `std` in this scope", false),
            ("error: cannot find macro `println` in this scope", false),
        ] {
            let error = format!("{title}\n --> kernels/src/kernels.rs:1:2\n\n");
            assert_eq!(failure(&error).on_host, on_host, "{title}");
            assert_eq!(failure(&error).text.contains("compiled by itself"), !on_host, "{title}");
            let elsewhere = format!("{title}\n --> simt_std/src/global.rs:1:2\n\n");
            assert!(!failure(&elsewhere).on_host, "{title}");
            assert!(!failure(&(error + &elsewhere)).on_host, "{title}");
        }
    }

    #[test]
    fn other_output_of_rustc_is_kept() {
        for text in ["", "LLVM ERROR: out of memory\n", "thread 'rustc' panicked\n\nnote: x"] {
            assert_eq!(failure(text), Failure { text: text.to_owned(), on_host: false });
        }
    }

    #[test]
    fn colours_are_removed() {
        assert_eq!(plain("\x1b[1m\x1b[38;5;12ma\x1b[0mb\x1b[K\x1b["), "ab");
    }

    #[test]
    fn faults_in_ptx_are_shown_with_their_source() {
        let directory = std::env::temp_dir().join(format!("simt_builder-faults-{}", std::process::id()));
        std::fs::create_dir_all(directory.join("src")).unwrap();
        std::fs::write(directory.join("Cargo.lock"), "").unwrap();
        std::fs::write(directory.join("src/k.rs"), "//\n    shared_array!(tile: [u32; 20480]);\nfn all(p: bool) {\n")
            .unwrap();
        let position = |line| Some(Position { file: "kernels/src/k.rs".to_owned(), line });
        let arrays = vec![Array { symbol: "shared_tile_2_5_7".to_owned(), bytes: 81920, position: position(2) }];
        let shared = PtxFault::TooMuchShared { kernel: "big".to_owned(), bytes: 81920, arrays };
        let vote = |line| PtxFault::CalledCollective {
            function: "_RNv3all".to_owned(),
            instruction: "vote.sync.ballot.b32".to_owned(),
            position: position(line),
        };
        let failure = Failure::of_ptx(&[shared, vote(3), vote(99)], &directory);
        std::fs::remove_dir_all(&directory).unwrap();
        let expected = "\
error: the kernel `big` has 81920 bytes of static shared memory, and 49152 (48 KiB) are possible
  --> src/k.rs:2
   |
2  |     shared_array!(tile: [u32; 20480]);
   |     ^ 81920 bytes
   = help: dynamic shared memory may be larger: `#[kernel(threads = …, shared = BYTES)]` and
          `let array = shared::dynamic_shared_mem::<T>();`

error: the function `all` has a collective (`vote.sync.ballot.b32`) and is not inlined
  --> src/k.rs:3
   |
3  | fn all(p: bool) {
   |
   = note: the compiler may copy or move calls of it, so that threads would not meet
   = help: write `#[inline(always)]` before it

error: the function `_RNv3all` has a collective (`vote.sync.ballot.b32`) and is not inlined
  --> src/k.rs:99
   = note: the compiler may copy or move calls of it, so that threads would not meet
   = help: write `#[inline(always)]` before it

";
        assert_eq!(plain(&failure.text), expected);
        assert!(!failure.on_host);
        assert_eq!(failure.lines().len(), 3);
    }

    #[test]
    fn names_of_functions_are_read_from_their_lines() {
        assert_eq!(function_name("    pub(crate) unsafe fn all<T>(&self) {"), Some("all"));
        assert_eq!(function_name("let vote = |p| unsafe {"), Some("closure"));
        assert_eq!(function_name("}"), None);
    }
}
