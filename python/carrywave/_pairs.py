"""Many strings: the nearest choices of each, and all pairs of one list or of two that are near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _carrywave
from ._columns import equal, hashed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._types import Engine, OnGpu, Progress, Scorer, Strings


class Nearest(NamedTuple):
    """The nearest strings: arrays with a row per query and a column per neighbour, nearest first.

    Rows with fewer neighbours end with the index -1 and the distance `carrywave.MISSING`, which is within no cutoff.
    """

    index: npt.NDArray[np.int64]  # type: ignore[assignment]  # a tuple has a method of this name
    distance: npt.NDArray[np.int32]

    def __eq__(self, other: object) -> bool:
        return equal(self, other) if isinstance(other, Nearest) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hashed(self)


class Within(NamedTuple):
    """Pairs of strings that are near each other: the row and column numbers of a sparse matrix, and
    its values.
    """

    a: npt.NDArray[np.int64]
    b: npt.NDArray[np.int64]
    distance: npt.NDArray[np.int32]

    def __eq__(self, other: object) -> bool:
        return equal(self, other) if isinstance(other, Within) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hashed(self)


def nearest(
    queries: Strings | OnGpu,
    choices: Strings | OnGpu,
    *,
    top: int = 1,
    scorer: Scorer = "levenshtein",
    score_cutoff: int | None = None,
    similarity: float | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Nearest:
    """Returns the `top` nearest choices of each query. Among choices at the same distance, those
    with smaller numbers come first.

    Choices farther than `score_cutoff`, or less similar than `similarity`, are left out; narrower
    bounds are faster. A missing string (None, NaN, NA, a null of Arrow) has no neighbours, and is no
    string's neighbour.

    >>> import carrywave
    >>> found = carrywave.nearest(["wave"], ["carry", "waves", "ware"], top=2)
    >>> found.index.tolist(), found.distance.tolist()
    ([[1, 2]], [[1, 1]])
    """
    index, distance = _carrywave.nearest(
        queries,
        choices,
        top=top,
        scorer=scorer,
        score_cutoff=score_cutoff,
        similarity=similarity,
        engine=engine,
        progress=progress,
    )
    return Nearest(index, distance)


def within(
    strings: Strings | OnGpu,
    score_cutoff: int | None = None,
    *,
    similarity: float | None = None,
    scorer: Scorer = "levenshtein",
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Within:
    """Returns the pairs of a list's strings with a distance of at most `score_cutoff`, or a normalised
    similarity of at least `similarity`, each once, with `a` before `b`. A missing string is in no
    pair.

    The similarity, from 0 to 1, is 1 - distance / the length of the longer string; for "indel", 1 -
    distance / the length of both. With both arguments, both bounds apply.

    If strings are long compared with the bounds, only those that share a piece are compared. As a
    sparse matrix of SciPy: `coo_array((found.distance, (found.a, found.b)))`.

    >>> import carrywave
    >>> found = carrywave.within(["wave", "carry", "waves", "ware"], 1)
    >>> list(zip(found.a.tolist(), found.b.tolist(), found.distance.tolist()))
    [(0, 2, 1), (0, 3, 1)]
    >>> carrywave.within(["wave", "carry", "waves", "ware"], similarity=0.8).b.tolist()
    [2]
    """
    return Within(
        *_carrywave.within(strings, score_cutoff, similarity=similarity, scorer=scorer, engine=engine, progress=progress)
    )


def join(
    a: Strings | OnGpu,
    b: Strings | OnGpu,
    score_cutoff: int | None = None,
    *,
    similarity: float | None = None,
    scorer: Scorer = "levenshtein",
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Within:
    """Returns the pairs of a string of `a` and a string of `b` that are within `score_cutoff` and
    `similarity`, as by `within`, in the order of `a` and then of `b`. A missing string is in no pair.

    This joins two tables by columns with typing errors. It is fastest if `b` is the longer list.

    >>> import carrywave
    >>> found = carrywave.join(["wave", "carry"], ["curry", "waves", "ware"], 1)
    >>> list(zip(found.a.tolist(), found.b.tolist(), found.distance.tolist()))
    [(0, 1, 1), (0, 2, 1), (1, 0, 1)]
    """
    return Within(
        *_carrywave.join(a, b, score_cutoff, similarity=similarity, scorer=scorer, engine=engine, progress=progress)
    )
