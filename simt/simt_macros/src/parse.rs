//! Parses the function and the attribute's arguments, and reports errors in them.

use crate::tokens::{Error, group, is_punct, is_word, split, until_closed};
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// The attribute's arguments: `threads = …, max_threads = …, min_blocks = …, shared = …,
/// cooperative, instances = […]`.
pub struct Arguments {
    /// Threads of a block in each dimension: one to three expressions.
    pub threads: Vec<TokenStream>,
    /// Maximum number of threads of a block.
    pub max_threads: Option<TokenStream>,
    /// Minimum number of blocks of a multiprocessor.
    pub min_blocks: Option<TokenStream>,
    /// Bytes of dynamic shared memory of a block.
    pub shared: Option<TokenStream>,
    pub cooperative: bool,
    pub instances: Option<Vec<Instance>>,
}

/// An instance `name: (values)`: a kernel for given values of the generic parameters.
#[derive(Clone)]
pub struct Instance {
    pub name: Ident,
    pub values: Vec<TokenStream>,
    pub span: Span,
}

/// The function that becomes a kernel.
pub struct Function {
    /// The documentation.
    pub docs: TokenStream,
    /// The other attributes.
    pub attributes: TokenStream,
    pub visibility: TokenStream,
    /// `unsafe`, or empty.
    pub safety: TokenStream,
    pub name: Ident,
    pub generics: Vec<Generic>,
    pub parameters: Parameters,
    pub wheres: TokenStream,
    pub body: Group,
}

/// A generic parameter: `const W: usize` or `A: Bound`.
pub struct Generic {
    pub name: Ident,
    pub declaration: TokenStream,
    /// Type of a const parameter, or `None` for a type parameter.
    pub constant: Option<TokenStream>,
}

pub enum Parameters {
    /// `x: T, …`, to be made into a struct.
    Plain(Vec<Parameter>),
    /// `self: Type`, where the type is the struct.
    Own { this: Ident, kind: TokenStream },
}

/// A parameter `x: T` with its documentation.
pub struct Parameter {
    pub docs: TokenStream,
    pub name: Ident,
    pub kind: TokenStream,
    /// As declared in the function: `mut x: T`.
    pub declaration: TokenStream,
}

const KNOWN: &str = "threads, max_threads, min_blocks, shared or instances";

/// The argument without a value.
const COOPERATIVE: &str = "cooperative";

/// Parses the attribute's arguments.
pub fn arguments(tokens: TokenStream) -> Result<Arguments, Error> {
    let mut given: Vec<(Ident, Vec<TokenTree>)> = Vec::new();
    let mut cooperative = false;
    for part in split(&Vec::from_iter(tokens)) {
        let Some(TokenTree::Ident(key)) = part.first().filter(|_| is_punct(part.get(1), '=') && part.len() > 2) else {
            if part.len() == 1 && is_word(part.first(), COOPERATIVE) {
                cooperative = true;
                continue;
            }
            let form = format!("an argument of #[kernel] is `name = value`, with {KNOWN}, or `{COOPERATIVE}`");
            return Err(Error::new(place(&part), form));
        };
        if given.iter().any(|(known, _)| known.to_string() == key.to_string()) {
            return Err(Error::new(key.span(), format!("`{key}` is given twice")));
        }
        given.push((key.clone(), part[2..].to_vec()));
    }
    let mut take = |wanted: &str| {
        let i = given.iter().position(|(key, _)| key.to_string() == wanted)?;
        Some(given.swap_remove(i).1)
    };
    let (threads, max_threads, min_blocks) = (take("threads"), take("max_threads"), take("min_blocks"));
    let shared = take("shared");
    let instances = take("instances").map(|value| instances(&value)).transpose()?;
    if let Some((key, _)) = given.first() {
        return Err(Error::new(
            key.span(),
            format!("#[kernel] has no argument `{key}`: it takes {KNOWN}, or `{COOPERATIVE}`"),
        ));
    }
    let Some(threads) = threads else {
        let advice = "#[kernel] needs `threads = N` or `threads = [X, Y]`, the threads of a block";
        return Err(Error::new(Span::call_site(), advice));
    };
    let threads = match group(threads.first(), Delimiter::Bracket).filter(|_| threads.len() == 1) {
        Some(dimensions) => list(dimensions).into_iter().map(TokenStream::from_iter).collect(),
        None => vec![TokenStream::from_iter(threads.clone())],
    };
    if !(1..=3).contains(&threads.len()) {
        return Err(Error::new(Span::call_site(), "a block has one, two or three dimensions"));
    }
    let stream = |tokens: Option<Vec<TokenTree>>| tokens.map(TokenStream::from_iter);
    let (max_threads, min_blocks, shared) = (stream(max_threads), stream(min_blocks), stream(shared));
    Ok(Arguments { threads, max_threads, min_blocks, shared, cooperative, instances })
}

