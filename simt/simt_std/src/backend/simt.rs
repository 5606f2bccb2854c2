//! The device layer on the CPU: every call goes to the simulator.

use crate::Word;
use crate::ordering::{Order, Rmw, Scope};
use crate::print::format::{Argument, formatted};
use crate::shuffle::Shuffle;
use crate::simulator::{self, Access, Atomic, Collective, Element, Space, index};

/// Plain data.
pub use bytemuck::Pod;

/// An index or an offset in shared memory, with more bits than on the GPU, so that the simulator
/// sees one that is outside.
pub type SharedIndex = i64;

/// Returns an index in shared memory. One that would overflow a multiplication by an element's size
/// becomes another one that is outside.
pub fn shared_index(i: usize) -> SharedIndex {
    (i as i64).clamp(-1 << 40, 1 << 40)
}

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
pub unsafe fn sync_threads_count(predicate: bool) -> u32 {
    simulator::barrier_count(predicate)
}

#[track_caller]
pub unsafe fn sync_threads_and(predicate: bool) -> bool {
    simulator::barrier_count(!predicate) == 0
}

#[track_caller]
pub unsafe fn sync_threads_or(predicate: bool) -> bool {
    simulator::barrier_count(predicate) != 0
}

#[track_caller]
pub unsafe fn barrier_sync(id: u32, threads: u32) {
    simulator::named_barrier(id, threads, true);
}

#[track_caller]
pub unsafe fn barrier_arrive(id: u32, threads: u32) {
    simulator::named_barrier(id, threads, false);
}

#[track_caller]
pub unsafe fn sync_grid() {
    simulator::grid_barrier();
}

/// Returns the mask of this lane alone: no other lane is certain to run together with it.
pub fn activemask() -> u32 {
    simulator::asked_for_active_lanes();
    lanemask_eq()
}

pub fn lanemask_lt() -> u32 {
    lanemask_eq() - 1
}

pub fn lanemask_le() -> u32 {
    lanemask_eq() | lanemask_lt()
}

pub fn lanemask_eq() -> u32 {
    1 << lane_id()
}

pub fn lanemask_ge() -> u32 {
    !lanemask_lt()
}

pub fn lanemask_gt() -> u32 {
    !lanemask_le()
}

#[track_caller]
pub unsafe fn sync_warp(mask: u32) {
    simulator::collective(Collective::Sync, mask, 0);
}

#[track_caller]
pub unsafe fn shuffle(wide: bool, kind: Shuffle, mask: u32, bits: u64, operand: u32, width: u32) -> u64 {
    simulator::collective(Collective::Shuffle { kind, operand, width, wide }, mask, bits)
}

#[track_caller]
pub unsafe fn vote_all(mask: u32, predicate: bool) -> bool {
    simulator::collective(Collective::All, mask, predicate.into()) != 0
}

#[track_caller]
pub unsafe fn vote_any(mask: u32, predicate: bool) -> bool {
    simulator::collective(Collective::Any, mask, predicate.into()) != 0
}

#[track_caller]
pub unsafe fn vote_ballot(mask: u32, predicate: bool) -> u32 {
    simulator::collective(Collective::Ballot, mask, predicate.into()) as u32
}

#[track_caller]
pub unsafe fn match_any(mask: u32, value: u32) -> u32 {
    simulator::collective(Collective::MatchAny { wide: false }, mask, value.into()) as u32
}

#[track_caller]
pub unsafe fn match_any_wide(mask: u32, value: u64) -> u32 {
    simulator::collective(Collective::MatchAny { wide: true }, mask, value) as u32
}

#[track_caller]
pub unsafe fn match_all(mask: u32, value: u32) -> bool {
    simulator::collective(Collective::MatchAll { wide: false }, mask, value.into()) != 0
}

#[track_caller]
pub unsafe fn match_all_wide(mask: u32, value: u64) -> bool {
    simulator::collective(Collective::MatchAll { wide: true }, mask, value) != 0
}

#[track_caller]
pub fn global_read<T: Word>(array: u64, i: usize) -> T {
    const { crate::assert_word_size::<T>() };
    simulator::read(Space::Global, array, element::<T>(array, i))
}

