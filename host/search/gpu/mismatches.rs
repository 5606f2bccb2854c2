//! Search with substitutions only: many patterns in one pass, with positions that must match.

use super::planes;
use super::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Writes};
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use crate::text::{Class, Pattern};
use carrywave_kernels::search::mismatches::{MAX_PATTERNS, MAX_SYMBOLS, Mismatches, NARROW};
use carrywave_kernels::search::planes::{PLANES, TILE};
use simt_std::U32x4;
use std::collections::BTreeMap;
use std::ops::Range;

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "mismatches",
    "substitutions only, up to 256 patterns of up to 32 symbols per pass, at matches of their fixed symbols; counts and hits",
    "this project",
    "3 instructions per symbol, and 8 per pattern at each match of its fixed symbols",
)
.limited(Limits {
    symbols: Some(MAX_SYMBOLS as u64),
    errors: Some(MAX_SYMBOLS - 1),
    gaps: false,
    together: true, ..Limits::NONE
});

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: |size| size.count <= MAX_PATTERNS as usize,
        writes: Writes::CountsAndHits,
        tuning: &[],
        check: |request, _| MismatchesPlan::new(request.patterns, request.k).map(drop),
        // `auto` chooses it by the absence of gaps, which is not an argument of the costs.
        cost: |_| None,
        prepare: |text, request| {
            let MismatchesPlan { kinds, groups, fixed, patterns, numbers, longest } =
                MismatchesPlan::new(request.patterns, request.k)?;
            let words: Vec<U32x4> = groups.iter().flat_map(Group::words).collect();
            let launcher = Grouped::<D> {
                longest,
                group_count: groups.len() as u32,
                pattern_count: numbers.len() as u32,
                kinds: text.upload(&kinds, "kinds of symbols")?,
                groups: text.upload(&words, "groups of patterns")?,
                // The list may be empty, but no buffer is.
                fixed: text.upload(if fixed.is_empty() { &[0] } else { &fixed }, "symbols that must match")?,
                patterns: text.upload(&patterns, "patterns")?,
                numbers: text.upload(&numbers, "numbers of patterns")?,
            };
            Ok(Prepared { launcher: Box::new(launcher), last_bits: (0..numbers.len() as u32).collect() })
        },
    }
}

/// Patterns with the same length, k and fixed part, side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    patterns: Range<u32>,
    fixed: Range<u32>,
    m: u32,
    /// Least number of free symbols that must match.
    least: u32,
    /// Number of free symbols.
    free: u32,
    /// True if some free symbols are of kinds beyond the first planes.
    is_wide: bool,
}

impl Group {
    fn words(&self) -> [U32x4; 2] {
        let Self { patterns, fixed, m, least, free, is_wide } = self;
        [U32x4([patterns.start, patterns.end, fixed.start, fixed.end]), U32x4([*m, *least, *free, u32::from(*is_wide)])]
    }
}

/// Patterns as the kernel takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct MismatchesPlan {
    kinds: Vec<u32>,
    groups: Vec<Group>,
    fixed: Vec<u32>,
    patterns: Vec<U32x4>,
    numbers: Vec<u32>,
    /// m of the longest pattern.
    longest: u32,
}

