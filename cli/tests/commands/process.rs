//! Files and process resources: output files of all types, signals, numbers out of range, and
//! missing threads and memory.
#![cfg(target_os = "linux")]

use crate::common::program::{Folder, Ran, assert_mentions, complaint, gz};
use carrywave::device::Gpu;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Returns a folder in memory, under /dev.
fn in_dev() -> Option<tempfile::TempDir> {
    tempfile::tempdir_in("/dev/shm").ok()
}

const LCS: [&str; 4] = ["lcs", "-e", "ABCBDAB", "BDCABA"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&LCS, more].concat()
}

// Output files.

/// A regular file is replaced, wherever it is.
#[test]
fn files_under_dev_are_replaced_whole() {
    let Some(dev) = in_dev() else { return };
    let folder = Folder::new();
    let at = |name: &str| dev.path().join(name).to_str().unwrap().to_string();
    let long = "x".repeat(100_000);
    for name in ["old", "old.svg", "old.html"] {
        std::fs::write(at(name), &long).unwrap();
    }
    folder.answer(&with(&["-o", &at("old")]));
    folder.answer(&with(&["--plot", &at("old.svg")]));
    folder.answer(&["machine", "contiguous", "-n", "256", "--html", &at("old.html")]);
    folder.answer(&with(&["-o", &at("new")]));
    assert_eq!(std::fs::read_to_string(at("old")).unwrap(), "4\n");
    assert_eq!(std::fs::read_to_string(at("new")).unwrap(), "4\n");
    for (name, end) in [("old.svg", "</svg>"), ("old.html", "</html>")] {
        let text = std::fs::read_to_string(at(name)).unwrap();
        assert!(text.trim_end().ends_with(end) && !text.contains("xxxx"), "{name}");
    }
    assert_eq!(std::fs::read_dir(dev.path()).unwrap().count(), 4, "a draft is left");
}

/// An output file that is a descriptor is written through.
#[test]
fn descriptors_are_written_through() {
    let folder = Folder::new();
    for target in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"] {
        folder.file("log", "before\n");
        if target == "link" {
            symlink("/dev/stdout", folder.path("link")).unwrap();
        }
        let ran = folder.shell(&format!("\"$C\" lcs -e ABCBDAB BDCABA -o {target} >>log && echo after >>log"));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{target}");
        assert_eq!(String::from_utf8(folder.read("log")).unwrap(), "before\n4\nafter\n", "{target}");
    }
    let ran = folder.shell("\"$C\" lcs -e ABCBDAB BDCABA -o /dev/stderr");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "4\n"));
    let ran = folder.shell("{ echo before; \"$C\" lcs -e ABCBDAB BDCABA -o /dev/fd/7; } 7>seven 1>&7");
    assert_eq!((ran.code, folder.read("seven")), (0, b"before\n4\n".to_vec()));
    let ran = folder.shell("\"$C\" lcs -e ABCBDAB BDCABA -o /dev/stdout | cat");
    assert_eq!(ran.stdout, b"4\n");
    assert_mentions(&folder.refusal(1, &with(&["-o", "/dev/fd/77"])), &["/dev/fd/77", "Bad file descriptor"]);
    let ran = folder.shell("\"$C\" lcs missing missing -o /dev/fd/3 3</dev/null");
    assert_mentions(&complaint(&ran, 1, "a descriptor to read from"), &["/dev/fd/3", "Bad file descriptor"]);
}

/// An output file that cannot be written is refused before the strings are read; here they do not
/// exist.
#[test]
fn targets_that_cannot_be_written_are_refused_before_the_work() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder")).unwrap();
    symlink("round", folder.path("about")).unwrap();
    symlink("about", folder.path("round")).unwrap();
    symlink("none/out", folder.path("nowhere")).unwrap();
    let long = "x".repeat(256);
    for (target, words) in [
        ("folder", "directory"),
        ("none/out", "folder none does not exist"),
        ("nowhere", "does not exist"),
        ("about", "symbolic links"),
        (&long, "File name too long"),
        ("/proc/out", "No such file"),
    ] {
        let message = folder.refusal(1, &["lcs", "missing", "missing", "-o", target]);
        assert_mentions(&message, &[target, words]);
    }
    let message = folder.refusal(1, &["lcs", "missing", "missing", "--plot", "none/out.svg"]);
    assert_mentions(&message, &["none/out.svg", "does not exist"]);
    let long_page = format!("{long}.html");
    let huge = ["machine", "contiguous", "-n", "100000000", "--html", &long_page];
    assert_mentions(&folder.refusal(1, &huge), &["File name too long"]);
}

