"""The tables of `cdist` and `cpdist`: scores of many pairs, in a type of NumPy."""

from __future__ import annotations

from typing import Any

from ... import _carrywave
from ._metrics import Metric, Scorer, is_missing, to_call
from ._scorers import Called, Own, scoring

_TYPES = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}


def _type(dtype: Any, how: Own | Called) -> Any:
    import numpy as np

    if dtype is None:
        return np.dtype(how.type_of_scores)
    try:
        named = np.dtype(dtype)
    except TypeError:
        named = None
    if named is None or named.name not in _TYPES:
        raise TypeError("unsupported dtype: the types are (u)int8 to (u)int64, float32 and float64")
    return named


def _typed(scores: Any, dtype: Any, multiplier: Any, how: Own | Called) -> Any:
    """Multiplies scores, and converts them to a type. Fractions are rounded half away from zero."""
    import numpy as np

    if how.gives_whole_numbers:
        multiplier = int(multiplier)
        if multiplier < 0:
            raise OverflowError("can't convert negative value to size_t")
        return (scores.astype(np.int64) * multiplier).astype(dtype)
    scores = scores * multiplier
    if dtype.kind == "f":
        return scores.astype(dtype)
    return np.trunc(scores + np.copysign(0.5, scores)).astype(np.int64).astype(dtype)


def _processed(strings: Any, processor: Any, skips_missing: bool) -> list[Any]:
    len(strings)
    processor = to_call(processor)
    if processor is None:
        return list(strings)
    return [string if skips_missing and is_missing(string) else processor(string) for string in strings]


def _scored(known: Scorer, metric: Any, distances: Any, m: Any, n: Any, cutoff: Any) -> Any:
    """Computes scores from arrays of distances and lengths."""
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


def _each(score: Any, a: list[Any], b: list[Any], name: str, dtype: Any) -> Any:
    """Computes the scores of a function that is called for each pair."""
    import numpy as np

    pairs = ((x, y) for x in a for y in b) if name == "cdist" else zip(a, b, strict=True)
    shape = (len(a), len(b)) if name == "cdist" else (len(a),)
    return np.array([score(x, y) for x, y in pairs], dtype=dtype).reshape(shape)


def _distances(metric: Metric, a: list[Any], b: list[Any], name: str, m: Any, n: Any) -> Any:
    """Computes the distances of all pairs, by the engine if it has the metric."""
    import numpy as np

    batch = metric.batch()
    if batch is None:
        return _each(lambda x, y: metric.distance(x, y, None), a, b, name, np.int64)
    distances = getattr(_carrywave, name)(a, b, scorer=batch[0], mixed=True)
    return batch[1](distances.astype(np.int64), m, n)


def table(
    name: str, queries: Any, choices: Any, scorer: Any, processor: Any, score_cutoff: Any, multiplier: Any, dtype: Any, scorer_kwargs: dict[str, Any] | None
) -> Any:
    """Computes the scores of `cdist` or `cpdist`."""
    import numpy as np

    how = scoring(scorer, scorer_kwargs)
    dtype = _type(dtype, how)
    if isinstance(how, Called):
        a, b = (_processed(strings, processor, True) for strings in (queries, choices))
        kind = np.int64 if how.gives_whole_numbers else np.float64
        return _typed(_each(lambda x, y: how.score(x, y, score_cutoff), a, b, name, kind), dtype, multiplier, how)
    known, metric = how.scorer, how.metric
    # If the scorer has no score for a missing string, that string is processed: an error, as in
    # rapidfuzz.
    a, b = (_processed(strings, processor, known.worst is not None) for strings in (queries, choices))
    cutoff = known.cutoff(score_cutoff)
    _refuse_missing(known, a, b)
    gone, other = (np.array([is_missing(string) for string in strings], dtype=bool) for strings in (a, b))
    # Their scores are replaced below.
    a, b = (["" if is_missing(string) else string for string in strings] for strings in (a, b))
    m, n = (np.array([len(string) for string in strings], dtype=np.int64) for strings in (a, b))
    if name == "cdist":
        gone, m = gone[:, None], m[:, None]
    distances = _distances(metric, a, b, name, m, n)
    scores = _missing(known, _scored(known, metric, distances, m, n, cutoff), gone | other)
    return _typed(scores, dtype, multiplier, how)
