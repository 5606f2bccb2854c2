//! Structures that blocks change by compare-exchange, without locks.

use crate::common::run;
use crate::{Case, case};
use simt_std::atomic::Order;
use simt_std::prelude::*;

/// A stack of nodes 1 to 6: the top in the low half of a word of 64 bits, a tag in the high half.
/// Each block pops a node and pushes it back, three times.
#[kernel(threads = 1)]
fn stack_with_tags(top: Global<u64>, below: Global<u32>, owner: Global<u32>) {
    for _ in 0..3 {
        let node = loop {
            let old = atomic::device(top, 0).load(Order::Acquire);
            let node = old as u32;
            if node == 0 {
                continue;
            }
            let next = atomic::load(below, node as usize);
            let new = (old >> 32).wrapping_add(1) << 32 | u64::from(next);
            if atomic::device(top, 0).compare_exchange(old, new, Order::AcqRel) == old {
                break node;
            }
        };
        // Whoever has the node uses it alone.
        owner.write(node as usize, owner.read(node as usize) + 1);
        loop {
            let old = atomic::load_64(top, 0);
            atomic::store(below, node as usize, old as u32);
            let new = (old >> 32).wrapping_add(1) << 32 | u64::from(node);
            if atomic::device(top, 0).compare_exchange(old, new, Order::AcqRel) == old {
                break;
            }
        }
    }
}

/// Pushes a node for each block to a list.
#[kernel(threads = 1)]
fn list_of_blocks(head: Global<u32>, next: Global<u32>, value: Global<u32>) {
    let node = 1 + thread::block_idx_x();
    value.write(node as usize, node * node);
    let mut old = atomic::load(head, 0);
    loop {
        next.write(node as usize, old);
        let found = atomic::device(head, 0).compare_exchange(old, node, Order::Release);
        if found == old {
            break;
        }
        old = found;
    }
}

/// A queue of 4 slots from blocks 0 and 1 to blocks 2 and 3, each with a number that says whose
/// turn it is (Vyukov's bounded queue). Words: the next number to write, the next to read, then the
/// numbers of the slots.
#[kernel(threads = 1, cooperative)]
fn queue_between_blocks(turns: Global<u32>, slots: Global<u32>, sums: Global<u32>) {
    let b = thread::block_idx_x();
    let mut sum = 0;
    for item in 0..6 {
        let position = atomic::fetch_add(turns, (b / 2) as usize, 1);
        let slot = (position % 4) as usize;
        if b < 2 {
            while atomic::load_acquire(turns, 2 + slot) != position {}
            slots.write(slot, 10 * b + item);
            atomic::store_release(turns, 2 + slot, position + 1);
        } else {
            while atomic::load_acquire(turns, 2 + slot) != position + 1 {}
            sum += slots.read(slot);
            atomic::store_release(turns, 2 + slot, position + 4);
        }
    }
    if b >= 2 {
        atomic::fetch_add(sums, 0, sum);
    }
}

/// Counts keys in a table of 16 slots by open addressing. A slot is a key, or 0.
#[kernel(threads = 32)]
fn hash_table(keys: Global<u32>, counts: Global<u32>) {
    let key = 1 + thread::index_1d() * 3 % 10;
    let mut slot = (key * 5 % 16) as usize;
    loop {
        let found = atomic::compare_exchange(keys, slot, 0, key);
        if found == 0 || found == key {
            break;
        }
        slot = (slot + 1) % 16;
    }
    atomic::fetch_add(counts, slot, 1);
}

/// Returns the root of `x`, and shortens the path to it.
fn root(parents: Global<u32>, mut x: u32) -> u32 {
    loop {
        let parent = atomic::load(parents, x as usize);
        if parent == x {
            return x;
        }
        let above = atomic::load(parents, parent as usize);
        atomic::compare_exchange(parents, x as usize, parent, above);
        x = above;
    }
}

/// Joins i and i + step; the lower number becomes the root.
#[kernel(threads = 32)]
fn union_find(parents: Global<u32>, n: u32, step: u32) {
    let i = thread::index_1d();
    if i + step >= n {
        return;
    }
    let (mut a, mut b) = (i, i + step);
    loop {
        (a, b) = (root(parents, a), root(parents, b));
        let (low, high) = (a.min(b), a.max(b));
        if low == high || atomic::compare_exchange(parents, high as usize, high, low) == high {
            return;
        }
    }
}

/// The largest of floats, by compare-exchange of their bits.
#[kernel(threads = 32)]
fn largest_float(data: Global<u32>, largest: Global<u32>) {
    let own = f32::from_bits(data.read(thread::index_1d() as usize));
    let mut old = atomic::load(largest, 0);
    while f32::from_bits(old) < own {
        let found = atomic::compare_exchange(largest, 0, old, own.to_bits());
        if found == old {
            break;
        }
        old = found;
    }
}

/// Blocks take parts of different sizes from a counter until all are taken.
#[kernel(threads = 32)]
fn parts_from_a_counter(next: Global<u32>, data: Global<u32>, n: u32) {
    loop {
        let lane = warp::lane_id();
        let mine = if lane == 0 { atomic::fetch_add(next, 0, 1) } else { 0 };
        let part = crate::common::shuffle(FULL_WARP, mine, 0);
        if part >= n {
            return;
        }
        for i in (part * part..(part + 1) * (part + 1)).filter(|i| i % 32 == lane) {
            data.write(i as usize, part);
        }
    }
}

