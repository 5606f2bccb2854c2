//! Costs by source line, as a table and as JSON.

use super::access::{Access, Space};
use super::cost::{Divergence, LaunchCosts, LineCost, Meeting, MeetingCost};
use super::site::Sites;
use super::totals::{BlockTotals, LaunchTotals};
use std::collections::BTreeMap;
use std::fmt;

/// The costs of all launches of one kernel.
#[derive(Debug, Clone, Default)]
pub struct KernelCosts {
    /// Number of launches.
    pub launches: u64,
    /// Costs of all launches together, by source line.
    pub costs: Costs,
    /// Counts of all launches together that belong to no source line.
    pub totals: LaunchTotals,
}

impl KernelCosts {
    /// Adds a launch.
    pub(super) fn add(&mut self, launch: &LaunchReport) {
        self.launches += 1;
        self.costs.add_all(&launch.lines);
        self.totals += launch.blocks.totals();
    }
}

/// The costs of a launch, or of those of its blocks that one thread of the host ran.
#[derive(Debug, Default)]
pub(super) struct LaunchReport {
    /// Costs by source line.
    pub lines: Costs,
    /// Counts that belong to no line.
    pub blocks: BlockTotals,
}

impl LaunchReport {
    /// Makes the report of counted costs.
    pub fn of(costs: LaunchCosts, sites: &Sites) -> Self {
        Self { lines: Costs::of_launch(&costs, sites), blocks: costs.blocks }
    }

    /// Adds other blocks of the same launch.
    pub fn merge(&mut self, other: &Self) {
        self.lines.add_all(&other.lines);
        self.blocks.merge(&other.blocks);
    }
}

/// A position in the source. A line may have several, which differ in the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    file: &'static str,
    line: u32,
    column: u32,
}

/// One row of [`Costs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    at: Position,
    space: Space,
    access: Access,
}

/// A row for a line at which threads synchronise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct MeetingLine {
    at: Position,
    meeting: Meeting,
}

/// The divergence at one source line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineDivergence {
    /// Source file, as in [`std::panic::Location`].
    pub file: &'static str,
    /// Number of the line, from 1.
    pub line: u32,
    /// The lanes with which warps ran the line.
    pub divergence: Divergence,
}

/// Costs by source line.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    lines: BTreeMap<Line, LineCost>,
    meetings: BTreeMap<MeetingLine, MeetingCost>,
    /// By file and line.
    divergence: BTreeMap<(&'static str, u32), Divergence>,
}

impl Costs {
    /// Makes the costs of a launch.
    fn of_launch(launch: &LaunchCosts, sites: &Sites) -> Self {
        let position = |site| {
            let place = sites.place(site);
            Position { file: place.file(), line: place.line(), column: place.column() }
        };
        let mut divergence = BTreeMap::new();
        for (site, counts) in launch.divergence() {
            let Position { file, line, .. } = position(site);
            *divergence.entry((file, line)).or_insert_with(Divergence::default) += counts;
        }
        let lines = launch.accesses();
        let meetings = launch.meetings();
        Self {
            lines: lines
                .map(|row| (Line { at: position(row.site), space: row.space, access: row.access }, row.cost))
                .collect(),
            meetings: meetings
                .map(|row| (MeetingLine { at: position(row.site), meeting: row.meeting }, row.cost))
                .collect(),
            divergence,
        }
    }

