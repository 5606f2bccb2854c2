"""Common parts of the accessors of pandas and polars: distances of columns and their nulls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _carrywave

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._types import Engine, Scorer


def distances(
    column: Any, other: Any, *, scorer: Scorer, score_cutoff: int | None, engine: Engine | None
) -> npt.NDArray[np.int32]:
    """Returns the distance of each string of a column to its counterpart in another column, or to
    one string. It is `MISSING` if one of the two is missing, and above the cutoff if it is large.
    """
    if isinstance(other, str | bytes):
        other = [other] * len(column)
    distances: npt.NDArray[np.int32] = _carrywave.cpdist(column, other, scorer=scorer, score_cutoff=score_cutoff, engine=engine)
    return distances


def is_null(distances: npt.NDArray[np.int32], score_cutoff: int | None) -> npt.NDArray[np.bool_]:
    """Returns true for each distance of a missing string, and for each one above the cutoff."""
    is_missing: npt.NDArray[np.bool_] = distances == _carrywave.MISSING
    return is_missing if score_cutoff is None else is_missing | (distances > score_cutoff)
