//! `book FOLDER`: builds the pages of the book in FOLDER, as its `book.toml` says.

use mdbook_driver::MDBook;
use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1) else {
        eprintln!("usage: book FOLDER");
        return ExitCode::FAILURE;
    };
    match MDBook::load(folder).and_then(|book| book.build()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
