//! Tests: several threads return the bytes and the errors of one thread.

use super::bgzf::{self, Bgzf};
use super::bzip2::Bzip2;
use super::limits::{MOST, MOST_PACKED};
use super::units::{Format, Packed, Units};
use super::xz::Xz;
use super::zstd::Zstd;
use ::bzip2::write::BzEncoder;
use fastrand::Rng;
use flate2::{Compress, Compression, Crc, FlushCompress};
use lzma_rust2::{CheckType, XzOptions, XzWriter};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{BufReader, Cursor, Read, Write};

fn random_piece(random: &mut Rng) -> Vec<u8> {
    (0..random.usize(..600)).map(|_| b"ACGT\n"[random.usize(..5)]).collect()
}

fn crc(bytes: &[u8]) -> [u8; 4] {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

fn bgzf_block(content: &[u8]) -> Vec<u8> {
    let mut deflated = Vec::with_capacity(1 << 17);
    let mut deflate = Compress::new(Compression::fast(), false);
    deflate.compress_vec(content, &mut deflated, FlushCompress::Finish).unwrap();
    let len = (bgzf::HEADER + deflated.len() + bgzf::TRAILER - 1) as u16;
    let header = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, b'B', b'C', 2, 0];
    let content_len = content.len() as u32;
    [&header, &len.to_le_bytes()[..], &deflated, &crc(content), &content_len.to_le_bytes()].concat()
}

fn bzip2_stream(content: &[u8]) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zstd_frame(content: &[u8]) -> Vec<u8> {
    compress_to_vec(content, CompressionLevel::Fastest)
}

fn zstd_frame_behind_others(content: &[u8]) -> Vec<u8> {
    let skippable = [&[0x53, 0x2a, 0x4d, 0x18, 5, 0, 0, 0][..], b"extra"].concat();
    [&skippable, &skippable, &zstd_frame(content)[..]].concat()
}

