//! A number for each bit of a vector, in bit planes: plane q has bit q of all the numbers.

use crate::cpu::vector::Vector;

/// Planes of a small sum: of at most 15 columns with two bits each, or 31 with one.
const SMALL: usize = 5;

/// Returns the number of planes for numbers up to `most`.
pub(super) fn planes_for(most: u32) -> usize {
    (u32::BITS - most.leading_zeros()).max(SMALL as u32) as usize
}

/// Numbers from 0 to less than 2^planes, one per lane.
#[derive(Debug)]
pub(super) struct Counter<'p, V> {
    planes: &'p mut [V],
}

impl<'p, V: Vector> Counter<'p, V> {
    /// Returns the numbers that these planes hold, as many as [`planes_for`] says.
    pub(super) fn new(planes: &'p mut [V]) -> Self {
        Self { planes }
    }

    /// Adds bits, at most 31 per lane, to the lanes' numbers.
    #[inline(always)]
    pub(super) fn add(&mut self, isa: V::Isa, bits: impl Iterator<Item = [V; 2]>) {
        let zero = V::splat(isa, 0);
        let mut small = [zero; SMALL];
        for [x, y] in bits {
            let (sum, mut carry) = full_add(small[0], x, y);
            small[0] = sum;
            for plane in &mut small[1..] {
                (*plane, carry) = (plane.xor(carry), plane.and(carry));
            }
        }
        let mut carry = zero;
        let (low, high) = self.planes.split_at_mut(SMALL);
        for (plane, small) in low.iter_mut().zip(small) {
            (*plane, carry) = full_add(*plane, small, carry);
        }
        for plane in high {
            (*plane, carry) = (plane.xor(carry), plane.and(carry));
        }
    }

    /// Returns the lanes' numbers, in order.
    #[inline(always)]
    pub(super) fn numbers(&self, numbers: &mut [u32]) {
        V::numbers(self.planes, numbers);
    }
}

/// Returns the sum of three bits and its carry.
#[inline(always)]
fn full_add<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    (a.xor(b).xor(c), a.and(b).or(c.and(a.or(b))))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::vector::{Avx2, Avx512};
    use crate::cpu::vector::{Isa, Plain};

    /// Compares counts by words with counts bit by bit, for random bits.
    fn check<I: Isa>() {
        let Some(isa) = I::detect() else { return };
        let (words, mut random) = (I::Vector::WORDS, fastrand::Rng::with_seed(1));
        for most in [31, 1000, 1 << 20] {
            let mut planes = vec![Vector::splat(isa, 0); planes_for(most)];
            let mut counter = Counter::<I::Vector>::new(&mut planes);
            let mut expected = vec![0; 64 * words];
            for _ in 0..most.min(1000) / 31 {
                let bits: Vec<[Vec<u64>; 2]> =
                    (0..15).map(|_| [(); 2].map(|()| (0..words).map(|_| random.u64(..)).collect())).collect();
                for word in bits.iter().flatten() {
                    for (lane, expected) in expected.iter_mut().enumerate() {
                        *expected += (word[lane / 64] >> (lane % 64) & 1) as u32;
                    }
                }
                counter.add(isa, bits.iter().map(|[x, y]| [Vector::load(isa, x), Vector::load(isa, y)]));
            }
            let mut found = vec![0; 64 * words];
            counter.numbers(&mut found);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn sums_by_single_bits() {
        check::<Plain>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx2>();
        #[cfg(target_arch = "x86_64")]
        check::<Avx512>();
    }
}
