//! The code that is made of a function.

use crate::dispatch::dispatch;
use crate::parse::{Arguments, Function, Instance, Parameters};
use crate::tokens::{Error, camel_case, fill, one, replace, text, with_commas, word};
use proc_macro::{Ident, Span, TokenStream, TokenTree};

/// The struct of the parameters, where the function names none.
const PARAMETERS: &str = "
$docs
#[derive(Debug, Clone, Copy)]
#[repr(C)]
$visibility struct $kind<$generics> $wheres { $fields }
";

/// What all instances share. The body is written once, and is inlined into each.
const SHARED: &str = r#"
impl<$generics> $kind $wheres {
    $attributes
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "a kernel's parameters are what its launch needs")]
    $safety fn $body_name($parameters) $body

    const $most: u32 = { let [x, y, z]: [u32; 3] = [$most_dimensions]; x * y * z };

    #[allow(unused_variables, reason = "the size may depend on all of the parameters, or on none")]
    fn $block_dim(&$this) -> [u32; 3] { $bindings [$dimensions] }

    #[allow(unused_variables, reason = "as above")]
    fn $dynamic_shared(&$this) -> u32 { $bindings $shared }

    #[cfg(not(target_arch = "nvptx64"))]
    const $source: ::core::option::Option<::simt_std::Source> = $source_value;
}
"#;

/// A kernel and its PTX entry. For the simulator it is compiled once, in its own crate, and not again in each that launches it. The
/// marker in the assembly becomes the entry's `.maxntid`: rustc has no attribute for that.
const INSTANCE: &str = r#"
unsafe impl ::simt_std::Kernel for $kind {
    const NAME: &'static str = $name;
    const BLOCK_THREADS: u32 = <$kind>::$most;
    #[cfg(not(target_arch = "nvptx64"))]
    const SOURCE: ::core::option::Option<::simt_std::Source> = <$kind>::$source;

    fn block_dim(&self) -> [u32; 3] { self.$block_dim() }

    fn dynamic_shared_bytes(&self) -> u32 { self.$dynamic_shared() }

    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    #[cfg_attr(not(target_arch = "nvptx64"), inline(never))]
    unsafe fn run(self) {
        #[allow(unused_unsafe, reason = "the function may be safe")]
        unsafe { <$kind>::$body_name($arguments) }
    }
}

#[cfg(target_arch = "nvptx64")]
#[unsafe(no_mangle)]
unsafe extern "ptx-kernel" fn $entry(parameters: $kind) {
    unsafe { ::simt_std::Kernel::run(parameters) }
}

#[cfg(target_arch = "nvptx64")]
::core::arch::global_asm!($marker, const <$kind as ::simt_std::Kernel>::BLOCK_THREADS);
"#;

