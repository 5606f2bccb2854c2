//! Checks the instructions of the packaged PTX.
//!
//! rustc 1.95 does not mark functions that synchronise as convergent, so an optimisation could
//! duplicate or drop a barrier or a shuffle. This test counts the collectives of every kernel and
//! compares them with numbers derived from its source: those of each function, times the number of
//! its calls, times the copies that LLVM made of a loop's body, which are listed one by one
//! ([`copies`]). So kernels of a family have equal numbers, or a line here gives the reason.
#![cfg(feature = "published")]

use carrywave::kernels::lcs::column_tiles;
use carrywave::kernels::lcs::wavefront::{self, WAVEFRONT_INSTANCES};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::io::Read;
use std::path::Path;

/// Numbers of a kernel's synchronising instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Collectives {
    /// Barriers of a block: `bar.sync`, `barrier.sync`, and voting barriers.
    barrier: usize,
    /// Barriers of a warp: `bar.warp.sync`.
    warp: usize,
    /// Shuffles: `shfl.sync`.
    shuffle: usize,
    /// Votes: `vote.sync`.
    vote: usize,
    /// Matches: `match.sync`.
    matching: usize,
}

const fn collectives(barrier: usize, warp: usize, shuffle: usize, vote: usize, matching: usize) -> Collectives {
    Collectives { barrier, warp, shuffle, vote, matching }
}

impl std::ops::Add for Collectives {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        collectives(
            self.barrier + other.barrier,
            self.warp + other.warp,
            self.shuffle + other.shuffle,
            self.vote + other.vote,
            self.matching + other.matching,
        )
    }
}

/// Repeats the counts.
impl std::ops::Mul<Collectives> for usize {
    type Output = Collectives;

    fn mul(self, each: Collectives) -> Collectives {
        collectives(self * each.barrier, self * each.warp, self * each.shuffle, self * each.vote, self * each.matching)
    }
}

const NONE: Collectives = collectives(0, 0, 0, 0, 0);
const BARRIER: Collectives = collectives(1, 0, 0, 0, 0);
const WARP_BARRIER: Collectives = collectives(0, 1, 0, 0, 0);
const SHUFFLE: Collectives = collectives(0, 0, 1, 0, 0);
const VOTE: Collectives = collectives(0, 0, 0, 1, 0);
const MATCH: Collectives = collectives(0, 0, 0, 0, 1);

/// log2 of a warp's 32 lanes: the steps of a sum or a scan.
const STEPS: usize = 5;

/// Copies of a loop's body with collectives that LLVM unrolls, if not 1: a kernel, its loop, and
/// the number of copies.
///
/// A copy has all collectives of the body, which distinguishes it from a single duplicated one.
/// Each entry has been checked in the PTX.
const COPIES: &[(&str, Loop, usize)] = &[
    // `for row in 0..WARP` of `transposed`, unrolled by four and by two.
    ("match_vectors", Loop::Rows, 4),
    ("row_planes", Loop::Rows, 2),
    ("row_planes_of_tokens", Loop::Rows, 4),
    // `for i in 0..WARP` over a warp's tiles, unrolled by two.
    ("first_breaks", Loop::Rows, 2),
];

/// A loop that LLVM may unroll.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Loop {
    /// Levels of a tournament: fully unrolled.
    Distances,
    /// Rows of a square of bits: not unrolled by default.
    Rows,
}

/// Returns the number of copies of the body of a kernel's loop.
fn copies(kernel: &str, of: Loop) -> usize {
    let usual = if of == Loop::Distances { STEPS } else { 1 };
    COPIES.iter().find(|(name, own, _)| *name == kernel && *own == of).map_or(usual, |&(_, _, copies)| copies)
}

