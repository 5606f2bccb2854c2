"""One string against many, and many against many, with the names, arguments and results of
`rapidfuzz.process` (3.14).

>>> from carrywave.compat.rapidfuzz.distance import Levenshtein
>>> extract("wave", ["waves", "carry", "ware"], scorer=Levenshtein.distance, limit=2)
[('waves', 1, 0), ('ware', 1, 2)]
>>> cdist(["wave"], ["waves", "carry"], scorer=Levenshtein.distance).tolist()
[[1, 4]]

A scorer is one of carrywave's, one of rapidfuzz's, or any function of two strings and
`score_cutoff` that returns a similarity from 0 to 100. carrywave's scorers run without the
interpreter's lock, on all cores if the lists are long. Other scorers are called for each pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._refusals import refuse_others
from ._scorers import Called, Own, is_missing, scoring, to_call
from ._tables import table
from .fuzz import WRatio, ratio

__all__ = ["cdist", "cpdist", "extract", "extractOne", "extract_iter"]

refuse_others(__name__, __all__)


def _pairs(choices: Any) -> Iterator[tuple[Any, Any]]:
    return iter(choices.items()) if hasattr(choices, "items") else enumerate(choices)


def _strings(choices: Any, processor: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yields the key, the choice and the string to compare, for each choice that is not missing."""
    for key, choice in _pairs(choices):
        if is_missing(choice):
            continue
        string = choice if processor is None else processor(choice)
        if string is choice or not is_missing(string):
            yield key, choice, string


def extract_iter(
    query: Any,
    choices: Any,
    *,
    scorer: Any = WRatio,
    processor: Any = None,
    score_cutoff: Any = None,
    score_hint: Any = None,
    scorer_kwargs: dict[str, Any] | None = None,
) -> Iterator[tuple[Any, Any, Any]]:
    """Yields each choice within the cutoff, with its score and its index or key."""
    return _scores(query, choices, scoring(scorer, scorer_kwargs), to_call(processor), score_cutoff)


def _scores(query: Any, choices: Any, scoring: Own | Called, processor: Any, score_cutoff: Any) -> Iterator[tuple[Any, Any, Any]]:
    if is_missing(query):
        return
    if processor is not None:
        query = processor(query)
    cutoff = scoring.cutoff(score_cutoff)
    for key, choice, string in _strings(choices, processor):
        score = scoring.score(query, string, cutoff)
        if cutoff is None or (score >= cutoff if scoring.higher_is_better else score <= cutoff):
            yield choice, score, key


def extract(
    query: Any,
    choices: Any,
    *,
    scorer: Any = WRatio,
    processor: Any = None,
    limit: int | None = 5,
    score_cutoff: Any = None,
    score_hint: Any = None,
    scorer_kwargs: dict[str, Any] | None = None,
) -> list[tuple[Any, Any, Any]]:
    """Returns the best choices within the cutoff, at most `limit`, each with its score and its
    index or key.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"limit is None or at least 0, not {limit}")
    options = dict(scorer=scorer, processor=processor, score_cutoff=score_cutoff, score_hint=score_hint, scorer_kwargs=scorer_kwargs)
    if limit == 1:
        best = extractOne(query, choices, **options)
        return [] if best is None else [best]
    how = scoring(scorer, scorer_kwargs)
    if isinstance(how, Own):
        processor = to_call(processor)
        if is_missing(query):
            return []
        query = query if processor is None else processor(query)
        return how.scorer.best_choices(query, choices, processor, score_cutoff, how.argument, limit)
    scores = _scores(query, choices, how, to_call(processor), score_cutoff)
    found = sorted(scores, key=lambda one: one[1], reverse=how.higher_is_better)
    return found if limit is None else found[:limit]


def extractOne(  # noqa: N802, the name is rapidfuzz's
    query: Any,
    choices: Any,
    *,
    scorer: Any = WRatio,
    processor: Any = None,
    score_cutoff: Any = None,
    score_hint: Any = None,
    scorer_kwargs: dict[str, Any] | None = None,
) -> tuple[Any, Any, Any] | None:
    """Returns the best choice within the cutoff, the first if several are equally good; None if
    there is none.
    """
    how = scoring(scorer, scorer_kwargs)
    processor = to_call(processor)
    if is_missing(query):
        return None
    query = query if processor is None else processor(query)
    if isinstance(how, Own):
        return how.scorer.best_choice(query, choices, processor, score_cutoff, how.argument)
    cutoff = how.cutoff(score_cutoff)
    best: tuple[Any, Any, Any] | None = None
    for key, choice, string in _strings(choices, processor):
        score = how.score(query, string, cutoff)
        if how.higher_is_better:
            is_best = (cutoff is None or score >= cutoff) and (best is None or score > best[1])
        else:
            is_best = (cutoff is None or score <= cutoff) and (best is None or score < best[1])
        if is_best:
            best, cutoff = (choice, score, key), score
            if how.optimal is not None and score == how.optimal:
                break
    return best


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
    """Returns the scores of all queries with all choices, as a matrix. Always uses all cores,
    whatever the value of `workers`.
    """
    return table("cdist", queries, choices, scorer, processor, score_cutoff, score_multiplier, dtype, scorer_kwargs)


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
    """Returns the scores of pairs of queries and choices, side by side, as an array."""
    if len(queries) != len(choices):
        raise ValueError("Length of queries and choices must be the same!")
    return table("cpdist", queries, choices, scorer, processor, score_cutoff, score_multiplier, dtype, scorer_kwargs)
