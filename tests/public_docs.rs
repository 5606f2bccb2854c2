//! Checks that every public type, function and method has one path, has an example or a link to
//! one, and lists the faults of its usage errors.
//!
//! A link to an example is a link whose text ends in "example", as `[example](Self)`. The test
//! reads the library's sources, so that items of all features count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::{Attribute, ImplItem, Item, TraitItem, Type, UseTree, Visibility};

/// Items of each public module that have neither an example nor a link to one. These numbers may
/// only decrease.
const WITHOUT_EXAMPLE: &[(&str, usize)] = &[];

/// Items of each public module that name `Error::Usage` but no `UsageFault`. These numbers may only
/// decrease.
const WITHOUT_FAULT: &[(&str, usize)] = &[];

/// Items with more than one public path besides that at the root. This list may only become
/// shorter.
const SEVERAL_PATHS: &[&str] = &[];

/// A type, a trait or a function, with the documentation of its methods.
#[derive(Default)]
struct Definition {
    docs: String,
    methods: BTreeMap<String, String>,
}

/// An import: its path, and the name of the item in the importing module; `None` for a glob.
struct Import {
    path: Vec<String>,
    name: Option<String>,
    is_public: bool,
}

#[derive(Default)]
struct Module {
    parent: usize,
    /// True if neither private nor hidden itself; a module around it may be.
    is_public: bool,
    children: BTreeMap<String, usize>,
    definitions: BTreeMap<String, Definition>,
    imports: Vec<Import>,
    /// Methods, with the path of their type.
    methods: Vec<(String, String, String)>,
}

/// Modules of a crate; the first is its root.
#[derive(Default)]
struct Library {
    modules: Vec<Module>,
}

impl Library {
    fn read(root: &Path) -> Self {
        let mut library = Self { modules: vec![Module { is_public: true, ..Module::default() }] };
        library.file(0, root, root.parent().unwrap());
        for number in 0..library.modules.len() {
            for (own, method, docs) in std::mem::take(&mut library.modules[number].methods) {
                if let Some((module, name)) = library.find(number, &[own], 0) {
                    library.modules[module].definitions.get_mut(&name).unwrap().methods.insert(method, docs);
                }
            }
        }
        library
    }