/// All that replaces the function.
pub fn kernel(arguments: &Arguments, function: &Function) -> Result<TokenStream, Error> {
    let name = function.name.to_string();
    let own = |prefix: &str| word(&format!("__{prefix}_{name}"), function.name.span());
    let constant = |prefix: &str| word(&format!("__{prefix}_{}", name.to_uppercase()), function.name.span());
    let generics = with_commas(function.generics.iter().map(|generic| generic.declaration.clone()));
    let mut code = TokenStream::new();

    let kind = match &function.parameters {
        Parameters::Own { kind, .. } => kind.clone(),
        Parameters::Plain(parameters) => {
            let kind = word(&camel_case(&name), function.name.span());
            let field = |docs, name: &Ident, kind| {
                let parts =
                    [("docs", docs), ("visibility", &function.visibility), ("name", &one(name)), ("kind", kind)];
                fill("$docs $visibility $name: $kind", &parts)
            };
            let fields = parameters.iter().map(|p| field(&p.docs, &p.name, &p.kind));
            let parts = [
                ("docs", &function.docs),
                ("visibility", &function.visibility),
                ("kind", &kind),
                ("generics", &generics),
                ("wheres", &function.wheres),
                ("fields", &with_commas(fields)),
            ];
            code.extend(fill(PARAMETERS, &parts));
            let names = with_commas(function.generics.iter().map(|generic| one(&generic.name)));
            fill("$kind<$names>", &[("kind", &kind), ("names", &names)])
        }
    };

    // How the body and the sizes see the parameters: by `self`, or each by its name.
    let (this, bindings, declared, handed_on, attributes) = match &function.parameters {
        Parameters::Own { this, .. } => {
            let attributes = [function.docs.clone(), function.attributes.clone()].into_iter().collect();
            (one(this), TokenStream::new(), one(this), fill("self", &[]), attributes)
        }
        Parameters::Plain(parameters) => {
            let names = with_commas(parameters.iter().map(|p| one(&p.name)));
            let values = with_commas(parameters.iter().map(|p| fill("self.$name", &[("name", &one(&p.name))])));
            let bindings = fill("let Self { $names } = *self;", &[("names", &names)]);
            let declared = with_commas(parameters.iter().map(|p| p.declaration.clone()));
            (fill("self", &[]), bindings, declared, values, function.attributes.clone())
        }
    };
    let threads = dimensions(&arguments.threads);
    let most =
        arguments.max_threads.as_ref().map_or_else(|| threads.clone(), |most| dimensions(std::slice::from_ref(most)));
    let shared = arguments.shared.clone().unwrap_or_else(|| fill("0", &[]));
    let body = TokenTree::from(function.body.clone()).into();
    let body_name = one(&function.name);
    let [block_dim, dynamic_shared] = ["block_dim", "dynamic_shared"].map(own);
    let [most_name, source] = ["BLOCK_THREADS", "SOURCE"].map(constant);
    code.extend(fill(
        SHARED,
        &[
            ("generics", &generics),
            ("kind", &kind),
            ("wheres", &function.wheres),
            ("attributes", &attributes),
            ("safety", &function.safety),
            ("body_name", &body_name),
            ("parameters", &declared),
            ("body", &body),
            ("most", &most_name),
            ("most_dimensions", &most),
            ("block_dim", &block_dim),
            ("dimensions", &threads),
            ("dynamic_shared", &dynamic_shared),
            ("shared", &shared),
            ("this", &this),
            ("bindings", &bindings),
            ("source", &source),
            ("source_value", &source_value()),
        ],
    ));

    let instances = instances(arguments, function)?;
    for instance in &instances {
        let names = function.generics.iter().map(|generic| &generic.name);
        let kind = replace(&kind, &names.zip(&instance.values).collect::<Vec<_>>());
        let entry = instance.name.to_string();
        code.extend(fill(
            INSTANCE,
            &[
                ("kind", &kind),
                ("name", &text(&entry)),
                ("most", &most_name),
                ("source", &source),
                ("block_dim", &block_dim),
                ("dynamic_shared", &dynamic_shared),
                ("body_name", &body_name),
                ("arguments", &handed_on),
                ("entry", &one(&instance.name)),
                ("marker", &text(&format!("// simt.maxntid {entry} {{}}"))),
            ],
        ));
    }
    code.extend(dispatch(function, &kind, &instances));
    Ok(code)
}

/// The kernels to be made: without generic parameters one, of the function's name.
fn instances(arguments: &Arguments, function: &Function) -> Result<Vec<Instance>, Error> {
    let (name, wanted) = (&function.name, function.generics.len());
    let Some(listed) = &arguments.instances else {
        if wanted > 0 {
            let advice =
                "a generic kernel needs `instances = [name: (values), …]`: each is an entry of its own in the PTX";
            return Err(Error::new(name.span(), advice));
        }
        return Ok(vec![Instance { name: name.clone(), values: Vec::new(), span: name.span() }]);
    };
    if let Some(wrong) = listed.iter().find(|instance| instance.values.len() != wanted) {
        let given = wrong.values.len();
        return Err(Error::new(wrong.span, format!("{wanted} generic parameters, and {given} values")));
    }
    Ok(listed.clone())
}

/// The file that the kernel is in. `include_str!` looks beside that file, so its last name is its path.
fn source_value() -> TokenStream {
    let span = Span::call_site();
    let path = span.local_file().unwrap_or_else(|| span.file().into());
    match path.file_name() {
        Some(name) => {
            let code = "::core::option::Option::Some(::simt_std::Source { file: file!(), text: include_str!($name) })";
            fill(code, &[("name", &text(&name.to_string_lossy()))])
        }
        None => fill("::core::option::Option::None", &[]),
    }
}

/// Sizes in x, y and z, of those that are given.
fn dimensions(given: &[TokenStream]) -> TokenStream {
    let rest = std::iter::repeat_with(|| fill("1", &[]));
    with_commas(given.iter().cloned().chain(rest).take(3))
}
