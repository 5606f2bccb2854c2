//! Code for the host: the list of a kernel's instances, and the choice of one by values known at
//! run time.

use crate::parse::{Function, Instance};
use crate::tokens::{camel_case, fill, text, with_commas, word};
use proc_macro::{Literal, TokenStream, TokenTree};
use std::collections::HashSet;

/// For the host only: it does not change the PTX.
const DISPATCH: &str = r#"
#[doc = $list_docs]
#[cfg(not(target_arch = "nvptx64"))]
#[allow(dead_code, reason = "the host may know its instances when it is compiled")]
$visibility const $list: &[$values] = &[$all];

#[doc = $docs]
#[cfg(not(target_arch = "nvptx64"))]
#[allow(dead_code, reason = "as above")]
$visibility trait $dispatch: Sized {
    /// Result of [`with`](Self::with).
    type Output;

    /// Runs with the generic parameters of the chosen instance.
    fn with<$generics>(self) -> Self::Output
    where
        $kind: ::simt_std::Kernel,
        $bounds;

    /// Calls [`with`](Self::with) for the instance whose const parameters have these values, or
    /// returns `None` if no instance has them.
    #[must_use]
    fn dispatch(self, values: $values) -> ::core::option::Option<Self::Output> {
        match $list.iter().position(|listed| *listed == values)? {
            $arms
            _ => ::core::option::Option::None,
        }
    }
}
"#;

/// Returns the list and the trait, or nothing if the values of the const parameters do not
/// distinguish the instances. `kind` is the kernel's struct with the generic parameters.
pub fn dispatch(function: &Function, kind: &TokenStream, instances: &[Instance]) -> TokenStream {
    let constants: Vec<_> = function.generics.iter().map(|generic| generic.constant.as_ref()).collect();
    let value_type = tuple(constants.iter().filter_map(|constant| constant.cloned()).collect());
    let values = |instance: &Instance| {
        let all = instance.values.iter().zip(&constants);
        tuple(all.filter(|(_, constant)| constant.is_some()).map(|(value, _)| value.clone()).collect())
    };
    let all: Vec<_> = instances.iter().map(values).collect();
    let different: HashSet<_> = all.iter().map(TokenStream::to_string).collect();
    if constants.iter().all(Option::is_none) || different.len() < all.len() {
        return TokenStream::new();
    }

    let arm = |(i, instance): (usize, &Instance)| {
        let number = TokenTree::from(Literal::usize_unsuffixed(i)).into();
        let arguments = with_commas(instance.values.iter().cloned());
        let code = "$number => ::core::option::Option::Some(self.with::<$arguments>())";
        fill(code, &[("number", &number), ("arguments", &arguments)])
    };
    let name = function.name.to_string();
    let list = format!("{}_INSTANCES", name.to_uppercase());
    let list_docs = format!("The const parameters of each instance of the kernel `{name}`.");
    let docs = format!(
        "What is done with an instance of the kernel `{name}` that is chosen at run time, by the values of its const parameters."
    );
    let part = |name: &str| word(name, function.name.span());
    fill(
        DISPATCH,
        &[
            ("list_docs", &text(&list_docs)),
            ("list", &part(&list)),
            ("visibility", &function.visibility),
            ("values", &value_type),
            ("all", &with_commas(all)),
            ("docs", &text(&docs)),
            ("dispatch", &part(&format!("{}Dispatch", camel_case(&name)))),
            ("generics", &with_commas(function.generics.iter().map(|generic| generic.declaration.clone()))),
            ("kind", kind),
            // The bounds without the word `where`.
            ("bounds", &function.wheres.clone().into_iter().skip(1).collect()),
            ("arms", &with_commas(instances.iter().enumerate().map(arm))),
        ],
    )
}

/// Returns `(a, b)`; for a single part, only the part.
fn tuple(mut parts: Vec<TokenStream>) -> TokenStream {
    match parts.len() {
        1 => parts.remove(0),
        _ => fill("($parts)", &[("parts", &with_commas(parts))]),
    }
}
