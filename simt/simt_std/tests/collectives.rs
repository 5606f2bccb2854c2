//! Collectives of a warp: each completes when all lanes of its mask wait at it with that mask, and
//! not before.
//!
//! Each lane has a random list of operations, which run on the simulator and in a model. The model
//! removes an operation when all lanes of its mask have it at the front of their lists.

use simt_std::simulator::{Fault, FaultKind, Grid, Options, Simulator, schedules};
use simt_std::{atomic, global::Global, warp};

/// Number of lanes of the random programs.
const LANES: usize = 6;

/// Number of words of a lane's results.
const RESULTS: usize = 16;

/// The types of collectives in the random programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sync,
    Ballot,
    Any,
    All,
    Match,
    /// Each lane reads the next lane of the mask.
    Shuffle,
    /// A shuffle of 64 bits.
    WideShuffle,
    /// A shuffle in segments of 8 lanes.
    NarrowShuffle,
}

const KINDS: [Kind; 8] = [
    Kind::Sync,
    Kind::Ballot,
    Kind::Any,
    Kind::All,
    Kind::Match,
    Kind::Shuffle,
    Kind::WideShuffle,
    Kind::NarrowShuffle,
];

/// An operation of a lane, after a number of atomic operations that delay it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    mask: u32,
    kind: Kind,
    value: u32,
    delays: u32,
}

/// A SplitMix64 generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % n
    }
}

/// Returns the next lane of the mask after `lane`, cyclically.
fn next_lane(mask: u32, lane: u32) -> u32 {
    (1..=32).map(|step| (lane + step) % 32).find(|next| mask >> next & 1 == 1).expect("the mask has a lane")
}

/// Returns a lane's result, from the values of all lanes of the mask.
fn result(step: Step, lane: u32, value_of: impl Fn(u32) -> u32) -> u32 {
    let members = || (0..32).filter(|l| step.mask >> l & 1 == 1);
    match step.kind {
        Kind::Sync => 0,
        Kind::Ballot => members().filter(|&l| value_of(l) % 2 == 1).map(|l| 1 << l).sum(),
        Kind::Any => u32::from(members().any(|l| value_of(l) % 2 == 1)),
        Kind::All => u32::from(members().all(|l| value_of(l) % 2 == 1)),
        Kind::Match => members().filter(|&l| value_of(l) == value_of(lane)).map(|l| 1 << l).sum(),
        Kind::Shuffle | Kind::WideShuffle | Kind::NarrowShuffle => value_of(next_lane(step.mask, lane)),
    }
}

/// Returns the results of all lanes, or `None` if some wait for ever.
fn model(programs: &[Vec<Step>]) -> Option<Vec<u32>> {
    let mut done = [0; LANES];
    let mut results = vec![0; LANES * RESULTS];
    loop {
        let front = |lane: u32| programs.get(lane as usize).and_then(|steps| steps.get(done[lane as usize]));
        let members = |mask: u32| (0..32).filter(move |l| mask >> l & 1 == 1);
        let met = (0..LANES as u32).filter_map(front).find(|step| {
            members(step.mask).all(|l| front(l).is_some_and(|other| (other.mask, other.kind) == (step.mask, step.kind)))
        });
        let Some(&Step { mask, .. }) = met else {
            let ended = (0..LANES as u32).all(|lane| front(lane).is_none());
            return ended.then_some(results);
        };
        for lane in members(mask) {
            let step = *front(lane).expect("it waits");
            results[lane as usize * RESULTS + done[lane as usize]] =
                result(step, lane, |l| front(l).expect("it waits").value);
        }
        members(mask).for_each(|lane| done[lane as usize] += 1);
    }
}