impl MismatchesPlan {
    fn new(patterns: &[Pattern], k: u32) -> Result<Self> {
        let refuse = |reason: String| Err(ABOUT.unsupported(reason));
        let longest = patterns.iter().map(Pattern::len).max().unwrap_or(0) as u32;
        if longest > MAX_SYMBOLS {
            return refuse(format!("supports patterns of up to {MAX_SYMBOLS} symbols, not {longest}"));
        }
        let Some(planes) = Planes::from_patterns(patterns) else {
            return refuse(format!(
                "supports patterns that distinguish at most {PLANES} groups of symbols, such as DNA"
            ));
        };
        let mut groups: BTreeMap<(usize, bool, Vec<u32>), Vec<usize>> = BTreeMap::new();
        for (number, pattern) in patterns.iter().enumerate() {
            let positions = pattern.classes().iter().enumerate().filter(|&(i, _)| pattern.is_fixed(i));
            let fixed = positions.map(|(i, &class)| i as u32 | planes.of_class(class) << 8).collect();
            let [_, others] = planes.free_symbols(pattern);
            let is_wide = others != U32x4([0; NARROW]);
            groups.entry((pattern.len(), is_wide, fixed)).or_default().push(number);
        }
        let (kinds, mut plan) = (planes::table(&planes.0), Self::empty(longest));
        plan.kinds = kinds;
        for ((m, is_wide, fixed), members) in groups {
            let (first, first_fixed) = (plan.numbers.len() as u32, plan.fixed.len() as u32);
            let free = (m - fixed.len()) as u32;
            plan.fixed.extend(fixed);
            for number in members {
                plan.numbers.push(number as u32);
                plan.patterns.extend(planes.free_symbols(&patterns[number]));
            }
            plan.groups.push(Group {
                patterns: first..plan.numbers.len() as u32,
                fixed: first_fixed..plan.fixed.len() as u32,
                m: m as u32,
                least: free.saturating_sub(k),
                free,
                is_wide,
            });
        }
        Ok(plan)
    }

    fn empty(longest: u32) -> Self {
        Self {
            kinds: Vec::new(),
            groups: Vec::new(),
            fixed: Vec::new(),
            patterns: Vec::new(),
            numbers: Vec::new(),
            longest,
        }
    }
}

/// The kinds of symbols that some patterns distinguish: one plane for each kind.
struct Planes(Vec<Class>);

impl Planes {
    /// Computes the kinds, those of the most free symbols first, so that few groups are wide.
    /// `None` if there are too many kinds.
    fn from_patterns(patterns: &[Pattern]) -> Option<Self> {
        let mut classes: Vec<Class> = patterns.iter().flat_map(Pattern::classes).copied().collect();
        classes.sort_unstable();
        classes.dedup();
        // Symbols in the same classes are of one kind; symbols in no class have no kind.
        let mut kinds: BTreeMap<Vec<bool>, Class> = BTreeMap::new();
        for symbol in 0..=255u8 {
            let within: Vec<bool> = classes.iter().map(|class| class.contains(symbol)).collect();
            if within.contains(&true) {
                kinds.entry(within).or_default().insert(symbol);
            }
        }
        if kinds.len() > PLANES {
            return None;
        }
        let mut planes: Vec<Class> = kinds.into_values().collect();
        let positions = |kind: &Class| {
            let free = |pattern: &Pattern| {
                let own = pattern.classes().iter().enumerate().filter(|&(i, _)| !pattern.is_fixed(i));
                own.filter(|(_, class)| kind.intersection(**class) == *kind).count()
            };
            patterns.iter().map(free).sum::<usize>()
        };
        planes.sort_by_cached_key(|kind| std::cmp::Reverse(positions(kind)));
        Some(Self(planes))
    }

    /// Returns one bit per plane, set if the plane's symbols are in the class. Either all symbols
    /// of a kind are in the class, or none.
    fn of_class(&self, class: Class) -> u32 {
        let planes = self.0.iter().enumerate().filter(|(_, kind)| kind.intersection(class) == **kind);
        planes.map(|(plane, _)| 1 << plane).sum()
    }

    /// Returns, for each plane, the free positions of a pattern whose class contains the plane's
    /// symbols.
    fn free_symbols(&self, pattern: &Pattern) -> [U32x4; 2] {
        let mut words = [0; PLANES];
        for (i, &class) in pattern.classes().iter().enumerate().filter(|&(i, _)| !pattern.is_fixed(i)) {
            for (plane, word) in words.iter_mut().enumerate() {
                *word |= (self.of_class(class) >> plane & 1) << i;
            }
        }
        let [a, b, c, d, e, f, g, h] = words;
        [U32x4([a, b, c, d]), U32x4([e, f, g, h])]
    }
}