/// Returns the counts of a kernel's source, by its name: that of its function, and the parameters
/// of the instance.
fn expected(name: &str) -> Collectives {
    let mut parts: Vec<&str> = name.split('_').collect();
    let numbers = parts.iter().rev().take_while(|part| part.parse::<usize>().is_ok()).count();
    let numbers: Vec<usize> = parts.split_off(parts.len() - numbers).iter().map(|n| n.parse().unwrap()).collect();
    // A match table is complete after a barrier of all threads; `SearchOutput::put_count` sums over
    // a warp.
    let (table, put_count) = (BARRIER, STEPS * SHUFFLE);
    // The task, and the words that come from the lane on the left; barriers before the edges,
    // before a strip, and around the levels of the sums.
    let long_pairs = |words: usize| SHUFFLE + words * SHUFFLE + (4 + STEPS) * WARP_BARRIER;
    // `LaneRuns::fetch`: a barrier after the previous symbols have been read, and one after the new
    // ones are stored. It occurs twice: each lane resets its automaton where the text begins
    // (`if position == 0`), and LLVM writes everything up to the second barrier once for lanes that
    // do and once for lanes that do not. From Volta on, lanes may meet at different instructions of
    // a warp's barrier.
    let fetch = 2 * (2 * WARP_BARRIER);
    // `LaneRuns::put_bytes`: a barrier after all words are stored, and one after they have been
    // read.
    let put_bytes = 2 * WARP_BARRIER;
    match (parts.join("_").as_str(), &numbers[..]) {
        // A barrier after the first row and column, and one after a diagonal; the other kernels
        // write no first row.
        ("nakano_dmm" | "nakano_umm", []) => BARRIER + BARRIER,
        ("nakano_umm_3m" | "nakano_umm_n", []) => BARRIER,
        // A barrier before and one after the carries; an addition for each of 8 columns that are
        // fetched together.
        ("block_step", []) => 2 * WARP_BARRIER + 8 * (STEPS * SHUFFLE),
        ("block_step_look_ahead", []) => 2 * WARP_BARRIER + 8 * (2 * VOTE),
        ("sums_conditional_sum", []) => STEPS * SHUFFLE,
        ("sums_look_ahead", []) => 2 * VOTE,
        ("match_vectors" | "row_planes" | "row_planes_of_tokens", []) => copies(name, Loop::Rows) * VOTE,
        // Sums and prefix sums over a warp, then the best row and its sum, all of 64 bits; the
        // warps are combined twice, in the same memory.
        ("split" | "split_distance", []) => 2 * (STEPS * (2 * (2 * SHUFFLE))) + 3 * BARRIER,
        // The strip number that lane 0 took; whether the word of the strip below is missing, and
        // the carries of a column.
        ("distance_wavefront" | "overlap_wavefront", [_words, _]) => SHUFFLE + VOTE + SHUFFLE,
        // The strip number; a step occurs twice, for the ends of a strip and for its interior:
        // the same vote, and the differences of two half tiles.
        ("word_wavefront", [_words]) => SHUFFLE + 2 * (VOTE + 2 * SHUFFLE),
        // The strip number too; a turn occurs twice, for the ends of a strip and for its interior:
        // a vote on whether carries are there, and a shuffle for each of its tiles.
        ("wavefront" | "wavefront_ahead", [words]) | ("wavefront_digits" | "wavefront_digits_ahead", [_, words]) => {
            SHUFFLE + 2 * (VOTE + (column_tiles::TILE / wavefront::tile(*words as u32)) as usize * SHUFFLE)
        }
        // Each type of shuffle, one of 64 bits, 6 reductions; each vote; one match; shared memory,
        // twice, and atomics.
        ("device_test", []) => (4 + 2 + 6 * STEPS) * SHUFFLE + 6 * VOTE + MATCH + 3 * BARRIER + 2 * WARP_BARRIER,
        ("shared_access", [_bytes]) => 2 * WARP_BARRIER,
        ("gbpr", [_bits, _alpha, _k]) => table,
        // A barrier after the candidates are stored, and one after the winners of a level are.
        ("duel_global" | "duel_shared", []) => BARRIER + BARRIER,
        // A barrier after the table of grams. For a tile: whether anything is left; with grams, the
        // hashes of three blocks of the next lane; a level of the tournament. For winners that are
        // verified: whether any begins, and which lanes found a difference.
        ("duel_grams", []) => BARRIER + 3 * SHUFFLE + (VOTE + SHUFFLE) + 2 * VOTE + put_count,
        ("duel_grams_keep", []) => BARRIER + 3 * SHUFFLE + (VOTE + SHUFFLE),
        ("duel_window", []) => (VOTE + SHUFFLE) + 2 * VOTE + put_count,
        ("duel_window_keep", []) => VOTE + SHUFFLE,
        ("brute_force_filtered", [_short]) => put_count,
        // A barrier after the patterns and the table; the planes of the next lane.
        ("mismatches", []) => table + 8 * SHUFFLE + put_count,
        // The planes of the next lane; which lanes have a site; the classes of a symbol beside
        // sites; barriers before and after the words of the sites, and after they are compared.
        ("guides", [_cells]) => table + 8 * SHUFFLE + VOTE + 4 * VOTE + 3 * WARP_BARRIER,
        // The part beside the tile; for each of four rows, which lanes have breaks and whether any
        // lane examines them closely.
        ("break_bits", []) => VOTE + 4 * (2 * VOTE),
        // The first break of each of a warp's tiles; the least of the lanes above; the same for
        // warps, and that of the next warp.
        ("first_breaks", []) => copies(name, Loop::Rows) * (VOTE + SHUFFLE) + 2 * (STEPS * SHUFFLE) + SHUFFLE + BARRIER,
        // The least of the blocks above, that of the next block, and that of the first block.
        ("later_breaks", []) => STEPS * SHUFFLE + 2 * SHUFFLE,
        // The first break of the next tile and of the next lane; whether all positions are
        // examined, and whether any is. For few positions, the levels and lane 0's winner,
        // verified; otherwise a level of the tournament, and its winners verified.
        ("periodic", []) => {
            let few = copies(name, Loop::Distances) * SHUFFLE + SHUFFLE + 2 * VOTE;
            2 * (VOTE + SHUFFLE) + 2 * VOTE + few + SHUFFLE + 2 * VOTE + put_count
        }
        ("merge_winners", []) => SHUFFLE,
        // A voting barrier on whether there are winners, and a barrier after the pattern's parts. A
        // shuffle of a winner's state, and a vote on whether a difference was found.
        ("verify_winners", []) => 2 * BARRIER + SHUFFLE + VOTE,
        ("tell_winners", []) => put_count,
        // A barrier after the text, and one after all ends.
        ("myers_slices_shared", []) => BARRIER + BARRIER,
        ("wu_manber", [_, _]) => table + fetch + put_bytes + put_count,
        // A vote on ends with few enough errors.
        ("myers", [_]) | ("myers_bottom", []) => table + fetch + put_bytes + put_count + VOTE,
        // Packed patterns have no result of bytes.
        ("packed", [_words, _k]) => table + fetch + put_count,
        // A barrier after the table of grams; votes on the lanes that have found one, for each row
        // of a tile.
        ("piece_grams", [_words, _stride]) => BARRIER + 4 * VOTE,
        // A list of blocks: their number in the order of lanes, and in total; a barrier after it is
        // stored, and one after it has been read.
        ("marked_blocks", [_words, _k]) => table + STEPS * SHUFFLE + SHUFFLE + 2 * WARP_BARRIER + put_count,
        // Strips with a strip below them write nothing.
        ("myers_top" | "myers_middle", []) => table + fetch,
        // A tile joins each lane with those below it: the tile before the first, and the others.
        // Bytes change lanes in two halves.
        ("shift_or", [words, _steps]) => table + 2 * ([1, 3][words - 1] * SHUFFLE) + 2 * SHUFFLE + put_count,
        // At the start and after each of four symbols, a shift for each number of errors; then the
        // last lane's bits.
        ("xbitpar", [_words, k]) => table + (1 + 4) * ((k + 1) * SHUFFLE) + SHUFFLE,
        ("shift_or_scan", &[bits, alpha]) => table + scan(bits, alpha, 1) + state_below(bits),
        ("shift_or_wildcards", &[bits, alpha]) => table + scan(bits, alpha, 1),
        // Sums of two words for levels with errors.
        ("scan_segments", []) => scan(64, 1, 1),
        ("scan_segments_of_level", []) => scan(64, 1, 2),
        ("wu_manber_scan", &[bits, alpha, k]) => {
            table + scan(bits, alpha, 1) + k * scan(bits, alpha, 2) + (k + 1) * state_below(bits)
        }
        // The state before a lane's symbols is not needed if the last level has wildcards.
        ("wu_manber_wildcards", &[bits, alpha, k]) => {
            table + scan(bits, alpha, 1) + k * scan(bits, alpha, 2) + k * state_below(bits)
        }
        // The groups that lane 0 took; if a table is made, barriers after it has been read, cleared
        // and filled.
        (name, [_columns, _logic]) if name.starts_with("all_pairs") => SHUFFLE + 3 * WARP_BARRIER,
        ("listed_pairs" | "listed_pairs_indel" | "listed_pairs_osa", [_planes]) => SHUFFLE,
        // A row's planes and the words of the edge come from the lane on the left.
        ("long_pairs", &[planes]) => long_pairs(planes + 2),
        ("long_pairs_indel", &[planes]) => long_pairs(planes + 1),
        ("long_pairs_osa", &[planes]) => long_pairs(planes + 4),
        // The sets of a warp's lanes are joined.
        ("symbols_used", []) => 8 * (STEPS * SHUFFLE),
        // One vote for each possible plane.
        ("string_planes", []) => 9 * VOTE,
        (
            "nakano_first_flag"
            | "carry_rate"
            | "column_tiles"
            | "column_tiles_of_tokens"
            | "contiguous"
            | "contiguous_bank"
            | "issue_rate"
            | "memory_rate"
            | "myers_slices"
            | "brute_force"
            | "kmp"
            | "first_mismatches"
            | "fill_period"
            | "join_windows"
            | "check_candidates"
            | "remaining_winners"
            | "link_winners"
            | "chain_winners"
            | "pack_witnesses"
            | "string_groups"
            | "lane_rows"
            | "position_matches"
            | "in_order"
            | "scan_summands"
            | "scan_step"
            | "scan_step_of_level"
            | "scan_join"
            | "scan_join_of_level"
            | "scan_ends"
            | "unfold"
            | "unfold_distance"
            | "text_tiles",
            [],
        ) => NONE,
        _ => panic!("{name} is a kernel whose collectives are not told here"),
    }
}

