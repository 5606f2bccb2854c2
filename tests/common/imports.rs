//! Finds which files of a crate use items of other files, from the sources.
//!
//! A name is followed through `use` and `pub use` to the file that defines it; a module that only
//! re-exports a name does not count as using it. Test code is skipped. Methods are not followed.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// A name that a module imports with `use`.
struct Import {
    name: String,
    path: Vec<String>,
    /// True for `pub use`: the module re-exports the name, and does not use it itself.
    is_public: bool,
}

#[derive(Default)]
struct Module {
    parent: Option<usize>,
    file: PathBuf,
    children: BTreeMap<String, usize>,
    defined: BTreeSet<String>,
    imports: Vec<Import>,
    globs: Vec<Vec<String>>,
    /// Paths in the code, except those of `use`.
    paths: Vec<Vec<String>>,
}

/// Modules of a crate, and the names that they use.
pub struct Crate {
    modules: Vec<Module>,
}

/// For each file, the files that it uses and the names it uses from them.
pub type Arrows = BTreeMap<PathBuf, BTreeMap<PathBuf, BTreeSet<String>>>;

impl Crate {
    /// Reads a crate from its root file.
    pub fn read(root: &Path) -> Self {
        let mut read = Self { modules: Vec::new() };
        read.file(root.to_owned(), None, true);
        read
    }

    fn file(&mut self, file: PathBuf, parent: Option<usize>, is_root: bool) -> usize {
        let source = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&source).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let folder = file.parent().unwrap();
        let is_folder = is_root || file.file_name().is_some_and(|name| name == "mod.rs");
        let inside = if is_folder { folder.to_owned() } else { folder.join(file.file_stem().unwrap()) };
        let number = self.modules.len();
        self.modules.push(Module { parent, file: file.clone(), ..Module::default() });
        self.items(number, &parsed.items, &inside);
        number
    }

    fn items(&mut self, module: usize, items: &[Item], folder: &Path) {
        for item in items {
            if let Item::Mod(inner) = item {
                if is_test(&inner.attrs) {
                    continue;
                }
                let name = inner.ident.to_string();
                let child = match &inner.content {
                    Some((_, items)) => {
                        let file = self.modules[module].file.clone();
                        let number = self.modules.len();
                        self.modules.push(Module { parent: Some(module), file, ..Module::default() });
                        self.items(number, items, &folder.join(&name));
                        number
                    }
                    None => {
                        let file = match path_of(&inner.attrs) {
                            Some(path) => folder.join(path),
                            None => {
                                let own = folder.join(format!("{name}.rs"));
                                if own.exists() { own } else { folder.join(&name).join("mod.rs") }
                            }
                        };
                        self.file(file, Some(module), false)
                    }
                };
                self.modules[module].children.insert(name, child);
                continue;
            }
            if is_test(attributes(item)) {
                continue;
            }
            if let Item::Macro(called) = item
                && called.ident.is_none()
            {
                self.declared(module, called.mac.tokens.clone(), folder);
            }
            if let Some(name) = defined(item) {
                self.modules[module].defined.insert(name);
            }
            if matches!(item, Item::Macro(defined) if defined.ident.is_some()) {
                // The body of a macro belongs to its callers.
                continue;
            }
            if let Item::Use(item) = item {
                let is_public = !matches!(item.vis, Visibility::Inherited);
                self.import(module, Vec::new(), &item.tree, is_public);
            } else {
                let mut found = Paths::default();
                found.visit_item(item);
                for (path, tree) in found.uses {
                    self.import(module, path, &tree, false);
                }
                self.modules[module].paths.extend(found.paths);
            }
        }
    }

    /// Adds the modules that the tokens of a macro declare. A group in braces after a name belongs
    /// to a module, and a folder, of that name. The macro makes a table of the items in the files.
    fn declared(&mut self, module: usize, tokens: TokenStream, folder: &Path) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for two in tokens.windows(2) {
            let [TokenTree::Ident(word), next] = two else { continue };
            let name = word.to_string();
            match next {
                TokenTree::Ident(own) if name == "mod" => self.row(module, &own.to_string(), folder),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let file = self.modules[module].file.clone();
                    let inner = self.modules.len();
                    self.modules.push(Module { parent: Some(module), file, ..Module::default() });
                    self.modules[module].children.insert(name.clone(), inner);
                    self.declared(inner, group.stream(), &folder.join(&name));
                }
                _ => {}
            }
        }
    }

    /// Adds a file of a table of algorithms.
    fn row(&mut self, module: usize, name: &str, folder: &Path) {
        let own = folder.join(format!("{name}.rs"));
        let file = if own.exists() { own } else { folder.join(name).join("mod.rs") };
        let child = self.file(file, Some(module), false);
        self.modules[module].children.insert(name.to_owned(), child);
        for item in ["ALGORITHM", "ABOUT", "algorithm"] {
            self.modules[module].paths.push(vec![name.to_owned(), item.into()]);
        }
    }

    fn import(&mut self, module: usize, mut path: Vec<String>, tree: &UseTree, is_public: bool) {
        match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.import(module, path, &inner.tree, is_public);
            }
            UseTree::Name(inner) => {
                if inner.ident != "self" {
                    path.push(inner.ident.to_string());
                }
                let name = path.last().cloned().unwrap_or_default();
                self.modules[module].imports.push(Import { name, path, is_public });
            }
            UseTree::Rename(inner) => {
                if inner.ident != "self" {
                    path.push(inner.ident.to_string());
                }
                self.modules[module].imports.push(Import { name: inner.rename.to_string(), path, is_public });
            }
            UseTree::Glob(_) => self.modules[module].globs.push(path),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(module, path.clone(), tree, is_public);
                }
            }
        }
    }

    /// Returns the module that defines the item of a path, and the item's name; `None` if the crate
    /// does not define it.
    fn resolve(&self, from: usize, path: &[String], seen: &mut HashSet<(usize, Vec<String>)>) -> Option<Found> {
        if !seen.insert((from, path.to_vec())) {
            return None;
        }
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => return self.inside(0, rest, seen),
            "self" => return self.inside(from, rest, seen),
            "super" => return self.inside(self.modules[from].parent?, rest, seen),
            _ => {}
        }
        self.inside(from, path, seen)
    }

    fn inside(&self, module: usize, path: &[String], seen: &mut HashSet<(usize, Vec<String>)>) -> Option<Found> {
        let Some((first, rest)) = path.split_first() else { return Some(Found::Module(module)) };
        if first == "super" {
            return self.inside(self.modules[module].parent?, rest, seen);
        }
        let own = &self.modules[module];
        if let Some(&child) = own.children.get(first)
            && let Some(found) = self.inside(child, rest, seen)
        {
            return Some(found);
        }
        if own.defined.contains(first) {
            return Some(Found::Item { module, name: first.clone() });
        }
        for import in own.imports.iter().filter(|import| import.name == *first) {
            match self.resolve(module, &import.path, seen) {
                Some(Found::Module(inner)) => {
                    if let Some(found) = self.inside(inner, rest, seen) {
                        return Some(found);
                    }
                }
                Some(found) => return Some(found),
                None => {}
            }
        }
        own.globs.iter().find_map(|glob| match self.resolve(module, glob, seen)? {
            Found::Module(inner) if inner != module => self.inside(inner, path, seen),
            _ => None,
        })
    }

    /// Returns the dependencies between the files of the crate.
    pub fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (number, module) in self.modules.iter().enumerate() {
            arrows.entry(module.file.clone()).or_default();
            let imported = module.imports.iter().filter(|import| !import.is_public).map(|import| &import.path);
            for path in imported.chain(&module.paths) {
                if let Some(Found::Item { module: to, name }) = self.resolve(number, path, &mut HashSet::new()) {
                    let to = &self.modules[to].file;
                    if *to != module.file {
                        arrows.entry(module.file.clone()).or_default().entry(to.clone()).or_default().insert(name);
                    }
                }
            }
        }
        arrows
    }
}

