//! Costs of warp accesses: wavefronts in shared memory, sectors in global memory.

use super::access::{Access, Space};
use super::site::Sites;
use super::timeline::LaunchTimeline;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

/// The cost of one source line's accesses of one type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LineCost {
    /// Number of warp accesses: the lanes of a warp that access the line together make one.
    pub accesses: u64,
    /// Number of lane accesses.
    pub lanes: u64,
    /// Number of bytes that all lanes request.
    pub bytes: u64,
    /// Shared memory: number of wavefronts. A wavefront takes one cycle; each bank serves one word
    /// per cycle.
    pub wavefronts: u64,
    /// Shared memory: bank conflicts, that is, wavefronts beyond the conflict-free number for
    /// accesses of this width.
    pub conflicts: u64,
    /// Global memory: number of 32-byte sectors accessed.
    pub sectors: u64,
}

impl AddAssign for LineCost {
    fn add_assign(&mut self, other: Self) {
        self.accesses += other.accesses;
        self.lanes += other.lanes;
        self.bytes += other.bytes;
        self.wavefronts += other.wavefronts;
        self.conflicts += other.conflicts;
        self.sectors += other.sectors;
    }
}

/// A synchronisation of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Meeting {
    /// A barrier of the block.
    Barrier,
    /// A collective of a warp: a shuffle, a vote or a barrier of the warp.
    Warp,
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Meeting::Barrier => "barrier",
            Meeting::Warp => "warp",
        })
    }
}

/// The cost of one source line at which threads synchronise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct MeetingCost {
    /// Number of times that a warp ran the line.
    pub times: u64,
    /// Number of lanes that took part, summed over these times.
    pub lanes: u64,
}

/// The costs of one launch, by line number in [`Sites`].
#[derive(Debug, Default)]
pub(super) struct LaunchCosts {
    /// Indexed by line × 8 + memory space × 4 + type of access.
    rows: Vec<LineCost>,
    /// Indexed by line × 2 + type of synchronisation.
    meetings: Vec<MeetingCost>,
    /// Steps of the warps, or `None` if no timeline is recorded.
    pub timeline: Option<LaunchTimeline>,
}

/// Returns element `i` of a list, which grows as needed.
fn at<T: Default + Clone>(list: &mut Vec<T>, i: usize) -> &mut T {
    if i >= list.len() {
        list.resize(i + 1, T::default());
    }
    &mut list[i]
}

const SPACES: [Space; 2] = [Space::Global, Space::Shared];
const ACCESSES: [Access; 3] = [Access::Read, Access::Write, Access::Atomic];
const MEETINGS: [Meeting; 2] = [Meeting::Barrier, Meeting::Warp];

impl LaunchCosts {
    /// Makes empty costs, with a timeline to record if there is one.
    pub fn new(timeline: Option<LaunchTimeline>) -> Self {
        Self { timeline, ..Self::default() }
    }

    /// Adds one access of a warp, given as its block's slot and its number: each entry of `lanes`
    /// is a lane and the byte address of its `size` bytes.
    pub fn add(
        &mut self,
        warp: (usize, usize),
        site: u32,
        (space, access): (Space, Access),
        size: u32,
        lanes: &[(u32, u64)],
    ) {
        let cost = at(&mut self.rows, site as usize * 8 + space as usize * 4 + access as usize);
        cost.accesses += 1;
        cost.lanes += lanes.len() as u64;
        cost.bytes += lanes.len() as u64 * u64::from(size);
        let takes = match space {
            Space::Shared => {
                let (wavefronts, least) = wavefronts(access, size, lanes);
                cost.wavefronts += wavefronts;
                cost.conflicts += wavefronts - least;
                wavefronts
            }
            Space::Global => {
                let sectors = sectors(size, lanes);
                cost.sectors += sectors;
                sectors
            }
        };
        if let Some(timeline) = &mut self.timeline {
            timeline.access(warp, (space, access), site, (size, lanes), takes);
        }
    }

    /// Counts one run of a line at which a warp's threads synchronise, with `lanes` lanes.
    pub fn add_meeting(&mut self, site: u32, meeting: Meeting, lanes: u32) {
        let cost = at(&mut self.meetings, site as usize * 2 + meeting as usize);
        cost.times += 1;
        cost.lanes += u64::from(lanes);
    }

