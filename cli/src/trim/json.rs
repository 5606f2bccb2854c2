//! The report as JSON, with the keys of cutadapt's report (schema 0.3).

use super::adapters::Names;
use super::arguments::Arguments;
use super::report::expected;
use carrywave::trim::{Adapter, AdapterCounts, Counts, EndCounts, Filter, SideCounts, SingleAdapter, Trimmer};
use serde_json::{Value, json};

/// Returns the report.
pub fn report(arguments: &Arguments, trimmer: &Trimmer, counts: &Counts) -> String {
    let (names, settings) = (trimmer.names(), trimmer.settings());
    let is_paired = arguments.is_paired();
    let pair = |value: u64| if is_paired { json!(value) } else { Value::Null };
    let both = |of: fn(&SideCounts) -> u64| {
        let first = of(&counts.first);
        let second = of(&counts.second);
        [json!(first + second), json!(first), pair(second)]
    };
    let [input, input_first, input_second] = both(|side| side.symbols);
    let [quality, quality_first, quality_second] = both(|side| side.low_quality);
    let [poly_a, poly_a_first, poly_a_second] = both(|side| side.poly_a);
    let [output, output_first, output_second] = both(|side| side.written_symbols);
    let path = |number: usize| arguments.inputs.get(number).map(|path| path.to_string_lossy());
    let filtered: serde_json::Map<String, Value> =
        Filter::NAMES.iter().map(|(name, filter)| ((*name).to_owned(), json!(counts.failed(*filter)))).collect();
    let report = json!({
        "tag": "carrywave trim report",
        "schema_version": [0, 3],
        "carrywave_version": env!("CARGO_PKG_VERSION"),
        "cores": rayon::current_num_threads(),
        "input": { "path1": path(0), "path2": path(1), "paired": is_paired },
        "read_counts": {
            "input": counts.reads,
            "filtered": filtered,
            "output": counts.written,
            "reverse_complemented": arguments.reverse_complement.then_some(counts.reversed),
            "read1_with_adapter": counts.first.with_adapter,
            "read2_with_adapter": pair(counts.second.with_adapter),
        },
        "basepair_counts": {
            "input": input, "input_read1": input_first, "input_read2": input_second,
            "quality_trimmed": quality, "quality_trimmed_read1": quality_first, "quality_trimmed_read2": quality_second,
            "poly_a_trimmed": poly_a, "poly_a_trimmed_read1": poly_a_first, "poly_a_trimmed_read2": poly_a_second,
            "output": output, "output_read1": output_first, "output_read2": output_second,
        },
        "adapters_read1": adapters(&settings.first.adapters, &names[0], &counts.first, arguments, counts.reads),
        "adapters_read2":
            is_paired.then(|| adapters(&settings.second.adapters, &names[1], &counts.second, arguments, counts.reads)),
    });
    format!("{report:#}\n")
}

fn adapters(list: &[Adapter], names: &Names, counts: &SideCounts, arguments: &Arguments, reads: u64) -> Vec<Value> {
    let rows = list.iter().zip(names).zip(&counts.adapters);
    rows.map(|((adapter, name), found): ((&Adapter, &String), &AdapterCounts)| {
        json!({
            "name": name,
            "total_matches": found.front.matches() + found.back.matches(),
            "on_reverse_complement": arguments.reverse_complement.then_some(found.reversed),
            "linked": adapter.is_linked(),
            "five_prime_end": adapter.front().map(|single| end(single, &found.front, reads)),
            "three_prime_end": adapter.back().map(|single| with_adjacent(end(single, &found.back, reads), &found.back)),
        })
    })
    .collect()
}

fn end(single: &SingleAdapter, found: &EndCounts, reads: u64) -> Value {
    let lengths: Vec<Value> = found
        .removed
        .iter()
        .map(|(length, by_errors)| {
            let expect = (expected(*length, single, reads) * 10.0).round() / 10.0;
            json!({ "len": length, "expect": expect, "counts": by_errors })
        })
        .collect();
    json!({
        "type": single.kind(),
        "sequence": single.symbols(),
        "error_rate": single.error_rate(),
        "indels": single.allows_indels(),
        "error_lengths": single.error_lengths(),
        "matches": found.matches(),
        "adjacent_bases": Value::Null,
        "dominant_adjacent_base": Value::Null,
        "trimmed_lengths": lengths,
    })
}

/// Adds the bases before a 3' adapter.
fn with_adjacent(mut end: Value, found: &EndCounts) -> Value {
    let names = ["A", "C", "G", "T", ""];
    end["adjacent_bases"] =
        names.iter().zip(found.adjacent).map(|(name, number)| ((*name).to_owned(), json!(number))).collect();
    let all: u64 = found.adjacent.iter().sum();
    // Above this share, the adapter may be incomplete.
    let dominant = names.iter().zip(found.adjacent).find(|(_, number)| all >= 20 && *number * 5 > all * 4);
    end["dominant_adjacent_base"] = dominant.map_or(Value::Null, |(name, _)| json!(name));
    end
}
