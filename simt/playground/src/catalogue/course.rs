//! Kernels about memory and warps: vector addition, transposition, product, stencil, histogram and
//! ballot.

use super::{fault, fault_in, number, switch, threads, version};
use crate::bench::{Bench, Check, numbers};
use crate::choice::Choice;
use crate::kernels::{histogram, matmul, stencil, transpose, vector_add, warp};
use crate::lesson::Lesson;
use simt_std::simulator::Fault;

pub fn lessons() -> Vec<Lesson> {
    vec![
        Lesson {
            id: "vector_add",
            title: "Vector addition",
            idea: "A warp's 32 neighbouring words are 4 sectors of 32 bytes. A stride spreads them over more; an offset adds one.",
            paper: false,
            controls: vec![
                number("n", "elements", &[100, 256, 500, 1024], 500),
                threads(&[32, 64, 128, 256, 512], 128),
                number("stride", "stride", &[1, 2, 3, 4, 8, 16, 32], 1),
                number("offset", "offset", &[0, 1, 4, 8, 31], 0),
                fault("unchecked", "no test of i < n"),
            ],
            run: vector_add,
        },
        Lesson {
            id: "transpose",
            title: "Transposition",
            idea: "The direct version writes 32 sectors for 32 words. The tile repairs that; a pitch of 33 words frees it of bank conflicts.",
            paper: false,
            controls: vec![
                version(&["direct", "through a tile"], 1),
                number("n", "rows and columns", &[32, 50, 64, 96], 64),
                number("rows", "rows of threads", &[2, 4, 8, 16, 32], 8),
                number("pitch", "pitch of the tile", &[32, 33, 34, 36, 40], 32),
                fault_in("no_barrier", "no barrier after the tile", &[1]),
            ],
            run: transpose,
        },
        Lesson {
            id: "matmul",
            title: "Matrix product",
            idea: "Tiles divide the words read from global memory by their width. Two barriers protect each tile: before it is read, and before the next one overwrites it.",
            paper: false,
            controls: vec![
                version(&["direct", "by tiles"], 1),
                number("n", "rows and columns", &[8, 16, 20, 24], 16),
                number("tile", "tile", &[4, 8, 16], 8),
                fault_in("no_first", "no barrier before the products", &[1]),
                fault_in("no_second", "no barrier after the products", &[1]),
            ],
            run: matmul,
        },
        Lesson {
            id: "stencil",
            title: "Stencil",
            idea: "Each cell is needed by five threads. The tile reads it once, with a border for the threads at the edge.",
            paper: false,
            controls: vec![
                version(&["direct", "through a tile"], 1),
                number("width", "width", &[20, 32, 40, 64], 40),
                number("rows", "rows of a block", &[1, 2, 4, 8], 8),
                fault_in("no_halo", "the border is not loaded", &[1]),
                fault_in("no_barrier", "no barrier after the tile", &[1]),
            ],
            run: stencil,
        },
        Lesson {
            id: "histogram",
            title: "Histogram",
            idea: "Many threads add to few bins. Shared bins replace global atomics by one per bin and block.",
            paper: false,
            controls: vec![
                version(&["global bins", "shared bins"], 1),
                number("n", "values", &[100, 256, 500], 256),
                number("bins", "bins", &[2, 13, 32, 64], 13),
                number("blocks", "blocks", &[1, 2, 3], 2),
                threads(&[32, 64, 128, 256], 64),
                switch("equal", "all values are equal", false),
                fault("plain", "add by a read and a write"),
                fault_in("no_barrier", "no barriers", &[1]),
            ],
            run: histogram,
        },
        Lesson {
            id: "warp",
            title: "Ballots of a warp",
            idea: "A ballot shows each lane which lanes have the symbol. The lane counts the bits below its own, and stores its position without a gap. A ballot does not order memory accesses.",
            paper: false,
            controls: vec![
                version(&["in global memory", "in shared memory"], 1),
                number("n", "length of the text", &[64, 100, 128, 200], 100),
                number("letters", "different symbols", &[1, 2, 4, 8], 2),
                fault("in_branch", "a ballot of all lanes where i < n"),
                fault("no_barrier", "no barrier of the warp"),
            ],
            run: warp,
        },
    ]
}

fn floats(n: u32, seed: u32) -> Vec<f32> {
    numbers(n, seed, 16).into_iter().map(|number| number as f32 - 8.0).collect()
}

fn vector_add(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let [n, stride, offset, threads] = ["n", "stride", "offset", "threads"].map(|id| choice.get(id));
    let (a, b) = (floats(n * stride + offset, 1), floats(n * stride + offset, 2));
    let on_a = bench.gpu.alloc_from(&a, "a");
    let on_b = bench.gpu.alloc_from(&b, "b");
    let on_c = bench.gpu.alloc_from(&vec![0.0_f32; a.len()], "c");
    let kernel = vector_add::VectorAdd {
        a: on_a.handle(),
        b: on_b.handle(),
        c: on_c.handle(),
        n,
        stride,
        offset,
        checked: !choice.is_on("unchecked"),
        threads,
    };
    bench.launch(n.div_ceil(threads), kernel)?;
    let mut expected = vec![0.0; a.len()];
    for i in (0..n).map(|i| (i * stride + offset) as usize) {
        expected[i] = a[i] + b[i];
    }
    bench.check(&on_c, &expected)
}