/// The system checks permissions, and root has all of them. As root, the test runs the program as
/// another user.
#[test]
fn write_protection_holds() {
    let folder = Folder::new();
    folder.file("kept", "old");
    std::fs::set_permissions(folder.path("kept"), std::fs::Permissions::from_mode(0o444)).unwrap();
    let call = "lcs missing missing -o kept";
    let ran = if std::fs::File::options().write(true).open(folder.path("kept")).is_err() {
        folder.shell(&format!("\"$C\" {call}"))
    } else {
        let Some(ran) = as_somebody(&folder, "", call) else { return };
        ran
    };
    assert_mentions(&complaint(&ran, 1, call), &["kept", "Permission denied"]);
    assert_eq!(folder.read("kept"), b"old");
}

#[test]
fn a_file_that_is_replaced_keeps_its_rights_and_its_owner() {
    let folder = Folder::new();
    for mode in [0o600, 0o644, 0o640, 0o666] {
        folder.file("out", "old");
        std::fs::set_permissions(folder.path("out"), std::fs::Permissions::from_mode(mode)).unwrap();
        // If the test runs as root, the file belongs to another user.
        let given = std::os::unix::fs::chown(folder.path("out"), Some(12_345), Some(54_321)).is_ok();
        folder.answer(&with(&["-o", "out"]));
        let about = std::fs::metadata(folder.path("out")).unwrap();
        assert_eq!((folder.read("out"), about.permissions().mode() & 0o777), (b"4\n".to_vec(), mode));
        assert!(!given || (about.uid(), about.gid()) == (12_345, 54_321));
        std::fs::remove_file(folder.path("out")).unwrap();
    }
}

#[test]
fn links_are_followed_also_to_nothing() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("there")).unwrap();
    symlink("there/file", folder.path("link")).unwrap();
    for _ in 0..2 {
        folder.answer(&with(&["-o", "link"]));
        assert_eq!(folder.read("there/file"), b"4\n");
        assert!(std::fs::symlink_metadata(folder.path("link")).unwrap().is_symlink());
    }
}

#[test]
fn a_closed_standard_output_is_an_error() {
    let folder = Folder::new();
    folder.file("a", "ABCBDAB\n");
    for (call, code) in [
        ("lcs -e ABCBDAB BDCABA", 1),
        ("lcs -e ABCBDAB BDCABA -o /dev/stdout", 1),
        ("devices", 1),
        ("search BCB a", 2),
        ("best BCB a", 1),
        ("verify --engine cpu --seconds 0", 1),
        ("machine contiguous -n 256", 1),
    ] {
        let ran = folder.shell(&format!("\"$C\" {call} >&-"));
        let message = complaint(&ran, code, call);
        assert_mentions(&message, &["closed"]);
    }
    // If nothing goes to standard output, its absence does not matter.
    let ran = folder.shell("\"$C\" lcs -e ABCBDAB BDCABA -o out >&-");
    assert_eq!((ran.code, folder.read("out")), (0, b"4\n".to_vec()));
}

/// A comparison that a signal stops while it writes its result.
#[test]
fn signals_leave_nothing_behind() {
    let folder = Folder::new();
    folder.file("big", vec![b'x'; 30_000_000]);
    folder.file("kept", "old");
    let draft_is_there = || folder.names().iter().any(|name| name.ends_with(".tmp"));
    for signal in ["INT", "TERM", "HUP"] {
        // Writing a subsequence of 30 MB takes a while.
        let mut command = folder.command(&["lcs", "--raw", "big", "big", "--output", "subsequence", "-o", "kept"]);
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let started = Instant::now();
        while !draft_is_there() && started.elapsed() < Duration::from_secs(60) {
            if child.try_wait().unwrap().is_some() {
                break;
            }
        }
        let pid = child.id().to_string();
        std::process::Command::new("kill").args(["-s", signal, &pid]).status().unwrap();
        let status = child.wait().unwrap();
        assert!(!draft_is_there(), "{signal}: a draft is left");
        assert!(status.success() || std::os::unix::process::ExitStatusExt::signal(&status).is_some(), "{signal}");
        if !status.success() {
            assert_eq!(folder.read("kept"), b"old", "{signal}");
        }
        folder.file("kept", "old");
    }
}

