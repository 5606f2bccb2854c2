//! Search with insertions and deletions: many patterns in one pass, whose fixed positions are at
//! one end.

use super::planes;
use super::row::{DeviceAlgorithm, Gaps, Launch, Launcher, Prepared, Start, Writes, no_kernel};
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::error::Result;
use crate::text::{Class, Pattern};
use carrywave_kernels::search::guides::{BESIDE, CLASSES, Guides, GuidesDispatch, MAX_ERRORS, MAX_PATTERNS};
use carrywave_kernels::search::planes::{PLANES, TILE};
use simt_std::{Kernel, U32x4};
use std::collections::BTreeMap;
use std::ops::Range;

/// Cells in a row of the kernels' bands, ascending.
const BANDS: [usize; 3] = [3, 5, 9];

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "guides",
    "up to 256 patterns with fixed positions at one end per pass, at 1024 matches of them at a time, in a band; hits",
    "this project; cells: Myers 1999",
    "20 instructions per symbol beside a match of the fixed positions; 2 m (d + r + 3) per pattern and 32 matches",
)
.limited(Limits { errors: Some(MAX_ERRORS), gaps: false, gaps_if_fixed: true, together: true, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: |size| size.count <= MAX_PATTERNS as usize,
        writes: Writes::Candidates,
        tuning: &[],
        check: |request, _| GuidesPlan::new(request.patterns, request.gaps).map(drop),
        // `auto` chooses it by the fixed positions, which are not an argument of the costs.
        cost: |_| None,
        prepare: |text, request| {
            let GuidesPlan { cells, classes, groups, fixed, patterns, numbers, longest } =
                GuidesPlan::new(request.patterns, request.gaps)?;
            let words: Vec<U32x4> = groups.iter().flat_map(Group::words).collect();
            let count = numbers.len() as u32;
            let launcher = Grouped::<D> {
                cells,
                longest,
                gaps: request.gaps,
                group_count: groups.len() as u32,
                classes: text.upload(&planes::table(&classes), "classes of symbols")?,
                groups: text.upload(&words, "groups of patterns")?,
                fixed: text.upload(&fixed, "symbols that must match")?,
                patterns: text.upload(&patterns, "patterns")?,
                numbers: text.upload(&numbers, "numbers of patterns")?,
            };
            Ok(Prepared { launcher: Box::new(launcher), last_bits: (0..count).collect() })
        },
    }
}

/// Patterns with the same fixed symbols and number of free symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    patterns: Range<u32>,
    fixed: Range<u32>,
    /// Number of free symbols.
    free: u32,
    /// True if the fixed symbols are behind the free ones.
    is_behind: bool,
}

impl Group {
    fn words(&self) -> [U32x4; 2] {
        let Self { patterns, fixed, free, is_behind } = self;
        let base = fixed.end - fixed.start;
        [U32x4([patterns.start, patterns.end, fixed.start, fixed.end]), U32x4([base, *free, u32::from(*is_behind), 0])]
    }
}

/// Patterns as the kernel takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct GuidesPlan {
    /// Cells in a row of the band.
    cells: usize,
    /// The classes of the planes. Those of the free symbols are among the first [`CLASSES`].
    classes: Vec<Class>,
    groups: Vec<Group>,
    fixed: Vec<u32>,
    patterns: Vec<u64>,
    numbers: Vec<u32>,
    /// Symbols of the longest pattern.
    longest: u32,
}

/// A pattern's form.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    is_behind: bool,
    free: u32,
    /// The fixed symbols, as the kernel takes them.
    fixed: Vec<u32>,
}

