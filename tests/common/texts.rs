//! Random strings, strings that resemble others, and repetitive strings.

use fastrand::Rng;

/// Returns `len` random symbols, the bytes 0, 1, … below `symbols`.
pub fn text(len: usize, symbols: usize, seed: u64) -> Vec<u8> {
    random(len, symbols, &mut Rng::with_seed(seed))
}

/// Like [`text`], with the letters a, b, …
pub fn letters(len: usize, symbols: usize, seed: u64) -> Vec<u8> {
    text(len, symbols, seed).into_iter().map(|symbol| b'a' + symbol).collect()
}

/// Like [`text`], with a generator that the caller supplies.
pub fn random(len: usize, symbols: usize, random: &mut Rng) -> Vec<u8> {
    (0..len).map(|_| random.usize(..symbols) as u8).collect()
}

/// Returns `len` symbols, mostly those of `original` in the same order: one in 24 is replaced, one
/// is deleted, and one is followed by another.
pub fn relative(original: &[u8], len: usize, symbols: usize, seed: u64) -> Vec<u8> {
    let mut random = Rng::with_seed(seed);
    let (mut copy, mut from) = (Vec::with_capacity(len + 1), 0);
    while copy.len() < len {
        let symbol = original.get(from).copied().unwrap_or_else(|| random.usize(..symbols) as u8);
        match random.u8(..24) {
            0 => copy.push(random.usize(..symbols) as u8),
            1 => {}
            2 => copy.extend([symbol, symbol]),
            _ => copy.push(symbol),
        }
        from += 1;
    }
    copy.truncate(len);
    copy
}

/// Returns the pattern with `errors` random insertions, deletions and substitutions.
pub fn with_errors(pattern: &[u8], errors: u32, symbols: usize, random: &mut Rng) -> Vec<u8> {
    let mut copy = pattern.to_vec();
    for _ in 0..errors {
        let at = random.usize(..=copy.len());
        edit(&mut copy, random.u8(..3), at, random.usize(..symbols) as u8);
    }
    copy
}

/// Inserts (0), deletes (1) or replaces a symbol at a position of a string, or inserts at its end.
pub fn edit(string: &mut Vec<u8>, what: u8, at: usize, symbol: u8) {
    match what {
        0 => string.insert(at, symbol),
        1 if at < string.len() => drop(string.remove(at)),
        _ if at < string.len() => string[at] = symbol,
        _ => {}
    }
}

/// Returns the part of m symbols that begins after a third of the text, or earlier so that it fits;
/// repeats a text that has fewer.
pub fn part(text: &[u8], m: usize) -> Vec<u8> {
    let from = (text.len() / 3).min(text.len().saturating_sub(m));
    text[from..].iter().copied().cycle().take(m).collect()
}

pub fn reverse_complement(symbols: &[u8]) -> Vec<u8> {
    let complement = |symbol: &u8| match symbol {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        b'T' => b'A',
        b'a' => b't',
        b'c' => b'g',
        b'g' => b'c',
        b't' => b'a',
        other => *other,
    };
    symbols.iter().rev().map(complement).collect()
}

/// Repeats a word, n symbols in total.
pub fn repeated(word: &[u8], n: usize) -> Vec<u8> {
    word.iter().copied().cycle().take(n).collect()
}

/// Returns the first n symbols of the Fibonacci word a, ab, aba, abaab, abaababa, …: each word is
/// the concatenation of the two before it. It has squares and cubes everywhere, and no fourth
/// power.
pub fn fibonacci(n: usize) -> Vec<u8> {
    let mut word = vec![b'a'; n];
    fill_fibonacci(&mut word);
    word
}

/// Like [`fibonacci`], in place.
pub fn fill_fibonacci(word: &mut [u8]) {
    let (mut before, mut len) = (1, 2);
    for (symbol, first) in word.iter_mut().zip(*b"ab") {
        *symbol = first;
    }
    while len < word.len() {
        let more = before.min(word.len() - len);
        word.copy_within(..more, len);
        (before, len) = (len, len + before);
    }
}

