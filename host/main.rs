//! The `carrywave` command.

mod cli;

#[global_allocator]
static ALLOCATOR: cli::process::OrEnd = cli::process::OrEnd;

fn main() -> std::process::ExitCode {
    cli::main()
}
