"""One string against many, and many against many, with the names, arguments and results of `rapidfuzz.process` (3.14).

>>> from carrywave.compat.rapidfuzz.distance import Levenshtein
>>> extract("wave", ["waves", "carry", "ware"], scorer=Levenshtein.distance, limit=2)
[('waves', 1, 0), ('ware', 1, 2)]
>>> cdist(["wave"], ["waves", "carry"], scorer=Levenshtein.distance).tolist()
[[1, 4]]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ... import _carrywave
from ._metrics import Scorer, is_missing
from .fuzz import ratio

__all__ = ["cdist", "cpdist", "extract", "extractOne", "extract_iter"]

_TYPES = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}


def _pairs(choices: Any) -> Iterator[tuple[Any, Any]]:
    return iter(choices.items()) if hasattr(choices, "items") else enumerate(choices)


def extract_iter(
    query: Any,
    choices: Any,
    *,
    scorer: Any = ratio,
    processor: Any = None,
    score_cutoff: Any = None,
    score_hint: Any = None,
    scorer_kwargs: dict[str, Any] | None = None,
) -> Iterator[tuple[Any, Any, Any]]:
    """Each choice within the cutoff, its score, and its index or key."""
    kwargs = dict(scorer_kwargs or {})
    known: Scorer | None = getattr(scorer, "scorer", None)
    if is_missing(query):
        return
    if processor not in (None, False):
        query = processor(query)
    if known is None:
        least = 0 if score_cutoff is None else score_cutoff
        for key, choice in _pairs(choices):
            if not is_missing(choice):
                score = scorer(query, choice if processor in (None, False) else processor(choice), score_cutoff=least, **kwargs)
                if score >= least:
                    yield choice, score, key
        return
    cutoff = known.cutoff(score_cutoff)
    metric = _made(known, kwargs)
    for key, choice in _pairs(choices):
        if is_missing(choice):
            continue
        string = choice if processor in (None, False) else processor(choice)
        if is_missing(string):
            continue
        score = known.score(metric, query, string, cutoff)
        if cutoff is None or (score >= cutoff if known.higher_is_better else score <= cutoff):
            yield choice, score, key


def _made(known: Scorer, kwargs: dict[str, Any]) -> Any:
    """The metric with a scorer's own arguments."""
    if known.make.__name__ == "Levenshtein":
        weights = kwargs.get("weights", (1, 1, 1))
        if weights is None:
            raise TypeError("cannot unpack non-iterable NoneType object")
        return known.make(weights)
    if kwargs:
        raise TypeError(f"{known.make.__name__} takes no arguments of its own: {', '.join(kwargs)}")
    return known.make()


def extract(
    query: Any,
    choices: Any,
    *,
    scorer: Any = ratio,
    processor: Any = None,
    limit: int | None = 5,
    score_cutoff: Any = None,
    score_hint: Any = None,
    scorer_kwargs: dict[str, Any] | None = None,
) -> list[tuple[Any, Any, Any]]:
    """The best choices within the cutoff, at most `limit`: each with its score, and its index or key."""
    options = dict(scorer=scorer, processor=processor, score_cutoff=score_cutoff, score_hint=score_hint, scorer_kwargs=scorer_kwargs)
    if limit == 1:
        best = extractOne(query, choices, **options)
        return [] if best is None else [best]
    known = getattr(scorer, "scorer", None)
    found = sorted(extract_iter(query, choices, **options), key=lambda one: one[1], reverse=known is None or known.higher_is_better)
    return found if limit is None else found[:limit]


def extractOne(  # noqa: N802, the name is rapidfuzz's
    query: Any,
    choices: Any,
    *,
    scorer: Any = ratio,
    processor: Any = None,
    score_cutoff: Any = None,
    score_hint: Any = None,
    scorer_kwargs: dict[str, Any] | None = None,
) -> tuple[Any, Any, Any] | None:
    """The best choice within the cutoff, the first of several; None if there is none."""
    known: Scorer | None = getattr(scorer, "scorer", None)
    best: tuple[Any, Any, Any] | None = None
    if known is None:
        if is_missing(query):
            return None
        kwargs = dict(scorer_kwargs or {})
        query = query if processor in (None, False) else processor(query)
        least = 0 if score_cutoff is None else score_cutoff
        for key, choice in _pairs(choices):
            if is_missing(choice):
                continue
            score = scorer(query, choice if processor in (None, False) else processor(choice), score_cutoff=least, **kwargs)
            if score >= least and (best is None or score > best[1]):
                best, least = (choice, score, key), score
                if score == 100:
                    break
        return best
    options = dict(scorer=scorer, processor=processor, score_cutoff=score_cutoff, score_hint=score_hint, scorer_kwargs=scorer_kwargs)
    for found in extract_iter(query, choices, **options):
        if best is None or (found[1] > best[1] if known.higher_is_better else found[1] < best[1]):
            best = found
            if known.best is not None and found[1] == known.best:
                break
    return best


def _type(dtype: Any, known: Scorer | None) -> Any:
    import numpy as np

    if dtype is None:
        return np.dtype(np.uint32 if known is not None and not known.is_normalized else np.float32)
    try:
        named = np.dtype(dtype)
    except TypeError:
        named = None
    if named is None or named.name not in _TYPES:
        raise TypeError("unsupported dtype: the types are (u)int8 to (u)int64, float32 and float64")
    return named


