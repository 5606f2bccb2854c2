"""Tests search and best match against Sellers' table."""

import ctypes
import gzip
import os
import random

import carrywave
import oracles
import pytest


def ends(pattern, text):
    """Returns, for each end, the least distance of the pattern to a part of the text with it."""
    return list(oracles.ends(pattern, text, len(pattern)).values())


ALPHABETS = {"dna": "ACGT", "russian": "абвг", "mixed": "aä中\U0001f600", "latin": "aéüñ", "surrogates": "a\ud800\udfff\ufffd"}


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_ends_of_text(alphabet):
    chooser = random.Random(1)
    for _ in range(60):
        text = "".join(chooser.choices(ALPHABETS[alphabet], k=chooser.randrange(200)))
        pattern = "".join(chooser.choices(ALPHABETS[alphabet], k=chooser.randrange(4, 12)))
        k = chooser.randrange(3)
        expected = [(end, errors) for end, errors in enumerate(ends(pattern, text)) if errors <= k and end > 0]
        hits = carrywave.search(pattern, text, k, ends="all")
        assert [(hit.end, hit.errors) for hit in hits] == expected
        assert carrywave.Searcher(pattern, k, ends="all").count(text) == len(expected)
        for hit in hits:
            assert ends(pattern, text[hit.start : hit.end])[-1] <= hit.errors
        data = [part.encode("utf-8", "surrogatepass") for part in (pattern, text)]
        of_bytes = carrywave.search(data[0], data[1], k, ends="all")
        assert [(hit.end, hit.errors) for hit in of_bytes] == [
            (end, errors) for end, errors in enumerate(ends(data[0], data[1])) if errors <= k and end > 0
        ]
        if text:
            best = carrywave.best(pattern, text)
            assert best.distance == min(ends(pattern, text)) == carrywave.distance(pattern, text, mode="infix")


@pytest.mark.parametrize("kinds", [10, 300, int(os.environ.get("CARRYWAVE_KINDS", 1000))])
def test_lists_of_any_number_of_kinds(kinds):
    chooser = random.Random(kinds)
    letters = [chr(0x4E00 + number) for number in range(kinds)]
    names = list({"".join(chooser.choices(letters, k=3 + number % 3)) for number in range(min(kinds, 500))})
    texts = ["".join(chooser.choices(letters, k=5)) + chooser.choice(names)[1:] + "ab" + chooser.choice(names) for _ in range(5)]
    expected = {
        (record, end, number, errors)
        for record, text in enumerate(texts)
        for number, name in enumerate(names)
        for end, errors in oracles.ends(name, text, 1).items()
        if end > 0
    }
    searcher = carrywave.Searcher(names, 1, ends="all")
    assert len(searcher) == len(names)
    hits = searcher.hits(texts)
    assert {(hit.record, hit.end, hit.pattern, hit.errors) for hit in hits} == expected
    assert len(hits) == len(expected) == searcher.count(texts)
    assert list(hits) == sorted(hits, key=lambda hit: (hit.record, hit.start, hit.end, hit.pattern))
    # One text, a progress bar, and lists of other types give the same hits.
    done = []
    assert len(carrywave.search(names, texts[0], 1, ends="all", progress=lambda *now: done.append(now))) == sum(e[0] == 0 for e in expected)
    assert done == [] or done[-1][0] == done[-1][1]
    assert list(searcher.hits(tuple(texts))) == list(searcher.hits([*texts])) == list(hits)
    few = [carrywave.Searcher(name, 1) for name in names[:5]]
    alone = sorted((hit.start, hit.end, number) for number, own in enumerate(few) for hit in own.hits(texts[0]))
    together = carrywave.search(names, texts[0], 1)
    assert [(hit.start, hit.end, hit.pattern) for hit in together if hit.pattern < 5] == alone


