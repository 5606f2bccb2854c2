//! Advice that names command line options, for errors of the library.

use carrywave::Error;
use carrywave::error::InputFault;

/// Returns true if the call itself is wrong, whatever the input.
pub fn is_wrong_call(error: &Error) -> bool {
    matches!(error, Error::Usage { .. } | Error::Pattern { .. } | Error::UnknownName { .. } | Error::Unsupported { .. })
}

/// Returns the options that help against an error, or `None` if there are none.
pub fn advice(error: &Error) -> Option<&'static str> {
    let Error::Input { fault, .. } = error else { return None };
    match fault {
        InputFault::NoFormat => Some("use --raw to compare its bytes"),
        InputFault::Malformed => Some("use --raw if this is not FASTQ"),
        InputFault::Compressed => Some("or take it as it is with --no-decompress"),
        InputFault::SeveralRecords => Some("name one with --record-a or --record-b, or give its number"),
        _ => None,
    }
}
