//! `carrywave machine` from the command line.

use crate::common::program::Folder;
use serde_json::Value;

/// Runs the command, and returns the exit code, standard output and standard error.
fn machine_in(folder: &Folder, arguments: &str) -> (i32, String, String) {
    let arguments: Vec<&str> = std::iter::once("machine").chain(arguments.split_whitespace()).collect();
    let ran = folder.run(&arguments);
    (ran.code, String::from_utf8(ran.stdout).unwrap(), ran.stderr)
}

fn machine(arguments: &str) -> (i32, String, String) {
    machine_in(&Folder::new(), arguments)
}

fn json(arguments: &str) -> Value {
    let (code, out, error) = machine(&format!("{arguments} --json"));
    assert_eq!((code, error.as_str()), (0, ""), "{arguments}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn lemma_1_as_a_table() {
    let (code, out, error) = machine("contiguous --model umm -w 32 -l 400 -n 4096 -p 256");
    assert_eq!((code, error.as_str()), (0, ""));
    // (n / p)(p / w + l - 1)
    assert!(out.contains("\nclosed form: 6512 time units\n"), "{out}");
    assert!(out.contains("read   global sum = sum.wrapping_add(self.a.read(i as usize));"), "{out}");
    let total = out.lines().find(|line| line.ends_with("total")).unwrap();
    assert_eq!(total.split_whitespace().collect::<Vec<_>>(), ["128", "4096", "128", "0", "6512", "total"]);
}

#[test]
fn models_modes_and_words() {
    let time = |arguments: &str| json(&format!("{arguments} -n 1024 -p 128 -w 16 -l 10"))["count"]["time"].as_u64();
    assert_eq!(time("contiguous"), Some(8 * (8 + 9)));
    assert_eq!(time("contiguous-write --mode free"), Some(7 * 10 + 8 + 9));
    assert_eq!(time("contiguous-bank --model dmm"), Some(8 * (8 + 9)));
    assert_eq!(time("contiguous-bank-write"), Some(8 * (128 + 9)));
    // Two cells per word: half the number of groups.
    assert_eq!(time("contiguous --word 8"), Some(8 * (8 + 9)));
    assert_eq!(time("contiguous --word 8 --model dmm"), Some(8 * (8 + 9)));
    assert_eq!(time("contiguous --word 2 --model dmm"), Some(8 * (16 + 9)));
}

#[test]
fn every_kernel_runs_and_its_times_add_up() {
    let (_, help, _) = machine("--help");
    let names: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Kernels:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  "))
        // Other lines continue a description.
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains(&"wavefront") && names.contains(&"contiguous-bank"), "{names:?}");
    for name in names {
        for (mode, memory) in [("lockstep", "global"), ("free", "all")] {
            let report = json(&format!("{name} -n 700 --mode {mode} --memory {memory} --model dmm -l 7"));
            let count = &report["count"];
            let sum = |of: &str| {
                count["lines"].as_array().unwrap().iter().map(|line| line[of].as_u64().unwrap()).sum::<u64>()
            };
            for of in ["time", "stages", "requests", "accesses"] {
                assert_eq!(Some(sum(of)), count[of].as_u64(), "{name} {of}");
            }
            assert!(sum("accesses") > 0 && sum("time") >= sum("stages"), "{name}");
            if let (Some(time), "global") = (report["closed_form"].as_u64(), memory) {
                assert_eq!(count["time"], time, "{name}");
            }
        }
    }
}

#[test]
fn the_search_kernels_tables_have_no_conflicts_on_a_dmm() {
    let report = json("shift-or --model dmm --memory shared -n 5000");
    assert_eq!(report["count"]["conflicts"], 0);
    assert!(report["count"]["stages"].as_u64().unwrap() > 0);
}

