"""The parts of a string that are nearest to another string."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _carrywave
from ._columns import equal, hashed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._types import DistanceAlgorithm, Engine, Equal, Mode, Progress, String


class Places(NamedTuple):
    """The parts of a string that are nearest to another: distance, and arrays of starts and ends.
    """

    distance: int
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]

    def __eq__(self, other: object) -> bool:
        return equal(self, other) if isinstance(other, Places) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hashed(self)


def places(
    a: String,
    b: String,
    *,
    mode: Mode = "infix",
    equal: Equal | None = None,
    engine: Engine | None = None,
    algorithm: DistanceAlgorithm | None = None,
    progress: Progress | None = None,
) -> Places:
    """Returns the parts of `b` that are nearest to `a`. In the mode "infix", if several parts have
    the same end, it returns the longest. These are the locations of edlib.

    With `mode="prefix"`, parts begin at the start of `b`; with `mode="suffix"`, they end at its end.

    >>> import carrywave
    >>> found = carrywave.places("ACGT", "TTACCTGGACT")
    >>> found.distance, found.starts.tolist(), found.ends.tolist()
    (1, [2, 8], [6, 11])
    """
    distance, starts, ends = _carrywave.nearest_places(
        a, b, mode=mode, equal=equal, starts=True, engine=engine, algorithm=algorithm, progress=progress
    )
    return Places(distance, starts, ends)
