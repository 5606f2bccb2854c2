//! Kernels of papers on strings. Expected results come from the textbook's tables, cell by cell.

use super::{fault, number, switch, threads, version};
use crate::bench::{Bench, Check, compare, numbers};
use crate::choice::Choice;
use crate::kernels::{duels, lcs_bits, memory_machine, myers, shift_or};
use crate::lesson::Lesson;
use simt_std::simulator::Fault;

pub fn lessons() -> Vec<Lesson> {
    vec![
        Lesson {
            id: "memory_machine",
            title: "Memory machines",
            idea: "An array with its words at a stride. In the DMM, shared memory, a bank serves one word at a time. In the UMM, global memory, neighbouring words move as a group. Compare strides 1, 32 and 33 in both.",
            paper: true,
            controls: vec![
                version(&["DMM: shared memory", "UMM: global memory"], 0),
                number("stride", "stride", &[1, 2, 3, 4, 8, 16, 32, 33], 2),
                number("n", "words", &[32, 64, 100, 128], 100),
                threads(&[32, 64, 128], 64),
                fault("unchecked", "no test of i < n"),
                fault("no_barrier", "no barrier before the words are read"),
            ],
            run: memory_machine,
        },
        Lesson {
            id: "lcs_bits",
            title: "LCS by bit vectors",
            idea: "A step of the text is one addition of a long number, 32 bits a thread. Ballots carry within a warp, shared memory between warps.",
            paper: true,
            controls: vec![
                threads(&[32, 64, 128, 256], 64),
                number("n", "length of the text", &[4, 8, 16, 32], 8),
                fault("one_slot", "one slot for the carries of all steps"),
                fault("no_barrier", "no barrier before the carries are read"),
            ],
            run: lcs_bits,
        },
        Lesson {
            id: "shift_or",
            title: "Shift-Or as a scan",
            idea: "All states of the search at once, in log2 m steps. A step must not overwrite what others still read.",
            paper: true,
            controls: vec![
                threads(&[32, 64, 128, 256], 64),
                number("n", "length of the text", &[100, 200, 500], 200),
                number("m", "length of the pattern", &[2, 3, 5, 8, 16], 5),
                fault("one_buffer", "one buffer"),
                fault("no_barrier", "no barriers"),
            ],
            run: shift_or,
        },
        Lesson {
            id: "myers",
            title: "Edit distances by Myers",
            idea: "One text a thread. Texts side by side make every read coalesced; one after another, each lane reads a sector of its own.",
            paper: true,
            controls: vec![
                threads(&[32, 64, 128], 64),
                number("count", "texts", &[32, 100, 128], 100),
                number("len", "length of a text", &[8, 16, 24], 16),
                number("m", "length of the pattern", &[8, 16, 32], 16),
                switch("interleaved", "texts side by side", true),
                fault("no_barrier", "no barrier after the table"),
                fault("unknown", "a symbol that is not in the table"),
            ],
            run: myers,
        },
        Lesson {
            id: "duels",
            title: "Search by duels",
            idea: "A pattern of m symbols begins at most at one of ⌈m / 2⌉ neighbouring positions. They duel in rounds, and each duel reads one symbol of the text. The position that remains is compared with the pattern.",
            paper: true,
            controls: vec![
                version(&["in global memory", "in shared memory"], 1),
                number("n", "length of the text", &[150, 200, 400], 200),
                number("m", "length of the pattern", &[7, 8, 16, 32, 64], 32),
                fault("both", "both threads of a duel write"),
                fault("no_barrier", "no barriers"),
                fault("unsorted", "a duel does not sort its positions"),
            ],
            run: duels,
        },
    ]
}

/// Returns the positions of each of the 4 symbols in a pattern, as `words` words each.
fn positions(pattern: &[u32], words: usize) -> Vec<u32> {
    let mut masks = vec![0; 4 * words];
    for (i, &symbol) in pattern.iter().enumerate() {
        masks[symbol as usize * words + i / 32] |= 1 << (i % 32);
    }
    masks
}

fn lcs_bits(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let (threads, n) = (choice.get("threads"), choice.get("n"));
    // Runs of one symbol make carries cross whole words.
    let pattern: Vec<u32> = numbers(32 * threads, 1, 64).into_iter().map(|x| if x < 40 { 0 } else { x % 4 }).collect();
    let symbols = numbers(n, 2, 4);
    let matches = bench.gpu.alloc_from(&positions(&pattern, threads as usize), "matches");
    let text = bench.gpu.alloc_from(&symbols, "text");
    let column = bench.gpu.alloc::<u32>(threads as usize, "column");
    let kernel = lcs_bits::LcsBits {
        matches: matches.handle(),
        text: text.handle(),
        n,
        column: column.handle(),
        two_slots: !choice.is_on("one_slot"),
        waits: !choice.is_on("no_barrier"),
        threads,
    };
    bench.launch(1, kernel)?;
    let bits = bench.gpu.download(&column, threads as usize)?;
    let length = bits.iter().map(|word| word.count_zeros()).sum::<u32>();
    let mut row = vec![0_u32; symbols.len() + 1];
    for &symbol in &pattern {
        let mut diagonal = 0;
        for j in 1..row.len() {
            let here = if symbol == symbols[j - 1] { diagonal + 1 } else { row[j].max(row[j - 1]) };
            diagonal = std::mem::replace(&mut row[j], here);
        }
    }
    Ok(compare(&[length], &row[row.len() - 1..]))
}

