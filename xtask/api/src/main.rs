//! Prints the public interface described by a file of rustdoc's JSON, one item per line. The JSON
//! must include hidden items.

mod reachable;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use serde_json::Value;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("give the path of rustdoc's JSON");
        return ExitCode::FAILURE;
    };
    match listing(Path::new(&path)) {
        Ok(listing) => {
            print!("{listing}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Lists the items that a user can reach. Repeats this until every type named in the listing is
/// also listed.
fn listing(path: &Path) -> Result<String, Box<dyn Error>> {
    let mut library: Value = serde_json::from_slice(&fs::read(path)?)?;
    reachable::without_hidden(&mut library);
    let part = path.with_extension("reachable.json");
    loop {
        fs::write(&part, library.to_string())?;
        // Derived, automatic and blanket implementations are omitted: they make the list long and
        // say little.
        let mut builder = public_api::Builder::from_rustdoc_json(&part);
        builder = builder.omit_blanket_impls(true).omit_auto_trait_impls(true).omit_auto_derived_impls(true);
        let listing = builder.build()?.to_string();
        if !reachable::add_named(&mut library, &listing) {
            return Ok(listing);
        }
    }
}