fn instances(tokens: &[TokenTree]) -> Result<Vec<Instance>, Error> {
    let form = "instances are a list: [name: (values), …]";
    let Some(all) = group(tokens.first(), Delimiter::Bracket) else { return Err(Error::new(place(tokens), form)) };
    let one = |part: Vec<TokenTree>| match (part.first(), group(part.get(2), Delimiter::Parenthesis)) {
        (Some(TokenTree::Ident(name)), Some(values)) if is_punct(part.get(1), ':') && part.len() == 3 => Ok(Instance {
            name: name.clone(),
            values: list(values).into_iter().map(TokenStream::from_iter).collect(),
            span: values.span(),
        }),
        _ => Err(Error::new(place(&part), form)),
    };
    list(all).into_iter().map(one).collect()
}

/// Parses the function.
pub fn function(tokens: TokenStream) -> Result<Function, Error> {
    let tokens = Vec::from_iter(tokens);
    let (docs, attributes, mut i) = attributes(&tokens);
    let mut visibility = TokenStream::new();
    if is_word(tokens.get(i), "pub") {
        let end = i + 1 + usize::from(group(tokens.get(i + 1), Delimiter::Parenthesis).is_some());
        visibility = tokens[i..end].iter().cloned().collect();
        i = end;
    }
    let mut safety = TokenStream::new();
    if is_word(tokens.get(i), "unsafe") {
        safety = tokens[i].clone().into();
        i += 1;
    }
    if !is_word(tokens.get(i), "fn") {
        return Err(Error::new(place(&tokens[i..]), "#[kernel] makes a kernel of a `fn` or an `unsafe fn`"));
    }
    let Some(TokenTree::Ident(name)) = tokens.get(i + 1) else { return Err(Error::new(place(&tokens), "a name")) };
    i += 2;
    let mut generics = Vec::new();
    if is_punct(tokens.get(i), '<') {
        let end = i + 1 + until_closed(&tokens[i + 1..]);
        generics = split(&tokens[i + 1..end]).into_iter().map(generic).collect::<Result<_, _>>()?;
        i = end + 1;
    }
    let Some(inside) = group(tokens.get(i), Delimiter::Parenthesis) else {
        return Err(Error::new(name.span(), "the parameters of a kernel stand after its name"));
    };
    let parameters = parameters(inside)?;
    i += 1;
    if is_punct(tokens.get(i), '-') {
        return Err(Error::new(place(&tokens[i..]), "a kernel returns nothing: it writes its results to memory"));
    }
    match group(tokens.last(), Delimiter::Brace) {
        Some(body) if i < tokens.len() => Ok(Function {
            docs,
            attributes,
            visibility,
            safety,
            name: name.clone(),
            generics,
            parameters,
            wheres: tokens[i..tokens.len() - 1].iter().cloned().collect(),
            body: body.clone(),
        }),
        _ => Err(Error::new(name.span(), "a kernel has a body")),
    }
}

/// Returns the documentation, the other attributes, and their number of tokens.
fn attributes(tokens: &[TokenTree]) -> (TokenStream, TokenStream, usize) {
    let (mut docs, mut others, mut i) = (TokenStream::new(), TokenStream::new(), 0);
    while is_punct(tokens.get(i), '#')
        && let Some(inside) = group(tokens.get(i + 1), Delimiter::Bracket)
    {
        let is_doc = is_word(inside.stream().into_iter().next().as_ref(), "doc");
        let list = if is_doc { &mut docs } else { &mut others };
        list.extend(tokens[i..i + 2].iter().cloned());
        i += 2;
    }
    (docs, others, i)
}

