//! Links on a page: checks that their files and headings exist, and that a link to a line names the
//! item on it.

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use std::collections::HashSet;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// Keywords before the name in a definition; before a field, `pub`.
const KEYWORDS: [&str; 11] =
    ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "macro_rules!", "pub"];

/// A link on a page.
#[derive(Debug)]
struct Link {
    /// Number of its line, 1-based.
    line: usize,
    /// Text of the link, if it is code: the code alone.
    code: Option<String>,
    /// Target of the link, and the target's position in the page.
    target: String,
    at: Range<usize>,
}

/// Returns all links and images of a page, and the targets of references.
fn links(page: &str) -> Vec<Link> {
    let parser = Parser::new_ext(page, Options::ENABLE_TABLES);
    let line_of = |at: usize| 1 + page[..at].matches('\n').count();
    let link = |target: &str, range: Range<usize>| {
        let start = range.start + page[range.clone()].rfind(target).unwrap_or(0);
        Link { line: line_of(range.start), code: None, target: target.to_owned(), at: start..start + target.len() }
    };
    let references = parser.reference_definitions().iter();
    let mut found: Vec<Link> = references.map(|(_, one)| link(&one.dest, one.span.clone())).collect();
    let mut open = None;
    for (event, range) in parser.into_offset_iter() {
        match event {
            // A link by reference has its target elsewhere.
            Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url, .. } | Tag::Image { dest_url, .. }) => {
                open = Some(found.len());
                found.push(link(&dest_url, range));
            }
            Event::End(TagEnd::Link | TagEnd::Image) => open = None,
            Event::Code(code) => {
                if let Some(number) = open {
                    found[number].code = Some(code.into_string());
                }
            }
            _ => {}
        }
    }
    found.sort_by_key(|link| link.at.start);
    found
}

/// Returns a link's file and the part after `#`: `None` for a target outside the project, and the
/// page itself for a link without a file.
fn destination(page: &Path, target: &str) -> Option<(PathBuf, String)> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, part) = target.split_once('#').unwrap_or((target, ""));
    if path.is_empty() {
        return Some((page.to_owned(), part.to_owned()));
    }
    let mut file = page.parent().unwrap_or(Path::new("")).to_owned();
    for component in Path::new(path).components() {
        match component {
            Component::ParentDir => drop(file.pop()),
            other => file.push(other),
        }
    }
    Some((file, part.to_owned()))
}

/// Returns the line number in the part of a link after `#`.
fn line_number(part: &str) -> Option<usize> {
    part.strip_prefix('L')?.parse().ok()
}

/// Returns the item that a link to a line names: the last name of `module::name`, without the
/// brackets of a call or the mark of a macro.
fn item(link: &Link) -> Option<&str> {
    let code = link.code.as_deref()?;
    let name = code.rsplit("::").next().unwrap_or(code).trim_end_matches("()").trim_end_matches('!');
    (!name.is_empty()).then_some(name)
}

/// Returns the positions of a name in a line as a whole word.
fn words<'l>(line: &'l str, name: &'l str) -> impl Iterator<Item = usize> + 'l {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name)
        .map(|(at, _)| at)
        .filter(move |&at| !line[..at].ends_with(part_of_name) && !line[at + name.len()..].starts_with(part_of_name))
}

/// Returns true if a line of Rust defines a name.
fn defines(line: &str, name: &str) -> bool {
    let is_keyword = |word: &str| KEYWORDS.contains(&word);
    words(line, name)
        .any(|at| line[..at].ends_with(' ') && line[..at].split_whitespace().last().is_some_and(is_keyword))
}

