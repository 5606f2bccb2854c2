//! Commands of several streams: accesses without an order are faults, with their lines and the
//! cure, and ordered ones are not.

use simt_std::atomic;
use simt_std::simulator::{Access, Buffer, Fault, FaultKind, Grid, Simulator, Stream, StreamAccess};
use simt_std::{global::Global, thread};

const LEN: usize = 3000;
const GRID: Grid = Grid { blocks: [24, 1, 1], threads: [128, 1, 1], dynamic_shared: 0 };

struct Job {
    gpu: Simulator,
    streams: [Stream; 3],
    x: Buffer<u32>,
    y: Buffer<u32>,
}

impl Job {
    fn new() -> Self {
        let mut gpu = Simulator::default();
        let [x, y] = ["x", "y"].map(|name| gpu.alloc_from(&[0u32; LEN], name));
        Self { streams: [gpu.stream(), gpu.stream(), gpu.stream()], gpu, x, y }
    }

    fn run(&mut self, stream: usize, kernel: &str, body: impl Fn(usize) + 'static) -> Result<(), Fault> {
        let each = move || {
            let i = thread::index_1d() as usize;
            if i < LEN {
                body(i);
            }
        };
        self.gpu.launch_in(&self.streams[stream], kernel, GRID, each)
    }

    /// Writes the elements of `x` that are a multiple of `step`.
    fn fill(&mut self, stream: usize, step: usize) -> Result<(), Fault> {
        let x = self.x.handle();
        self.run(stream, "fill", move |i| {
            if i % step == 0 {
                x.write(i, 1); // line of fill
            }
        })
    }

    /// Copies the elements of `x` from `first` on to `y`.
    fn take(&mut self, stream: usize, first: usize) -> Result<(), Fault> {
        let (x, y) = (self.x.handle(), self.y.handle());
        self.run(stream, "take", move |i| {
            if i >= first {
                let value = x.read(i); // line of take
                y.write(i, value);
            }
        })
    }

    fn order(&mut self, before: usize, after: usize) {
        let event = self.gpu.record(&self.streams[before]).unwrap();
        self.gpu.wait_for(&self.streams[after], &event).unwrap();
    }

    fn wait(&mut self, stream: usize) -> Result<(), Fault> {
        self.gpu.wait(&self.streams[stream])
    }
}

/// Returns the number of the line of this file that ends with a comment.
fn line(comment: &str) -> u32 {
    let lines = include_str!("streams.rs").lines();
    lines.zip(1..).find(|(text, _)| text.ends_with(&format!("// {comment}"))).expect("a line").1
}

fn access(fault: &Fault) -> &StreamAccess {
    match &fault.kind {
        FaultKind::Streams(access) => access,
        _ => panic!("{fault}"),
    }
}

#[test]
fn a_read_of_what_another_stream_writes_is_a_fault_with_both_lines_and_the_cure() {
    let mut job = Job::new();
    job.fill(0, 1000).unwrap();
    let fault = job.take(1, 1).unwrap_err();
    let StreamAccess { access: later, earlier, stream, earlier_stream, .. } = access(&fault);
    assert_eq!((*later, *earlier, *stream, *earlier_stream), (Access::Read, Access::Write, Some(1), 0));
    assert_eq!(fault.location.map(|at| at.line()), Some(line("line of take")));
    assert_eq!(access(&fault).earlier_location.map(|at| at.line()), Some(line("line of fill")));
    let text = fault.to_string();
    let wanted = format!(
        "no order between two streams on element 1000 of `x` (3000 elements): this read in stream 1 and the write by \
         `fill` in stream 0 at {}:{}. Record an event in stream 0 after `fill` and let stream 1 wait for it (`record`, \
         `wait_for`), or let the host wait for stream 0 (`wait`)",
        file!(),
        line("line of fill")
    );
    assert!(text.starts_with("kernel take, ") && text.ends_with(&wanted), "{text}");
}