#[test]
fn a_sweep_finds_the_lemma_s_terms() {
    let sweep = json("contiguous --sweep n=512:2048:512,p=32,64,w=8,16,l=1,50");
    assert_eq!(sweep["points"].as_array().unwrap().len(), 4 * 2 * 2 * 2);
    let fit = &sweep["fit"];
    let found: Vec<(String, i64)> = fit["coefficients"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| (c["term"].as_str().unwrap().to_string(), (c["value"].as_f64().unwrap() * 1e6).round() as i64))
        .collect();
    let million = 1_000_000;
    assert_eq!(found, [("n/w".into(), million), ("nl/p".into(), million), ("n/p".into(), -million)]);
    assert!(fit["r_squared"].as_f64().unwrap() > 0.999_999);
    assert!(sweep["points"].as_array().unwrap().iter().all(|point| point["time"] == point["closed_form"]));
    // Other terms fit less well.
    let other = json("contiguous --sweep n=512:2048:512,p=32,64,w=8,16,l=1,50 --terms n/w,nl");
    assert!(other["fit"]["r_squared"].as_f64().unwrap() < 0.99);
    let (code, out, _) = machine("contiguous --sweep n=512:2048:512,p=32,64,l=1,50,w=8,16");
    assert_eq!(code, 0);
    assert!(
        out.contains("\nnl/p             1.000000   1.000000 to 1.000000\n") && out.contains("R² = 1.000000"),
        "{out}"
    );
}

#[test]
fn lemma_3_and_lemma_4_by_their_terms() {
    let coefficients = |arguments: &str| -> Vec<i64> {
        let sizes = "m=32,64,128,n=256,512,w=8,16,32,l=1,100";
        let fit = &json(&format!("{arguments} --sweep {sizes} --terms mn/w,nl,ml,n,m"))["fit"];
        assert!(fit["r_squared"].as_f64().unwrap() > 0.9999, "{arguments}");
        fit["coefficients"].as_array().unwrap()[..3]
            .iter()
            .map(|c| c["value"].as_f64().unwrap().round() as i64)
            .collect()
    };
    // There are m + n − 1 steps. Each has five reads and a write by m threads. At the end one
    // thread reads the n + 1 last values.
    assert_eq!(coefficients("dmm --model dmm"), [6, 7, 6]);
    assert_eq!(coefficients("umm --model dmm"), [6, 7, 6]);
    // The minimum is kept in a register.
    assert_eq!(coefficients("umm-3m --model dmm"), [6, 6, 6]);
    // On the UMM, most accesses of a warp straddle a boundary between groups: all but those to X.
    assert_eq!(coefficients("umm --model umm")[1..], [7, 6]);
    // With the matrix in its original layout, four accesses of each step go to a separate group per
    // thread.
    let time =
        |kernel: &str| json(&format!("{kernel} --model umm -m 64 -n 256 -l 10"))["count"]["stages"].as_u64().unwrap();
    assert!(time("dmm") > 4 * 64 * 256 && time("umm") < 64 * 256 / 2);
}

/// The row length of lemma 3's matrix is a multiple of the given width. At width 31, too, only
/// column 0 lies in a single bank.
#[test]
fn lemma_3_at_the_width_asked_for() {
    for w in [7, 31, 33] {
        let count = &json(&format!("dmm --model dmm -w {w} -m 64 -n 31"))["count"];
        let lines = count["lines"].as_array().unwrap();
        let of = |what: &str| lines.iter().map(|line| line[what].as_u64().unwrap()).collect::<Vec<_>>();
        let column = 64 - 64u64.div_ceil(w);
        assert_eq!(of("conflicts"), [0, 0, 0, 0, 0, 0, 0, 0, 0, column, 0], "{w}");
    }
    // A sweep over widths runs the kernel once per width.
    let sweep = json("dmm --model dmm --sweep n=31,62,93,w=31,32,l=1 --terms mn/w,n");
    for point in sweep["points"].as_array().unwrap() {
        let time = |of: &str| point[of].as_u64().unwrap();
        let alone = json(&format!("dmm --model dmm -l 1 -w {} -n {}", time("w"), time("n")));
        assert_eq!(point["time"], alone["count"]["time"], "{point}");
    }
}

