//! Prints what the page computes: `answer lessons`, or for each line of standard input, which is a
//! choice in JSON, the result of its run.

use std::io::BufRead;

fn main() -> std::io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("lessons") {
        println!("{}", simt_playground::lessons());
        return Ok(());
    }
    // A kernel that panics shows in its result.
    std::panic::set_hook(Box::new(|_| {}));
    for line in std::io::stdin().lock().lines() {
        println!("{}", simt_playground::run(&line?));
    }
    Ok(())
}
