//! Every kernel under the simulator: right results for every size, and in every order of its threads.

use simt_examples::cases::cases;
use simt_std::simulator::{Options, Simulator};

#[test]
fn every_kernel_is_right_for_every_size() {
    for case in cases() {
        for &size in case.sizes {
            let mut gpu = Simulator::default();
            let outcome = (case.run)(&mut gpu, size).unwrap_or_else(|fault| panic!("{} of {size}: {fault}", case.name));
            assert!(!outcome.expected.is_empty());
            assert!(outcome.is_right(), "{} of {size}: {outcome:?}", case.name);
        }
    }
}

/// A kernel that is right in one order only is wrong on a GPU.
#[test]
fn every_kernel_is_right_in_other_orders() {
    for case in cases() {
        for seed in 0..4 {
            let mut gpu = Simulator::new(Options { seed: Some(seed), resident_blocks: 3, ..Options::default() });
            let size = case.sizes[case.sizes.len() - 1];
            let outcome = (case.run)(&mut gpu, size).unwrap_or_else(|fault| panic!("{}: {fault}", case.name));
            assert!(outcome.is_right(), "{} with seed {seed}: {outcome:?}", case.name);
        }
    }
}