struct Grouped<D: Device> {
    longest: u32,
    group_count: u32,
    pattern_count: u32,
    kinds: D::Buffer<u32>,
    groups: D::Buffer<U32x4>,
    fixed: D::Buffer<u32>,
    patterns: D::Buffer<U32x4>,
    numbers: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for Grouped<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let (text, n) = (launch.text, launch.n);
        let device = &*text.device;
        // An occurrence that ends at the first reported position starts up to m - 1 positions
        // before it.
        let first_tile = launch.from.saturating_sub(u64::from(self.longest) - 1) / TILE;
        let tiles = n.div_ceil(TILE) - first_tile;
        let mut kernel = Mismatches {
            text: device.handle(&text.text),
            n,
            first: launch.from,
            first_tile,
            tiles_per_warp: 1,
            kinds: device.handle(&self.kinds),
            groups: device.handle(&self.groups),
            group_count: self.group_count,
            pattern_count: self.pattern_count,
            fixed: device.handle(&self.fixed),
            patterns: device.handle(&self.patterns),
            numbers: device.handle(&self.numbers),
            output: launch.output,
        };
        let planes::Share { tiles_per_warp, blocks } = planes::share(device, &kernel, tiles)?;
        kernel.tiles_per_warp = tiles_per_warp;
        // SAFETY: as for `Launcher::launch`; the text is rounded up to whole tiles, the kinds are
        // 512 words, and the numbers of groups, fixed symbols and patterns are those passed to the
        // kernel.
        Ok(unsafe { device.launch(&text.stream, blocks, kernel) }?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Alphabet;

    #[test]
    fn guides_of_both_strands_are_two_groups() {
        let guide = |bases: &[u8]| Pattern::parse(bases, Alphabet::Iupac).unwrap().with_fixed(4..7).unwrap();
        let guides = [guide(b"ACGTNGG"), guide(b"CCCANGG")];
        let patterns: Vec<Pattern> = guides.iter().flat_map(|own| [own.clone(), own.reverse_complement()]).collect();
        let plan = MismatchesPlan::new(&patterns, 3).unwrap();
        assert_eq!((plan.groups.len(), plan.longest, plan.fixed.len()), (2, 7, 6));
        assert!(plan.groups.iter().all(|group| (group.m, group.least, group.free) == (7, 1, 4)));
        let mut numbers = plan.numbers.clone();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2, 3]);
        // N matches any code, and the codes for several bases are a kind of their own.
        let table = |symbol: u8| (plan.kinds[usize::from(symbol)], plan.kinds[256 + usize::from(symbol)]);
        assert_eq!(table(b'A'), table(b'a'));
        assert!(table(b'A') != table(b'C') && table(b'R') == table(b'N') && table(b'N').1 == 1);
        assert_eq!(table(b'\n'), (0, 0));
    }

    #[test]
    fn too_many_kinds_are_refused() {
        let is_wide =
            |pattern: &[u8]| MismatchesPlan::new(&[Pattern::literal(pattern)], 1).map(|plan| plan.groups[0].is_wide);
        assert_eq!(
            (is_wide(b"abcd").ok(), is_wide(b"abcde").ok(), is_wide(b"abcdefgh").ok()),
            (Some(false), Some(true), Some(true))
        );
        assert!(is_wide(b"abcdefghi").is_err());
        assert!(MismatchesPlan::new(&[Pattern::literal(&[b'a'; 33])], 1).is_err());
        let fixed = MismatchesPlan::new(&[Pattern::literal(b"abcde").with_fixed([4]).unwrap()], 1).unwrap();
        assert!(!fixed.groups[0].is_wide && fixed.fixed == [4 | 1 << (8 + 4)]);
        assert!(MismatchesPlan::new(&[Pattern::literal(b"abcdefghi").with_fixed(4..9).unwrap()], 1).is_err());
    }
}
