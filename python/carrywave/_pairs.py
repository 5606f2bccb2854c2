"""Many strings: the nearest of each, and all that are near one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _carrywave
from ._columns import equal, hashed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._types import Engine, Progress, Scorer, Strings


class Nearest(NamedTuple):
    """The nearest strings: arrays with a row for each query and a column for each neighbour, the nearest first.

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
    """Pairs of strings that are near one another, `a` before `b`: the row and column numbers of a sparse matrix, and its values."""

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
    queries: Strings,
    choices: Strings,
    *,
    top: int = 1,
    scorer: Scorer = "levenshtein",
    score_cutoff: int | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Nearest:
    """For each query the `top` nearest of the choices, of those at one distance the first first.

    Choices farther than `score_cutoff` are left out, and the smaller it is, the faster. A string that is missing (None, NaN, NA, a null of Arrow) is
    nobody's neighbour and has none.

    >>> import carrywave
    >>> found = carrywave.nearest(["wave"], ["carry", "waves", "ware"], top=2)
    >>> found.index.tolist(), found.distance.tolist()
    ([[1, 2]], [[1, 1]])
    """
    index, distance = _carrywave.nearest(
        queries, choices, top=top, scorer=scorer, score_cutoff=score_cutoff, engine=engine, progress=progress
    )
    return Nearest(index, distance)


def within(
    strings: Strings,
    score_cutoff: int,
    *,
    scorer: Scorer = "levenshtein",
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Within:
    """The pairs of a list's strings with a distance of at most `score_cutoff`, each once. A string that is missing is in none of them.

    Where strings are long beside the cutoff only those are compared that have a piece in common. As a sparse matrix of SciPy:
    `coo_array((found.distance, (found.a, found.b)))`.

    >>> import carrywave
    >>> found = carrywave.within(["wave", "carry", "waves", "ware"], 1)
    >>> list(zip(found.a.tolist(), found.b.tolist(), found.distance.tolist()))
    [(0, 2, 1), (0, 3, 1)]
    """
    return Within(*_carrywave.within(strings, score_cutoff, scorer=scorer, engine=engine, progress=progress))