/// Counts the scan of a block, with words of `bits` bits and α symbols a lane: first of a warp, in
/// steps that double the number of lanes while they have fewer symbols than a word has bits, then
/// of its warps at a barrier. A sum has `words` words.
fn scan(bits: usize, alpha: usize, words: usize) -> Collectives {
    let steps = (0..STEPS).filter(|step| alpha << step < bits).count();
    steps * (words * (bits / 32 * SHUFFLE)) + BARRIER
}

/// Counts the transfer of a word of `bits` bits from the lane below.
fn state_below(bits: usize) -> Collectives {
    bits / 32 * SHUFFLE
}

#[test]
fn every_kernel_synchronises_as_often_as_its_source_says() {
    let ptx = packaged();
    let kernels = kernels(&ptx);
    assert!(kernels.len() >= 149, "{} kernels", kernels.len());
    let (mut wrong, mut families) = (String::new(), BTreeMap::<String, usize>::new());
    for kernel in &kernels {
        let (found, expected) = (kernel.collectives(), expected(kernel.name));
        if found != expected {
            writeln!(wrong, "{}: {found:?} in the PTX, {expected:?} by its source", kernel.name).unwrap();
        }
        *families.entry(kernel.name.trim_end_matches(|c: char| c == '_' || c.is_numeric()).into()).or_default() += 1;
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    let both = |name: &str, more: &str| families[name] + families[more];
    let forms = (both("wavefront", "wavefront_digits"), both("wavefront_ahead", "wavefront_digits_ahead"));
    let ahead = WAVEFRONT_INSTANCES.iter().filter(|(.., ahead)| *ahead).count();
    assert_eq!(forms, (WAVEFRONT_INSTANCES.len() - ahead, ahead), "{families:?}");
    for (name, of, _) in COPIES {
        assert!(kernels.iter().any(|kernel| kernel.name == *name), "there is no {name} with its {of:?}");
    }
}

/// The build script compares these numbers; this file counts them independently.
#[test]
fn the_build_script_counts_the_same() {
    let ptx = packaged();
    let counts = simt_builder::collectives::count(&ptx);
    let kernels = kernels(&ptx);
    assert_eq!(counts.len(), kernels.len());
    for kernel in kernels {
        let Collectives { barrier, warp, shuffle, vote, matching } = kernel.collectives();
        let count = counts[kernel.name];
        let found = [count.barriers, count.warp_barriers, count.shuffles, count.votes, count.matches];
        assert_eq!(found, [barrier, warp, shuffle, vote, matching], "{}", kernel.name);
    }
}

/// The build script lists the kernels' places; this file finds them independently.
#[test]
fn the_build_script_finds_the_same_kernels_whole() {
    let ptx = packaged();
    let places = simt_builder::kernel_list::places(&ptx);
    let names = places.iter().map(|place| place.name);
    assert!(names.eq(kernels(&ptx).iter().map(|kernel| kernel.name)));
    for simt_builder::kernel_list::Place { name, range } in places {
        let [one] = &kernels(&ptx[range.clone()])[..] else { panic!("{name}") };
        assert!(one.name == name && ptx[range].ends_with("\n}\n"), "{name}");
    }
}

#[test]
fn no_kernel_uses_local_memory_or_calls_functions() {
    for kernel in kernels(&packaged()) {
        for instruction in &kernel.instructions {
            let local = instruction.contains(".local") || instruction.contains("__local_depot");
            let call = opcode(instruction).split('.').next() == Some("call");
            assert!(!local && !call, "{}: {instruction}", kernel.name);
        }
    }
}

#[test]
fn the_packaged_ptx_runs_on_volta_and_names_its_compiler() {
    let ptx = packaged();
    assert!(ptx.starts_with("// kernels, compiled by rustc "));
    assert!(ptx.contains("\n.target sm_70\n"));
}

#[test]
fn the_packaged_machine_code_has_every_kernel() {
    let ptx = packaged();
    let names: Vec<&str> = kernels(&ptx).iter().map(|kernel| kernel.name).collect();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("gpu-kernels/ptx");
    for architecture in ["sm_80", "sm_90", "sm_100", "sm_120"] {
        let path = directory.join(format!("{architecture}.cubin.zst"));
        let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut cubin = Vec::new();
        ruzstd::decoding::StreamingDecoder::new(file).unwrap().read_to_end(&mut cubin).unwrap();
        assert!(cubin.starts_with(b"\x7fELF"), "{architecture}");
        // A kernel's code is in a section of its name.
        let sections: HashSet<&[u8]> = cubin.split(|&byte| byte == 0).collect();
        for name in &names {
            assert!(sections.contains(format!(".text.{name}").as_bytes()), "{architecture}: {name}");
        }
    }
}

/// A kernel: its name, and the instructions and declarations of its body.
struct Kernel<'a> {
    name: &'a str,
    instructions: Vec<&'a str>,
}

