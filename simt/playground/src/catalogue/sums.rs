//! Sums: the reduction and two prefix scans.

use super::{fault, fault_in, number, switch, threads, version};
use crate::bench::{Bench, Check, compare, numbers};
use crate::choice::Choice;
use crate::kernels::{blelloch, look_back, reduction};
use crate::lesson::Lesson;
use simt_std::simulator::Fault;

pub fn lessons() -> Vec<Lesson> {
    vec![
        Lesson {
            id: "reduction",
            title: "Reduction in seven steps",
            idea: "Step 1 diverges, step 2 has bank conflicts, step 3 neither; step 4 halves the blocks, step 5 saves barriers, step 7 most of the trees.",
            paper: false,
            controls: vec![
                version(
                    &[
                        "1: interleaved, divergent",
                        "2: interleaved, with conflicts",
                        "3: sequential",
                        "4: adds while reading",
                        "5: one warp at the end",
                        "6: unrolled",
                        "7: many words a thread",
                    ],
                    0,
                ),
                number("n", "words", &[100, 512, 1000, 2048], 512),
                threads(&[64, 128, 256, 512], 128),
                fault("no_barrier", "no barriers"),
                fault("inside", "barriers inside the branch"),
                fault_in("no_warp", "no barriers of the warp", &[4, 5, 6]),
            ],
            run: reduction,
        },
        Lesson {
            id: "blelloch",
            title: "Prefix sums by a tree",
            idea: "Distances double from level to level, and so do the conflicts. Leaving out one word after every 32 avoids them.",
            paper: false,
            controls: vec![
                threads(&[16, 32, 64, 128, 256], 64),
                switch("padded", "padding", false),
                fault("no_barrier", "no barriers"),
                fault("no_clear", "the root is not set to 0"),
            ],
            run: blelloch,
        },
        Lesson {
            id: "look_back",
            title: "Prefix sums with look-back",
            idea: "Blocks wait for earlier blocks. A flag without release and acquire is a race; tiles by block number can wait for blocks that have not started: try schedules.",
            paper: false,
            controls: vec![
                number("n", "words", &[100, 500, 1000], 500),
                threads(&[32, 64, 128], 32),
                fault("relaxed", "relaxed flags"),
                fault("by_number", "tiles by block number"),
            ],
            run: look_back,
        },
    ]
}

fn reduction(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let [version, n, threads] = ["version", "n", "threads"].map(|id| choice.get(id));
    let step = version + 1;
    let words = numbers(n, 1, 16);
    let blocks = match step {
        1..=3 => n.div_ceil(threads),
        4..=6 => n.div_ceil(2 * threads),
        _ => 2,
    };
    let input = bench.gpu.alloc_from(&words, "input");
    let output = bench.gpu.alloc::<u32>(blocks as usize, "output");
    let present = reduction::Present {
        barriers: !choice.is_on("no_barrier"),
        outside: !choice.is_on("inside"),
        warp_barriers: !choice.is_on("no_warp"),
    };
    let kernel = reduction::Reduce { input: input.handle(), output: output.handle(), n, step, present, threads };
    bench.launch(blocks, kernel)?;
    let sums = bench.gpu.download(&output, blocks as usize)?;
    Ok(compare(&[sums.iter().sum::<u32>()], &[words.iter().sum::<u32>()]))
}

fn blelloch(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let (threads, blocks) = (choice.get("threads"), 2);
    let words = numbers(2 * threads * blocks, 1, 16);
    let input = bench.gpu.alloc_from(&words, "input");
    let output = bench.gpu.alloc::<u32>(words.len(), "output");
    let kernel = blelloch::Blelloch {
        input: input.handle(),
        output: output.handle(),
        padded: choice.is_on("padded"),
        clears: !choice.is_on("no_clear"),
        waits: !choice.is_on("no_barrier"),
        threads,
    };
    bench.launch(blocks, kernel)?;
    let scan = |block: &[u32]| -> Vec<u32> { (0..block.len()).map(|i| block[..i].iter().sum()).collect() };
    let expected: Vec<u32> = words.chunks(2 * threads as usize).flat_map(scan).collect();
    bench.check(&output, &expected)
}

fn look_back(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let (n, threads) = (choice.get("n"), choice.get("threads"));
    let blocks = n.div_ceil(threads);
    let words = numbers(n, 1, 16);
    let input = bench.gpu.alloc_from(&words, "input");
    let output = bench.gpu.alloc::<u32>(words.len(), "output");
    let flags = bench.gpu.alloc_from(&vec![0_u32; blocks as usize], "flags");
    let totals = bench.gpu.alloc::<u32>(blocks as usize, "totals");
    let prefixes = bench.gpu.alloc::<u32>(blocks as usize, "prefixes");
    let next = bench.gpu.alloc_from(&[0_u32], "next");
    let tiles = look_back::Tiles {
        flags: flags.handle(),
        totals: totals.handle(),
        prefixes: prefixes.handle(),
        next: next.handle(),
    };
    let kernel = look_back::ScanLookBack {
        input: input.handle(),
        output: output.handle(),
        n,
        tiles,
        ordered: !choice.is_on("relaxed"),
        counted: !choice.is_on("by_number"),
        threads,
    };
    bench.launch(blocks, kernel)?;
    let expected: Vec<u32> = (1..=words.len()).map(|i| words[..i].iter().sum()).collect();
    bench.check(&output, &expected)
}
