//! A fast compressor to DEFLATE (RFC 1951) for FASTQ and FASTA.
//!
//! Bases have about two bits each, and hardly repeat within the 32 KiB that a match reaches, so
//! they are coded as they are. Matches are looked for only where reads repeat: in runs of one
//! quality, and in headers. See `tokens`.
//!
//! | file | what |
//! |---|---|
//! | `tokens` | the parts of a text that repeat what is before them |
//! | `fours` | four bases at a time |
//! | `huffman` | codes for the bytes, the lengths and the distances |
//! | `bits` | bits in bytes |
mod bits;
mod fours;
mod huffman;
mod tokens;

use bits::Bits;
use huffman::Codes;
use tokens::{LONGEST as LONGEST_MATCH, Token, Tokens};

/// Symbols: bytes, the end, and lengths of matches.
const SYMBOLS: usize = 286;
/// Number of distances' symbols.
const DISTANCES: usize = 30;
/// Symbol of the end.
const END: usize = 256;
/// Longest code of a byte: four of them fit into a word beside seven bits.
const LONGEST: usize = 14;
/// Most bytes of a stored block.
const STORED: usize = 0xffff;
/// Bytes of a stored block besides its text.
const STORED_FRAME: usize = 5;
/// Order of the header's code lengths (RFC 1951, section 3.2.7).
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// A symbol with bits that follow it.
#[derive(Clone, Copy)]
struct Symbol {
    number: usize,
    extra: u64,
    extra_bits: u32,
}

/// A code of a byte, or of four.
#[derive(Clone, Copy)]
struct Code {
    bits: u64,
    len: u32,
}

/// Memory of the compressor.
#[derive(Debug, Default)]
pub(super) struct LineDeflate {
    tokens: Vec<Token>,
}

impl LineDeflate {
    /// Appends the compressed form of at most 65,535 bytes, at most five bytes longer than these.
    /// O(n).
    pub fn append(&mut self, text: &[u8], to: &mut Vec<u8>) {
        assert!(text.len() <= STORED);
        let period = if text.starts_with(b">") { 2 } else { 4 };
        Tokens::find(text, period, &mut self.tokens);
        let counts = Counts::of(text, &self.tokens);
        let symbols = Codes::new(&counts.symbols, LONGEST);
        let distances = Codes::new(&counts.distances, LONGEST);
        let header = Header::new(&symbols.lens, &distances.lens);
        let size = header.size + counts.size(&symbols.lens, &distances.lens);
        if size.div_ceil(8) >= text.len() + STORED_FRAME {
            let len = text.len() as u16;
            to.push(1);
            to.extend_from_slice(&len.to_le_bytes());
            to.extend_from_slice(&(!len).to_le_bytes());
            to.extend_from_slice(text);
            return;
        }
        let mut bits = Bits::new(to, size.div_ceil(8));
        header.write(&mut bits);
        self.write(text, &symbols, &distances, &mut bits);
        bits.finish();
    }

    fn write(&self, text: &[u8], symbols: &Codes<SYMBOLS>, distances: &Codes<DISTANCES>, bits: &mut Bits<'_>) {
        let codes: [Code; 256] =
            std::array::from_fn(|byte| Code { bits: symbols.bits[byte].into(), len: symbols.lens[byte].into() });
        let fours = fours::all().map(|bases| {
            let mut four = Code { bits: 0, len: 0 };
            for code in bases.map(|base| codes[usize::from(base)]) {
                four.bits |= code.bits << four.len;
                four.len += code.len;
            }
            four
        });
        let lens: [Code; LONGEST_MATCH + 1] = std::array::from_fn(|len| {
            let len = length_symbol(len.max(3) as u16);
            let code_len = u32::from(symbols.lens[len.number]);
            let bits = u64::from(symbols.bits[len.number]) | len.extra << code_len;
            Code { bits, len: code_len + len.extra_bits }
        });
        let add_four = |bytes: [u8; 4], bits: &mut Bits<'_>| match fours::number_of_bases(bytes) {
            Some(number) if fours[number].len <= 24 => bits.add(fours[number].bits, fours[number].len),
            _ => {
                bits.flush();
                bytes.map(|byte| codes[usize::from(byte)]).iter().for_each(|code| bits.add(code.bits, code.len));
                bits.flush();
            }
        };
        let mut rest = text;
        for token in &self.tokens {
            let (literals, behind) = rest.split_at(token.literals as usize);
            let (eights, some) = literals.as_chunks::<8>();
            for bytes in eights {
                for bytes in bytes.as_chunks().0 {
                    add_four(*bytes, bits);
                }
                bits.flush();
            }
            let (four, few) = some.as_chunks();
            for bytes in four {
                add_four(*bytes, bits);
                bits.flush();
            }
            for byte in few {
                let code = codes[usize::from(*byte)];
                bits.add(code.bits, code.len);
            }
            bits.flush();
            rest = behind;
            if token.len > 0 {
                let len = lens[usize::from(token.len)];
                bits.add(len.bits, len.len);
                if token.distance == 1 {
                    bits.add(u64::from(distances.bits[0]), u32::from(distances.lens[0]));
                } else {
                    let distance = distance_symbol(token.distance);
                    bits.add(u64::from(distances.bits[distance.number]), u32::from(distances.lens[distance.number]));
                    bits.add(distance.extra, distance.extra_bits);
                }
                bits.flush();
                rest = &rest[usize::from(token.len)..];
            }
        }
        bits.add(u64::from(symbols.bits[END]), u32::from(symbols.lens[END]));
        bits.flush();
    }
}