/// Returns the lines of a file that a link to a name may mean, without comments: the lines that
/// define the name; if there are none, those of its `impl`, or in a page those of a table; else all
/// lines with the name.
fn places(file: &str, is_page: bool, name: &str) -> Vec<usize> {
    let has = |line: &str| words(line, name).next().is_some() && (is_page || !line.trim_start().starts_with("//"));
    let second = |line: &str| line.trim_start().starts_with(if is_page { "|" } else { "impl" });
    let lines = |wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (1..).zip(file.lines()).filter(|(_, line)| has(line) && wanted(line)).map(|(number, _)| number).collect()
    };
    let ways: [&dyn Fn(&str) -> bool; 3] = [&|line| !is_page && defines(line, name), &second, &|_| true];
    ways.into_iter().map(lines).find(|lines| !lines.is_empty()).unwrap_or_default()
}

fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "md")
}

/// Returns true if a page has a heading with this GitHub anchor.
fn has_heading(page: &str, anchor: &str) -> bool {
    let headings = page.lines().filter_map(|line| Some(line.strip_prefix('#')?.trim_start_matches('#').trim()));
    let kept = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let slug =
        |heading: &str| heading.to_lowercase().chars().filter(|&c| kept(c)).collect::<String>().replace(' ', "-");
    headings.map(slug).any(|slug| slug == anchor)
}

/// Returns the faults of the links of a page, each with its line; the page's path is relative to
/// the project.
pub fn faults(project: &Path, path: &Path, page: &str) -> Vec<(usize, String)> {
    let targets = links(page);
    let wrong = targets.iter().filter_map(|link| Some((link.line, fault(project, (path, page), link)?)));
    wrong.chain(defined_twice(page)).collect()
}

/// Returns the labels of references that an earlier line defines, which the page ignores.
fn defined_twice(page: &str) -> Vec<(usize, String)> {
    let mut labels = HashSet::new();
    let mut faults = Vec::new();
    for (number, line) in page.lines().enumerate() {
        let label = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(label, _)| label);
        if let Some(label) = label.filter(|label| !labels.insert(label.to_lowercase())) {
            faults.push((number + 1, format!("[{label}] has a target before")));
        }
    }
    faults
}

fn fault(project: &Path, (path, page): (&Path, &str), link: &Link) -> Option<String> {
    let (file, part) = destination(path, &link.target)?;
    let itself = file == path;
    if !itself && !project.join(&file).exists() {
        return Some(format!("there is no {}", file.display()));
    }
    if part.is_empty() {
        return None;
    }
    let text = if itself { Ok(page.to_owned()) } else { fs::read_to_string(project.join(&file)) };
    let Ok(text) = text else { return Some(format!("{} has no lines", file.display())) };
    let Some(number) = line_number(&part) else {
        let there = is_page(&file) && has_heading(&text, &part);
        return (!there).then(|| format!("{} has no #{part}", file.display()));
    };
    let Some(name) = item(link) else {
        return Some(format!("a link to a line names what is there: [`name`]({})", link.target));
    };
    let places = places(&text, is_page(&file), name);
    let at = || places.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    match places.contains(&number) {
        true => None,
        false if places.is_empty() => Some(format!("{name} is nowhere in {}", file.display())),
        false => Some(format!(
            "{name} is not on line {number} of {}, but on {}; `cargo xtask docs` sets it",
            file.display(),
            at()
        )),
    }
}