def test_one_pattern_of_many_kinds():
    letters = "".join(chr(0x4E00 + number) for number in range(300))
    ascii = "".join(map(chr, range(128)))
    for count in (127, 128, 200):
        pattern = letters[:count]
        hits = carrywave.search(pattern, ascii + pattern[:60] + "x" + pattern[61:] + ascii, 1)
        assert [(hit.start, hit.end, hit.errors) for hit in hits] == [(128, 128 + count, 1)]
        best = carrywave.best(pattern, ascii + pattern[:60] + pattern[61:])
        assert (best.distance, best.start, best.end) == (1, 128, 127 + count)
        hits = carrywave.search(["ab", pattern], [ascii, None, pattern], 0)
        assert [(hit.record, hit.pattern) for hit in hits] == [(0, 0), (2, 1)]
    # With 300 distinct characters in the pattern, several share a code.
    text = letters[::-1] + letters[:70] + letters[71:] + letters[1:]
    for k in range(1, 4):
        hits = carrywave.search(["abcdef", letters], text, k, ends="all")
        assert [(hit.pattern, hit.end, hit.errors) for hit in hits] == [(1, *end) for end in oracles.ends(letters, text, k).items()]
        assert [(hit.record, hit.end) for hit in carrywave.search(letters, [text[300:599], letters], k)] == [(0, 299), (1, 300)]
    best = carrywave.best(letters, text)
    assert best[:3] == (1, 300, 599) and best.cigar == "70=1I229="
    simt = carrywave.ResidentText(carrywave.Simt(), "Muller Miller")
    assert [hit.start for hit in carrywave.search(["Müller", *letters], simt, 0)] == []
    assert [hit.start for hit in carrywave.search(["Müller", *(3 * letter for letter in letters)], simt, 1)] == [0, 7]
    with pytest.raises(ValueError, match="127"):
        carrywave.search(letters[:200], simt)


def test_surrogates_that_stand_alone():
    assert [hit.start for hit in carrywave.search("\ud800", "a\ud801\ufffd\ud800")] == [3]
    hits = carrywave.search(["é\udc80", "\udc81b"], ["é\udc80", None, "ab", "\udc81b", "e\udc80"], 0)
    assert [(hit.record, hit.pattern) for hit in hits] == [(0, 0), (3, 1)]
    assert carrywave.search("A\udcff", "xa\udcff", ignore_case=True)[0].start == 1
    assert carrywave.best("w\udcffve", "a w\udcfeve")[:3] == (1, 2, 6)
    assert carrywave.best("wave", "a w\udcffve").cigar == "1=1X2="
    assert len(carrywave.search("\U000e0400", "a\U000e0400")) == 1
    for pattern, text in (("\U000e0400", "\ud800"), ("\ud800", "\U000e0400"), ("\ud800\U000e0400", "a"), (["\ud800", "\U000e0400"], "a")):
        with pytest.raises(ValueError, match="surrogates"):
            carrywave.search(pattern, text)
    with pytest.raises(ValueError, match="ASCII"):
        carrywave.search("ACGT", "ACGT\ud800", alphabet="dna")


@pytest.mark.parametrize("unit", ["character", "grapheme", "word", "line"])
def test_differences_of_surrogates(unit):
    a, b = "one \ud800 wave\n", "one \udfff\udcff wave\n"
    diff = carrywave.diff(a, b, unit=unit)
    place = {"character": [4, 5, 4, 6], "grapheme": [4, 5, 4, 6], "word": [2, 3, 2, 4], "line": [0, 1, 0, 1]}[unit]
    assert diff.changes.tolist() == [place]
    told = diff.marked()
    assert "\ud800" in told and "\udfff\udcff" in told
    if unit == "line":
        assert diff.unified() == f"--- a\n+++ b\n@@ -1 +1 @@\n-{a}+{b}"
    assert len(carrywave.diff(a, a, unit=unit)) == 0
    if unit == "line":
        assert carrywave.diff("a\n", "b\n").unified("\udcff", "é") == "--- \udcff\n+++ é\n@@ -1 +1 @@\n-a\n+b\n"
        assert carrywave.diff(b"a\n", b"b\n").unified("\udcff", "é") == b"--- \xff\n+++ \xc3\xa9\n@@ -1 +1 @@\n-a\n+b\n"
    with pytest.raises(ValueError, match="surrogates"):
        carrywave.diff("\ud800", "\U000e0400")


def test_many_texts_each_on_its_own():
    chooser = random.Random(2)
    texts = ["".join(chooser.choices("abcd", k=chooser.randrange(30))) for _ in range(200)]
    searcher = carrywave.Searcher(["abca", "dd"], 1)
    hits = searcher.hits(texts)
    expected = [(number, hit) for number, text in enumerate(texts) for hit in searcher.hits(text)]
    assert [hit for hit in hits] == [hit._replace(record=number) for number, hit in expected]
    assert searcher.count(texts) == len(hits) == len(hits.columns()["errors"])
    assert list(hits[2:5]) == list(hits)[2:5] and hits[-1] == list(hits)[-1]
    with pytest.raises(IndexError):
        hits[len(hits)]


def test_both_strands_and_positions_that_must_match():
    text = b"AAAGATTACATTTTGTAATCAAA"
    hits = carrywave.search(b"GATTACA", text, alphabet="dna", both_strands=True)
    assert [(hit.start, hit.end, hit.strand) for hit in hits] == [(3, 10, 1), (13, 20, -1)]
    assert [hit.strand for hit in hits] == hits.strand.tolist()
    assert len(carrywave.search(b"GATTACC", text, substitutions=1, alphabet="dna", fixed=[6])) == 0
    assert len(carrywave.search(b"GATTACC", text, substitutions=1, alphabet="dna", fixed=[0])) == 1


