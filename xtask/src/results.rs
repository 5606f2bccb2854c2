//! `cargo xtask results`: a table beside every raw result in docs/results.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::outcome::{Outcome, Stop};
use crate::shell;

/// Writes `NAME.md` for every `NAME.json`.
pub fn run() -> Outcome {
    let folder = shell::project().join("docs/results");
    let fail = |path: &Path, error: String| Stop::Failed(format!("{}: {error}", path.display()));
    let mut made = 0;
    for entry in fs::read_dir(&folder).map_err(|e| fail(&folder, e.to_string()))? {
        let path = entry.map_err(|e| fail(&folder, e.to_string()))?.path();
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| fail(&path, e.to_string()))?;
        let result: Value = serde_json::from_str(&text).map_err(|e| fail(&path, e.to_string()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let table = path.with_extension("md");
        fs::write(&table, page(&name, &result)).map_err(|e| fail(&table, e.to_string()))?;
        made += 1;
    }
    Ok(format!("{made} tables in {}", folder.display()))
}

/// The page of one result.
fn page(name: &str, result: &Value) -> String {
    let mut page =
        format!("# {}\n\nMade from [{name}]({name}) by `cargo xtask results`.\n\n", name.trim_end_matches(".json"));
    for (key, value) in result.as_object().into_iter().flatten().filter(|(key, _)| *key != "rows") {
        let _ = writeln!(page, "- {key}: {}", plain(value));
    }
    page += "\n| what | engine | m | n | median s | least to greatest s | TCUPS | more |\n|---|---|--:|--:|--:|--:|--:|---|\n";
    for row in result["rows"].as_array().into_iter().flatten() {
        let number = |key: &str, digits: usize| row[key].as_f64().map_or(String::new(), |v| format!("{v:.digits$}"));
        let spread = match (number("least_s", 4), number("greatest_s", 4)) {
            (least, greatest) if least.is_empty() || greatest.is_empty() => String::new(),
            (least, greatest) => format!("{least} to {greatest}"),
        };
        let more = match row.get("instructions_per_s") {
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
    page
}

/// A value as text: objects as `key value, key value`, long fractions cut.
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
}
