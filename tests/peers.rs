//! Cases from the tests and documents of TRE, edlib, sassy and rapidfuzz, as data: their answers
//! and this library's answers.
//!
//! `peers/cases.json` has one case a line: its origin (versions of November 2026), its strings
//! (code points are bytes if `bytes` says so), the package's rules for symbols, and its answers. If
//! this library's answer differs, `ours` is that answer and `why` the reason. Ends are exclusive
//! here; edlib's are inclusive.

use carrywave::best::Best;
use carrywave::lcs_length;
use carrywave::search::{Ends, Hit, Search};
use carrywave::text::{Alphabet, Pattern, Strand, SymbolRules, TextCodes};
use serde_json::{Value, json};

struct Case {
    value: Value,
    pattern: Vec<u8>,
    text: Vec<u8>,
    rules: SymbolRules,
}

impl Case {
    fn new(value: Value) -> Self {
        let string = |key: &str| {
            let text = value[key].as_str().unwrap();
            if value["bytes"] == true { text.chars().map(|c| u8::try_from(c).unwrap()).collect() } else { text.into() }
        };
        let rules = match value["rules"].as_str().unwrap() {
            "bytes" => Alphabet::Bytes.into(),
            "ignore-case" => SymbolRules::new(Alphabet::Bytes).ignore_case(true),
            "dna" => Alphabet::Dna.into(),
            "inside" => Alphabet::Iupac.into(),
            "overlap" => SymbolRules::new(Alphabet::Iupac).text_codes(TextCodes::Overlap),
            other => panic!("{other}"),
        };
        Self { pattern: string("pattern"), text: string("text"), rules, value }
    }

    fn search(&self) -> carrywave::Result<Search<'static>> {
        let k = self.value["k"].as_u64().unwrap_or(0) as u32;
        let both = self.value["both"] == true;
        Ok(Search::new(Pattern::parse_with(&self.pattern, &self.rules)?).errors(k).both_strands(both))
    }

    fn hits(&self, ends: Ends) -> carrywave::Result<Vec<Hit>> {
        self.search()?.ends(ends).hits(&self.text)
    }

    /// Returns this library's answer to a question.
    fn answer(&self, asked: &str) -> carrywave::Result<Value> {
        let best = || Best::new(Pattern::parse_with(&self.pattern, &self.rules)?).find(&self.text);
        let starts = |hits: Vec<Hit>| hits.iter().map(|hit| hit.start).collect::<Vec<_>>();
        Ok(match asked {
            "lcs" => json!(lcs_length(&self.pattern, &self.text)?),
            "distance" => json!(best()?.distance),
            "part" => {
                let found = best()?;
                json!([found.start, found.end])
            }
            // All ends with the least distance, as far as a search can return them.
            "ends" => {
                let distance = best()?.distance;
                let search = self.search()?.errors(distance).ends(Ends::All);
                json!(search.hits(&self.text)?.iter().map(|hit| hit.end).collect::<Vec<_>>())
            }
            // The first hit with the fewest errors.
            "hit" => {
                let hits = self.hits(Ends::Best)?;
                json!(hits.iter().min_by_key(|hit| (hit.errors, hit.start)).map(|hit| [hit.start, hit.end]))
            }
            "hits" => {
                let sign = |strand: Strand| strand.sign().to_string();
                json!(
                    self.hits(Ends::Best)?
                        .iter()
                        .map(|hit| json!([hit.start, hit.end, hit.errors, sign(hit.strand)]))
                        .collect::<Vec<_>>()
                )
            }
            "overlapping" => json!(self.search()?.overlapping(true).count(&self.text)?),
            "starts" => json!(starts(self.hits(Ends::Best)?)),
            "among_starts" => {
                let found = starts(self.hits(Ends::Best)?);
                let asked = self.value[asked].as_array().unwrap().iter();
                json!(asked.filter(|start| found.contains(&start.as_u64().unwrap())).collect::<Vec<_>>())
            }
            "some" => json!(!self.hits(Ends::Best)?.is_empty()),
            "all" => {
                let hits = self.hits(Ends::All)?;
                json!(hits.iter().map(|hit| [hit.start, hit.end, u64::from(hit.errors)]).collect::<Vec<_>>())
            }
            "all_ends" => json!(self.hits(Ends::All)?.iter().map(|hit| hit.end).collect::<Vec<_>>()),
            // The mirrored strings have the same number.
            "mirrored" => {
                let turned: Vec<u8> = self.text.iter().rev().copied().collect();
                let pattern = Pattern::parse_with(&self.pattern, &self.rules)?.reversed();
                let k = self.value["k"].as_u64().unwrap_or(0) as u32;
                let count = Search::new(pattern).errors(k).count(&turned)?;
                json!(count == self.search()?.count(&self.text)?)
            }
            "matches" => {
                let class = self.rules.class(self.pattern[0]);
                json!(class.is_some_and(|class| class.contains(self.text[0])))
            }
            "positions" => {
                let class = self.rules.class(self.pattern[0]).unwrap();
                json!((0..self.text.len()).filter(|&at| class.contains(self.text[at])).collect::<Vec<_>>())
            }
            other => panic!("{other}"),
        })
    }
}

const ASKED: [&str; 15] = [
    "lcs",
    "distance",
    "part",
    "ends",
    "hit",
    "hits",
    "overlapping",
    "starts",
    "among_starts",
    "some",
    "all",
    "all_ends",
    "mirrored",
    "matches",
    "positions",
];

#[test]
fn what_the_peers_say() {
    let (mut asked, mut others, mut wrong) = (0, 0, Vec::new());
    for line in include_str!("peers/cases.json").lines() {
        let case = Case::new(serde_json::from_str(line).unwrap());
        for question in ASKED {
            let Some(theirs) = case.value.get(question) else { continue };
            asked += 1;
            let ours = case.answer(question).unwrap_or_else(|error| json!(error.to_string()));
            let expected = case.value["ours"].get(question);
            others += usize::from(expected.is_some());
            // A difference that does not exist must not be listed.
            if &ours != expected.unwrap_or(theirs) || expected == Some(theirs) {
                wrong.push(format!("{}: {question}: {theirs} there, {ours} here", case.value["source"]));
            }
            assert_eq!(case.value["ours"].is_object(), case.value["why"].is_string(), "{}", case.value["source"]);
        }
    }
    assert!(wrong.is_empty(), "of {asked}, {others} other:\n{}", wrong.join("\n"));
    assert!(asked > 150 && others < 20, "{asked} answers, {others} other");
}
