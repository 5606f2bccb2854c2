//! The table of compared records: one line per pair, as text or as JSON.

use super::compare::ComparedPair;
use super::list::RecordList;
use crate::shared::json::write_json;
use crate::shared::output::results_error;
use crate::shared::table::Field;
use carrywave::Result;
use carrywave::lcs::ExpectedLengths;
use carrywave::text::Strand;
use rayon::prelude::*;
use std::io::Write;

/// Writer of the table.
pub struct TableWriter<'t> {
    pub out: &'t mut (dyn Write + Send),
    /// The records of A and of B.
    pub lists: &'t [RecordList; 2],
    /// Expected LCS lengths of random strings, for both strands of B.
    pub expected: &'t [ExpectedLengths; 2],
    /// True for JSON.
    pub json: bool,
}

/// A line of JSON.
#[derive(serde::Serialize)]
struct JsonRow<'n> {
    a: &'n str,
    b: &'n str,
    strand: Strand,
    a_len: usize,
    b_len: usize,
    length: u64,
    identity: Option<f64>,
    expected: f64,
}

impl TableWriter<'_> {
    /// Writes the names of the columns.
    pub fn head(&mut self) -> Result<()> {
        if self.json {
            return Ok(());
        }
        writeln!(self.out, "a\tb\tstrand\ta_len\tb_len\tlcs\tidentity\texpected").map_err(results_error)
    }

    /// Writes a line for each pair.
    pub fn rows(&mut self, pairs: &[ComparedPair]) -> Result<()> {
        let expected = self.expected;
        let expected: Vec<f64> = pairs
            .par_iter()
            .map(|pair| expected[pair.strand as usize].length(pair.records.a, pair.records.b))
            .collect();
        for (pair, expected) in pairs.iter().zip(expected) {
            self.row(pair, expected)?;
        }
        self.out.flush().map_err(results_error)
    }

    fn row(&mut self, pair: &ComparedPair, expected: f64) -> Result<()> {
        let &ComparedPair { records, strand, length } = pair;
        let [in_a, in_b] = self.lists;
        let [a, b] = [&*in_a.names[records.a], &*in_b.names[records.b]];
        let [a_len, b_len] = [in_a.record_len(records.a), in_b.record_len(records.b)];
        let longer = a_len.max(b_len);
        let identity = (longer > 0).then(|| length as f64 / longer as f64);
        if self.json {
            let row = JsonRow { a, b, strand, a_len, b_len, length, identity, expected };
            return write_json(self.out, &row).map_err(results_error);
        }
        let [a, b] = [Field(a), Field(b)];
        let sign = strand.sign();
        let identity = identity.map_or("NA".to_owned(), |identity| format!("{identity:.6}"));
        writeln!(self.out, "{a}\t{b}\t{sign}\t{a_len}\t{b_len}\t{length}\t{identity}\t{expected:.1}")
            .map_err(results_error)
    }
}
