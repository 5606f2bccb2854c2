"""Runs cases_rapidfuzz.py against the drop-in; with CARRYWAVE_PEER=peer against rapidfuzz."""

from __future__ import annotations

import random

import pytest

import cases_rapidfuzz as cases
from class_checks import CHECKS
from peer import is_missing, scorer, short, under_test

METRICS = ("Levenshtein", "Indel", "LCSseq")


@pytest.fixture(scope="module")
def rapidfuzz():
    return under_test("rapidfuzz")


def named(group):
    return [pytest.param(*case, id=f"{i}-{'-'.join(map(short, case[:3]))}") for i, case in enumerate(group)]


def maximum(metric, s1, s2, weights=None):
    """Returns the largest possible distance of two strings of these lengths."""
    m, n = len(s1), len(s2)
    if metric == "Indel":
        return m + n
    if metric == "LCSseq":
        return max(m, n)
    insert, delete, replace = weights or (1, 1, 1)
    rest = (m - n) * delete if m > n else (n - m) * insert
    return min(m * delete + n * insert, min(m, n) * replace + rest)


def check_score(rapidfuzz, metric, function, s1, s2, keywords, expected):
    call = scorer(rapidfuzz, (metric, function))
    score = call(s1, s2, **keywords)
    assert score == expected
    if not is_missing(s1) and not is_missing(s2):
        assert type(score) is type(expected)
    insert, delete, _ = keywords.get("weights") or (1, 1, 1)
    if insert == delete:
        assert call(s2, s1, **keywords) == expected
    return score


def check_other_functions(rapidfuzz, metric, s1, s2, keywords, distance):
    """Checks the other three functions of a metric against values that follow from the distance."""
    functions = getattr(rapidfuzz.distance, metric)
    a, b = (keywords["processor"](s) for s in (s1, s2)) if keywords.get("processor") else (s1, s2)
    most = maximum(metric, a, b, keywords.get("weights"))
    assert functions.similarity(s1, s2, **keywords) == most - distance
    normalized = distance / most if most else 0.0
    assert functions.normalized_distance(s1, s2, **keywords) == normalized
    assert functions.normalized_similarity(s1, s2, **keywords) == 1.0 - normalized


def check_process(rapidfuzz, call, s1, s2, keywords, score, counts):
    """Checks that the functions of `process` return the scorer's score.

    `counts` is true if the score is within the cutoff.
    """
    process = rapidfuzz.process
    own = {name: keywords[name] for name in ("processor", "score_cutoff") if name in keywords}
    rest = {name: value for name, value in keywords.items() if name not in (*own, "score_hint")}
    if rest:
        own["scorer_kwargs"] = rest
    expected = [(s2, score, 0)] if counts else []
    # Items are compared one by one, since a choice may not be comparable.
    for found in (
        process.extract(s1, [s2], scorer=call, **own),
        list(process.extract_iter(s1, [s2], scorer=call, **own)),
        [one for one in [process.extractOne(s1, [s2], scorer=call, **own)] if one is not None],
    ):
        assert len(found) == len(expected)
        for (choice, found_score, key), (_, expected_score, _) in zip(found, expected):
            assert choice is s2 and found_score == expected_score and key == 0
    rows = process.cdist([s1] * 2, [s2] * 4, scorer=call, dtype="float64", **own)
    assert rows.shape == (2, 4) and (rows == score).all()
    assert (process.cpdist([s1] * 3, [s2] * 3, scorer=call, dtype="float64", **own) == score).all()


@pytest.mark.parametrize(
    ("metric", "function", "s1", "s2", "keywords", "expected"),
    named(cases.LEVENSHTEIN + cases.INDEL + cases.LCSSEQ + cases.EVERY_METRIC),
)
def test_score(rapidfuzz, metric, function, s1, s2, keywords, expected):
    score = check_score(rapidfuzz, metric, function, s1, s2, keywords, expected)
    call = scorer(rapidfuzz, (metric, function))
    cutoff = keywords.get("score_cutoff")
    within = cutoff is None or (score >= cutoff if "similarity" in function else score <= cutoff)
    counts = within and not is_missing(s1) and not is_missing(s2)
    check_process(rapidfuzz, call, s1, s2, keywords, score, counts)
    if function == "distance" and cutoff is None:
        check_other_functions(rapidfuzz, metric, s1, s2, keywords, score)