/// A signal that arrives while a draft is created, at each step of its creation.
#[test]
fn a_signal_during_the_creation_of_a_draft_leaves_nothing_behind() {
    let folder = Folder::new();
    for run in 0..300 {
        let mut command = folder.command(&with(&["-o", "out"]));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while folder.names().is_empty() && began.elapsed() < Duration::from_secs(60) {}
        for _ in 0..run % 10 * 1_000 {
            std::hint::spin_loop();
        }
        // SAFETY: the child has not been waited for, so the number is its own.
        unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
        child.wait().unwrap();
        let left = folder.names();
        assert!(left.iter().all(|name| name == "out"), "run {run}: {left:?}");
        let _ = std::fs::remove_file(folder.path("out"));
    }
}

/// As under nohup.
#[test]
fn a_signal_that_is_ignored_stays_so() {
    let folder = Folder::new();
    folder.file("a", "x\n");
    let line = "trap '' HUP; \"$C\" search x <pipe 3>&- & sleep 0.5; kill -s HUP $!; echo x >&3; exec 3>&-; wait $!";
    let ran = folder.shell(&format!("mkfifo pipe; exec 3<>pipe; {line}"));
    assert_eq!((ran.code, ran.stdout.as_slice()), (0, &b"x\n"[..]), "{}", ran.stderr);
}

// Numbers.