fn generic(tokens: Vec<TokenTree>) -> Result<Generic, Error> {
    if is_punct(tokens.first(), '\'') {
        return Err(Error::new(place(&tokens), "a kernel has no lifetimes: its parameters are copied to the device"));
    }
    let is_const = is_word(tokens.first(), "const");
    match tokens.get(usize::from(is_const)) {
        Some(TokenTree::Ident(name)) => Ok(Generic {
            name: name.clone(),
            // The tokens after `const NAME:`.
            constant: is_const.then(|| tokens.iter().skip(3).cloned().collect()),
            declaration: tokens.into_iter().collect(),
        }),
        _ => Err(Error::new(place(&tokens), "a generic parameter is `const NAME: Type` or `Name: Bounds`")),
    }
}

fn parameters(inside: &Group) -> Result<Parameters, Error> {
    let all = list(inside);
    let Some(first) = all.first().filter(|first| is_word(first.first(), "self")) else {
        let plain: Vec<_> = all.into_iter().map(parameter).collect::<Result<_, _>>()?;
        return plain.iter().try_for_each(check_type).map(|()| Parameters::Plain(plain));
    };
    let Parameter { name, kind, .. } = parameter(first.clone())?;
    match all.get(1) {
        None => Ok(Parameters::Own { this: name, kind }),
        Some(more) => {
            Err(Error::new(place(more), "beside `self: Type` a kernel has no parameters: they are in the type"))
        }
    }
}

fn parameter(tokens: Vec<TokenTree>) -> Result<Parameter, Error> {
    let (docs, others, start) = attributes(&tokens);
    let at = start + usize::from(is_word(tokens.get(start), "mut"));
    match tokens.get(at) {
        Some(TokenTree::Ident(name)) if is_punct(tokens.get(at + 1), ':') && others.is_empty() => Ok(Parameter {
            docs,
            name: name.clone(),
            kind: tokens[at + 2..].iter().cloned().collect(),
            declaration: tokens[start..].iter().cloned().collect(),
        }),
        _ => Err(Error::new(place(&tokens), "a kernel's parameter is `name: Type`, or its only one `self: Type`")),
    }
}

/// Refuses the types of the host's memory, with the type to write in their place.
fn check_type(parameter: &Parameter) -> Result<(), Error> {
    let kind = Vec::from_iter(parameter.kind.clone());
    let name = &parameter.name;
    let wrong = |advice: String| Err(Error::new(place(&kind), advice));
    let array = |element: String| wrong(format!("arrays are `Global<T>`: write `{name}: Global<{element}>`"));
    let text = || wrong(format!("text is an array of bytes: write `{name}: Global<u8>`"));

    let is_reference = is_punct(kind.first(), '&');
    let is_mutable = is_word(kind.get(1), "mut");
    let start = if is_reference { 1 + usize::from(is_mutable) } else { 0 };
    // An array of fixed size is passed by value.
    if let Some(slice) = group(kind.get(start), Delimiter::Bracket)
        && (is_reference || !slice.stream().into_iter().any(|token| is_punct(Some(&token), ';')))
    {
        let element: TokenStream = slice.stream().into_iter().take_while(|token| !is_punct(Some(token), ';')).collect();
        return array(element.to_string());
    }
    if is_reference && is_word(kind.get(start), "str") {
        return text();
    }
    if is_reference {
        let advice = "a kernel has no references, because the device has memory of its own: pass a value by itself, and an \
                      array as `Global<T>`";
        return wrong(advice.to_owned());
    }
    // The last name of the path, and its generic arguments.
    let open = kind.iter().position(|token| is_punct(Some(token), '<')).unwrap_or(kind.len());
    let last = open.checked_sub(1).and_then(|last| kind.get(last));
    if is_word(last, "String") {
        return text();
    }
    if is_word(last, "Vec") || is_word(last, "Box") {
        let inside = kind.get(open + 1..kind.len().saturating_sub(1)).unwrap_or_default();
        return array(inside.iter().cloned().collect::<TokenStream>().to_string());
    }
    Ok(())
}

/// Returns the parts of a group between its commas.
fn list(group: &Group) -> Vec<Vec<TokenTree>> {
    split(&Vec::from_iter(group.stream()))
}

/// Returns the position of the first token, or that of the attribute if there are no tokens.
fn place(tokens: &[TokenTree]) -> Span {
    tokens.first().map_or_else(Span::call_site, TokenTree::span)
}
