//! `--plot`: the dot plot of two strings, for `lcs` and `distance`.

use super::notes::note;
use carrywave::Result;
use carrywave::io::output::OutputFile;
use carrywave::io::sequence::Sequence;
use carrywave::lcs::CommonSubsequence;
use carrywave::text::Strand;
use carrywave::view::dot_plot::{SharedKmers, strand_dot_plot};

/// Remedy for a reversed string, which depends on whether the command has an option for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// The option `--strand`.
    Option,
    /// Another program that reverses and complements the string.
    Program,
}

/// Draws the plot of A and B, with the LCS of A and a strand of B. Prints a note if A resembles the
/// other strand of B, since no LCS follows reversed matches.
pub fn plot(
    file: OutputFile,
    a: &Sequence,
    b: &Sequence,
    lcs: &CommonSubsequence,
    strand: Strand,
    advice: Advice,
) -> Result<()> {
    log::info!("plot in {}", file.path().display());
    let shared = strand_dot_plot(file, a, b, lcs, strand)?;
    match strand {
        Strand::Forward if shared.mostly_reverse() => note(&reversed(&shared, advice)),
        Strand::Reverse if shared.mostly_forward() => note(
            "most matches in the plot are on B's forward strand, but its reverse complement was compared; use --strand \
             forward to compare B as given",
        ),
        _ => {}
    }
    Ok(())
}

/// Returns the note for strings most of whose matches are reversed.
fn reversed(shared: &SharedKmers, advice: Advice) -> String {
    let (kind, same, reverse) = match shared.unique + shared.unique_reverse {
        0 => ("repeated", shared.repeats, shared.repeats_reverse),
        _ => ("unique", shared.unique, shared.unique_reverse),
    };
    let all = same.saturating_add(reverse);
    let share = 100.0 * reverse as f64 / all as f64;
    let how = match advice {
        Advice::Option => "use --strand reverse",
        Advice::Program => "give the reverse complement of B (for example by `seqtk seq -r`)",
    };
    format!(
        "{reverse} of {all} {kind} matches in the plot ({share:.0} %) are with the reverse complement of B, but B was \
         compared as given; to compare the other strand, {how}"
    )
}