/// Runs one operation on the simulator.
fn perform(step: Step, lane: u32) -> u32 {
    let Step { mask, kind, value, .. } = step;
    let odd = value % 2 == 1;
    let next = next_lane(mask, lane);
    // SAFETY: only on the simulator, which finds broken rules.
    unsafe {
        match kind {
            Kind::Sync => {
                warp::sync_warp(mask);
                0
            }
            Kind::Ballot => warp::warp_vote_ballot(mask, odd),
            Kind::Any => warp::warp_vote_any(mask, odd).into(),
            Kind::All => warp::warp_vote_all(mask, odd).into(),
            Kind::Match => warp::warp_match_any(mask, value),
            Kind::Shuffle => warp::warp_shuffle_idx(mask, value, next, 32).0,
            Kind::WideShuffle => warp::warp_shuffle_idx(mask, u64::from(value), next, 32).0 as u32,
            Kind::NarrowShuffle => warp::warp_shuffle_idx(mask, value, next, 8).0,
        }
    }
}

fn simulate(programs: &[Vec<Step>], options: Options) -> Result<Vec<u32>, Fault> {
    let mut gpu = Simulator::new(options);
    let results = gpu.alloc_from(&[0u32; LANES * RESULTS], "results");
    let delay = gpu.alloc_from(&[0u32; 1], "delay");
    let (out, counter): (Global<u32>, Global<u32>) = (results.handle(), delay.handle());
    let programs = programs.to_vec();
    gpu.launch("random", Grid::linear(1, LANES as u32), move || {
        let lane = warp::lane_id();
        for (i, step) in programs[lane as usize].iter().enumerate() {
            for _ in 0..step.delays {
                atomic::fetch_add(counter, 0, 1);
            }
            out.write(lane as usize * RESULTS + i, perform(*step, lane));
        }
    })?;
    gpu.download(&results, LANES * RESULTS)
}

/// Returns programs that all lanes finish: from one list of collectives, every lane has those with
/// its bit in the mask.
fn legal_programs(random: &mut Random) -> Vec<Vec<Step>> {
    let mut programs = vec![Vec::new(); LANES];
    for _ in 0..random.below(RESULTS as u64) {
        let mask = 1 + random.below((1 << LANES) - 1) as u32;
        let kind = KINDS[random.below(KINDS.len() as u64) as usize];
        for (_, steps) in programs.iter_mut().enumerate().filter(|(lane, _)| mask >> lane & 1 == 1) {
            let (value, delays) = (random.below(4) as u32, random.below(3).saturating_sub(1) as u32);
            steps.push(Step { mask, kind, value, delays });
        }
    }
    programs
}

/// Changes one step of one lane, so that some lanes may wait for ever.
fn damage(programs: &mut [Vec<Step>], random: &mut Random) {
    let lane = random.below(LANES as u64) as usize;
    let steps = &mut programs[lane];
    if steps.is_empty() {
        return;
    }
    let i = random.below(steps.len() as u64) as usize;
    match random.below(4) {
        0 => drop(steps.remove(i)),
        1 => steps[i].mask |= 1 << random.below(LANES as u64),
        2 => steps[i].kind = KINDS[random.below(KINDS.len() as u64) as usize],
        _ => steps.swap(i, 0),
    }
}

