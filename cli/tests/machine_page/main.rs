//! The page of `carrywave machine --html`: its script runs, and shows the content of the embedded
//! JSON.

#[path = "../common/mod.rs"]
mod common;

use common::program::Folder;
use rquickjs::{Context, Runtime};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// An open page.
struct Page {
    context: Context,
    data: Value,
}

impl Page {
    fn open(arguments: &str) -> Self {
        let folder = Folder::new();
        let arguments: Vec<&str> =
            ["machine"].into_iter().chain(arguments.split_whitespace()).chain(["--html", "page.html"]).collect();
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        let page = String::from_utf8(folder.read("page.html")).unwrap();
        let (before, after) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
        let (data, script) = after.split_once("</script>").unwrap();
        let script = script.split_once("<script>").unwrap().1.split_once("</script>").unwrap().0;
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        let page = Self { context, data: serde_json::from_str(data).unwrap() };
        page.run(include_str!("dom.js"));
        for id in before.split("id=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0).chain(["data"]) {
            let space = if id == "empty" { "svg" } else { "html" };
            page.run(&format!("elements[{id:?}] = new Element('an element of the page', {space:?});"));
        }
        page.run(&format!("elements.data.textContent = {};", json!(data)));
        page.run(script);
        page
    }

    fn run(&self, script: &str) {
        self.context.with(|context| {
            let done: rquickjs::Result<()> = context.eval(script);
            done.unwrap_or_else(|_| panic!("{:?}", context.catch()));
        });
    }

