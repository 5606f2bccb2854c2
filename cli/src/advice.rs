//! What a user can do about an error, in the words of the command line.

use carrywave::Error;
use carrywave::error::InputFault;

/// The options that help, where there are any.
pub fn advice(error: &Error) -> Option<&'static str> {
    let Error::Input { fault, .. } = error else { return None };
    match fault {
        InputFault::NoFormat => Some("use --raw to compare its bytes"),
        InputFault::Malformed => Some("if this is no FASTQ, use --raw"),
        InputFault::Compressed => Some("or take it as it is with --no-decompress"),
        InputFault::SeveralRecords => Some("name one with --record-a or --record-b, or give its number"),
        _ => None,
    }
}