/// Returns the number of programs that the model and the simulator run; set the environment
/// variable `CASES` for more.
fn cases() -> u64 {
    std::env::var("CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

#[test]
fn random_programs_meet_as_in_the_model() {
    let mut ended = 0;
    for case in 0..cases() {
        let mut random = Random(case);
        let mut programs = legal_programs(&mut random);
        let legal = case % 2 == 0;
        if !legal {
            (0..1 + random.below(2)).for_each(|_| damage(&mut programs, &mut random));
        }
        let want = model(&programs);
        assert!(want.is_some() || !legal, "{case}");
        ended += u64::from(want.is_some());
        let options = |seed, accounting| Options { seed, accounting, ..Options::default() };
        for options in [
            options(None, false),
            options(None, true),
            options(Some(2 * case), false),
            options(Some(2 * case + 1), false),
        ] {
            match (&want, simulate(&programs, options)) {
                (Some(want), Ok(got)) => assert_eq!(*want, got, "{case} {options:?} {programs:?}"),
                (None, Err(fault)) => assert!(
                    matches!(fault.kind, FaultKind::Deadlock { .. } | FaultKind::Collective { .. }),
                    "{case} {options:?} {fault}"
                ),
                (want, got) => panic!("{case} {options:?} {programs:?}: {got:?} instead of {want:?}"),
            }
        }
    }
    assert!(ended > cases() / 2 && ended < cases(), "{ended}");
}

/// Lanes 0 and 1 ballot, then lanes 1 and 2; lane 0 is late.
#[test]
fn a_late_lane_is_waited_for() {
    let votes = |gpu: &mut Simulator| {
        let out = gpu.alloc_from(&[9u32; 4], "out");
        let handle: Global<u32> = out.handle();
        gpu.launch("late", Grid::linear(1, 3), move || {
            let lane = warp::lane_id();
            if lane == 0 {
                atomic::fetch_add(handle, 3, 1);
            }
            if lane < 2 {
                // SAFETY: lanes 0 and 1 are here.
                handle.write(lane as usize, unsafe { warp::warp_vote_ballot(0b011, true) });
            }
            if lane > 0 {
                // SAFETY: lanes 1 and 2 are here.
                let vote = unsafe { warp::warp_vote_ballot(0b110, true) };
                if lane == 2 {
                    handle.write(2, vote);
                }
            }
        })?;
        gpu.download(&out, 3)
    };
    assert_eq!(schedules(100, Options::default(), votes).unwrap(), [0b011, 0b011, 0b110]);
}

/// Neighbours exchange values, alternating between even and odd pairs, and some lanes are late.
#[test]
fn an_odd_even_exchange_is_no_fault() {
    let sort = |gpu: &mut Simulator| {
        let keys: Vec<u32> = (0..32).map(|i| i * 7 % 32).collect();
        let data = gpu.alloc_from(&keys, "data");
        let counter = gpu.alloc_from(&[0u32], "counter");
        let (data_handle, late): (Global<u32>, Global<u32>) = (data.handle(), counter.handle());
        gpu.launch("sort", Grid::linear(1, 32), move || {
            let lane = warp::lane_id();
            let mut key = data_handle.read(lane as usize);
            for turn in 0..32 {
                let lower = if lane % 2 == turn % 2 { lane } else { lane.wrapping_sub(1) };
                for _ in 0..lane * turn % 3 {
                    atomic::fetch_add(late, 0, 1);
                }
                if lower < 31 {
                    // SAFETY: both lanes of the pair are here.
                    let (other, _) =
                        unsafe { warp::warp_shuffle_idx(0b11 << lower, key, lower + u32::from(lane == lower), 32) };
                    key = if lane == lower { key.min(other) } else { key.max(other) };
                }
            }
            data_handle.write(lane as usize, key);
        })?;
        gpu.download(&data, 32)
    };
    assert_eq!(schedules(40, Options::default(), sort).unwrap(), (0..32).collect::<Vec<_>>());
}

fn fault_of(threads: u32, kernel: impl Fn(u32) + Copy + 'static) -> Fault {
    Simulator::default().launch("planted", Grid::linear(1, threads), move || kernel(warp::lane_id())).unwrap_err()
}

/// Lane 0 waits for lane 1, lane 1 for lane 2 and lane 2 for lane 0.
#[test]
fn a_circle_of_masks_is_a_deadlock_that_lists_masks_and_lines() {
    let first = line!() + 5;
    let fault = fault_of(3, |lane| {
        // SAFETY: planted: a circle.
        let _ = unsafe {
            match lane {
                0 => warp::warp_vote_ballot(0b011, true),
                1 => warp::warp_vote_ballot(0b110, true),
                _ => warp::warp_match_any(0b101, 1),
            }
        };
    });
    assert!(matches!(fault.kind, FaultKind::Deadlock { .. }), "{fault}");
    assert!(fault.location.is_some_and(|at| at.file().ends_with("collectives.rs")), "{fault}");
    let text = fault.to_string();
    for (mask, line, what) in
        [("0x00000003", first, "ballot"), ("0x00000006", first + 1, "ballot"), ("0x00000005", first + 2, "match")]
    {
        assert!(
            text.contains(mask) && text.contains(&format!("collectives.rs:{line}")) && text.contains(what),
            "{text}"
        );
    }
}

/// Calls one of 8 types of collectives, with lanes 0 and 1 in its mask.
fn call(kind: usize) {
    // SAFETY: only on the simulator, which finds broken rules.
    unsafe {
        match kind {
            0 => assert!(warp::warp_vote_any(3, true)),
            1 => assert!(warp::warp_vote_all(3, true)),
            2 => assert_eq!(warp::warp_vote_ballot(3, true), 3),
            3 => assert_eq!(warp::warp_match_any(3, 1), 3),
            4 => assert!(warp::warp_shuffle_xor(3, 1u32, 1, 32).1),
            5 => assert!(warp::warp_shuffle_xor(3, 1u64, 1, 32).1),
            6 => assert!(warp::warp_shuffle_xor(3, 1u32, 1, 2).1),
            _ => assert!(warp::warp_shuffle_idx(3, 1u32, 1, 32).1),
        }
    }
}

/// Collectives of two types do not complete, even with the same mask.
#[test]
fn kinds_are_told_apart() {
    for (one, other) in (0..8).flat_map(|one| (0..8).map(move |other| (one, other))) {
        let body = move || call(if warp::lane_id() == 0 { one } else { other });
        match Simulator::default().launch("kinds", Grid::linear(1, 2), body) {
            Ok(()) => assert_eq!(one, other),
            Err(fault) => {
                assert!(one != other && matches!(fault.kind, FaultKind::Collective { .. }), "{one} {other} {fault}");
                assert!(fault.to_string().contains("another collective"), "{fault}");
            }
        }
    }
}

/// Lanes synchronise from two source lines: since sm_70, they need not be at one instruction.
#[test]
fn members_may_be_at_two_lines() {
    Simulator::default()
        .launch("lines", Grid::linear(1, 32), || {
            let lane = warp::lane_id();
            // SAFETY: all lanes vote.
            let vote =
                unsafe { if lane < 16 { warp::warp_vote_ballot(!0, true) } else { warp::warp_vote_ballot(!0, false) } };
            assert_eq!(vote, 0xffff);
        })
        .unwrap();
}

#[test]
fn lanes_that_do_not_exist_are_named() {
    let text = |threads, mask| {
        // SAFETY: planted: not all lanes of the mask exist.
        let fault = fault_of(threads, move |_| unsafe { warp::sync_warp(mask) });
        assert!(matches!(fault.kind, FaultKind::Collective { .. }), "{fault}");
        assert!(fault.location.is_some_and(|at| at.file().ends_with("collectives.rs")), "{fault}");
        fault.to_string()
    };
    assert!(text(16, !0).contains("lanes 16 to 31 do not exist"), "{}", text(16, !0));
    assert!(text(48, !0).contains("lanes 16 to 31 do not exist"), "{}", text(48, !0));
    assert!(text(31, !0).contains("lane 31 does not exist"), "{}", text(31, !0));
    assert!(text(8, 0x1400_30ff).contains("lanes 12 to 13, 26 and 28 do not exist"), "{}", text(8, 0x1400_30ff));
    let reduced = fault_of(48, |lane| {
        // SAFETY: planted: the second warp has 16 lanes.
        let _ = unsafe { warp::warp_reduce(lane, warp::WarpReductionOp::Add) };
    });
    assert!(reduced.to_string().contains("lanes 16 to 31 do not exist"), "{reduced}");
}
