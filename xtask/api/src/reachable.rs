//! Finds the items that a user can reach in rustdoc's JSON.
//!
//! rustdoc omits everything in a hidden module, even items that a public module re-exports. So it
//! must run with hidden items. This module removes the hidden items but keeps the re-exported ones,
//! and adds types that are only named by a signature or an alias.

use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Removes the hidden items, and the implementations of hidden traits, from rustdoc's JSON. Keeps
/// items that a public module re-exports from a hidden one.
pub fn without_hidden(library: &mut Value) {
    let Some(index) = library["index"].as_object_mut() else { return };
    let hidden: BTreeSet<String> = index.iter().filter(|(_, item)| is_hidden(item)).map(|(id, _)| id.clone()).collect();
    index.retain(|id, item| {
        let of_trait = item["inner"]["impl"]["trait"]["id"].as_u64().map(|id| id.to_string());
        !hidden.contains(id) && of_trait.is_none_or(|id| !hidden.contains(&id))
    });
}

fn is_hidden(item: &Value) -> bool {
    item["attrs"].as_array().is_some_and(|all| all.iter().any(|attribute| attribute["other"] == "#[doc(hidden)]"))
}

/// Adds the types that the listing names but does not contain: targets of an alias, or parameter
/// and return types of a function. They get the path of their declaration. Returns true if there
/// was one.
pub fn add_named(library: &mut Value, listing: &str) -> bool {
    let declared: BTreeSet<&str> = listing.lines().filter_map(declared_type).collect();
    let named: BTreeSet<&str> = listing.lines().flat_map(named_paths).collect();
    let missing = library["paths"].as_object().into_iter().flatten().filter_map(|(id, place)| {
        let is_ours = place["crate_id"] == 0 && matches!(place["kind"].as_str(), Some("struct" | "enum" | "union"));
        let path: Vec<&str> = place["path"].as_array()?.iter().filter_map(Value::as_str).collect();
        let (whole, below) = (path.join("::"), path.get(1..)?.join("::"));
        (is_ours && named.contains(&whole[..]) && !declared.contains(&whole[..])).then(|| (id.clone(), below))
    });
    let missing: Vec<(String, String)> = missing.filter(|(id, _)| library["index"].get(id).is_some()).collect();
    let root = library["root"].to_string();
    for (id, path) in &missing {
        library["index"][id]["name"] = json!(path);
        let items = library["index"][&root]["inner"]["module"]["items"].as_array_mut();
        items.expect("the root is a module").push(json!(id.parse::<u64>().expect("an id is a number")));
    }
    !missing.is_empty()
}

/// Returns the path of the type that a line declares.
fn declared_type(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("pub ")?;
    let (kind, rest) = rest.split_once(' ')?;
    matches!(kind, "struct" | "enum" | "union").then(|| paths(rest).next()).flatten()
}

/// Returns the paths that a public item's line names, without the item's own.
fn named_paths(line: &str) -> impl Iterator<Item = &str> {
    paths(if line.starts_with("pub ") { line } else { "" }).skip(1)
}

/// Returns the paths of a line.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    // A path after type arguments, as in `T<P>::f`, begins with the colons.
    parts.map(|part| part.trim_end_matches(':')).filter(|part| part.contains("::") && !part.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_lines() {
        let line = "pub fn c::a::T<'p>::f(&self, &c::b::U) -> core::result::Result<c::V>";
        assert_eq!(named_paths(line).collect::<Vec<_>>(), ["c::b::U", "core::result::Result", "c::V"]);
        assert_eq!(named_paths("impl c::T for c::U").count(), 0);
        assert_eq!(declared_type("#[non_exhaustive] pub struct c::a::T<P>"), Some("c::a::T"));
        assert_eq!(declared_type("pub fn c::f()"), None);
    }

    #[test]
    fn hidden_items_go_and_named_types_come() {
        let item = |name: &str, hidden: bool, inner: Value| {
            let attrs = if hidden { json!([{ "other": "#[doc(hidden)]" }]) } else { json!([]) };
            json!({ "name": name, "attrs": attrs, "inner": inner })
        };
        let mut library = json!({
            "root": 0,
            "index": {
                "0": item("c", false, json!({ "module": { "items": [1] } })),
                "1": item("hidden", true, json!({ "module": { "items": [2] } })),
                "2": item("T", false, json!({ "struct": {} })),
                "3": item("Sealed", true, json!({ "trait": {} })),
                "4": item("", false, json!({ "impl": { "trait": { "id": 3 } } })),
            },
            "paths": { "2": { "crate_id": 0, "kind": "struct", "path": ["c", "hidden", "T"] } },
        });
        without_hidden(&mut library);
        let left: Vec<&String> = library["index"].as_object().unwrap().keys().collect();
        assert_eq!(left, ["0", "2"]);
        assert!(add_named(&mut library, "pub type c::A = c::hidden::T<c::P>"));
        assert_eq!(library["index"]["2"]["name"], "hidden::T");
        assert_eq!(library["index"]["0"]["inner"]["module"]["items"], json!([1, 2]));
        assert!(!add_named(&mut library, "pub type c::A = c::hidden::T<c::P>\npub struct c::hidden::T<P>"));
    }
}