fn transpose(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let [n, rows, pitch, version] = ["n", "rows", "pitch", "version"].map(|id| choice.get(id));
    let matrix = floats(n * n, 1);
    let input = bench.gpu.alloc_from(&matrix, "input");
    let output = bench.gpu.alloc::<f32>(matrix.len(), "output");
    let kernel = transpose::Transpose {
        input: input.handle(),
        output: output.handle(),
        n,
        tiled: version == 1,
        pitch,
        waits: !choice.is_on("no_barrier"),
        rows,
    };
    let tiles = n.div_ceil(transpose::TILE);
    bench.launch([tiles, tiles], kernel)?;
    let n = n as usize;
    let expected: Vec<f32> = (0..n * n).map(|i| matrix[i % n * n + i / n]).collect();
    bench.check(&output, &expected)
}

fn matmul(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let [n, tile, version] = ["n", "tile", "version"].map(|id| choice.get(id));
    let (left, right) = (floats(n * n, 1), floats(n * n, 2));
    let a = bench.gpu.alloc_from(&left, "a");
    let b = bench.gpu.alloc_from(&right, "b");
    let c = bench.gpu.alloc::<f32>(left.len(), "c");
    let kernel = matmul::Matmul {
        a: a.handle(),
        b: b.handle(),
        c: c.handle(),
        n,
        tiled: version == 1,
        waits_before: !choice.is_on("no_first"),
        waits_after: !choice.is_on("no_second"),
        tile,
    };
    let blocks = n.div_ceil(tile);
    bench.launch([blocks, blocks], kernel)?;
    let n = n as usize;
    let product = |i: usize| (0..n).map(|k| left[i / n * n + k] * right[k * n + i % n]).sum();
    let expected: Vec<f32> = (0..n * n).map(product).collect();
    bench.check(&c, &expected)
}

fn stencil(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let [width, rows, version] = ["width", "rows", "version"].map(|id| choice.get(id));
    let height = 16;
    let cells: Vec<i32> = numbers(width * height, 1, 16).into_iter().map(|number| number as i32).collect();
    let input = bench.gpu.alloc_from(&cells, "input");
    let output = bench.gpu.alloc::<i32>(cells.len(), "output");
    let kernel = stencil::Laplace {
        input: input.handle(),
        output: output.handle(),
        width,
        height,
        tiled: version == 1,
        halo: !choice.is_on("no_halo"),
        waits: !choice.is_on("no_barrier"),
        rows,
    };
    bench.launch([width.div_ceil(stencil::WIDTH), height.div_ceil(rows)], kernel)?;
    let (w, h) = (width as i32, height as i32);
    let cell =
        |x: i32, y: i32| if (0..w).contains(&x) && (0..h).contains(&y) { cells[(y * w + x) as usize] } else { 0 };
    let at = |i: i32| {
        let (x, y) = (i % w, i / w);
        cell(x - 1, y) + cell(x + 1, y) + cell(x, y - 1) + cell(x, y + 1) - 4 * cell(x, y)
    };
    let expected: Vec<i32> = (0..w * h).map(at).collect();
    bench.check(&output, &expected)
}

fn histogram(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let [n, bins, blocks, threads] = ["n", "bins", "blocks", "threads"].map(|id| choice.get(id));
    let data = if choice.is_on("equal") { vec![1; n as usize] } else { numbers(n, 1, bins) };
    let values = bench.gpu.alloc_from(&data, "values");
    let counts = bench.gpu.alloc_from(&vec![0_u32; bins as usize], "counts");
    let kernel = histogram::Histogram {
        values: values.handle(),
        n,
        counts: counts.handle(),
        bins,
        shared: choice.get("version") == 1,
        atomically: !choice.is_on("plain"),
        waits: !choice.is_on("no_barrier"),
        threads,
    };
    bench.launch(blocks, kernel)?;
    let mut expected = vec![0_u32; bins as usize];
    data.iter().for_each(|&value| expected[value as usize] += 1);
    bench.check(&counts, &expected)
}

fn warp(choice: &Choice, bench: &mut Bench) -> Result<Check, Fault> {
    let [n, letters] = ["n", "letters"].map(|id| choice.get(id));
    let symbols = numbers(n, 1, letters);
    let text = bench.gpu.alloc_from(&symbols, "text");
    let kept = bench.gpu.alloc::<u32>(n as usize, "kept");
    let distances = bench.gpu.alloc::<u32>(n as usize, "distances");
    let kernel = warp::DistancesByBallot {
        text: text.handle(),
        n,
        symbol: 0,
        kept: kept.handle(),
        distances: distances.handle(),
        shared: choice.get("version") == 1,
        outside: !choice.is_on("in_branch"),
        waits: !choice.is_on("no_barrier"),
    };
    bench.launch(1, kernel)?;
    let positions: Vec<u32> = (0..n).filter(|&i| symbols[i as usize] == 0).collect();
    let expected: Vec<u32> = positions.windows(2).map(|pair| pair[1] - pair[0]).collect();
    bench.check(&distances, &expected)
}
