//! Characters as the unit of `search`, `best`, `lcs` and `distance`.

use crate::common::program::{Folder, assert_mentions};

/// Returns the output of a search that prints nothing on standard error.
#[track_caller]
fn found(folder: &Folder, arguments: &[&str]) -> String {
    let ran = folder.run(&[&["search"], arguments].concat());
    assert_eq!(ran.stderr, "", "{arguments:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// Names whose second letter has one or two bytes, and a name in Latin-1.
fn names() -> Folder {
    let folder = Folder::new();
    folder.file("names", "Müller\nMuller\nMöller, Mueller\nMaier\n");
    folder.file("latin1", b"M\xfcller\nMaier\n");
    folder
}

#[test]
fn an_error_is_one_of_characters() {
    let folder = names();
    let three = "Müller\nMuller\nMöller, Mueller\n";
    assert_eq!(found(&folder, &["-k1", "Muller", "names"]), three);
    assert_eq!(found(&folder, &["-k1", "Müller", "names"]), "Müller\nMuller\nMöller, Mueller\n");
    assert_eq!(found(&folder, &["-k1", "--bytes", "Muller", "names"]), "Muller\nMöller, Mueller\n");
    assert_eq!(found(&folder, &["-k1", "--alphabet", "bytes", "-o", "Muller", "names"]), "Muller\nMueller\n");
    assert_eq!(found(&folder, &["-k1", "-o", "Muller", "names"]), "Müller\nMuller\nMöller\nMueller\n");
    assert_eq!(found(&folder, &["-k1", "-c", "Muller", "names"]), "3\n");
    assert_eq!(found(&folder, &["-k1", "-v", "Muller", "names"]), "Maier\n");
    assert_eq!(found(&folder, &["--substitutions", "1", "-o", "Muller", "names"]), "Müller\nMuller\nMöller\n");
    // A percentage of six characters, and with --bytes of seven bytes.
    let ran = folder.run(&["search", "-k", "15%", "-c", "Müller", "names", "names"]);
    assert_eq!(ran.stdout, b"names:1\nnames:1\n");
    assert_eq!(
        ran.stderr,
        "carrywave: 15% of a pattern with 6 symbols is less than one error, so the pattern must match exactly\n"
    );
    assert_eq!(found(&folder, &["-k", "15%", "-c", "--bytes", "Müller", "names"]), "2\n");
    // The second character must match; then the third to sixth.
    assert_eq!(found(&folder, &["-k1", "--fixed", "2", "-o", "Müller", "names"]), "Müller\n");
    assert_eq!(found(&folder, &["-k1", "--fixed", "3-6", "-o", "Müller", "names"]), "Müller\nMuller\nMöller\n");
    // A byte that is not UTF-8 is one symbol.
    assert_eq!(folder.run(&["search", "-k1", "Muller", "latin1"]).stdout, b"M\xfcller\n");
    assert_eq!(folder.run(&["search", "-k1", "Müller", "latin1"]).stdout, b"M\xfcller\n");
}

#[test]
fn places_are_those_of_bytes() {
    let folder = names();
    assert_eq!(found(&folder, &["-k1", "-ob", "Muller", "names"]), "0:Müller\n8:Muller\n15:Möller\n24:Mueller\n");
    let bed = "names\t0\t7\tMuller\t1\t+\nnames\t8\t14\tMuller\t0\t+\nnames\t15\t22\tMuller\t1\t+\nnames\t24\t31\tMuller\t1\t+\n";
    assert_eq!(found(&folder, &["-k1", "--format", "bed", "Muller", "names"]), bed);
    let json = found(&folder, &["-k1", "--format", "json", "-m1", "Muller", "names"]);
    assert_mentions(&json, &[r#""start":0,"end":7"#, r#""errors":1"#, r#""match":"Müller""#]);
    let colored = found(&folder, &["-k1", "--color=always", "-m1", "uller", "names"]);
    assert_eq!(colored, "M\u{1b}[01;31m\u{1b}[Küller\u{1b}[m\u{1b}[K\n");
    // After characters of two bytes.
    folder.file("behind", "äöü Müller äöü Miller\n");
    assert_eq!(found(&folder, &["-k1", "-ob", "Muller", "behind"]), "7:Müller\n22:Miller\n");
    assert_eq!(found(&folder, &["-k1", "--format", "bed", "Muller", "behind"]).lines().count(), 2);
}

#[test]
fn case_is_that_of_unicode() {
    let folder = Folder::new();
    folder.file("text", "MÜLLER\nmüller\nΣΊΣΥΦΟΣ\nσίσυφος\n300 \u{212a}\nМИР\nмир\n");
    assert_eq!(found(&folder, &["-i", "Müller", "text"]), "MÜLLER\nmüller\n");
    assert_eq!(found(&folder, &["-i", "Σίσυφος", "text"]), "ΣΊΣΥΦΟΣ\nσίσυφος\n");
    assert_eq!(found(&folder, &["-i", "300 k", "text"]), "300 \u{212a}\n");
    assert_eq!(found(&folder, &["-i", "-k1", "mira", "text"]), "");
    assert_eq!(found(&folder, &["-i", "-k1", "мира", "text"]), "МИР\nмир\n");
    assert_eq!(found(&folder, &["-i", "--bytes", "Müller", "text"]), "müller\n");
}

#[test]
fn classes_wildcards_and_words() {
    let folder = Folder::new();
    folder.file("text", "Möller\nMüller\nMiller\nMller\nкот\nкит\nпередкотом\nüber\nübers\n");
    assert_eq!(found(&folder, &["--classes", "M[öü]ller", "text"]), "Möller\nMüller\n");
    assert_eq!(found(&folder, &["--classes", "M[^ü]ller", "text"]), "Möller\nMiller\n");
    assert_eq!(found(&folder, &["--classes", "M.ller", "text"]), "Möller\nMüller\nMiller\n");
    assert_eq!(found(&folder, &["--wildcard", "?", "M?ller", "text"]), "Möller\nMüller\nMiller\n");
    assert_eq!(found(&folder, &["--classes", "-x", "к[а-я]т", "text"]), "кот\nкит\n");
    // Word characters are those of Unicode.
    assert_eq!(found(&folder, &["-w", "кот", "text"]), "кот\n");
    assert_eq!(found(&folder, &["-w", "ber", "text"]), "");
    assert_eq!(found(&folder, &["-w", "--bytes", "ber", "text"]), "über\n");
    assert_eq!(found(&folder, &["-w", "-k1", "uber", "text"]), "über\n");
    assert_eq!(found(&folder, &["-w", "-k1", "-o", "котр", "text"]), "кот\n");
}

#[test]
fn several_patterns() {
    let folder = names();
    folder.file("patterns", "Mäller\nMeier\nnäher\n");
    assert_eq!(found(&folder, &["-k1", "-of", "patterns", "names"]), "Müller\nMuller\nMöller\nMaier\n");
}

/// A pattern with more distinct characters than there are codes outside ASCII.
#[test]
fn a_pattern_of_many_kinds() {
    let folder = Folder::new();
    let letters = |count| ('\u{4e00}'..).take(count).collect::<String>();
    for (count, engine) in [(127, "cpu"), (128, "cpu"), (128, "simt"), (220, "cpu")] {
        let pattern = letters(count);
        // The pattern's characters reuse codes of ASCII characters. In the text, these ASCII
        // characters stay distinct.
        let ascii: String = (b' '..0x7f).map(char::from).collect();
        folder.file("chinese", format!("{ascii}{}x{}{ascii}\n{ascii}\n", letters(60), &pattern[60 * 3 + 3..]));
        let options = ["-k1", "--engine", engine, &pattern, "chinese"];
        let bed = format!("chinese\t95\t{}\t{pattern}\t1\t+\t60=1X{}=\n", 95 + 3 * count - 2, count - 61);
        assert_eq!(found(&folder, &[&["--format", "bed", "--cigar"], &options[..]].concat()), bed);
        assert_eq!(found(&folder, &[&["-w", "-c"], &options[..]].concat()), "1\n");
        assert_eq!(found(&folder, &[&["-k0", "-c"], &options[1..]].concat()), "0\n");
    }
    folder.file("line", format!("a_{}b\n-{}-\n", letters(200), letters(200)));
    assert_eq!(found(&folder, &["-w", "-n", "-k1", &letters(200), "line"]), format!("2:-{}-\n", letters(200)));
    // Several characters share a code.
    for (count, k, engine) in [(300, 1, "cpu"), (300, 2, "simt"), (3000, 12, "cpu")] {
        let pattern = letters(count);
        let other = pattern.replace('\u{4e80}', "").replace('\u{4e20}', "\u{4e21}");
        // Permuted parts of the pattern beside it, and in it characters that share codes with
        // others.
        let before = letters(count).chars().rev().chain('a'..'f').collect::<String>();
        folder.file("chinese", format!("{before}{other}{pattern}b\n{}\n{}\n", letters(count - 20), &other[3..]));
        let errors = format!("-k{k}");
        let own = [&errors[..], "--engine", engine, &pattern, "chinese"];
        let hits = found(&folder, &[&["--format", "bed", "--cigar"], &own[..]].concat());
        let line = 3 * count + 5;
        let [start, middle] = [line, line + other.len()];
        let mut expected = Vec::new();
        if k >= 2 {
            expected.push((start, middle, 2, format!("32=1X95=1I{}=", count - 129)));
        }
        expected.push((middle, middle + 3 * count, 0, format!("{count}=")));
        if k >= 3 {
            let third = middle + 3 * count + 2 + 3 * (count - 20) + 1;
            expected.push((third, third + other.len() - 3, 3, format!("1I31=1X95=1I{}=", count - 129)));
        }
        let line = |(start, end, errors, cigar): &(usize, usize, u32, String)| {
            format!("chinese\t{start}\t{end}\t{pattern}\t{errors}\t+\t{cigar}\n")
        };
        let expected: String = expected.iter().map(line).collect();
        assert!(hits == expected, "{count} {k}: {hits} {expected}");
        let lines = if k >= 3 { "2\n" } else { "1\n" };
        assert_eq!(found(&folder, &[&["-c"], &own[..]].concat()), lines);
        assert_eq!(found(&folder, &["-c", "-x", &errors, &pattern, "chinese"]), if k >= 3 { "1\n" } else { "0\n" });
        assert_eq!(
            found(&folder, &[&["-o", "-w"], &own[..]].concat()),
            if k >= 3 { format!("{}\n", &other[3..]) } else { String::new() }
        );
        let best = folder.answer(&["best", &pattern[3..], "chinese", "--output", "bed"]);
        assert!(best.starts_with(&format!("chinese\t{}\t{}\t", middle + 3, middle + 3 * count)), "{best}");
    }
    // Other patterns of the list are found, too.
    let more = letters(300);
    folder.file("chinese", format!("{more}\nab\n"));
    folder.file("patterns", format!("ab\n{more}\n"));
    assert_eq!(found(&folder, &["-k1", "-n", "-o", "-f", "patterns", "chinese"]), format!("1:{more}\n2:ab\n"));
    assert_eq!(found(&folder, &["-k1", "-c", "-i", &more, "chinese"]), "1\n");
    assert_eq!(found(&folder, &["-c", &more, "chinese"]), "1\n");
    assert_eq!(found(&folder, &["-k3", "--bytes", "-c", &more, "chinese"]), "1\n");
    // A class cannot share a code.
    let classes = format!("[^a]{more}");
    let refusal = folder.run(&["search", "--classes", &classes, "chinese"]).stderr;
    assert_mentions(&refusal, &["300 distinct non-ASCII characters", "[^a]\u{4e00}", "--bytes"]);
    folder.file("patterns", format!("a\n{classes}\n"));
    assert_mentions(&folder.run(&["search", "--classes", "-f", "patterns", "chinese"]).stderr, &["patterns:2", "300"]);
}

/// Returns the end in bytes, and the errors, of each part of a line that matches a name, by
/// Sellers' recurrence on characters.
fn ends(name: &str, line: &str, k: usize) -> Vec<(usize, usize)> {
    let name: Vec<char> = name.chars().collect();
    let mut column: Vec<usize> = (0..=name.len()).collect();
    let mut found = Vec::new();
    for (at, character) in line.char_indices() {
        let mut next = vec![0];
        for (i, own) in name.iter().enumerate() {
            let through = column[i] + usize::from(*own != character);
            next.push(through.min(column[i + 1] + 1).min(next[i] + 1));
        }
        column = next;
        if column[name.len()] <= k {
            found.push((at + character.len_utf8(), column[name.len()]));
        }
    }
    found
}

/// Returns names of `kinds` distinct characters, and lines with randomly changed names.
fn names_and_lines(kinds: usize, count: usize) -> (Vec<String>, Vec<String>) {
    let mut random = fastrand::Rng::with_seed(kinds as u64);
    let all: Vec<char> = ('a'..='c').chain('\u{4e00}'..).take(kinds).collect();
    let mut some = |count: usize| (0..count).map(|_| all[random.usize(..kinds)]).collect::<String>();
    let names: Vec<String> = (0..count).map(|number| some(3 + number % 4)).collect();
    let rests: Vec<String> = (0..60).map(|number| some(number % 7)).collect();
    let line = |rest: &String| {
        let mut name: Vec<char> = names[random.usize(..count)].chars().collect();
        let at = random.usize(..name.len());
        match random.u8(..4) {
            0 => drop(name.remove(at)),
            1 => name[at] = all[random.usize(..kinds)],
            2 => name.insert(at, 'é'),
            _ => {}
        }
        format!("{rest}{} {}", name.iter().collect::<String>(), names[random.usize(..count)])
    };
    let lines = rests.iter().map(line).collect();
    (names, lines)
}

#[test]
fn lists_of_any_number_of_kinds() {
    let most = if std::env::var_os("CARRYWAVE_LONG_TESTS").is_some() { 10_000 } else { 1000 };
    for (kinds, count, engine) in [(10, 20, "cpu"), (130, 80, "simt"), (600, 200, "cpu"), (most, most / 2, "cpu")] {
        let folder = Folder::new();
        let (mut names, lines) = names_and_lines(kinds, count);
        names.sort_unstable();
        names.dedup();
        folder.file("names", names.join("\n"));
        folder.file("text", lines.join("\n"));
        let mut expected = Vec::new();
        let mut start = 0;
        for line in &lines {
            for name in &names {
                let of_name = ends(name, line, 1).into_iter();
                expected.extend(of_name.map(|(end, errors)| (start + end, name.clone(), errors)));
            }
            start += line.len() + 1;
        }
        expected.sort_unstable();
        let all = ["-k1", "--ends", "all", "--engine", engine, "-f", "names", "text"];
        let bed = found(&folder, &[&["--format", "bed"], &all[..]].concat());
        let places: Vec<(usize, usize)> = bed
            .lines()
            .map(|hit| hit.split('\t').skip(1).take(2).map(|place| place.parse::<usize>().unwrap()).collect::<Vec<_>>())
            .map(|place| (place[0], place[1]))
            .collect();
        let lines_of = |byte: &usize| {
            lines
                .iter()
                .scan(0, |end, line| {
                    *end += line.len() + 1;
                    Some(*end)
                })
                .position(|end| *byte < end)
        };
        assert!(places.is_sorted_by_key(|(start, end)| (lines_of(start), *start, *end)), "{kinds}");
        let hit = |hit: &str| {
            let fields: Vec<&str> = hit.split('\t').collect();
            (fields[2].parse().unwrap(), fields[3].to_owned(), fields[4].parse().unwrap())
        };
        let mut hits: Vec<(usize, String, usize)> = bed.lines().map(hit).collect();
        hits.sort_unstable();
        assert!(hits == expected, "{kinds} kinds: {} hits and {}", hits.len(), expected.len());
        let matching = lines.iter().filter(|line| names.iter().any(|name| !ends(name, line, 1).is_empty())).count();
        assert_eq!(found(&folder, &[&["-c"], &all[..]].concat()), format!("{matching}\n"));
        assert_eq!(found(&folder, &[&["-cv"], &all[..]].concat()), format!("{}\n", lines.len() - matching));
    }
}

/// Patterns of other characters, and one that is not UTF-8, do not change the hits of the others,
/// in any output format.
#[test]
fn unrelated_patterns_change_nothing() {
    let folder = Folder::new();
    let names = ["Müller", "Muller", "Mülle", "中国人", "中国", "кот", "naïve", "ab"];
    let text = "Herr Müller, Frau Möller\nMULLER\n中国人民 中美人\nab\nничего\ncot кит котр\nnaïve na\u{ef}f\nMüller\nxyz\n中国\n";
    folder.file("text", [text.as_bytes(), b"M\xfcller \xff\xfe\n"].concat());
    folder.file("names", names.join("\n"));
    // Each name is followed by a pattern of many other characters, so that the names are in
    // different groups.
    let others = (0..names.len() as u32).map(|number| {
        let kinds = ('\u{20000}'..).skip(number as usize * 110).take(110);
        kinds.collect::<String>()
    });
    let more: Vec<String> = names.iter().zip(others).flat_map(|(name, other)| [(*name).to_owned(), other]).collect();
    folder.file("more", more.join("\n"));
    folder.file("bytes", [b"\xf5\xf6\xf7\xf8\xf9\xfa\n".to_vec(), names.join("\n").into_bytes()].concat());
    let modes: [&[&str]; 22] = [
        &["-k1"],
        &["-k1", "-n", "-b"],
        &["-k1", "-o", "-b"],
        &["-k1", "-c"],
        &["-k1", "-v"],
        &["-k1", "-x"],
        &["-k1", "-x", "-o"],
        &["-k1", "-w", "-o"],
        &["-k0", "-w", "-o"],
        &["-w", "--color=always"],
        &["-k1", "-i", "--color=always"],
        &["-k1", "-m2", "-A1", "-B1"],
        &["-k1", "-l"],
        &["-k1", "--overlapping", "--format", "bed"],
        &["-k1", "--ends", "all", "--format", "bed", "--cigar"],
        &["-k1", "--format", "json"],
        &["-k1", "--format", "align"],
        &["--substitutions", "1", "--fixed", "1", "-o"],
        &["-k1", "--classes", "-o", "-n"],
        &["--classes", "-x", "-c"],
        &["-k", "20%", "--format", "bed", "-m", "3"],
        &["-k1", "--whole", "--format", "bed"],
    ];
    for mode in modes {
        let found = |list: &str| folder.run(&[&["search", "-f", list], mode, &["text"]].concat());
        let alone = found("names");
        assert_eq!(alone.code, 0, "{mode:?}: {}", alone.stderr);
        assert!(
            !alone.stdout.is_empty() && alone.stderr.is_empty() || mode.contains(&"--whole") || mode.contains(&"20%")
        );
        for list in ["more", "bytes"] {
            let with_others = found(list);
            let [alone, with_others] = [&alone, &with_others].map(|ran| String::from_utf8_lossy(&ran.stdout));
            assert_eq!(with_others, alone, "{mode:?}, {list}");
        }
    }
    let told = folder.run(&["search", "-k1", "-f", "bytes", "text"]).stderr;
    assert_eq!(told.lines().count(), 1, "{told}");
    assert_mentions(&told, &["is not valid UTF-8", "byte by byte"]);
    // A pattern of bytes is found beside patterns of characters.
    folder.file("both", b"M\xf6ller\nMuller\n");
    let hits = folder.run(&["search", "-k1", "--format", "bed", "-f", "both", "text"]).stdout;
    let latin1 = text.len();
    let of_latin1 = format!("text\t{latin1}\t{}\tMuller\t1\t+\n", latin1 + 6);
    assert!(
        String::from_utf8_lossy(&hits).contains(&of_latin1) && hits.iter().filter(|&&byte| byte == b'\n').count() == 5,
        "{}",
        String::from_utf8_lossy(&hits)
    );
    // The nearest part for each pattern.
    let best = |list: &str| folder.run(&["best", "-f", list, "text", "--ties"]).stdout;
    let alone = String::from_utf8(best("names")).unwrap();
    for list in ["more", "bytes"] {
        let all = String::from_utf8_lossy(&best(list)).into_owned();
        let own = all.lines().filter(|line| names.iter().any(|name| line.starts_with(&format!("{name}:"))));
        assert!(own.eq(alone.lines()), "{all}");
    }
}

/// The features of ugrep's `-Z`: `-Z1`, `-Z+1`, `-Z-1` and `-Z~1`, with the first character
/// matching, and `-U` for bytes.
#[test]
fn what_ugrep_finds() {
    let folder = Folder::new();
    folder.file("text", "Müller\nMller\nMüüller\nMöller\nmüller\nMü-ller\nüller\n");
    let first = ["--fixed", "1", "-o"];
    let z = |options: &[&str]| found(&folder, &[&first, options, &["Müller", "text"]].concat());
    assert_eq!(z(&["-k1"]), "Müller\nMller\nMüüller\nMöller\nMü-ller\n");
    assert_eq!(z(&["--insertions", "1"]), "Müller\nMüüller\nMü-ller\n");
    assert_eq!(z(&["--deletions", "1"]), "Müller\nMller\n");
    assert_eq!(z(&["--substitutions", "1"]), "Müller\nMöller\n");
    assert_eq!(z(&["-k1", "-i"]), "Müller\nMller\nMüüller\nMöller\nmüller\nMü-ller\n");
    // ü has two bytes, and ö begins with the same byte.
    assert_eq!(z(&["-k1", "--bytes"]), "Müller\nMöller\nMü-ller\n");
}

/// The fuzzy cases of ugrep's own tests (550599a, tests/verify.sh, lines 234 to 240): `-Zio Lorem`,
/// and `-ioZbest1 Lorem`, which reports only the nearest matches. The text has those words of
/// tests/lorem.utf8.txt that ugrep reports, their neighbours, and words that almost match.
#[test]
fn what_ugrep_tests() {
    let folder = Folder::new();
    folder.file(
        "lorem",
        "Lorêm ïpsûm dolor sit amét. No dolôrèm scrïptorém dùo\nnumqûam dolores sûàvitaté\nvïm dolorem prôpriàe\nLorèm nïhil\n\
         cum te nibh lôrem labôre\nillud dolorem vel éx\nUt pùtant dolorés eleifend\nId lorêm aliênum\nCum lorêm dêçôre\n",
    );
    let fuzzy = found(&folder, &["--fixed", "1", "-k1", "-i", "-o", "Lorem", "lorem"]);
    assert_eq!(fuzzy, "Lorêm\nlores\nlorem\nLorèm\nlôrem\nlorem\nlorêm\nlorêm\n");
    assert_eq!(found(&folder, &["-k0", "-i", "-o", "Lorem", "lorem"]), "lorem\nlorem\n");
    let best = folder.answer(&["best", "--ties", "-i", "Lorem", "lorem"]);
    assert_eq!(best.lines().map(|line| line.rsplit(' ').next().unwrap()).collect::<Vec<_>>(), ["lorem"; 2]);
    assert_eq!(folder.run(&["search", "--fixed", "1", "-k1", "-i", "-o", "nomatch", "lorem"]).code, 1);
}

#[test]
fn the_best_match() {
    let folder = Folder::new();
    folder.file("text", "Tür und Tor\nHerr Müller\n");
    assert_eq!(folder.answer(&["best", "Muller", "text"]), "distance 1, text 18..25: Müller\n");
    assert_eq!(folder.answer(&["best", "--bytes", "Muller", "text"]), "distance 2, text 19..25: üller\n");
    assert_eq!(
        folder.answer(&["best", "Müler", "text", "--output", "tsv"]),
        "text\t18\t25\tMüler\t1\tMüller\t+\t2=1D3=\n"
    );
}

#[test]
fn two_strings() {
    let folder = Folder::new();
    let lcs = |options: &[&str]| folder.answer(&[&["lcs"], options].concat());
    let distance = |options: &[&str]| folder.answer(&[&["distance"], options].concat());
    assert_eq!(lcs(&["-e", "Müller", "Möller"]), "5\n");
    assert_eq!(lcs(&["-e", "--bytes", "Müller", "Möller"]), "6\n");
    assert_eq!(lcs(&["-e", "Müller", "Möller", "--output", "subsequence"]), "Mller\n");
    assert_eq!(lcs(&["-e", "xdünn", "dünner", "--output", "subsequence"]), "dünn\n");
    assert_eq!(lcs(&["-e", "Größe", "größte", "--output", "cigar"]), "1I1D3=1D1=\n");
    assert_eq!(lcs(&["-e", "ÄRGER", "ärger", "--case", "ignore"]), "5\n");
    let blocks = "\
Größe   1  G-röß-e  5
             ||| |
größte  1  -größte  6
";
    assert_eq!(lcs(&["-e", "Größe", "größte", "--output", "blocks"]), blocks);
    let json = lcs(&["-e", "Größe", "größte", "--output", "json"]);
    assert_mentions(&json, &[r#""a_len":5,"b_len":6"#, r#"{"a_start":1,"b_start":1,"len":3}"#]);
    assert_eq!(distance(&["-e", "Müller", "Möller"]), "1\n");
    assert_eq!(distance(&["-e", "中国", "美国"]), "1\n");
    assert_eq!(distance(&["-e", "--bytes", "中国", "美国"]), "3\n");
    assert_eq!(distance(&["-e", "ΟΔΟΣ", "οδος", "--case", "ignore"]), "0\n");
    assert_eq!(distance(&["-e", "Größe", "Grüße!", "--output", "cigar"]), "2=1X2=1D\n");
    let found = distance(&["-e", "Müler", "Herr Müller", "--mode", "infix", "--output", "places"]);
    assert_eq!(found, "5\t11\t1\n");
    // Files.
    folder.file("a", "Straße\n");
    folder.file("b", "straßen\n");
    folder.file("latin1", b"Stra\xdfe\n");
    assert_eq!(distance(&["--raw", "a", "b"]), "2\n");
    let ran = folder.run(&["distance", "--raw", "a", "latin1"]);
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "2\n");
    assert_mentions(&ran.stderr, &["symbols are bytes"]);
    // As many distinct characters as a byte has codes, and one more.
    let letters = |count| ('\u{4e00}'..).take(count).collect::<String>();
    folder.file("most", letters(254));
    folder.file("more", letters(255));
    assert_eq!(lcs(&["--raw", "most", "more"]), "254\n");
    assert_eq!(lcs(&["--raw", "more", "more"]), "255\n");
    assert_eq!(lcs(&["--raw", "--bytes", "more", "more"]), "765\n");
}

/// Two texts that share more than 256 distinct characters, in every output format.
#[test]
fn two_strings_of_many_kinds() {
    let folder = Folder::new();
    let lcs = |options: &[&str]| folder.answer(&[&["lcs", "--raw", "a", "b"], options].concat());
    let distance = |options: &[&str]| folder.answer(&[&["distance", "--raw", "a", "b"], options].concat());
    let all: Vec<char> = ('\u{4e00}'..).take(700).collect();
    let text = |characters: &[char]| characters.iter().collect::<String>();
    folder.file("a", text(&all[20..680]));
    folder.file("b", format!("{}é{}", text(&all[..300]), text(&all[301..])));
    assert_eq!(distance(&[]), "41\n");
    assert_eq!(distance(&["--max", "41"]), "41\n");
    assert_eq!(distance(&["--max", "40"]), ">40\n");
    assert_eq!(distance(&["--output", "cigar"]), "20D280=1X379=20D\n");
    assert_eq!(distance(&["--mode", "infix"]), "1\n");
    assert_eq!(distance(&["--mode", "infix", "--max", "0"]), ">0\n");
    assert_eq!(distance(&["--mode", "infix", "--output", "places"]), "20\t680\t1\n");
    assert_eq!(distance(&["--mode", "infix", "--output", "cigar"]), "280=1X379=\n");
    assert_eq!(distance(&["--mode", "prefix"]), "21\n");
    assert_eq!(distance(&["--engine", "simt"]), "41\n");
    assert_eq!(lcs(&[]), "659\n");
    assert_eq!(lcs(&["--output", "cigar"]), "20D280=1I1D379=20D\n");
    let subsequence = format!("{}{}\n", text(&all[20..300]), text(&all[301..680]));
    assert_eq!(lcs(&["--output", "subsequence"]), subsequence);
    let blocks = distance(&["--output", "blocks"]);
    assert_mentions(&blocks, &[&text(&all[290..300]), "é"]);
    assert_mentions(&folder.refusal(2, &["distance", "--raw", "a", "b", "--algorithm", "dp"]), &["254", "auto"]);
    // An algorithm that also exists for sequences of items.
    assert_eq!(distance(&["--algorithm", "bit-parallel"]), "41\n");
    assert_eq!(lcs(&["--algorithm", "bit-parallel", "--output", "subsequence"]), subsequence);
    // Gaps have the same positions as in texts with few distinct characters.
    folder.file("c", format!("{}BB", text(&all)));
    folder.file("d", format!("{}BBAB", text(&all)));
    let cigar = folder.answer(&["distance", "--raw", "c", "d", "--output", "cigar", "--gaps", "rightmost"]);
    assert_eq!(cigar, "702=2D\n");
}

#[test]
fn many_strings() {
    let folder = Folder::new();
    folder.file("pairs", "Müller\tMöller\täöü\nкот\tкит\nabc\tabd\n");
    assert_eq!(folder.answer(&["distance", "--pairs", "pairs"]), "1\täöü\n1\n1\n");
    folder.file("list", "Müller\nMuller\n中国\n美国\n");
    assert_eq!(folder.answer(&["distance", "--all", "list", "--max", "1"]), "1\t2\t1\n3\t4\t1\n");
    assert_eq!(folder.answer(&["distance", "--bytes", "--all", "list", "--max", "2"]), "1\t2\t2\n");
    // A byte that is not UTF-8 is one symbol.
    folder.file(
        "latin1",
        b"M\xfcller\tM\xc3\xbcller\nM\xfcller\tM\xfcller\nM\xfcller\tM\xf6ller\nM\xc3\xbcller\tMuller\n",
    );
    assert_eq!(folder.answer(&["distance", "--pairs", "latin1"]), "1\n0\n1\n1\n");
    assert_eq!(folder.answer(&["distance", "--bytes", "--pairs", "latin1"]), "2\n0\n1\n2\n");
}

/// A row with hundreds of characters, or with a byte that is not UTF-8, does not change the result
/// of other rows.
#[test]
fn unrelated_rows_change_nothing() {
    let folder = Folder::new();
    let letters = ('\u{4e00}'..).take(300).collect::<String>();
    let others: [&[u8]; 3] = [letters.as_bytes(), b"Stra\xdfe", "\u{4e01}\u{1f600}".as_bytes()];
    let words = ["é", "e", "ê", "Müller", "Muller", "中国", "美国", "中国人"];
    let rows = |lines: &mut dyn Iterator<Item = &[u8]>| lines.collect::<Vec<_>>().join(&b'\n');
    // --pairs
    let pairs: Vec<String> = words.windows(2).map(|pair| pair.join("\t")).collect();
    let expected = "1\n1\n6\n1\n6\n1\n2\n";
    folder.file("pairs", rows(&mut pairs.iter().map(String::as_bytes)));
    assert_eq!(folder.answer(&["distance", "--pairs", "pairs"]), expected);
    for other in others {
        for engine in &["cpu", "simt"][..if other == others[0] { 2 } else { 1 }] {
            let own = [other, b"\t", other, b"x"].concat();
            folder.file("more", rows(&mut pairs.iter().map(String::as_bytes).chain([&own[..]])));
            let found = folder.answer(&["distance", "--pairs", "more", "--engine", engine]);
            assert_eq!(found, format!("{expected}1\n"));
        }
    }
    // --all
    folder.file("list", rows(&mut words.iter().map(|word| word.as_bytes())));
    let modes: [&[&str]; 5] =
        [&["--max", "1"], &[], &["--top", "2"], &["--max", "1", "--clusters"], &["--cost", "indel"]];
    for mode in modes {
        let all = |list: &str, engine: &str| {
            let found = folder.answer(&[&["distance", "--all", list, "--engine", engine], mode].concat());
            let of_words = |line: &&str| !line.split('\t').any(|field| field == "9") || mode.contains(&"--top");
            found.lines().filter(of_words).map(str::to_owned).collect::<Vec<_>>()
        };
        let alone = all("list", "cpu");
        assert!(!alone.is_empty());
        for other in others {
            folder.file("more", rows(&mut words.iter().map(|word| word.as_bytes()).chain([other])));
            let more = all("more", "cpu");
            // The added row may be among the nearest strings of a word.
            let of_words: Vec<_> = more.iter().take(alone.len()).collect();
            assert!(mode.contains(&"--top") || of_words == alone.iter().collect::<Vec<_>>(), "{mode:?} {more:?}");
        }
    }
    assert_eq!(
        folder.answer(&["distance", "--all", "list", "--max", "1"]),
        "1\t2\t1\n1\t3\t1\n2\t3\t1\n4\t5\t1\n6\t7\t1\n6\t8\t1\n"
    );
}

/// A character takes one column of an alignment. It is printed as it is, unless it is a control
/// character for terminals or an invalid byte.
#[test]
fn alignments_show_characters() {
    let folder = Folder::new();
    folder.file("text", "M\u{f6}ller\nna\u{1b}v\u{e9}\n");
    folder.file("mixed", b"na\xffv\xc3\xa9\n");
    let expected = "\
text 0..7 + M\u{fc}ller: 1 error, 1=1X4=
M\u{fc}ller  1  M\u{fc}ller  6
           | ||||
text    1  M\u{f6}ller  6

";
    assert_eq!(found(&folder, &["-k1", "--format", "align", "M\u{fc}ller", "text"]), expected);
    let best = folder.answer(&["best", "M\u{fc}ller", "text", "--output", "align"]);
    assert_eq!(best, expected);
    for name in ["text", "mixed"] {
        let shown = found(&folder, &["-k1", "--format", "align", "na\u{ef}v\u{e9}", name]);
        let rows: Vec<&str> = shown.lines().map(|row| row.split_whitespace().nth(2).unwrap_or("")).collect();
        assert_eq!((rows[1], rows[3]), ("na\u{ef}v\u{e9}", "na.v\u{e9}"), "{shown}");
    }
}
