//! Figures from the text of Kawanami and Fujimoto (2014): table 1, in seconds on a GeForce GTX 580
//! and a 2.67 GHz Core i7 920.

/// Split of a time, in seconds.
#[derive(Clone, Copy)]
pub struct Split {
    pub cpu: f64,
    pub gpu: f64,
    pub transfer: f64,
}

impl Split {
    pub fn total(self) -> f64 {
        self.cpu + self.gpu + self.transfer
    }
}

/// Seconds of CPU, GPU and transfer.
type Seconds = (f64, f64, f64);

/// Millions of symbols of A, and the seconds for B of 1 to 10 million.
#[expect(clippy::approx_constant, reason = "6.28 s are 6.28 s")]
const TABLE_1: [(usize, [Seconds; 10]); 4] = [
    (
        5,
        [
            (12.15, 320.60, 2.35),
            (17.99, 495.51, 2.45),
            (20.25, 674.77, 2.54),
            (23.99, 839.47, 2.58),
            (25.38, 1021.86, 2.79),
            (27.64, 1220.62, 3.59),
            (29.77, 1419.09, 4.36),
            (32.33, 1615.45, 4.65),
            (35.38, 1810.26, 5.00),
            (38.22, 2003.62, 4.45),
        ],
    ),
    (
        10,
        [
            (13.68, 629.01, 4.52),
            (24.33, 969.70, 4.76),
            (28.19, 1321.85, 4.86),
            (35.79, 1639.50, 4.87),
            (38.50, 2003.96, 4.98),
            (40.64, 2296.13, 5.01),
            (46.62, 2627.82, 5.10),
            (48.18, 2938.10, 5.15),
            (49.75, 3301.87, 5.43),
            (51.54, 3610.33, 5.52),
        ],
    ),
    (
        15,
        [
            (16.23, 932.39, 5.82),
            (27.64, 1438.78, 5.98),
            (32.97, 1963.42, 6.28),
            (43.44, 2435.76, 6.52),
            (45.93, 2986.43, 6.88),
            (48.35, 3417.00, 7.19),
            (57.51, 3915.33, 7.54),
            (58.67, 4374.90, 7.70),
            (60.41, 4936.03, 8.64),
            (61.82, 5391.97, 8.94),
        ],
    ),
    (
        20,
        [
            (18.57, 1234.71, 8.79),
            (27.31, 1908.62, 9.10),
            (34.55, 2606.29, 9.36),
            (48.55, 3232.87, 9.56),
            (52.45, 3965.57, 9.66),
            (56.33, 4533.42, 9.71),
            (69.39, 5194.96, 9.71),
            (71.58, 5800.11, 9.60),
            (74.17, 6553.24, 9.85),
            (76.49, 7153.42, 9.86),
        ],
    ),
];

/// Lengths of A in the table, in millions.
pub const A: [f64; 4] = [5.0, 10.0, 15.0, 20.0];

/// Returns the table's split for strings of m and n symbols, if the table has them.
pub fn split(m: usize, n: usize) -> Option<Split> {
    let million = |symbols: usize| symbols.is_multiple_of(1_000_000).then_some(symbols / 1_000_000);
    let a = million(m)?;
    let b = million(n)?;
    let (_, of_b) = TABLE_1.iter().find(|(millions, _)| *millions == a)?;
    let &(cpu, gpu, transfer) = of_b.get(b.checked_sub(1)?)?;
    Some(Split { cpu, gpu, transfer })
}
