//! The programs that `benches/diff_peers.py` runs beside the tools it compares.
//!
//!     diff-peers diff histogram|myers|minimal A B
//!         imara-diff on two files or two folders, as a unified diff
//!     diff-peers count < PATCH
//!         the numbers of lines that a unified diff deletes and inserts
//!     diff-peers measure SECONDS OUTPUT WORD...
//!         a program's seconds, processor seconds and peak memory

mod count;
mod imara;
mod measure;

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let texts: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let done = match (texts.first().map(|word| &**word), words.as_slice()) {
        (Some("diff"), [_, _, a, b]) => imara::run(&texts[1], a.as_ref(), b.as_ref()),
        (Some("count"), [_]) => count::run().map(|()| ExitCode::SUCCESS),
        (Some("measure"), [_, _, output, program @ ..]) if !program.is_empty() => {
            measure::run(&texts[1], output.as_ref(), program).map(|()| ExitCode::SUCCESS)
        }
        _ => Err(std::io::Error::other("a call is: diff ALGORITHM A B, count, or measure SECONDS OUTPUT WORD...")),
    };
    done.unwrap_or_else(|error| {
        eprintln!("diff-peers: {error}");
        ExitCode::from(2)
    })
}
