//! Compares the floating-point functions with the standard library, with values by hand, and the
//! 16-bit types with the crate `half`. `simt_examples` measures the errors of the functions in ulp.

use simt_std::float::{self, Bf16, F16, GpuFloat, fast};
use simt_std::global::Global;
use simt_std::simulator::{Grid, Simulator};
use simt_std::{shared_array, thread};

/// Returns numbers of all exponents and signs, with special ones.
fn numbers() -> Vec<f32> {
    let special = [0, 1, 0x007f_ffff, 0x0080_0000, 0x3f7f_ffff, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0000];
    let dense = (0..0x7f80_0000_u32).step_by(0x1_2345);
    let halves = (0..2000).map(|i| (i as f32 / 4.0).to_bits());
    special.into_iter().chain(dense).chain(halves).flat_map(|bits| [bits, bits | 1 << 31]).map(f32::from_bits).collect()
}

/// True if the numbers have the same bits, or are both a NaN.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

#[test]
fn exact_functions_are_the_standard_librarys() {
    for x in numbers() {
        let pairs = [
            (float::sqrt(x), x.sqrt()),
            (float::mul_add(x, 1.1, -x), x.mul_add(1.1, -x)),
            (float::floor(x), x.floor()),
            (float::ceil(x), x.ceil()),
            (float::trunc(x), x.trunc()),
            (float::round(x), x.round()),
            (float::round_ties_even(x), x.round_ties_even()),
            (float::abs(x), x.abs()),
            (float::min(x, 0.75), x.min(0.75)),
            (float::max(x, 0.75), x.max(0.75)),
            (GpuFloat::fract(x), x.fract()),
            (GpuFloat::signum(x), x.signum()),
            (GpuFloat::copysign(x, -1.0), x.copysign(-1.0)),
            (GpuFloat::recip(x), x.recip()),
            (GpuFloat::div_euclid(x, 0.3), x.div_euclid(0.3)),
            (GpuFloat::rem_euclid(x, -0.3), x.rem_euclid(-0.3)),
        ];
        for (number, (got, expected)) in pairs.into_iter().enumerate() {
            assert!(same(got, expected), "function {number} of {x:e}: {got:e} instead of {expected:e}");
        }
    }
}

#[test]
fn a_multiply_add_is_rounded_once() {
    let x = 1.0 + f32::EPSILON;
    // The square is 1 + 2ε + ε²; a product that is rounded first has lost ε².
    assert_eq!(float::mul_add(x, x, -(1.0 + 2.0 * f32::EPSILON)), f32::EPSILON * f32::EPSILON);
    let x = 1.0 + f64::EPSILON;
    assert_eq!(float::mul_add(x, x, -(1.0 + 2.0 * f64::EPSILON)), f64::EPSILON * f64::EPSILON);
}

#[test]
fn special_values() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let table = [
        ("exp -inf", float::exp(-inf), 0.0),
        ("exp inf", float::exp(inf), inf),
        ("exp 100", float::exp(100.0), inf),
        ("exp2 -149", float::exp2(-149.0), f32::from_bits(1)),
        ("exp2 -151", float::exp2(-151.0), 0.0),
        ("ln 0", float::ln(0.0), -inf),
        ("ln -1", float::ln(-1.0), nan),
        ("ln 1", float::ln(1.0), 0.0),
        ("log2 of the least", float::log2(f32::from_bits(1)), -149.0),
        ("log10 1000", float::log10(1000.0), 3.0),
        ("sin inf", float::sin(inf), nan),
        ("sin -0", float::sin(-0.0), -0.0),
        ("cos 0", float::cos(0.0), 1.0),
        ("tanh -inf", float::tanh(-inf), -1.0),
        ("powf nan^0", float::powf(nan, 0.0), 1.0),
        ("powf (-8)^3", float::powf(-8.0, 3.0), -512.0),
        ("powf (-8)^0.5", float::powf(-8.0, 0.5), nan),
        ("powf 0^-1", float::powf(0.0, -1.0), inf),
        ("sqrt -0", float::sqrt(-0.0), -0.0),
        ("sqrt -1", float::sqrt(-1.0), nan),
        ("rsqrt 0", float::rsqrt(0.0), inf),
        ("min with nan", float::min(nan, 2.0), 2.0),
        ("max with nan", float::max(2.0, nan), 2.0),
        ("powi", GpuFloat::powi(-2.0_f32, -3), -0.125),
        ("powi of the least", GpuFloat::powi(1.0_f32, i32::MIN), 1.0),
        ("log base 2", GpuFloat::log(8.0_f32, 2.0), 3.0),
        ("hypot", GpuFloat::hypot(3e30_f32, 4e30), 5e30),
        ("atan2", GpuFloat::atan2(1.0_f32, -0.0), std::f32::consts::FRAC_PI_2),
    ];
    for (name, got, expected) in table {
        assert!(same(got, expected), "{name}: {got:e} instead of {expected:e}");
    }
    assert_eq!(GpuFloat::sin_cos(0.0_f64), (0.0, 1.0));
}

