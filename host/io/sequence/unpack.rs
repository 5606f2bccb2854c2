//! Decompression: detects the method from the first bytes of a file.

pub(super) mod bgzf;
mod bzip2;
mod limits;
mod members;
#[cfg(test)]
mod tests;
mod units;
mod xz;
mod zstd;

use limits::BUFFER;
use std::fmt;
use std::io::{self, BufReader, Read};
use units::{Format, Units};

/// Number of first bytes that identify a method.
const START: usize = 6;

/// Compression of a file, as its first bytes show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    /// A method that this module decompresses.
    Read(Method),
    /// A method that it does not decompress: its name, and a command that does.
    Refused { name: &'static str, command: &'static str },
}

/// Method of compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
        })
    }
}

impl Compression {
    pub fn detect(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Read(Method::Gzip)),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Read(Method::Bzip2)),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Read(Method::Xz)),
            // A zstd frame, or a skippable frame, which some programs write first.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Read(Method::Zstd)),
            [b'P', b'K', 3, 4, ..] => Some(Self::Refused { name: "zip", command: "unzip -p" }),
            _ => None,
        }
    }

    /// Reads the first bytes of an input, only as many as needed to identify a method, so that it
    /// does not wait for a pipe that has given a short line. If the input is a decompressor, reads
    /// up to a buffer of what else it has ready, because readers take a short read for the end of
    /// the available data.
    pub fn start(input: &mut impl Read, is_decompressed: bool) -> io::Result<Vec<u8>> {
        let (mut start, mut len) = (vec![0; if is_decompressed { BUFFER } else { START }], 0);
        while len < START && Self::may_be(&start[..len]) {
            match input.read(&mut start[len..]) {
                Ok(0) => break,
                Ok(count) => len += count,
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                Err(fault) => return Err(fault),
            }
        }
        start.truncate(len);
        Ok(start)
    }

    /// Returns true if the bytes may be the start of a compressed file.
    fn may_be(start: &[u8]) -> bool {
        let starts: [&[u8]; 5] =
            [&[0x1f, 0x8b], b"BZh1", &[0xfd, b'7', b'z', b'X', b'Z', 0], &[0x28, 0xb5, 0x2f, 0xfd], b"PK\x03\x04"];
        let skipped = matches!(start, [0x50..=0x5f, rest @ ..] if [0x2a, 0x4d, 0x18].starts_with(rest));
        skipped || starts.iter().any(|full| full.starts_with(start))
    }
}

/// Returns the contents of a compressed file, which may consist of several streams. Up to `threads`
/// threads besides the caller decompress files of several members: see [`Units`].
pub(super) fn unpacked(method: Method, packed: impl Read + Send + 'static, threads: usize) -> Box<dyn Read + Send> {
    match method {
        Method::Gzip => divided::<bgzf::Bgzf>(packed, threads),
        Method::Bzip2 => divided::<bzip2::Bzip2>(packed, threads),
        Method::Xz => divided::<xz::Xz>(packed, threads),
        Method::Zstd => divided::<zstd::Zstd>(packed, threads),
    }
}

fn divided<F: Format>(packed: impl Read + Send + 'static, threads: usize) -> Box<dyn Read + Send> {
    let packed = BufReader::with_capacity(BUFFER, packed);
    if threads == 0 {
        return F::default().rest(packed);
    }
    match Units::<_, F>::start(packed, threads, F::UNIT) {
        Ok(units) => Box::new(units),
        Err(packed) => F::default().rest(packed),
    }
}