impl Kernel<'_> {
    fn collectives(&self) -> Collectives {
        let mut counts = Collectives::default();
        for instruction in &self.instructions {
            let parts: Vec<&str> = opcode(instruction).split('.').collect();
            match parts[..] {
                ["bar", "warp", "sync", ..] => counts.warp += 1,
                ["bar" | "barrier", "sync" | "red", ..] | ["barrier", "cta", ..] => counts.barrier += 1,
                ["shfl", "sync", ..] => counts.shuffle += 1,
                ["vote", "sync", ..] => counts.vote += 1,
                ["match", _, "sync", ..] => counts.matching += 1,
                _ => {}
            }
        }
        counts
    }
}

fn packaged() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gpu-kernels/ptx/carrywave_kernels.ptx");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask ptx`", path.display()))
}

/// Returns the bodies of all `.entry` functions.
fn kernels(ptx: &str) -> Vec<Kernel<'_>> {
    let mut kernels: Vec<Kernel> = Vec::new();
    let mut depth = 0_usize;
    let mut entry = false;
    for line in ptx.lines() {
        let code = line.split("//").next().unwrap_or_default();
        if depth == 0
            && let Some((_, rest)) = code.split_once(".entry ")
        {
            kernels.push(Kernel { name: rest.trim().trim_end_matches(['(', ')', ' ']), instructions: Vec::new() });
            entry = true;
        }
        for piece in code.split_inclusive(['{', '}', ';']) {
            let text = piece.trim_end_matches(['{', '}', ';']).trim();
            if depth > 0 && entry && !text.is_empty() {
                kernels.last_mut().expect("an entry began").instructions.push(text);
            }
            // Vector operands such as {%r1, %r2} open and close too, so they do not change the
            // depth.
            match piece.chars().last() {
                Some('{') => depth += 1,
                Some('}') => depth -= 1,
                _ => {}
            }
        }
        if depth == 0 && code.trim_end().ends_with('}') {
            entry = false;
        }
    }
    kernels
}