impl GuidesPlan {
    fn new(patterns: &[Pattern], gaps: Gaps) -> Result<Self> {
        let refuse = |reason: String| ABOUT.unsupported(reason);
        let bulges = gaps.insertions.max(gaps.deletions) as usize;
        let cells = BANDS.into_iter().find(|cells| bulges <= cells / 2);
        let cells = cells.ok_or_else(|| refuse("supports at most 4 insertions and at most 4 deletions".into()))?;
        let classes = classes(patterns).ok_or_else(|| {
            refuse(format!("supports patterns of at most {CLASSES} classes of free positions, and {PLANES} in total"))
        })?;
        let mut forms: BTreeMap<Form, Vec<usize>> = BTreeMap::new();
        let mut codes = Vec::new();
        for (number, pattern) in patterns.iter().enumerate() {
            let form = Form::of(pattern, &classes).ok_or_else(|| {
                refuse("supports patterns whose first or last positions, and no others, are fixed".into())
            })?;
            let (least, most) = (cells as u32 / 2 + 1, BESIDE - cells as u32 / 2);
            if !(least..=most).contains(&form.free) {
                let free = form.free;
                return Err(refuse(format!("supports patterns of {least} to {most} free positions, not {free}")));
            }
            codes.push(form.codes(pattern, &classes));
            forms.entry(form).or_default().push(number);
        }
        let longest = patterns.iter().map(Pattern::len).max().unwrap_or(0) as u32;
        let mut plan = Self {
            cells,
            classes,
            groups: Vec::new(),
            fixed: Vec::new(),
            patterns: Vec::new(),
            numbers: Vec::new(),
            longest,
        };
        for (Form { is_behind, free, fixed }, members) in forms {
            let first = plan.numbers.len() as u32;
            let first_fixed = plan.fixed.len() as u32;
            plan.fixed.extend(fixed);
            plan.patterns.extend(members.iter().map(|&number| codes[number]));
            plan.numbers.extend(members.iter().map(|&number| number as u32));
            plan.groups.push(Group {
                patterns: first..plan.numbers.len() as u32,
                fixed: first_fixed..plan.fixed.len() as u32,
                free,
                is_behind,
            });
        }
        Ok(plan)
    }
}

/// Returns the classes of some patterns, those of free positions first; `None` if there are more
/// than the kernel has planes for.
fn classes(patterns: &[Pattern]) -> Option<Vec<Class>> {
    let mut classes: Vec<Class> = Vec::new();
    for is_fixed in [false, true] {
        for pattern in patterns {
            for (i, class) in pattern.classes().iter().enumerate() {
                if pattern.is_fixed(i) == is_fixed && !classes.contains(class) {
                    classes.push(*class);
                }
            }
        }
        if classes.len() > if is_fixed { PLANES } else { CLASSES } {
            return None;
        }
    }
    Some(classes)
}

/// Returns the number of a class among those of the planes.
fn plane(class: Class, classes: &[Class]) -> u64 {
    classes.iter().position(|own| *own == class).unwrap_or(0) as u64
}

impl Form {
    /// Returns the form of a pattern; `None` if its fixed positions are not all at one end.
    fn of(pattern: &Pattern, classes: &[Class]) -> Option<Self> {
        let m = pattern.len();
        let fixed: Vec<usize> = (0..m).filter(|&i| pattern.is_fixed(i)).collect();
        let free = m - fixed.len();
        let is_behind = fixed.last() == Some(&(m - 1));
        let start = if is_behind { free } else { 0 };
        // Offsets are at most 31.
        let is_at_an_end = (1..=32).contains(&fixed.len()) && fixed.iter().copied().eq(start..start + fixed.len());
        let word = |i: usize| (i - start) as u32 | 1 << (8 + plane(pattern.classes()[i], classes));
        is_at_an_end.then(|| Self { is_behind, free: free as u32, fixed: fixed.into_iter().map(word).collect() })
    }

    /// Returns the classes of a pattern's free positions, from the fixed ones outwards.
    fn codes(&self, pattern: &Pattern, classes: &[Class]) -> u64 {
        let [m, free] = [pattern.len(), self.free as usize];
        let position = |number: usize| if self.is_behind { free - 1 - number } else { m - free + number };
        (0..free).map(|number| plane(pattern.classes()[position(number)], classes) << (2 * number)).sum()
    }
}

struct Grouped<D: Device> {
    cells: usize,
    longest: u32,
    gaps: Gaps,
    group_count: u32,
    classes: D::Buffer<u32>,
    groups: D::Buffer<U32x4>,
    fixed: D::Buffer<u32>,
    patterns: D::Buffer<u64>,
    numbers: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for Grouped<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        Start { own: self, launch }.dispatch(self.cells).ok_or_else(|| no_kernel(&ABOUT, self.cells))?
    }
}

