//! The commands that a page says to run: inline code, and lines of indented or fenced blocks, that begin with `cargo` or `carrywave`.

use std::mem::take;

/// A command of a page.
#[derive(Debug, PartialEq)]
pub struct Command {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Its words, as a shell would have them, up to a pipe, a redirection or a comment.
    pub words: Vec<String>,
}

impl Command {
    /// What the program itself is told: a line that begins with its name, or that runs it by `cargo run`.
    pub fn of_program(&self) -> Option<Vec<&str>> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        match words[..] {
            ["carrywave", ..] => Some(words),
            ["cargo", "run", ref rest @ ..] if !rest.contains(&"--example") => {
                let separator = rest.iter().position(|&word| word == "--")?;
                Some([&["carrywave"], &rest[separator + 1..]].concat())
            }
            _ => None,
        }
    }
}

/// All commands of a page.
pub fn commands(page: &str) -> Vec<Command> {
    let mut found = Vec::new();
    // The paragraph so far, and its first line's number. Inline code may go on in the next line, and not in the next paragraph.
    let (mut paragraph, mut first) = (String::new(), 0);
    let (mut fenced, mut may_indent) = (false, true);
    // A line of a block that ends in a backslash, with its number: the next one goes on.
    let mut unfinished: Option<(usize, String)> = None;
    for (line, text) in (1..).zip(page.lines()) {
        let fence = text.trim_start().starts_with("```");
        let block = fenced || may_indent && text.starts_with("    ");
        if fence || block || text.trim().is_empty() || text.starts_with('|') {
            inline(&take(&mut paragraph), first, &mut found);
        }
        if fence {
            fenced = !fenced;
        } else if block {
            let (begun, before) = unfinished.take().unwrap_or((line, String::new()));
            match text.trim().strip_suffix('\\') {
                Some(part) => unfinished = Some((begun, before + part.trim_end() + " ")),
                None => found.extend(command(begun, &(before + text.trim()), true)),
            }
        } else {
            if paragraph.is_empty() {
                first = line;
            }
            paragraph += text;
            paragraph.push('\n');
        }
        may_indent = !fenced && (block || fence || text.trim().is_empty());
    }
    inline(&paragraph, first, &mut found);
    found.sort_by_key(|command| command.line);
    found
}

/// The commands in the inline code of a paragraph that begins on a line.
fn inline(paragraph: &str, first: usize, found: &mut Vec<Command>) {
    let mut at = 0;
    while let Some(start) = paragraph[at..].find('`').map(|start| at + start) {
        let ticks = paragraph[start..].len() - paragraph[start..].trim_start_matches('`').len();
        let code = start + ticks;
        let Some(len) = paragraph[code..].find(&paragraph[start..code]) else { return };
        let line = first + paragraph[..start].matches('\n').count();
        found.extend(command(line, &paragraph[code..code + len], false));
        at = code + len + ticks;
    }
}

/// A command on a line, if it is one. In a block, where what it does may stand beside it, two spaces end it.
fn command(line: usize, text: &str, block: bool) -> Option<Command> {
    let mut words = words(text.trim().trim_start_matches("$ "), block);
    // Variables for its environment.
    let variables = words.iter().take_while(|word| word.split_once('=').is_some_and(|(name, _)| is_variable(name)));
    words.drain(..variables.count());
    matches!(words.first().map(String::as_str), Some("cargo" | "carrywave")).then_some(Command { line, words })
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Splits a line as a shell does: at spaces that are not in quotes.
fn words(text: &str, block: bool) -> Vec<String> {
    let (mut all, mut word, mut quoted, mut quote) = (Vec::new(), String::new(), false, None);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.push(c),
            None if c == '\'' || c == '"' => (quote, quoted) = (Some(c), true),
            None if !c.is_whitespace() => word.push(c),
            None => {
                let ended = !quoted && matches!(&*word, "|" | "\\|" | ">" | "<" | "&&" | ";" | "#");
                if ended {
                    return all;
                }
                if quoted || !word.is_empty() {
                    all.push(take(&mut word));
                }
                quoted = false;
                if block && rest.peek().is_some_and(|next| next.is_whitespace()) {
                    return all;
                }
            }
        }
    }
    if quoted || !word.is_empty() {
        all.push(word);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(page: &str) -> Vec<(usize, String)> {
        commands(page).into_iter().map(|command| (command.line, command.words.join("·"))).collect()
    }

    #[test]
    fn commands_of_a_page() {
        let page = "\
# Title
Run `cargo bench --bench b --
--figures`, or `cargo doc`; `cargo` alone and ``carrywave `x` `` too. `cargofoo` is none.

    cargo xtask ci        # all of it
    $ A_1=b carrywave search 'a  b' \"c\" f.txt   where
    carrywave lcs a \\
      b
    nothing cargo

| a | `carrywave devices` |
| ` | `carrywave verify` ` |
```sh
carrywave best -k 1 p | head > x
```
    `carrywave machine k`

1. item

    carrywave last
";
        let expected = [
            (2, "cargo·bench·--bench·b·--·--figures"),
            (3, "cargo·doc"),
            (3, "cargo"),
            (3, "carrywave·`x`"),
            (5, "cargo·xtask·ci"),
            (6, "carrywave·search·a  b·c·f.txt"),
            (7, "carrywave·lcs·a·b"),
            (11, "carrywave·devices"),
            (14, "carrywave·best·-k·1·p"),
            (20, "carrywave·last"),
        ];
        let mut found = found(page);
        // An odd backtick pairs with the next one, and spoils its own row only.
        found.retain(|(line, _)| *line != 12);
        let found: Vec<(usize, &str)> = found.iter().map(|(line, words)| (*line, words.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_of_the_program() {
        let of_program = |line: &str| commands(&format!("`{line}`"))[0].of_program().map(|words| words.join(" "));
        assert_eq!(of_program("carrywave lcs a b"), Some("carrywave lcs a b".into()));
        assert_eq!(of_program("cargo run --release -- lcs a -- b"), Some("carrywave lcs a -- b".into()));
        assert_eq!(of_program("cargo run --example e -- lcs"), None);
        assert_eq!(of_program("cargo bench -- lcs"), None);
    }
}