/// Returns the instruction's first word, without label and predicate.
fn opcode(instruction: &str) -> &str {
    let mut words = instruction.split_whitespace().filter(|word| !word.starts_with('@') && !word.ends_with(':'));
    words.next().unwrap_or_default()
}

/// Tests of the parser that the tests above rely on.
mod parser {
    use super::*;

    const SAMPLE: &str = "\
.visible .func helper()
{
\tbar.sync \t0;
}
.visible .entry wave(
\t.param .u64 wave_param_0
)
.maxntid 256, 1, 1
{
\t.reg .b32 \t%r<6>;
$L__BB0_1: // bar.sync in a comment
\tbar.sync \t0;
\t@%p1 bar.warp.sync -1;
\tld.shared.v4.b32 \t{%r1, %r2, %r3, %r4}, [%r5];
\t{
\tshfl.sync.up.b32 %r5|%p2, %r4, 1, 0, -1; vote.sync.ballot.b32 %r1, %p1, -1;
\t}
\tmatch.any.sync.b32 %r1, %r2, -1;
\tbarrier.sync 0;
\tret;

}
.entry scan()
{
\tcall.uni helper, ();
\tst.local.b32 \t[%rd1], %r1;
\tret;
}
";

    #[test]
    fn kernels_are_told_from_functions() {
        let names: Vec<&str> = kernels(SAMPLE).iter().map(|kernel| kernel.name).collect();
        assert_eq!(names, ["wave", "scan"]);
    }

    #[test]
    fn collectives_are_counted() {
        let kernels = kernels(SAMPLE);
        assert_eq!(kernels[0].collectives(), collectives(2, 1, 1, 1, 1));
        assert_eq!(kernels[1].collectives(), Collectives::default());
    }

    #[test]
    fn calls_and_local_memory_are_seen() {
        let kernels = kernels(SAMPLE);
        assert_eq!(kernels[1].instructions, ["call.uni helper, ()", "st.local.b32 \t[%rd1], %r1", "ret"]);
        assert_eq!(opcode(kernels[1].instructions[0]), "call.uni");
    }
}