/// Returns an xz stream whose blocks' headers have no sizes.
fn xz_stream(content: &[u8], check: CheckType) -> Vec<u8> {
    let mut options = XzOptions::with_preset(0);
    options.set_check_sum_type(check);
    options.lzma_options.dict_size = 4096;
    let mut encoder = XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Returns a number of 7 bits a byte, the lowest first.
fn xz_number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn padded(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// Returns the header of an xz block with its sizes.
fn xz_block_header(compressed: usize, uncompressed: usize) -> Vec<u8> {
    let sizes = [xz_number(compressed), xz_number(uncompressed)].concat();
    let mut header = padded([&[0, 0xc0][..], &sizes, &[0x21, 1, 0]].concat());
    header[0] = (header.len() / 4) as u8;
    header.extend(crc(&header));
    header
}

/// Returns an xz stream of one block for each piece, whose headers have the sizes, as `xz -T`
/// writes them. The headers of the blocks count `more` bytes too many.
fn xz_blocks_with(pieces: &[Vec<u8>], check: CheckType, more: usize) -> Vec<u8> {
    let check_len = [0, 4, 0, 0, 8][check as usize];
    let mut stream = xz_stream(b"", check)[..12].to_vec();
    let mut index = [vec![0], xz_number(pieces.len())].concat();
    for piece in pieces {
        let plain = xz_stream(piece, check);
        let header_len = 4 * (usize::from(plain[12]) + 1);
        let backward = u32::from_le_bytes(*plain[plain.len() - 8..].first_chunk().unwrap());
        let index_start = plain.len() - 12 - 4 * (backward as usize + 1);
        // The data, padding, and the check.
        let block = &plain[12 + header_len..index_start];
        let is_len = |len: &usize| plain[index_start + 2..].starts_with(&xz_number(header_len + len));
        let len = (block.len() - 3..=block.len()).find(is_len).unwrap();
        let header = xz_block_header(len - check_len + more, piece.len());
        index.extend([xz_number(header.len() + len), xz_number(piece.len())].concat());
        stream.extend([&header, block].concat());
    }
    let index = padded(index);
    let index_len = index.len() as u32 / 4;
    let footer = [&index_len.to_le_bytes()[..], &[0, check as u8]].concat();
    [&stream, &index, &crc(&index)[..], &crc(&footer), &footer, b"YZ"].concat()
}

fn xz_blocks(pieces: &[Vec<u8>], check: CheckType) -> Vec<u8> {
    xz_blocks_with(pieces, check, 0)
}

/// The lines `>a`, `ACGTACGTACGTTTGACCATG`, `>b` and `GGTTGACATTTGACCCATGAC`, in blocks of 25
/// bytes, as written by `xz -9 -T2 --block-size=25 -C crc32`.
const XZ_OF_THREADS: &[u8] =
    b"\xfd7zXZ\x00\x00\x01i\x22\xde6\x02\xc0\x1d\x19!\x01\x1c\x00\x18\x5c\x99\xc6\xe0\x00\x18\x00\x15]\x00\
      \x1f\x18=DS%h\xa2Y\x95\xd7\xad\x22v\x97\x8d\x09q\xbf\xcb\x00\x00\x00\x00\x00\x8d\x01'\xc0\x02\xc0\
      \x1d\x19!\x01\x1c\x00\x18\x5c\x99\xc6\xe0\x00\x18\x00\x15]\x00\x1f\x18}D\xbd)\xfb}\xc2\x06\xb5m\xf7\
      \xdc2\xa4\xd41@\x90\x00\x00\x00\x00\x00(U,w\x00\x02-\x19-\x19\x00\x00G\xc2\xd0e>0\x0d\x8b\x02\x00\
      \x00\x00\x00\x01YZ";

/// These are the same lines in two frames of `zstd -19`. Each frame has 25 bytes of text, and the
/// first has no checksum.
const ZSTD: &[u8] =
    b"(\xb5/\xfd\x00h\xc9\x00\x00>a\x0aACGTACGTACGTTTGACCATG\x0a(\xb5/\xfd\x04h\xc9\x00\x00>b\x0aGGTTGACAT\
      TTGACCCATGAC\x0a\x15IgJ";

/// Reads byte by byte until the end or an error, because the bytes that a decoder returns before an
/// error may depend on the sizes of the reads.
fn read_all(mut read: impl Read) -> (Vec<u8>, Option<String>) {
    let mut bytes = Vec::new();
    loop {
        let mut byte = [0];
        match read.read(&mut byte) {
            Ok(0) => return (bytes, None),
            Ok(_) => bytes.push(byte[0]),
            Err(fault) => return (bytes, Some(format!("{:?} {fault}", fault.kind()))),
        }
    }
}

fn input(packed: &[u8]) -> BufReader<Cursor<Vec<u8>>> {
    BufReader::with_capacity(100, Cursor::new(packed.to_vec()))
}

/// Asserts that several threads return what one does, and returns that.
#[track_caller]
fn assert_alike<F: Format>(packed: &[u8], what: &str) -> (Vec<u8>, Option<String>) {
    let expected = read_all(F::default().rest(input(packed)));
    for unit_len in [1, F::UNIT.min(1000), F::UNIT] {
        let found = match Units::<_, F>::start(input(packed), 2, unit_len) {
            Ok(units) => read_all(units),
            Err(rest) => read_all(F::default().rest(rest)),
        };
        let outcome = |(bytes, fault): &(Vec<u8>, _)| format!("{} bytes, {fault:?}", bytes.len());
        let message = format!("{what}, units of {unit_len}: {}, not {}", outcome(&found), outcome(&expected));
        let common = found.0.len().min(expected.0.len());
        let is_alike = found.0[..common] == expected.0[..common] && found.1 == expected.1;
        // If all of its input is in one buffer, the decoder of bzip2 may withhold the last byte
        // before an error.
        let differing = found.0.len().abs_diff(expected.0.len());
        assert!(is_alike && differing <= usize::from(expected.1.is_some()), "{message}");
    }
    expected
}

/// Asserts that whole files of several members, cut ones, damaged ones and ones with other bytes
/// behind are read alike.
fn assert_all_alike<F: Format>(name: &str, pack: impl Fn(&mut Rng, &[Vec<u8>]) -> Vec<u8>) {
    let mut random = Rng::with_seed(5);
    for round in 0..3 {
        let pieces: Vec<_> = (0..random.usize(3..8)).map(|_| random_piece(&mut random)).collect();
        let packed = pack(&mut random, &pieces);
        let (content, fault) = assert_alike::<F>(&packed, name);
        assert!(content == pieces.concat() && fault.is_none(), "{name}: {fault:?}");
        let step = random.usize(3..12);
        for at in (0..packed.len()).skip(round).step_by(step) {
            assert_alike::<F>(&packed[..at], &format!("{name}, cut at {at} of {}", packed.len()));
            let mut damaged = packed.clone();
            damaged[at] ^= 1 << random.u8(..8);
            assert_alike::<F>(&damaged, &format!("{name}, damaged at {at} of {}", packed.len()));
        }
        for len in 0..9 {
            let garbage: Vec<u8> = (0..len).map(|_| random.u8(..)).collect();
            for behind in [&garbage[..], &vec![0; len], &packed[..len]] {
                for again in [&[], &packed[..]] {
                    let all = [&packed, behind, again].concat();
                    assert_alike::<F>(&all, &format!("{name}, with {behind:?} behind"));
                }
            }
        }
    }
}

fn each(pack: impl Fn(&[u8]) -> Vec<u8>) -> impl Fn(&mut Rng, &[Vec<u8>]) -> Vec<u8> {
    move |_, pieces| pieces.iter().flat_map(|piece| pack(piece)).collect()
}

/// Returns streams of some blocks each, with padding behind some.
fn xz_streams(random: &mut Rng, pieces: &[Vec<u8>]) -> Vec<u8> {
    let checks = [CheckType::None, CheckType::Crc32, CheckType::Crc64];
    let mut packed = Vec::new();
    let mut left = pieces;
    while !left.is_empty() {
        let (pieces, behind) = left.split_at(random.usize(1..=left.len().min(3)));
        left = behind;
        packed.extend(xz_blocks(pieces, checks[random.usize(..3)]));
        packed.resize(packed.len() + 4 * random.usize(..3), 0);
    }
    packed
}

#[test]
fn gzip_by_many_threads_is_as_by_one() {
    assert_all_alike::<Bgzf>("BGZF", each(bgzf_block));
}

#[test]
fn bzip2_by_many_threads_is_as_by_one() {
    assert_all_alike::<Bzip2>("bzip2", each(bzip2_stream));
}

#[test]
fn zstd_by_many_threads_is_as_by_one() {
    assert_all_alike::<Zstd>("zstd", each(zstd_frame));
    assert_all_alike::<Zstd>("zstd with skippable frames", each(zstd_frame_behind_others));
}

#[test]
fn xz_by_many_threads_is_as_by_one() {
    assert_all_alike::<Xz>("xz blocks", |_, pieces| xz_blocks(pieces, CheckType::Crc64));
    assert_all_alike::<Xz>("xz streams", xz_streams);
    assert_all_alike::<Xz>("xz without sizes", each(|piece| xz_stream(piece, CheckType::Crc32)));
}

/// Returns the contents of the members that the threads would get.
fn members<F: Format>(packed: &[u8]) -> Vec<Vec<u8>> {
    let mut input = Packed::new(input(packed));
    let mut position = F::default();
    let mut members = Vec::new();
    loop {
        let start = position.clone();
        let mut member = Vec::new();
        if input.take(&mut position, &mut member).is_none() {
            return members;
        }
        let mut bytes = Vec::new();
        start.decompress(&member, &mut bytes).unwrap();
        members.push(bytes);
    }
}

#[test]
fn files_are_cut_into_all_members() {
    let mut random = Rng::with_seed(7);
    let pieces: Vec<_> = (0..40).map(|_| [&b">\n"[..], &random_piece(&mut random)].concat()).collect();
    let packed = |pack: fn(&[u8]) -> Vec<u8>| each(pack)(&mut Rng::with_seed(1), &pieces);
    assert_eq!(members::<Bgzf>(&packed(bgzf_block)), pieces);
    assert_eq!(members::<Bzip2>(&packed(bzip2_stream)), pieces);
    assert_eq!(members::<Zstd>(&packed(zstd_frame)), pieces);
    assert_eq!(members::<Zstd>(&packed(zstd_frame_behind_others)), pieces);
    assert_eq!(members::<Xz>(&xz_streams(&mut random, &pieces)), pieces);
    assert_eq!(members::<Xz>(&xz_blocks(&pieces, CheckType::Crc64)), pieces);
    assert!(members::<Xz>(&xz_stream(b"content", CheckType::Crc64)).is_empty());
    let lines = b">a\nACGTACGTACGTTTGACCATG\n>b\nGGTTGACATTTGACCCATGAC\n";
    assert_eq!(members::<Xz>(XZ_OF_THREADS), [&lines[..25], &lines[25..]]);
    assert_eq!(members::<Zstd>(ZSTD), [&lines[..25], &lines[25..]]);
    let zstd = [ZSTD, &zstd_blocks(2, 1), &zstd_blocks(1, 0), ZSTD].concat();
    assert_eq!(members::<Zstd>(&zstd).iter().map(Vec::len).collect::<Vec<_>>(), [25, 25, 1 << 18, 1 << 17, 25, 25]);
}

#[test]
fn an_xz_block_with_a_wrong_length_is_read_as_by_one() {
    let content = vec![b"ACGTTGCA".repeat(30)];
    let next = vec![(0..=255).collect()];
    for more in 1..200 {
        let packed = [xz_blocks_with(&content, CheckType::Crc64, more), xz_blocks(&next, CheckType::Crc64)].concat();
        let (found, fault) = assert_alike::<Xz>(&packed, &format!("{more} bytes more"));
        assert!(found == [&content[0][..], &next[0]].concat() && fault.is_none(), "{fault:?}");
    }
}

/// Returns a zstd frame of blocks of 128 KiB without a checksum. The type of the blocks is 0, for
/// raw blocks, or 1, for blocks of one byte that is repeated.
fn zstd_blocks(count: usize, kind: u32) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x38];
    for block in 1..=count {
        let header = (1 << 20) | kind << 1 | u32::from(block == count);
        frame.extend(&header.to_le_bytes()[..3]);
        frame.resize(frame.len() + if kind == 0 { 1 << 17 } else { 1 }, b'A');
    }
    frame
}

