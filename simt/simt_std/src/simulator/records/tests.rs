use super::RECORDS;
use crate::simulator::{FaultKind, Grid, Simulator};
use crate::{global::Global, thread, warp};

#[test]
fn accesses_are_remembered_when_records_are_thrown_away() {
    let mut gpu = Simulator::default();
    let data = gpu.alloc::<u32>(2, "data");
    let handle: Global<u32> = data.handle();
    let launch = gpu.launch("long", Grid::linear(2, 64), move || {
        if thread::block_idx_x() == 0 && thread::thread_idx_x() == 0 {
            handle.write(0, 7);
            for turn in 0..10 * RECORDS as u32 {
                handle.write(1, turn);
                // SAFETY: a mask of this lane alone.
                unsafe { warp::sync_warp(1) };
            }
        }
        if thread::block_idx_x() == 1 && thread::thread_idx_x() == 40 {
            handle.read(0);
        }
    });
    let line = line!() - 11;
    let fault = launch.unwrap_err();
    let FaultKind::Race { earlier_location, earlier_thread, .. } = &fault.kind else { panic!("{fault}") };
    assert_eq!((earlier_location.line(), earlier_thread.thread, earlier_thread.block), (line, [0; 3], [0; 3]));
    let records = gpu.machine.records.records.len();
    assert!(records < 2 * RECORDS, "{records} are kept, of {}", 10 * RECORDS);
}

#[test]
fn the_host_initialises_any_run_of_bytes() {
    for len in [1, 3, 16, 100, 4095, 4096, 4097, 9000] {
        let mut gpu = Simulator::default();
        let data = gpu.alloc::<u8>(10_000, "data");
        gpu.upload(&data, &vec![1; len]).unwrap();
        assert_eq!(gpu.download(&data, len).unwrap().len(), len);
        let fault = gpu.download(&data, len + 1).unwrap_err();
        assert!(fault.to_string().contains(&format!("element {len} of")), "{fault}");
        // A kernel can read the last byte, but not the next one; it may write 16 bytes at once.
        let handle: Global<u8> = data.handle();
        gpu.launch("last", Grid::linear(1, 1), move || {
            handle.read(len - 1);
        })
        .unwrap();
        let beyond = gpu.launch("next", Grid::linear(1, 1), move || {
            handle.read(len);
        });
        assert!(matches!(beyond.unwrap_err().kind, FaultKind::Uninitialised { .. }), "{len}");
        let wide: Global<crate::U32x4> = handle.cast();
        gpu.launch("wide", Grid::linear(1, 1), move || wide.write(len / 16, bytemuck::Zeroable::zeroed())).unwrap();
        assert_eq!(gpu.download(&data, len / 16 * 16 + 16).unwrap().len(), len / 16 * 16 + 16);
    }
}