def test_patterns_and_texts_of_all_kinds():
    assert len(carrywave.search(bytearray(b"wave"), memoryview(b"a wave"))) == 1
    # The items of these objects differ from those of bytes; a text takes their bytes.
    for text in (ctypes.create_string_buffer(b"a wave"), memoryview(b"a wave").cast("c"), memoryview(b"a wave").cast("b")):
        assert carrywave.search(b"wave", text)[0].start == 2
    assert len(carrywave.Searcher(word for word in ("a", "wave"))) == 2
    with pytest.raises(TypeError):
        carrywave.search("wave", b"a wave")
    with pytest.raises(TypeError):
        carrywave.Searcher([b"bytes"]).hits(["text", None])
    for wrong in (dict(k=9), dict(k=1, percent=10), dict(alphabet="runes"), dict(both_strands=True), dict(fixed=[7]), dict(ends="some")):
        with pytest.raises(ValueError):
            carrywave.Searcher("wave", **wrong)
    with pytest.raises(ValueError):
        carrywave.Searcher("")
    with pytest.raises(ValueError):
        carrywave.Searcher([])


def test_files(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_bytes(b"one\ntwo\n")
    assert [record.symbols for record in carrywave.read(path)] == [b"one", b"two"]
    with pytest.raises(FileNotFoundError):
        carrywave.read(tmp_path / "none")


def test_reads_of_several_lines_and_fasta_with_comments(tmp_path):
    path = tmp_path / "reads"
    path.write_bytes(b"\n@r1 a\nACGT\nAC\n+r1 a\n@II\n+II\n@r2\n\n+\n\n@r3\r\nGG\r\n+\r\nII")
    records = [(record.name, record.symbols) for record in carrywave.read(path)]
    assert records == [("r1", b"ACGTAC"), ("r2", b""), ("r3", b"GG")]
    path.write_bytes(gzip.compress(gzip.compress(b"; by hand\n>a\n;x\nAC\nGT\n")))
    assert [(record.name, record.symbols) for record in carrywave.read(path)] == [("a", b"ACGT")]
    path.write_bytes(b"@r1\nACGT\nAC\n+\nIIIIIII\n")
    with pytest.raises(OSError, match="reads: the FASTQ record at line 1 has 6 symbols"):
        carrywave.read(path)


def test_ends_of_texts():
    texts = ["carry a wave", "a wave of wa", "avewa"]
    found = carrywave.search("wave", texts, overhang=0, min_overlap=2)
    assert [(hit.record, hit.start, hit.end) for hit in found] == [(0, 8, 12), (1, 2, 6), (1, 10, 12), (2, 0, 3), (2, 3, 5)]
    assert [hit.beyond for hit in found] == [(0, 0), (0, 0), (0, 2), (1, 0), (0, 2)]
    assert found.columns()["beyond_end"].tolist() == found.beyond[:, 1].tolist() == [0, 0, 2, 0, 2]
    for hit in found:
        before, after = hit.beyond
        assert texts[hit.record][hit.start : hit.end] == "wave"[before : 4 - after]
    assert [hit.record for hit in carrywave.search("wave", texts, anchor="end")] == [0]
    assert carrywave.Searcher(["carry", "avew"], anchor="start", k=1).count(texts) == 2
    assert carrywave.search(b"wave", b"vewa", circular=True)[0].end == 6
    assert len(carrywave.search("wave", "a wve", k=1, gap_cost=2)) == 0
    for wrong in ({"min_overlap": 2}, {"overhang": 2.0}, {"overhang": 0, "circular": True}, {"gap_cost": 0}):
        with pytest.raises(ValueError):
            carrywave.search(b"wave", b"wave", **wrong)


def test_transpositions():
    generator = random.Random(5)
    for _ in range(50):
        pattern = "".join(generator.choice("abcé") for _ in range(generator.randrange(3, 9)))
        text = "".join(generator.choice("abcé") for _ in range(30)) + oracles.mutated(generator, pattern, 1, "abcé")
        found = carrywave.search(pattern, text, k=1, transpositions=True, ends="all")
        ends = {end: min(oracles.osa(pattern, text[start:end]) for start in range(end + 1)) for end in range(1, len(text) + 1)}
        assert dict(zip(found.end.tolist(), found.errors.tolist(), strict=True)) == {end: k for end, k in ends.items() if k <= 1}
        assert all(oracles.osa(pattern, text[hit.start : hit.end]) == hit.errors for hit in found)
    with pytest.raises(ValueError, match="too few for 2 errors"):
        carrywave.search("abcd", "abcd", k=2, transpositions=True)
