//! Kernels that `#[kernel]` makes of functions, run on the simulator.

#[path = "kernel_files/in_a_folder.rs"]
mod in_a_folder;

use simt_std::prelude::*;
use simt_std::simulator::{Buffer, Grid, Simulator};
use std::marker::PhantomData;

/// Returns a simulator and an array of zeros.
fn with_zeros(len: usize) -> (Simulator, Buffer<u32>) {
    let mut gpu = Simulator::default();
    let array = gpu.alloc(len, "array");
    gpu.upload(&array, &vec![0; len]).unwrap();
    (gpu, array)
}

/// y = a x + y. Launch: at least n threads.
#[kernel(threads = 64)]
fn add_scaled(
    a: u32,
    /// n elements.
    x: Global<u32>,
    /// n elements.
    y: Global<u32>,
    mut n: u32,
) {
    n = n.min(1000);
    let i = thread::index_1d() as usize;
    if i < n as usize {
        y.write(i, a * x.read(i) + y.read(i));
    }
}

#[test]
fn parameters_become_a_struct() {
    let (mut gpu, y) = with_zeros(100);
    let x = gpu.alloc::<u32>(100, "x");
    gpu.upload(&x, &Vec::from_iter(0..100)).unwrap();
    let kernel = AddScaled { a: 3, x: x.handle(), y: y.handle(), n: 90 };
    gpu.launch_kernel(2, kernel).unwrap();
    gpu.launch_kernel(2, AddScaled { a: 1, ..kernel }).unwrap();
    let expected: Vec<u32> = (0..100).map(|i| if i < 90 { 4 * i } else { 0 }).collect();
    assert_eq!(gpu.download(&y, 100).unwrap(), expected);
    assert_eq!((AddScaled::NAME, AddScaled::BLOCK_THREADS), ("add_scaled", 64));
    assert_eq!((kernel.block_dim(), kernel.dynamic_shared_bytes()), ([64, 1, 1], 0));
    assert_eq!(size_of::<AddScaled>(), 32, "as C lays it out");
}

/// A change of a word.
trait Change: Copy + Send + Sync + 'static {
    fn change(word: u32) -> u32;
}

#[derive(Clone, Copy)]
struct Double;

#[derive(Clone, Copy)]
struct Square;

impl Change for Double {
    fn change(word: u32) -> u32 {
        2 * word
    }
}

impl Change for Square {
    fn change(word: u32) -> u32 {
        word * word
    }
}

/// A struct of our own, generic in a type and a number.
#[derive(Clone, Copy)]
#[repr(C)]
struct Changed<C, const ADD: u32> {
    words: Global<u32>,
    width: u32,
    change: PhantomData<C>,
}

#[kernel(
    max_threads = 32 * ADD,
    threads = self.width,
    shared = self.width * size_of::<u32>() as u32,
    instances = [double_and_1: (Double, 1), square_and_3: (Square, { 1 + 2 })]
)]
unsafe fn changed<C, const ADD: u32>(self: Changed<C, ADD>)
where
    C: Change,
{
    // Reversed through shared memory.
    let (i, all) = (thread::thread_idx_x(), dynamic_shared_mem::<u32>());
    all.write(i, C::change(i) + ADD);
    // SAFETY: all threads are here.
    unsafe { thread::sync_threads() };
    self.words.write(i as usize, all.read(self.width - 1 - i));
}

#[test]
fn a_generic_kernel_has_an_entry_for_each_instance() {
    fn run<C: Change, const ADD: u32>(width: u32) -> Vec<u32>
    where
        Changed<C, ADD>: Kernel,
    {
        let (mut gpu, words) = with_zeros(width as usize);
        let kernel = Changed::<C, ADD> { words: words.handle(), width, change: PhantomData };
        assert_eq!((kernel.block_dim(), kernel.dynamic_shared_bytes()), ([width, 1, 1], 4 * width));
        gpu.launch_kernel(1, kernel).unwrap();
        gpu.download(&words, width as usize).unwrap()
    }
    assert_eq!(run::<Double, 1>(4), [7, 5, 3, 1]);
    assert_eq!(run::<Square, 3>(4), [12, 7, 4, 3]);
    let names = [Changed::<Double, 1>::NAME, Changed::<Square, 3>::NAME];
    assert_eq!(names, ["double_and_1", "square_and_3"]);
    assert_eq!([Changed::<Double, 1>::BLOCK_THREADS, Changed::<Square, 3>::BLOCK_THREADS], [32, 96]);
}

