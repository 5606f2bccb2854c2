//! The device layer on the CPU: every call goes to the simulator.

use super::Word;
use super::atomic::{Order, Rmw, Scope};
use super::global::Global;
use super::warp::Shuffle;
use crate::simulator::{self, Access, Atomic, Collective, Space, index};

/// Plain data.
pub use bytemuck::Pod;

macro_rules! indices {
    ($($name:ident, $of:ident, $axis:literal;)*) => {$(
        pub fn $name() -> u32 {
            index().$of[$axis]
        }
    )*};
}

indices! {
    thread_idx_x, thread, 0;
    thread_idx_y, thread, 1;
    thread_idx_z, thread, 2;
    block_idx_x, block, 0;
    block_idx_y, block, 1;
    block_idx_z, block, 2;
    block_dim_x, block_dim, 0;
    block_dim_y, block_dim, 1;
    block_dim_z, block_dim, 2;
    grid_dim_x, grid_dim, 0;
    grid_dim_y, grid_dim, 1;
    grid_dim_z, grid_dim, 2;
}

pub fn lane_id() -> u32 {
    index().lane
}

#[track_caller]
pub unsafe fn sync_threads() {
    simulator::barrier();
}

#[track_caller]
pub unsafe fn sync_warp(mask: u32) {
    simulator::collective(Collective::Sync, mask, 0);
}

#[track_caller]
pub unsafe fn shuffle(_wide: bool, kind: Shuffle, mask: u32, bits: u64, operand: u32, width: u32) -> u64 {
    simulator::collective(Collective::Shuffle { kind, operand, width }, mask, bits)
}

#[track_caller]
pub unsafe fn vote_all(mask: u32, predicate: bool) -> bool {
    simulator::collective(Collective::Ballot, mask, predicate.into()) as u32 == mask
}

#[track_caller]
pub unsafe fn vote_any(mask: u32, predicate: bool) -> bool {
    simulator::collective(Collective::Ballot, mask, predicate.into()) != 0
}

#[track_caller]
pub unsafe fn vote_ballot(mask: u32, predicate: bool) -> u32 {
    simulator::collective(Collective::Ballot, mask, predicate.into()) as u32
}

#[track_caller]
pub unsafe fn match_any(mask: u32, value: u32) -> u32 {
    simulator::collective(Collective::MatchAny, mask, value.into()) as u32
}

#[track_caller]
pub fn global_read<T: Word>(array: Global<T>, i: usize) -> T {
    simulator::read(simulator::Space::Global, array.address, element(array, i))
}

#[track_caller]
pub fn global_write<T: Word>(array: Global<T>, i: usize, value: T) {
    simulator::write(simulator::Space::Global, array.address, element(array, i), value);
}

#[track_caller]
pub fn shared_read<T: Word>(array: u32, offset: u32) -> T {
    simulator::read(simulator::Space::Shared, array.into(), array.wrapping_add(offset).into())
}

#[track_caller]
pub fn shared_write<T: Word>(array: u32, offset: u32, value: T) {
    simulator::write(simulator::Space::Shared, array.into(), array.wrapping_add(offset).into(), value);
}

pub fn dynamic_shared_base() -> u32 {
    simulator::dynamic_shared_base()
}

#[track_caller]
pub fn atomic_rmw<const OP: u8>(array: Global<u32>, i: usize, value: u32) -> u32 {
    atomic(array, i, Access::Atomic, Scope::Device, |old: u32| match OP {
        op if op == Rmw::Add as u8 => old.wrapping_add(value),
        op if op == Rmw::Min as u8 => old.min(value),
        op if op == Rmw::Max as u8 => old.max(value),
        op if op == Rmw::And as u8 => old & value,
        op if op == Rmw::Or as u8 => old | value,
        op if op == Rmw::Xor as u8 => old ^ value,
        _ => value,
    })
}

#[track_caller]
pub fn atomic_cas(array: Global<u32>, i: usize, current: u32, new: u32) -> u32 {
    atomic(array, i, Access::Atomic, Scope::Device, |old: u32| if old == current { new } else { old })
}

#[track_caller]
pub fn atomic_load(array: Global<u32>, i: usize) -> u32 {
    atomic(array, i, Access::Read, Scope::Device, |old: u32| old)
}

#[track_caller]
pub fn atomic_store(array: Global<u32>, i: usize, value: u32) {
    atomic(array, i, Access::Write, Scope::Device, |_: u32| value);
}

#[track_caller]
pub fn atomic_load_64(array: Global<u64>, i: usize) -> u64 {
    atomic(array, i, Access::Read, Scope::System, |old: u64| old)
}

#[track_caller]
pub fn atomic_load_64_if(wanted: bool, array: Global<u64>, i: usize, value: &mut u64) {
    if wanted {
        *value = atomic_load_64(array, i);
    }
}

#[track_caller]
pub fn atomic_store_64(array: Global<u64>, i: usize, value: u64) {
    atomic(array, i, Access::Write, Scope::System, |_: u64| value);
}

pub fn dp4a(a: u32, b: u32, c: u32) -> u32 {
    a.to_le_bytes()
        .into_iter()
        .zip(b.to_le_bytes())
        .fold(c, |sum, (a, b)| sum.wrapping_add(u32::from(a) * u32::from(b)))
}

pub fn opaque(number: u32) -> u32 {
    number
}

#[track_caller]
fn atomic<T: Word>(array: Global<T>, i: usize, access: Access, scope: Scope, change: impl FnOnce(T) -> T) -> T {
    let what = Atomic { access, order: Order::Relaxed, scope };
    simulator::atomic(Space::Global, array.address, element(array, i), what, change)
}

/// The byte address of element `i`; wraps like the GPU's, and the simulator finds it out of bounds.
fn element<T>(array: Global<T>, i: usize) -> u64 {
    array.address.wrapping_add((i as u64).wrapping_mul(size_of::<T>() as u64))
}
