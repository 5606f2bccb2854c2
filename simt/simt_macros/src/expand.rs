//! The code generated from a function.

use crate::dispatch::dispatch;
use crate::parse::{Arguments, Function, Instance, Parameter, Parameters};
use crate::tokens::{Error, camel_case, fill, one, replace, text, with_commas, word};
use proc_macro::{Span, TokenStream, TokenTree};

/// The struct of the parameters, if the function names none.
const PARAMETERS: &str = "
$docs
#[derive(Debug, Clone, Copy)]
#[repr(C)]
$visibility struct $kind<$generics> $wheres { $fields }
";

/// The code that all instances share. The body is written once, and is inlined into each instance.
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

/// A kernel and its PTX entry. For the simulator, it is compiled once, in its own crate, and not
/// again in each crate that launches it. The marker in the assembly becomes the entry's `.maxntid`,
/// because rustc has no attribute for it.
const INSTANCE: &str = r#"
unsafe impl ::simt_std::Kernel for $kind {
    const NAME: &'static str = $name;
    const BLOCK_THREADS: u32 = <$kind>::$most;
    const COOPERATIVE: bool = $cooperative;
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

const _: () = assert!(size_of::<$kind>() <= 4096, "the parameters of a kernel have more than 4,096 bytes");

#[cfg(target_arch = "nvptx64")]
::core::arch::global_asm!($marker, const <$kind as ::simt_std::Kernel>::BLOCK_THREADS);
"#;

/// The blocks of a multiprocessor. This marker becomes the entry's `.minnctapersm`.
const MIN_BLOCKS: &str = r#"
const _: () = {
    let blocks: u32 = $min_blocks;
    assert!(
        matches!(blocks, 1..=32) && blocks * <$kind as ::simt_std::Kernel>::BLOCK_THREADS <= 2048,
        "a multiprocessor runs 1 to 32 blocks and at most 2,048 threads at a time"
    );
};

#[cfg(target_arch = "nvptx64")]
::core::arch::global_asm!($marker, const { let blocks: u32 = $min_blocks; blocks });
"#;

/// Returns the code that replaces the function.
pub fn kernel(arguments: &Arguments, function: &Function) -> Result<TokenStream, Error> {
    let names = Names::new(function);
    let mut code = TokenStream::new();
    let kind = match &function.parameters {
        Parameters::Own { kind, .. } => kind.clone(),
        Parameters::Plain(parameters) => {
            let kind = word(&camel_case(&function.name.to_string()), function.name.span());
            code.extend(parameters_struct(function, parameters, &kind));
            let names = with_commas(function.generics.iter().map(|generic| one(&generic.name)));
            fill("$kind<$names>", &[("kind", &kind), ("names", &names)])
        }
    };
    let seen = Seen::new(function);
    code.extend(shared_part(arguments, function, &names, &kind, &seen));
    let instances = instances(arguments, function)?;
    for instance in &instances {
        code.extend(instance_part(arguments, function, instance, &names, &kind, &seen));
    }
    code.extend(dispatch(function, &kind, &instances));
    Ok(code)
}

/// The names of the items that accompany a kernel's type.
struct Names {
    most: TokenStream,
    source: TokenStream,
    block_dim: TokenStream,
    dynamic_shared: TokenStream,
}

impl Names {
    fn new(function: &Function) -> Self {
        let name = function.name.to_string();
        let own = |prefix: &str| word(&format!("__{prefix}_{name}"), function.name.span());
        let constant = |prefix: &str| word(&format!("__{prefix}_{}", name.to_uppercase()), function.name.span());
        Self {
            most: constant("BLOCK_THREADS"),
            source: constant("SOURCE"),
            block_dim: own("block_dim"),
            dynamic_shared: own("dynamic_shared"),
        }
    }
}

/// The parameters as the body and the sizes see them: as `self`, or each by its name.
struct Seen {
    this: TokenStream,
    /// Binds the names for computing the sizes.
    bindings: TokenStream,
    /// The parameters as declared by the function.
    declared: TokenStream,
    /// The parameters as passed on in the call of the function.
    handed_on: TokenStream,
    attributes: TokenStream,
}

impl Seen {
    fn new(function: &Function) -> Self {
        match &function.parameters {
            Parameters::Own { this, .. } => Self {
                this: one(this),
                bindings: TokenStream::new(),
                declared: one(this),
                handed_on: fill("self", &[]),
                attributes: [function.docs.clone(), function.attributes.clone()].into_iter().collect(),
            },
            Parameters::Plain(parameters) => {
                let names = with_commas(parameters.iter().map(|p| one(&p.name)));
                Self {
                    this: fill("self", &[]),
                    bindings: fill("let Self { $names } = *self;", &[("names", &names)]),
                    declared: with_commas(parameters.iter().map(|p| p.declaration.clone())),
                    handed_on: with_commas(parameters.iter().map(|p| fill("self.$name", &[("name", &one(&p.name))]))),
                    attributes: function.attributes.clone(),
                }
            }
        }
    }
}

/// Returns the struct of the parameters, if the function names none.
fn parameters_struct(function: &Function, parameters: &[Parameter], kind: &TokenStream) -> TokenStream {
    let field = |p: &Parameter| {
        let parts =
            [("docs", &p.docs), ("visibility", &function.visibility), ("name", &one(&p.name)), ("kind", &p.kind)];
        fill("$docs $visibility $name: $kind", &parts)
    };
    let parts = [
        ("docs", &function.docs),
        ("visibility", &function.visibility),
        ("kind", kind),
        ("generics", &generics(function)),
        ("wheres", &function.wheres),
        ("fields", &with_commas(parameters.iter().map(field))),
    ];
    fill(PARAMETERS, &parts)
}

/// Returns the code that all instances share.
fn shared_part(
    arguments: &Arguments,
    function: &Function,
    names: &Names,
    kind: &TokenStream,
    seen: &Seen,
) -> TokenStream {
    let threads = dimensions(&arguments.threads);
    let most =
        arguments.max_threads.as_ref().map_or_else(|| threads.clone(), |most| dimensions(std::slice::from_ref(most)));
    let shared = arguments.shared.clone().unwrap_or_else(|| fill("0", &[]));
    let body = TokenTree::from(function.body.clone()).into();
    let parts = [
        ("generics", &generics(function)),
        ("kind", kind),
        ("wheres", &function.wheres),
        ("attributes", &seen.attributes),
        ("safety", &function.safety),
        ("body_name", &one(&function.name)),
        ("parameters", &seen.declared),
        ("body", &body),
        ("most", &names.most),
        ("most_dimensions", &most),
        ("block_dim", &names.block_dim),
        ("dimensions", &threads),
        ("dynamic_shared", &names.dynamic_shared),
        ("shared", &shared),
        ("this", &seen.this),
        ("bindings", &seen.bindings),
        ("source", &names.source),
        ("source_value", &source_value()),
    ];
    fill(SHARED, &parts)
}

/// Returns the code of a kernel with given values of the generic parameters, and of its PTX entry.
fn instance_part(
    arguments: &Arguments,
    function: &Function,
    instance: &Instance,
    names: &Names,
    kind: &TokenStream,
    seen: &Seen,
) -> TokenStream {
    let generics = function.generics.iter().map(|generic| &generic.name);
    let kind = replace(kind, &generics.zip(&instance.values).collect::<Vec<_>>());
    let entry = instance.name.to_string();
    let cooperative = fill(if arguments.cooperative { "true" } else { "false" }, &[]);
    let parts = [
        ("kind", &kind),
        ("cooperative", &cooperative),
        ("name", &text(&entry)),
        ("most", &names.most),
        ("source", &names.source),
        ("block_dim", &names.block_dim),
        ("dynamic_shared", &names.dynamic_shared),
        ("body_name", &one(&function.name)),
        ("arguments", &seen.handed_on),
        ("entry", &one(&instance.name)),
        ("marker", &text(&format!("// simt.maxntid {entry} {{}}"))),
    ];
    let mut code = fill(INSTANCE, &parts);
    if let Some(min_blocks) = &arguments.min_blocks {
        let marker = text(&format!("// simt.minnctapersm {entry} {{}}"));
        code.extend(fill(MIN_BLOCKS, &[("kind", &kind), ("min_blocks", min_blocks), ("marker", &marker)]));
    }
    code
}

/// Returns the generic parameters as the function declares them.
fn generics(function: &Function) -> TokenStream {
    with_commas(function.generics.iter().map(|generic| generic.declaration.clone()))
}

/// Returns the kernels to generate; without generic parameters, a single one with the function's
/// name.
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

/// Returns the source file of the kernel. `include_str!` is relative to that file, so the file's
/// own name suffices as its path.
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

/// Returns the sizes in x, y and z; missing ones are 1.
fn dimensions(given: &[TokenStream]) -> TokenStream {
    let rest = std::iter::repeat_with(|| fill("1", &[]));
    with_commas(given.iter().cloned().chain(rest).take(3))
}