    /// Returns the costs by source line.
    pub fn by_line(&self, sites: &Sites) -> Costs {
        let place = |number: usize| {
            let place = sites.place(number as u32);
            (place.file(), place.line(), place.column())
        };
        let row = |(i, &cost): (usize, &LineCost)| {
            let (file, line, column) = place(i / 8);
            (Line { file, line, column, space: SPACES[i / 4 % 2], access: ACCESSES[i % 4] }, cost)
        };
        let meeting = |(i, &cost): (usize, &MeetingCost)| {
            let (file, line, column) = place(i / 2);
            (MeetingLine { file, line, column, meeting: MEETINGS[i % 2] }, cost)
        };
        Costs {
            lines: self.rows.iter().enumerate().filter(|(_, cost)| cost.accesses != 0).map(row).collect(),
            meetings: self.meetings.iter().enumerate().filter(|(_, cost)| cost.times != 0).map(meeting).collect(),
        }
    }
}

/// The costs of all launches of one kernel.
#[derive(Debug, Clone, Default)]
pub struct KernelCosts {
    /// Number of launches.
    pub launches: u64,
    /// Costs of all launches together.
    pub costs: Costs,
}

/// One row of [`Costs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    file: &'static str,
    line: u32,
    column: u32,
    space: Space,
    access: Access,
}

/// A row for a line at which threads synchronise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct MeetingLine {
    file: &'static str,
    line: u32,
    column: u32,
    meeting: Meeting,
}

/// Costs by source line.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    lines: BTreeMap<Line, LineCost>,
    meetings: BTreeMap<MeetingLine, MeetingCost>,
}

impl Costs {
    /// Returns the rows in source order: file, line, memory space, type of access, cost.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, u32, Space, Access, &LineCost)> {
        self.lines.iter().map(|(l, cost)| (l.file, l.line, l.space, l.access, cost))
    }

    /// Returns the lines at which threads synchronise, in source order: file, line, type of
    /// synchronisation, cost.
    pub fn meetings(&self) -> impl Iterator<Item = (&'static str, u32, Meeting, &MeetingCost)> {
        self.meetings.iter().map(|(l, cost)| (l.file, l.line, l.meeting, cost))
    }

    /// Returns the total cost of all accesses of one memory space.
    pub fn total(&self, space: Space) -> LineCost {
        self.sum(|line| line.space == space)
    }

    /// Returns the total cost of all accesses of one type in one memory space.
    pub fn total_of(&self, space: Space, access: Access) -> LineCost {
        self.sum(|line| line.space == space && line.access == access)
    }

    fn sum(&self, wanted: impl Fn(&Line) -> bool) -> LineCost {
        let mut total = LineCost::default();
        self.lines.iter().filter(|(line, _)| wanted(line)).for_each(|(_, &cost)| total += cost);
        total
    }

    /// Adds all rows of `other`.
    pub(super) fn add_all(&mut self, other: &Self) {
        for (&line, &cost) in &other.lines {
            *self.lines.entry(line).or_default() += cost;
        }
        for (&line, &cost) in &other.meetings {
            let sum = self.meetings.entry(line).or_default();
            *sum = MeetingCost { times: sum.times + cost.times, lanes: sum.lanes + cost.lanes };
        }
    }

    /// Returns the rows as a JSON array of objects: first those of [`lines`](Self::lines), then
    /// those of [`meetings`](Self::meetings).
    pub fn to_json(&self) -> String {
        let line = |(line, cost): (&Line, &LineCost)| {
            serde_json::json!({
                "file": line.file, "line": line.line, "memory": line.space.to_string(),
                "access": line.access.to_string(), "cost": cost,
            })
        };
        let meeting = |(line, cost): (&MeetingLine, &MeetingCost)| {
            serde_json::json!({
                "file": line.file, "line": line.line, "meeting": line.meeting.to_string(), "cost": cost,
            })
        };
        let rows = self.lines.iter().map(line).chain(self.meetings.iter().map(meeting));
        serde_json::Value::Array(rows.collect()).to_string()
    }
}

/// Returns the wavefronts of a shared-memory access, and the number without conflicts. In each
/// wavefront, each of the 32 banks serves one word of 4 bytes; lanes that access the same word
/// share it.
///
/// Lanes that access 8 or 16 bytes each are served in groups of 16 or 8, or of 32 or 16 if they
/// read in pairs. They read in pairs if each lane that takes part reads the same as its neighbour,
/// or each the same as the lane two further (`lane ^ 2`); lanes that take no part are ignored.
fn wavefronts(access: Access, size: u32, lanes: &[(u32, u64)]) -> (u64, u64) {
    let together = match size {
        ..=4 => 32,
        _ if access == Access::Read && (in_pairs(1, lanes) || in_pairs(2, lanes)) => 256 / size,
        _ => 128 / size,
    };
    let served = lanes.chunk_by(|(a, _), (b, _)| a / together == b / together);
    served.fold((0, 0), |(total, least), lanes| (total + busiest_bank(size, lanes), least + 1))
}