/// Each block has a range of tasks; when its own is empty it steals from the others' ranges.
#[kernel(threads = 1)]
fn work_stealing(next: Global<u32>, done: Global<u32>) {
    let (b, blocks) = (thread::block_idx_x(), thread::grid_dim_x());
    for victim in (0..blocks).map(|k| (b + k) % blocks) {
        loop {
            let task = atomic::fetch_add(next, victim as usize, 1);
            // Block b has 2 b tasks.
            if task >= 2 * victim {
                break;
            }
            done.write((8 * victim + task) as usize, 1);
        }
    }
}

/// Floats in an order that is not that of their bits.
fn floats() -> Vec<u32> {
    (0..64u32).map(|i| ((i * 37 % 64) as f32 / 3.0).to_bits()).collect()
}

pub fn cases() -> Vec<Case> {
    vec![
        case(
            "stack_with_tags",
            |gpu| {
                let top = gpu.alloc_from(&[6u64], "top");
                let (below, owner) = (
                    gpu.alloc_from(
                        &Vec::from_iter(0..7).iter().map(|&node: &u32| node.saturating_sub(1)).collect::<Vec<_>>(),
                        "below",
                    ),
                    gpu.alloc_from(&[0u32; 7], "owner"),
                );
                let kernel = StackWithTags { top: top.handle(), below: below.handle(), owner: owner.handle() };
                gpu.launch_kernel(4, kernel)?;
                let (top, below, owner) = (gpu.download(&top, 1)?, gpu.download(&below, 7)?, gpu.download(&owner, 7)?);
                // All nodes are in the stack again, and 12 pops and pushes have raised the tag.
                let mut nodes = vec![top[0] as u32];
                while let Some(&node) = nodes.last()
                    && node != 0
                    && nodes.len() <= 7
                {
                    nodes.push(below[node as usize]);
                }
                nodes.sort_unstable();
                Ok([nodes, vec![(top[0] >> 32) as u32, owner.iter().sum()]].concat())
            },
            vec![0, 1, 2, 3, 4, 5, 6, 24, 12],
        ),
        case(
            "list_of_blocks",
            |gpu| {
                let [head, next, value] =
                    [("head", 1), ("next", 7), ("value", 7)].map(|(name, len)| gpu.alloc_from(&vec![0u32; len], name));
                let kernel = ListOfBlocks { head: head.handle(), next: next.handle(), value: value.handle() };
                gpu.launch_kernel(6, kernel)?;
                let (next, value) = (gpu.download(&next, 7)?, gpu.download(&value, 7)?);
                let mut node = gpu.download(&head, 1)?[0];
                let mut values = Vec::new();
                while node != 0 {
                    values.push(value[node as usize]);
                    node = next[node as usize];
                }
                values.sort_unstable();
                Ok(values)
            },
            (1..=6).map(|node| node * node).collect(),
        ),
        case(
            "queue_between_blocks",
            |gpu| {
                let turns = gpu.alloc_from(&[0u32, 0, 0, 1, 2, 3], "turns");
                let slots = gpu.alloc::<u32>(4, "slots");
                run(gpu, 4, &[0], |sums| QueueBetweenBlocks { turns: turns.handle(), slots: slots.handle(), sums })
            },
            vec![(0..6).sum::<u32>() + (10..16).sum::<u32>()],
        ),
        case(
            "hash_table",
            |gpu| {
                let (keys, counts) = (gpu.alloc_from(&[0u32; 16], "keys"), gpu.alloc_from(&[0u32; 16], "counts"));
                gpu.launch_kernel(2, HashTable { keys: keys.handle(), counts: counts.handle() })?;
                let mut pairs: Vec<_> = gpu.download(&keys, 16)?.into_iter().zip(gpu.download(&counts, 16)?).collect();
                pairs.sort_unstable();
                Ok(pairs.into_iter().filter(|&(key, _)| key != 0).map(|(_, count)| count).collect())
            },
            (1..=10).map(|key| (0..64).filter(|i| 1 + i * 3 % 10 == key).count() as u32).collect(),
        ),
        case(
            "union_find",
            |gpu| {
                let parents = gpu.alloc_from(&Vec::from_iter(0..60u32), "parents");
                gpu.launch_kernel(2, UnionFind { parents: parents.handle(), n: 60, step: 12 })?;
                gpu.launch_kernel(2, UnionFind { parents: parents.handle(), n: 60, step: 9 })?;
                let parents = gpu.download(&parents, 60)?;
                let root = |mut x: u32| {
                    while parents[x as usize] != x {
                        x = parents[x as usize];
                    }
                    x
                };
                Ok((0..60).map(root).collect())
            },
            // The numbers of a class have one remainder modulo 3.
            (0..60).map(|i| i % 3).collect(),
        ),
        case(
            "largest_float",
            |gpu| {
                let data = gpu.alloc_from(&floats(), "data");
                run(gpu, 2, &[0], |largest| LargestFloat { data: data.handle(), largest })
            },
            vec![21.0f32.to_bits()],
        ),
        case(
            "parts_from_a_counter",
            |gpu| {
                let next = gpu.alloc_from(&[0u32], "next");
                run(gpu, 3, &[0; 100], |data| PartsFromACounter { next: next.handle(), data, n: 10 })
            },
            (0..100u32).map(u32::isqrt).collect(),
        ),
        case(
            "work_stealing",
            |gpu| {
                let next = gpu.alloc_from(&[0u32; 4], "next");
                run(gpu, 4, &[0; 32], |done| WorkStealing { next: next.handle(), done })
            },
            (0..32).map(|i| u32::from(i % 8 < i / 8 * 2)).collect(),
        ),
    ]
}