/// Returns the page with updated line numbers in its links: for each, the nearest line that its
/// name may mean.
pub fn with_lines(project: &Path, path: &Path, page: &str) -> String {
    let mut new = page.to_owned();
    for link in links(page).iter().rev() {
        let Some((file, part)) = destination(path, &link.target) else { continue };
        let (Some(old), Some(name)) = (line_number(&part), item(link)) else { continue };
        let Ok(text) = fs::read_to_string(project.join(&file)) else { continue };
        let Some(line) = places(&text, is_page(&file), name).into_iter().min_by_key(|line| line.abs_diff(old)) else {
            continue;
        };
        new.replace_range(link.at.end - part.len()..link.at.end, &format!("L{line}"));
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
//! What `step` is, and fn step in a comment.
pub struct Column<const W: usize> { pub least: u32 }
impl Column {
    pub const fn step(&self) -> Other {
        inner_step(1)
    }
}
impl From<Other> for u32 {}
macro_rules! each { () => {} }
const MOST: u32 = 1;
#[cfg(test)]
mod tests {
    fn step() {}
}
";

    /// Checks a page in a small project: a source, a page with a table, and the tested page in
    /// docs/papers.
    fn check(page: &str) -> (Vec<(usize, String)>, String) {
        let project = tempfile::tempdir().unwrap();
        fs::create_dir_all(project.path().join("docs/papers")).unwrap();
        fs::write(project.path().join("a.rs"), SOURCE).unwrap();
        fs::write(project.path().join("docs/b.md"), "# B, the `page`\n\n`row` here\n\n| row | 1 |\n").unwrap();
        let path = Path::new("docs/papers/p.md");
        (faults(project.path(), path, page), with_lines(project.path(), path, page))
    }

    #[test]
    fn lines_that_a_name_may_mean() {
        let of_source = |name| places(SOURCE, false, name);
        assert_eq!(
            (of_source("step"), of_source("Column"), of_source("each"), of_source("MOST")),
            (vec![4, 13], vec![2], vec![9], vec![10])
        );
        // Without a definition the `impl`; without that a mention outside comments; parts of names
        // do not count.
        assert!(of_source("comment").is_empty());
        assert_eq!(
            (of_source("Other"), of_source("inner_step"), of_source("inner"), of_source("W")),
            (vec![8], vec![5], vec![], vec![2])
        );
        assert_eq!(places("`row`\n\n| row |\n", true, "row"), [3]);
    }

    #[test]
    fn links_that_are_right() {
        let page = "\
[a](../../a.rs), [`step`](../../a.rs#L4) and [`Column::step`](../../a.rs#L13), [`each!`](../../a.rs#L9), [`row`](../b.md#L5)
[here](#a-title), [there](../b.md#b-the-page), [away](https://example.org/a#b)
# A title
[1]: ../b.md

    [no](link.rs)

```
[no](link.rs)
```
";
        assert_eq!(check(page), (Vec::new(), page.to_owned()));
    }

    #[test]
    fn faults_of_links() {
        let fault = |page: &str| {
            let (faults, _) = check(page);
            assert_eq!(faults.len(), 1, "{faults:?}");
            format!("{}: {}", faults[0].0, faults[0].1)
        };
        assert_eq!(fault("x\n[c](../../c.rs)"), "2: there is no c.rs");
        assert_eq!(fault("[1]: c.md\n"), "1: there is no docs/papers/c.md");
        assert_eq!(fault("[1]: ../b.md\n[2]: ../b.md\n[1]: ../b.md\n"), "3: [1] has a target before");
        assert_eq!(fault("[b](../b.md#c)"), "1: docs/b.md has no #c");
        assert_eq!(fault("[`a`](../../a.rs#a)"), "1: a.rs has no #a");
        assert_eq!(fault("[step](../../a.rs#L4)"), "1: a link to a line names what is there: [`name`](../../a.rs#L4)");
        assert_eq!(fault("[`stop`](../../a.rs#L4)"), "1: stop is nowhere in a.rs");
        assert_eq!(
            fault("[`step`](../../a.rs#L1)"),
            "1: step is not on line 1 of a.rs, but on 4, 13; `cargo xtask docs` sets it"
        );
    }

    #[test]
    fn lines_are_set_to_the_nearest_place() {
        let page = "[`step`](../../a.rs#L3), [`step`](../../a.rs#L100) [`row`](../b.md#L1)\n[`none`](../../a.rs#L1) [`f`](../../c.rs#L1)";
        let set = "[`step`](../../a.rs#L4), [`step`](../../a.rs#L13) [`row`](../b.md#L5)\n[`none`](../../a.rs#L1) [`f`](../../c.rs#L1)";
        assert_eq!(check(page).1, set);
    }
}