/// Returns true if each lane requests the same address as lane `lane ^ step`, or if the latter
/// takes no part.
fn in_pairs(step: u32, lanes: &[(u32, u64)]) -> bool {
    let mut asked = [None; 32];
    lanes.iter().for_each(|&(lane, address)| asked[lane as usize] = Some(address));
    lanes.iter().all(|&(lane, own)| asked[(lane ^ step) as usize].is_none_or(|other| other == own))
}

/// Returns the maximum number of different words requested from one bank.
fn busiest_bank(size: u32, lanes: &[(u32, u64)]) -> u64 {
    // `words`: the different words in order of arrival, each with the index of its bank's previous
    // word. `banks`: for each bank, the index of its last word and its number of words.
    let (mut words, mut known) = ([(0u64, u8::MAX); 128], 0u8);
    let mut banks = [(u8::MAX, 0u8); 32];
    for (_, address) in lanes {
        for word in address / 4..(address + u64::from(size)).div_ceil(4) {
            let (last, count) = &mut banks[(word % 32) as usize];
            let mut of_bank = *last;
            while of_bank != u8::MAX && words[usize::from(of_bank)].0 != word {
                of_bank = words[usize::from(of_bank)].1;
            }
            if of_bank == u8::MAX {
                words[usize::from(known)] = (word, *last);
                (*last, *count) = (known, *count + 1);
                known += 1;
            }
        }
    }
    banks.iter().map(|(_, count)| u64::from(*count)).max().unwrap_or(0)
}

/// Returns the number of different 32-byte sectors of a global-memory access.
fn sectors(size: u32, lanes: &[(u32, u64)]) -> u64 {
    let (mut touched, mut count) = ([0; 64], 0);
    for (_, address) in lanes {
        for sector in address / 32..=(address + u64::from(size) - 1) / 32 {
            if count == 0 || touched[count - 1] != sector {
                touched[count] = sector;
                count += 1;
            }
        }
    }
    let touched = &mut touched[..count];
    if !touched.is_sorted() {
        touched.sort_unstable();
    }
    touched.chunk_by(|a, b| a == b).count() as u64
}