#[test]
fn events_waits_and_downloads_order_streams() {
    type Order = fn(&mut Job);
    let orders: [(&str, Order); 6] = [
        ("event", |job| job.order(0, 1)),
        ("events over a third stream", |job| {
            job.order(0, 2);
            job.order(2, 1);
        }),
        ("wait of the host", |job| job.wait(0).unwrap()),
        ("wait for a later event", |job| {
            job.fill(0, 7).unwrap();
            let event = job.gpu.record(&job.streams[0]).unwrap();
            job.gpu.wait_event(&event).unwrap();
        }),
        ("download in the stream", |job| {
            job.gpu.download_in(&job.streams[0], &job.y, 0, 1).unwrap();
        }),
        ("check of memory", |job| job.gpu.check_memory(job.x.handle().address(), 4).unwrap()),
    ];
    for (name, order) in orders {
        let mut job = Job::new();
        job.fill(0, 3).unwrap();
        order(&mut job);
        job.take(1, 0).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        // A write after the read of the other stream.
        let fault = job.fill(0, 50).expect_err(name);
        let StreamAccess { access: later, earlier, .. } = access(&fault);
        assert_eq!((*later, *earlier), (Access::Write, Access::Read), "{name}");
    }
}

#[test]
fn an_event_before_the_write_and_one_that_nobody_waits_for_give_no_order() {
    let mut job = Job::new();
    job.order(0, 1);
    job.fill(0, 3).unwrap();
    job.gpu.record(&job.streams[0]).unwrap();
    assert_eq!(access(&job.take(1, 0).unwrap_err()).earlier, Access::Write);

    let mut job = Job::new();
    job.fill(0, 2999).unwrap();
    job.order(0, 1);
    job.fill(0, 1).unwrap();
    let fault = job.take(1, 0).unwrap_err();
    assert!(access(&fault).place.contains("element 0 of"), "{fault}");
}

#[test]
fn streams_may_work_on_parts_of_one_buffer_and_read_together() {
    let mut job = Job::new();
    for (stream, part) in [(0, 0), (1, 1), (2, 2), (1, 1)] {
        let x: Global<u32> = job.x.handle();
        // Every third element: no page and no sector belongs to one stream alone.
        job.run(stream, "part", move |i| {
            if i % 3 == part {
                x.write(i, x.read(i) + 1);
            }
        })
        .unwrap();
    }
    for stream in 0..3 {
        job.wait(stream).unwrap();
    }
    let sums: Vec<u32> = job.gpu.download(&job.x, LEN).unwrap();
    assert!(sums.iter().enumerate().all(|(i, &sum)| sum == 1 + u32::from(i % 3 == 1)));
    for stream in 0..3 {
        let x: Global<u32> = job.x.handle();
        job.run(stream, "read", move |i| {
            x.read(i);
        })
        .unwrap();
    }
    assert!(job.fill(2, 1).is_err());
}

#[test]
fn atomic_operations_of_two_streams_are_no_fault_but_a_plain_read_is() {
    let mut job = Job::new();
    let x: Global<u32> = job.x.handle();
    let count = move |_| {
        atomic::fetch_add(x, 5, 1);
    };
    for stream in 0..3 {
        job.run(stream, "count", count).unwrap();
    }
    let fault = job
        .run(1, "read", move |_| {
            x.read(5);
        })
        .unwrap_err();
    assert_eq!(access(&fault).earlier, Access::Atomic, "{fault}");
    for stream in 0..3 {
        job.wait(stream).unwrap();
    }
    assert_eq!(job.gpu.download(&job.x, 6).unwrap()[5], 3 * LEN as u32);
}