def _typed(scores: Any, dtype: Any, multiplier: Any, known: Scorer | None) -> Any:
    """Scores times the multiplier, in a type: those that are no whole numbers are rounded, half away from zero."""
    import numpy as np

    if known is not None and not known.is_normalized:
        multiplier = int(multiplier)
        if multiplier < 0:
            raise OverflowError("can't convert negative value to size_t")
        return (scores.astype(np.int64) * multiplier).astype(dtype)
    scores = scores * multiplier
    if dtype.kind == "f":
        return scores.astype(dtype)
    return np.trunc(scores + np.copysign(0.5, scores)).astype(np.int64).astype(dtype)


def _processed(strings: Any, processor: Any, known: Scorer | None) -> list[Any]:
    len(strings)
    if processor in (None, False):
        return list(strings)
    # A score that there is not of a missing string needs none.
    skips = known is None or known.worst is not None
    return [string if skips and is_missing(string) else processor(string) for string in strings]


def _scored(known: Scorer, metric: Any, distances: Any, m: Any, n: Any, cutoff: Any) -> Any:
    """The scores of arrays of distances and lengths."""
    import numpy as np

    if known.kind == "distance":
        return distances if cutoff is None else np.where(distances <= cutoff, distances, cutoff + 1)
    most = np.vectorize(metric.maximum, otypes=[np.int64])(m, n) if distances.size else distances
    if known.kind == "similarity":
        scores = most - distances
        return scores if cutoff is None else np.where(scores >= cutoff, scores, 0)
    normalized = np.divide(distances, most, out=np.zeros(distances.shape), where=most != 0)
    if known.kind == "normalized_distance":
        return normalized if cutoff is None else np.where(normalized <= cutoff, normalized, 1.0)
    scores = 1.0 - normalized
    scores = scores * 100 if known.percent else scores
    return scores if cutoff is None else np.where(scores >= cutoff, scores, 0.0)


def _refuse_missing(known: Scorer, *lists: list[Any]) -> None:
    if known.worst is None and any(is_missing(string) for strings in lists for string in strings):
        raise ValueError("passed unsupported element None")


def _missing(known: Scorer, scores: Any, where: Any) -> Any:
    if where.any():
        scores[where] = known.worst
    return scores


def _lengths(strings: list[Any]) -> Any:
    import numpy as np

    return np.array([0 if is_missing(string) else len(string) for string in strings], dtype=np.int64)


def cdist(
    queries: Any,
    choices: Any,
    *,
    scorer: Any = ratio,
    processor: Any = None,
    score_cutoff: Any = None,
    score_hint: Any = None,
    score_multiplier: Any = 1,
    dtype: Any = None,
    workers: int = 1,
    scorer_kwargs: dict[str, Any] | None = None,
) -> Any:
    """The scores of all queries with all choices: a matrix. All cores are used, whatever `workers` says."""
    return _table("cdist", queries, choices, scorer, processor, score_cutoff, score_multiplier, dtype, scorer_kwargs)


def cpdist(
    queries: Any,
    choices: Any,
    *,
    scorer: Any = ratio,
    processor: Any = None,
    score_cutoff: Any = None,
    score_hint: Any = None,
    score_multiplier: Any = 1,
    dtype: Any = None,
    workers: int = 1,
    scorer_kwargs: dict[str, Any] | None = None,
) -> Any:
    """The scores of pairs of queries and choices, side by side: an array."""
    if len(queries) != len(choices):
        raise ValueError("Length of queries and choices must be the same!")
    return _table("cpdist", queries, choices, scorer, processor, score_cutoff, score_multiplier, dtype, scorer_kwargs)


def _table(
    name: str, queries: Any, choices: Any, scorer: Any, processor: Any, score_cutoff: Any, multiplier: Any, dtype: Any, scorer_kwargs: dict[str, Any] | None
) -> Any:
    """The scores that `cdist`, or `cpdist`, has."""
    import numpy as np

    known: Scorer | None = getattr(scorer, "scorer", None)
    dtype = _type(dtype, known)
    a, b = _processed(queries, processor, known), _processed(choices, processor, known)
    shape = (len(a), len(b)) if name == "cdist" else (len(a),)
    kwargs = dict(scorer_kwargs or {})

    def each(score: Any, kind: Any) -> Any:
        pairs = ((x, y) for x in a for y in b) if name == "cdist" else zip(a, b, strict=True)
        return np.array([score(x, y) for x, y in pairs], dtype=kind).reshape(shape)

    if known is None:
        return _typed(each(lambda x, y: scorer(x, y, score_cutoff=score_cutoff, **kwargs), np.float64), dtype, multiplier, None)
    cutoff, metric = known.cutoff(score_cutoff), _made(known, kwargs)
    _refuse_missing(known, a, b)
    gone, other = (np.array([is_missing(string) for string in strings], dtype=bool) for strings in (a, b))
    m, n = _lengths(a), _lengths(b)
    if name == "cdist":
        gone, m = gone[:, None], m[:, None]
    missing = gone | other
    batch = metric.batch()
    if batch is not None:
        there = [[None if is_missing(string) else string for string in strings] for strings in (a, b)]
        distances = getattr(_carrywave, name)(*there, scorer=batch[0], mixed=True)
        distances = batch[1](distances.astype(np.int64), m, n)
    else:
        distances = each(lambda x, y: 0 if is_missing(x) or is_missing(y) else metric.distance(x, y, None), np.int64)
    return _typed(_missing(known, _scored(known, metric, distances, m, n, cutoff), missing), dtype, multiplier, known)