/// Returns the mean number of lanes that took part.
fn mean(lanes: u64, times: u64) -> f64 {
    lanes as f64 / times as f64
}

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<36} {:<6} {:<7} {:>10} {:>6} {:>12} {:>10} {:>10} {:>10}",
            "line", "memory", "access", "accesses", "lanes", "bytes", "wavefronts", "conflicts", "sectors"
        )?;
        for (l, c) in &self.lines {
            let (place, lanes) = (format!("{}:{}", l.file, l.line), mean(c.lanes, c.accesses));
            writeln!(
                f,
                "{place:<36} {:<6} {:<7} {:>10} {lanes:>6.1} {:>12} {:>10} {:>10} {:>10}",
                l.space.to_string(),
                l.access.to_string(),
                c.accesses,
                c.bytes,
                c.wavefronts,
                c.conflicts,
                c.sectors
            )?;
        }
        for (l, c) in &self.meetings {
            let (place, lanes) = (format!("{}:{}", l.file, l.line), mean(c.lanes, c.times));
            writeln!(f, "{place:<36} {:<6} {:<7} {:>10} {lanes:>6.1}", "", l.meeting, c.times)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, sectors};

    fn wavefronts(size: u32, lanes: &[(u32, u64)]) -> (u64, u64) {
        super::wavefronts(Access::Read, size, lanes)
    }

    fn lanes(stride: u64) -> Vec<(u32, u64)> {
        (0..32).map(|lane| (lane, u64::from(lane) * stride)).collect()
    }

    #[test]
    fn wavefronts_of_strides() {
        assert_eq!(wavefronts(4, &lanes(4)), (1, 1));
        assert_eq!(wavefronts(4, &lanes(8)), (2, 1));
        assert_eq!(wavefronts(4, &lanes(128)), (32, 1));
        assert_eq!(wavefronts(4, &lanes(132)), (1, 1));
        assert_eq!(wavefronts(4, &lanes(0)), (1, 1), "one word is broadcast");
        assert_eq!(wavefronts(1, &lanes(1)), (1, 1));
        assert_eq!(wavefronts(8, &lanes(8)), (2, 2));
        assert_eq!(wavefronts(16, &lanes(16)), (4, 4));
        assert_eq!(wavefronts(16, &lanes(128)), (32, 4));
    }

    #[test]
    fn only_reads_are_served_in_pairs() {
        let pairs: Vec<(u32, u64)> = (0..32).map(|lane| (lane, u64::from(lane / 2) * 8)).collect();
        assert_eq!(wavefronts(8, &pairs), (1, 1));
        let every_other: Vec<(u32, u64)> = (0..16).map(|i| (2 * i, u64::from(i) * 8)).collect();
        assert_eq!(wavefronts(8, &every_other), (1, 1));
        assert_eq!(super::wavefronts(Access::Write, 8, &every_other), (2, 2));
    }

    /// Compares with an H200, measured by Nsight Compute for the same accesses (`SharedAccess` of
    /// `gpu-kernels`).
    #[test]
    fn wavefronts_of_wide_accesses_are_those_of_an_h200() {
        // Bytes, wavefronts, and the position that each lane accesses; a point is a lane that takes
        // no part.
        let accesses = [
            (16, 6, "129 1014 . . . 999 798 . . 912 468 . 650 52 . 780 . . . . . . . . . . . . . . . 607"),
            (16, 3, ". . 704 . . . 11 . . . . . 420 . 746 . 846 . . . . . . . 470 . . 187 . . . 144"),
            (16, 4, ". . . 434 . 156 610 . . 17 . . . 943 76 . . 886 . . . . . 823 . 411 . . . 879 197 ."),
            (16, 4, ". . . . . . 612 . 506 131 . . . 899 . . . 528 . . . . 726 . . 567 . . . 15 649 ."),
            (8, 2, ". 891 . 306 . 980 1248 . 1620 . . 215 1617 . 651 . . 1029 . . . . 528 . 630 . . . 140 . . ."),
            (8, 4, "949 755 . . 2019 . . 191 . . . . . 180 1172 . 1278 . . . . 1050 . 1142 . . 151 710 . . . ."),
            (8, 2, ". 807 . . . . 1666 780 . . . 1962 . . 1594 525 1581 . . . . 1544 . . . . 1409 . 1950 . . 1601"),
            (8, 1, "1775 . . 501 . . . . . . . . . . . . . . . 1446 . . . . . 1010 . . 499 . . ."),
            (
                16,
                4,
                "443 443 443 443 8 8 8 8 11 11 11 11 724 724 724 724 279 279 279 279 652 652 652 652 1017 1017 1017 1017 577 577 577 577",
            ),
            (
                16,
                5,
                "642 642 483 483 834 834 82 82 664 664 214 214 765 765 279 279 808 808 1005 1005 410 410 731 731 992 992 659 659 185 185 652 652",
            ),
            (
                16,
                5,
                "32 364 32 364 299 513 299 513 563 608 563 608 477 189 477 189 393 221 393 221 916 955 916 955 284 700 284 700 259 599 259 599",
            ),
            (
                16,
                8,
                "10 26 26 10 679 1003 1003 679 674 169 169 674 857 798 798 857 214 461 461 214 612 526 526 612 441 0 0 441 201 341 341 201",
            ),
            (16, 2, "87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87"),
            (
                16,
                2,
                ". 791 791 791 791 791 791 791 . . 791 791 791 791 791 . 791 791 791 791 791 791 . 791 . 791 . 791 791 . . 791",
            ),
            (
                8,
                3,
                "1134 1134 1134 1134 1396 1396 1396 1396 644 644 644 644 1908 1908 1908 1908 439 439 439 439 505 505 505 505 1451 1451 1451 1451 300 300 300 300",
            ),
            (
                8,
                4,
                "980 980 1594 1594 260 260 1318 1318 224 224 1764 1764 788 788 1 1 529 529 741 741 1205 1205 1782 1782 533 533 2025 2025 1258 1258 1571 1571",
            ),
            (
                8,
                3,
                "1367 1606 1367 1606 845 1577 845 1577 1430 1233 1430 1233 567 430 567 430 203 1360 203 1360 115 1481 115 1481 239 66 239 66 2009 1555 2009 1555",
            ),
            (
                8,
                4,
                "270 857 857 270 528 610 610 528 1006 939 939 1006 779 557 557 779 1906 466 466 1906 1946 919 919 1946 1559 1559 1559 1559 1589 1437 1437 1589",
            ),
            (
                8,
                1,
                "582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582",
            ),
            (
                8,
                1,
                "128 128 128 128 128 . 128 . 128 128 128 128 128 128 128 128 128 . 128 128 . 128 128 128 128 128 128 . 128 . 128 128",
            ),
        ];
        for (size, counted, places) in accesses {
            let lanes = (0..).zip(places.split(' ')).filter(|(_, place)| *place != ".");
            let lanes: Vec<(u32, u64)> =
                lanes.map(|(lane, place)| (lane, place.parse::<u64>().unwrap() * u64::from(size))).collect();
            assert_eq!(wavefronts(size, &lanes).0, counted, "{size} bytes at {places}");
        }
    }

    #[test]
    fn sectors_of_strides() {
        assert_eq!(sectors(4, &lanes(4)), 4);
        assert_eq!(sectors(1, &lanes(1)), 1);
        assert_eq!(sectors(4, &lanes(32)), 32);
        assert_eq!(sectors(16, &lanes(16)), 16);
        assert_eq!(sectors(4, &lanes(0)), 1);
    }
}