    /// Returns the rows in source order: file, line, memory space, type of access, cost.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, u32, Space, Access, &LineCost)> {
        self.lines.iter().map(|(l, cost)| (l.at.file, l.at.line, l.space, l.access, cost))
    }

    /// Returns the lines at which threads synchronise, in source order: file, line, type of
    /// synchronisation, cost.
    pub fn meetings(&self) -> impl Iterator<Item = (&'static str, u32, Meeting, &MeetingCost)> {
        self.meetings.iter().map(|(l, cost)| (l.at.file, l.at.line, l.meeting, cost))
    }

    /// Returns the divergence of every line with an access or a synchronisation, in source order.
    pub fn divergence(&self) -> impl Iterator<Item = LineDivergence> {
        let lines = self.divergence.iter();
        lines.map(|(&(file, line), &divergence)| LineDivergence { file, line, divergence })
    }

    /// Returns the divergence of all lines together.
    pub fn total_divergence(&self) -> Divergence {
        let mut total = Divergence::default();
        self.divergence.values().for_each(|&line| total += line);
        total
    }

    /// Returns the total cost of all accesses of one memory space.
    pub fn total(&self, space: Space) -> LineCost {
        self.sum(|line| line.space == space)
    }

    /// Returns the total cost of all accesses of one type in one memory space.
    pub fn total_of(&self, space: Space, access: Access) -> LineCost {
        self.sum(|line| line.space == space && line.access == access)
    }

    /// Returns the total cost of all synchronisations of one type.
    pub fn total_of_meetings(&self, meeting: Meeting) -> MeetingCost {
        let mut total = MeetingCost::default();
        self.meetings.iter().filter(|(line, _)| line.meeting == meeting).for_each(|(_, &cost)| total += cost);
        total
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
            *self.meetings.entry(line).or_default() += cost;
        }
        for (&line, &counts) in &other.divergence {
            *self.divergence.entry(line).or_default() += counts;
        }
    }

    /// Returns the rows as a JSON array of objects: first those of [`lines`](Self::lines), then
    /// those of [`meetings`](Self::meetings).
    pub fn to_json(&self) -> String {
        let line = |(line, cost): (&Line, &LineCost)| {
            serde_json::json!({
                "file": line.at.file, "line": line.at.line, "memory": line.space.to_string(),
                "access": line.access.to_string(), "cost": cost,
            })
        };
        let meeting = |(line, cost): (&MeetingLine, &MeetingCost)| {
            serde_json::json!({
                "file": line.at.file, "line": line.at.line, "meeting": line.meeting.to_string(), "cost": cost,
            })
        };
        let rows = self.lines.iter().map(line).chain(self.meetings.iter().map(meeting));
        serde_json::Value::Array(rows.collect()).to_string()
    }
}

/// Returns the mean number of lanes that took part.
fn mean(lanes: u64, times: u64) -> f64 {
    lanes as f64 / times as f64
}

/// Returns a share in percent, or nothing if it is all.
fn below_all(share: f64) -> String {
    if share < 1.0 { format!("{:.1} %", 100.0 * share) } else { String::new() }
}

/// Returns a number, or nothing for 0.
fn if_any(count: u64) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

/// A table with a row for each line and type of access, then one for each line and type of
/// synchronisation. `undivided` is [`LineCost::branch_efficiency`]; it is empty at 100 %.
impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<36} {:<6} {:<7} {:>10} {:>6} {:>12} {:>10} {:>10} {:>10} {:>10} {:>9}",
            "line",
            "memory",
            "access",
            "accesses",
            "lanes",
            "bytes",
            "wavefronts",
            "conflicts",
            "sectors",
            "turns",
            "undivided"
        )?;
        for (l, c) in &self.lines {
            let (place, lanes) = (format!("{}:{}", l.at.file, l.at.line), mean(c.lanes, c.accesses));
            let row = format!(
                "{place:<36} {:<6} {:<7} {:>10} {lanes:>6.1} {:>12} {:>10} {:>10} {:>10} {:>10} {:>9}",
                l.space,
                l.access.to_string(),
                c.accesses,
                c.bytes,
                c.wavefronts,
                c.conflicts,
                c.sectors,
                if_any(c.turns),
                below_all(c.branch_efficiency())
            );
            writeln!(f, "{}", row.trim_end())?;
        }
        for (l, c) in &self.meetings {
            let (place, lanes) = (format!("{}:{}", l.at.file, l.at.line), mean(c.lanes, c.times));
            let efficiency = below_all(c.branch_efficiency());
            let row = format!("{place:<36} {:<6} {:<7} {:>10} {lanes:>6.1} {efficiency:>66}", "", l.meeting, c.times);
            writeln!(f, "{}", row.trim_end())?;
        }
        Ok(())
    }
}
