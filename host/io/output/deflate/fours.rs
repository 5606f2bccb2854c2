//! Groups of four bases, which are counted and coded together.

/// Four bytes of a text.
pub(super) type Four = [u8; 4];

/// The groups, by their numbers.
static FOURS: [Four; 256] = fours();

const fn fours() -> [Four; 256] {
    // In the order of the two bits that `number` takes of each.
    const BASES: Four = *b"ACTG";
    let mut fours = [[0; 4]; 256];
    let mut number = 0;
    while number < 256 {
        let mut at = 0;
        while at < 4 {
            fours[number][at] = BASES[number >> (2 * at) & 3];
            at += 1;
        }
        number += 1;
    }
    fours
}

/// Returns the number of a group; for other bytes, some number.
#[inline(always)]
fn number(bytes: Four) -> usize {
    let pairs = u32::from_le_bytes(bytes) >> 1 & 0x0303_0303;
    (pairs.wrapping_mul(1 << 24 | 1 << 18 | 1 << 12 | 1 << 6) >> 24) as usize
}

/// Returns the number of four bases, or `None` if other bytes are among them.
#[inline(always)]
pub(super) fn number_of_bases(bytes: Four) -> Option<usize> {
    let number = number(bytes);
    (FOURS[number] == bytes).then_some(number)
}

/// Returns all groups, by their numbers.
pub(super) fn all() -> &'static [Four; 256] {
    &FOURS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_has_its_number() {
        for (number, bases) in all().iter().enumerate() {
            assert_eq!(number_of_bases(*bases), Some(number));
            assert!(bases.iter().all(|base| b"ACGT".contains(base)));
        }
        assert_eq!([*b"ACGN", *b"aCGT", *b"AC\nT", *b"FFFF"].map(number_of_bases), [None; 4]);
    }
}