impl<D: Device> GuidesDispatch for Start<'_, Grouped<D>, D> {
    type Output = Result<()>;

    fn with<const CELLS: usize>(self) -> Result<()>
    where
        Guides<CELLS>: Kernel,
    {
        let Self { own, launch } = self;
        let (text, n) = (launch.text, launch.n);
        let device = &*text.device;
        // A site may begin this many positions before the last symbol of its occurrence.
        let reach = u64::from(own.longest + own.gaps.insertions);
        let first_tile = launch.from.saturating_sub(reach) / TILE;
        let tiles = n.div_ceil(TILE) - first_tile;
        let mut kernel = Guides::<CELLS> {
            text: device.handle(&text.text),
            n,
            first: launch.from,
            first_tile,
            tiles_per_warp: 1,
            classes: device.handle(&own.classes),
            groups: device.handle(&own.groups),
            group_count: own.group_count,
            k: launch.k,
            insertions: own.gaps.insertions,
            deletions: own.gaps.deletions,
            fixed: device.handle(&own.fixed),
            patterns: device.handle(&own.patterns),
            numbers: device.handle(&own.numbers),
            output: launch.output,
        };
        let planes::Share { tiles_per_warp, blocks } = planes::share(device, &kernel, tiles)?;
        kernel.tiles_per_warp = tiles_per_warp;
        // SAFETY: as for `Launcher::launch`; the text is rounded up to whole tiles and n is less
        // than 2^32, since hits have positions of 32 bits. The table is 512 words, and the plan
        // has the numbers of groups, fixed symbols and patterns that the groups refer to.
        Ok(unsafe { device.launch(&text.stream, blocks, kernel) }?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Alphabet;

    fn guide(codes: &[u8], fixed: Range<usize>) -> Pattern {
        Pattern::parse(codes, Alphabet::Iupac).unwrap().with_fixed(fixed).unwrap()
    }

    fn plan(patterns: &[Pattern], insertions: u32, deletions: u32) -> Result<GuidesPlan> {
        GuidesPlan::new(patterns, Gaps { insertions, deletions })
    }

    #[test]
    fn guides_of_both_strands_are_two_groups() {
        let guides = [guide(b"ACGTNGG", 4..7), guide(b"CCCANGG", 4..7)];
        let patterns: Vec<Pattern> = guides.iter().flat_map(|own| [own.clone(), own.reverse_complement()]).collect();
        let plan = plan(&patterns, 1, 1).unwrap();
        assert_eq!((plan.cells, plan.groups.len(), plan.longest, plan.fixed.len()), (3, 2, 7, 6));
        let [before, behind] = &plan.groups[..] else { panic!("two groups") };
        assert!(!before.is_behind && behind.is_behind && before.free == 4 && behind.free == 4);
        // Outwards from its PAM, a guide and its reverse complement have complementary bases.
        let code = |base: u8| plane(Pattern::parse(&[base], Alphabet::Iupac).unwrap().classes()[0], &plan.classes);
        let codes = |bases: &[u8]| (0..).zip(bases).map(|(i, &base)| code(base) << (2 * i)).sum::<u64>();
        assert_eq!(plan.patterns[behind.patterns.start as usize], codes(b"TGCA"));
        assert_eq!(plan.patterns[before.patterns.start as usize], codes(b"ACGT"));
    }

    #[test]
    fn other_forms_are_refused() {
        let is_taken = |pattern: Pattern, insertions, deletions| plan(&[pattern], insertions, deletions).is_ok();
        let long = |free: usize| guide(&[vec![b'A'; free], b"NGG".to_vec()].concat(), free..free + 3);
        assert!(is_taken(long(28), 2, 2) && !is_taken(long(29), 2, 2));
        assert!(is_taken(long(5), 4, 4) && !is_taken(long(4), 4, 4) && !is_taken(long(20), 0, 5));
        assert!(!is_taken(guide(b"ACGTACGTNGG", 3..6), 1, 1) && !is_taken(guide(b"ACGTACGTNGG", 0..0), 1, 1));
        // Five classes of free positions; NNNVRYAC with four has eight classes.
        assert!(!is_taken(guide(b"ACGTRNGG", 5..8), 1, 1));
        assert!(is_taken(guide(b"ACGTACGTNNNVRYAC", 8..16), 1, 1));
        assert!(!is_taken(guide(b"ACGTACGTNKNVRYAC", 8..16), 1, 1));
    }
}
