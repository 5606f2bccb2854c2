//! `cargo xtask results`: writes a table for every raw result in docs/results, and the plots of the
//! search's and the LCS's figures.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::figures::Figure;
use crate::lcs_figures::{self, Figures};
use crate::outcome::{Outcome, Stop};
use crate::shell;

/// Writes `NAME.md` for every `NAME.json`, and `docs/images/search-figure-N.svg` for every part
/// that is a figure; a later name replaces the plot of an earlier one. Also plots the LCS's figures
/// from all results; later results of the same pair replace earlier ones.
pub fn run() -> Outcome {
    let folder = shell::project().join("docs/results");
    let fail = |path: &Path, error: String| Stop::Failed(format!("{}: {error}", path.display()));
    let images = shell::project().join("docs/images");
    let (mut made, mut drawn, mut of_lcs) = (0, BTreeSet::new(), Figures::default());
    let entries = fs::read_dir(&folder).map_err(|e| fail(&folder, e.to_string()))?;
    let paths: Result<BTreeSet<_>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    for path in paths.map_err(|e| fail(&folder, e.to_string()))? {
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| fail(&path, e.to_string()))?;
        let result: Value = serde_json::from_str(&text).map_err(|e| fail(&path, e.to_string()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let table = path.with_extension("md");
        fs::write(&table, page(&name, &result)).map_err(|e| fail(&table, e.to_string()))?;
        made += 1;
        of_lcs.add(&rows(&result));
        for figure in parts(&rows(&result)).into_iter().filter_map(Figure::new) {
            let image = images.join(figure.file_name());
            let svg = figure.plot().map_err(|e| fail(&image, e))?;
            fs::write(&image, svg).map_err(|e| fail(&image, e.to_string()))?;
            drawn.insert(image);
        }
    }
    let image = images.join(lcs_figures::FILE);
    if let Some(svg) = of_lcs.plot().map_err(|e| fail(&image, e))? {
        fs::write(&image, svg).map_err(|e| fail(&image, e.to_string()))?;
        drawn.insert(image);
    }
    Ok(format!("{made} tables in {}, {} plots in {}", folder.display(), drawn.len(), images.display()))
}

fn rows(result: &Value) -> Vec<&Value> {
    result["rows"].as_array().into_iter().flatten().collect()
}

/// Splits rows into runs of the same part.
fn parts<'s, 'r>(rows: &'s [&'r Value]) -> Vec<&'s [&'r Value]> {
    rows.chunk_by(|one, next| one["part"] == next["part"]).collect()
}

/// Returns the page of one result.
fn page(name: &str, result: &Value) -> String {
    let mut page =
        format!("# {}\n\nMade from [{name}]({name}) by `cargo xtask results`.\n\n", name.trim_end_matches(".json"));
    for (key, value) in result.as_object().into_iter().flatten().filter(|(key, _)| *key != "rows") {
        if medians(value).is_none() {
            let _ = writeln!(page, "- {key}: {}", plain(value));
        }
    }
    for (key, medians) in
        result.as_object().into_iter().flatten().filter_map(|(key, value)| Some((key, medians(value)?)))
    {
        let _ = write!(page, "\n| {key} | median | least | most |\n|---|---|---|---|\n");
        for (name, value) in medians {
            let [median, least, most] = ["median", "least", "most"].map(|key| plain(&value[key]));
            let _ = writeln!(page, "| {name} | {median} | {least} | {most} |");
        }
    }
    for rows in parts(&rows(result)) {
        // Older results have no parts: they get one table, without a heading.
        match rows[0]["part"].as_str() {
            Some(part) => {
                let _ = write!(page, "\n## {part}\n");
                match Figure::new(rows) {
                    Some(figure) => figure.table(&mut page),
                    None => table(&mut page, rows, &keys_of_more(rows)),
                }
            }
            None => table(&mut page, rows, &[]),
        }
    }
    page
}

/// Returns repeated measurements by name, or `None` if the value is something else.
fn medians(value: &Value) -> Option<&serde_json::Map<String, Value>> {
    value.as_object().filter(|map| !map.is_empty() && map.values().all(|value| value["median"].is_number()))
}

