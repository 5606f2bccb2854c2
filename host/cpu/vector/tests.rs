//! Compares every operation with single words and bits.

use super::isa::Survey;
use super::*;

/// Compares every operation with single bits.
fn check<I: Isa>() {
    let Some(isa) = I::detect() else { return };
    let words = I::Vector::WORDS;
    let mut random = fastrand::Rng::with_seed(1);
    // Miri is a thousand times slower.
    for _ in 0..if cfg!(miri) { 2 } else { 100 } {
        let [a, b]: [Vec<u64>; 2] = std::array::from_fn(|_| (0..words).map(|_| random.u64(..)).collect());
        let stored = |vector: I::Vector| {
            let mut result = vec![0; words];
            vector.store(&mut result);
            result
        };
        let each = |f: &dyn Fn(u64, u64) -> u64| -> Vec<u64> { a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect() };
        let x = I::Vector::load(isa, &a);
        let y = I::Vector::load(isa, &b);
        assert_eq!(stored(x), a);
        assert_eq!(stored(x.and(y)), each(&|a, b| a & b));
        let mut changed = x;
        changed.words_mut()[words - 1] ^= 5;
        assert_eq!((stored(changed)[words - 1], changed.words_mut().len()), (a[words - 1] ^ 5, words));
        assert_eq!(stored(x.or(y)), each(&|a, b| a | b));
        assert_eq!(stored(x.xor(y)), each(&|a, b| a ^ b));
        assert_eq!(stored(x.and_not(y)), each(&|a, b| a & !b));
        let c: Vec<u64> = (0..words).map(|_| random.u64(..)).collect();
        let z = I::Vector::load(isa, &c);
        let third = |f: &dyn Fn(u64, u64, u64) -> u64| -> Vec<u64> {
            a.iter().zip(&b).zip(&c).map(|((&a, &b), &c)| f(a, b, c)).collect()
        };
        assert_eq!(stored(x.and_equal(y, z)), third(&|a, b, c| a & !(b ^ c)));
        for len in (0..70).chain([200]) {
            let symbols: Vec<u8> = (0..len).map(|_| random.u8(..)).collect();
            let planes = I::Vector::planes(isa, &symbols, [0, 1, 2, 3, 4, 5, 6, 7]);
            for (i, symbol) in symbols.iter().take(64).enumerate() {
                let found = planes.iter().rev().fold(0, |number, plane| number << 1 | (plane >> i & 1) as u8);
                assert_eq!(found, *symbol, "{i} of {len}");
            }
            let few: Vec<u8> = symbols.iter().map(|symbol| b"acgt"[usize::from(symbol % 4)]).collect();
            for (strings, known) in
                [([&few[..], b"a"], *b"acgt"), ([&few, b"b"], *b"acgt"), ([&symbols, b""], *b"aaaa")]
            {
                let all = || strings.iter().copied().flatten();
                let expected = Survey {
                    varying: all().fold(0, |varying, symbol| varying | (symbol ^ known[0])),
                    others: all().any(|symbol| !known.contains(symbol)),
                };
                assert_eq!(I::Vector::survey(isa, &strings, known), expected, "{strings:?}");
            }
        }
        for count in [1, 7, 8, 9, 20] {
            let planes: Vec<Vec<u64>> = (0..count).map(|_| (0..words).map(|_| random.u64(..)).collect()).collect();
            let loaded: Vec<I::Vector> = planes.iter().map(|plane| I::Vector::load(isa, plane)).collect();
            let mut numbers = vec![7; 64 * words];
            I::Vector::numbers(&loaded, &mut numbers);
            for (lane, &number) in numbers.iter().enumerate() {
                let bit = |plane: &Vec<u64>| (plane[lane / 64] >> (lane % 64) & 1) as u32;
                assert_eq!(number, planes.iter().rev().fold(0, |number, plane| number << 1 | bit(plane)));
            }
        }
        for shift in 0..64 {
            assert_eq!(stored(x.shift_right(shift)), each(&|a, _| a >> shift));
            assert_eq!(stored(x.shift_left(shift)), each(&|a, _| a << shift));
            let wide = |a: u64, b: u64| ((u128::from(b) << 64 | u128::from(a)) >> shift) as u64;
            assert_eq!(stored(x.funnel(y, shift)), each(&wide), "shift {shift}");
        }
        let above = random.u64(..);
        let bit = |i: usize| if i < 64 * words { a[i / 64] >> (i % 64) & 1 } else { above & 1 };
        let moved: Vec<u64> = (0..words).map(|w| (0..64).map(|i| bit(64 * w + i + 1) << i).sum()).collect();
        assert_eq!(stored(x.shift_down(above)), moved);
        assert_eq!(stored(x.add(y)), each(&|a, b| a.wrapping_add(b)));
        assert_eq!(stored(x.doubled()), each(&|a, _| a << 1));
        assert_eq!(stored(x.top_bits()), each(&|a, _| a >> 63));
        assert_eq!(stored(x.words_down(y)), [&a[1..], &b[..1]].concat());
        assert_eq!(x.first(), a[0]);
        assert!(!x.is_zero() && I::Vector::splat(isa, 0).is_zero());
        assert_eq!(stored(I::Vector::splat(isa, above)), vec![above; words]);
    }
}

#[test]
fn operations_by_single_words_and_bits() {
    check::<Plain>();
    #[cfg(target_arch = "x86_64")]
    check::<Avx2>();
    #[cfg(target_arch = "x86_64")]
    check::<Avx512>();
}
