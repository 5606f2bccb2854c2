//! Lists of tokens: split at commas, or built from templates.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// An error in the source, with its position.
pub struct Error {
    span: Span,
    message: String,
}

impl Error {
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }

    /// Returns a `compile_error!` that the compiler reports at the position.
    pub fn into_tokens(self) -> TokenStream {
        let message = TokenTree::from(Literal::string(&self.message)).into();
        let code = fill("::core::compile_error! { $message }", &[("message", &message)]);
        code.into_iter().map(|token| with_span(token, self.span)).collect()
    }
}

/// Moves the token, and all tokens inside it, to a source position.
fn with_span(token: TokenTree, span: Span) -> TokenTree {
    let mut token = match token {
        TokenTree::Group(group) => {
            let inside = group.stream().into_iter().map(|token| with_span(token, span)).collect();
            Group::new(group.delimiter(), inside).into()
        }
        other => other,
    };
    token.set_span(span);
    token
}

pub fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

pub fn is_word(token: Option<&TokenTree>, wanted: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident.to_string() == wanted)
}

/// Returns the group if the token is a group with this delimiter.
pub fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// Returns the number of tokens before the `>` that closes a bracket opened before the list, or the
/// number of all tokens if there is none. The `>` of an arrow `->` or `=>` closes nothing.
pub fn until_closed(tokens: &[TokenTree]) -> usize {
    let (mut depth, mut arrow) = (0, false);
    for (i, token) in tokens.iter().enumerate() {
        if is_punct(Some(token), '<') {
            depth += 1;
        } else if is_punct(Some(token), '>') && !arrow {
            if depth == 0 {
                return i;
            }
            depth -= 1;
        }
        arrow = matches!(token, TokenTree::Punct(punct)
            if matches!(punct.as_char(), '-' | '=') && punct.spacing() == Spacing::Joint);
    }
    tokens.len()
}

/// Splits tokens at commas. Commas inside brackets of any type do not split, and a trailing comma
/// adds no part.
pub fn split(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    let mut i = 0;
    while i < tokens.len() {
        let end = if is_punct(tokens.get(i), ',') {
            parts.push(Vec::new());
            i + 1
        } else if is_punct(tokens.get(i), '<') {
            let end = (i + 2 + until_closed(&tokens[i + 1..])).min(tokens.len());
            parts.last_mut().expect("one at least").extend_from_slice(&tokens[i..end]);
            end
        } else {
            parts.last_mut().expect("one at least").push(tokens[i].clone());
            i + 1
        };
        i = end;
    }
    parts.pop_if(|last| last.is_empty());
    parts
}

/// Joins the lists, with a comma after each.
pub fn with_commas(lists: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let comma = || TokenStream::from(TokenTree::from(Punct::new(',', Spacing::Alone)));
    lists.into_iter().flat_map(|list| [list, comma()]).collect()
}

/// Returns the code of a template with each `$name` replaced by the part of that name.
pub fn fill(template: &str, parts: &[(&str, &TokenStream)]) -> TokenStream {
    insert(template.parse().expect("a template is Rust"), parts)
}

fn insert(template: TokenStream, parts: &[(&str, &TokenStream)]) -> TokenStream {
    let mut tokens = template.into_iter();
    let mut code = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                let name = tokens.next().expect("a name after $").to_string();
                let (_, part) = parts.iter().find(|(known, _)| *known == name).expect("a known part");
                code.extend((*part).clone());
            }
            TokenTree::Group(group) => {
                code.extend([TokenTree::from(Group::new(group.delimiter(), insert(group.stream(), parts)))]);
            }
            other => code.extend([other]),
        }
    }
    code
}

/// Replaces some names in the tokens, inside groups as well.
pub fn replace(tokens: &TokenStream, values: &[(&Ident, &TokenStream)]) -> TokenStream {
    let one = |token: TokenTree| match token {
        TokenTree::Ident(ident) => match values.iter().find(|(name, _)| name.to_string() == ident.to_string()) {
            Some((_, value)) => (*value).clone(),
            None => TokenTree::from(ident).into(),
        },
        TokenTree::Group(group) => {
            TokenTree::from(Group::new(group.delimiter(), replace(&group.stream(), values))).into()
        }
        other => other.into(),
    };
    tokens.clone().into_iter().flat_map(one).collect()
}

pub fn one(ident: &Ident) -> TokenStream {
    TokenTree::from(ident.clone()).into()
}

/// Returns an identifier.
pub fn word(name: &str, span: Span) -> TokenStream {
    one(&Ident::new(name, span))
}

/// Returns a string literal.
pub fn text(text: &str) -> TokenStream {
    TokenTree::from(Literal::string(text)).into()
}

/// Converts `matrix_sum` to `MatrixSum`.
pub fn camel_case(name: &str) -> String {
    let capital = |word: &str| word.chars().next().into_iter().flat_map(char::to_uppercase).collect::<String>();
    name.split('_').map(|word| capital(word) + word.get(1..).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::camel_case;

    #[test]
    fn names_become_camel_case() {
        let cases =
            [("saxpy", "Saxpy"), ("matrix_sum", "MatrixSum"), ("umm_3m", "Umm3m"), ("_keep_", "Keep"), ("a", "A")];
        for (name, wanted) in cases {
            assert_eq!(camel_case(name), wanted);
        }
    }
}