/// Returns the symbol of a length of 3 to 258.
fn length_symbol(len: u16) -> Symbol {
    let above = u32::from(len) - 3;
    if len == 258 {
        return Symbol { number: 285, extra: 0, extra_bits: 0 };
    }
    if above < 8 {
        return Symbol { number: 257 + above as usize, extra: 0, extra_bits: 0 };
    }
    let extra_bits = above.ilog2() - 2;
    let number = 257 + (4 * extra_bits + (above >> extra_bits)) as usize;
    Symbol { number, extra: u64::from(above & ((1 << extra_bits) - 1)), extra_bits }
}

/// Returns the symbol of a distance of 1 to 32,768.
fn distance_symbol(distance: u16) -> Symbol {
    let above = u32::from(distance) - 1;
    if above < 4 {
        return Symbol { number: above as usize, extra: 0, extra_bits: 0 };
    }
    let extra_bits = above.ilog2() - 1;
    let number = (2 * extra_bits + (above >> extra_bits)) as usize;
    Symbol { number, extra: u64::from(above & ((1 << extra_bits) - 1)), extra_bits }
}

/// Numbers of the symbols of a text.
struct Counts {
    symbols: [u32; SYMBOLS],
    distances: [u32; DISTANCES],
    /// Bits that follow the symbols.
    extra_bits: usize,
}

impl Counts {
    fn of(text: &[u8], tokens: &[Token]) -> Self {
        let mut counts = Self { symbols: [0; SYMBOLS], distances: [0; DISTANCES], extra_bits: 0 };
        let mut fours = [0; 256];
        let mut lens = [0; LONGEST_MATCH + 1];
        let mut rest = text;
        for token in tokens {
            let (literals, behind) = rest.split_at(token.literals as usize);
            let (four, few) = literals.as_chunks();
            for bytes in four {
                match fours::number_of_bases(*bytes) {
                    Some(number) => fours[number] += 1,
                    None => bytes.iter().for_each(|byte| counts.symbols[usize::from(*byte)] += 1),
                }
            }
            for byte in few {
                counts.symbols[usize::from(*byte)] += 1;
            }
            rest = behind;
            if token.len > 0 {
                lens[usize::from(token.len)] += 1;
                if token.distance == 1 {
                    counts.distances[0] += 1;
                } else {
                    let distance = distance_symbol(token.distance);
                    counts.distances[distance.number] += 1;
                    counts.extra_bits += distance.extra_bits as usize;
                }
                rest = &rest[usize::from(token.len)..];
            }
        }
        for (bases, count) in fours::all().iter().zip(fours) {
            bases.iter().for_each(|base| counts.symbols[usize::from(*base)] += count);
        }
        for (len, count) in lens.into_iter().enumerate().skip(3) {
            let len = length_symbol(len as u16);
            counts.symbols[len.number] += count;
            counts.extra_bits += (count * len.extra_bits) as usize;
        }
        counts.symbols[END] = 1;
        counts
    }

