"""Reads and their nearest barcodes, and the molecules of each barcode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import _carrywave
from ._columns import equal, hashed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._types import Progress, Strings, Text


class BarcodeMatch(NamedTuple):
    """The nearest barcode of a read. Positions count bases from 0, and the end is not included.

    `ambiguous` is true if another barcode has fewer than `margin` errors more.
    """

    barcode: int
    errors: int
    start: int
    end: int
    ambiguous: bool


class BarcodeMatches(NamedTuple):
    """The nearest barcodes of reads: arrays with a number for each read.

    If all barcodes have too many errors, `barcode`, `start` and `end` are -1, and `errors` is
    `carrywave.MISSING`.
    """

    barcode: npt.NDArray[np.int64]
    errors: npt.NDArray[np.int32]
    start: npt.NDArray[np.int64]
    end: npt.NDArray[np.int64]
    ambiguous: npt.NDArray[np.bool_]

    @property
    def assigned(self) -> npt.NDArray[np.int64]:
        """The barcode of each read; -1 if there is none, or if the read is ambiguous."""
        import numpy as np

        return np.where(self.ambiguous, -1, self.barcode)

    def __eq__(self, other: object) -> bool:
        return equal(self, other) if isinstance(other, BarcodeMatches) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hashed(self)


class Barcodes:
    """A list of barcodes, prepared for many reads: an index with 40 bytes for each barcode besides
    its bases.

    A barcode has bases A, C, G and T. The whole barcode is aligned with a part of the read that
    begins at `place`: a position from 0, a pair of the first and the last position, or "anywhere".
    It has at most `errors` errors: the least edit distance of any such part, or with
    `mismatches_only` the mismatches of a part of its length. A read is ambiguous if another barcode
    has fewer than `margin` errors more. `errors + margin` is at most 16. Other letters of a read,
    such as N, are errors.

    >>> import carrywave
    >>> barcodes = carrywave.Barcodes(["ACGTACGT", "TTGCATGC"])
    >>> barcodes.nearest("TTGATGCCCCCC")
    BarcodeMatch(barcode=1, errors=1, start=0, end=7, ambiguous=False)
    >>> found = barcodes.assign(["ACGTACGTAAAA", "TTGATGCCCCCC", "GGGGGGGG"])
    >>> found.assigned.tolist(), found.end.tolist()
    ([0, 1, -1], [8, 7, -1])
    >>> carrywave.Barcodes(["ACGTACGT"], place=(0, 4)).nearest("ggACGTACGT").start
    2

    Raises ValueError for an empty list, other letters, a barcode that is in the list twice, and one
    with no more bases than `errors + margin - 1`; its number in the message is from 1.
    """

    __slots__ = ("_arguments", "_barcodes")

    def __init__(
        self,
        barcodes: Text | Strings,
        *,
        errors: int = 1,
        margin: int = 1,
        mismatches_only: bool = False,
        place: int | tuple[int, int] | Literal["anywhere"] = 0,
    ) -> None:
        if isinstance(barcodes, Iterator):
            barcodes = [barcode for barcode in barcodes]
        if isinstance(place, str):
            if place != "anywhere":
                raise ValueError(f"a place is a position, a pair of positions or 'anywhere', not {place[:80]!r}")
            window = None
        else:
            window = place if isinstance(place, tuple) else (place, place)
        self._arguments: dict[str, Any] = {
            "barcodes": barcodes,
            "errors": errors,
            "margin": margin,
            "mismatches_only": mismatches_only,
            "place": place,
        }
        self._barcodes = _carrywave.Barcodes(
            barcodes, errors=errors, margin=margin, mismatches_only=mismatches_only, window=window
        )

    def nearest(self, read: Text) -> BarcodeMatch | None:
        """Returns the nearest barcode of a read, the first of several that are equally near; None if
        all have too many errors. The start is the first that has the fewest errors; the end makes the
        part's length the nearest to the barcode's.
        """
        found = self._barcodes.nearest(read)
        return None if found is None else BarcodeMatch(*found)

    def assign(self, reads: Strings, *, progress: Progress | None = None) -> BarcodeMatches:
        """Returns the nearest barcode of each read, on all threads. A missing read has none."""
        barcode, errors, start, end, ambiguous = self._barcodes.assign(reads, progress=progress)
        return BarcodeMatches(barcode, errors, start, end, ambiguous.view("bool"))

    def __len__(self) -> int:
        return len(self._barcodes)

    def __reduce__(self) -> tuple[Any, ...]:
        return _barcodes, (self._arguments,)


def _barcodes(arguments: dict[str, Any]) -> Barcodes:
    return Barcodes(**arguments)


class Molecules(NamedTuple):
    """Counts of the barcodes that have molecules: arrays of the barcodes, of their reads, of their
    different UMIs and of their molecules.
    """

    barcode: npt.NDArray[np.int64]
    reads: npt.NDArray[np.int64]
    umis: npt.NDArray[np.int64]
    molecules: npt.NDArray[np.int64]

    def __eq__(self, other: object) -> bool:
        return equal(self, other) if isinstance(other, Molecules) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hashed(self)


def molecules(
    barcodes: npt.ArrayLike,
    umis: Strings,
    *,
    length: int | None = None,
    progress: Progress | None = None,
) -> Molecules:
    """Returns the number of molecules of each barcode, given the barcode's number and the UMI of each
    read. Reads with a negative number, such as in `BarcodeMatches.assigned`, are left out, and so
    are those whose UMI is missing, has other letters than A, C, G and T, or has not `length` bases
    (1 to 31; by default as many as the longest).

    The UMIs of a barcode are joined by the directional method of UMI-tools (Smith, Heger and Sudbery
    2017): UMI a takes UMI b if they differ in one base and count(a) >= 2 count(b) - 1. A UMI that
    none takes is one molecule with all that it reaches. Takes 24 to 48 bytes for each different pair
    of barcode and UMI.

    >>> import carrywave
    >>> found = carrywave.molecules([7, 7, 7, 7, 2, -1], ["ACGT", "ACGT", "ACGA", "TTTT", "ACGT", "ACGT"])
    >>> found.barcode.tolist(), found.reads.tolist(), found.umis.tolist(), found.molecules.tolist()
    ([2, 7], [1, 4], [1, 3], [1, 2])

    Raises ValueError for lists of different lengths and for another `length`.
    """
    import numpy as np

    numbers = np.asarray(barcodes)
    if numbers.dtype.kind not in "iu" and len(numbers) > 0:
        raise TypeError("the numbers of barcodes are integers")
    return Molecules(*_carrywave.molecules(numbers.astype(np.int64).tobytes(), umis, length=length, progress=progress))
