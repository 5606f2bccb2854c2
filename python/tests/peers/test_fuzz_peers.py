"""Compares `carrywave.compat` with rapidfuzz and edlib on random strings.

    CARRYWAVE_FUZZ_PAIRS=1000000 pytest python/tests/peers/test_fuzz_peers.py

| variable | meaning | default |
|---|---|---|
| CARRYWAVE_FUZZ_PAIRS | pairs of strings for each test | 2,000 |
| CARRYWAVE_FUZZ_SEED | seed of all tests | 1 |
| CARRYWAVE_FUZZ_FIRST | number of the first pair; with the seed and number of a failure and PAIRS=1, only that pair runs | 0 |
| CARRYWAVE_FUZZ_EXACT | 1: edit operations and cigars must be equal, not only in cost; cutoffs may equal the score | 0 |
| CARRYWAVE_PEER | peer: compares the peers with themselves and with dynamic programming, to test these tests | |
"""

from __future__ import annotations

import os
import random
from typing import Any, Callable, Iterator

import pytest

from alignments import check_path, cigar_of, edlib_path, infix_ends, infix_start, lcs_editops, levenshtein_editops
from peer import AGAINST_PEER, is_missing, short, under_test

PAIRS = int(os.environ.get("CARRYWAVE_FUZZ_PAIRS", "2000"))
SEED = int(os.environ.get("CARRYWAVE_FUZZ_SEED", "1"))
FIRST = int(os.environ.get("CARRYWAVE_FUZZ_FIRST", "0"))
EXACT = os.environ.get("CARRYWAVE_FUZZ_EXACT") == "1"

# Metrics with edit operations.
METRICS = ("Levenshtein", "Indel", "LCSseq")
SHARES = ("Jaro", "JaroWinkler")
ALL_METRICS = (*METRICS, "Hamming", "OSA", "DamerauLevenshtein", "Prefix", "Postfix", *SHARES)
RATIOS = (
    "ratio", "QRatio", "WRatio", "partial_ratio", "token_ratio", "token_set_ratio", "token_sort_ratio", "partial_token_ratio",
    "partial_token_set_ratio", "partial_token_sort_ratio",
)  # fmt: skip
FUNCTIONS = ("distance", "similarity", "normalized_distance", "normalized_similarity")
WEIGHTS = [(1, 1, 2), (1, 1, 0), (1, 1, 1), (2, 2, 3), (3, 3, 3), (2, 2, 4), (1, 2, 1), (1, 1, 5), (3, 7, 5), (0, 1, 1)]

# Alphabets of strings: of several sizes, with white space, and last with characters of every plane
# and halves of surrogate pairs.
ALPHABETS = [[chr(97 + i) for i in range(size)] for size in (1, 2, 4, 26)]
ALPHABETS += [[chr(i) for i in range(size)] for size in (256, 300, 5000)]
ALPHABETS += [list("ab c "), list("word \u0085\u00a0\t "), list("wave \u4e2d\u2003\u0085"), list("\U0001f600\U0001f601 é")]
ALPHABETS += [[chr(i) for i in (*range(0, 0xD800, 997), *range(0xD800, 0xE000, 97), *range(0x10000, 0x110000, 7919))]]


@pytest.fixture(scope="module")
def rapidfuzz():
    return under_test("rapidfuzz")


@pytest.fixture(scope="module")
def peer_rapidfuzz():
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, to compare with, is not installed")
    import rapidfuzz
    import rapidfuzz.distance
    import rapidfuzz.fuzz
    import rapidfuzz.process
    import rapidfuzz.utils

    return rapidfuzz


@pytest.fixture(scope="module")
def edlib():
    return under_test("edlib")


@pytest.fixture(scope="module")
def peer_edlib():
    return pytest.importorskip("edlib", reason="edlib, to compare with, is not installed")