    /// Returns what the page shows after these actions.
    fn after(&self, actions: &str) -> Value {
        self.run(actions);
        let seen: String = self.context.with(|context| context.eval("seen()").unwrap());
        serde_json::from_str(&seen).unwrap()
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Returns the lines with costs: position, share of the time, and costs.
fn lines(data: &Value) -> Vec<(String, f64, Vec<Value>)> {
    let mut lines = BTreeMap::<(String, u64), Vec<Value>>::new();
    for file in data["files"].as_array().unwrap() {
        for cost in file["costs"].as_array().unwrap() {
            let place = (text(&file["name"]).to_owned(), cost["line"].as_u64().unwrap());
            lines.entry(place).or_default().push(cost.clone());
        }
    }
    let share = |costs: &[Value]| costs.iter().map(|cost| cost["share"].as_f64().unwrap()).sum();
    lines.into_iter().map(|((file, line), costs)| (format!("{file}:{line}"), share(&costs), costs)).collect()
}

const PAGES: [&str; 6] = [
    "contiguous-bank -n 512 -p 64 -w 16 --model umm",
    "contiguous -n 500 -p 50 -w 7 --model dmm",
    "umm -m 8 -n 40 -w 8 --model umm",
    "shift-or --memory shared --model dmm",
    "myers --memory shared --model dmm -w 16",
    "wavefront -m 100 -n 80 --model umm",
];

#[test]
fn the_costliest_line_is_picked_and_every_line_has_its_numbers() {
    for arguments in PAGES {
        let page = Page::open(arguments);
        let seen = page.after("");
        let lines = lines(&page.data);
        let time = page.data["report"]["count"]["time"].to_string();
        assert!(text(&seen["title"]).replace(',', "").contains(&time), "{arguments}: {seen}");
        let most = lines.iter().map(|line| line.1).fold(0.0, f64::max);
        let picked = lines.iter().find(|line| line.0 == text(&seen["what"])).unwrap();
        assert!(most - picked.1 < 1e-9, "{arguments}: {picked:?}");
        let mut shown: Vec<String> =
            seen["rows"].as_array().unwrap().iter().map(|row| text(&row[0]).to_owned()).collect();
        let mut expected: Vec<String> = lines.iter().map(|line| format!("{:.1} %", 100.0 * line.1)).collect();
        shown.sort();
        expected.sort();
        assert_eq!(shown, expected, "{arguments}");
        for number in 0..lines.len() {
            let seen = page.after(&match number % 2 {
                0 => format!("click(costRows()[{number}])"),
                _ => format!("press(costRows()[{number}], 'Enter')"),
            });
            assert_eq!(seen["picked"], 1);
            let (place, _, costs) = lines.iter().find(|line| line.0 == text(&seen["what"])).unwrap();
            for cost in costs {
                let numbers = text(&seen["numbers"]).replace(',', "");
                for part in ["accesses", "requests", "stages", "time"] {
                    assert!(numbers.contains(&format!("{} ", cost[part])), "{arguments}, {place}: {numbers}");
                }
            }
            assert_eq!(text(&seen["rows"][number][3]), place.rsplit_once(':').unwrap().1);
        }
    }
}

/// Pictures of warp accesses show words: one colour per stage, and each colour only has words that
/// one stage can serve.
#[test]
fn pictures_show_words_and_stages() {
    for arguments in PAGES {
        let page = Page::open(arguments);
        let machine = &page.data["report"]["machine"];
        let width = machine["width"].as_u64().unwrap();
        let mut pictures = 0;
        for number in 0..lines(&page.data).len() {
            let first = page.after(&format!("click(costRows()[{number}])"));
            let costs = lines(&page.data).into_iter().find(|line| line.0 == text(&first["what"])).unwrap().2;
            let samples: Vec<&Value> = costs.iter().flat_map(|cost| cost["samples"].as_array().unwrap()).collect();
            let mut seen = first.clone();
            for sample in &samples {
                pictures += 1;
                let words: BTreeSet<u64> = sample["requests"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .flat_map(|request| request[1].as_u64().unwrap()..=request[2].as_u64().unwrap())
                    .collect();
                let groups: BTreeSet<u64> = words.iter().map(|word| word / width).collect();
                let mut shown = BTreeSet::new();
                // For each colour: its banks, its groups, and its number of words.
                let mut stages = BTreeMap::<&str, (BTreeSet<u64>, BTreeSet<u64>, usize)>::new();
                let mut places = BTreeSet::new();
                for one in seen["boxes"].as_array().unwrap() {
                    let title = text(&one["title"]);
                    let word: u64 = title.strip_prefix("word ").unwrap().split_once(',').unwrap().0.parse().unwrap();
                    assert!(shown.insert(word), "{title}");
                    let stage = stages.entry(text(&one["fill"])).or_default();
                    stage.0.insert(word % width);
                    stage.1.insert(word / width);
                    stage.2 += 1;
                    assert!(places.insert((one["x"].to_string(), one["y"].to_string())), "{title}: two in one place");
                }
                let visible: BTreeSet<u64> = groups.iter().copied().take(64).collect();
                let expected: BTreeSet<u64> =
                    words.iter().copied().filter(|word| visible.contains(&(word / width))).collect();
                assert_eq!(shown, expected, "{arguments}");
                if groups.len() <= 64 {
                    assert_eq!(stages.len() as u64, sample["stages"].as_u64().unwrap(), "{arguments}: {seen}");
                } else {
                    assert!(text(&seen["picture"]).contains("groups more"));
                }
                for (colour, (banks, groups, words)) in stages {
                    match text(&machine["model"]) {
                        "dmm" => assert_eq!(banks.len(), words, "{arguments}: {colour}"),
                        _ => assert_eq!(groups.len(), 1, "{arguments}: {colour}"),
                    }
                }
                seen = page.after("click(elements.next)");
            }
            // Goes on past the last access, which wraps around, and back.
            assert_eq!(seen["which"], first["which"], "{arguments}");
            let last = page.after("click(elements.previous)");
            assert!(
                samples.is_empty() || text(&last["which"]).contains(&format!("{0} of {0}", samples.len())),
                "{last}"
            );
        }
        assert!(pictures > 20, "{arguments}: {pictures}");
    }
}
