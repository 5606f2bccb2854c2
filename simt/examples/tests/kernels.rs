//! Runs every kernel on the simulator and checks its results, for every size and in other orders of
//! its threads; also on a GPU, if there is one.

use simt_examples::cases::{Outcome, Runner, cases};
use simt_examples::checks::collectives::CheckGridBarrier;
use simt_examples::vector_add::VectorAdd;
use simt_launch::{Device, Error, Gpu, Simt};
use simt_std::global::Global;
use simt_std::simulator::Options;

fn check<D: Device>(device: &D) {
    for case in cases::<D>() {
        for &size in case.sizes {
            let runner = Runner::new(device).unwrap();
            let outcome = (case.run)(&runner, size).unwrap_or_else(|fault| panic!("{} of {size}: {fault}", case.name));
            assert!(!outcome.expected.is_empty());
            assert_eq!(outcome.difference(), None, "{} of {size}", case.name);
        }
    }
}

/// Checks a device without kernels: a copy of the common part of two buffers, and the number of
/// blocks that fit.
fn check_device<D: Device>(device: &D) {
    let stream = device.stream().unwrap();
    let numbers: Vec<u32> = (1..=9).collect();
    let from = device.alloc_from(&stream, &numbers, "from").unwrap();
    let mut to = device.alloc_from(&stream, &[0u32; 8], "to").unwrap();
    device.copy(&stream, &from, &mut to, 5).unwrap();
    assert_eq!(device.download(&stream, &to, 8).unwrap(), [1, 2, 3, 4, 5, 0, 0, 0]);
    assert!(device.copy(&stream, &from, &mut to, 9).is_err(), "longer than its end");
    assert!(
        device.copy(&stream, &to, &mut device.alloc::<u32>(20, "long").unwrap(), 9).is_err(),
        "longer than its start"
    );
    let nowhere = Global::at(0);
    let kernel = VectorAdd { a: nowhere, b: nowhere, c: nowhere, n: 0 };
    assert!(device.resident_blocks(&kernel).unwrap() >= 1);
}

#[test]
fn every_kernel_is_right_for_every_size() {
    check(&Simt::default());
    check_device(&Simt::default());
}

#[test]
fn every_kernel_is_right_on_a_gpu() {
    if simt_launch::gpu::count().is_ok() {
        let gpu = Gpu::with_module(0, simt_examples::MODULE).unwrap();
        check(&gpu);
        check_device(&gpu);
    }
}

/// Launches one block more than run at the same time.
fn check_too_many_blocks<D: Device>(device: &D) {
    let stream = device.stream().unwrap();
    let kernel = CheckGridBarrier { words: Global::at(0), rounds: 0 };
    let most = device.resident_blocks(&kernel).unwrap() * device.limits().multiprocessors;
    // SAFETY: with 0 rounds, the kernel reads and writes nothing.
    let launch = |blocks: u32| unsafe { device.launch(&stream, blocks, kernel) };
    launch(most).unwrap();
    let error = launch(most + 1).unwrap_err();
    assert!(matches!(error, Error::Launch(_)), "{error}");
    let text = error.to_string();
    for part in [
        "`check_grid_barrier` is cooperative",
        &format!("{} blocks were launched", most + 1),
        &format!("{most} in all"),
    ] {
        assert!(text.contains(part), "{text}");
    }
    device.wait(&stream).unwrap();
}

#[test]
fn a_cooperative_launch_that_does_not_fit_is_an_error() {
    check_too_many_blocks(&Simt::default());
    if simt_launch::gpu::count().is_ok() {
        check_too_many_blocks(&Gpu::with_module(0, simt_examples::MODULE).unwrap());
    }
}

/// A kernel that is right in only one order is wrong on a GPU.
#[test]
fn every_kernel_is_right_in_other_orders() {
    for case in cases::<Simt>() {
        for seed in 0..4 {
            let simt = Simt::with_options(Options { seed: Some(seed), resident_blocks: 3, ..Options::default() });
            let runner = Runner::new(&simt).unwrap();
            let size = case.sizes[case.sizes.len() - 1];
            let outcome = (case.run)(&runner, size).unwrap_or_else(|fault| panic!("{}: {fault}", case.name));
            assert_eq!(outcome.difference(), None, "{} with seed {seed}", case.name);
        }
    }
}

#[test]
fn an_outcome_tells_its_first_difference() {
    let outcome = |ulps, got: &[f64]| Outcome::within(ulps, got, &[1.0, 2.0, 3.0]);
    let difference = |got: &[f64]| outcome(0.0, got).difference();
    assert_eq!(difference(&[1.0, 2.0, 3.0]), None);
    assert_eq!(difference(&[1.0, 5.0, 4.0]).unwrap(), "element 1 is 5 instead of 2");
    assert_eq!(difference(&[1.0]).unwrap(), "1 elements instead of 3");
    // An ulp of 3 is 2^-22.
    let near = outcome(2.0, &[1.0, 2.0, 3.0 + 2.0_f64.powi(-21)]);
    assert_eq!((near.difference(), near.ulps()), (None, 2.0));
    let far = outcome(1.9, &near.got);
    assert!(far.difference().unwrap().starts_with("element 2 is 3.0000004"));
    assert_eq!(outcome(9.0, &[1.0, f64::NAN, 3.0]).difference().unwrap(), "element 1 is NaN instead of 2");
    assert_eq!(Outcome::within(1.0, &[f64::NAN, f64::INFINITY], &[f64::NAN, f64::INFINITY]).difference(), None);
}