class Record:
    """A user-defined symbol: hashable, and only equal to itself."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __hash__(self) -> int:
        return hash(("record", self.number))

    def __repr__(self) -> str:
        return f"Record({self.number})"


# Functions from numbers to symbols of lists. -1 and -2 have the same hash in CPython, and rapidfuzz
# compares a string of one character by its code point.
SYMBOLS: list[Callable[[int], Any]] = [
    lambda n: n,
    lambda n: -1 - n,
    lambda n: n * (2**61 - 3),
    lambda n: n / 4,
    lambda n: f"word{n}",
    lambda n: (n, "x"),
    lambda n: chr(97 + n % 26) if n % 2 else 97 + n % 26,
    lambda n: None if n == 0 else bytes([n % 256]) * 2,
    Record,
]


def rounds(test: str) -> Iterator[tuple[random.Random, str]]:
    """Yields a generator and a label for each pair, by the seed, the test and the number."""
    for number in range(FIRST, FIRST + PAIRS):
        yield random.Random(f"{SEED} {test} {number}"), f"{test}: seed {SEED}, pair {number}"


def length(random_: random.Random) -> int:
    kind = random_.random()
    if kind < 0.3:
        return random_.randrange(9)
    if kind < 0.4:
        return random_.choice((31, 32, 33, 63, 64, 65, 127, 128, 129))
    if kind < 0.8:
        return random_.randrange(70)
    if kind < 0.998:
        return random_.randrange(301)
    return 2000


def changed(random_: random.Random, symbols: list, alphabet: list) -> list:
    """Returns the symbols after a few or many edits, or a part of them."""
    symbols = list(symbols)
    if random_.random() < 0.1:
        start = random_.randrange(len(symbols) + 1)
        return symbols[start : random_.randrange(start, len(symbols) + 1)]
    for _ in range(int(len(symbols) * random_.choice((0, 0.02, 0.1, 0.3))) + random_.randrange(4)):
        position = random_.randrange(len(symbols) + 1)
        kind = random_.randrange(3)
        if kind == 0:
            symbols.insert(position, random_.choice(alphabet))
        elif kind == 1:
            del symbols[position : position + 1]
        else:
            symbols[position : position + 1] = [random_.choice(alphabet)]
    return symbols


def two_lists(random_: random.Random, alphabet: list) -> tuple[list, list]:
    """Returns two lists of symbols: similar in most cases, otherwise unrelated."""
    first = random_.choices(alphabet, k=length(random_))
    if random_.random() < 0.7:
        second = changed(random_, first, alphabet)
    else:
        second = random_.choices(alphabet, k=length(random_))
    return (first, second) if random_.random() < 0.5 else (second, first)


def strings(random_: random.Random) -> tuple[str, str]:
    first, second = two_lists(random_, random_.choice(ALPHABETS))
    return "".join(first), "".join(second)


def fits(text: str) -> bool:
    return all(ord(symbol) < 256 for symbol in text)


def sequences(random_: random.Random) -> tuple[Any, Any]:
    """Returns two sequences: strings, bytes, or lists of hashable items, also of two types."""
    kind = random_.random()
    if kind < 0.6:
        return strings(random_)
    if kind < 0.8:
        pair = []
        for text in strings(random_):
            form = random_.randrange(5)
            if form < 2 and fits(text):
                text = (bytes, bytearray)[form](map(ord, text))
            elif form == 2:
                text = [ord(symbol) for symbol in text]
            elif form == 3:
                text = list(text)
            pair.append(text)
        return pair[0], pair[1]
    make = random_.choice(SYMBOLS)
    first, second = two_lists(random_, [make(n) for n in range(random_.choice((1, 2, 4, 26, 300)))])
    return (tuple(first) if random_.random() < 0.2 else first), second


def outcome(call: Callable, *arguments: Any, **keywords: Any) -> tuple[str, Any]:
    """Returns the value of a call, or the type of its error."""
    try:
        return "value", call(*arguments, **keywords)
    except Exception as error:
        return "error", type(error)


def lower(sequence: Any) -> Any:
    return sequence.lower() if hasattr(sequence, "lower") else sequence


def reverse(sequence: Any) -> Any:
    return sequence[::-1]


def top_of(metric: str, function: str) -> float:
    """Returns the greatest score: 0 for whole numbers."""
    if metric == "fuzz":
        return 100.0
    return 0.0 if metric not in SHARES and function in ("distance", "similarity") else 1.0


def a_cutoff(random_: random.Random, score: Any, top: float) -> Any:
    """Returns a cutoff of a scorer, often near the score."""
    if top == 0.0:
        return max(0, score + random_.choice((-2, -1, 0, 1, 2, 10, -10, 1000)))
    if EXACT and random_.random() < 0.3:
        return score
    # rapidfuzz rounds a cutoff to a 32-bit float; multiples of 1/256 are exact.
    near = round(score / top * 256) + random_.choice((-60, -2, -1, 0, 1, 2, 60))
    return min(256, max(0, near)) / 256 * top


def keywords_of(random_: random.Random, metric: str, function: str) -> dict[str, Any]:
    keywords: dict[str, Any] = {}
    if random_.random() < 0.1:
        keywords["processor"] = random_.choice((lower, reverse, None))
    if metric == "Levenshtein" and random_.random() < 0.3:
        keywords["weights"] = random_.choice((*WEIGHTS, None))
    if metric == "Hamming" and random_.random() < 0.3:
        keywords["pad"] = random_.choice((True, False))
    if metric == "JaroWinkler" and random_.random() < 0.3:
        keywords["prefix_weight"] = random_.choice((0.0, 0.1, 0.25, 1 / 3, 1.0))
    return keywords


def test_scores(rapidfuzz, peer_rapidfuzz):
    contradictions = 0
    for random_, where in rounds("scores"):
        metric, function = named_scorer(random_)
        ours, theirs = (a_scorer(m, metric, function) for m in (rapidfuzz, peer_rapidfuzz))
        s1, s2 = sequences(random_)
        missing = random_.random()
        if missing < 0.02:
            s1 = random_.choice((None, float("nan")))
        if 0.01 < missing < 0.03:
            s2 = random_.choice((None, float("nan"), 1))
        keywords = keywords_of(random_, metric, function)
        expected = outcome(theirs, s1, s2, **keywords)
        if expected[0] == "value" and random_.random() < 0.5:
            keywords["score_cutoff"] = a_cutoff(random_, expected[1], top_of(metric, function))
            if metric == "Levenshtein" and random_.random() < 0.5:
                keywords["score_hint"] = a_cutoff(random_, expected[1], top_of(metric, function))
            expected = outcome(theirs, s1, s2, **keywords)
        found = outcome(ours, s1, s2, **keywords)
        if found != expected and "score_cutoff" in keywords:
            # If the score equals the cutoff, rapidfuzz 3.14.6 sometimes treats it as beyond the
            # cutoff: about once in 300,000 pairs.
            without = {name: value for name, value in keywords.items() if name not in ("score_cutoff", "score_hint")}
            if found == outcome(theirs, s1, s2, **without):
                contradictions += 1
                assert contradictions < 5, f"{where}: rapidfuzz contradicts itself too often to be true"
                continue
        same_type = type(found[1]) is type(expected[1]) or is_missing(s1) or is_missing(s2)
        assert found == expected and same_type, (
            f"{where}: {metric}.{function}({s1!r}, {s2!r}, **{keywords!r}) is {found[1]!r}, not {expected[1]!r}"
        )


def plain(sequence: Any) -> list:
    """Returns the symbols as numbers that are equal if rapidfuzz takes the symbols for equal."""
    return [
        ord(symbol) if isinstance(symbol, str) and len(symbol) == 1 else -1 if symbol == -1 else hash(symbol)
        for symbol in sequence
    ]


def test_edit_operations(rapidfuzz, peer_rapidfuzz):
    for random_, where in rounds("edit operations"):
        metric = random_.choice(METRICS)
        ours, theirs = (getattr(m.distance, metric) for m in (rapidfuzz, peer_rapidfuzz))
        s1, s2 = sequences(random_)
        keywords: dict[str, Any] = {}
        if random_.random() < 0.1:
            keywords["processor"] = random_.choice((lower, reverse, None))
        if metric == "Levenshtein" and random_.random() < 0.3:
            keywords["score_hint"] = random_.randrange(100)
        found, expected = ours.editops(s1, s2, **keywords), theirs.editops(s1, s2, **keywords)
        blocks = ours.opcodes(s1, s2, **keywords)
        call = f"{where}: {metric}.editops({s1!r}, {s2!r}, **{keywords!r})"
        process = keywords.get("processor") or (lambda sequence: sequence)
        s1, s2 = process(s1), process(s2)  # lower() may turn one letter into two
        assert (found.src_len, found.dest_len) == (len(s1), len(s2)), call
        assert blocks == found.as_opcodes() and blocks.as_editops() == found, call
        operations = found.as_list()
        assert len(operations) == len(expected), f"{call} has {len(operations)}, not {len(expected)}: {operations}"
        # The operations are valid, and turn s1 into s2.
        assert rapidfuzz.distance.Editops(operations, len(s1), len(s2)) == found, call
        a, b = plain(s1), plain(s2)
        if metric != "Levenshtein":
            assert all(tag != "replace" for tag, _, _ in operations), call
        result: list = []
        for tag, start, end, b_start, b_end in blocks.as_list():
            if tag == "equal":
                assert a[start:end] == b[b_start:b_end], f"{call}: {blocks}"
            result += a[start:end] if tag == "equal" else b[b_start:b_end]
        assert result == b, f"{call}: {operations}"
        if isinstance(s1, str) and isinstance(s2, str):
            assert found.apply(s1, s2) == s2, call
        if EXACT:
            assert operations == expected.as_list(), f"{call} is {operations}, not {expected.as_list()}"


def test_alignments_of_parts(rapidfuzz, peer_rapidfuzz):
    for random_, where in rounds("alignments of parts"):
        s1, s2 = sequences(random_)
        keywords: dict[str, Any] = {}
        if random_.random() < 0.3:
            keywords["score_cutoff"] = random_.choice((0, 20, 50, 80, 100))
        found, expected = (m.fuzz.partial_ratio_alignment(s1, s2, **keywords) for m in (rapidfuzz, peer_rapidfuzz))
        result, wanted = (one and (one.score, one.src_start, one.src_end, one.dest_start, one.dest_end) for one in (found, expected))
        assert result == wanted, f"{where}: partial_ratio_alignment({s1!r}, {s2!r}, **{keywords!r}) is {found!r}, not {expected!r}"


def test_operations_of_hamming(rapidfuzz, peer_rapidfuzz):
    for random_, where in rounds("operations of Hamming"):
        s1, s2 = sequences(random_)
        keywords = {"pad": random_.choice((True, False))} if random_.random() < 0.3 else {}
        for name in ("editops", "opcodes"):
            results = [outcome(getattr(m.distance.Hamming, name), s1, s2, **keywords) for m in (rapidfuzz, peer_rapidfuzz)]
            found, expected = ((kind, value if kind == "error" else value.as_list()) for kind, value in results)
            assert found == expected, f"{where}: Hamming.{name}({s1!r}, {s2!r}, **{keywords!r})"


def test_processor(rapidfuzz, peer_rapidfuzz):
    ours, theirs = (module.utils.default_process for module in (rapidfuzz, peer_rapidfuzz))
    if FIRST == 0:
        for number in range(0x110000):
            text = f"A{chr(number)}b"
            assert ours(text) == theirs(text), hex(number)
    for random_, where in rounds("processor"):
        text = strings(random_)[0]
        assert ours(text) == theirs(text), f"{where}: {text!r}"


def a_list(random_: random.Random) -> list:
    """Returns up to 11 strings, some of them similar and some missing."""
    alphabet = random_.choice(ALPHABETS)
    first = random_.choices(alphabet, k=min(length(random_), 300))
    made = []
    for _ in range(random_.randrange(12)):
        kind = random_.random()
        if kind < 0.05:
            made.append(random_.choice((None, float("nan"))))
        elif kind < 0.7:
            made.append("".join(changed(random_, first, alphabet)))
        elif kind < 0.75 and made:
            made.append(made[-1])
        else:
            made.append("".join(random_.choices(alphabet, k=random_.randrange(80))))
    return made


def named_scorer(random_: random.Random) -> tuple[str, str]:
    if random_.random() < 0.3:
        return "fuzz", random_.choice(RATIOS)
    return random_.choice(ALL_METRICS), random_.choice(FUNCTIONS)


def process_keywords(random_: random.Random, metric: str, function: str) -> dict[str, Any]:
    keywords: dict[str, Any] = {}
    if random_.random() < 0.1:
        keywords["processor"] = random_.choice((str.lower, reverse, None))
    if metric == "Levenshtein" and random_.random() < 0.2:
        keywords["scorer_kwargs"] = {"weights": random_.choice(WEIGHTS)}
    if random_.random() < 0.4:
        top = top_of(metric, function)
        score = random_.randrange(100) if top == 0.0 else random_.random() * top
        keywords["score_cutoff"] = a_cutoff(random_, score, top)
    return keywords


def a_scorer(module: Any, metric: str, function: str) -> Callable:
    return getattr(module.fuzz if metric == "fuzz" else getattr(module.distance, metric), function)


def test_extract(rapidfuzz, peer_rapidfuzz):
    """Compares extract, extractOne and extract_iter. Each list of choices counts as one pair."""
    for random_, where in rounds("extract"):
        metric, function = named_scorer(random_)
        keywords = process_keywords(random_, metric, function)
        choices: Any = a_list(random_)
        query = random_.choice(choices) if choices and random_.random() < 0.7 else "".join(strings(random_)[0][:300])
        if random_.random() < 0.2:
            choices = {f"key {i}": choice for i, choice in enumerate(choices)}
        name = random_.choice(("extract", "extractOne", "extract_iter"))
        if name == "extract" and random_.random() < 0.7:
            keywords["limit"] = random_.choice((None, 0, 1, 2, 3, 100))
        results = []
        for module in (rapidfuzz, peer_rapidfuzz):
            call = getattr(module.process, name)
            if name == "extract_iter":
                call = lambda *arguments, call=call, **kept: list(call(*arguments, **kept))  # noqa: E731
            results.append(outcome(call, query, choices, scorer=a_scorer(module, metric, function), **keywords))
        found, expected = results
        assert found == expected, (
            f"{where}: process.{name}({query!r}, {choices!r}, scorer={metric}.{function}, **{keywords!r}) is "
            f"{found[1]!r}, not {expected[1]!r}"
        )


def test_tables(rapidfuzz, peer_rapidfuzz):
    """Compares cdist and cpdist. Each table counts as one pair."""
    numpy = pytest.importorskip("numpy", reason="numpy, for tables, is not installed")
    for random_, where in rounds("tables"):
        metric, function = named_scorer(random_)
        keywords = process_keywords(random_, metric, function)
        # Missing queries are last: rapidfuzz 3.14.6 leaves their row unset if other queries follow.
        queries = sorted(a_list(random_), key=is_missing)
        kind = random_.random()
        choices = queries if kind < 0.3 else a_list(random_) if kind < 0.6 else queries[::-1]
        name = random_.choice(("cdist", "cpdist"))
        if random_.random() < 0.3:
            kinds = ("uint8", "int8", "uint16", "int16", "int32", "uint32", "int64", "uint64", "float32", "float64")
            keywords["dtype"] = random_.choice(kinds)
        if random_.random() < 0.2:
            whole = top_of(metric, function) == 0.0
            keywords["score_multiplier"] = random_.choice((2, 3, 255)) if whole else random_.choice((2, 0.5, 100, 255))
        if random_.random() < 0.2:
            keywords["workers"] = random_.choice((1, 2, -1))
        if top_of(metric, function) > 0.0:
            # In rapidfuzz, a value outside the range of the dtype is undefined.
            if keywords.get("dtype") in ("int8", "uint8") and keywords.get("score_multiplier", 1) != 1:
                del keywords["dtype"]
        found, expected = (
            outcome(getattr(m.process, name), queries, choices, scorer=a_scorer(m, metric, function), **keywords)
            for m in (rapidfuzz, peer_rapidfuzz)
        )
        call = f"{where}: process.{name}({queries!r}, {choices!r}, scorer={metric}.{function}, **{keywords!r})"
        assert found[0] == expected[0], f"{call} is {found[1]!r}, not {expected[1]!r}"
        if found[0] == "error":
            assert found == expected, f"{call} raises {found[1]!r}, not {expected[1]!r}"
        else:
            ours, theirs = found[1], expected[1]
            assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, call
            assert numpy.array_equal(ours, theirs), f"{call} is {ours!r}, not {theirs!r}"


@pytest.mark.parametrize("metric, function", [("fuzz", ratio) for ratio in RATIOS] + [(metric, f) for metric in ALL_METRICS for f in FUNCTIONS[:2]])
def test_each_scorer(rapidfuzz, peer_rapidfuzz, pairs, metric, function):
    """Compares each scorer on the same pairs of text, all at once."""
    numpy = pytest.importorskip("numpy", reason="numpy, for tables, is not installed")
    a, b = pairs
    dtype = numpy.float64 if top_of(metric, function) > 0.0 else numpy.uint32
    found, expected = (
        m.process.cpdist(a, b, scorer=a_scorer(m, metric, function), dtype=dtype, workers=-1)
        for m in (rapidfuzz, peer_rapidfuzz)
    )
    for number in numpy.flatnonzero(found != expected)[:1]:
        pytest.fail(f"{metric}.{function}({a[number]!r}, {b[number]!r}) is {found[number]}, not {expected[number]}")


@pytest.fixture(scope="module")
def pairs():
    made = [strings(random_) for random_, _ in rounds("each scorer")]
    return [a for a, _ in made], [b for _, b in made]


def align_input(random_: random.Random) -> tuple[Any, Any, Any]:
    """Returns a query, a target and equalities for edlib: at most 256 different symbols."""
    kind = random_.random()
    alphabet: list
    if kind < 0.6:
        alphabet = random_.choice(ALPHABETS[:4])
    elif kind < 0.8:
        alphabet = [chr(i) for i in range(256)]
    elif kind < 0.9:
        alphabet = random_.sample([symbol for symbol in ALPHABETS[-1] if not 0xD800 <= ord(symbol) < 0xE000], 100)
    else:
        make = random_.choice(SYMBOLS[:6])
        alphabet = [make(n) for n in range(random_.choice((1, 2, 4, 26, 100)))]
    query, target = two_lists(random_, alphabet)
    if random_.random() < 0.3:  # surround the target with unrelated symbols
        target = random_.choices(alphabet, k=length(random_)) + target + random_.choices(alphabet, k=length(random_))
    equalities = None
    if random_.random() < 0.3 and len(alphabet) <= 100:
        equalities = [tuple(random_.choices(alphabet, k=2)) for _ in range(random_.randrange(6))]
    if kind < 0.9:
        query, target = "".join(query), "".join(target)  # type: ignore[assignment]
        if kind < 0.5 and random_.random() < 0.3:
            query, target = query.encode(), target.encode()  # type: ignore[attr-defined]
    return query, target, equalities


def test_align(edlib, peer_edlib):
    for random_, where in rounds("align"):
        query, target, equalities = align_input(random_)
        mode, task = random_.choice(("NW", "HW", "SHW")), random_.choice(("distance", "locations", "path", "path"))
        k = random_.choice((-1, -1, -1, 0, 1, 5, 20, 64, 100, 300))
        keywords = {"mode": mode, "task": task, "k": k, "additionalEqualities": equalities}
        found, expected = (outcome(m.align, query, target, **keywords) for m in (edlib, peer_edlib))
        call = f"{where}: align({query!r}, {target!r}, **{keywords!r})"
        assert found[0] == expected[0], f"{call} is {found[1]!r}, not {expected[1]!r}"
        if found[0] == "error":
            assert found == expected, call
            continue
        ours, theirs = found[1], expected[1]
        assert {**ours, "cigar": None} == {**theirs, "cigar": None}, f"{call} is {ours!r}, not {theirs!r}"
        assert (ours["cigar"] is None) == (theirs["cigar"] is None), f"{call} is {ours!r}, not {theirs!r}"
        if ours["cigar"] is not None:
            try:
                check_path(query, target, mode, ours, equalities)
            except AssertionError as error:
                raise AssertionError(f"{call} has the cigar {ours['cigar']}: {error}") from None
            if isinstance(query, str):
                nice = [m.getNiceAlignment(ours, query, target) for m in (edlib, peer_edlib)]
                assert nice[0] == nice[1], call
        if EXACT and not equalities:
            assert ours == theirs, f"{call} is {ours!r}, not {theirs!r}"


# The following tests compare alignments.py with the peers' choice among paths of the least cost.
# They do not use carrywave.


def test_the_rule_of_rapidfuzz(peer_rapidfuzz):
    for random_, where in rounds("rule of rapidfuzz"):
        if int(where.split()[-1]) >= FIRST + 300:
            break
        s1, s2 = (text[:200] for text in strings(random_))
        distance = peer_rapidfuzz.distance
        expected = levenshtein_editops(s1, s2)
        for hint in (None, 0, 40):  # with a hint, rapidfuzz may store only a band
            found = distance.Levenshtein.editops(s1, s2, score_hint=hint)
            assert found.as_list() == expected, f"{where}: {s1!r} {s2!r} {hint}"
        for metric in (distance.Indel, distance.LCSseq):
            assert metric.editops(s1, s2).as_list() == lcs_editops(s1, s2), f"{where}: {s1!r} {s2!r}"


def test_the_rule_of_edlib(peer_edlib):
    for random_, where in rounds("rule of edlib"):
        if int(where.split()[-1]) >= FIRST + 300:
            break
        query, target, equalities = align_input(random_)
        query, target = query[:200], target[:200]
        if not query or not target:
            continue
        mode = random_.choice(("NW", "HW", "SHW"))
        result = peer_edlib.align(query, target, mode=mode, task="path", additionalEqualities=equalities)
        call = f"{where}: {mode} {query!r} {target!r} {equalities!r}"
        ends = [end for _, end in result["locations"]]
        assert (result["editDistance"], ends) == infix_ends(query, target, mode, equalities), call
        for start, end in result["locations"][:3]:
            assert start == infix_start(query, target, mode, result["editDistance"], end, equalities), call
        if isinstance(query, bytes) and equalities:
            query, target = query.decode(), target.decode()
        equal = None
        if equalities:
            both = {*equalities, *((b, a) for a, b in equalities)}
            equal = lambda a, b, both=both: a == b or (a, b) in both  # noqa: E731
        start, end = result["locations"][0]
        assert result["cigar"] == cigar_of(edlib_path(query, target[start : end + 1], equal)), call


def test_the_rule_of_edlib_for_large_tables(peer_edlib):
    """Checks a table of more than 1 MiB, which edlib splits."""
    random_ = random.Random(SEED)
    query = "".join(random_.choices("ab", k=700))
    target = "".join(changed(random_, query * 7, list("ab")))[:4900]
    result = peer_edlib.align(query, target, mode="NW", task="path")
    assert result["cigar"] == cigar_of(edlib_path(query, target)), f"seed {SEED}"


@pytest.mark.skipif(not AGAINST_PEER, reason="ten seconds of dynamic programming: with CARRYWAVE_PEER=peer")
@pytest.mark.parametrize(("length_", "alphabet"), [(2500, "ab"), (2500, "abcd"), (700, "abc")])
def test_the_rule_of_rapidfuzz_for_large_tables(peer_rapidfuzz, length_, alphabet):
    random_ = random.Random(f"{SEED} {length_} {alphabet}")
    s1 = "".join(random_.choices(alphabet, k=length_))
    s2 = "".join(changed(random_, list(s1 * (1 + 4000 // length_)), list(alphabet)))[: 6_000_000 // length_]
    levenshtein, indel = (getattr(peer_rapidfuzz.distance, metric) for metric in ("Levenshtein", "Indel"))
    where = f"seed {SEED}: {short(s1)} {short(s2)}"
    assert levenshtein.editops(s1, s2).as_list() == levenshtein_editops(s1, s2), where
    assert indel.editops(s1, s2).as_list() == lcs_editops(s1, s2), where
