#![cfg(feature="gpu")]
use carrywave::engine::{columns::*, gpu::Gpu, wavefront::{Plan, WavefrontLcs}};
use carrywave::lcs::*;
use std::time::Instant;
fn dna(len: usize, seed: u64, s: u8) -> Vec<u8> { let mut r = fastrand::Rng::with_seed(seed); (0..len).map(|_| r.u8(..s)).collect() }
fn main() {
    let t = Instant::now();
    let gpu = Gpu::shared(0).unwrap();
    println!("open {:?}", t.elapsed());
    let arg: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let (m, n, s) = (arg[0], arg[1], arg[2] as u8);
    let (a, b) = (dna(m, 1, s), dna(n, 2, s));
    let pa = Part { side: Side::A, range: 0..m };
    let pb = Part { side: Side::B, range: 0..n };
    let mut plans = vec![None];
    let mut i = 3;
    while i + 1 < arg.len() { plans.push(Some(Plan { words: arg[i] as u32, warps: arg[i + 1] as u32 })); i += 2; }
    for plan in plans {
        let e = WavefrontLcs::new(&[&*gpu], &a, &b, &|_| ()).unwrap();
        let e = match plan { Some(p) => match e.with_plan(p) { Ok(e) => e, Err(x) => { println!("{x}"); continue } }, None => e };
        let mut ts = vec![];
        let mut len = 0;
        for _ in 0..4 { let t = Instant::now(); len = e.length(&pa, &pb).unwrap(); ts.push(t.elapsed().as_secs_f64()); }
        println!("{m}x{n} s{s} {plan:?} len {len} first {:.4} then {:.4} {:.4} {:.4}: {:.1} TCUPS", ts[0], ts[1], ts[2], ts[3], m as f64 * n as f64 / ts[1].min(ts[2]).min(ts[3]) / 1e12);
    }
    if std::env::args().any(|a| a == "full") {
        for _ in 0..2 {
            let t = Instant::now();
            let (l, r) = Comparison::new().engine(Engine::Gpu).subsequence_with_report(&a, &b).unwrap();
            println!("full {} {:?} {r:?}", l.len(), t.elapsed());
        }
    }
}