@pytest.mark.parametrize(("metric", "function", "s1", "s2", "keywords", "expected"), named(cases.OBSERVED))
def test_observed_score(rapidfuzz, metric, function, s1, s2, keywords, expected):
    score = scorer(rapidfuzz, (metric, function))(s1, s2, **keywords)
    assert score == expected and type(score) is type(expected)


@pytest.mark.parametrize(
    ("metric", "function", "s1", "s2", "keywords", "error", "text"), named(cases.SCORE_ERRORS)
)
def test_score_error(rapidfuzz, metric, function, s1, s2, keywords, error, text):
    with pytest.raises(error) as caught:
        scorer(rapidfuzz, (metric, function))(s1, s2, **keywords)
    assert text is None or text in str(caught.value)


@pytest.mark.parametrize(("metric", "function"), [(m, f) for m in METRICS for f in ("distance", "similarity", "editops")])
def test_keywords_only(rapidfuzz, metric, function):
    with pytest.raises(TypeError):
        scorer(rapidfuzz, (metric, function))("a", "b", None)


@pytest.mark.parametrize(("s1", "s2", "keywords", "expected"), named(cases.RATIO))
def test_ratio(rapidfuzz, s1, s2, keywords, expected):
    ratio = rapidfuzz.fuzz.ratio
    assert ratio(s1, s2, **keywords) == expected
    assert ratio(s2, s1, **keywords) == expected
    cutoff = keywords.get("score_cutoff") or 0
    if cutoff <= 100:
        counts = not is_missing(s1) and not is_missing(s2) and expected >= cutoff
        check_process(rapidfuzz, ratio, s1, s2, keywords, expected, counts)


@pytest.mark.parametrize(("metric", "function", "s1", "s2", "expected"), named(cases.EDIT_LISTS))
def test_edit_lists(rapidfuzz, metric, function, s1, s2, expected):
    found = scorer(rapidfuzz, (metric, function))(s1, s2)
    assert found.as_list() == expected
    assert found.apply(s1, s2) == s2
    functions = getattr(rapidfuzz.distance, metric)
    assert functions.editops(s1, s2).as_opcodes() == functions.opcodes(s1, s2)
    assert functions.opcodes(s1, s2).as_editops() == functions.editops(s1, s2)


@pytest.mark.parametrize(("metric", "s1", "s2"), cases.EDIT_LENGTHS)
def test_edit_lengths(rapidfuzz, metric, s1, s2):
    for function in ("editops", "opcodes"):
        found = scorer(rapidfuzz, (metric, function))(s1, s2)
        assert (found.src_len, found.dest_len) == (len(s1), len(s2))
        assert found.apply(s1, s2) == s2


@pytest.mark.parametrize(("s1", "s2"), cases.COMPUTED)
@pytest.mark.parametrize("metric", METRICS)
def test_computed_lists(rapidfuzz, metric, s1, s2):
    distance = rapidfuzz.distance
    functions = getattr(distance, metric)
    for found in (functions.editops(s1, s2), functions.opcodes(s1, s2)):
        assert type(found)(found.as_list(), found.src_len, found.dest_len) == found
        assert found == found and not found != found and found == found.copy() and not found != found.copy()
    editops, opcodes = functions.editops(s1, s2), functions.opcodes(s1, s2)
    assert type(editops) is distance.Editops and type(opcodes) is distance.Opcodes
    assert distance.Editops(opcodes.as_list(), opcodes.src_len, opcodes.dest_len) == opcodes.as_editops() == editops
    assert distance.Opcodes(editops.as_list(), editops.src_len, editops.dest_len) == editops.as_opcodes() == opcodes
    cost = functions.distance(s1, s2) if metric != "LCSseq" else distance.Indel.distance(s1, s2)
    assert len(editops) == cost


@pytest.mark.parametrize(("check", "case"), CHECKS)
def test_class(rapidfuzz, check, case):
    check(rapidfuzz.distance, case)


