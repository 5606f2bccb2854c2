//! The relation of symbols of two strings that count as equal.

use super::alphabet::{Alphabet, TextCodes};
use super::class::Class;
use std::fmt;
use std::sync::Arc;

/// A relation of symbols of two strings that count as equal: each symbol is equal to itself, and to
/// others by the rules that you add. It is symmetric but not transitive: N is equal to A and to C,
/// but A is not equal to C.
///
/// ```
/// use carrywave::text::{Class, Equality};
///
/// let equality = Equality::exact().iupac().group(b"*?");
/// assert!(
///     equality.equal(b'N', b'a')
///         && equality.equal(b'R', b'V')
///         && !equality.equal(b'R', b'Y')
///         && equality.equal(b'?', b'*')
/// );
/// assert!(
///     equality.class(b'?') == Class::from_symbols(*b"*?")
///         && !equality.is_exact()
///         && Equality::exact().is_exact()
/// );
/// // Where the relation is transitive, one symbol stands for all that are equal.
/// let same = Equality::exact().ignore_case().representatives(Class::ANY).unwrap();
/// assert_eq!(same[usize::from(b'a')], same[usize::from(b'A')]);
/// assert!(equality.representatives(Class::from_symbols(*b"ACN")).is_none());
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Equality {
    /// Symbols that are equal to each symbol; `None` if each symbol is only equal to itself.
    equal: Option<Arc<[Class; 256]>>,
}

impl fmt::Debug for Equality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = (0..=255u8).flat_map(|a| self.class(a).symbols().filter(move |&b| a < b).map(move |b| [a, b]));
        f.write_str("Equality ")?;
        f.debug_list().entries(pairs.map(|pair| pair.escape_ascii().to_string())).finish()
    }
}

impl Equality {
    /// Returns the relation where each symbol is only equal to itself. As in the [example](Self).
    pub fn exact() -> Self {
        Self::default()
    }

    /// Makes the upper and lower case of each ASCII letter equal, as in the [example](Self).
    pub fn ignore_case(self) -> Self {
        (b'a'..=b'z').fold(self, |equality, letter| equality.group(&[letter, letter.to_ascii_uppercase()]))
    }

    /// Makes two IUPAC codes equal if they have a nucleotide in common, in either case: N is equal
    /// to all of them, R (A or G) to A, G and every code that stands for A or G; U is T. As in the
    /// [example](Self).
    pub fn iupac(mut self) -> Self {
        let equal = self.classes_mut();
        for symbol in (b'A'..=b'Z').chain(b'a'..=b'z') {
            let class = Alphabet::Iupac.class_with(symbol, TextCodes::Overlap).unwrap_or_default();
            class.symbols().for_each(|other| equal[usize::from(symbol)].insert(other));
        }
        self
    }

    /// Makes these symbols equal to each other, as in the [example](Self).
    pub fn group(mut self, symbols: &[u8]) -> Self {
        let equal = self.classes_mut();
        for &symbol in symbols {
            symbols.iter().for_each(|&other| equal[usize::from(symbol)].insert(other));
        }
        self
    }

    fn classes_mut(&mut self) -> &mut [Class; 256] {
        let exact = || Arc::new(std::array::from_fn(|symbol| Class::from_symbol(symbol as u8)));
        Arc::make_mut(self.equal.get_or_insert_with(exact))
    }

    /// Returns the symbols that are equal to one, itself included. As in the [example](Self).
    pub fn class(&self, symbol: u8) -> Class {
        self.equal.as_ref().map_or_else(|| Class::from_symbol(symbol), |equal| equal[usize::from(symbol)])
    }

    /// Returns true if two symbols are equal, as in the [example](Self).
    #[inline]
    pub fn equal(&self, a: u8, b: u8) -> bool {
        self.equal.as_ref().map_or(a == b, |equal| equal[usize::from(a)].contains(b))
    }

    /// Returns true if each symbol is only equal to itself, as in the [example](Self).
    pub fn is_exact(&self) -> bool {
        self.equal.as_ref().is_none_or(|equal| equal.iter().all(|class| class.len() == 1))
    }

    /// Returns for each symbol of `present` the symbol that represents all its equals: two symbols
    /// are equal if they have the same representative. `None` if the relation is not transitive on
    /// `present`. As in the [example](Self).
    pub fn representatives(&self, present: Class) -> Option<[u8; 256]> {
        let mut representatives = std::array::from_fn(|symbol| symbol as u8);
        let class = |symbol: u8| self.class(symbol).intersection(present);
        for symbol in present.symbols() {
            let own = class(symbol);
            if own.symbols().any(|other| class(other) != own) {
                return None;
            }
            representatives[usize::from(symbol)] = own.symbols().next().unwrap_or(symbol);
        }
        Some(representatives)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every pair of codes with the sets of nucleotides that they represent, as bits.
    #[test]
    fn codes_of_nucleotides() {
        let equality = Equality::exact().iupac();
        let bits = |code: u8| b"-ACMGRSVTWYHKDBN".iter().position(|&c| c == code).unwrap();
        for a in *b"ACMGRSVTWYHKDBN" {
            for b in *b"ACMGRSVTWYHKDBN" {
                assert_eq!(equality.equal(a, b), bits(a) & bits(b) != 0, "{} and {}", char::from(a), char::from(b));
                assert_eq!(equality.equal(a, b), equality.equal(b.to_ascii_lowercase(), a));
            }
        }
        assert!(equality.equal(b'U', b't') && equality.equal(b'.', b'.') && !equality.equal(b'.', b'A'));
        assert!(equality.equal(b'E', b'E') && !equality.equal(b'E', b'e'));
    }

    #[test]
    fn groups_go_no_further() {
        let equality = Equality::exact().group(b"ab").group(b"bc");
        assert!(equality.equal(b'a', b'b') && equality.equal(b'c', b'b') && !equality.equal(b'a', b'c'));
        assert_eq!(format!("{equality:?}"), r#"Equality ["ab", "bc"]"#);
        assert!(!equality.is_exact() && Equality::exact().group(b"a").is_exact());
    }

    #[test]
    fn representatives_where_one_can_stand_for_all() {
        let present = |symbols: &[u8]| Class::from_symbols(symbols.iter().copied());
        let equality = Equality::exact().group(b"ab").group(b"bc");
        assert_eq!(equality.representatives(present(b"abc")), None);
        let found = equality.representatives(present(b"bcx")).unwrap();
        assert_eq!([b'b', b'c', b'x'].map(|symbol| found[usize::from(symbol)]), *b"bbx");
        let case = Equality::exact().ignore_case().representatives(Class::ANY).unwrap();
        assert_eq!((case[usize::from(b'q')], case[usize::from(b'[')]), (b'Q', b'['));
        let iupac = Equality::exact().iupac();
        assert!(
            iupac.representatives(present(b"ACGTUacgtu")).is_some() && iupac.representatives(present(b"ACN")).is_none()
        );
    }
}
