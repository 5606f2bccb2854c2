//! Nothing moves any more: who waits for whom.

use super::Grid;
use super::fault::{Fault, FaultKind};
use super::launch::name;
use super::warp::{Lane, Request};

/// The fault of a launch in which nothing moves: a barrier that threads of its block have passed by, or a deadlock.
/// `lanes`: the threads of the blocks on the machine, by the block's number and their own in the block.
pub(super) fn stuck<'a, I>(grid: Grid, lanes: impl Fn() -> I) -> Box<Fault>
where
    I: Iterator<Item = (u32, u32, &'a Lane)>,
{
    let mut waiting: Vec<(String, u32, u32)> = Vec::new();
    for (block, thread, lane) in lanes() {
        let what = match lane {
            Lane::Waiting(Request::Barrier(place)) => {
                let ended = lanes().any(|(b, _, l)| b == block && matches!(l, Lane::Done));
                let elsewhere = lanes().find_map(|(b, t, l)| match l {
                    Lane::Waiting(Request::Collective { location, .. }) if b == block => Some((t, *location)),
                    _ => None,
                });
                let other = match (ended, elsewhere) {
                    (_, Some((t, at))) => {
                        format!("it waits here while thread {t} of the block waits at {}:{}", at.file(), at.line())
                    }
                    (true, None) => "it waits here while other threads of the block have ended".to_string(),
                    (false, None) => continue,
                };
                let thread = Some(name(block, thread, grid));
                return Box::new(Fault::in_launch(FaultKind::DivergentBarrier { other }, thread, Some(place)));
            }
            Lane::Waiting(Request::Collective { mask, location, .. }) => {
                let ended = lanes().find_map(|(b, t, l)| {
                    let named = b == block && t / 32 == thread / 32 && mask >> (t % 32) & 1 == 1;
                    (named && matches!(l, Lane::Done)).then_some(t % 32)
                });
                let missing = ended.map_or(String::new(), |lane| format!(", of which lane {lane} has ended"));
                let (file, line) = (location.file(), location.line());
                format!("in a collective of the lanes {mask:#010x}{missing}, at {file}:{line}")
            }
            Lane::Ready(_) => "spinning on memory that nobody changes".to_string(),
            _ => continue,
        };
        if !waiting.iter().any(|(w, ..)| *w == what) {
            waiting.push((what, block, thread));
        }
    }
    let list: Vec<String> = waiting
        .iter()
        .take(8)
        .map(|(what, block, thread)| format!("{} is {what}", name(*block, *thread, grid)))
        .collect();
    let (block, thread) = waiting.first().map_or((0, 0), |&(_, block, thread)| (block, thread));
    let kind = FaultKind::Deadlock { waiting: list.join("; ") };
    Box::new(Fault::in_launch(kind, Some(name(block, thread, grid)), None))
}
