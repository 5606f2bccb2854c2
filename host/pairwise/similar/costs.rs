//! The costs of an alignment.

/// The costs of an alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Costs {
    /// 1 for a substitution, an insertion, a deletion: the edit distance.
    Levenshtein,
    /// 1 for an insertion and a deletion, 2 for a substitution: m + n minus twice the length of an
    /// LCS.
    Indel,
}

impl Costs {
    /// Returns the number of cells of bands that take a third of the time of the full table of m ×
    /// n cells by lanes: an upper bound on the cost of an attempt if the strings are not similar.
    pub fn most_cells(self, m: usize, n: usize) -> u64 {
        let share = match self {
            Self::Levenshtein => 10,
            Self::Indel => 15,
        };
        (m as u64).saturating_mul(n as u64) / share
    }
}

/// Returns the cost of a script with these matches.
#[cfg(test)]
pub(crate) fn script_cost(runs: &[crate::alignment::Run], a_len: usize, b_len: usize, costs: Costs) -> u64 {
    let mut cost = 0;
    let mut a_end = 0;
    let mut b_end = 0;
    let end = crate::alignment::Run { a_start: a_len as u64, b_start: b_len as u64, len: 0 };
    for run in runs.iter().chain([&end]) {
        let x = run.a_start - a_end;
        let y = run.b_start - b_end;
        cost += if costs == Costs::Indel { x + y } else { x.max(y) };
        (a_end, b_end) = (run.a_start + run.len, run.b_start + run.len);
    }
    cost
}
