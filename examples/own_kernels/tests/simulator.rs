//! The kernel on the simulator, which checks every memory access.

use own_kernels::block_sums;
use simt_launch::Simt;

#[test]
fn sums_are_those_of_the_cpu() {
    for n in [1, 255, 256, 257, 1000] {
        let numbers: Vec<f32> = (0..n).map(|i| (i % 17) as f32).collect();
        let expected: Vec<f32> = numbers.chunks(256).map(|part| part.iter().sum()).collect();
        assert_eq!(block_sums(&Simt::default(), &numbers).unwrap(), expected, "{n} numbers");
    }
}
