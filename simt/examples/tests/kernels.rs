//! Every kernel under the simulator: right results for every size, and in every order of its threads.

use simt_examples::cases::{Outcome, cases};
use simt_std::simulator::{Options, Simulator};

#[test]
fn every_kernel_is_right_for_every_size() {
    for case in cases() {
        for &size in case.sizes {
            let mut gpu = Simulator::default();
            let outcome = (case.run)(&mut gpu, size).unwrap_or_else(|fault| panic!("{} of {size}: {fault}", case.name));
            assert!(!outcome.expected.is_empty());
            assert_eq!(outcome.difference(), None, "{} of {size}", case.name);
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
            assert_eq!(outcome.difference(), None, "{} with seed {seed}", case.name);
        }
    }
}

#[test]
fn an_outcome_tells_its_first_difference() {
    let difference = |got: &[f64]| Outcome { got: got.to_vec(), expected: vec![1.0, 2.0, 3.0] }.difference();
    assert_eq!(difference(&[1.0, 2.0, 3.0]), None);
    assert_eq!(difference(&[1.0, 5.0, 4.0]).unwrap(), "element 1 is 5 instead of 2");
    assert_eq!(difference(&[1.0]).unwrap(), "1 elements instead of 3");
}