@pytest.mark.parametrize(("query", "choices", "keywords", "expected"), named(cases.BEST))
def test_best(rapidfuzz, query, choices, keywords, expected):
    process, ratio = rapidfuzz.process, rapidfuzz.fuzz.ratio
    best = process.extractOne(query, choices, scorer=ratio, **keywords)
    listed = process.extract(query, choices, scorer=ratio, **keywords)
    if expected is None:
        assert best is None and listed == []
        return
    assert (best[0], best[2]) == expected
    assert listed[0] == best
    assert best in list(process.extract_iter(query, choices, scorer=ratio, **keywords))
    processor = keywords.get("processor") or cases.same
    assert best[1] == ratio(processor(query), processor(best[0]))
    # A set has no order, but if the best choice is unique, it is the same.
    if isinstance(choices, list) and all(isinstance(choice, str) for choice in choices) and query and listed[1:]:
        if listed[0][1] > listed[1][1]:
            assert process.extractOne(query, set(choices), scorer=ratio, **keywords)[0] == expected[0]
            assert process.extract(query, set(choices), scorer=ratio, **keywords)[0][0] == expected[0]


@pytest.mark.parametrize(
    ("query", "choices", "name", "keywords", "expected"), named(cases.EXTRACT + cases.EXTRACT_OBSERVED)
)
def test_extract(rapidfuzz, query, choices, name, keywords, expected):
    call = scorer(rapidfuzz, name)
    found = rapidfuzz.process.extract(query, choices, scorer=call, **keywords)
    assert found == expected and type(found) is list and all(type(one) is tuple for one in found)
    assert [type(one[1]) for one in found] == [type(one[1]) for one in expected]
    limit = keywords.get("limit", 5)
    # extract_iter yields all results, in the order of the choices.
    if limit is None or len(expected) < limit:
        rest = {key: value for key, value in keywords.items() if key != "limit"}
        in_order = list(rapidfuzz.process.extract_iter(query, choices, scorer=call, **rest))
        keys = list(choices) if hasattr(choices, "items") else list(range(len(choices)))
        assert in_order == sorted(expected, key=lambda one: keys.index(one[2]))
        best = rapidfuzz.process.extractOne(query, choices, scorer=call, **rest)
        assert best == (expected[0] if expected else None)


@pytest.mark.parametrize(("query", "choices", "name", "keywords", "expected"), named(cases.EXTRACT_ONE_OBSERVED))
def test_extract_one(rapidfuzz, query, choices, name, keywords, expected):
    found = rapidfuzz.process.extractOne(query, choices, scorer=scorer(rapidfuzz, name), **keywords)
    assert found == expected and (found is None or type(found[1]) is type(expected[1]))


@pytest.mark.parametrize("arguments", cases.EXTRACT_ERRORS)
@pytest.mark.parametrize("function", ["extract", "extractOne", "extract_iter"])
def test_extract_error(rapidfuzz, function, arguments):
    with pytest.raises(TypeError):
        found = getattr(rapidfuzz.process, function)(*arguments, scorer=rapidfuzz.fuzz.ratio)
        next(found)  # extract_iter only checks its arguments here


@pytest.mark.parametrize("scorer_name", [("fuzz", "ratio"), ("Levenshtein", "distance"), None])
def test_missing_pandas(rapidfuzz, scorer_name):
    """Checks that pandas.NA is missing, as test_pandas_nan_elements of test_process.py does."""
    pandas = pytest.importorskip("pandas")
    call = scorer(rapidfuzz, scorer_name) if scorer_name else lambda a, b, score_cutoff=0: 50
    for processor in (None, cases.lower, cases.same):
        for choices in ([pandas.NA, "tes"], {0: pandas.NA, 1: "tes"}):
            keywords = {"scorer": call, "processor": processor}
            assert rapidfuzz.process.extractOne("test", choices, **keywords)[2] == 1
            assert rapidfuzz.process.extractOne(pandas.NA, choices, **keywords) is None
            assert rapidfuzz.process.extract("test", choices, **keywords)[0][2] == 1
            assert rapidfuzz.process.extract(pandas.NA, choices, **keywords) == []
            assert list(rapidfuzz.process.extract_iter(pandas.NA, choices, **keywords)) == []


