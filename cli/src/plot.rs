//! `--plot`: the dot plot of two strings, for `lcs` and `distance`.

use super::note;
use carrywave::Result;
use carrywave::align::runs::CommonSubsequence;
use carrywave::io::output::OutputFile;
use carrywave::io::sequence::Sequence;
use carrywave::view::dot_plot::{SharedKmers, dot_plot};

/// Draws the plot, and says so if B lies the other way round, since no LCS follows what is reversed.
pub(super) fn plot(file: OutputFile, a: &Sequence, b: &Sequence, lcs: &CommonSubsequence) -> Result<()> {
    log::info!("plot in {}", file.path().display());
    let shared = dot_plot(file, a, b, lcs)?;
    if shared.mostly_reverse() {
        note(&reversed(&shared));
    }
    Ok(())
}

/// What to say of strings of which most matches are reversed.
fn reversed(shared: &SharedKmers) -> String {
    let (kind, same, reverse) = match shared.unique + shared.unique_reverse {
        0 => ("repeated", shared.repeats, shared.repeats_reverse),
        _ => ("unique", shared.unique, shared.unique_reverse),
    };
    let all = same.saturating_add(reverse);
    let share = 100.0 * reverse as f64 / all as f64;
    format!(
        "{reverse} of the {all} {kind} matches in the plot ({share:.0} %) are with the reverse complement of B: B seems to lie the other \
         way round, and what was compared is B as it is; to compare the other strand, give the reverse complement of B (for example \
         what `seqtk seq -r` makes of it)"
    )
}