#[test]
fn gpus_that_cannot_be_are_refused() {
    let folder = Folder::new();
    let most = u64::MAX.to_string();
    for (more, code, words) in [
        (&["--gpu", &most][..], 1, &["no GPU"][..]),
        (&["--engine", "gpu", "--gpu", &most], 1, &["no GPU"]),
        (&["--engine", "gpu", "--gpus", &most], 1, &["no GPU"]),
        (&["--engine", "gpu", "--gpu", &most, "--gpus", &most], 1, &["no GPU"]),
        (&["--gpus", "5"], 1, &["no GPU"]),
        (&["--gpus", "0"], 2, &["--gpus", "at least 1, not 0"]),
        (&["--engine", "simt", "--gpus", "0"], 2, &["--gpus", "at least 1, not 0"]),
        (&["--engine", "simt", "--gpus", "1000000000"], 2, &["1 to 64", "1000000000"]),
        (&["--engine", "simt", "--gpus", "100000"], 2, &["1 to 64", "100000"]),
        (&["--engine", "simt", "--gpu", "1"], 2, &["simt has no GPUs to choose from"]),
        (&["--engine", "cpu", "--gpus", "5"], 2, &["--gpus", "cpu has no GPUs"]),
        (&["--engine", "cpu", "--gpu", "0"], 2, &["cpu has no GPUs"]),
        (
            &["--engine", "simt", "--algorithm", "block-step", "--gpus", "2"],
            2,
            &["block-step runs on one GPU", "not on 2"],
        ),
        (&["--algorithm", "dp", "--gpus", "2"], 2, &["dp", "not available on gpu; available: "]),
    ] {
        let started = Instant::now();
        if words == ["no GPU"]
            && crate::common::devices::gpu().is_some()
            && more != ["--engine", "gpu", "--gpus", &most]
        {
            let message = folder.refusal(code, &with(more));
            assert_mentions(&message, &["there"]);
        } else {
            assert_mentions(&folder.refusal(code, &with(more)), words);
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{more:?}");
    }
    // If there are two GPUs, the algorithm is refused; otherwise the second GPU is missing.
    let two = Gpu::count().is_ok_and(|count| count >= 2);
    let (code, words) = if two { (2, "block-step runs on one GPU") } else { (1, "GPU") };
    let message = folder.refusal(code, &with(&["--engine", "gpu", "--algorithm", "block-step", "--gpus", "2"]));
    assert_mentions(&message, &[words]);
    assert_eq!(folder.answer(&with(&["--engine", "simt", "--gpus", "3"])), "4\n");
    assert_mentions(&folder.refusal(2, &["verify", "--engine", "cpu", "--gpu", "1"]), &["--gpu", "--engine gpu"]);
    assert_mentions(&folder.refusal(1, &["verify", "--engine", "gpu", "--gpu", &most]), &["no GPU"]);
}

#[test]
fn threads_that_are_not_to_be_had() {
    let folder = Folder::new();
    folder.file("a", "ABCBDAB\n");
    let ran = folder.shell("RAYON_NUM_THREADS=20000 \"$C\" lcs -e ABCBDAB BDCABA");
    assert_mentions(&complaint(&ran, 2, "20000 threads"), &["RAYON_NUM_THREADS", "1 to 4096", "20000"]);
    let ran = folder.shell("RAYON_NUM_THREADS=3 \"$C\" devices --json");
    assert!(String::from_utf8(ran.stdout).unwrap().contains("\"cpu_threads\": 3"), "{}", ran.stderr);
    // 500 stacks of 2 MiB do not fit into an address space of 900 MiB.
    for call in ["lcs -e ABCBDAB BDCABA", "search -k1 BCDA a", "best BCB a", "devices"] {
        let ran = folder.shell(&format!("ulimit -v 900000; \"$C\" {call} --threads 500"));
        assert!(!ran.stderr.contains("panicked"), "{call}: {}", ran.stderr);
        assert!(ran.stderr.lines().count() <= 1, "{call}: {}", ran.stderr);
        assert!(ran.code <= 1 && !ran.stdout.is_empty(), "{call}: {} {}", ran.code, ran.stderr);
    }
}

/// The stacks of simulated threads take memory, too.
#[test]
fn a_simulator_that_does_not_fit() {
    let folder = Folder::new();
    let ran = folder.shell("ulimit -v 60000; \"$C\" lcs -e ABCBDAB BDCABA --engine simt --threads 1");
    assert!(!ran.stderr.contains("panicked") && ran.code <= 1, "{} {}", ran.code, ran.stderr);
}

/// Runs the program, through another program, as a user without root rights and without processes.
/// Returns `None` and prints a note if that is impossible.
fn as_somebody(folder: &Folder, through: &str, call: &str) -> Option<Ran> {
    let ran = folder.shell("chmod 777 . && cp \"$C\" carrywave && chmod 755 carrywave && command -v setpriv prlimit");
    if ran.code != 0 {
        eprintln!("skipped: there is no setpriv or prlimit");
        return None;
    }
    let user = "setpriv --reuid 61234 --regid 61234 --clear-groups";
    let ran = folder.shell(&format!("{user} {through} ./carrywave {call}"));
    if ran.stderr.contains("setpriv: ") || ran.stderr.contains("prlimit: ") {
        eprintln!("skipped: {}", ran.stderr);
        return None;
    }
    Some(ran)
}

/// This user may have a single process, as in a container with a limit. The user is not root,
/// because root has no such limit.
#[test]
fn no_thread_at_all() {
    let folder = Folder::new();
    let Some(ran) = as_somebody(&folder, "prlimit --nproc=1", "lcs -e ABCBDAB BDCABA") else { return };
    assert_eq!((ran.code, ran.stdout.as_slice()), (0, &b"4\n"[..]), "{}", ran.stderr);
    assert_mentions(&ran.stderr, &["one thread computes alone"]);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

// Memory.

/// Runs a call under an address space limit in kB. All threads share one arena of the allocator;
/// another arena would take 64 MiB of addresses.
fn within(folder: &Folder, limit: u32, call: &str) -> Ran {
    folder.shell(&format!("(ulimit -v {limit}; MALLOC_ARENA_MAX=1 \"$C\" --threads 1 {call})"))
}

/// Small files, of one line and of many, whose decompressed content exceeds a memory limit.
#[test]
fn memory_that_is_not_there_is_an_error() {
    let folder = Folder::new();
    // One gzip stream for the head, and one for each repetition of the line.
    let bomb = |head: &str, line: &[u8], lines: usize| [gz(head.as_bytes()), gz(line).repeat(lines)].concat();
    let zeros = vec![b'A'; 1 << 20];
    folder.file("line.fa.gz", bomb(">bomb\n", &zeros, 200));
    folder.file("header.fa.gz", bomb(">", &zeros, 200));
    folder.file("records.fa.gz", bomb("", &b">r\nA\n".repeat(200_000), 60));
    folder.file("lines.gz", bomb("", &b"\n".repeat(1 << 20), 40));
    folder.file("small.fa", ">s\nACGT\n");
    let calls = [
        ("lcs line.fa.gz small.fa", 1),
        ("lcs header.fa.gz small.fa", 1),
        ("lcs --raw line.fa.gz small.fa", 1),
        ("search ACGTT header.fa.gz", 2),
        // A line is printed as a whole.
        ("search --raw ACGTT line.fa.gz", 2),
        ("best ACGTT line.fa.gz", 1),
        ("best ACGTT records.fa.gz", 1),
        ("best ACGTT lines.gz", 1),
    ];
    for (call, code) in calls {
        let ran = within(&folder, 200_000, call);
        let message = complaint(&ran, code, call);
        assert_mentions(&message, &["memory"]);
    }
    // These calls read in parts, so they fit. The pattern does not occur.
    for (call, answer) in [("search ACGTT line.fa.gz", ""), ("search --raw -c ACGTT line.fa.gz", "0\n")] {
        let ran = within(&folder, 200_000, call);
        assert_eq!((ran.code, &ran.stderr[..]), (1, ""), "{call}");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), answer, "{call}");
    }
}

