//! `--guides`: the sites of many CRISPR guides in a text of the size of the human genome, on both
//! strands, with up to three mismatches. The text is either resident on the GPU, or a file in the
//! page cache.
//!
//! A guide is 20 bases and the PAM NGG, which must match exactly. Sites of each guide are planted
//! on both strands, with 0 to 3 mismatches. Times are of whole calls. The hits in the first bases
//! of the text are compared with the definition, position by position, and sites with bulges with
//! those of the CPU.

use super::{Bench, Outcome};
use carrywave::device::Cpu;
use carrywave::guides::{Guides, Pam, PamSide, Site};
use carrywave::search::{Ends, Hit, ResidentText, Search};
use carrywave::text::{Alphabet, Strand};
use carrywave::text::{Pattern, Text};
use rayon::prelude::*;
use serde_json::json;
use simt_launch::Device;
use std::collections::HashSet;

/// Number of bases of a guide, without and with its PAM.
const GUIDE: usize = 20;
const M: usize = GUIDE + 3;

/// Upper bound on the mismatches.
const K: u32 = 3;

/// Number of planted sites of each guide on each strand, with 0, 1, 2 and 3 mismatches in turn.
const PLANTED: usize = 8;

/// Number of bases in the part of the text where every hit is compared with the definition.
const COMPARED: usize = 1 << 24;

fn complement(base: u8) -> u8 {
    match base {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        _ => b'A',
    }
}

fn reverse_complement(bases: &[u8]) -> Vec<u8> {
    bases.iter().rev().map(|&base| complement(base)).collect()
}

/// Returns the sites of a guide on a strand by the definition: the start of each, and its
/// mismatches.
fn sites(text: &[u8], guide: &[u8], strand: Strand) -> Vec<(u64, u32)> {
    let (whole, pam, own) = match strand {
        Strand::Forward => (guide.to_vec(), [(GUIDE + 1, b'G'), (GUIDE + 2, b'G')], 0..GUIDE),
        Strand::Reverse => (reverse_complement(guide), [(0, b'C'), (1, b'C')], 3..M),
    };
    let found = text.windows(M).enumerate().filter_map(|(start, site)| {
        if pam.iter().any(|&(i, base)| site[i] != base) {
            return None;
        }
        let mismatches = own.clone().filter(|&i| site[i] != whole[i]).count() as u32;
        (mismatches <= K).then_some((start as u64, mismatches))
    });
    found.collect()
}

