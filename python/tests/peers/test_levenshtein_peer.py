"""Compares `carrywave.compat.Levenshtein` with Levenshtein on random strings, and its names.

| variable | meaning | default |
|---|---|---|
| CARRYWAVE_FUZZ_PAIRS | number of pairs and lists of strings for each test | 2,000 |
| CARRYWAVE_FUZZ_SEED | seed of all tests | 1 |
"""

from __future__ import annotations

import importlib
import inspect
import os
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from carrywave.compat import Levenshtein as ours

peer = pytest.importorskip("Levenshtein", reason="Levenshtein, to compare with, is not installed")
if not peer.__version__.startswith("0.27."):
    pytest.skip(f"the results are those of Levenshtein 0.27, and this is {peer.__version__}", allow_module_level=True)

PAIRS = int(os.environ.get("CARRYWAVE_FUZZ_PAIRS", "2000"))
SEED = int(os.environ.get("CARRYWAVE_FUZZ_SEED", "1"))
ALPHABETS = ["a", "ab", "abc", "abcdefghijklmnopqrstuvwxyz", "aé\u0100\u4e2d\U0001f600\ud800", "".join(map(chr, range(90, 400)))]
SCORERS = ["distance", "ratio", "hamming", "jaro", "jaro_winkler"]
MEDIANS = ["median", "quickmedian", "setmedian"]


def a_string(random_: random.Random, longest: int) -> str:
    return "".join(random_.choices(random_.choice(ALPHABETS), k=random_.randrange(longest + 1)))


def pairs() -> Iterator[tuple[str, str]]:
    random_ = random.Random(SEED)
    for number in range(PAIRS):
        longest = 100 if number % 20 == 0 else 12
        yield a_string(random_, longest), a_string(random_, longest)


def lists(longest_list: int, longest: int) -> Iterator[tuple[list[str], random.Random]]:
    """Yields lists of strings that resemble each other, and the source of random numbers."""
    random_ = random.Random(SEED)
    for _ in range(PAIRS):
        alphabet = random_.choice(ALPHABETS)
        length = random_.randrange(longest + 1)
        strings = ["".join(random_.choices(alphabet, k=random_.randrange(length + 1))) for _ in range(random_.randrange(longest_list + 1))]
        yield strings, random_


def some_weights(random_: random.Random, count: int) -> list[float] | None:
    choices = random_.choice([None, [1, 2, 3], [0, 1], [0.1, 0.3, 2.7]])
    return None if choices is None else random_.choices(choices, k=count)