/// Hits that exceed the memory, and a whole text under a limit that fits a part of it.
#[test]
fn results_that_do_not_fit_are_an_error() {
    let folder = Folder::new();
    folder.file("text", vec![b'a'; 50_000_000]);
    let ran = within(&folder, 300_000, "search --whole --ends all --format bed aa text >/dev/null");
    assert_mentions(&complaint(&ran, 2, "hits"), &["memory"]);
    let ran = within(&folder, 300_000, "search --whole -c ab text");
    assert_eq!((ran.code, ran.stdout.as_slice(), ran.stderr.as_str()), (1, &b"0\n"[..], ""));
}

/// Hits, ends and near pairs are not kept: the memory does not grow if every symbol of a text ends
/// a hit.
#[test]
#[cfg(unix)]
fn memory_does_not_grow_with_the_hits() {
    let folder = Folder::new();
    let one_line = b"a".repeat(3 << 20);
    folder.file("line.gz", gz(&one_line));
    folder.file("record.fa", [&b">r\n"[..], &one_line, b"\n"].concat());
    folder.file("lines", b"aaaaaaaaaaaaaaaaaaaaaaa\n".repeat(1 << 17));
    folder.file("words", "ab\n".repeat(3000));
    let calls = [
        ("search -c -k 1 aaa line.gz", "1\n"),
        ("search -l -k 1 aaa line.gz", "line.gz\n"),
        ("search -q -k 1 aaa line.gz && echo found", "found\n"),
        ("search -c aaaa record.fa", "786432\n"),
        ("search -c --rc -k 1 AAAA record.fa", "786432\n"),
        ("search -c --overlapping aaaa record.fa", "3145725\n"),
        ("search --ends all aaaa record.fa | tail -n 1", "r\t3145724\t3145728\taaaa\t0\t+\n"),
        ("search --whole -c -k 1 aaaa record.fa", "786432\n"),
        ("search -c -k 1 -e aaa -e aaaa -e aaaaa record.fa", "2464153\n"),
        ("search -on -k 1 aaaa lines | tail -n 1", "131072:aaaa\n"),
        ("distance --all words | tail -n 1", "2999\t3000\t0\n"),
    ];
    for (call, answer) in calls {
        let ran = within(&folder, 180_000, call);
        let printed = String::from_utf8_lossy(&ran.stdout);
        assert_eq!((printed.as_ref(), &ran.stderr[..]), (answer, ""), "{call}");
    }
}
