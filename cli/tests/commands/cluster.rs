//! A comparison by several members: engines of a single process or, with the feature `mpi`, ranks
//! of `mpirun`.

use crate::common::program::{Folder, assert_mentions};
use crate::common::texts::letters;

/// Two strings with a common part.
fn folder(m: usize, n: usize) -> Folder {
    let folder = Folder::new();
    let (a, mut b) = (letters(m, 4, 1), letters(n, 4, 2));
    b[n / 5..n / 2].copy_from_slice(&a[m / 3..][..n / 2 - n / 5]);
    folder.file("a", a);
    folder.file("b", b);
    folder
}

/// Options that divide small parts among all members, too.
const SMALL: [&str; 4] = ["--chunk", "256", "--whole", "2000000"];

/// Commands that several members can share, with an output format.
fn outputs() -> [(&'static str, &'static str); 4] {
    [("lcs", "length"), ("lcs", "cigar"), ("distance", "distance"), ("distance", "cigar")]
}

#[test]
fn members_of_one_process_give_what_one_engine_gives() {
    let folder = folder(3500, 2500);
    for (command, output) in outputs() {
        let one = folder.answer(&[command, "--raw", "a", "b", "--output", output, "--algorithm", "bit-parallel"]);
        for members in
            [&["cpu,cpu,cpu"][..], &["cpu,simt"], &["simt,cpu", "--shares", "2,1"], &["cpu", "--threads", "1"]]
        {
            let call = [&[command, "--raw", "a", "b", "--output", output, "--members"], members, &SMALL].concat();
            assert_eq!(folder.answer(&call), one, "{call:?}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = folder(3000, 2000);
    let refused = |code, options: &[&str], words: &[&str]| {
        assert_mentions(&folder.refusal(code, &[&["lcs", "--raw", "a", "b"], options].concat()), words);
    };
    refused(2, &["--members", "cpu,cpu", "--shares", "1"], &["2 members", "[1.0]"]);
    refused(2, &["--members", "cpu", "--engine", "cpu"], &["--members", "--engine"]);
    refused(2, &["--shares", "1"], &["--shares", "--members"]);
    refused(2, &["--members", "cpu", "--algorithm", "dp"], &["dp", "auto"]);
    refused(1, &["--members", "cpu,simt:5000", "--shares", "1,1"], &["rank 1", "device memory"]);
}

#[cfg(not(feature = "mpi"))]
#[test]
fn a_build_without_mpi_says_so() {
    let refusal = Folder::new().refusal(2, &["lcs", "-e", "ab", "ba", "--mpi"]);
    assert_mentions(&refusal, &["--mpi", "this build has no MPI", "--features mpi"]);
}

#[cfg(feature = "mpi")]
mod mpi {
    use super::*;
    use std::io::Read;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    /// Returns `mpirun -np 3` of the program, or `None` if there is no mpirun.
    fn ranks(folder: &Folder, arguments: &[&str]) -> Option<Command> {
        if let Err(error) = Command::new("mpirun").arg("--version").output() {
            eprintln!("not run: mpirun: {error}");
            return None;
        }
        let mut command = Command::new("mpirun");
        command.args(["--allow-run-as-root", "--oversubscribe", "-np", "3", env!("CARGO_BIN_EXE_carrywave")]);
        command.current_dir(folder.path("")).args(arguments).args(["--mpi", "--threads", "1"]).stdin(Stdio::null());
        Some(command)
    }

    #[test]
    fn ranks_give_what_one_process_gives() {
        let folder = folder(3500, 2500);
        for (command, output) in outputs() {
            let one = folder.answer(&[command, "--raw", "a", "b", "--output", output, "--algorithm", "bit-parallel"]);
            let engines: [&[&str]; 4] = [
                &["--engine", "cpu"],
                &["--engine", "cpu", "--shares", "5,1,2"],
                &["--engine", "simt", "--shares", "1,2,1"],
                &["--members", "cpu,simt,cpu", "--shares", "1,2,1"],
            ];
            for engines in engines {
                let call = [&[command, "--raw", "a", "b", "--output", output], engines, &SMALL].concat();
                let Some(mut ranks) = ranks(&folder, &call) else { return };
                let ran = ranks.output().unwrap();
                assert!(ran.status.success(), "{call:?}: {}", String::from_utf8_lossy(&ran.stderr));
                assert_eq!(String::from_utf8_lossy(&ran.stdout), one, "{call:?}");
            }
        }
    }

    #[test]
    fn a_rank_whose_engine_fails_is_named() {
        let folder = folder(3500, 2500);
        let call = ["distance", "--raw", "a", "b", "--members", "cpu,cpu,simt:5000", "--shares", "1,1,1"];
        let Some(mut ranks) = ranks(&folder, &call) else { return };
        let started = Instant::now();
        let ran = ranks.output().unwrap();
        let message = String::from_utf8_lossy(&ran.stderr);
        assert!(!ran.status.success() && ran.stdout.is_empty() && started.elapsed() < Duration::from_secs(20));
        assert_mentions(&message, &["carrywave: rank 2", "device memory"]);
    }

    /// Returns the process number of rank 1.
    fn rank_1(folder: &Folder) -> Option<u32> {
        let own = folder.path("");
        std::fs::read_dir("/proc").ok()?.find_map(|entry| {
            let process = entry.ok()?;
            let number = process.file_name().to_str()?.parse().ok()?;
            let is_here = std::fs::read_link(process.path().join("cwd")).ok()? == std::fs::canonicalize(&own).ok()?;
            let environment = std::fs::read(process.path().join("environ")).ok()?;
            let is_1 = environment.split(|&byte| byte == 0).any(|set| set == b"OMPI_COMM_WORLD_RANK=1");
            (is_here && is_1).then_some(number)
        })
    }

    /// Starts a long comparison, sends a signal to rank 1, and returns the messages of all ranks.
    fn after(signal: &str) -> Option<String> {
        let folder = folder(3_000_000, 3_000_000);
        let call = ["lcs", "--raw", "a", "b", "--engine", "cpu", "--silence", "3", "--shares", "1,1,1"];
        let mut command = ranks(&folder, &call)?;
        let mut running: Child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let started = Instant::now();
        let rank = loop {
            match rank_1(&folder) {
                Some(rank) => break rank,
                None => assert!(started.elapsed() < Duration::from_secs(20), "rank 1 has not begun"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        // Waits until the rank computes.
        std::thread::sleep(Duration::from_millis(1500));
        let kill = |signal: &str| Command::new("kill").args([signal, &rank.to_string()]).status().unwrap();
        assert!(kill(signal).success());
        let started = Instant::now();
        while running.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(20), "the others wait for it");
            std::thread::sleep(Duration::from_millis(20));
        }
        kill("-KILL");
        let mut said = String::new();
        running.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(!running.wait().unwrap().success(), "{said}");
        Some(said)
    }

    #[test]
    fn a_rank_that_is_killed_is_named_in_time() {
        if let Some(said) = after("-KILL") {
            assert_mentions(&said, &["rank 1"]);
        }
    }

    #[test]
    fn a_rank_that_says_nothing_is_named_in_time() {
        if let Some(said) = after("-STOP") {
            assert_mentions(&said, &["carrywave: rank 1: no message for"]);
        }
    }

    #[test]
    fn one_rank_prints_and_each_has_its_strings() {
        let folder = folder(3000, 2000);
        let Some(mut ranks) = ranks(&folder, &["lcs", "--raw", "a", "b", "--engine", "cpu", "-o", "length"]) else {
            return;
        };
        assert!(ranks.status().unwrap().success());
        assert_eq!(folder.read("length"), folder.answer(&["lcs", "--raw", "a", "b"]).into_bytes());
        assert_eq!(folder.names(), ["a", "b", "length"]);
    }
}
