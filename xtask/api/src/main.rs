//! Prints the public interface that a file of rustdoc's JSON describes, an item a line.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("give the path of rustdoc's JSON");
        return ExitCode::FAILURE;
    };
    // What is derived, and what every type has, says nothing.
    let mut builder = public_api::Builder::from_rustdoc_json(path);
    builder = builder.omit_blanket_impls(true).omit_auto_trait_impls(true).omit_auto_derived_impls(true);
    match builder.build() {
        Ok(api) => {
            print!("{api}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
