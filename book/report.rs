//! Compares what the tests print with the files that the text quotes.

use simt_std::simulator::Fault;
use std::fs;
use std::path::{Path, PathBuf};

/// The outputs of a chapter.
pub struct Chapter {
    /// Name of its folder, such as `04-shared-memory`.
    folder: &'static str,
}

/// A count that the text predicts. The numbers are equal, or `difference` says why they are not.
pub struct Count {
    /// The count, with its unit.
    pub what: &'static str,
    /// From the formula in the text.
    pub predicted: f64,
    /// From the simulator.
    pub measured: f64,
    /// The reason, if the numbers differ.
    pub difference: Option<&'static str>,
}

impl Count {
    /// Makes a count whose prediction holds.
    pub fn new(what: &'static str, predicted: impl Into<f64>, measured: u64) -> Self {
        Self { what, predicted: predicted.into(), measured: measured as f64, difference: None }
    }
}

impl Chapter {
    /// Returns the chapter of this folder.
    pub const fn new(folder: &'static str) -> Self {
        Self { folder }
    }

    /// Checks that `output/NAME` has this text.
    #[track_caller]
    pub fn quote(&self, name: &str, text: &str) {
        let path = self.path().join("output").join(name);
        let text = format!("{}\n", text.trim_end());
        if std::env::var_os("WRITE_BOOK").is_some() {
            fs::create_dir_all(self.path().join("output")).unwrap();
            fs::write(&path, text).unwrap();
            return;
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(written, text, "{} differs; WRITE_BOOK=1 writes it again", path.display());
    }

    /// Checks that `output/NAME` has the message of this fault and the lines that it names.
    #[track_caller]
    pub fn fault(&self, name: &str, fault: &Fault) {
        let message = fault.to_string().replace(&format!("book/chapters/{}/", self.folder), "");
        let mut text = wrapped(&message);
        for (file, line) in places(&message) {
            let source = fs::read_to_string(self.path().join(&file)).unwrap_or_default();
            let source = source.lines().nth(line - 1).unwrap_or_default().trim();
            text += &format!("\n\n{file}:{line}\n    {source}");
        }
        self.quote(name, &text);
    }

    /// Checks the predictions, and that `output/NAME` has the table of them.
    #[track_caller]
    pub fn counts(&self, name: &str, counts: &[Count]) {
        let mut text = "| count | predicted | measured |\n|---|--:|--:|\n".to_owned();
        let mut reasons = String::new();
        for Count { what, predicted, measured, difference } in counts {
            text += &format!("| {what} | {} | {} |\n", number(*predicted), number(*measured));
            match difference {
                None => assert!((predicted - measured).abs() < 0.005, "{what}: {measured}, predicted are {predicted}"),
                Some(reason) => {
                    assert!((predicted - measured).abs() >= 0.005, "{what}: the prediction holds");
                    reasons += &format!("\n{reason}\n");
                }
            }
        }
        self.quote(name, &(text + &reasons));
    }

    fn path(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters").join(self.folder)
    }
}

/// Writes a number with separators of thousands, and up to two digits behind the point.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let (whole, rest) = text.split_once('.').map_or((text, String::new()), |(whole, rest)| (whole, format!(".{rest}")));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + &rest
}

/// Breaks a text into lines of at most 100 columns.
pub fn wrapped(text: &str) -> String {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    lines.push(line);
    lines.join("\n")
}

/// Returns the files and lines that a message names, each once.
fn places(message: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for word in message.split_whitespace() {
        let Some((file, line)) = word.split_once(".rs:") else { continue };
        let digits: String = line.chars().take_while(char::is_ascii_digit).collect();
        let Ok(line) = digits.parse() else { continue };
        let place = (format!("{}.rs", file.trim_start_matches('(')), line);
        if !found.contains(&place) {
            found.push(place);
        }
    }
    found
}

#[test]
fn numbers_have_separators() {
    let numbers = [0.0, 12.5, 999.0, 1000.0, 1234567.0, 2.345678].map(number);
    assert_eq!(numbers, ["0", "12.5", "999", "1,000", "1,234,567", "2.35"]);
}

#[test]
fn places_are_found_once() {
    let message = "kernel a, kernels.rs:12: race (at kernels.rs:3) and kernels.rs:12.";
    assert_eq!(places(message), [("kernels.rs".to_owned(), 12), ("kernels.rs".to_owned(), 3)]);
}