def test_series(rapidfuzz):
    pandas = pytest.importorskip("pandas")
    query, values, labels, expected = cases.SERIES
    series = pandas.Series(values, index=labels)
    assert rapidfuzz.process.extract(query, series, scorer=rapidfuzz.fuzz.ratio) == expected
    assert rapidfuzz.process.extractOne(query, series, scorer=rapidfuzz.fuzz.ratio) == expected[0]
    rows = rapidfuzz.process.cdist(series, series, scorer=rapidfuzz.distance.Levenshtein.distance)
    assert rows.shape == (3, 3) and rows[0, 0] == 0


def test_generator(rapidfuzz):
    query, choices, best = cases.GENERATOR
    found = rapidfuzz.process.extract(query, (choice for choice in choices), scorer=rapidfuzz.fuzz.ratio)
    assert found[0] == best and len(found) == len(choices)


ALL_METRICS = ("Levenshtein", "Indel", "LCSseq", "Hamming", "OSA", "DamerauLevenshtein", "Jaro", "JaroWinkler", "Prefix", "Postfix")


def test_many_choices(rapidfuzz):
    """Compares the best of many choices, several of which are equally good, with all of them in
    order."""
    random_ = random.Random(1)
    calls = [getattr(getattr(rapidfuzz.distance, name), kind) for name in ALL_METRICS for kind in ("distance", "normalized_similarity")]
    calls += [getattr(rapidfuzz.fuzz, name) for name in ("ratio", "QRatio", "token_sort_ratio", "partial_ratio")]
    for number, call in enumerate(calls):
        letters = ("abcd ", "abcdé ", "中文字母 ", "ab中 ")[number % 4]
        word = lambda: "".join(random_.choices(letters, k=random_.choice((0, 3, 8, 12, 20, 40))))  # noqa: B023, E731
        choices = [random_.choice((None, word(), word(), word())) for _ in range(700)]
        query = word()
        is_distance = call.__name__ == "distance"
        in_order = list(rapidfuzz.process.extract_iter(query, choices, scorer=call))
        expected = sorted(in_order, key=lambda found: found[1] if is_distance else -found[1])
        for limit in (1, 2, 5, 40, 650, None):
            for own in (choices, dict(enumerate(choices)), iter(choices)):
                found = rapidfuzz.process.extract(query, own, scorer=call, limit=limit)
                assert found == expected[:limit], (call, query, limit)
        assert rapidfuzz.process.extractOne(query, choices, scorer=call) == expected[0], (call, query)


def test_choices_with_large_weights(rapidfuzz):
    """A distance that no number of f64 equals."""
    weight = 2**60 + 1
    found = rapidfuzz.process.extract("", ["a", "ab"], scorer=rapidfuzz.distance.Levenshtein.distance, scorer_kwargs={"weights": (weight, 1, 1)})
    assert found == [("a", weight, 0), ("ab", 2 * weight, 1)]


@pytest.mark.parametrize("choice", cases.CUSTOM_CHOICES)
def test_custom_scorer(rapidfuzz, choice):
    pytest.importorskip("numpy")
    called = []

    def own(s1, s2, *, score_cutoff=None):
        called.append((s1, s2, score_cutoff))
        return cases.CUSTOM_SCORE

    rows = rapidfuzz.process.cdist(["test"], [choice], scorer=own)
    assert rows[0, 0] == cases.CUSTOM_SCORE and rows.dtype == "float32"
    assert rapidfuzz.process.cpdist(["test"], [choice], scorer=own)[0] == cases.CUSTOM_SCORE
    assert [(s1, cutoff) for s1, _, cutoff in called] == [("test", None)] * 2
    called.clear()
    found = rapidfuzz.process.extract("test", [choice], scorer=own)
    if is_missing(choice):
        assert found == [] and called == []
    else:
        assert found == [(choice, cases.CUSTOM_SCORE, 0)] and called == [("test", choice, 0)]