/// Instructions with `.ftz` take and return no subnormal numbers.
#[test]
fn approximations_flush_subnormal_numbers() {
    let (least, inf) = (f32::from_bits(1), f32::INFINITY);
    let table = [
        ("recip of a subnormal", fast::recip(-least), -inf),
        ("recip to a subnormal", fast::recip(f32::MAX), 0.0),
        ("rsqrt", fast::rsqrt(least), inf),
        ("sqrt", fast::sqrt(least), 0.0),
        ("exp2", fast::exp2(-127.0), 0.0),
        ("exp", fast::exp(-90.0), 0.0),
        ("log2", fast::log2(least), -inf),
        ("ln", fast::ln(least), -inf),
        ("log10", fast::log10(100.0), 2.0),
        ("sin", fast::sin(-least), -0.0),
        ("cos", fast::cos(least), 1.0),
        ("tanh keeps them", fast::tanh(least), least),
        ("div by a large one", fast::div(f32::MAX, f32::MAX), 0.0),
        ("div of infinity", fast::div(inf, f32::MAX), f32::NAN),
        ("div", fast::div(-1.0, 0.0), -inf),
        ("powf", fast::powf(3.0, 2.0), 9.0),
    ];
    for (name, got, expected) in table {
        let near = same(got, expected) || (got - expected).abs() <= 4.0 * f32::EPSILON * expected.abs();
        assert!(near && got.is_sign_negative() == expected.is_sign_negative(), "{name}: {got:e}, {expected:e}");
    }
}

#[test]
fn every_half_is_the_crate_halfs() {
    for bits in 0..=u16::MAX {
        let (f16, bf16) = (F16::from_bits(bits), Bf16::from_bits(bits));
        let (f16_half, bf16_half) = (half::f16::from_bits(bits), half::bf16::from_bits(bits));
        assert!(same(f16.to_f32(), f16_half.to_f32()), "f16 {bits:#x}");
        assert!(same(bf16.to_f32(), bf16_half.to_f32()), "bf16 {bits:#x}");
        assert_eq!(f32::from(f16).is_nan(), f16_half.is_nan());
        if !f16_half.is_nan() {
            assert_eq!(F16::from_f32(f16.to_f32()).to_bits(), bits);
        }
        if !bf16_half.is_nan() {
            assert_eq!(Bf16::from_f32(bf16.to_f32()).to_bits(), bits);
        }
    }
    assert_eq!(F16::from_f32(1.5), F16::from_bits(0x3e00));
    assert!(Bf16::from_f32(-1.0) < Bf16::default());
    assert_eq!(format!("{:?}", F16::from_f32(0.5)), "0.5");
}

#[test]
fn numbers_are_rounded_to_halves_as_by_the_crate_half() {
    // Also all ties and their neighbours: the numbers half way between two halves.
    let ties = (0..=u16::MAX).flat_map(|bits| {
        let f16 = half::f16::from_bits(bits).to_f32().to_bits();
        let bf16 = u32::from(bits) << 16;
        [f16 | 0xfff, f16 | 0x1000, f16 | 0x1001, bf16 | 0x7fff, bf16 | 0x8000, bf16 | 0x8001]
    });
    let subnormal_ties = (0..2048).map(|i| ((i as f32 + 0.5) * 2.0_f32.powi(-24)).to_bits());
    for x in numbers().into_iter().chain(ties.chain(subnormal_ties).map(f32::from_bits)) {
        let (f16, bf16) = (F16::from_f32(x), Bf16::from_f32(x));
        if x.is_nan() {
            assert_eq!((f16.to_bits(), bf16.to_bits()), (0x7fff, 0x7fff));
        } else {
            assert_eq!(f16.to_bits(), half::f16::from_f32(x).to_bits(), "f16 of {x:e}");
            assert_eq!(bf16.to_bits(), half::bf16::from_f32(x).to_bits(), "bf16 of {x:e}");
        }
    }
}

/// Arrays of halves are read and written by 16-bit accesses.
#[test]
fn halves_are_words() {
    let mut gpu = Simulator::default();
    let halves = gpu.alloc_from(&[1.0, 2.5, -3.0, 0.1].map(F16::from_f32), "halves");
    let brains = gpu.alloc::<Bf16>(4, "brains");
    let (from, to): (Global<F16>, Global<Bf16>) = (halves.handle(), brains.handle());
    let kernel = move || {
        shared_array!(there: [F16; 4]);
        let i = thread::thread_idx_x();
        there.write(i, from.read(i as usize));
        // SAFETY: every thread of the block is here.
        unsafe { thread::sync_threads() };
        to.write(i as usize, Bf16::from_f32(there.read(3 - i).to_f32() * 2.0));
    };
    gpu.launch("halves", Grid::linear(1, 4), kernel).unwrap();
    let doubled = gpu.download(&brains, 4).unwrap();
    assert_eq!(doubled.iter().map(|x| x.to_f32()).collect::<Vec<_>>(), [0.200_195_31, -6.0, 5.0, 2.0]);
}
