//! What the packaged PTX must and must not contain.
//!
//! rustc 1.95 does not mark functions that synchronise as convergent, so an optimisation could duplicate or drop a
//! barrier or a shuffle. Every kernel therefore has its collectives counted here. After a change that means to change
//! them, `cargo xtask ptx` and this test's own message give the new table.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// How often a kernel synchronises.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Collectives {
    /// Barriers of a block: `bar.sync`, `barrier.sync`, and those that vote.
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

/// Every kernel by name: barriers of the block, barriers of a warp, shuffles, votes, matches.
const EXPECTED: &[(&str, Collectives)] = &[
    ("nakano_dmm", collectives(2, 0, 0, 0, 0)),
    ("nakano_first_flag", collectives(0, 0, 0, 0, 0)),
    ("nakano_umm", collectives(2, 0, 0, 0, 0)),
    ("nakano_umm_3m", collectives(1, 0, 0, 0, 0)),
    ("nakano_umm_n", collectives(1, 0, 0, 0, 0)),
    ("block_step", collectives(0, 2, 40, 0, 0)),
    ("block_step_look_ahead", collectives(0, 2, 0, 16, 0)),
    ("carry_rate", collectives(0, 0, 0, 0, 0)),
    ("column_tiles", collectives(0, 0, 0, 0, 0)),
    ("contiguous", collectives(0, 0, 0, 0, 0)),
    ("contiguous_bank", collectives(0, 0, 0, 0, 0)),
    ("device_test", collectives(3, 2, 36, 6, 1)),
    ("gbpr_32_16_0", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_16_1", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_16_2", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_16_3", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_1_0", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_1_1", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_1_2", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_1_3", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_4_0", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_4_1", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_4_2", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_4_3", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_8_0", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_8_1", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_8_2", collectives(1, 0, 0, 0, 0)),
    ("gbpr_32_8_3", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_16_0", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_16_1", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_16_2", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_16_3", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_1_0", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_1_1", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_1_2", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_1_3", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_4_0", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_4_1", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_4_2", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_4_3", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_8_0", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_8_1", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_8_2", collectives(1, 0, 0, 0, 0)),
    ("gbpr_64_8_3", collectives(1, 0, 0, 0, 0)),
    ("issue_rate", collectives(0, 0, 0, 0, 0)),
    ("match_vectors", collectives(0, 0, 0, 4, 0)),
    ("memory_rate", collectives(0, 0, 0, 0, 0)),
    ("myers_1", collectives(1, 6, 5, 0, 0)),
    ("myers_2", collectives(1, 6, 5, 0, 0)),
    ("myers_4", collectives(1, 6, 5, 0, 0)),
    ("myers_bottom", collectives(1, 6, 5, 0, 0)),
    ("myers_middle", collectives(1, 4, 0, 0, 0)),
    ("myers_top", collectives(1, 4, 0, 0, 0)),
    ("packed_1_0", collectives(1, 4, 5, 0, 0)),
    ("packed_1_1", collectives(1, 4, 5, 0, 0)),
    ("packed_1_2", collectives(1, 4, 5, 0, 0)),
    ("packed_1_3", collectives(1, 4, 5, 0, 0)),
    ("packed_2_0", collectives(1, 4, 5, 0, 0)),
    ("packed_2_1", collectives(1, 4, 5, 0, 0)),
    ("packed_2_2", collectives(1, 4, 5, 0, 0)),
    ("packed_2_3", collectives(1, 4, 5, 0, 0)),
    ("packed_4_0", collectives(1, 4, 5, 0, 0)),
    ("packed_4_1", collectives(1, 4, 5, 0, 0)),
    ("packed_4_2", collectives(1, 4, 5, 0, 0)),
    ("packed_4_3", collectives(1, 4, 5, 0, 0)),
    ("row_planes", collectives(0, 0, 0, 2, 0)),
    ("shared_access_16", collectives(0, 2, 0, 0, 0)),
    ("shared_access_4", collectives(0, 2, 0, 0, 0)),
    ("shared_access_8", collectives(0, 2, 0, 0, 0)),
    ("shift_or_1_1", collectives(1, 0, 9, 0, 0)),
    ("shift_or_1_16", collectives(1, 0, 9, 0, 0)),
    ("shift_or_1_4", collectives(1, 0, 9, 0, 0)),
    ("shift_or_2_1", collectives(1, 0, 13, 0, 0)),
    ("shift_or_2_16", collectives(1, 0, 13, 0, 0)),
    ("shift_or_2_4", collectives(1, 0, 13, 0, 0)),
    ("shift_or_scan_32_1", collectives(3, 0, 2, 0, 0)),
    ("shift_or_scan_32_16", collectives(3, 0, 6, 0, 0)),
    ("shift_or_scan_32_2", collectives(3, 0, 6, 0, 0)),
    ("shift_or_scan_32_32", collectives(3, 0, 2, 0, 0)),
    ("shift_or_scan_32_4", collectives(3, 0, 6, 0, 0)),
    ("shift_or_scan_32_8", collectives(3, 0, 6, 0, 0)),
    ("shift_or_scan_64_1", collectives(3, 0, 4, 0, 0)),
    ("shift_or_scan_64_16", collectives(3, 0, 12, 0, 0)),
    ("shift_or_scan_64_2", collectives(3, 0, 12, 0, 0)),
    ("shift_or_scan_64_32", collectives(3, 0, 12, 0, 0)),
    ("shift_or_scan_64_4", collectives(3, 0, 12, 0, 0)),
    ("shift_or_scan_64_8", collectives(3, 0, 12, 0, 0)),
    ("split", collectives(3, 0, 40, 0, 0)),
    ("sums_conditional_sum", collectives(0, 0, 5, 0, 0)),
    ("sums_look_ahead", collectives(0, 0, 0, 2, 0)),
    ("wavefront_1", collectives(0, 0, 2, 0, 0)),
    ("wavefront_12", collectives(0, 0, 2, 0, 0)),
    ("wavefront_14", collectives(0, 0, 2, 0, 0)),
    ("wavefront_16", collectives(0, 0, 2, 0, 0)),
    ("wavefront_18", collectives(0, 0, 2, 0, 0)),
    ("wavefront_2", collectives(0, 0, 2, 0, 0)),
    ("wavefront_20", collectives(0, 0, 2, 0, 0)),
    ("wavefront_3", collectives(0, 0, 2, 0, 0)),
    ("wavefront_4", collectives(0, 0, 2, 0, 0)),
    ("wavefront_6", collectives(0, 0, 2, 0, 0)),
    ("wavefront_8", collectives(0, 0, 2, 0, 0)),
    ("wavefront_9", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_1", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_10", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_12", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_14", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_16", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_18", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_19", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_2", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_20", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_3", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_4", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_6", collectives(0, 0, 2, 0, 0)),
    ("wavefront_ahead_8", collectives(0, 0, 2, 0, 0)),
    ("wu_manber_1_0", collectives(1, 6, 5, 0, 0)),
    ("wu_manber_1_1", collectives(1, 6, 5, 0, 0)),
    ("wu_manber_1_2", collectives(1, 6, 5, 0, 0)),
    ("wu_manber_1_3", collectives(1, 6, 5, 0, 0)),
    ("wu_manber_1_4", collectives(1, 6, 5, 0, 0)),
    ("wu_manber_2_0", collectives(1, 6, 5, 0, 0)),
    ("wu_manber_2_1", collectives(1, 6, 5, 0, 0)),
    ("wu_manber_2_2", collectives(1, 6, 5, 0, 0)),
    ("wu_manber_2_3", collectives(1, 6, 5, 0, 0)),
    ("wu_manber_2_4", collectives(1, 6, 5, 0, 0)),
    ("wu_manber_scan_32_16_1", collectives(5, 0, 18, 0, 0)),
    ("wu_manber_scan_32_16_2", collectives(5, 0, 18, 0, 0)),
    ("wu_manber_scan_32_16_3", collectives(5, 0, 18, 0, 0)),
    ("wu_manber_scan_32_4_1", collectives(5, 0, 18, 0, 0)),
    ("wu_manber_scan_32_4_2", collectives(7, 0, 30, 0, 0)),
    ("wu_manber_scan_32_4_3", collectives(5, 0, 18, 0, 0)),
    ("wu_manber_scan_64_16_1", collectives(5, 0, 36, 0, 0)),
    ("wu_manber_scan_64_16_2", collectives(5, 0, 36, 0, 0)),
    ("wu_manber_scan_64_16_3", collectives(5, 0, 36, 0, 0)),
    ("wu_manber_scan_64_4_1", collectives(5, 0, 36, 0, 0)),
    ("wu_manber_scan_64_4_2", collectives(5, 0, 36, 0, 0)),
    ("wu_manber_scan_64_4_3", collectives(5, 0, 36, 0, 0)),
    ("xbitpar_1_0", collectives(1, 0, 6, 0, 0)),
    ("xbitpar_1_1", collectives(1, 0, 11, 0, 0)),
    ("xbitpar_1_2", collectives(1, 0, 16, 0, 0)),
    ("xbitpar_1_3", collectives(1, 0, 21, 0, 0)),
    ("xbitpar_2_0", collectives(1, 0, 6, 0, 0)),
    ("xbitpar_2_1", collectives(1, 0, 11, 0, 0)),
    ("xbitpar_2_2", collectives(1, 0, 16, 0, 0)),
    ("xbitpar_2_3", collectives(1, 0, 21, 0, 0)),
    ("xbitpar_4_0", collectives(1, 0, 6, 0, 0)),
    ("xbitpar_4_1", collectives(1, 0, 11, 0, 0)),
    ("xbitpar_4_2", collectives(1, 0, 16, 0, 0)),
    ("xbitpar_4_3", collectives(1, 0, 21, 0, 0)),
];

#[test]
fn every_kernel_synchronises_as_often_as_its_source_says() {
    let ptx = packaged();
    let found: BTreeMap<&str, Collectives> =
        kernels(&ptx).into_iter().map(|kernel| (kernel.name, kernel.collectives())).collect();
    let expected: BTreeMap<&str, Collectives> = EXPECTED.iter().copied().collect();
    assert!(found == expected, "expected {expected:#?}\n\nthe packaged PTX has:\n{}", as_table(&found));
}

/// The build script compares these numbers; this file counts them in a way of its own.
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

/// A kernel: its name and what its body consists of, one instruction or declaration each.
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

/// The bodies of all `.entry` functions.
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
            // Vector operands such as {%r1, %r2} open and close too, and do not disturb the depth.
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

/// The instruction's first word, without label and predicate.
fn opcode(instruction: &str) -> &str {
    let mut words = instruction.split_whitespace().filter(|word| !word.starts_with('@') && !word.ends_with(':'));
    words.next().unwrap_or_default()
}

/// The lines that `EXPECTED` would have to hold.
fn as_table(found: &BTreeMap<&str, Collectives>) -> String {
    let mut text = String::new();
    for (name, Collectives { barrier, warp, shuffle, vote, matching }) in found {
        writeln!(text, "    ({name:?}, collectives({barrier}, {warp}, {shuffle}, {vote}, {matching})),").unwrap();
    }
    text
}

/// What the tests above rest on.
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
