//! What a warp access costs: wavefronts of shared memory, sectors of global memory.

use super::fault::Access;
use super::memory::Space;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;
use std::panic::Location;

/// The cost of one source line's accesses of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LineCost {
    /// Warp accesses: the lanes that meet at the line are one.
    pub accesses: u64,
    /// Lane accesses.
    pub lanes: u64,
    /// Bytes asked for by all lanes.
    pub bytes: u64,
    /// Shared memory: times that the banks were used, one a cycle.
    pub wavefronts: u64,
    /// Shared memory: wavefronts beyond those that the access width asks for.
    pub conflicts: u64,
    /// Global memory: 32-byte sectors touched.
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

/// What the launches of one kernel have cost.
#[derive(Debug, Clone, Default)]
pub struct KernelCosts {
    /// Launches.
    pub launches: u64,
    /// All their accesses.
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

/// Costs by source line.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    lines: BTreeMap<Line, LineCost>,
}

impl Costs {
    /// The rows: file, line, memory, kind of access, cost; in source order.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, u32, Space, Access, &LineCost)> {
        self.lines.iter().map(|(l, cost)| (l.file, l.line, l.space, l.access, cost))
    }

    /// The sum over all accesses of one memory.
    pub fn total(&self, space: Space) -> LineCost {
        self.sum(|line| line.space == space)
    }

    /// The sum over all accesses of one kind of one memory.
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
    }

    /// The rows as a JSON array of objects.
    pub fn to_json(&self) -> String {
        let row = |(line, cost): (&Line, &LineCost)| {
            serde_json::json!({
                "file": line.file, "line": line.line, "memory": line.space.to_string(),
                "access": line.access.to_string(), "cost": cost,
            })
        };
        serde_json::Value::Array(self.lines.iter().map(row).collect()).to_string()
    }

    /// Adds one warp access: lanes with the byte addresses that they access, `size` bytes each.
    pub(super) fn add(
        &mut self,
        location: &'static Location<'static>,
        space: Space,
        access: Access,
        size: u32,
        lanes: &[(u32, u64)],
    ) {
        let line = Line { file: location.file(), line: location.line(), column: location.column(), space, access };
        let cost = self.lines.entry(line).or_default();
        cost.accesses += 1;
        cost.lanes += lanes.len() as u64;
        cost.bytes += lanes.len() as u64 * u64::from(size);
        match space {
            Space::Shared => {
                let (wavefronts, least) = wavefronts(size, lanes);
                cost.wavefronts += wavefronts;
                cost.conflicts += wavefronts - least;
            }
            Space::Global => cost.sectors += sectors(size, lanes),
        }
    }
}

/// Shared memory: 32 banks of 4 bytes serve one word each a wavefront; lanes that ask for the same word share it. An
/// access of 8 bytes a lane goes in 2 phases of half a warp, one of 16 bytes in 4 phases of a quarter. Returns the
/// wavefronts and how many there are without conflicts.
fn wavefronts(size: u32, lanes: &[(u32, u64)]) -> (u64, u64) {
    let lanes_a_phase = if size <= 4 { 32 } else { 128 / size };
    let mut total = 0;
    let mut phases = 0;
    for phase in lanes.chunk_by(|(a, _), (b, _)| a / lanes_a_phase == b / lanes_a_phase) {
        let mut banks: [Vec<u64>; 32] = std::array::from_fn(|_| Vec::new());
        for (_, address) in phase {
            for word in address / 4..(address + u64::from(size)).div_ceil(4) {
                let bank = &mut banks[(word % 32) as usize];
                if !bank.contains(&word) {
                    bank.push(word);
                }
            }
        }
        total += banks.iter().map(Vec::len).max().unwrap_or(0) as u64;
        phases += 1;
    }
    (total, phases)
}

/// Global memory: the distinct 32-byte sectors.
fn sectors(size: u32, lanes: &[(u32, u64)]) -> u64 {
    let mut touched: Vec<u64> = lanes.iter().flat_map(|(_, a)| a / 32..=(a + u64::from(size) - 1) / 32).collect();
    touched.sort_unstable();
    touched.dedup();
    touched.len() as u64
}

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<36} {:<6} {:<6} {:>10} {:>12} {:>10} {:>10} {:>10}",
            "line", "memory", "access", "accesses", "bytes", "wavefronts", "conflicts", "sectors"
        )?;
        for (l, c) in &self.lines {
            let place = format!("{}:{}", l.file, l.line);
            writeln!(
                f,
                "{:<36} {:<6} {:<6} {:>10} {:>12} {:>10} {:>10} {:>10}",
                place,
                l.space.to_string(),
                l.access.to_string(),
                c.accesses,
                c.bytes,
                c.wavefronts,
                c.conflicts,
                c.sectors
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{sectors, wavefronts};

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
        let odd: Vec<(u32, u64)> = lanes(16).into_iter().filter(|(lane, _)| lane % 2 == 1).collect();
        assert_eq!(wavefronts(16, &odd), (4, 4), "phases are of lanes by number, whichever take part");
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
