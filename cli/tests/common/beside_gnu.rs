//! `carrywave diff` beside GNU diff, in a folder with files.

use super::program::{Folder, Ran, finish};
use std::process::{Command, Stdio};

/// Runs GNU diff; `None` where there is none.
pub fn gnu(folder: &Folder, arguments: &[&str]) -> Option<Ran> {
    let about = Command::new("diff").arg("--version").output().ok()?;
    if !String::from_utf8_lossy(&about.stdout).contains("GNU diffutils") {
        eprintln!("not compared: there is no GNU diff here");
        return None;
    }
    let mut command = Command::new("diff");
    command.current_dir(folder.path("")).env("LC_ALL", "C.UTF-8").env("TZ", "Asia/Kolkata").stdin(Stdio::null());
    command.args(arguments);
    Some(finish(command))
}

/// Runs `carrywave diff`.
pub fn ours(folder: &Folder, arguments: &[&str]) -> Ran {
    let mut command = folder.command(&[&["diff"], arguments].concat());
    command.env("TZ", "Asia/Kolkata");
    finish(command)
}

/// Compares both; the names of the programs in their messages differ.
#[track_caller]
pub fn assert_same(folder: &Folder, arguments: &[&str]) -> bool {
    let Some(expected) = gnu(folder, arguments) else { return false };
    let found = ours(folder, arguments);
    let (printed, wanted) = (String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&expected.stdout));
    assert_eq!(printed, wanted, "{arguments:?}: {}", found.stderr);
    assert_eq!(found.code, expected.code, "{arguments:?}: {} {}", found.stderr, expected.stderr);
    assert_eq!(
        found.stderr.is_empty(),
        expected.stderr.is_empty(),
        "{arguments:?}: {} {}",
        found.stderr,
        expected.stderr
    );
    true
}

/// A folder with files of many kinds.
pub fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("a", "a\nb\nc\nd\ne\n");
    folder.file("b", "a\nB\nc\nd\ne\nf");
    folder.file("c", "x\na\nb\n\nc\ne\nlast\n");
    folder.file("empty", "");
    folder.file("blank", "a\nb\n\nc\nd\n\n\ne\n");
    folder.file("space", "a \n b\nc  c\nd\te\ne\n");
    folder.file("spaces", "a\nb\nc c\nd       e\ne");
    folder.file("tabs", "\tone\ttwo\nabc\tdefghijklmnop\tq\n\t\tthree\nfour\n");
    folder.file(
        "tabs2",
        "\tone\ttwo\nabc\tdefghijklmnop\tr\n\t\tthree\nlonger than a column is wide, by some letters and more\nfive\n",
    );
    let program = |body: &str| {
        format!(
            "#include <x>\n\nint one(int a)\n{{\n  a;\n  b;\n  c;\n  d;\n  e;\n}}\n\nlong_type a_function_with_a_long_name(of_parameters)\n{{\n  1;\n  2;\n  3;\n  {body}\n  5;\n}}\n"
        )
    };
    folder.file("one.c", program("4;"));
    folder.file("two.c", program("four;"));
    folder.file("dots", "a\n.\n..\nb\nc\n.\n");
    folder.file("binary", b"x\0y\n");
    folder.file("binary2", b"x\0z\n");
    folder.file("late", [&[b'x'; 5000][..], b"\n\0a\n"].concat());
    folder.file("late2", [&[b'x'; 5000][..], b"\n\0b\n"].concat());
    folder.file("a name \"of\"\ttwo", "a\n");
    folder.file("out", "*.o\nnot*\n");
    folder
}
