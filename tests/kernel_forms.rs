//! The two forms of the kernels, machine code and PTX, give the same answers on a GPU.
#![cfg(feature = "gpu")]

use carrywave::device::{Gpu, use_only_ptx};
use carrywave::pairs::Pairs;
use carrywave::search::Search;
use carrywave::text::Pattern;
use carrywave::{Error, Result, distance, lcs};

/// Results of jobs whose kernels are of different families.
fn answers(gpu: &Gpu, a: &[u8], b: &[u8]) -> Result<Vec<u64>> {
    let rows: Vec<&[u8]> = a.chunks(100).collect();
    let columns: Vec<&[u8]> = b.chunks(100).collect();
    let mut sum = 0;
    Pairs::new().on(gpu).all(&rows, &columns, |_, row| {
        sum += row.iter().flatten().map(|&distance| u64::from(distance)).sum::<u64>();
        Ok(())
    })?;
    Ok(vec![
        lcs::Comparison::new().on(gpu).length(a, b)?,
        distance::Comparison::new().on(gpu).distance(a, b)?,
        Search::new(Pattern::literal(&a[..24])).errors(2).on(gpu).count(a)?,
        sum,
    ])
}

#[test]
fn machine_code_and_ptx_give_the_same_answers() {
    let mut random = fastrand::Rng::with_seed(39);
    let mut text = |len: usize| -> Vec<u8> { (0..len).map(|_| b"ACGT"[random.usize(..4)]).collect() };
    let (a, b) = (text(40_000), text(40_000));
    let open = |only_ptx| {
        use_only_ptx(only_ptx);
        Gpu::open(0)
    };
    let machine_code = match open(false) {
        Err(Error::NoGpu(_)) => return,
        gpu => gpu.unwrap(),
    };
    let ptx = open(true).unwrap();
    assert_eq!(ptx.machine_code().unwrap(), None);
    assert_eq!(answers(&machine_code, &a, &b).unwrap(), answers(&ptx, &a, &b).unwrap());
    // A100, H100 and the like have machine code.
    let (major, _) = machine_code.describe().unwrap().compute_capability;
    assert!(machine_code.machine_code().unwrap().is_some() || ![8, 9, 10, 12].contains(&major));
}
