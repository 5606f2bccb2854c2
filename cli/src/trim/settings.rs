//! The settings of the library, from the options.

use super::adapters::adapters;
use super::arguments::{Arguments, Lengths};
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::trim::{Filters, Headers, Settings, Steps, Template};
use std::path::PathBuf;

/// Returns the settings.
pub fn settings(arguments: &Arguments) -> Result<Settings> {
    check(arguments)?;
    let mut settings = Settings::default();
    let quality = |cutoffs: Option<[i64; 2]>| cutoffs.filter(|cutoffs| *cutoffs != [0, 0]);
    let first_quality = arguments.quality_cutoff.map(|cutoffs| cutoffs.0);
    let second_quality = arguments.second_quality_cutoff.map(|cutoffs| cutoffs.0);
    cut(&mut settings.first, &arguments.cut)?;
    cut(&mut settings.second, &arguments.second_cut)?;
    settings.first.adapters = adapters(arguments, 0)?;
    settings.second.adapters = adapters(arguments, 1)?;
    settings.first.quality = quality(first_quality);
    settings.second.quality = quality(second_quality.or(first_quality));
    for steps in [&mut settings.first, &mut settings.second] {
        steps.two_color_quality = arguments.nextseq_trim;
    }
    settings.first.length = arguments.length;
    settings.second.length = arguments.second_length.or(arguments.length);
    settings.times = arguments.times;
    settings.action = arguments.action;
    settings.either_strand = arguments.reverse_complement;
    settings.pair_adapters = arguments.pair_adapters;
    settings.poly_a = arguments.poly_a;
    settings.trim_n = arguments.trim_n;
    settings.quality_base = arguments.quality_base;
    settings.zero_cap = arguments.zero_cap;
    headers(arguments, &mut settings.headers)?;
    filters(arguments, &mut settings.filters);
    Ok(settings)
}

/// Sets the symbols to remove from the ends.
fn cut(steps: &mut Steps, numbers: &[i64]) -> Result<()> {
    for number in numbers {
        let count = usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX);
        let place = if *number < 0 { &mut steps.cut_end } else { &mut steps.cut_start };
        if count > 0 && std::mem::replace(place, count) > 0 {
            return Err(UsageFault::Combination.error("-u and -U: give one number for each end of the reads"));
        }
    }
    Ok(())
}

/// Sets the changes of headers.
fn headers(arguments: &Arguments, headers: &mut Headers) -> Result<()> {
    if let Some(text) = &arguments.rename {
        let template: Template = text.parse()?;
        template.check(arguments.is_paired())?;
        headers.template = Some(template);
    }
    headers.length_tag.clone_from(&arguments.length_tag);
    headers.stripped.clone_from(&arguments.strip_suffix);
    headers.prefix.clone_from(&arguments.prefix);
    headers.suffix.clone_from(&arguments.suffix);
    Ok(())
}

fn filters(arguments: &Arguments, filters: &mut Filters) {
    let sides = |lengths: Option<Lengths>| lengths.map_or([None, None], |lengths| [lengths.first, lengths.second]);
    filters.shortest = sides(arguments.minimum_length);
    filters.longest = sides(arguments.maximum_length);
    filters.most_n = arguments.max_n;
    filters.most_expected_errors = arguments.max_ee;
    filters.highest_error_rate = arguments.max_aer;
    filters.failed_by_sequencer = arguments.discard_casava;
    filters.trimmed = arguments.discard_trimmed;
    filters.untrimmed = arguments.discard_untrimmed || arguments.sends_untrimmed();
    filters.pairs = arguments.pair_filter;
}

impl Arguments {
    /// Returns true if each adapter has its output files.
    pub fn is_by_name(&self) -> bool {
        has(&self.output, "{name}")
    }

    /// Returns true if each two adapters of a pair have their output files.
    pub fn is_by_names(&self) -> bool {
        has(&self.output, "{name1}")
    }

    /// Returns true if reads without an adapter are filtered into a file of their own.
    fn sends_untrimmed(&self) -> bool {
        self.untrimmed_output.is_some() && !self.is_by_name()
    }
}

fn has(path: &Option<PathBuf>, word: &str) -> bool {
    path.as_ref().is_some_and(|path| path.to_string_lossy().contains(word))
}

/// Checks that the options fit together.
fn check(arguments: &Arguments) -> Result<()> {
    let combination = |reason: &str| Err(UsageFault::Combination.error(reason));
    let untrimmed = [arguments.discard_trimmed, arguments.discard_untrimmed, arguments.untrimmed_output.is_some()];
    if untrimmed.iter().filter(|given| **given).count() > 1 {
        return combination("give one of --discard-trimmed, --discard-untrimmed and --untrimmed-output");
    }
    if (arguments.is_by_name() || arguments.is_by_names()) && arguments.discard_trimmed {
        return combination("{name} in -o needs reads with adapters; leave out --discard-trimmed");
    }
    if arguments.is_by_name() && arguments.is_by_names() {
        return combination("-o has {name}, or {name1} and {name2}, not both");
    }
    if arguments.is_by_names() && (arguments.untrimmed_output.is_some() || arguments.pair_adapters) {
        return combination("{name1} and {name2} exclude --untrimmed-output and --pair-adapters");
    }
    let lengths = [arguments.minimum_length, arguments.maximum_length];
    if arguments.is_paired() {
        return check_pairs(arguments);
    }
    let has_second = !arguments.second_three_prime.is_empty()
        || !arguments.second_five_prime.is_empty()
        || !arguments.second_either.is_empty()
        || !arguments.second_cut.is_empty()
        || arguments.second_quality_cutoff.is_some()
        || arguments.second_length.is_some()
        || arguments.paired_output.is_some()
        || arguments.untrimmed_paired_output.is_some()
        || arguments.too_short_paired_output.is_some()
        || arguments.too_long_paired_output.is_some()
        || arguments.pair_adapters
        || arguments.is_by_names()
        || lengths.iter().flatten().any(|lengths| !lengths.is_of_both);
    if has_second {
        return combination("options for second reads need pairs: give two files of reads, or --interleaved");
    }
    Ok(())
}

/// Checks the options for pairs.
fn check_pairs(arguments: &Arguments) -> Result<()> {
    let combination = |reason: String| Err(UsageFault::Combination.error(reason));
    if !arguments.interleaved && (arguments.output.is_none() || arguments.paired_output.is_none()) {
        return combination("pairs need two outputs, -o and -p, or --interleaved for one".into());
    }
    let pairs = [
        ("--untrimmed", &arguments.untrimmed_output, &arguments.untrimmed_paired_output),
        ("--too-short", &arguments.too_short_output, &arguments.too_short_paired_output),
        ("--too-long", &arguments.too_long_output, &arguments.too_long_paired_output),
    ];
    for (option, first, second) in pairs {
        if second.is_some() && first.is_none() || first.is_some() && second.is_none() && !arguments.interleaved {
            return combination(format!("give both {option}-output and {option}-paired-output"));
        }
    }
    let outputs = [&arguments.output, &arguments.paired_output];
    for word in ["{name}", "{name1}", "{name2}"] {
        if arguments.paired_output.is_some() && has(outputs[0], word) != has(outputs[1], word) {
            return combination(format!("{word} is in both -o and -p, or in neither"));
        }
    }
    if has(outputs[0], "{name1}") != has(outputs[0], "{name2}") {
        return combination("-o has both {name1} and {name2}, or neither".into());
    }
    Ok(())
}