impl<D: Device> Bench<D> {
    /// Measures all rows of this part.
    pub fn guides(&mut self) -> Outcome<()> {
        let n = self.options.symbols;
        let count = self.options.guides;
        if n < 4 * M {
            return Err(format!("--symbols takes at least {}", 4 * M).into());
        }
        let mut text = super::random_text(n, 4);
        text.par_iter_mut().for_each(|symbol| *symbol = b"ACGT"[usize::from(*symbol % 4)]);
        let mut random = fastrand::Rng::with_seed(192);
        let guides: Vec<Vec<u8>> =
            (0..count).map(|_| (0..GUIDE).map(|_| b"ACGT"[random.usize(..4)]).chain(*b"NGG").collect()).collect();
        let mut planted = HashSet::new();
        let mut taken = HashSet::new();
        for (number, guide) in guides.iter().enumerate() {
            for i in 0..2 * PLANTED {
                // Every other site lies in the part where all hits are compared.
                let within = if i % 4 < 2 { n.min(COMPARED) } else { n };
                let slot = random.usize(..within / (2 * M)) * 2 * M;
                if !taken.insert(slot) {
                    continue;
                }
                let mut site = guide.clone();
                site[GUIDE] = b"ACGT"[random.usize(..4)];
                for mismatch in 0..i % 4 {
                    let at = (i + 5 * mismatch) % GUIDE;
                    site[at] = complement(site[at]);
                }
                let strand = if i < PLANTED { Strand::Forward } else { Strand::Reverse };
                let site = if strand == Strand::Forward { site } else { reverse_complement(&site) };
                text[slot..slot + M].copy_from_slice(&site);
                planted.insert((number, strand, slot as u64, (i % 4) as u32));
            }
        }
        let patterns = guides
            .iter()
            .map(|guide| Pattern::parse(guide, Alphabet::Iupac)?.with_fixed(GUIDE..M))
            .collect::<Result<Vec<_>, _>>()?;
        let search = Search::many(patterns).substitutions(K).ends(Ends::All).both_strands(true);

        let resident = ResidentText::new(&*self.engine, &text)?;
        // The first call compiles the kernel.
        let hits = search.hits(&resident)?;
        let missing = {
            let all: HashSet<_> = hits.iter().map(|hit| (hit.pattern, hit.strand, hit.start, hit.errors)).collect();
            planted.difference(&all).count()
        };
        let compared = compared(&text[..n.min(COMPARED)], &guides, &hits);
        if missing > 0 || !compared {
            return Err(format!("{missing} of {} planted sites not found, compared: {compared}", planted.len()).into());
        }
        let more = json!({
            "guides": count, "hits": hits.len(), "planted": planted.len(), "compared_with_the_definition": n.min(COMPARED),
        });
        let name = format!("{count} guides, k {K}");
        let seconds = self.calls(&hits.len(), || Ok(search.hits(&resident)?.len()))?;
        self.row("resident", &name, "mismatches", (M, n), &seconds, more.clone());
        let seconds = self.calls(&(hits.len() as u64), || Ok(search.count(&resident)?))?;
        self.row("resident", &format!("{name}, count"), "mismatches", (M, n), &seconds, more.clone());
        self.bulges(&text, &guides, &resident)?;
        drop(resident);

        let folder = tempfile::tempdir()?;
        let path = folder.path().join("bases");
        std::fs::write(&path, &text)?;
        drop(text);
        let search = search.on(&*self.engine);
        let seconds = self.calls(&hits.len(), || Ok(search.hits(&Text::open(&path)?)?.len()))?;
        self.row("file", &name, "mismatches", (M, n), &seconds, more);
        Ok(())
    }
}

impl<D: Device> Bench<D> {
    /// Measures the sites with bulges in a resident text.
    fn bulges(&mut self, text: &[u8], guides: &[Vec<u8>], resident: &ResidentText) -> Outcome<()> {
        for bulges in [1, 2] {
            let search = Guides::new(guides, Pam::new("NGG", PamSide::After)?)
                .mismatches(4)
                .dna_bulges(bulges)
                .rna_bulges(bulges)
                .edits(4);
            let sites = search.sites(resident)?;
            let first = &text[..text.len().min(COMPARED)];
            // Behind the first part, a site may have its best alignment across the border.
            let is_inside = |site: &&Site| site.end + (M as u64) < first.len() as u64;
            let own: Vec<&Site> = sites.iter().filter(is_inside).collect();
            let expected = search.clone().on(&Cpu::new()).sites(first)?;
            if own != expected.iter().filter(is_inside).collect::<Vec<_>>() {
                return Err(format!("the sites with {bulges} bulges differ from those of the CPU").into());
            }
            let more = json!({ "guides": guides.len(), "hits": sites.len(), "compared_with_the_cpu": first.len() });
            let name = format!("{} guides, 4 edits, {bulges} + {bulges} bulges", guides.len());
            let seconds = self.calls(&sites.len(), || Ok(search.sites(resident)?.len()))?;
            self.row("resident", &name, "guides", (M, text.len()), &seconds, more);
        }
        Ok(())
    }
}

/// Returns true if the hits that end in the first part of the text equal those of the definition.
fn compared(text: &[u8], guides: &[Vec<u8>], hits: &[Hit]) -> bool {
    let key = |hit: &&Hit| hit.end <= text.len() as u64;
    let mut found: Vec<_> = hits
        .iter()
        .filter(key)
        .map(|hit| (hit.pattern, hit.strand == Strand::Reverse, hit.start, hit.errors))
        .collect();
    found.sort_unstable();
    let mut expected: Vec<_> = guides
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, guide)| {
            [Strand::Forward, Strand::Reverse].into_iter().flat_map(move |strand| {
                let own = sites(text, guide, strand);
                own.into_iter().map(move |(start, errors)| (number, strand == Strand::Reverse, start, errors))
            })
        })
        .collect();
    expected.sort_unstable();
    found == expected
}
