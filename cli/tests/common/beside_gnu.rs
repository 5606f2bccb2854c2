//! `carrywave diff` and GNU diff, side by side in a folder with files.

use super::peer::{DIFF, difference};
use super::program::{Folder, Ran, finish};

/// Runs GNU diff. Returns `None` if it is not installed.
pub fn gnu(folder: &Folder, arguments: &[&str]) -> Option<Ran> {
    DIFF.run(folder, arguments)
}

/// Runs `carrywave diff`.
pub fn ours(folder: &Folder, arguments: &[&str]) -> Ran {
    finish(DIFF.ours(folder, "diff", arguments))
}

/// Asserts that both programs agree. Returns false if GNU diff is not installed.
#[track_caller]
pub fn assert_same(folder: &Folder, arguments: &[&str]) -> bool {
    if !DIFF.is_there() {
        return false;
    }
    let compare = || difference(&gnu(folder, arguments).unwrap(), &ours(folder, arguments));
    if let Some(difference) = repeated(compare) {
        panic!("{arguments:?}\n{difference}");
    }
    true
}

/// Returns the difference of a comparison that differs twice. Page headings show the minute of the
/// run, so one comparison may fail at the change of a minute.
pub fn repeated(compare: impl Fn() -> Option<String>) -> Option<String> {
    compare().and_then(|_| compare())
}

/// Creates a folder with files of many types.
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
