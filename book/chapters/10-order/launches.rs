//! Chapter 10: launches of its kernels.

use super::kernels::{HandOver, LineEnds};
use simt_std::simulator::{Fault, Simulator};

/// Returns the word that one block has received from the other.
pub fn handed_over(gpu: &mut Simulator, word: u32) -> Result<u32, Fault> {
    let tickets = gpu.alloc_from(&[0u32], "tickets");
    let data = gpu.alloc::<u32>(1, "data");
    let flag = gpu.alloc_from(&[0u32], "flag");
    let received = gpu.alloc::<u32>(1, "received");
    let kernel = HandOver {
        word,
        tickets: tickets.handle(),
        data: data.handle(),
        flag: flag.handle(),
        received: received.handle(),
    };
    gpu.launch_kernel(2, kernel)?;
    Ok(gpu.download(&received, 1)?[0])
}

// ANCHOR: ends_of_lines
/// Returns the end of each line of a text, from the lengths of the lines.
pub fn ends_of_lines(gpu: &mut Simulator, lengths: &[u32]) -> Result<Vec<u32>, Fault> {
    let n = lengths.len();
    let blocks = n.div_ceil(128);
    let input = gpu.alloc_from(lengths, "lengths");
    let ends = gpu.alloc::<u32>(n, "ends");
    let tickets = gpu.alloc_from(&[0u32], "tickets");
    let states = gpu.alloc_from(&vec![0u32; blocks], "states");
    let totals = gpu.alloc::<u32>(blocks, "totals");
    let prefixes = gpu.alloc::<u32>(blocks, "prefixes");
    let kernel = LineEnds {
        lengths: input.handle(),
        n: n as u32,
        ends: ends.handle(),
        tickets: tickets.handle(),
        states: states.handle(),
        totals: totals.handle(),
        prefixes: prefixes.handle(),
    };
    gpu.launch_kernel(blocks as u32, kernel)?;
    gpu.download(&ends, n)
}
// ANCHOR_END: ends_of_lines

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    #[test]
    fn the_word_arrives_in_every_order() {
        exercise! {
            run: |gpu| handed_over(gpu, 42),
            expect: 42,
            schedules: 100,
        }
    }

    #[test]
    fn ends_are_those_of_plain_rust() {
        for n in [1, 31, 127, 128, 129, 1000, 2000] {
            let lengths: Vec<u32> = (0..n).map(|i| i * 7 % 81).collect();
            exercise! {
                run: |gpu| ends_of_lines(gpu, &lengths),
                expect: (0..lengths.len()).map(|i| lengths[..=i].iter().sum()).collect(),
                schedules: 20,
            }
        }
    }
}
