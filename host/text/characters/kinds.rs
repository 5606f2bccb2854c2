//! Kinds of characters: characters that no pattern distinguishes share a kind, and a code.

use super::pattern::CharacterPattern;
use super::set::{FIRST_BEYOND_ASCII, OTHER, Set};
use super::table::{CodeTable, FIRST, REST};
use crate::text::class::Class;
use crate::text::pattern::Pattern;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Patterns in codes, and the codes.
pub(super) struct CodedPatterns {
    pub(super) table: CodeTable,
    pub(super) patterns: Vec<Pattern>,
}

/// The sets of some patterns, which define the kinds of characters.
pub(super) struct Kinds<'p> {
    patterns: Vec<&'p CharacterPattern>,
    pub(super) sets: Vec<&'p Set>,
    pub(super) numbers: HashMap<&'p Set, u32>,
}

impl<'p> Kinds<'p> {
    pub(super) fn new(patterns: &[&'p CharacterPattern]) -> Self {
        let mut numbers: HashMap<&Set, u32> = HashMap::new();
        let mut sets: Vec<&Set> = Vec::new();
        for set in patterns.iter().flat_map(|pattern| pattern.sets()) {
            numbers.entry(set).or_insert_with(|| {
                sets.push(set);
                sets.len() as u32 - 1
            });
        }
        Self { patterns: patterns.to_vec(), sets, numbers }
    }

    /// Returns the sets that include the characters that no pattern names.
    fn in_rest(&self) -> Vec<u32> {
        (0..).zip(&self.sets).filter(|(_, set)| set.contains(OTHER)).map(|(set, _)| set).collect()
    }

    /// Returns the kinds of characters outside ASCII that need a code, in the order of characters:
    /// for each, the sets that include it.
    pub(super) fn all(&self) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let mut known = HashSet::from([self.in_rest()]);
        alike(&self.sets, |_, members| {
            if known.insert(members.clone()) {
                all.push(members);
            }
            true
        });
        all
    }

    /// Returns the codes that the kinds of a single pattern may use: those outside ASCII, and those
    /// of ASCII characters that the pattern does not distinguish from characters it does not name,
    /// except for line ends.
    pub(super) fn free_codes(&self) -> Vec<u8> {
        let sets: Vec<(Class, bool)> = self.sets.iter().map(|set| (set.ascii(), set.contains(OTHER))).collect();
        let is_free = |symbol: &u8| {
            !b"\n\r".contains(symbol) && sets.iter().all(|(own, has_rest)| own.contains(*symbol) == *has_rest)
        };
        (FIRST..REST).chain((0..FIRST).filter(is_free)).collect()
    }

    /// Assigns a code to each kind; `None` if there are fewer codes than kinds.
    pub(super) fn codes(&self, free: &[u8]) -> Option<CodedPatterns> {
        self.codes_by(|number| free.get(number).copied())
    }

    /// Assigns a code outside ASCII to each kind; `None` if there are fewer such codes than kinds.
    pub(super) fn codes_beyond_ascii(&self) -> Option<CodedPatterns> {
        self.codes(&(FIRST..REST).collect::<Vec<u8>>())
    }

    /// Assigns the codes that `code` returns for the kinds, by their numbers in the order of
    /// characters.
    pub(super) fn codes_by(&self, mut code: impl FnMut(usize) -> Option<u8>) -> Option<CodedPatterns> {
        let mut below = vec![0; OTHER as usize];
        let mut coded = vec![Class::default(); self.sets.len()];
        // Maps the sets of some characters to the code of these characters.
        let mut codes: HashMap<Vec<u32>, u8> = HashMap::new();
        let in_rest = self.in_rest();
        in_rest.iter().for_each(|&set| coded[set as usize].insert(REST));
        codes.insert(in_rest, REST);
        let mut taken = Class::default();
        let all_have_one = alike(&self.sets, |characters, members| {
            let next = codes.len() - 1;
            let code = match codes.get(&members) {
                Some(&known) => known,
                None => {
                    let Some(code) = code(next) else { return false };
                    if code.is_ascii() {
                        taken.insert(code);
                    }
                    members.iter().for_each(|&set| coded[set as usize].insert(code));
                    codes.insert(members, code);
                    code
                }
            };
            if code != REST {
                below[characters.start as usize..characters.end as usize].fill(REST - code);
            }
            true
        });
        if !all_have_one {
            return None;
        }
        let class = |(set, coded): (&&Set, &Class)| {
            // Includes unused codes, so that the class is the one that matches everything.
            if set.is_all() {
                return Class::ANY;
            }
            let own = set.ascii().symbols().filter(|&symbol| !taken.contains(symbol));
            Class::from_symbols(own.chain(coded.symbols()))
        };
        let classes: Vec<Class> = self.sets.iter().zip(&coded).map(class).collect();
        let of_codes = |pattern: &&CharacterPattern| {
            pattern.coded(|set| self.numbers.get(set).map_or(Class::ANY, |&set| classes[set as usize]))
        };
        let patterns = self.patterns.iter().map(of_codes).collect();
        Some(CodedPatterns { table: CodeTable::new(below, taken), patterns })
    }
}

/// Calls `take` with ranges of characters outside ASCII, and the numbers of the sets that include
/// the whole range, until it returns false. Returns false if it was stopped.
fn alike(sets: &[&Set], mut take: impl FnMut(std::ops::Range<u32>, Vec<u32>) -> bool) -> bool {
    // The borders of all ranges of the sets: position, set, and true if the range begins there.
    let mut borders: Vec<(u32, u32, bool)> = Vec::new();
    for (number, set) in (0..).zip(sets) {
        for (first, last) in set.ranges().filter(|&(_, last)| last >= FIRST_BEYOND_ASCII) {
            borders.push((first.max(FIRST_BEYOND_ASCII), number, true));
            borders.push((last + 1, number, false));
        }
    }
    borders.sort_unstable();
    let mut members = BTreeSet::new();
    let mut from = FIRST_BEYOND_ASCII;
    for (at, number, begins) in borders {
        if at > from {
            if !take(from..at.min(OTHER), members.iter().copied().collect()) {
                return false;
            }
            from = at;
        }
        if begins {
            members.insert(number)
        } else {
            members.remove(&number)
        };
    }
    from >= OTHER || take(from..OTHER, members.into_iter().collect())
}
