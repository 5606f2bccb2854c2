//! Patterns as small numbers: every position is the number of its class.

use crate::memory;
use crate::text::{Class, Pattern};

/// Largest number of different classes.
const CLASSES: usize = 1 << 10;

/// Patterns as small numbers: every position is the number of its class.
pub struct Encoded {
    /// The different classes.
    pub classes: Vec<Class>,
    /// The class of each position, one pattern after the other.
    pub positions: Vec<u16>,
    /// The start of each pattern's positions, and the end of the last one's.
    pub starts: Vec<usize>,
    /// For each symbol the number of its atom. An atom is a set of symbols that are in the same
    /// classes.
    pub atoms: [u8; 256],
    /// The atoms of each class.
    pub members: Vec<Vec<u8>>,
    /// For each class that is a single atom, a code from 1 on; 0 for the others. A symbol of the
    /// text determines its class only for these.
    pub codes: Vec<u16>,
}

impl Encoded {
    /// Returns `None` if there are too many different classes, or if memory runs out.
    pub fn new(patterns: &[&Pattern]) -> Option<Self> {
        let total = patterns.iter().map(|pattern| pattern.len()).sum();
        let (mut positions, mut starts) = (Vec::new(), Vec::new());
        memory::reserve(&mut positions, total, "the positions of patterns").ok()?;
        memory::reserve(&mut starts, patterns.len() + 1, "the starts of patterns").ok()?;
        starts.push(0);
        let mut classes: Vec<Class> = Vec::new();
        // Class numbers by first symbol; the last list is for the empty class.
        let mut by_symbol: Vec<Vec<u16>> = vec![Vec::new(); 257];
        for pattern in patterns {
            for class in pattern.classes() {
                let same = &mut by_symbol[class.symbols().next().map_or(256, usize::from)];
                let known = same.iter().copied().find(|number| classes[usize::from(*number)] == *class);
                let number = known.unwrap_or(classes.len() as u16);
                if known.is_none() {
                    if classes.len() == CLASSES {
                        return None;
                    }
                    same.push(number);
                    classes.push(*class);
                }
                positions.push(number);
            }
            starts.push(positions.len());
        }
        let atoms = atoms(&classes);
        let members: Vec<Vec<u8>> = classes
            .iter()
            .map(|class| {
                let mut members: Vec<u8> = class.symbols().map(|symbol| atoms[usize::from(symbol)]).collect();
                members.sort_unstable();
                members.dedup();
                members
            })
            .collect();
        let mut last = 0;
        let code = |members: &Vec<u8>| {
            let one = members.len() == 1;
            last += u16::from(one);
            if one { last } else { 0 }
        };
        let codes = members.iter().map(code).collect();
        Some(Self { classes, positions, starts, atoms, members, codes })
    }

    /// Returns the number of patterns.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the class of each position of a pattern.
    pub fn positions(&self, pattern: usize) -> &[u16] {
        &self.positions[self.starts[pattern]..self.starts[pattern + 1]]
    }

    /// Returns the codes of a pattern's positions.
    pub fn codes(&self, pattern: usize) -> impl Iterator<Item = u16> {
        self.positions(pattern).iter().map(|class| self.codes[usize::from(*class)])
    }

    /// Returns the number of bits of a code, at least 1.
    pub fn bits(&self) -> u32 {
        (u16::BITS - self.codes.iter().max().map_or(u16::BITS, |code| code.leading_zeros())).max(1)
    }

    /// Returns, for each symbol, the code of the class that it determines, or 0.
    pub fn symbol_codes(&self) -> [u16; 256] {
        let mut of_atom = [0; 256];
        for (members, code) in self.members.iter().zip(&self.codes) {
            if let [atom] = members[..] {
                of_atom[usize::from(atom)] = *code;
            }
        }
        self.atoms.map(|atom| of_atom[usize::from(atom)])
    }

    /// Lists the stretches of a pattern's positions that have codes, as (start, length).
    pub fn stretches(&self, pattern: usize, stretches: &mut Vec<(usize, usize)>) {
        stretches.clear();
        let mut length = 0;
        for (i, code) in self.codes(pattern).chain([0]).enumerate() {
            if code > 0 {
                length += 1;
            } else if length > 0 {
                stretches.push((i - length, std::mem::take(&mut length)));
            }
        }
    }

    /// Estimates the effective number of different symbols: the inverse of the probability that two
    /// randomly chosen coded positions of the patterns are equal. A natural language has fewer than
    /// its alphabet.
    pub fn effective_symbols(&self) -> f64 {
        let mut counts = vec![0u64; self.classes.len() + 1];
        for class in &self.positions {
            counts[usize::from(self.codes[usize::from(*class)])] += 1;
        }
        let total: u64 = counts[1..].iter().sum();
        let equal: f64 = counts[1..].iter().map(|count| (*count as f64 / total.max(1) as f64).powi(2)).sum();
        1.0 / equal.max(f64::MIN_POSITIVE)
    }

    /// Returns a pattern, decoded.
    pub fn pattern(&self, pattern: usize) -> Pattern {
        Pattern::new(self.positions(pattern).iter().map(|class| self.classes[usize::from(*class)]).collect())
    }
}

/// Returns an atom number for each symbol; symbols in the same classes share it.
fn atoms(classes: &[Class]) -> [u8; 256] {
    let mut atoms = [0u8; 256];
    let mut count = 1;
    for class in classes {
        // For each atom, the number of its symbols that are in the class, and the number of all its
        // symbols.
        let mut sizes = [(0u32, 0u32); 256];
        for symbol in 0..=255u8 {
            let (inside, all) = &mut sizes[usize::from(atoms[usize::from(symbol)])];
            *inside += u32::from(class.contains(symbol));
            *all += 1;
        }
        let split = sizes.map(|(inside, all)| {
            let split = inside > 0 && inside < all;
            count += usize::from(split);
            // At most 256 atoms, because each has a symbol.
            split.then_some((count - 1) as u8)
        });
        for symbol in class.symbols() {
            let atom = &mut atoms[usize::from(symbol)];
            *atom = split[usize::from(*atom)].unwrap_or(*atom);
        }
    }
    atoms
}