#[test]
fn copies_are_commands_too() {
    let zeros = [0u32; LEN];
    let mut job = Job::new();
    job.fill(0, 1).unwrap();
    // Copies of the other array, or in the same stream, are in order.
    job.gpu.upload_in(&job.streams[1], &job.y, 0, &zeros).unwrap();
    job.gpu.upload_async(&job.streams[0], "zero", &job.x, &zeros).unwrap();
    for fault in [
        job.gpu.download_in(&job.streams[1], &job.x, 10, 1).unwrap_err(),
        job.gpu.download(&job.x, 11).unwrap_err(),
        job.gpu.upload(&job.x, &zeros[..1]).unwrap_err(),
        job.gpu.upload_in(&job.streams[2], &job.x, 2999, &zeros[..1]).unwrap_err(),
        job.take(2, 0).unwrap_err(),
    ] {
        assert_eq!(access(&fault).earlier_command, "`zero`", "{fault}");
    }
    let text = job.gpu.download(&job.x, 1).unwrap_err().to_string();
    let wanted = "kernel download: no order between two streams on element 0 of `x` (3000 elements): this read and the \
                  write by `zero` in stream 0. Let the host wait for stream 0 before (`wait`)";
    assert_eq!(text, wanted);
    job.wait(0).unwrap();
    job.gpu.download_async(&job.streams[0], "download_async", &job.x, 100).unwrap();
    job.gpu.download(&job.x, 100).unwrap();
    assert_eq!(access(&job.fill(1, 99).unwrap_err()).earlier_command, "`download_async`");
    let x: Global<u32> = job.x.handle();
    job.run(1, "rest", move |i| {
        if i >= 100 {
            x.write(i, 1);
        }
    })
    .unwrap();
}

#[test]
fn a_second_stream_that_is_made_later_sees_the_launches_before() {
    let each = |x: Global<u32>, of: std::ops::Range<usize>| {
        move || {
            let i = thread::index_1d() as usize;
            if of.contains(&i) {
                x.write(i, 1);
            }
        }
    };
    let build = || {
        let mut gpu = Simulator::default();
        let x = gpu.alloc_from(&[0u32; LEN], "x");
        let first = gpu.stream();
        (gpu, x, first)
    };
    let read = |x: Global<u32>, i: usize| {
        move || {
            x.read(i);
        }
    };
    for (element, kernel) in [(0, "`one`"), (99, "`one`"), (100, "`two`"), (2500, "`three`")] {
        let (mut gpu, x, first) = build();
        gpu.launch_in(&first, "one", GRID, each(x.handle(), 0..100)).unwrap();
        gpu.launch_in(&first, "two", GRID, each(x.handle(), 100..200)).unwrap();
        gpu.launch_in(&first, "three", GRID, each(x.handle(), 2000..LEN)).unwrap();
        let second = gpu.stream();
        gpu.launch_in(&second, "free", Grid::linear(1, 1), read(x.handle(), 300)).unwrap();
        let fault = gpu.launch_in(&second, "read", Grid::linear(1, 1), read(x.handle(), element)).unwrap_err();
        assert!(access(&fault).earlier_command.contains(kernel), "{element}: {fault}");
        assert_eq!(access(&fault).earlier_location.is_some(), kernel == "`three`");
        let event = gpu.record(&first).unwrap();
        gpu.wait_for(&second, &event).unwrap();
        gpu.launch_in(&second, "read", Grid::linear(1, 1), read(x.handle(), element)).unwrap();
    }
    // What the host has waited for in between is ordered.
    let (mut gpu, x, first) = build();
    gpu.launch_in(&first, "one", GRID, each(x.handle(), 0..100)).unwrap();
    gpu.wait(&first).unwrap();
    gpu.launch_in(&first, "two", GRID, each(x.handle(), 100..200)).unwrap();
    gpu.upload_async(&first, "zero", &x, &[0; 50]).unwrap();
    let second = gpu.stream();
    gpu.launch_in(&second, "read", Grid::linear(1, 1), read(x.handle(), 50)).unwrap();
    for element in [49, 150] {
        assert!(gpu.launch_in(&second, "read", Grid::linear(1, 1), read(x.handle(), element)).is_err());
    }
    // A dropped stream's commands are still pending.
    let (mut gpu, x, first) = build();
    gpu.launch_in(&first, "one", GRID, each(x.handle(), 0..100)).unwrap();
    gpu.close(&first);
    let second = gpu.stream();
    let fault = gpu.launch_in(&second, "read", Grid::linear(1, 1), read(x.handle(), 0)).unwrap_err();
    assert_eq!((access(&fault).earlier_stream, access(&fault).stream), (0, Some(1)));
}

