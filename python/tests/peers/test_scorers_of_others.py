"""Tests foreign scorers: rapidfuzz's in carrywave's `process`, vice versa, and user-defined ones.

The expected result is always that of rapidfuzz with its own scorer or with the same user-defined
function. CARRYWAVE_FUZZ_SCORERS is the number of rounds for each scorer (default: 2).
"""

from __future__ import annotations

import functools
import os
import random
from typing import Any

import pytest

rapidfuzz = pytest.importorskip("rapidfuzz", reason="rapidfuzz, to compare with, is not installed")
numpy = pytest.importorskip("numpy")

import rapidfuzz.distance
import rapidfuzz.fuzz
import rapidfuzz.fuzz_py
import rapidfuzz.process
import rapidfuzz.process_py

from carrywave.compat import rapidfuzz as ours

ROUNDS = int(os.environ.get("CARRYWAVE_FUZZ_SCORERS", "2"))
KINDS = ("distance", "similarity", "normalized_distance", "normalized_similarity")
METRICS = ("DamerauLevenshtein", "Hamming", "Indel", "Jaro", "JaroWinkler", "LCSseq", "Levenshtein", "OSA", "Postfix", "Prefix")
SCORERS = ("ratio", "partial_ratio", "token_ratio", "token_set_ratio", "token_sort_ratio", "partial_token_ratio", "WRatio", "QRatio")

# Scorers by name, from rapidfuzz's modules in C++ and in Python.
THEIRS = {f"fuzz.{name}": getattr(rapidfuzz.fuzz, name) for name in SCORERS}
THEIRS |= {f"fuzz_py.{name}": getattr(rapidfuzz.fuzz_py, name) for name in ("ratio", "WRatio")}
THEIRS |= {f"{metric}.{kind}": getattr(getattr(rapidfuzz.distance, metric), kind) for metric in METRICS for kind in KINDS}
THEIRS |= {f"Levenshtein_py.{kind}": getattr(rapidfuzz.distance.Levenshtein_py, kind) for kind in KINDS}
OURS = {f"fuzz.{name}": getattr(ours.fuzz, name) for name in SCORERS}
OURS |= {f"{metric}.{kind}": getattr(getattr(ours.distance, metric), kind) for metric in METRICS for kind in KINDS}


def texts(random_: random.Random) -> list[str]:
    return ["".join(random_.choices("ab c", k=random_.randrange(12))) for _ in range(random_.randrange(2, 8))]


def options_of(random_: random.Random, name: str) -> dict[str, Any]:
    """Returns random options of `process` that the scorer supports."""
    options: dict[str, Any] = {}
    if random_.random() < 0.3:
        options["processor"] = str.upper
    if name.startswith("Levenshtein") and random_.random() < 0.4:
        options["scorer_kwargs"] = {"weights": random_.choice([(1, 2, 1), (1, 1, 2), (3, 3, 3)])}
    if random_.random() < 0.5:
        cutoffs = {"distance": [0, 2, 5], "similarity": [0, 3, 8], "normalized_distance": [0.25, 0.5], "normalized_similarity": [0.25, 0.5]}
        metric, kind = name.split(".")
        kind = f"normalized_{kind}" if metric in ("Jaro", "JaroWinkler") and "_" not in kind else kind
        options["score_cutoff"] = random_.choice(cutoffs.get(kind, [25, 50]))
    return options


def results(process: Any, scorer: Any, query: Any, choices: Any, options: dict[str, Any]) -> list[Any]:
    """Returns the results of all functions of `process`."""
    # rapidfuzz computes the score of one pair and the scores of many pairs in two ways, which
    # differ in the last digit.
    rounded = lambda one: one and (one[0], round(one[1], 12), one[2])  # noqa: E731
    found: list[Any] = [
        list(map(rounded, process.extract(query, choices, scorer=scorer, **options))),
        list(map(rounded, process.extract(query, choices, scorer=scorer, limit=2, **options))),
        list(map(rounded, process.extract(query, choices, scorer=scorer, limit=1, **options))),
        rounded(process.extractOne(query, choices, scorer=scorer, **options)),
        list(map(rounded, process.extract_iter(query, choices, scorer=scorer, **options))),
    ]
    for table in (
        process.cdist([query, *choices], choices, scorer=scorer, **options),
        process.cdist(choices, choices, scorer=scorer, **options),
        process.cpdist(choices, choices[::-1], scorer=scorer, **options),
    ):
        found += [str(table.dtype), table.tolist()]
    return found


@pytest.mark.parametrize("name", THEIRS)
def test_scorers_of_rapidfuzz_here(name):
    for number in range(ROUNDS):
        random_ = random.Random(f"{name} {number}")
        query, choices, options = texts(random_)[0], texts(random_), options_of(random_, name)
        expected = results(rapidfuzz.process, THEIRS[name], query, choices, options)
        assert results(ours.process, THEIRS[name], query, choices, options) == expected, (number, query, choices, options)


@pytest.mark.parametrize("theirs", [rapidfuzz.process, rapidfuzz.process_py], ids=["cpp", "py"])
@pytest.mark.parametrize("name", OURS)
def test_scorers_of_carrywave_there(name, theirs):
    for number in range(ROUNDS):
        random_ = random.Random(f"{name} {number}")
        query, choices, options = texts(random_)[0], texts(random_), options_of(random_, name)
        expected = results(theirs, THEIRS[name], query, choices, options)
        assert results(theirs, OURS[name], query, choices, options) == expected, (number, query, choices, options)