enum Found {
    Module(usize),
    Item { module: usize, name: String },
}

fn is_test(attributes: &[Attribute]) -> bool {
    let is_for_tests = |tokens: &str| {
        let mut words = tokens.split(|c: char| !c.is_alphanumeric());
        !tokens.starts_with("not") && words.any(|word| matches!(word, "test" | "doctest"))
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && matches!(&attribute.meta, syn::Meta::List(list) if is_for_tests(&list.tokens.to_string()))
    })
}

/// Returns the file that `#[path]` names, also behind a condition for processors other than GPUs.
fn path_of(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let tokens = match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("path") => {
                let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) = &pair.value else { return None };
                return Some(path.value());
            }
            syn::Meta::List(list) if list.path.is_ident("cfg_attr") => list.tokens.to_string(),
            _ => return None,
        };
        let (condition, path) = tokens.split_once("path = \"")?;
        condition.starts_with("not").then(|| path.trim_end_matches('"').to_owned())
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        _ => &[],
    }
}

fn defined(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Union(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// Collects the paths in an item.
#[derive(Default)]
struct Paths {
    paths: Vec<Vec<String>>,
    uses: Vec<(Vec<String>, UseTree)>,
}

impl<'a> Visit<'a> for Paths {
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.uses.push((Vec::new(), item.tree.clone()));
    }

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        self.visit_path(&called.path);
        self.tokens(called.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'a Attribute) {}
}

impl Paths {
    /// Collects the paths in the tokens of a macro, which is not parsed.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 && !path.is_empty() {
                        self.paths.push(std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => colons += 1,
                other => {
                    if !path.is_empty() {
                        self.paths.push(std::mem::take(&mut path));
                    }
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        if !path.is_empty() {
            self.paths.push(path);
        }
    }
}

/// Returns the cycles: sets of files that all depend on one another.
pub fn circles(arrows: &Arrows) -> Vec<Vec<PathBuf>> {
    let reach: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> = arrows
        .keys()
        .map(|from| {
            let mut reached = BTreeSet::new();
            let mut open = vec![from];
            while let Some(file) = open.pop() {
                for to in arrows.get(file).into_iter().flat_map(BTreeMap::keys) {
                    if reached.insert(to) {
                        open.push(to);
                    }
                }
            }
            (from, reached)
        })
        .collect();
    let mut found: Vec<Vec<PathBuf>> = Vec::new();
    let mut taken = BTreeSet::new();
    for (from, reached) in &reach {
        if reached.contains(from) && !taken.contains(from) {
            let members: Vec<PathBuf> =
                reached.iter().filter(|to| reach[**to].contains(from)).map(|to| (*to).clone()).collect();
            taken.extend(reached.iter().copied().filter(|to| members.contains(to)));
            found.push(members);
        }
    }
    found
}
