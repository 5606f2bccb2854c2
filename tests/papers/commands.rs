//! Commands on a page: inline code, and lines of indented or fenced blocks, that begin with `cargo`
//! or `carrywave`.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A command on a page.
#[derive(Debug, PartialEq)]
pub struct Command {
    /// Number of its first line, 1-based.
    pub line: usize,
    /// Words as a shell would split them, up to a pipe, a redirection or a comment.
    pub words: Vec<String>,
}

impl Command {
    /// Returns the arguments of the program itself, for a command that begins with its name or runs
    /// it by `cargo run`.
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

/// Returns all commands of a page, in order.
pub fn commands(page: &str) -> Vec<Command> {
    let line_of = |at: usize| 1 + page[..at].matches('\n').count();
    let mut found = Vec::new();
    // Text of the current block of code, and its first line.
    let mut block: Option<(usize, String)> = None;
    for (event, range) in Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => block = Some((0, String::new())),
            Event::Text(text) => {
                if let Some((first, lines)) = &mut block {
                    if lines.is_empty() {
                        *first = line_of(range.start);
                    }
                    lines.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                let (first, lines) = block.take().unwrap_or_default();
                found.extend(of_block(first, &lines));
            }
            Event::Code(code) => found.extend(command(line_of(range.start), &code)),
            _ => {}
        }
    }
    found
}

/// Returns the commands on a block's lines. A line that ends in a backslash continues on the next
/// line. A description of the command may follow it after two spaces.
fn of_block(first: usize, lines: &str) -> Vec<Command> {
    let (mut found, mut line) = (Vec::new(), first);
    for part in lines.replace("\\\n", "\u{1}").lines() {
        let text = part.replace('\u{1}', " ");
        let said = text.trim().split("  ").next().unwrap_or_default();
        found.extend(command(line, if part.contains('\u{1}') { &text } else { said }));
        line += 1 + part.matches('\u{1}').count();
    }
    found
}

/// Returns the command on a line, if there is one.
fn command(line: usize, text: &str) -> Option<Command> {
    let words = shlex::split(text.trim().trim_start_matches("$ "))?;
    let is_variable = |word: &String| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    let ends = |word: &String| matches!(word.as_str(), "|" | ">" | "<" | "&&" | ";");
    let words: Vec<String> = words.into_iter().skip_while(is_variable).take_while(|word| !ends(word)).collect();
    matches!(words.first().map(String::as_str), Some("cargo" | "carrywave")).then_some(Command { line, words })
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
    $ A_1=b carrywave search 'a b' \"c\" f.txt   where
    carrywave lcs a \\
      b
    nothing cargo

| a | b |
|---|---|
| c | `carrywave devices` and `carrywave lcs a \\| b` |

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
            (6, "carrywave·search·a b·c·f.txt"),
            (7, "carrywave·lcs·a·b"),
            (13, "carrywave·devices"),
            (13, "carrywave·lcs·a"),
            (16, "carrywave·best·-k·1·p"),
            (22, "carrywave·last"),
        ];
        let found = found(page);
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
