"""The tables of `cdist` and `cpdist`: scores of many pairs, in a type of NumPy."""

from __future__ import annotations

from typing import Any

from ..._carrywave import ResidentColumn, is_on_gpu
from ._scorers import Called, Own, is_missing, scoring, to_call

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


def _multiplier(multiplier: Any, how: Own | Called) -> Any:
    if how.gives_whole_numbers:
        multiplier = int(multiplier)
        if multiplier < 0:
            raise OverflowError("can't convert negative value to size_t")
    return multiplier


def _typed(scores: Any, dtype: Any, multiplier: Any, how: Called) -> Any:
    """Multiplies scores, and converts them to a type. Fractions are rounded half away from zero."""
    import numpy as np

    if how.gives_whole_numbers:
        return (scores.astype(np.int64) * multiplier).astype(dtype)
    scores = scores * multiplier
    if dtype.kind == "f":
        return scores.astype(dtype)
    return np.trunc(scores + np.copysign(0.5, scores)).astype(np.int64).astype(dtype)


_STRINGS = {"string", "large_string", "string_view", "binary", "large_binary", "binary_view", "String", "Binary"}


def _is_column(strings: Any) -> bool:
    """Returns true for strings in a column of Arrow."""
    kind = getattr(strings, "type", None) or getattr(strings, "dtype", None)
    has_column = hasattr(strings, "__arrow_c_stream__") or hasattr(strings, "__arrow_c_array__")
    return has_column and str(kind) in _STRINGS


def _processed(strings: Any, processor: Any, how: Own | Called, skips_missing: bool) -> Any:
    len(strings)
    processor = to_call(processor)
    if is_on_gpu(strings):
        if processor is None and isinstance(how, Own):
            return strings
        strings = (strings if isinstance(strings, ResidentColumn) else ResidentColumn("gpu", strings)).tolist()
    if processor is None:
        if isinstance(how, Own) and _is_column(strings):
            return strings
        return strings if isinstance(strings, list) else list(strings)
    return [string if skips_missing and is_missing(string) else processor(string) for string in strings]


def _each(how: Called, a: list[Any], b: list[Any], name: str, cutoff: Any) -> Any:
    """Computes the scores of a function that is called for each pair."""
    import numpy as np

    pairs = ((x, y) for x in a for y in b) if name == "cdist" else zip(a, b, strict=True)
    shape = (len(a), len(b)) if name == "cdist" else (len(a),)
    kind = np.int64 if how.gives_whole_numbers else np.float64
    return np.array([how.score(x, y, cutoff) for x, y in pairs], dtype=kind).reshape(shape)


def table(
    name: str, queries: Any, choices: Any, scorer: Any, processor: Any, score_cutoff: Any, multiplier: Any, dtype: Any, scorer_kwargs: dict[str, Any] | None
) -> Any:
    """Computes the scores of `cdist` or `cpdist`."""
    how = scoring(scorer, scorer_kwargs)
    dtype = _type(dtype, how)
    # If the scorer has no score for a missing string, that string is processed: an error, as in
    # rapidfuzz.
    skips_missing = isinstance(how, Called) or not how.gives_whole_numbers
    is_same = queries is choices
    a = _processed(queries, processor, how, skips_missing)
    b = a if is_same else _processed(choices, processor, how, skips_missing)
    multiplier = _multiplier(multiplier, how)
    if isinstance(how, Own):
        return how.scorer.table(a, b, how.argument, score_cutoff, float(multiplier), dtype.name, name == "cpdist")
    return _typed(_each(how, a, b, name, score_cutoff), dtype, multiplier, how)