    fn file(&mut self, module: usize, file: &Path, folder: &Path) {
        let source = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&source).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.items(module, &parsed.items, folder);
    }

    fn items(&mut self, module: usize, items: &[Item], folder: &Path) {
        for item in items {
            match item {
                Item::Mod(item) => self.child(module, item, folder),
                Item::Use(item) => import(&mut self.modules[module], Vec::new(), &item.tree, is_public(&item.vis)),
                Item::Fn(item) if is_shown(&item.vis, &item.attrs) => self.define(module, &item.sig.ident, &item.attrs),
                Item::Struct(item) if is_shown(&item.vis, &item.attrs) => self.define(module, &item.ident, &item.attrs),
                Item::Enum(item) if is_shown(&item.vis, &item.attrs) => self.define(module, &item.ident, &item.attrs),
                Item::Type(item) if is_shown(&item.vis, &item.attrs) => self.define(module, &item.ident, &item.attrs),
                Item::Trait(item) if is_shown(&item.vis, &item.attrs) => {
                    self.define(module, &item.ident, &item.attrs);
                    let methods =
                        &mut self.modules[module].definitions.get_mut(&item.ident.to_string()).unwrap().methods;
                    for own in &item.items {
                        if let TraitItem::Fn(own) = own {
                            methods.insert(own.sig.ident.to_string(), docs(&own.attrs));
                        }
                    }
                }
                Item::Impl(item) if item.trait_.is_none() => {
                    let Type::Path(own) = &*item.self_ty else { continue };
                    let Some(own) = own.path.segments.last() else { continue };
                    for method in &item.items {
                        if let ImplItem::Fn(method) = method
                            && is_shown(&method.vis, &method.attrs)
                        {
                            let name = method.sig.ident.to_string();
                            self.modules[module].methods.push((own.ident.to_string(), name, docs(&method.attrs)));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn child(&mut self, module: usize, item: &syn::ItemMod, folder: &Path) {
        let name = item.ident.to_string();
        let number = self.modules.len();
        let is_public = is_shown(&item.vis, &item.attrs);
        self.modules.push(Module { parent: module, is_public, ..Module::default() });
        self.modules[module].children.insert(name.clone(), number);
        let inside = folder.join(&name);
        match &item.content {
            Some((_, items)) => self.items(number, items, &inside),
            None => {
                let own = folder.join(format!("{name}.rs"));
                let file: PathBuf = if own.exists() { own } else { inside.join("mod.rs") };
                self.file(number, &file, &inside);
            }
        }
    }

    fn define(&mut self, module: usize, name: &syn::Ident, attributes: &[Attribute]) {
        let definition = Definition { docs: docs(attributes), ..Definition::default() };
        self.modules[module].definitions.insert(name.to_string(), definition);
    }

    /// Returns the module that defines the item of a path, and its name there.
    fn find(&self, from: usize, path: &[String], depth: usize) -> Option<(usize, String)> {
        let (first, rest) = path.split_first()?;
        let own = &self.modules[from];
        match first.as_str() {
            "crate" => return self.find(0, rest, depth),
            "self" => return self.find(from, rest, depth),
            "super" => return self.find(own.parent, rest, depth),
            _ => {}
        }
        if let Some(&child) = own.children.get(first)
            && !rest.is_empty()
        {
            return self.find(child, rest, depth);
        }
        if rest.is_empty() && own.definitions.contains_key(first) {
            return Some((from, first.clone()));
        }
        let mut named = own.imports.iter().filter(|import| import.name.as_ref().is_none_or(|name| name == first));
        named.find_map(|import| {
            let path = match &import.name {
                Some(_) => [&import.path, rest].concat(),
                None => [&import.path, path].concat(),
            };
            if depth < 9 { self.find(from, &path, depth + 1) } else { None }
        })
    }

    /// Returns the public modules with their paths; the root comes last.
    fn public_modules(&self) -> Vec<(String, usize)> {
        let mut modules = vec![(String::new(), 0)];
        let mut next = 0;
        while let Some((path, number)) = modules.get(next).cloned() {
            let module = &self.modules[number];
            let children = module.children.iter().filter(|(_, child)| self.modules[**child].is_public);
            let own = children.map(|(name, child)| (name, *child));
            let imports = module.imports.iter().filter(|import| import.is_public);
            let imported =
                imports.filter_map(|import| Some((import.name.as_ref()?, self.module(number, &import.path)?)));
            modules.extend(own.chain(imported).map(|(name, child)| (format!("{path}{name}::"), child)));
            next += 1;
        }
        modules.reverse();
        modules
    }

    /// Returns the module at a path.
    fn module(&self, from: usize, path: &[String]) -> Option<usize> {
        path.iter().try_fold(from, |module, name| match name.as_str() {
            "crate" => Some(0),
            "self" => Some(module),
            "super" => Some(self.modules[module].parent),
            _ => self.modules[module].children.get(name).copied(),
        })
    }

    /// Returns the public paths of the public items, by the defining module and the name there. A
    /// path at the root comes last.
    fn paths(&self) -> BTreeMap<(usize, String), Vec<String>> {
        let mut paths = BTreeMap::<_, Vec<String>>::new();
        for (path, number) in self.public_modules() {
            let module = &self.modules[number];
            let imported = module.imports.iter().filter(|import| import.is_public);
            let imported = imported.filter_map(|import| self.find(number, &import.path, 0));
            let own = module.definitions.keys().map(|name| (number, name.clone()));
            for (module, name) in own.chain(imported) {
                paths.entry((module, name.clone())).or_default().push(format!("{path}{name}"));
            }
        }
        paths
    }

    /// Returns the public items by one of their public paths, `module::Type` or
    /// `module::Type::method`, with their documentation.
    fn public(&self) -> BTreeMap<String, &str> {
        let mut public = BTreeMap::new();
        for ((module, name), paths) in self.paths() {
            let definition = &self.modules[module].definitions[&name];
            public.insert(paths[0].clone(), &definition.docs[..]);
            for (method, docs) in &definition.methods {
                public.insert(format!("{}::{method}", paths[0]), docs);
            }
        }
        public
    }
}

fn import(module: &mut Module, mut path: Vec<String>, tree: &UseTree, is_public: bool) {
    let name = match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            return import(module, path, &inner.tree, is_public);
        }
        UseTree::Group(group) => {
            return group.items.iter().for_each(|tree| import(module, path.clone(), tree, is_public));
        }
        UseTree::Glob(_) => None,
        UseTree::Name(inner) => {
            path.push(inner.ident.to_string());
            Some(inner.ident.to_string())
        }
        UseTree::Rename(inner) => {
            path.push(inner.ident.to_string());
            Some(inner.rename.to_string())
        }
    };
    module.imports.push(Import { path, name, is_public });
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_shown(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    let is_hidden = |attribute: &Attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("doc") && list.tokens.to_string() == "hidden",
        _ => false,
    };
    is_public(visibility) && !attributes.iter().any(is_hidden)
}

fn docs(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn has_example(docs: &str) -> bool {
    docs.contains("```") || docs.contains("example](") || docs.contains("example]\n(")
}

fn names_fault(docs: &str) -> bool {
    !docs.contains("Error::Usage") || docs.contains("UsageFault")
}

fn library() -> Library {
    Library::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("host/lib.rs"))
}

/// Returns the public items whose documentation does not pass, by public module.
fn lacking(passes: impl Fn(&str) -> bool) -> BTreeMap<String, Vec<String>> {
    let library = library();
    let mut lacking = BTreeMap::<String, Vec<String>>::new();
    for (path, _) in library.public().into_iter().filter(|(_, docs)| !passes(docs)) {
        let module = path.split_once("::").map_or("", |(module, _)| module).to_owned();
        lacking.entry(module).or_default().push(path);
    }
    lacking
}

/// Fails if the number of items that lack something in a module differs from its budget.
fn check(what: &str, lacking: BTreeMap<String, Vec<String>>, budget: &[(&str, usize)]) {
    let allowed = |module: &str| budget.iter().find(|(name, _)| *name == module).map_or(0, |(_, count)| *count);
    let mut wrong: Vec<String> = Vec::new();
    for (module, items) in &lacking {
        if items.len() > allowed(module) {
            wrong.push(format!("{module}: {} of these need {what}: {items:#?}", items.len() - allowed(module)));
        }
    }
    for (module, count) in budget {
        let now = lacking.get(*module).map_or(0, Vec::len);
        if now < *count {
            wrong.push(format!("{module}: now {now} items lack {what}: write this number in place of {count}"));
        }
    }
    let now: Vec<(&str, usize)> = lacking.iter().map(|(module, items)| (&module[..], items.len())).collect();
    assert!(wrong.is_empty(), "{}\nthe numbers are now {now:?}", wrong.join("\n"));
}

#[test]
fn public_items_have_examples() {
    check("an example or a pointer to one", lacking(has_example), WITHOUT_EXAMPLE);
}

#[test]
fn errors_of_use_name_their_fault() {
    check("the fault of `Error::Usage`", lacking(names_fault), WITHOUT_FAULT);
}

#[test]
fn public_items_have_one_path() {
    let is_below_root = |path: &&String| path.contains("::");
    let paths = library().paths();
    let several = paths.values().filter(|paths| paths.iter().filter(is_below_root).count() > 1);
    let several: BTreeSet<&str> = several.map(|paths| &paths[0][..]).collect();
    assert_eq!(
        several,
        SEVERAL_PATHS.iter().copied().collect(),
        "give each item one path; an item that has one leaves the list"
    );
}

#[test]
fn what_lacks_an_example_is_found() {
    let missing = |docs| !has_example(docs);
    assert!(missing("Returns the name.") && missing("For example, a GPU."));
    assert!(!missing("```\nlet a = 1;\n```") && !missing("Returns it, as in the [example](Self)."));
    assert!(names_fault("[`Error::Io`] when it cannot be read.") && !names_fault("[`Error::Usage`] for no threads."));
    let items = BTreeMap::from([("io".to_owned(), vec!["io::f".to_owned()])]);
    for budget in [&[][..], &[("io", 0)], &[("io", 2)]] {
        assert!(std::panic::catch_unwind(|| check("an example", items.clone(), budget)).is_err());
    }
    check("an example", items, &[("io", 1)]);
}