@pytest.mark.parametrize("own", [False, True])
def test_cutoff_of_a_custom_scorer(rapidfuzz, own):
    """Runs test_extractOne_case_sensitive and _use_first_match with a wrapper of ratio."""
    ratio = rapidfuzz.fuzz.ratio
    call = (lambda s1, s2, score_cutoff=0: ratio(s1, s2, score_cutoff=score_cutoff)) if own else ratio
    found = rapidfuzz.process.extractOne("new york mets", ["new", "new YORK mets"], scorer=call)
    assert found == ("new YORK mets", ratio("new york mets", "new YORK mets"), 1)
    assert rapidfuzz.process.extractOne("new york mets", ["new york mets"] * 2, scorer=call)[2] == 0
    assert rapidfuzz.process.cdist([], ["a", "b"], scorer=call).shape == (0, 2)
    assert rapidfuzz.process.cdist(["a", "b"], [], scorer=call).shape == (2, 0)
    assert rapidfuzz.process.cpdist([], [], scorer=call).shape == (0,)


@pytest.mark.parametrize(
    ("queries", "choices", "name", "keywords", "expected"), named(cases.CDIST + cases.CDIST_OBSERVED)
)
def test_cdist(rapidfuzz, queries, choices, name, keywords, expected):
    numpy = pytest.importorskip("numpy")
    call = scorer(rapidfuzz, name)
    rows = rapidfuzz.process.cdist(queries, choices, scorer=call, **keywords)
    default = "uint32" if name[1] in ("distance", "similarity") else "float32"
    assert rows.dtype == numpy.dtype(keywords.get("dtype", default))
    assert numpy.array_equal(rows, numpy.array(expected, dtype=rows.dtype))
    if queries == choices:  # For one list twice, half of a symmetric table is enough.
        assert numpy.array_equal(rapidfuzz.process.cdist(queries, queries, scorer=call, **keywords), rows)
    if len(queries) == len(choices):
        pairs = rapidfuzz.process.cpdist(queries, choices, scorer=call, **keywords)
        assert pairs.dtype == rows.dtype and numpy.array_equal(pairs, rows.diagonal())


@pytest.mark.parametrize(("queries", "choices", "shape"), cases.CDIST_SHAPES)
def test_cdist_shape(rapidfuzz, queries, choices, shape):
    pytest.importorskip("numpy")
    for call in (rapidfuzz.fuzz.ratio, rapidfuzz.distance.Levenshtein.distance):
        assert rapidfuzz.process.cdist(queries, choices, scorer=call).shape == shape


@pytest.mark.parametrize(("queries", "choices", "name", "keywords", "expected"), named(cases.CPDIST))
def test_cpdist(rapidfuzz, queries, choices, name, keywords, expected):
    numpy = pytest.importorskip("numpy")
    pairs = rapidfuzz.process.cpdist(queries, choices, scorer=scorer(rapidfuzz, name), **keywords)
    assert pairs.dtype == numpy.dtype(keywords.get("dtype", "float32"))
    assert pairs.shape == (len(queries),) and pairs.tolist() == expected


@pytest.mark.parametrize(("queries", "choices"), cases.CPDIST_LENGTHS)
def test_cpdist_lengths(rapidfuzz, queries, choices):
    with pytest.raises(ValueError, match=cases.CPDIST_LENGTHS_ERROR):
        rapidfuzz.process.cpdist(queries, choices)


@pytest.mark.parametrize(("name", "dtype"), cases.DTYPES)
def test_dtype(rapidfuzz, name, dtype):
    pytest.importorskip("numpy")
    call = scorer(rapidfuzz, name)
    assert rapidfuzz.process.cdist(["test"], ["test"], scorer=call).dtype == dtype
    assert rapidfuzz.process.cpdist(["test"], ["test"], scorer=call).dtype == dtype


@pytest.mark.parametrize(
    ("queries", "choices", "name", "keywords", "error", "text"), named(cases.CDIST_ERRORS)
)
def test_cdist_error(rapidfuzz, queries, choices, name, keywords, error, text):
    pytest.importorskip("numpy")
    with pytest.raises(error) as caught:
        rapidfuzz.process.cdist(queries, choices, scorer=scorer(rapidfuzz, name), **keywords)
    assert text is None or text in str(caught.value)
