"""Runs cases_edlib.py against the drop-in; with CARRYWAVE_PEER=peer against edlib."""

from __future__ import annotations

import pytest

import cases_edlib as cases
from alignments import check_path, infix_ends
from peer import short, under_test

FIELDS = {"editDistance", "alphabetLength", "locations", "cigar"}


@pytest.fixture(scope="module")
def edlib():
    return under_test("edlib")


def named(group):
    return [pytest.param(*case, id=f"{i}-{short(case[0])}-{short(case[1])}") for i, case in enumerate(group)]


@pytest.mark.parametrize(("query", "target", "keywords", "expected"), named(cases.PYTHON + cases.OBSERVED))
def test_align(edlib, query, target, keywords, expected):
    result = edlib.align(query, target, **keywords)
    assert type(result) is dict and set(result) == FIELDS
    assert {field: result[field] for field in expected} == expected
    if result["cigar"] is not None:
        check_path(query, target, keywords.get("mode", "NW"), result, keywords.get("additionalEqualities"))


@pytest.mark.parametrize(
    ("query", "target", "mode", "expected"),
    [
        pytest.param(query, target, mode, expected, id=f"{name}-{mode}-{i}")
        for i, (name, query, target, by_mode) in enumerate(cases.CPP)
        for mode, expected in by_mode.items()
    ],
)
def test_modes(edlib, query, target, mode, expected):
    distance, locations, cigar = expected
    result = edlib.align(query, target, mode=mode, task="path")
    assert (result["editDistance"], result["locations"], result["cigar"]) == expected
    assert result["alphabetLength"] == len(set(query) | set(target))
    if query and target:
        # Dynamic programming gives the same result.
        assert (distance, [end for _, end in locations]) == infix_ends(query, target, mode)
        check_path(query, target, mode, result)
    # Other tasks leave out the items that they do not compute.
    ends = edlib.align(query, target, mode=mode, task="distance")
    assert ends == {**result, "locations": [(None, end) for _, end in locations], "cigar": None}
    assert edlib.align(query, target, mode=mode, task="locations") == {**result, "cigar": None}
    # the bound k
    if query and target:
        assert edlib.align(query, target, mode=mode, task="path", k=distance) == result
        assert edlib.align(query, target, mode=mode, task="path", k=distance + 1) == result
        if distance:
            missed = edlib.align(query, target, mode=mode, task="path", k=distance - 1)
            assert missed == {**result, "editDistance": -1, "locations": [], "cigar": None}


@pytest.mark.parametrize(
    ("query", "target", "keywords", "expected"),
    [pytest.param(*case[1:], id=case[0]) for case in cases.CPP_OTHERS],
)
def test_others(edlib, query, target, keywords, expected):
    result = edlib.align(query, target, **keywords)
    assert {field: result[field] for field in expected} == expected


@pytest.mark.parametrize(("query", "target", "keywords", "error", "text"), named(cases.ERRORS))
def test_error(edlib, query, target, keywords, error, text):
    with pytest.raises(error) as caught:
        edlib.align(query, target, **keywords)
    assert text is None or text in str(caught.value)


def test_positional(edlib):
    assert edlib.align("a", "b", "HW", "path", -1, [("a", "b")])["cigar"] == "1="


def nice(edlib, query, target, keywords, gap, expected):
    result = edlib.align(query=query, target=target, task="path", **keywords)
    lines = edlib.getNiceAlignment(result, query, target, **({} if gap is None else {"gapSymbol": gap}))
    assert lines == dict(zip(("query_aligned", "matched_aligned", "target_aligned"), expected))


@pytest.mark.parametrize(("query", "target", "mode", "expected"), cases.NICE)
def test_nice(edlib, query, target, mode, expected):
    nice(edlib, query, target, {"mode": mode}, None, expected)


@pytest.mark.parametrize(("query", "target", "keywords", "gap", "expected"), cases.NICE_OBSERVED)
def test_nice_observed(edlib, query, target, keywords, gap, expected):
    nice(edlib, query, target, keywords, gap, expected)


@pytest.mark.parametrize(("result", "error", "text"), cases.NICE_ERRORS)
def test_nice_error(edlib, result, error, text):
    with pytest.raises(error) as caught:
        edlib.getNiceAlignment(result, "a", "b")
    assert text is None or text in str(caught.value)
