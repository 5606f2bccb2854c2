//! Project chores: `cargo xtask help`.

mod api;
mod apt;
mod book;
mod ci;
mod cuda_tools;
mod deny;
mod figures;
mod format;
mod fuzz;
mod lcs_figures;
mod miri;
mod outcome;
mod playground;
mod ptx;
mod ptxas;
mod python;
mod release;
mod results;
mod rust_src;
mod sass;
mod shell;
mod template;
mod wheel;
mod words;

use std::env;
use std::process::ExitCode;

use outcome::{Outcome, Stop};

const HELP: &str = "\
cargo xtask COMMAND

While you work:
  fmt                         format all sources; `cargo fmt` does not see the files that a table of algorithms names
  docs                        write the tables of algorithms, the outputs of listings, and the lines of links into files,
                              in README.md and docs/
  api [--check]               list the public interface of the library in docs/public-api.txt, or compare with it
  fuzz [--seconds N] [--seed S]
                              random inputs for readers, options and every pair of engines, with AVX-512, AVX2 and neither,
                              and on emulated processors where qemu-user is installed; 60 seconds by default
  miri                        run tests of the CPU engine's vectors under Miri, which needs a nightly with it; some minutes
  python                      test the Python package with the library of the workspace's release build
  book [--check | --code | --gpu]
                              build the pages of the book into target/book; --check builds and checks them without the
                              playground; --code writes the PTX and machine code that the text quotes; --gpu runs the
                              listings and solutions on a GPU
  playground [--test]         build the page of kernels on the simulator into target/playground; --test also opens it in
                              Chromium, compares its answers with the native ones and takes screenshots
  wheel [--test]              build the Python package's wheel into target/wheels; --test also installs and tests it
  results                     write the tables beside the raw results in docs/results, and the plots in docs/images

After a change to a kernel, in this order:
  rust-src [--rustup]         get the standard library's source, which compiling the kernels needs;
                              --rustup adds it to the toolchain if there is no other way
  ptx [--check]               compile the kernels and package the PTX, or compare with the packaged PTX
  ptxas                       assemble the packaged PTX for several GPUs: registers, shared memory, spills
  sass [KERNEL] [--arch ARCH] show machine code and a count of instructions by kind; ARCH is sm_90 by default
  template                    build, test and run examples/own_kernels with the toolchain's crates as they are published

Before you hand in a change:
  words [--lines]             count phrases that readers stumble over, by folder; check comments' width and old names
  deny                        check licences, duplicates, origins and advisories of the dependencies
  ci                          run everything that CI runs, about 25 minutes on two cores

Before a release:
  release [--full]            check the tree, versions, changelog and packages, and print the notes; --full also compiles the
                              packages and tests the wheel. It publishes nothing
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match dispatch(&arguments) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(Stop::Failed(reason)) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
        Err(Stop::Unavailable(reason)) => {
            eprintln!("skipped: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// Rewrites the tables of algorithms, the outputs of listings and the lines of links, by running
/// the tests that compare them.
fn docs() -> Outcome {
    let mut test = shell::cargo_for_tests();
    test.args(["test", "--workspace", "--release", "--test", "docs", "--test", "papers", "--test", "listings"]);
    shell::show(test.env("CARRYWAVE_WRITE_DOCS", "1"))?;
    Ok("tables of algorithms, outputs of listings and lines of links are those of the program".to_owned())
}

fn dispatch(arguments: &[&str]) -> Outcome {
    match *arguments {
        ["ci"] => ci::run(),
        ["fuzz", ref arguments @ ..] => fuzz::run_with_arguments(arguments),
        ["api"] => api::write(),
        ["api", "--check"] => api::check(),
        ["book"] => book::build(),
        ["book", "--check"] => book::check(),
        ["book", "--code"] => book::listings::write(),
        ["book", "--gpu"] => book::on_gpu(),
        ["deny"] => deny::run(),
        ["docs"] => docs(),
        ["fmt"] => format::sources(false),
        ["results"] => results::run(),
        ["miri"] => miri::run(),
        ["release"] | ["release", "--dry-run"] => release::run(false),
        ["release", "--full"] => release::run(true),
        ["playground"] => playground::build(),
        ["playground", "--test"] => playground::test(),
        ["rust-src"] => rust_src::run(false),
        ["rust-src", "--rustup"] => rust_src::run(true),
        ["ptx"] => ptx::package(),
        ["ptx", "--check"] => ptx::check(),
        ["ptxas"] => ptxas::run(),
        ["template"] => template::run(),
        ["words"] => words::run(false),
        ["words", "--lines"] => words::run(true),
        ["python"] => wheel::test_unpacked(),
        ["wheel"] => wheel::build(),
        ["wheel", "--test"] => wheel::test(),
        ["sass"] => sass::run(None, sass::DEFAULT_ARCH),
        ["sass", "--arch", arch] => sass::run(None, arch),
        ["sass", kernel] if !kernel.starts_with('-') => sass::run(Some(kernel), sass::DEFAULT_ARCH),
        ["sass", kernel, "--arch", arch] | ["sass", "--arch", arch, kernel] => sass::run(Some(kernel), arch),
        [] | ["help" | "--help" | "-h"] => Ok(HELP.trim_end().to_owned()),
        _ => Err(Stop::Failed(format!("I do not know `{}`.\n\n{HELP}", arguments.join(" ")))),
    }
}