fn shift_or(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let [threads, n, m] = ["threads", "n", "m"].map(|id| choice.get(id));
    // Few symbols, so that a long pattern occurs as well.
    let symbols: Vec<u32> = numbers(n, 3, 16).into_iter().map(|x| u32::from(x == 0)).collect();
    let pattern = &symbols[20..20 + m as usize];
    let masks: Vec<u32> = positions(pattern, 1).into_iter().map(|mask| !mask).collect();
    let on_masks = bench.gpu.alloc_from(&masks, "masks");
    let text = bench.gpu.alloc_from(&symbols, "text");
    let ends = bench.gpu.alloc::<u32>(symbols.len(), "ends");
    let kernel = shift_or::ShiftOrScan {
        masks: on_masks.handle(),
        text: text.handle(),
        n,
        m,
        ends: ends.handle(),
        two_buffers: !choice.is_on("one_buffer"),
        waits: !choice.is_on("no_barrier"),
        threads,
    };
    bench.launch(n.saturating_sub(m - 1).div_ceil(threads - (m - 1)).max(1), kernel)?;
    let occurs = |end: usize| u32::from(symbols[..end].ends_with(pattern));
    let expected: Vec<u32> = (1..=symbols.len()).map(occurs).collect();
    bench.check(&ends, &expected)
}

fn myers(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let [threads, count, len, m] = ["threads", "count", "len", "m"].map(|id| choice.get(id));
    let pattern = numbers(m, 1, 4);
    let mut symbols = numbers(count * len, 2, 4);
    if choice.is_on("unknown") {
        symbols[(count * len / 2) as usize] = 4;
    }
    let interleaved = choice.is_on("interleaved");
    let matches = bench.gpu.alloc_from(&positions(&pattern, 1), "matches");
    let texts = bench.gpu.alloc_from(&symbols, "texts");
    let distances = bench.gpu.alloc::<u32>(count as usize, "distances");
    let kernel = myers::Myers {
        matches: matches.handle(),
        texts: texts.handle(),
        count,
        len,
        m,
        distances: distances.handle(),
        interleaved,
        waits: !choice.is_on("no_barrier"),
        threads,
    };
    bench.launch(count.div_ceil(threads), kernel)?;
    let text = |i: u32| (0..len).map(move |j| if interleaved { j * count + i } else { i * len + j });
    let expected: Vec<u32> = (0..count).map(|i| distance(&pattern, text(i).map(|at| symbols[at as usize]))).collect();
    bench.check(&distances, &expected)
}

/// Returns the edit distance, by the table.
fn distance(pattern: &[u32], text: impl Iterator<Item = u32>) -> u32 {
    let mut column: Vec<u32> = (0..=pattern.len() as u32).collect();
    for symbol in text {
        let mut diagonal = std::mem::replace(&mut column[0], 0);
        column[0] = diagonal + 1;
        for i in 1..column.len() {
            let cost = u32::from(pattern[i - 1] != symbol);
            let here = (diagonal + cost).min(column[i] + 1).min(column[i - 1] + 1);
            diagonal = std::mem::replace(&mut column[i], here);
        }
    }
    column[pattern.len()]
}

fn memory_machine(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let [n, stride, threads] = ["n", "stride", "threads"].map(|id| choice.get(id));
    let words = numbers(n, 1, 1000);
    let input = bench.gpu.alloc_from(&words, "input");
    let output = bench.gpu.alloc::<u32>(words.len(), "output");
    let spread = bench.gpu.alloc::<u32>((n * stride) as usize, "spread");
    let kernel = memory_machine::ReverseAtStride {
        input: input.handle(),
        output: output.handle(),
        n,
        spread: spread.handle(),
        stride,
        shared: choice.get("version") == 0,
        checked: !choice.is_on("unchecked"),
        waits: !choice.is_on("no_barrier"),
        threads,
    };
    bench.launch(1, kernel)?;
    let expected: Vec<u32> = words.into_iter().rev().collect();
    bench.check(&output, &expected)
}

/// Returns, for each shift below ⌈m / 2⌉, the first position where a pattern differs from its
/// shifted copy. Shift 0 has no such position, and its entry is 0.
fn witnesses(pattern: &[u32]) -> Vec<u32> {
    let differs = |shift: usize| pattern.iter().zip(&pattern[shift..]).position(|(a, b)| a != b);
    (0..pattern.len().div_ceil(2)).map(|shift| differs(shift).map_or(0, |k| k as u32)).collect()
}

fn duels(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let (n, m) = (choice.get("n"), choice.get("m"));
    let pattern = numbers(m, 19, 2);
    let mut symbols = numbers(n, 3, 2);
    for at in [3, (n - m) as usize] {
        symbols[at..at + pattern.len()].copy_from_slice(&pattern);
    }
    let text = bench.gpu.alloc_from(&symbols, "text");
    let on_pattern = bench.gpu.alloc_from(&pattern, "pattern");
    let on_witnesses = bench.gpu.alloc_from(&witnesses(&pattern), "witnesses");
    let candidates = bench.gpu.alloc::<u32>(symbols.len(), "candidates");
    let matches = bench.gpu.alloc_from(&vec![0_u32; symbols.len()], "matches");
    let (text, pattern_handle, witnesses) = (text.handle(), on_pattern.handle(), on_witnesses.handle());
    let positions = m.div_ceil(2);
    let kernel = duels::SearchByDuels {
        search: duels::Search { text, n, pattern: pattern_handle, m, witnesses },
        candidates: candidates.handle(),
        matches: matches.handle(),
        shared: choice.get("version") == 1,
        sorted: !choice.is_on("unsorted"),
        both: choice.is_on("both"),
        waits: !choice.is_on("no_barrier"),
        positions,
    };
    bench.launch(n.div_ceil(positions), kernel)?;
    let expected: Vec<u32> = (0..symbols.len()).map(|i| symbols[i..].starts_with(&pattern).into()).collect();
    bench.check(&matches, &expected)
}