/// The paper's two terms fit the times. They also predict the speedup of the windows of theorem 6
/// far beyond the sizes of the sweep.
#[test]
fn theorem_6_beats_theorem_5_by_what_their_terms_say() {
    let coefficients = |kernel: &str, terms: &str| {
        let sizes = "m=16,32,n=512,1024,w=8,32,l=1,100,400";
        let fit = &json(&format!("{kernel} --model umm --sweep {sizes} --terms {terms}"))["fit"];
        assert!(fit["r_squared"].as_f64().unwrap() > 0.99, "{kernel}: {fit}");
        let list = fit["coefficients"].as_array().unwrap();
        [0, 1].map(|i| list[i]["value"].as_f64().unwrap())
    };
    let [a, b] = coefficients("umm-3m", "mn/w,nl");
    let [c, d] = coefficients("umm-n", "mn/w,ml");
    for (m, n, w, l) in [(16.0, 4096.0, 32.0, 400.0), (16.0, 8192.0, 16.0, 200.0), (8.0, 4096.0, 32.0, 100.0)] {
        let time = |kernel: &str| {
            let report = json(&format!("{kernel} --model umm -m {m} -n {n} -w {w} -l {l}"));
            report["count"]["time"].as_u64().unwrap() as f64
        };
        let expected = (a * m * n / w + b * n * l) / (c * m * n / w + d * m * l);
        let factor = time("umm-3m") / time("umm-n");
        assert!(factor > 10.0 && (factor / expected - 1.0).abs() < 0.15, "{m} {n} {w} {l}: {factor}, not {expected}");
    }
}

#[test]
fn a_curve() {
    let folder = Folder::new();
    let (code, _, error) = machine_in(&folder, "contiguous --sweep n=512:2048:512,l=1,50,p=32,64 --plot curve.svg");
    assert_eq!((code, error.as_str()), (0, ""));
    let svg = String::from_utf8(folder.read("curve.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("time units") && svg.contains("A time unit: one stage"), "{svg}");
    assert!(svg.contains("n (symbols of the text or the second string, or cells)"));
    assert_eq!(svg.matches("<circle").count(), 16);
}

/// Returns an attribute of an SVG element.
fn attribute<'s>(element: &'s str, name: &str) -> &'s str {
    element.split_once(&format!(" {name}=\"")).unwrap().1.split_once('"').unwrap().0
}

/// At l = 1, contiguous access takes n / w time units with any number of threads, so three curves
/// coincide.
#[test]
fn no_line_of_a_curve_hides_another() {
    let folder = Folder::new();
    let sweep = "contiguous --sweep n=1024:4096:1024,p=64,128,256,l=1,50 --plot curve.svg";
    assert_eq!(machine_in(&folder, sweep).0, 0);
    let svg = String::from_utf8(folder.read("curve.svg")).unwrap();
    let colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];
    // The visible pixels of each curve. Later curves cover earlier ones.
    let mut seen = std::collections::HashMap::new();
    let lines = svg.lines().filter(|line| line.starts_with("<polyline") && attribute(line, "stroke-width") == "2");
    for line in lines {
        let numbers = attribute(line, "points").split([' ', ',']).filter(|number| !number.is_empty());
        let [x0, y0, x1, y1] = numbers.map(|number| number.parse::<i32>().unwrap()).collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        for x in x0..x1 {
            let y = y0 + (y1 - y0) * (x - x0) / (x1 - x0);
            seen.extend((y - 1..=y + 1).map(|y| ((x, y), attribute(line, "stroke"))));
        }
    }
    let all = seen.keys().map(|(x, _)| x).max().unwrap() - seen.keys().map(|(x, _)| x).min().unwrap();
    for colour in colours {
        let columns = seen.iter().filter(|(_, of)| **of == colour).map(|((x, _), _)| x);
        let columns = columns.collect::<std::collections::HashSet<_>>().len();
        assert!(columns as i32 >= all / 4, "{colour}: {columns} of {all}");
    }
    // The points of the three curves are concentric rings.
    let circles: Vec<&str> = svg.lines().filter(|line| line.starts_with("<circle")).collect();
    assert_eq!(circles.len(), 24);
    for (i, below) in circles.iter().enumerate() {
        for above in &circles[i + 1..] {
            let number = |circle: &str, name: &str| attribute(circle, name).parse::<i32>().unwrap();
            let apart = ["cx", "cy"].map(|name| number(below, name) - number(above, name));
            let hidden = apart.iter().all(|apart| apart.abs() < 3) && number(below, "r") < number(above, "r") + 2;
            assert!(!hidden, "{below} {above}");
        }
    }
    // The labels do not overlap, and their vertical order is that of the curves' ends.
    let elements: Vec<&str> = svg.split("<text ").collect();
    let mut heights: Vec<i32> = elements
        .iter()
        .filter(|element| element.contains("\np = "))
        .map(|element| attribute(&format!(" {element}"), "y").parse().unwrap())
        .collect();
    heights.sort_unstable();
    assert_eq!(heights.len(), 6);
    assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 16), "{heights:?}");
}