/// A struct with two const parameters and a type.
#[derive(Clone, Copy)]
#[repr(C)]
struct Scaled<C, const TIMES: u32, const NEGATE: bool> {
    words: Global<u32>,
    change: PhantomData<C>,
}

const TEN: u32 = 10;

#[kernel(
    threads = 4,
    instances = [scaled_1: (Double, 1, false), scaled_7: (Square, { 3 + 4 }, true), scaled_10: (Double, TEN, true)]
)]
fn scaled<C: Change, const TIMES: u32, const NEGATE: bool>(self: Scaled<C, TIMES, NEGATE>)
where
    Option<C>: Copy,
{
    let i = thread::thread_idx_x();
    let word = TIMES * C::change(i);
    self.words.write(i as usize, if NEGATE { !word } else { word });
}

/// Launches an instance and returns its name.
struct LaunchScaled;

impl ScaledDispatch for LaunchScaled {
    type Output = (&'static str, Vec<u32>);

    fn with<C: Change, const TIMES: u32, const NEGATE: bool>(self) -> Self::Output
    where
        Scaled<C, TIMES, NEGATE>: Kernel,
    {
        let (mut gpu, words) = with_zeros(4);
        let kernel = Scaled::<C, TIMES, NEGATE> { words: words.handle(), change: PhantomData };
        gpu.launch_kernel(1, kernel).unwrap();
        (Scaled::<C, TIMES, NEGATE>::NAME, gpu.download(&words, 4).unwrap())
    }
}

#[test]
fn an_instance_is_chosen_at_run_time() {
    assert_eq!(SCALED_INSTANCES, [(1, false), (7, true), (10, true)]);
    let chosen = |values| LaunchScaled.dispatch(values);
    assert_eq!(chosen((1, false)), Some(("scaled_1", vec![0, 2, 4, 6])));
    assert_eq!(chosen((7, true)), Some(("scaled_7", vec![!0, !7, !28, !63])));
    assert_eq!(chosen((10, true)), Some(("scaled_10", vec![!0, !20, !40, !60])));
    assert_eq!([(1, true), (2, false), (7, false), (11, true)].map(chosen), [const { None }; 4]);
}

/// The values of one const parameter are plain values, not tuples.
#[test]
fn an_instance_is_chosen_by_one_value() {
    struct Name;
    impl ChangedDispatch for Name {
        type Output = &'static str;
        fn with<C: Change, const ADD: u32>(self) -> &'static str
        where
            Changed<C, ADD>: Kernel,
        {
            Changed::<C, ADD>::NAME
        }
    }
    assert_eq!(CHANGED_INSTANCES, [1, 3]);
    assert_eq!([1, 2, 3].map(|value| Name.dispatch(value)), [Some("double_and_1"), None, Some("square_and_3")]);
}

/// Without const parameters that distinguish the instances, there is neither a list nor a trait:
/// these names are free.
#[test]
fn there_is_no_choice_without_different_values() {
    #[kernel(threads = 1, instances = [by_type_double: (Double)])]
    fn by_type<C: Change>(words: Global<u32>, _change: PhantomData<C>) {
        words.write(0, C::change(5));
    }

    #[kernel(threads = 1, instances = [alike_double: (Double, 2), alike_square: (Square, 2)])]
    fn alike<C: Change, const TIMES: u32>(words: Global<u32>, _change: PhantomData<C>) {
        words.write(0, TIMES * C::change(5));
    }

    type ByTypeDispatch = ByType<Double>;
    type AlikeDispatch = Alike<Square, 2>;
    const BY_TYPE_INSTANCES: &str = ByTypeDispatch::NAME;
    const ALIKE_INSTANCES: &str = AlikeDispatch::NAME;
    assert_eq!([BY_TYPE_INSTANCES, ALIKE_INSTANCES], ["by_type_double", "alike_square"]);
}

const COLUMNS: u32 = 8;

/// Each thread writes its position in a block of `COLUMNS` × 4 × 2.
#[kernel(threads = [COLUMNS, 4, 2])]
fn places(words: Global<u32>) {
    let [x, y, z] = [thread::thread_idx_x(), thread::thread_idx_y(), thread::thread_idx_z()];
    words.write(((z * 4 + y) * COLUMNS + x) as usize, x + 10 * y + 100 * z);
}

#[test]
fn a_block_has_up_to_three_dimensions() {
    let (mut gpu, words) = with_zeros(64);
    let kernel = Places { words: words.handle() };
    assert_eq!((kernel.block_dim(), Places::BLOCK_THREADS), ([8, 4, 2], 64));
    gpu.launch_kernel(1, kernel).unwrap();
    let found = gpu.download(&words, 64).unwrap();
    assert_eq!([found[0], found[7], found[8], found[31], found[63]], [0, 7, 10, 37, 137]);
}

/// Uses the parameters' names for the shared memory and the block size.
#[kernel(max_threads = 64, threads = [width, height], shared = width * height * 4)]
fn transpose(words: Global<u32>, width: u32, height: u32) {
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    let all = dynamic_shared_mem::<u32>();
    all.write(y * width + x, y * width + x);
    // SAFETY: all threads are here.
    unsafe { thread::sync_threads() };
    words.write((x * height + y) as usize, all.read(y * width + x));
}

#[test]
fn sizes_may_depend_on_the_parameters() {
    let (mut gpu, words) = with_zeros(6);
    gpu.launch_kernel(1, Transpose { words: words.handle(), width: 3, height: 2 }).unwrap();
    assert_eq!(gpu.download(&words, 6).unwrap(), [0, 3, 1, 4, 2, 5]);
    assert_eq!(Transpose::BLOCK_THREADS, 64);
}

#[test]
fn the_file_of_a_kernel_is_known() {
    let here = AddScaled::SOURCE.unwrap();
    assert_eq!(here.file, file!());
    assert!(here.text.contains("fn the_file_of_a_kernel_is_known"), "{}", here.file);
    assert_eq!(Changed::<Square, 3>::SOURCE, Some(here));
    let other = in_a_folder::Numbers::SOURCE.unwrap();
    assert!(other.file.ends_with("in_a_folder.rs") && other.text.contains("pub fn numbers"), "{}", other.file);
    let (mut gpu, words) = with_zeros(8);
    gpu.launch_kernel(1, in_a_folder::Numbers { words: words.handle() }).unwrap();
    assert_eq!(gpu.download(&words, 8).unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(
        (gpu.source(other.file), gpu.source(here.file)),
        (Some(other.text), None),
        "it has launched one of them"
    );
}

/// Launch: any.
#[kernel(threads = [16, 4], min_blocks = 1 + 2, cooperative)]
fn together(words: Global<u32>) {
    // SAFETY: every thread of the grid is here.
    unsafe { thread::sync_grid() };
    atomic::fetch_add(words, 0, 1);
}

#[test]
fn a_kernel_may_be_cooperative() {
    let mut gpu = Simulator::default();
    let words = gpu.alloc_from(&[0u32], "words");
    let kernel = Together { words: words.handle() };
    assert!(<Together as Kernel>::COOPERATIVE && Grid::for_kernel(2, &kernel).cooperative);
    gpu.launch_kernel(3, kernel).unwrap();
    assert_eq!(gpu.download(&words, 1).unwrap(), [3 * 64]);
}