/// Returns the keys that occur in `more` of these rows.
fn keys_of_more<'r>(rows: &[&'r Value]) -> Vec<&'r str> {
    let keys = rows.iter().flat_map(|row| row["more"].as_object().into_iter().flatten());
    // m and n have their own columns.
    let keys: BTreeSet<&str> = keys.map(|(key, _)| key.as_str()).filter(|key| !["m", "n"].contains(key)).collect();
    keys.into_iter().collect()
}

/// Writes one line per row. Each of the keys of `more` has a column; without keys, all of `more` is
/// in one column.
fn table(page: &mut String, rows: &[&Value], keys: &[&str]) {
    let headings: Vec<String> = keys.iter().map(|key| key.replace("tcups", "TCUPS").replace('_', " ")).collect();
    let (headings, rule) = match keys {
        [] => ("more".to_owned(), "---".to_owned()),
        _ => (headings.join(" | "), vec!["--:"; keys.len()].join("|")),
    };
    let _ = writeln!(page, "\n| what | engine | m | n | median s | least to greatest s | TCUPS | {headings} |");
    let _ = writeln!(page, "|---|---|--:|--:|--:|--:|--:|{rule}|");
    for row in rows {
        let number = |key: &str, digits: usize| {
            // Short times are given to the microsecond.
            let digits = |v: f64| if key.ends_with("_s") && v < 0.1 { digits + 2 } else { digits };
            row[key].as_f64().map_or(String::new(), |v| format!("{v:.*}", digits(v)))
        };
        let spread = match (number("least_s", 4), number("greatest_s", 4)) {
            (least, greatest) if least.is_empty() || greatest.is_empty() => String::new(),
            (least, greatest) => format!("{least} to {greatest}"),
        };
        let more = match row.get("instructions_per_s") {
            _ if !keys.is_empty() => keys.iter().map(|key| plain(&row["more"][key])).collect::<Vec<_>>().join(" | "),
            Some(rate) => format!("{:.4e} thread instructions/s", rate.as_f64().unwrap_or_default()),
            None => plain(&row["more"]),
        };
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {spread} | {} | {more} |",
            plain(&row["name"]),
            plain(&row["engine"]),
            plain(&row["m"]),
            plain(&row["n"]),
            number("median_s", 4),
            number("tcups", 3),
        );
    }
}

/// Formats a value as text: objects as `key value, key value`, long fractions cut.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => format!("{:.4}", number.as_f64().unwrap_or_default()),
        Value::Object(map) => map.iter().map(|(k, v)| format!("{k} {}", plain(v))).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn a_row_becomes_a_line() {
        let result = serde_json::json!({
            "command": "x", "rows": [{ "name": "k", "engine": "gpu", "m": 3, "n": 4, "median_s": 0.5, "least_s": 0.4,
            "greatest_s": 0.75, "tcups": 1.25, "more": { "share": 0.5 } }]
        });
        let page = page("r.json", &result);
        assert!(page.contains("- command: x\n"), "{page}");
        assert!(page.ends_with("| k | gpu | 3 | 4 | 0.5000 | 0.4000 to 0.7500 | 1.250 | share 0.5000 |\n"), "{page}");
    }

    #[test]
    fn parts_have_tables_of_their_own_with_a_column_for_each_key() {
        let row = |part: &str, more: serde_json::Value| serde_json::json!({ "part": part, "name": "k", "more": more });
        let result = serde_json::json!({ "rows": [
            row("p", serde_json::json!({ "share_of": 0.5 })), row("p", serde_json::json!({ "kernels_tcups": 2 })),
            row("q", serde_json::Value::Null),
        ] });
        let page = page("r.json", &result);
        assert!(page.contains("## p\n\n| what | engine | m | n | median s | least to greatest s | TCUPS | kernels TCUPS | share of |\n"), "{page}");
        assert!(page.contains("| k |  |  |  |  |  |  |  | 0.5000 |\n| k |  |  |  |  |  |  | 2 |  |\n"), "{page}");
        assert!(
            page.contains("## q\n\n| what | engine | m | n | median s | least to greatest s | TCUPS | more |\n"),
            "{page}"
        );
    }
}