#[test]
fn the_words_of_the_model_are_defined_where_they_stand() {
    for (model, served) in [("umm", "w neighbouring words"), ("dmm", "one word of each bank")] {
        let folder = Folder::new();
        let (_, out, _) = machine_in(&folder, &format!("contiguous --model {model} --html page.html"));
        let page = String::from_utf8(folder.read("page.html")).unwrap();
        let (above, _) = out.split_once("  accesses   requests").unwrap();
        for text in [above, &page] {
            for said in
                [served, "stage: what the memory serves at once", "conflicts: the stages", "time: in time units"]
            {
                assert!(text.contains(said), "{said}: {text}");
            }
        }
        assert!(page.contains("id=\"words\""));
    }
    let (_, out, _) = machine("contiguous --sweep n=512:2048:512 --terms n");
    assert!(out.contains("time: in time units; in each one stage"), "{out}");
}

/// Asserts that the tags of a page are closed in order.
fn assert_well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").unwrap();
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let end = rest.find('>').unwrap_or_else(|| panic!("a tag that does not end: {rest}"));
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            let name = tag.split_whitespace().next().unwrap();
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            open.push(name);
            if ["script", "style"].contains(&name) {
                let end = rest.find(&format!("</{name}>")).unwrap();
                rest = &rest[end..];
            }
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn a_page_holds_all_it_needs() {
    let folder = Folder::new();
    let (code, _, error) = machine_in(&folder, "contiguous-bank -n 512 -p 64 -w 16 --html page.html");
    assert_eq!((code, error.as_str()), (0, ""));
    let page = String::from_utf8(folder.read("page.html")).unwrap();
    assert_well_formed(&page);
    for outside in ["http:", "https:", "src=", "href=", "url(", "@import", "fetch(", "{{"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    let file = &data["files"][0];
    assert_eq!(file["name"], "measure/contiguous.rs");
    let cost = &file["costs"][0];
    let line = file["source"][cost["line"].as_u64().unwrap() as usize - 1].as_str().unwrap();
    assert!(line.contains("self.a.read(b as usize)"), "{line}");
    let samples = cost["samples"].as_array().unwrap();
    assert!((10..=40).contains(&samples.len()));
    for sample in samples {
        assert_eq!(sample["stages"], 16);
        assert_eq!(sample["requests"].as_array().unwrap().len(), 16);
    }
    assert_eq!(data["report"]["count"]["time"], 8 * (64 + 399));
}

#[test]
fn what_is_not_possible_is_said() {
    let cases = [
        ("contiguous -w 0", "the width of a memory machine must be 1 to"),
        ("cut -n 1", "n is 2 at least"),
        ("contiguous -l 0", "the latency of a memory machine must be 1 to"),
        ("contiguous --word 0", "the word of a memory machine must be 1 to"),
        ("contiguous -w 99999999999", "the width of a memory machine must be 1 to"),
        ("contiguous -n 0", "n is 1 to"),
        ("contiguous -p 0", "p is 1 to"),
        ("contiguous -p 4000000000", "p is 1 to"),
        ("contiguous -n 99999999999", "n is 1 to"),
        ("contiguous -p 5000000", "memory accesses or threads than the simulator records"),
        ("contiguous-bank -n 4000000 -w 1000", "take a smaller n or w"),
        ("contiguous -m 3", "does not depend on m"),
        ("block-step -p 3", "chooses its own number of threads"),
        ("block-step -m 60000000", "m is 1 to"),
        ("shift-or -m 100", "up to 64 symbols"),
        ("shift-or -k 1", "exact matches only"),
        ("none", "unknown kernel `none`; choose one of contiguous,"),
        ("contiguous --model pram", "unknown machine model `pram`"),
        ("contiguous --mode x", "unknown mode `x`"),
        ("contiguous --sweep n=5", "needs more than 3 points"),
        ("contiguous --sweep n=1000,2000,3000,4000", "do not separate the terms"),
        ("contiguous --sweep m=1,2", "does not depend on m"),
        ("contiguous --sweep n=1,2,3,4,l=0", "the latency of a memory machine must be 1 to"),
        ("contiguous --sweep n=x", "`x` is neither a number nor a range"),
        ("contiguous --sweep n=1,2,3 --terms z", "`z` is not a valid term"),
        ("contiguous --terms n", "--sweep"),
        ("contiguous --plot x.svg", "--sweep"),
        ("contiguous --sweep n=1,2,3 --html x.html", "cannot be used with"),
    ];
    for (arguments, said) in cases {
        let (code, out, error) = machine(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments}: {error}");
        assert!(error.contains(said), "{arguments}: {error}");
        assert!(!error.contains("panicked"), "{arguments}: {error}");
    }
}

#[test]
fn the_hierarchical_machine() {
    let time = |arguments: &str| json(&format!("{arguments} -m 64 -l 100"))["count"]["time"].as_u64().unwrap();
    let hmm = json("duel-shared --model hmm --dmms 4 --shared-latency 2");
    assert_eq!((hmm["memory"].as_str(), hmm["machine"]["dmms"].as_u64()), (Some("global and shared memory"), Some(4)));
    // More DMMs share the accesses to shared memory, and not those to global memory.
    let [one, four] = [1, 4].map(|d| time(&format!("duel-shared --model hmm --dmms {d}")));
    let global = time("duel-shared --model hmm --memory global");
    assert!(one > four && four > global, "{one} {four} {global}");
    assert_eq!(global, time("duel-shared --model umm"), "blocks are whole warps");
    let (code, _, error) = machine("duel-shared --model hmm --mode free");
    assert!(code != 0 && error.contains("lockstep only"), "{error}");
}

#[test]
fn options_and_alphabets() {
    let shared = "shift-or-scan --memory shared --model dmm";
    let conflicts = |arguments: &str| json(&format!("{shared} {arguments}"))["count"]["conflicts"].as_u64().unwrap();
    assert_eq!(conflicts("--tune table=banks --sigma 256"), 0);
    assert!(conflicts("--tune table=paper --sigma 256") > conflicts("--tune table=paper --sigma 64"));
    let (_, out, _) = machine(&format!("{shared} --tune alpha=4,table=paper --sigma 64"));
    assert!(out.contains(", σ = 64, alpha=4,table=paper, "), "{out}");
    for (arguments, says) in [
        ("umm-n --tune alpha=4", "umm-n has no option alpha; it has none"),
        ("gbpr --tune variant=disjoint", "gbpr has no option variant; it has alpha, table, segment"),
        ("shift-or-scan --tune alpha=5", "(alpha), not 5"),
        ("shift-or-scan --tune beta=5", "choose one of alpha, variant, table and segment"),
        ("contiguous --sigma 8", "contiguous has no strings"),
        ("umm-n --sigma 300", "1 to 256"),
    ] {
        let (code, out, error) = machine(arguments);
        assert!(code != 0 && out.is_empty() && error.contains(says), "{arguments}: {error}");
    }
    let (_, help, _) = machine("--help");
    assert!(help.contains("Parameters (--tune):") && help.contains("segment=a multiple of 32 up to 1048576"), "{help}");
}