#[test]
fn members_that_are_too_long_are_left_to_one_thread() {
    let first = zstd_frame(b"first");
    // Long in the file.
    let long = zstd_blocks(MOST_PACKED / (1 << 17) + 1, 0);
    let Err(rest) = Units::<_, Zstd>::start(input(&[&long, &first[..]].concat()), 2, 1) else {
        panic!("a member of {} bytes is taken", long.len())
    };
    assert!(rest.get_ref().0.get_ref().len() <= MOST_PACKED + 1);
    // Long when decompressed.
    let long = zstd_blocks(MOST / (1 << 17) + 1, 1);
    let mut bytes = Vec::new();
    Zstd.decompress(&long, &mut bytes).ok_or(()).unwrap_err();
    assert!(bytes.len() < MOST + (1 << 20));
    let Ok(mut units) = Units::<_, Zstd>::start(input(&[&first, &long[..], &first].concat()), 2, 1) else {
        panic!("the first member is not taken")
    };
    bytes.clear();
    units.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes.len(), 10 + MOST + (1 << 17));
    assert!(bytes.starts_with(b"firstAAA") && bytes.ends_with(b"AAAfirst"));
}

#[test]
fn a_file_of_one_member_is_left_to_one_thread() {
    let content = b"ACGTACGT";
    assert!(Units::<_, Bgzf>::start(input(&bgzf_block(content)), 2, 1).is_err());
    assert!(Units::<_, Bzip2>::start(input(&bzip2_stream(content)), 2, 1).is_err());
    assert!(Units::<_, Zstd>::start(input(&zstd_frame(content)), 2, 1).is_err());
    assert!(Units::<_, Xz>::start(input(&xz_blocks(&[content.to_vec()], CheckType::Crc64)), 2, 1).is_err());
}
