//! Chapter 14: the hit that a short overlap misses, the worked table, and the costs that it
//! predicts.

use super::faults::search_with_short_overlap;
use super::kernels::Column;
use super::launches::{dna, ends, match_masks, search, table};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, LineCost, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("14-slices");

/// The pattern GAT in a short text, as a table of errors with its differences in words.
#[test]
fn the_worked_table() {
    let (pattern, text) = (b"GAT", b"CGTAT");
    let columns = table(pattern, text);
    let masks = match_masks(pattern);
    let mut column = Column::new(3);
    let mut words = vec![(column.pv & 7, column.mv & 7)];
    for (j, &symbol) in text.iter().enumerate() {
        column.step(masks[symbol as usize], 3);
        words.push((column.pv & 7, column.mv & 7));
        assert_eq!(column.score, columns[j + 1][3]);
    }
    let line = |name: &str, cells: Vec<String>| format!("| {name} | {} |\n", cells.join(" | "));
    let mut quoted = line("", std::iter::once(' ').chain(text.iter().map(|&c| c as char)).map(String::from).collect());
    quoted += &format!("|---{}|\n", "|--:".repeat(columns.len()));
    for (i, name) in ["row 0", "G", "A", "T: the score"].into_iter().enumerate() {
        quoted += &line(name, columns.iter().map(|column| column[i].to_string()).collect());
    }
    quoted += &line("`pv`, rows 3 2 1", words.iter().map(|(pv, _)| format!("{pv:03b}")).collect());
    quoted += &line("`mv`, rows 3 2 1", words.iter().map(|(_, mv)| format!("{mv:03b}")).collect());
    for ((pv, mv), column) in words.iter().zip(&columns) {
        for i in 0..3 {
            let difference = column[i + 1] as i32 - column[i] as i32;
            assert_eq!(difference, (pv >> i & 1) as i32 - (mv >> i & 1) as i32);
        }
    }
    CHAPTER.quote("table.md", &quoted);
}

#[test]
fn a_short_overlap_misses_a_hit() {
    let (pattern, k, slice) = (b"GATTACA", 1, 16);
    let mut text = vec![b'C'; 32];
    text[9..17].copy_from_slice(b"GATTCACA");
    let expected = ends(pattern, &text, k);
    let mut gpu = Simulator::default();
    let found = search(&mut gpu, pattern, &text, k, slice).unwrap();
    let short = search_with_short_overlap(&mut gpu, pattern, &text, k, slice).unwrap();
    assert_eq!(found, expected);
    assert_ne!(short, expected);
    let (left, right) = text.split_at(slice as usize);
    let [left, right] = [left, right].map(|part| std::str::from_utf8(part).unwrap());
    CHAPTER.quote(
        "missed.txt",
        &format!(
            "slices of the text             {left} {right}\n\
             ends by the table of errors    {expected:?}\n\
             ends with overlap m + k - 1    {found:?}\n\
             ends with overlap m - 1        {short:?}"
        ),
    );
}

/// Returns the cost of the reads of the text, the only array of bytes that the kernel reads.
fn reads_of_text(gpu: &Simulator) -> LineCost {
    let reads = |space, access| (space, access) == (Space::Global, Access::Read);
    let lines = gpu.costs().lines().filter(|&(_, _, space, access, _)| reads(space, access));
    let mut text = lines.filter(|(.., cost)| cost.bytes == cost.lanes);
    let cost = *text.next().unwrap().4;
    assert!(text.next().is_none());
    cost
}

#[test]
fn predicted_reads() {
    let text = dna(16_384);
    let reads = [64, 256, 1024].map(|slice| {
        let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
        search(&mut gpu, &text[5000..5012], &text, 2, slice).unwrap();
        reads_of_text(&gpu)
    });
    CHAPTER.counts(
        "counts.md",
        &[
            Count::new("symbols read, slices of 64", 16_384 + 255 * 13, reads[0].lanes),
            Count::new("symbols read, slices of 256", 16_384 + 63 * 13, reads[1].lanes),
            Count::new("symbols read, slices of 1,024", 16_384 + 15 * 13, reads[2].lanes),
            Count::new("sectors read, slices of 64", 16_384 + 255 * 13, reads[0].sectors),
        ],
    );
}
