//! The prose of a file: comments of Rust and Python, and the text of pages.

/// Language of a file, by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Rust,
    Python,
    Markdown,
}

impl Language {
    /// Returns the language of a file, or `None` if it holds no prose that is checked.
    pub fn of_path(path: &str) -> Option<Self> {
        match path.rsplit_once('.')?.1 {
            "rs" => Some(Self::Rust),
            "py" => Some(Self::Python),
            "md" => Some(Self::Markdown),
            _ => None,
        }
    }
}

/// A line of prose without its comment mark.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'t> {
    /// Number of the line in its file, from 1.
    pub number: usize,
    pub text: &'t str,
    /// True if the line is part of a table. Its cells need not be sentences.
    pub is_table: bool,
}

impl<'t> Line<'t> {
    /// Returns the sentences of the line; in a table, those of its cells.
    pub fn sentences(&self) -> Vec<&'t str> {
        let parts = if self.is_table { self.text.split(" | ").collect() } else { vec![self.text] };
        parts.into_iter().flat_map(split_sentences).collect()
    }
}

/// Splits a text behind each `.`, `!`, `?`, `:` or `;` that a space follows.
fn split_sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (end, _) in text.match_indices(' ') {
        if end > start && text[start..end].ends_with(['.', '!', '?', ':', ';']) {
            sentences.push(text[start..end].trim());
            start = end + 1;
        }
    }
    sentences.push(text[start..].trim());
    sentences
}

/// Returns the prose of a file. Code blocks between fences are not prose, nor are indented ones of
/// pages.
pub fn lines(language: Language, text: &str) -> Vec<Line<'_>> {
    let mut is_fenced = false;
    let mut is_docstring = false;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let comment = match language {
            Language::Rust => rust_comment(line),
            Language::Python => python_comment(line, &mut is_docstring),
            Language::Markdown => Some(line),
        };
        let Some(text) = comment else {
            is_fenced = false;
            continue;
        };
        if text.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
            continue;
        }
        if is_fenced || language == Language::Markdown && line.starts_with("    ") {
            continue;
        }
        let text = text.trim();
        let is_table = text.starts_with('|');
        let text =
            text.trim_start_matches(|mark: char| "#>-*|.".contains(mark) || mark.is_ascii_digit() || mark == ' ');
        if !text.is_empty() {
            found.push(Line { number: index + 1, text, is_table });
        }
    }
    found
}

/// Returns the text of a line that is a comment.
fn rust_comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.strip_prefix(['/', '!']).unwrap_or(text))
}

/// Returns the text of a line that is a comment or part of a docstring.
fn python_comment<'t>(line: &'t str, is_docstring: &mut bool) -> Option<&'t str> {
    let text = line.trim();
    let quotes = text.matches("\"\"\"").count();
    let is_inside = *is_docstring || text.starts_with("\"\"\"");
    *is_docstring ^= quotes % 2 == 1;
    if is_inside {
        return Some(text.trim_matches('"')).filter(|text| !text.starts_with(">>>"));
    }
    text.strip_prefix('#').filter(|text| !text.starts_with('!'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(language: Language, text: &str) -> Vec<(usize, &str)> {
        lines(language, text).iter().map(|line| (line.number, line.text)).collect()
    }

    #[test]
    fn comments_of_rust_without_their_listings() {
        let text = "//! Head\nlet a = 1; // not this\n/// ```\n/// code();\n/// ```\n    // A note\n";
        assert_eq!(texts(Language::Rust, text), [(1, "Head"), (6, "A note")]);
    }

    #[test]
    fn comments_and_docstrings_of_python() {
        let text =
            "#!/bin/python\nx = 1\n# A note\ndef f():\n    \"\"\"Returns x.\n\n    More.\n    \"\"\"\n    return x\n";
        assert_eq!(texts(Language::Python, text), [(3, "A note"), (5, "Returns x."), (7, "More.")]);
    }

    #[test]
    fn pages_without_listings_and_by_cells() {
        let text = "# Title\n\n    $ listing\n\n- An item. Another.\n| a cell | of a table |\n";
        assert_eq!(
            texts(Language::Markdown, text),
            [(1, "Title"), (5, "An item. Another."), (6, "a cell | of a table |")]
        );
        let lines = lines(Language::Markdown, text);
        assert_eq!(lines[1].sentences(), ["An item.", "Another."]);
        assert_eq!(lines[2].sentences(), ["a cell", "of a table |"]);
    }
}
