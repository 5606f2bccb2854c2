"""The overlap of two strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _carrywave

if TYPE_CHECKING:
    from ._types import Engine, Equal, Progress, String


class Overlap(NamedTuple):
    """The best overlap of two strings. Positions count symbols from 0, and ends are not included."""

    score: int
    distance: int
    a_start: int
    a_end: int
    b_start: int
    b_end: int


def overlap(
    a: String,
    b: String,
    *,
    equal: Equal | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Overlap:
    """Returns the best overlap of two strings: a suffix of one with a prefix of the other, or all of
    one with a part of the other. Symbols outside the overlap cost nothing.

    The score is the number of symbols of both parts, less four times their edit distance: 2 for a
    match, -2 for a substitution, -3 for a symbol that only one part has. If no overlap has a
    positive score, the result has the score 0 and is empty. Of several overlaps with the same score,
    the result is the one that ends first in `b`, then first in `a`; of these, the one that starts
    first in `a`, then first in `b`.

    >>> import carrywave
    >>> a, b = "TTTTGATTACA", "GATACACCC"
    >>> found = carrywave.overlap(a, b)
    >>> found
    Overlap(score=9, distance=1, a_start=4, a_end=11, b_start=0, b_end=6)
    >>> carrywave.align(a[found.a_start : found.a_end], b[found.b_start : found.b_end]).cigar
    '2=1I4='

    Takes at most 2 m n cells on one thread of the CPU, or 4 m n on a GPU. Raises ValueError for an
    engine that cannot do it, such as a GPU with `equal="iupac"`, and MemoryError.
    """
    return Overlap(*_carrywave.overlap(a, b, equal=equal, engine=engine, progress=progress))
