//! Mistakes that students make, planted in kernels: the simulator reports each as listed, with its
//! line, or the list says that it does not.

#[path = "../common/mod.rs"]
mod common;

mod barriers;
mod blocks;
mod costs;
mod fault;
mod host;
mod memory;
mod page;
mod warps;

use fault::{Found, Group, Planted, Seen, name_of};

fn groups() -> Vec<Group> {
    vec![barriers::group(), warps::group(), blocks::group(), memory::group(), host::group(), costs::group()]
}

/// Returns how a planted fault is found.
fn found(group: &Group, planted: &Planted, seen: &Seen) -> Result<(), String> {
    let marked = group.marked(planted.name);
    let as_listed = match (planted.found, seen) {
        (Found::ByLaunch(kind) | Found::BySchedules(kind), Seen::Fault(fault)) => {
            let by_launch = matches!(planted.found, Found::ByLaunch(_));
            if group.named(&fault.to_string()) != marked {
                return Err(format!("names other lines than the marked lines {marked:?}: {fault}"));
            }
            name_of(&fault.kind) == kind && by_launch == fault.seed.is_none()
        }
        (Found::Differs, Seen::Differs { .. }) => true,
        (Found::ByCosts { conflicts, sectors }, Seen::RightResult) => {
            let cost = planted.cost(*marked.first().ok_or("no line is marked")?);
            (cost.conflicts, cost.sectors) == (conflicts, sectors)
        }
        (Found::Wrong(_), Seen::WrongResult) => true,
        _ => false,
    };
    let seen = match seen {
        Seen::Fault(fault) => format!("{}: {fault}", name_of(&fault.kind)),
        other => format!("{other:?}"),
    };
    if as_listed { Ok(()) } else { Err(format!("listed as {:?}, seen as {seen}", planted.found)) }
}

/// Runs every planted fault, and compares what is seen with the list and with the page.
#[test]
fn planted_faults_are_found_as_listed() {
    let (mut wrong, mut observed) = (Vec::new(), Vec::new());
    for group in groups() {
        let seen: Vec<Seen> = group.planted.iter().map(Planted::observe).collect();
        for (planted, seen) in group.planted.iter().zip(&seen) {
            if let Err(reason) = found(&group, planted, seen) {
                wrong.push(format!("{}: {reason}", planted.name));
            }
        }
        observed.push((group, seen));
    }
    assert!(wrong.is_empty(), "change the lists or the simulator:\n{}", wrong.join("\n"));
    // Builds with overflow checks find one fault more.
    if cfg!(debug_assertions) {
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/faults.md");
    let page = page::page(&observed);
    if std::env::var_os("WRITE_PAGE").is_some() {
        std::fs::write(path, page).unwrap();
        return;
    }
    let written = std::fs::read_to_string(path).unwrap();
    let mut lines = written.lines().zip(page.lines()).zip(1..);
    if let Some(((written, now), line)) = lines.find(|((written, now), _)| written != now) {
        panic!("docs/faults.md:{line} says\n{written}\ninstead of\n{now}\nSet WRITE_PAGE=1 to write the page again");
    }
    assert_eq!(written.lines().count(), page.lines().count(), "set WRITE_PAGE=1 to write docs/faults.md again");
}

#[test]
fn the_list_is_long_and_its_marks_are_used() {
    let groups = groups();
    let count: usize = groups.iter().map(|group| group.planted.len()).sum();
    assert!(count >= 60, "{count}");
    for group in groups {
        let marks = group.text.lines().filter_map(|line| Some(line.split_once("// fault: ")?.1));
        for mark in marks {
            assert!(group.planted.iter().any(|planted| planted.name == mark), "{}: {mark}", group.file);
        }
    }
}
