//! Manual pages and shell completion.

use crate::common::program::{Folder, assert_mentions};
use std::process::Command;

const COMMANDS: [&str; 11] =
    ["lcs", "distance", "diff", "search", "best", "devices", "machine", "verify", "bench", "completions", "man"];

#[test]
fn a_page_for_each_command() {
    let folder = Folder::new();
    assert_eq!(folder.answer(&["man", "pages/here"]), "");
    let page = |name: &str| String::from_utf8(folder.read(&format!("pages/here/{name}.1"))).unwrap();
    assert_mentions(&page("carrywave"), &["carrywave\\-search", "SUBCOMMANDS"]);
    for command in COMMANDS {
        let page = page(&format!("carrywave-{command}"));
        assert_mentions(&page, &[".TH", ".SH SYNOPSIS", command]);
        assert_mentions(&page, &[".SH EXAMPLES", ".SH \"EXIT STATUS\"", ".SH \"SEE ALSO\"", "\\fBcarrywave\\fR(1)"]);
        // Options that `-h` leaves out have their text, too.
        let lines: Vec<&str> = page.lines().collect();
        let bare = lines.windows(3).find(|w| w[0] == ".TP" && (w[2] == ".TP" || w[2].starts_with(".SH")));
        assert_eq!(bare, None, "{command}");
    }
    // Tables keep their lines.
    let lcs = page("carrywave-lcs");
    let table = lcs.split(".SH ALGORITHMS\n").nth(1).unwrap();
    assert!(table.starts_with(".nf\n") && table.contains("cpu       dp                     "), "{table}");
    assert_mentions(&page("carrywave-search"), &["\\-\\-errors", "\\-\\-full"]);
    folder.file("file", "");
    assert_mentions(&folder.refusal(1, &["man", "file"]), &["file: "]);
}

#[test]
fn shells_complete_commands_and_options() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = folder.answer(&["completions", shell]);
        assert_mentions(&script, &COMMANDS);
        assert_mentions(&script, &["errors", "clusters"]);
        // Options that help hides.
        for hidden in ["no-ignore-case", "speed-large-files", "exclude-any-case", "short-help"] {
            assert!(!script.contains(hidden), "{shell}: {hidden}");
        }
    }
    for (shell, values) in
        [("bash", "auto cpu gpu simt"), ("zsh", "(auto cpu gpu simt)"), ("fish", "auto\\t''\ncpu\\t''")]
    {
        let script = folder.answer(&["completions", shell]);
        assert_mentions(&script, &[values]);
    }
    let script = folder.answer(&["completions", "bash"]);
    assert_mentions(&script, &["auto bands bit-parallel dp wavefront", "auto bytes dna iupac protein"]);
    let script = folder.answer(&["completions", "bash"]);
    folder.file("script", script);
    let ask = "COMP_WORDS=(carrywave search --subst) COMP_CWORD=2 && . ./script && _carrywave carrywave --subst search && echo \"${COMPREPLY[@]}\"";
    match Command::new("bash").current_dir(folder.path("")).args(["-c", ask]).output() {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout), "--substitutions\n", "{output:?}"),
        Err(error) => eprintln!("not run: bash: {error}"),
    }
}
