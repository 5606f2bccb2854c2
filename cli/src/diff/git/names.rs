//! Names as git writes them in the head of a patch: in double quotes, with escapes as in C, if they have special bytes.

/// A name after a prefix; both are quoted together if one of them needs it. `quotes_bytes` says whether bytes beyond ASCII are special.
pub(super) fn prefixed(prefix: &[u8], name: &[u8], quotes_bytes: bool) -> Vec<u8> {
    let whole = [prefix, name].concat();
    let is_special = |&byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f | 0x7f) || quotes_bytes && byte >= 0x80;
    if !whole.iter().any(is_special) {
        return whole;
    }
    let mut text = vec![b'"'];
    for byte in whole {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', byte]),
            7..=13 => text.extend([b'\\', b"abtnvfr"[usize::from(byte) - 7]]),
            _ if is_special(&byte) => text.extend(format!("\\{byte:03o}").into_bytes()),
            _ => text.push(byte),
        }
    }
    text.push(b'"');
    text
}

/// A name for a line that begins with `---` or `+++`: a tab follows a name with a space, so that `patch` finds the end of the name.
pub fn ended(mut name: Vec<u8>) -> Vec<u8> {
    if name.contains(&b' ') {
        name.push(b'\t');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_bytes_are_quoted() {
        let text =
            |name: &str, quotes_bytes| String::from_utf8(prefixed(b"a/", name.as_bytes(), quotes_bytes)).unwrap();
        assert_eq!(text("a b", true), "a/a b");
        assert_eq!(text("t\tn\nr\rq\"b\\", true), r#""a/t\tn\nr\rq\"b\\""#);
        assert_eq!(text("\u{1}\u{7}\u{7f}", false), r#""a/\001\a\177""#);
        assert_eq!(text("é", true), r#""a/\303\251""#);
        assert_eq!((text("é", false), text("é\n", false)), ("a/é".into(), "\"a/é\\n\"".into()));
        assert_eq!(prefixed("ä/".as_bytes(), b"x", true), br#""\303\244/x""#);
        assert_eq!((ended(b"a/a b".to_vec()), ended(b"a/b".to_vec())), (b"a/a b\t".to_vec(), b"a/b".to_vec()));
    }
}