#[track_caller]
pub fn global_read_only<T: Word>(array: u64, i: usize) -> T {
    const { crate::assert_word_size::<T>() };
    simulator::read_only(array, element::<T>(array, i))
}

#[track_caller]
pub fn global_write<T: Word>(array: u64, i: usize, value: T) {
    const { crate::assert_word_size::<T>() };
    simulator::write(Space::Global, array, element::<T>(array, i), value);
}

pub use self::global_read as global_ldca;
pub use self::global_read as global_ldcg;
pub use self::global_read as global_ldcs;
pub use self::global_read as global_ldlu;
pub use self::global_read as global_ldcv;
pub use self::global_write as global_stwb;
pub use self::global_write as global_stcg;
pub use self::global_write as global_stcs;
pub use self::global_write as global_stwt;

#[track_caller]
pub fn shared_read<T: Word>(array: u32, offset: SharedIndex) -> T {
    const { crate::assert_word_size::<T>() };
    simulator::read(Space::Shared, array.into(), shared_address(array, offset))
}

#[track_caller]
pub fn shared_write<T: Word>(array: u32, offset: SharedIndex, value: T) {
    const { crate::assert_word_size::<T>() };
    simulator::write(Space::Shared, array.into(), shared_address(array, offset), value);
}

#[track_caller]
pub fn copy_async<T: Word>(target: u32, offset: SharedIndex, source: u64, from: usize) {
    let target = Element { array: target.into(), address: shared_address(target, offset) };
    simulator::copy_async::<T>(target, Element { array: source, address: element::<T>(source, from) });
}

pub fn copy_commit() {
    simulator::copy_commit();
}

#[track_caller]
pub fn copy_wait<const N: u32>() {
    simulator::copy_wait(N);
}

pub fn dynamic_shared_base() -> u32 {
    simulator::dynamic_shared_base()
}

/// An element that atomic read-modify-write operations change.
pub trait AtomicElement: Sized {
    fn change<const OP: u8>(self, operand: Self) -> Self;
}

macro_rules! atomic_elements {
    ($($integer:ty)*; $($float:ty)*) => {
        $(impl AtomicElement for $integer {
            fn change<const OP: u8>(self, operand: Self) -> Self {
                match OP {
                    op if op == Rmw::Add as u8 => self.wrapping_add(operand),
                    op if op == Rmw::Min as u8 => self.min(operand),
                    op if op == Rmw::Max as u8 => self.max(operand),
                    op if op == Rmw::And as u8 => self & operand,
                    op if op == Rmw::Or as u8 => self | operand,
                    op if op == Rmw::Xor as u8 => self ^ operand,
                    _ => operand,
                }
            }
        })*
        $(impl AtomicElement for $float {
            fn change<const OP: u8>(self, operand: Self) -> Self {
                let replaces = match OP {
                    op if op == Rmw::Add as u8 => return self + operand,
                    op if op == Rmw::Min as u8 => !operand.is_nan() && operand.total_cmp(&self).is_lt(),
                    op if op == Rmw::Max as u8 => !operand.is_nan() && operand.total_cmp(&self).is_gt(),
                    _ => true,
                };
                if replaces { operand } else { self }
            }
        })*
    };
}
atomic_elements!(u32 i32 u64 i64; f32 f64);

