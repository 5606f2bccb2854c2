//! A pattern: a class of symbols for each position.

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Class([u64; 4]);

impl Class {
    /// The class of one byte.
    pub fn of(symbol: u8) -> Self {
        let mut class = Self::default();
        class.insert(symbol);
        class
    }

    /// Adds a byte.
    pub fn insert(&mut self, symbol: u8) {
        self.0[usize::from(symbol / 64)] |= 1 << (symbol % 64);
    }

    /// Whether a byte is in it.
    pub fn contains(&self, symbol: u8) -> bool {
        self.0[usize::from(symbol / 64)] >> (symbol % 64) & 1 == 1
    }
}

/// What is searched for: m classes, of which a text's symbols are to be members, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    classes: Vec<Class>,
}

impl Pattern {
    /// From the class of each position.
    pub fn new(classes: Vec<Class>) -> Self {
        Self { classes }
    }

    /// Every byte stands for itself.
    pub fn literal(symbols: &[u8]) -> Self {
        Self::new(symbols.iter().copied().map(Class::of).collect())
    }

    /// m.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether m is 0.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The class of each position.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }
}
