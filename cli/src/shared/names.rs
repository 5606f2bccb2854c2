//! Options whose values have names: an engine, an algorithm, an alphabet.

use carrywave::Error;
use std::str::FromStr;

/// Parses the value of an option, for clap.
pub fn named<T: FromStr<Err = Error>>(name: &str) -> Result<T, String> {
    name.parse().map_err(|error: Error| error.to_string())
}
