use super::*;

const WRITE: u32 = Kind::WRITE.0;

fn way(kind: u32, site: u32) -> Option<Way> {
    Some(Way { kind, site: Some(site) })
}

/// One stream for each command; none of them is ordered, except after the commands in `known`.
fn add(past: &mut Past, (command, known): (u32, &[u32]), granules: Granules, touch: Touch) -> Result<(), Conflict> {
    let slot = command as usize;
    let knows = |mark: &Mark| mark.slot == slot || known.contains(&mark.command);
    past.begin(&|_| false);
    past.add(granules, &By { command: Some((slot, command)), knows: &knows, is_done: &|_| false }, &touch)
}

fn granules(shift: u8, first: usize, end: usize) -> Granules {
    Granules { allocation: 1 << 40, page: 2, bytes: PAGE, shift, first, end }
}

#[test]
fn accesses_conflict_by_element_and_kind() {
    let write = Touch { write: way(WRITE, 1), read: None };
    let read = Touch { write: None, read: way(0, 2) };
    let atomic = Touch { write: way(Kind::atomic(true, true).0, 3), read: None };
    let all = [write, read, atomic];
    for (earlier, later) in all.iter().flat_map(|earlier| all.iter().map(move |later| (*earlier, *later))) {
        let ordered = earlier == later && earlier != write;
        let mut past = Past::default();
        add(&mut past, (1, &[]), granules(2, 10, 20), earlier).unwrap();
        assert!(add(&mut past, (2, &[]), granules(2, 20, 30), later).is_ok(), "beside");
        assert!(add(&mut past, (2, &[]), granules(0, 0, 40), later).is_ok(), "finer");
        let conflict = add(&mut past, (2, &[]), granules(3, 3, 8), later);
        assert_eq!(conflict.is_ok(), ordered, "{earlier:?} {later:?}");
        if let Err(Conflict { earlier: mark, later: found, offset }) = conflict {
            assert_eq!((mark.command, offset), (1, 2 * PAGE + 40));
            assert_eq!((Some(mark.way), Some(found)), (earlier.ways().next(), later.ways().next()));
        }
        assert!(add(&mut past, (3, &[1, 2]), granules(12, 0, 1), write).is_ok(), "coarser");
        assert_eq!(past.take(1 << 40).len(), 1);
        assert!(past.is_empty());
    }
}

#[test]
fn a_collection_keeps_what_is_pending() {
    let mut past = Past::default();
    let read = |site| Touch { write: None, read: way(0, site) };
    for command in 1..60u32 {
        let known: Vec<u32> = (1..command).collect();
        let element = command as usize % 8;
        let done = |mark: &Mark| mark.command + 8 < command;
        past.begin(&done);
        let by = By { command: Some((0, command)), knows: &|mark| known.contains(&mark.command), is_done: &done };
        past.add(granules(2, element, element + 1), &by, &read(command)).unwrap();
        assert!(past.states.len() <= 3 * STATES, "{}", past.states.len());
    }
    let write = Touch { write: way(WRITE, 100), read: None };
    for element in 0..8 {
        let conflict = add(&mut past, (100, &[]), granules(2, element, element + 1), write).unwrap_err();
        assert_eq!(conflict.earlier.command as usize % 8, element);
        assert!(conflict.earlier.command > 51);
    }
}