/// Returns a de Bruijn sequence of the letters a, b, …: read as a circle, it has each string of
/// `order` letters once. It consists of the Lyndon words whose lengths divide the order, in
/// alphabetical order (H. Fredricksen, J. Maiorana, Necklaces of beads in k colors and k-ary de
/// Bruijn sequences, Discrete Mathematics 23, 1978), which Duval's algorithm generates.
pub fn de_bruijn(symbols: u8, order: usize) -> Vec<u8> {
    let last = b'a' + symbols - 1;
    let (mut sequence, mut lyndon) = (Vec::new(), vec![b'a']);
    loop {
        if order.is_multiple_of(lyndon.len()) {
            sequence.extend_from_slice(&lyndon);
        }
        // The next word: repeat the word up to the order, drop the greatest letters at its end, and
        // increment its last letter.
        let len = lyndon.len();
        for i in len..order {
            lyndon.push(lyndon[i - len]);
        }
        while lyndon.last() == Some(&last) {
            lyndon.pop();
        }
        match lyndon.last_mut() {
            Some(letter) => *letter += 1,
            None => return sequence,
        }
    }
}

/// Returns the first n symbols, a and b, of a binary de Bruijn sequence of at least this length: no
/// string of log₂ n symbols, rounded up, occurs twice.
pub fn binary_de_bruijn(n: usize) -> Vec<u8> {
    let mut text = vec![0; n];
    fill_de_bruijn(&mut text);
    text
}

/// Like [`binary_de_bruijn`], in place, for up to 2^32 symbols.
///
/// The sequence is that of a linear feedback shift register of maximal length, with one extra 0
/// before its longest run of zeros: s\[i\] is the XOR of s\[i - d\] for the register's taps d. The
/// square of a polynomial over two elements has the squares of its terms, so s\[i\] is also the XOR
/// of s\[i - 2d\], of s\[i - 4d\], and so on. Ever longer parts are thus computed from earlier
/// parts.
pub fn fill_de_bruijn(text: &mut [u8]) {
    let order = text.len().next_power_of_two().trailing_zeros().max(2) as usize;
    let taps = TAPS[order - 2];
    text.fill(0);
    // After the extra zero follow the register's own zeros, one fewer than its length.
    let mut done = (order + 1).min(text.len());
    if let Some(one) = text.get_mut(order) {
        *one = 1;
    }
    let mut scale = 1;
    while done < text.len() {
        while 2 * scale * order < done {
            scale *= 2;
        }
        let nearest = taps.iter().min().unwrap() * scale;
        let more = nearest.min(text.len() - done);
        let (before, after) = text.split_at_mut(done);
        for tap in taps {
            let from = &before[done - tap * scale..][..more];
            after[..more].iter_mut().zip(from).for_each(|(symbol, before)| *symbol ^= before);
        }
        done += more;
    }
    text.iter_mut().for_each(|symbol| *symbol += b'a');
}

/// Taps of registers of 2 to 32 bits with maximal length: P. Alfke, Efficient shift registers, LFSR
/// counters, and long pseudo-random sequence generators, Xilinx XAPP 052, 1996.
const TAPS: [&[usize]; 31] = [
    &[2, 1],
    &[3, 2],
    &[4, 3],
    &[5, 3],
    &[6, 5],
    &[7, 6],
    &[8, 6, 5, 4],
    &[9, 5],
    &[10, 7],
    &[11, 9],
    &[12, 6, 4, 1],
    &[13, 4, 3, 1],
    &[14, 5, 3, 1],
    &[15, 14],
    &[16, 15, 13, 4],
    &[17, 14],
    &[18, 11],
    &[19, 6, 2, 1],
    &[20, 17],
    &[21, 19],
    &[22, 21],
    &[23, 18],
    &[24, 23, 22, 17],
    &[25, 22],
    &[26, 6, 2, 1],
    &[27, 5, 2, 1],
    &[28, 25],
    &[29, 27],
    &[30, 6, 4, 1],
    &[31, 28],
    &[32, 22, 2, 1],
];