#[test]
fn a_buffer_that_is_freed_while_a_launch_may_use_it_is_a_fault_of_the_next_call() {
    for others in [0, 2] {
        let build = || {
            let mut gpu = Simulator::default();
            let [x, y] = ["x", "y"].map(|name| gpu.alloc_from(&[0u32; LEN], name));
            let stream = gpu.stream();
            for _ in 0..others {
                gpu.stream();
            }
            let handle: Global<u32> = x.handle();
            let body = move || handle.write(thread::index_1d() as usize, 1);
            gpu.launch_in(&stream, "fill", Grid::linear(2, 32), body).unwrap();
            (gpu, stream, x, y)
        };
        let (mut gpu, stream, x, y) = build();
        gpu.free(y);
        gpu.free(x);
        let text = gpu.wait(&stream).unwrap_err().to_string();
        let wanted = "kernel free: `x` (3000 elements) was freed while `fill` in stream 0 may use it: the host has not \
                      waited for the launch. Keep the buffer until the host has waited for stream 0 (`wait`, `download`)";
        assert_eq!(text, wanted);
        gpu.wait(&stream).unwrap();

        let (mut gpu, stream, x, y) = build();
        gpu.free(x);
        assert!(matches!(gpu.download(&y, 1).unwrap_err().kind, FaultKind::FreedInUse { .. }));
        gpu.wait(&stream).unwrap();

        let (mut gpu, stream, x, y) = build();
        gpu.wait(&stream).unwrap();
        gpu.free(x);
        // A copy in flight does not need the buffer: a GPU frees it after the copy.
        gpu.upload_async(&stream, "zero", &y, &[0]).unwrap();
        gpu.free(y);
        gpu.wait(&stream).unwrap();
    }
}

#[test]
fn a_launch_that_failed_leaves_nothing_pending() {
    let mut job = Job::new();
    let x: Global<u32> = job.x.handle();
    let beyond = move |i: usize| x.write(i + 2, 1);
    assert!(matches!(job.run(0, "beyond", beyond).unwrap_err().kind, FaultKind::OutOfBounds { .. }));
    job.take(1, 0).unwrap();
    assert!(matches!(job.fill(0, 1).unwrap_err().kind, FaultKind::Streams(_)));
    job.wait(1).unwrap();
    job.take(2, 0).unwrap();
}

#[test]
fn a_stream_of_another_simulated_gpu_is_an_error() {
    let (mut gpu, mut other) = (Simulator::default(), Simulator::default());
    let (own, foreign) = (gpu.stream(), other.stream());
    let x = gpu.alloc_from(&[0u32; 8], "x");
    let event = other.record(&foreign).unwrap();
    gpu.wait_for(&own, &event).unwrap();
    gpu.wait_event(&event).unwrap();
    for fault in [
        gpu.launch_in(&foreign, "empty", Grid::linear(1, 1), || {}).unwrap_err(),
        gpu.download_in(&foreign, &x, 0, 1).unwrap_err(),
        gpu.upload_in(&foreign, &x, 0, &[1]).unwrap_err(),
        gpu.record(&foreign).unwrap_err(),
        gpu.wait_for(&foreign, &event).unwrap_err(),
        gpu.wait(&foreign).unwrap_err(),
    ] {
        assert!(fault.to_string().ends_with("the stream belongs to another simulated GPU"), "{fault}");
    }
    gpu.close(&foreign);
}