def outcome(call: Any, *arguments: Any, **keywords: Any) -> tuple[Any, Any]:
    """Returns the result of a call, or the type of its error."""
    try:
        value = call(*arguments, **keywords)
    except Exception as error:
        return type(error), None
    return "value", [tuple(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("scorer", SCORERS)
def test_scorers(scorer: str) -> None:
    one, other = getattr(ours, scorer), getattr(peer, scorer)
    for s1, s2 in pairs():
        assert one(s1, s2) == other(s1, s2), (s1, s2)
        cutoff = 3 if scorer in ("distance", "hamming") else 0.6
        assert one(s1, s2, score_cutoff=cutoff) == other(s1, s2, score_cutoff=cutoff), (s1, s2)
    assert one("A", "ab", processor=str.lower) == other("A", "ab", processor=str.lower)
    assert one([1, "b", None], (1, "c", None)) == other([1, "b", None], (1, "c", None))
    assert pickle.loads(pickle.dumps(one)) is one


def test_arguments_of_scorers() -> None:
    for s1, s2 in pairs():
        for keywords in ({"weights": (1, 1, 2)}, {"weights": (1, 2, 1), "score_hint": 4}, {"weights": None}):
            assert outcome(ours.distance, s1, s2, **keywords) == outcome(peer.distance, s1, s2, **keywords)
        assert ours.jaro_winkler(s1, s2, prefix_weight=0.25) == peer.jaro_winkler(s1, s2, prefix_weight=0.25)
        assert outcome(ours.hamming, s1, s2, pad=False) == outcome(peer.hamming, s1, s2, pad=False)


def test_scorers_in_process() -> None:
    from carrywave.compat.rapidfuzz import process

    assert process.extract("wave", ["waves", "carry"], scorer=ours.distance) == [("waves", 1, 0), ("carry", 4, 1)]


def test_edit_operations() -> None:
    random_ = random.Random(SEED)
    for s1, s2 in pairs():
        single, blocks = ours.editops(s1, s2), ours.opcodes(s1, s2)
        assert (single, blocks) == (peer.editops(s1, s2), peer.opcodes(s1, s2)), (s1, s2)
        lengths = len(s1), len(s2)
        part = [operation for operation in single if random_.random() < 0.5]
        for call, *arguments in (
            ("editops", single, s1, s2), ("editops", blocks, *lengths), ("opcodes", single, *lengths), ("opcodes", blocks, s1, s2),
            ("opcodes", part, s1, s2), ("matching_blocks", single, s1, s2), ("matching_blocks", blocks, *lengths),
            ("matching_blocks", part, s1, s2), ("apply_edit", single, s1, s2), ("apply_edit", blocks, s1, s2), ("apply_edit", part, s1, s2),
            ("subtract_edit", single, part), ("subtract_edit", part, single), ("inverse", single), ("inverse", blocks), ("inverse", part),
        ):  # fmt: skip
            assert outcome(getattr(ours, call), *arguments) == outcome(getattr(peer, call), *arguments), (call, arguments)


@pytest.mark.parametrize("call", ["editops", "opcodes", "matching_blocks", "apply_edit", "subtract_edit", "inverse"])
@pytest.mark.parametrize("given", [None, [], (), 5, "abc", [("replace", 0)], [("replace", 9, 9)], [("swap", 0, 0)], [("equal", 0, 1, 0, 1)]])
def test_edit_operations_that_are_wrong(call: str, given: Any) -> None:
    count = {"inverse": 0, "subtract_edit": 1}.get(call, 2)
    for strings in (("ab", "abc"), (b"ab", b"abc"), ("", ""), ([("insert", 0, 0)], ["a"])):
        arguments = (given, *strings[:count])
        assert outcome(getattr(ours, call), *arguments) == outcome(getattr(peer, call), *arguments), arguments


@pytest.mark.parametrize("name", MEDIANS)
def test_medians(name: str) -> None:
    one, other = getattr(ours, name), getattr(peer, name)
    for strings, random_ in lists(8, 12):
        weights = some_weights(random_, len(strings))
        assert one(strings, weights) == other(strings, weights), (strings, weights)
    assert one([b"\xe9t\xe9", "été", "ete"]) == other([b"\xe9t\xe9", "été", "ete"])


def test_medians_of_long_lists() -> None:
    random_ = random.Random(SEED)
    strings = ["".join(random_.choices(ALPHABETS[3], k=random_.randrange(30))) for _ in range(60)]
    for name in MEDIANS:
        assert getattr(ours, name)(strings) == getattr(peer, name)(strings)


def test_the_median_is_computed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    from carrywave.compat.Levenshtein import _medians

    monkeypatch.setattr(_medians, "_CELLS", 100)
    for strings, _ in list(lists(8, 12))[:200]:
        assert ours.median(strings) == peer.median(strings), strings


def test_median_improve() -> None:
    for strings, random_ in lists(6, 8):
        weights = some_weights(random_, len(strings))
        string = a_string(random_, 8)
        assert ours.median_improve(string, strings, weights) == peer.median_improve(string, strings, weights), (string, strings, weights)


@pytest.mark.parametrize("name", ["seqratio", "setratio"])
def test_ratios_of_lists(name: str) -> None:
    one, other = getattr(ours, name), getattr(peer, name)
    shuffled = random.Random(SEED)
    for strings, _ in lists(14, 8):
        shuffled.shuffle(strings)
        split = shuffled.randrange(len(strings) + 1)
        a, b = strings[:split], strings[split:]
        # The sum over a cheapest assignment depends on the order, and there may be several.
        assert one(a, b) == pytest.approx(other(a, b), rel=1e-12, abs=1e-12) if name == "setratio" else one(a, b) == other(a, b), (a, b)


BAD_LISTS: list[Any] = [None, 5, [1], [None], ["a", 1], [["a"]], "abc", {"a": 1}, ("a", b"b")]


@pytest.mark.parametrize("given", BAD_LISTS)
@pytest.mark.parametrize("name", [*MEDIANS, "seqratio", "setratio", "median_improve"])
def test_lists_that_are_wrong(name: str, given: Any) -> None:
    arguments = {"seqratio": (given, ["a"]), "setratio": (["a"], given), "median_improve": ("a", given)}.get(name, (given,))
    assert outcome(getattr(ours, name), *arguments) == outcome(getattr(peer, name), *arguments)
    assert outcome(ours.median_improve, given, ["a"]) == outcome(peer.median_improve, given, ["a"])


@pytest.mark.parametrize("weights", [[1], [1, 2, 3], [-1, 1], ["a", 1], [None, 1], 5, (1, 2), {1, 2}, [True, 0]])
@pytest.mark.parametrize("name", MEDIANS)
def test_weights(name: str, weights: Any) -> None:
    assert outcome(getattr(ours, name), ["ab", "cd"], weights) == outcome(getattr(peer, name), ["ab", "cd"], weights)
    with pytest.raises(ValueError, match="weight -1.0 is negative"):
        getattr(ours, name)(["ab", "cd"], [-1, 1])


def test_string_matcher() -> None:
    theirs = importlib.import_module("Levenshtein.StringMatcher").StringMatcher
    own = importlib.import_module("carrywave.compat.Levenshtein.StringMatcher").StringMatcher
    methods = [name for name in vars(theirs) if not name.startswith("_")]
    assert methods == [name for name in vars(own) if not name.startswith("_")]
    for s1, s2 in [("spam", "park"), ("", "a"), ("same", "same"), ("", "")]:
        one, other = own(None, s1), theirs(None, s1)
        for matcher in (one, other):
            matcher.set_seq2(s2)
        for name in methods:
            if not name.startswith("set_"):
                assert outcome(getattr(one, name)) == outcome(getattr(other, name)), (name, s1, s2)
    for name in ("isjunk", "autojunk"):
        with pytest.warns(UserWarning, match=f"{name} NOT implemented"):
            own(**{name: True})


def parameters(function: Any) -> list[tuple[str, Any]]:
    return [(name, parameter.kind) for name, parameter in inspect.signature(function).parameters.items()]


def test_the_names_are_those_of_the_package() -> None:
    assert set(ours.__all__) == set(peer.__all__)
    for name in peer.__all__:
        assert parameters(getattr(ours, name)) == parameters(getattr(peer, name)), name
    for name in ("__version__", "__author__", "__license__"):
        assert isinstance(getattr(ours, name), str) and getattr(peer, name)
    for name in ("similarity", "anything"):
        with pytest.raises(AttributeError, match=f"carrywave.compat.Levenshtein has no '{name}'. It has: apply_edit, distance"):
            getattr(ours, name)


def test_the_readme_lists_the_functions() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| `carrywave.compat.Levenshtein`"))
    assert {name.strip("` ") for name in row.strip("| ").split(" | ", 1)[1].split(",")} == set(ours.__all__)