    /// Returns the bits of the text in codes of some lengths.
    fn size(&self, symbols: &[u8; SYMBOLS], distances: &[u8; DISTANCES]) -> usize {
        let sum = |counts: &[u32], lens: &[u8]| -> usize {
            counts.iter().zip(lens).map(|(count, len)| *count as usize * usize::from(*len)).sum()
        };
        sum(&self.symbols, symbols) + sum(&self.distances, distances) + self.extra_bits
    }
}

/// Start of a block: the lengths of its codes.
struct Header {
    /// Lengths, and runs of zeros.
    items: Vec<Symbol>,
    codes: Codes<19>,
    /// Bits of the header.
    size: usize,
}

impl Header {
    fn new(symbols: &[u8; SYMBOLS], distances: &[u8; DISTANCES]) -> Self {
        let mut items = Vec::new();
        let all: Vec<u8> = symbols.iter().chain(distances).copied().collect();
        let mut rest = &all[..];
        while let Some(&len) = rest.first() {
            let zeros = rest.iter().take(138).take_while(|len| **len == 0).count();
            let (item, count) = match zeros {
                0..3 => (Symbol { number: usize::from(len), extra: 0, extra_bits: 0 }, 1),
                3..11 => (Symbol { number: 17, extra: zeros as u64 - 3, extra_bits: 3 }, zeros),
                _ => (Symbol { number: 18, extra: zeros as u64 - 11, extra_bits: 7 }, zeros),
            };
            items.push(item);
            rest = &rest[count..];
        }
        let mut counts = [0; 19];
        for item in &items {
            counts[item.number] += 1;
        }
        let codes = Codes::new(&counts, 7);
        let size =
            items.iter().map(|item| usize::from(codes.lens[item.number]) + item.extra_bits as usize).sum::<usize>();
        Self { size: 3 + 14 + 19 * 3 + size, items, codes }
    }

    fn write(&self, bits: &mut Bits<'_>) {
        // The last block, with codes of its own.
        bits.add(1 | 2 << 1, 3);
        bits.add(SYMBOLS as u64 - 257, 5);
        bits.add(DISTANCES as u64 - 1, 5);
        bits.add(19 - 4, 4);
        bits.flush();
        for symbol in ORDER {
            bits.add(u64::from(self.codes.lens[symbol]), 3);
            bits.flush();
        }
        for item in &self.items {
            bits.add(u64::from(self.codes.bits[item.number]), u32::from(self.codes.lens[item.number]));
            bits.add(item.extra, item.extra_bits);
            bits.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first length, or distance, of each symbol, as RFC 1951, section 3.2.5, lists
    /// them.
    fn firsts(from: usize, to: usize, symbol: impl Fn(u16) -> Symbol) -> Vec<usize> {
        let all = (from..=to).map(|value| (value, symbol(value as u16)));
        all.filter(|(_, symbol)| symbol.extra == 0).map(|(value, _)| value).collect()
    }

    #[test]
    fn symbols_are_those_of_the_standard() {
        let lens = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115];
        assert_eq!(firsts(3, 130, length_symbol), lens);
        let distances = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769];
        assert_eq!(firsts(1, 1000, distance_symbol), distances);
        assert_eq!((length_symbol(258).number, length_symbol(257).number), (285, 284));
        assert_eq!(distance_symbol(1 << 15).number, 29);
    }

    #[test]
    fn other_decompressors_read_it() {
        let mut random = fastrand::Rng::with_seed(4);
        let mut deflate = LineDeflate::default();
        for round in 0..600 {
            let len = random.usize(0..if round % 20 == 0 { STORED + 1 } else { 600 });
            let symbols = [1, 2, 5, 256][round % 4];
            let mut text: Vec<u8> = (0..len).map(|_| random.usize(0..symbols) as u8).collect();
            if round % 3 == 0 {
                text = b"@read:1:2\nGATTACA\n+\nFFFFFF,\n".iter().cycle().take(len).copied().collect();
            }
            let mut compressed = Vec::new();
            deflate.append(&text, &mut compressed);
            assert!(compressed.len() <= text.len() + STORED_FRAME);
            let mut back = vec![0; text.len()];
            let mut reader = libdeflater::Decompressor::new();
            assert_eq!(reader.deflate_decompress(&compressed, &mut back), Ok(text.len()));
            assert!(back == text);
            let mut back = Vec::new();
            std::io::copy(&mut flate2::read::DeflateDecoder::new(&compressed[..]), &mut back).unwrap();
            assert!(back == text);
        }
    }
}