/// The atomics of one memory space, addressed by the array's start and the element's index.
macro_rules! atomic_functions {
    ($module:ident, $array:ty, $index:ty, $space:ident, $address:ident) => {
        pub mod $module {
            use super::*;

            #[track_caller]
            pub fn rmw<T: Word + AtomicElement, const OP: u8>(
                a: $array,
                i: $index,
                value: T,
                order: Order,
                scope: Scope,
            ) -> T {
                let atomic = Atomic { access: Access::Atomic, order, scope };
                simulator::atomic(Space::$space, a.into(), $address::<T>(a, i), atomic, &|old: T| {
                    old.change::<OP>(value)
                })
            }

            #[track_caller]
            pub fn cas<T: Word + AtomicElement>(
                a: $array,
                i: $index,
                current: T,
                new: T,
                order: Order,
                scope: Scope,
            ) -> T {
                let atomic = Atomic { access: Access::Atomic, order, scope };
                let same = move |old: &T| bytemuck::bytes_of(old) == bytemuck::bytes_of(&current);
                simulator::atomic(Space::$space, a.into(), $address::<T>(a, i), atomic, &|old: T| {
                    if same(&old) { new } else { old }
                })
            }

            #[track_caller]
            pub fn load<T: Word + AtomicElement>(a: $array, i: $index, order: Order, scope: Scope) -> T {
                let atomic = Atomic { access: Access::Read, order, scope };
                simulator::atomic(Space::$space, a.into(), $address::<T>(a, i), atomic, &|old: T| old)
            }

            #[track_caller]
            pub fn store<T: Word + AtomicElement>(a: $array, i: $index, value: T, order: Order, scope: Scope) {
                let atomic = Atomic { access: Access::Write, order, scope };
                simulator::atomic(Space::$space, a.into(), $address::<T>(a, i), atomic, &|_: T| value);
            }
        }
    };
}

atomic_functions!(global_atomic, u64, usize, Global, element);
atomic_functions!(shared_atomic, u32, SharedIndex, Shared, shared_element);

#[track_caller]
pub fn atomic_load_64_if(wanted: bool, array: u64, i: usize, value: &mut u64) {
    if wanted {
        *value = global_atomic::load(array, i, Order::Relaxed, Scope::System);
    }
}

#[track_caller]
pub fn fence(scope: Scope) {
    simulator::fence(Order::AcqRel, scope);
}

#[track_caller]
pub fn fence_seq_cst(scope: Scope) {
    simulator::fence(Order::SeqCst, scope);
}

pub fn clock() -> u32 {
    simulator::clock() as u32
}

pub fn clock64() -> u64 {
    simulator::clock()
}

pub fn nanosleep(_nanoseconds: u32) {}

pub fn print(format: &'static str, arguments: &[Argument]) {
    simulator::print(formatted(format, arguments));
}

#[track_caller]
pub fn out_of_bounds(index: u64, len: u64) -> ! {
    simulator::out_of_bounds(Space::Global, format!("element {index} of a slice of {len} elements"))
}

pub fn dp4a(a: u32, b: u32, c: u32) -> u32 {
    a.to_le_bytes()
        .into_iter()
        .zip(b.to_le_bytes())
        .fold(c, |sum, (a, b)| sum.wrapping_add(u32::from(a) * u32::from(b)))
}

pub fn lop3<const TABLE: u8>(a: u32, b: u32, c: u32) -> u32 {
    // Combines one term for each row of the truth table that is 1.
    (0..8).filter(|row| TABLE >> row & 1 == 1).fold(0, |result, row| {
        let operand = |word: u32, bit: u32| if row >> bit & 1 == 1 { word } else { !word };
        result | (operand(a, 2) & operand(b, 1) & operand(c, 0))
    })
}

pub fn funnel_shift_left(low: u32, high: u32, shift: u32) -> u32 {
    ((u64::from(high) << 32 | u64::from(low)) << (shift % 32) >> 32) as u32
}

pub fn funnel_shift_right(low: u32, high: u32, shift: u32) -> u32 {
    ((u64::from(high) << 32 | u64::from(low)) >> (shift % 32)) as u32
}

pub fn opaque(number: u32) -> u32 {
    number
}

/// Returns the byte address of element `i`. It wraps as on the GPU, and the simulator then reports
/// it as out of bounds.
fn element<T>(array: u64, i: usize) -> u64 {
    array.wrapping_add((i as u64).wrapping_mul(size_of::<T>() as u64))
}

/// Returns the byte address of element `i` in shared memory.
fn shared_element<T>(array: u32, i: SharedIndex) -> u64 {
    shared_address(array, i.wrapping_mul(size_of::<T>() as SharedIndex))
}

/// Returns the byte address at an offset from an array in shared memory. One outside the 32 bits of
/// the shared window stays outside.
fn shared_address(array: u32, offset: SharedIndex) -> u64 {
    i64::from(array).wrapping_add(offset) as u64
}
