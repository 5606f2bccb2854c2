"""Occurrences of patterns in texts, with errors; and the part of a text nearest to a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from . import _carrywave
from ._columns import equal, hashed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._carrywave import ResidentText
    from ._types import Alphabet, Anchor, BestAlgorithm, Ends, Engine, Progress, SearchAlgorithm, Strings, Text, TextCodes


class Hit(NamedTuple):
    """An occurrence of a pattern. Positions count symbols from 0, and the end is not included.
    `strand` is 1, or -1 for the reverse strand. `beyond` has the numbers of the pattern's symbols
    before the start of the text and after its end, in a search with an `overhang`.
    """

    record: int
    start: int
    end: int
    pattern: int
    strand: int
    errors: int
    beyond: tuple[int, int] = (0, 0)


class Hits(Sequence[Hit]):
    """Occurrences, ordered by record, start, end, pattern and strand, with each field as an array
    of NumPy.

    `strand` is 1 for the forward strand and -1 for the reverse one. `beyond` has a row of two
    numbers for each occurrence. Two objects are equal if they have the same occurrences.
    """

    __slots__ = ("beyond", "end", "errors", "pattern", "record", "start", "strand")

    record: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    end: npt.NDArray[np.int64]
    pattern: npt.NDArray[np.int64]
    strand: npt.NDArray[np.int8]
    errors: npt.NDArray[np.int32]
    beyond: npt.NDArray[np.int32]

    def __init__(self, columns: tuple[Any, ...]) -> None:
        self.record, self.start, self.end, self.pattern, self.strand, self.errors, self.beyond = columns

    def __len__(self) -> int:
        return len(self.start)

    def _columns(self) -> tuple[Any, ...]:
        return (self.record, self.start, self.end, self.pattern, self.strand, self.errors, self.beyond)

    def _hit(self, at: int) -> Hit:
        record, start, end, pattern, strand, errors = (int(column[at]) for column in self._columns()[:-1])
        before, after = self.beyond[at].tolist()
        return Hit(record, start, end, pattern, strand, errors, (before, after))

    @overload
    def __getitem__(self, at: int) -> Hit: ...

    @overload
    def __getitem__(self, at: slice) -> Hits: ...

    def __getitem__(self, at: int | slice) -> Hit | Hits:
        if isinstance(at, slice):
            return Hits(tuple(column[at] for column in self._columns()))
        return self._hit(range(len(self))[at])

    def __iter__(self) -> Iterator[Hit]:
        return (self._hit(at) for at in range(len(self)))

    def columns(self) -> dict[str, Any]:
        """Returns all columns by their names, for a data frame. `beyond` has two: "beyond_start" and
        "beyond_end".
        """
        columns = {name: getattr(self, name) for name in Hit._fields[:-1]}
        return {**columns, "beyond_start": self.beyond[:, 0], "beyond_end": self.beyond[:, 1]}

    def __eq__(self, other: object) -> bool:
        return equal(self._columns(), other._columns()) if isinstance(other, Hits) else NotImplemented

    def __hash__(self) -> int:
        return hashed(self._columns())

    def __reduce__(self) -> tuple[Any, ...]:
        return Hits, (self._columns(),)

    def __repr__(self) -> str:
        return f"Hits({len(self)})"


class Searcher:
    """Patterns, prepared for searches in many texts.

    `k` is the maximum number of errors (insertions, deletions and substitutions), `percent` the
    maximum in per cent of each pattern's symbols; `substitutions`, `insertions` and `deletions`
    limit each type of error. An inserted or deleted symbol counts `gap_cost` errors. With
    `transpositions`, the exchange of two neighbours is one error. With `anchor` "start", "end" or
    "both", a hit begins or ends with its text. With an `overhang`, a part of a pattern may lie
    beyond the text: its errors are limited in proportion (0), or each symbol beyond costs so many
    errors (up to 1); at least `min_overlap` symbols (3) are within. With `circular`, texts of bytes
    are circular, and the end of a hit over the origin is larger than the text's length.
    `alphabet` is "plain", "dna", "iupac" or "protein". `fixed` are
    positions of the patterns that must match. `both_strands` also searches for reverse complements.
    Of overlapping hits, only the best is reported, unless `overlapping` is set. `ends="all"`
    reports one hit for every end. `whole` searches for records that match a pattern as a whole.

    >>> import carrywave
    >>> guide = carrywave.Searcher(b"GATTACANGG", k=1, alphabet="iupac", fixed=[8, 9], both_strands=True)
    >>> [(hit.start, hit.strand, hit.errors) for hit in guide.hits(b"ccGATTCAcGGtt")]
    [(2, 1, 1)]
    >>> carrywave.Searcher("receive", k=1, transpositions=True).count("recieve")
    1
    >>> hit = carrywave.Searcher("AGATCGGAAGAG", percent=10, overhang=0).hits("TTGACCAGATCGG")[0]
    >>> hit.start, hit.end, hit.beyond
    (6, 13, (0, 5))
    >>> carrywave.Searcher(b"GATTACA", circular=True).hits(b"TACAGCCGGAT")[0].end
    15
    >>> carrywave.Searcher(["wave", "carry"]).hits(["one wave", "carry", None])
    Hits(2)
    """

    __slots__ = ("_arguments", "_searcher")

    def __init__(
        self,
        patterns: Text | Strings,
        k: int | None = None,
        *,
        percent: int | None = None,
        substitutions: int | None = None,
        insertions: int | None = None,
        deletions: int | None = None,
        gap_cost: int = 1,
        transpositions: bool = False,
        anchor: Anchor = "anywhere",
        overhang: float | None = None,
        min_overlap: int | None = None,
        circular: bool = False,
        alphabet: Alphabet = "plain",
        text_codes: TextCodes = "self",
        ignore_case: bool = False,
        fixed: Sequence[int] | None = None,
        both_strands: bool = False,
        overlapping: bool = False,
        ends: Ends = "best",
        whole: bool = False,
        engine: Engine | None = None,
        algorithm: SearchAlgorithm | None = None,
    ) -> None:
        arguments = dict(locals())
        del arguments["self"]
        if isinstance(patterns, Iterator):
            # The patterns are needed again if this object is sent to another process. A
            # comprehension, unlike `list`, ends at Ctrl-C.
            arguments["patterns"] = [pattern for pattern in patterns]
        self._arguments: dict[str, Any] = arguments
        self._searcher = _carrywave.Searcher(**self._arguments)

    def hits(self, text: Text | Strings | ResidentText, *, progress: Progress | None = None) -> Hits:
        """Returns all hits in a text. In many texts (a list or a column of Arrow), each is searched
        separately, and its number is the hit's `record`.
        """
        return Hits(self._searcher.hits(text, progress=progress))

    def count(self, text: Text | Strings | ResidentText, *, progress: Progress | None = None) -> int:
        """Returns the number of hits. Fastest with `ends="all"`, which needs no starts."""
        return self._searcher.count(text, progress=progress)

    def __len__(self) -> int:
        return len(self._searcher)

    def __reduce__(self) -> tuple[Any, ...]:
        return _searcher, (self._arguments,)


def _searcher(arguments: dict[str, Any]) -> Searcher:
    return Searcher(**arguments)


def search(
    pattern: Text | Strings,
    text: Text | Strings | ResidentText,
    k: int | None = None,
    *,
    percent: int | None = None,
    substitutions: int | None = None,
    insertions: int | None = None,
    deletions: int | None = None,
    gap_cost: int = 1,
    transpositions: bool = False,
    anchor: Anchor = "anywhere",
    overhang: float | None = None,
    min_overlap: int | None = None,
    circular: bool = False,
    alphabet: Alphabet = "plain",
    text_codes: TextCodes = "self",
    ignore_case: bool = False,
    fixed: Sequence[int] | None = None,
    both_strands: bool = False,
    overlapping: bool = False,
    ends: Ends = "best",
    whole: bool = False,
    engine: Engine | None = None,
    algorithm: SearchAlgorithm | None = None,
    progress: Progress | None = None,
) -> Hits:
    """Searches a text for a pattern, or for several, with at most `k` errors. The options are those
    of `Searcher`.

    >>> import carrywave
    >>> hits = carrywave.search("GATTACA", "ccGATTCAcc", k=1)
    >>> hits[0]
    Hit(record=0, start=2, end=8, pattern=0, strand=1, errors=1, beyond=(0, 0))
    >>> hits.start.tolist()
    [2]
    >>> len(carrywave.search(b"AC", b"ACGTAC", alphabet="dna", both_strands=True))
    3
    """
    options = dict(locals())
    del options["pattern"], options["text"], options["progress"]
    return Searcher(pattern, **options).hits(text, progress=progress)


class Best(NamedTuple):
    """The part of a text that is nearest to a pattern, with its alignment."""

    distance: int
    start: int
    end: int
    cigar: str


def best(
    pattern: Text,
    text: Text,
    *,
    alphabet: Alphabet = "plain",
    text_codes: TextCodes = "self",
    ignore_case: bool = False,
    engine: Engine | None = None,
    algorithm: BestAlgorithm | None = None,
    progress: Progress | None = None,
) -> Best:
    """Returns the part of a text that is nearest to a pattern; the first if several are equally
    near.

    >>> import carrywave
    >>> carrywave.best("carrywave", "to carry  wave")
    Best(distance=2, start=3, end=14, cigar='5=2D4=')
    """
    return Best(
        *_carrywave.best(
            pattern,
            text,
            alphabet=alphabet,
            text_codes=text_codes,
            ignore_case=ignore_case,
            engine=engine,
            algorithm=algorithm,
            progress=progress,
        )
    )
