"""Many strings: the nearest of each, and all that are near one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import _carrywave

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Nearest(NamedTuple):
    """The nearest strings: arrays with a row for each query and a column for each neighbour, the nearest first.

    Where there are no more, the index is -1 and the distance is `carrywave.MISSING`, which is within no cutoff.
    """

    index: npt.NDArray[np.int64]
    distance: npt.NDArray[np.int32]


class Within(NamedTuple):
    """Pairs of strings that are near one another, `a` before `b`: the row and column numbers of a sparse matrix, and its values."""

    a: npt.NDArray[np.int64]
    b: npt.NDArray[np.int64]
    distance: npt.NDArray[np.int32]


def nearest(
    queries: Any,
    choices: Any,
    *,
    top: int = 1,
    scorer: str = "levenshtein",
    score_cutoff: int | None = None,
    engine: Any = None,
    progress: Any = None,
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


def within(strings: Any, score_cutoff: int, *, scorer: str = "levenshtein", engine: Any = None, progress: Any = None) -> Within:
    """The pairs of a list's strings with a distance of at most `score_cutoff`, each once. A string that is missing is in none of them.

    Where strings are long beside the cutoff only those are compared that have a piece in common. As a sparse matrix of SciPy:
    `coo_array((found.distance, (found.a, found.b)))`.

    >>> import carrywave
    >>> found = carrywave.within(["wave", "carry", "waves", "ware"], 1)
    >>> list(zip(found.a.tolist(), found.b.tolist(), found.distance.tolist()))
    [(0, 2, 1), (0, 3, 1)]
    """
    return Within(*_carrywave.within(strings, score_cutoff, scorer=scorer, engine=engine, progress=progress))
