//! Random strings, strings that are near to others, and strings that repeat themselves.

use fastrand::Rng;

/// So many symbols, the bytes 0, 1, … below `symbols`.
pub fn text(len: usize, symbols: usize, seed: u64) -> Vec<u8> {
    random(len, symbols, &mut Rng::with_seed(seed))
}

/// The same of the letters a, b, …
pub fn letters(len: usize, symbols: usize, seed: u64) -> Vec<u8> {
    text(len, symbols, seed).into_iter().map(|symbol| b'a' + symbol).collect()
}

/// The same as [`text`], of random numbers that go on.
pub fn random(len: usize, symbols: usize, random: &mut Rng) -> Vec<u8> {
    (0..len).map(|_| random.usize(..symbols) as u8).collect()
}

/// So many symbols of which most are those of `original`, in its order: one in 24 is another, one is left out, one is doubled.
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

/// The pattern with so many insertions, deletions and substitutions.
pub fn with_errors(pattern: &[u8], errors: u32, symbols: usize, random: &mut Rng) -> Vec<u8> {
    let mut copy = pattern.to_vec();
    for _ in 0..errors {
        let at = random.usize(..=copy.len());
        edit(&mut copy, random.u8(..3), at, random.usize(..symbols) as u8);
    }
    copy
}

/// An insertion (0), a deletion (1) or a substitution at a place of a string or at its end.
pub fn edit(string: &mut Vec<u8>, what: u8, at: usize, symbol: u8) {
    match what {
        0 => string.insert(at, symbol),
        1 if at < string.len() => drop(string.remove(at)),
        _ if at < string.len() => string[at] = symbol,
        _ => {}
    }
}

/// The text's part of m symbols from a third on, or so that they fit; again and again if it has fewer.
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
        other => *other,
    };
    symbols.iter().rev().map(complement).collect()
}

/// A word again and again: n symbols in all.
pub fn repeated(word: &[u8], n: usize) -> Vec<u8> {
    word.iter().copied().cycle().take(n).collect()
}

/// The first n symbols of the Fibonacci word a, ab, aba, abaab, abaababa, …: each is the one before, and then the one before that. It
/// has squares and cubes everywhere, and no fourth power.
pub fn fibonacci(n: usize) -> Vec<u8> {
    let mut word = vec![b'a'; n];
    fill_fibonacci(&mut word);
    word
}

/// The same, over what is there.
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

/// A de Bruijn sequence of the letters a, b, …: around a circle, each string of `order` of them is there once. It is the Lyndon words whose
/// lengths divide the order, by the alphabet (H. Fredricksen, J. Maiorana, Necklaces of beads in k colors and k-ary de Bruijn sequences,
/// Discrete Mathematics 23, 1978), which Duval's algorithm tells one after the other.
pub fn de_bruijn(symbols: u8, order: usize) -> Vec<u8> {
    let last = b'a' + symbols - 1;
    let (mut sequence, mut lyndon) = (Vec::new(), vec![b'a']);
    loop {
        if order.is_multiple_of(lyndon.len()) {
            sequence.extend_from_slice(&lyndon);
        }
        // The next one: the word again and again up to the order, without the greatest letters at its end, and its last letter one more.
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

/// The first n symbols, a and b, of a binary de Bruijn sequence that is at least as long: no string of log₂ n symbols, rounded up, is there
/// twice.
pub fn binary_de_bruijn(n: usize) -> Vec<u8> {
    let mut text = vec![0; n];
    fill_de_bruijn(&mut text);
    text
}

/// The same, over what is there: up to 2^32 symbols.
///
/// It is the sequence of a linear feedback shift register of maximal length, with one 0 more in front of its longest run of zeros: s\[i\] is
/// the XOR of s\[i - d\] for the register's taps d. As a polynomial over two elements, squared, has the squares of its terms, s\[i\] is that of
/// s\[i - 2d\], s\[i - 4d\], … as well, so that ever longer parts are made of parts before them.
pub fn fill_de_bruijn(text: &mut [u8]) {
    let order = text.len().next_power_of_two().trailing_zeros().max(2) as usize;
    let taps = TAPS[order - 2];
    text.fill(0);
    // After the zero in front the register's own zeros, one fewer than its length.
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

/// Taps of registers of 2 to 32 bits that have maximal length: P. Alfke, Efficient shift registers, LFSR counters, and long pseudo-random sequence
/// generators, Xilinx XAPP 052, 1996.
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
