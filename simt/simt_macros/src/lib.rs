//! The attribute `#[kernel]`, which makes a GPU kernel of a function. Its documentation is at
//! [`simt_std::kernel`].
//!
//! | file | contents |
//! |---|---|
//! | `parse` | the function and the attribute's arguments as data, or the errors in them |
//! | `expand` | the code generated from them |
//! | `dispatch` | a list of a kernel's instances for the host, and the choice of one at run time |
//! | `tokens` | lists of tokens: split at commas, or built from templates |
//!
//! [`simt_std::kernel`]: https://docs.rs/simt_std/latest/simt_std/attr.kernel.html

// Unlike cargo, plain rustc does not add this crate by itself.
extern crate proc_macro;

mod dispatch;
mod expand;
mod parse;
mod tokens;

use proc_macro::TokenStream;

// Documented at its re-export, because the examples need `simt_std`.
#[allow(missing_docs)]
#[proc_macro_attribute]
pub fn kernel(arguments: TokenStream, function: TokenStream) -> TokenStream {
    let read = || Ok((parse::arguments(arguments)?, parse::function(function)?));
    match read().and_then(|(arguments, function)| expand::kernel(&arguments, &function)) {
        Ok(code) => code,
        Err(error) => error.into_tokens(),
    }
}