@pytest.mark.parametrize("name", OURS)
def test_marks_of_carrywave_are_those_of_rapidfuzz(name):
    for kwargs in [{}, {"weights": (1, 2, 1)}, {"weights": (2, 2, 1)}] if name.startswith("Levenshtein") else [{}]:
        marks = [scorer._RF_ScorerPy["get_scorer_flags"](**kwargs) for scorer in (OURS[name], THEIRS[name])]
        assert marks[0] == marks[1]
    assert OURS[name]._RF_OriginalScorer is OURS[name]


# A user-defined scorer that uses no other scorer.
def last_letters(s1: str, s2: str, *, score_cutoff: float | None = None, **_: Any) -> float:
    return 100.0 if s1[-1:] == s2[-1:] else 7.5


class Scorer:
    """A callable that cannot be hashed, and is equal to every object."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True

    def __call__(self, s1: str, s2: str, *, score_cutoff: float | None = None) -> float:
        return last_letters(s1, s2)


def own_scorers() -> dict[str, Any]:
    return {
        "function": last_letters,
        "lambda": lambda s1, s2, score_cutoff=None: last_letters(s1, s2),
        "method": Scorer().__call__,
        "object": Scorer(),
        "partial": functools.partial(last_letters, unused=1),
    }


@pytest.mark.parametrize("name", own_scorers())
def test_functions_of_users(name):
    scorer = own_scorers()[name]
    for number in range(ROUNDS):
        random_ = random.Random(f"{name} {number}")
        query, choices = texts(random_)[0], texts(random_)
        options = {"score_cutoff": random_.choice([5, 50, 100])} if random_.random() < 0.5 else {}
        expected = results(rapidfuzz.process, scorer, query, choices, options)
        assert results(ours.process, scorer, query, choices, options) == expected, (number, query, choices, options)


@pytest.mark.parametrize("decorated", [*OURS.values(), rapidfuzz.fuzz.ratio, rapidfuzz.fuzz.WRatio], ids=[*OURS, "rf.ratio", "rf.WRatio"])
def test_a_decorated_scorer_is_what_decorates_it(decorated):
    """Checks a scorer that has the attributes and name of another by `functools.wraps`.

    `process` calls the scorer itself, but takes the direction (higher or lower is better) of the
    decorated one.
    """

    @functools.wraps(decorated)
    def scorer(s1: str, s2: str, **_: Any) -> float:
        return 42 if s1 == s2 else 17

    marks = decorated._RF_ScorerPy["get_scorer_flags"]()
    higher_is_better = marks["optimal_score"] > marks["worst_score"]
    assert ours.process.cdist(["a", "b"], ["a", "c"], scorer=scorer).tolist() == [[42, 17], [17, 17]]
    assert ours.process.cpdist(["a", "b"], ["a", "c"], scorer=scorer).tolist() == [42, 17]
    options = {"scorer": scorer, "score_cutoff": 0 if higher_is_better else 100}
    best = ("a", 42, 1) if higher_is_better else ("b", 17, 0)
    assert ours.process.extractOne("a", ["b", "a"], **options) == best
    assert ours.process.extract("a", ["b", "a"], **options)[0] == best
    assert list(ours.process.extract_iter("a", ["b", "a"], **options)) == [("b", 17, 0), ("a", 42, 1)]
    # rapidfuzz's process calls a scorer that decorates one of carrywave, too.
    if not hasattr(decorated, "_RF_Scorer"):
        assert rapidfuzz.process.extractOne("a", ["b", "a"], **options) == best
        assert rapidfuzz.process.cdist(["a", "b"], ["a", "c"], scorer=scorer).tolist() == [[42, 17], [17, 17]]


def test_a_scorer_with_attributes_of_one_of_carrywave():
    def scorer(s1: str, s2: str, *, score_cutoff: Any = None) -> float:
        return 42

    scorer.__dict__.update(ours.fuzz.ratio.__dict__)
    scorer.__name__, scorer.__qualname__, scorer.__module__ = "ratio", "ratio", ours.fuzz.__name__
    assert ours.process.cdist(["a"], ["a"], scorer=scorer).tolist() == [[42]]
    assert ours.process.extractOne("a", ["a"], scorer=scorer) == ("a", 42, 0)


def test_missing_strings_and_scorers_of_rapidfuzz():
    choices = [None, "tes", float("nan"), "test"]
    for name, scorer in THEIRS.items():
        expected = rapidfuzz.process.extract("test", choices, scorer=scorer)
        assert ours.process.extract("test", choices, scorer=scorer) == expected, name
        assert ours.process.extract(None, choices, scorer=scorer) == [], name
        assert ours.process.extractOne(None, choices, scorer=scorer) is None, name


def outcome(call: Any, *arguments: Any, **options: Any) -> Any:
    """Returns a table as a list, or "error"."""
    try:
        return call(*arguments, **options).tolist()
    except (TypeError, ValueError):
        return "error"


@pytest.mark.parametrize("name", [*THEIRS])
def test_tables_with_missing_strings(name):
    """Checks missing strings in tables: normalized scorers have a score, others raise an error."""
    # rapidfuzz leaves the row of a missing query unset if other queries follow, so it is last here.
    queries, choices = ["test", "a", None], [float("nan"), "tes", None]
    for options in ({}, {"score_multiplier": 2}, {"dtype": "float64"}):
        for scorer in (THEIRS[name], OURS.get(name, THEIRS[name])):
            for table in ("cdist", "cpdist"):
                expected = outcome(getattr(rapidfuzz.process, table), queries, choices, scorer=THEIRS[name], **options)
                found = outcome(getattr(ours.process, table), queries, choices, scorer=scorer, **options)
                assert found == expected, (table, options)
