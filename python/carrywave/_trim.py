"""Adapters and ends of low quality, removed from reads by the rules of cutadapt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _carrywave
from ._columns import equal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._types import Progress, Strings, TrimAction


class Trimmed(NamedTuple):
    """Trimmed reads: lists and arrays with an item for each read.

    `sequences` and `qualities` are `str` or `bytes`, as they were given. `adapter` is the number of
    the last adapter that was found, in the order 3', 5' and either end, or -1. `filter` is the name
    of the filter that a read fails, such as "too_short", or None. `reversed` is true for the other
    strand of a read.
    """

    sequences: list[Any]
    qualities: list[Any] | None
    adapter: npt.NDArray[np.int64]
    filter: list[str | None]
    reversed: npt.NDArray[np.bool_]

    def __eq__(self, other: object) -> bool:
        return equal(self, other) if isinstance(other, Trimmed) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((tuple(self.sequences), tuple(self.filter), self.adapter.tobytes()))

    def passed(self) -> npt.NDArray[np.int64]:
        """Returns the numbers of the reads that fail no filter."""
        import numpy as np

        return np.array([number for number, filter in enumerate(self.filter) if filter is None], np.int64)


class Trimmer:
    """Settings for trimming reads, by the rules of cutadapt (Martin 2011).

    Adapters are texts in cutadapt's notation, such as "ACGT", "^ACGT", "ACGT$", "XACGT",
    "ACGT...TTGA", "ACGT;e=0.2;o=5", one or a list: `adapters` of the 3' end, `front` of the 5' end,
    `anywhere` of either end. An adapter matches with `error_rate` errors for each of its symbols
    (from 1 on: in the whole adapter), with insertions and deletions unless `indels` is false, and
    with at least `overlap` symbols; up to `times` adapters are removed. `action` is "trim",
    "retain", "mask", "lowercase", "crop" or "none". With `reverse_complement` both strands are
    searched, and the one with the better match is kept.

    The steps have this order: `cut_start` and `cut_end` symbols are removed; ends with qualities
    below `quality_cutoff` (of the 3' end, or a pair of 5' and 3' end; `quality_base` is the
    character of quality 0); adapters; poly-A tails with `poly_a`; the first `length` symbols are
    kept, or with a negative number the last ones; N at the ends with `trim_n`. Reads fail filters if
    they have fewer symbols than `min_length` or more than `max_length`, more N than `max_n` (below
    1: for each symbol), more errors expected of their qualities than `max_expected_errors`, or an
    adapter with `discard_trimmed`, none with `discard_untrimmed`.

    >>> import carrywave
    >>> trimmer = carrywave.Trimmer("AGATCGGAAGAGC", quality_cutoff=20, min_length=5)
    >>> trimmed = trimmer.trim(["GATTACAGATTACAAGATCGGTAGAGCAC", "GATTACA"], ["I" * 29, "IIII###"])
    >>> trimmed.sequences, trimmed.qualities
    (['GATTACAGATTACA', 'GATT'], ['IIIIIIIIIIIIII', 'IIII'])
    >>> trimmed.adapter.tolist(), trimmed.filter
    ([0, -1], [None, 'too_short'])

    Raises ValueError for an adapter or settings that do not make sense.
    """

    __slots__ = ("_options", "_trimmer")

    def __init__(
        self,
        adapters: str | Iterable[str] = (),
        *,
        front: str | Iterable[str] = (),
        anywhere: str | Iterable[str] = (),
        error_rate: float = 0.1,
        overlap: int = 3,
        indels: bool = True,
        times: int = 1,
        action: TrimAction = "trim",
        reverse_complement: bool = False,
        cut_start: int = 0,
        cut_end: int = 0,
        quality_cutoff: int | tuple[int, int] | None = None,
        quality_base: int = 33,
        poly_a: bool = False,
        length: int | None = None,
        trim_n: bool = False,
        min_length: int | None = None,
        max_length: int | None = None,
        max_n: float | None = None,
        max_expected_errors: float | None = None,
        discard_trimmed: bool = False,
        discard_untrimmed: bool = False,
    ) -> None:
        options = dict(locals())
        del options["self"]
        for name in ("adapters", "front", "anywhere"):
            options[name] = [options[name]] if isinstance(options[name], str) else list(options[name])
        if quality_cutoff is not None and not isinstance(quality_cutoff, tuple):
            options["quality_cutoff"] = (0, quality_cutoff)
        self._options: dict[str, Any] = options
        self._trimmer = _carrywave.Trimmer(options)

    def trim(self, sequences: Strings, qualities: Strings | None = None, *, progress: Progress | None = None) -> Trimmed:
        """Trims reads, on all threads. `qualities` have a character for each symbol, as in FASTQ;
        without them, the steps and filters that need qualities do nothing.

        Raises ValueError if a read is missing, is not ASCII, or has another number of qualities.
        """
        symbols, lines, adapter, filter, reversed = self._trimmer.trim(sequences, qualities, progress=progress)
        return Trimmed(symbols, lines, adapter, filter, reversed.view("bool"))

    def __reduce__(self) -> tuple[Any, ...]:
        return _trimmer, (self._options,)


def _trimmer(options: dict[str, Any]) -> Trimmer:
    return Trimmer(**options)
