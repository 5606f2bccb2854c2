//! `carrywave guides`
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the options |
//! | `output` | TSV, BED, JSON, counts |
//! | `variants` | the file of variants |

mod arguments;
mod output;
mod variants;

pub use arguments::Arguments;

use crate::shared::engine::GpuArguments;
use crate::shared::notes::{file_name, is_stdin};
use crate::shared::output::{open_output, results_error, stdout, write_results};
use crate::shared::parts::{Measured, Part, ReportAtEnd, during};
use crate::shared::patterns::{GivenPattern, InFile, located, no_pattern, read_patterns};
use crate::shared::progress::FileBar;
use carrywave::algorithm::Algorithm;
use carrywave::error::{InputFault, UsageFault};
use carrywave::guides::{Guides, PreparedGuides};
use carrywave::io::sequence::{Format, PartOptions, PartReader};
use carrywave::job::Recorder;
use carrywave::search::Occurrences;
use carrywave::{Error, Result};
use output::{Counts, SiteWriter};
use std::ffi::OsString;
use std::path::Path;
use variants::GivenVariants;

/// Symbols of a part of the genome. Up to four parts are in memory at a time.
const PART: usize = 16 << 20;

/// Symbols of a split record that a part repeats: more than a site has.
const REPEATED: usize = 1 << 14;

/// Runs the command.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<()> {
    let output = arguments.output.as_deref().map(open_output).transpose()?;
    if output.is_none() {
        drop(stdout()?);
    }
    gpus.check(arguments.engine.engine, Algorithm::<Occurrences>::AUTO)?;
    let Input { guides: given, genome } = input(arguments)?;
    let mut variants = arguments.variants.as_deref().map(GivenVariants::read).transpose()?;
    let engine = during(Part::Open, || gpus.open(arguments.engine.engine))?;
    let bar = FileBar::default();
    let on_progress = |symbols| bar.add(symbols);
    let recorder = Recorder::new();
    let _report = ReportAtEnd(&recorder);
    let guides = Guides::new(given.iter().map(|guide| &guide.symbols), arguments.pam())
        .mismatches(arguments.mismatches)
        .dna_bulges(arguments.dna_bulges)
        .rna_bulges(arguments.rna_bulges)
        .text_codes(arguments.text_codes)
        .alignments(arguments.alignments)
        .on_progress(&on_progress)
        .recorder(&recorder);
    let guides = match arguments.edits {
        Some(edits) => guides.edits(edits),
        None => guides,
    };
    let guides = match engine.as_deref() {
        Some(engine) => guides.on(engine),
        None => guides,
    };
    let most = guides.most_edits();
    let mut guides = Some(guides.prepare().map_err(|error| located(&given, error))?);
    let names: Vec<String> = given.iter().map(|guide| guide.name.clone()).collect();
    let mut counts = Counts::new(given.len(), most, arguments.scores);
    write_results(output, |out| {
        let mut writer = SiteWriter::new(arguments, &names, out);
        for file in genome {
            let Some(ready) = guides.take() else { break };
            let results = Results { writer: &mut writer, counts: &mut counts };
            guides = Some(search(arguments, ready, file, variants.as_mut(), &bar, results)?);
        }
        if arguments.count { counts.write(&names, writer.out).map_err(results_error) } else { Ok(()) }
    })?;
    if let Some(variants) = variants {
        variants.notes();
    }
    if let Some(report) = recorder.report() {
        log::info!("guides: {report}");
    }
    Ok(())
}

/// The writer of sites, and the counts of sites.
struct Results<'r, 'o> {
    writer: &'r mut SiteWriter<'o>,
    counts: &'r mut Counts,
}

/// Searches a file, and writes or counts its sites. Returns the guides for the next file.
fn search<'p>(
    arguments: &Arguments,
    mut guides: PreparedGuides<'p>,
    file: &OsString,
    variants: Option<&mut GivenVariants>,
    bar: &FileBar,
    Results { writer, counts }: Results<'_, '_>,
) -> Result<PreparedGuides<'p>> {
    let options = PartOptions::default().symbols(PART).repeated(REPEATED);
    let reader = during(Part::Read, || PartReader::open(file, options))?;
    let name = file_name(file);
    if reader.format() == Format::Lines && reader.first().is_some() {
        let reason = "neither FASTA nor FASTQ; a genome has records that begin with a line such as `>chr1`".into();
        return Err(Error::Input { path: Path::new(file).into(), fault: InputFault::NoFormat, reason });
    }
    if !arguments.count {
        writer.heading().map_err(results_error)?;
    }
    let symbols = reader.bytes();
    let excerpt = reader.excerpt();
    let before = excerpt.map_or(0, |excerpt| excerpt.start);
    bar.begin(symbols.map(|symbols| symbols.saturating_mul(2 * writer.names.len() as u64)), 1);
    guides.expect(symbols.unwrap_or(0));
    let reader = Measured(reader);
    let mut sites = match &variants {
        Some(variants) => guides.stream_with_variants(reader, variants.of(excerpt)),
        None => guides.stream(reader),
    };
    while let Some(site) = sites.next() {
        let mut site = site?;
        site.start += before;
        site.end += before;
        if arguments.count {
            counts.add(&site);
            continue;
        }
        writer.site(&name, &site).map_err(results_error)?;
        if sites.waits() {
            writer.out.flush().map_err(results_error)?;
        }
    }
    bar.end();
    if let Some(variants) = variants {
        variants.limited += sites.limited();
    }
    Ok(sites.into_guides())
}

/// Input of a call.
struct Input<'a> {
    guides: Vec<GivenPattern>,
    /// Names of the genome's files.
    genome: &'a [OsString],
}

fn input(arguments: &Arguments) -> Result<Input<'_>> {
    let mut guides: Vec<GivenPattern> =
        arguments.guides.iter().map(|guide| GivenPattern::typed(guide.as_bytes())).collect();
    let mut genome = &arguments.words[..];
    if guides.is_empty() {
        let Some((file, rest)) = arguments.words.split_first() else {
            return Err(UsageFault::Empty
                .error("GUIDES and GENOME are missing; give a file of guides and a FASTA file (see --help)"));
        };
        if is_stdin(file) && rest.iter().any(|file| is_stdin(file)) {
            return Err(UsageFault::Combination
                .error("standard input cannot be both GUIDES and GENOME; use a file for one of them"));
        }
        if read_patterns(Path::new(file), &mut guides)? != InFile::Some {
            return Err(no_pattern(Path::new(file)));
        }
        genome = rest;
    }
    if genome.is_empty() {
        return Err(UsageFault::Empty.error("GENOME is missing; give a FASTA file, or `-` for standard input"));
    }
    let is_variants_stdin = arguments.variants.as_ref().is_some_and(|file| is_stdin(file.as_os_str()));
    if is_variants_stdin && arguments.words.iter().any(|file| is_stdin(file)) {
        return Err(UsageFault::Combination
            .error("standard input cannot be both the variants and GUIDES or GENOME; use a file for one of them"));
    }
    if let Some(guide) = guides.iter().find(|guide| guide.limits.is_given()) {
        let error = UsageFault::Combination
            .error("limits in a header are for `search`; give --mismatches and the other limits as options");
        return Err(guide.located(error));
    }
    Ok(Input { guides, genome })
}
