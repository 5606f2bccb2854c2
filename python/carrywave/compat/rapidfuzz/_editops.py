"""Edit operations like those of `rapidfuzz.distance`: lists of single operations, and of blocks.

`Editops` lists single operations, each on one symbol of either string, without matches. `Opcodes`
lists blocks, including matches, like Python's `difflib`. Each type converts to the other. Both
check the list that they are made from. Two objects of the same type are equal if they have the same
operations and the same two lengths.

>>> operations = Editops([("delete", 0, 0), ("replace", 3, 2), ("insert", 4, 3)], 4, 4)
>>> operations.apply("spam", "park")
'park'
>>> operations.as_opcodes().as_list()
[('delete', 0, 1, 0, 0), ('equal', 1, 3, 0, 2), ('replace', 3, 4, 2, 3), ('insert', 4, 4, 3, 4)]

The error messages are those of rapidfuzz, because programs test for them.
"""

from __future__ import annotations

from operator import index
from typing import Any, Iterator, TypeVar

__all__ = ["Editop", "Editops", "MatchingBlock", "Opcode", "Opcodes", "ScoreAlignment"]

_TAGS = frozenset(("equal", "replace", "insert", "delete"))
_PART = 1 << 16
"""Number of operations that are compared at a time."""

_INVERSE = {"insert": "delete", "delete": "insert", "replace": "replace", "equal": "equal"}

_INVALID = "List of edit operations invalid"
_WRONG_SHAPE = "Expected list of 3-tuples, or a list of 5-tuples"
_NO_SUBSEQUENCE = "subsequence is not a subsequence"
_BACKWARDS = "step sizes below 0 lead to an invalid order of editops"


def _size(value: Any) -> int:
    """Returns a length or a position: a non-negative whole number of 64 bits. Other numbers are
    truncated, as in rapidfuzz.
    """
    if isinstance(value, (str, bytes, bytearray)) or not (hasattr(value, "__int__") or hasattr(value, "__index__")):
        raise TypeError("an integer is required")
    number = int(value)
    if number < 0:
        raise OverflowError("can't convert negative value to size_t")
    if number >= 1 << 64:
        raise OverflowError("Python int too large to convert to C size_t")
    return number


def _position(value: Any) -> int:
    """Returns a position of a record, which may be negative."""
    number = index(value)
    if not -(1 << 63) <= number < 1 << 63:
        raise OverflowError("Python int too large to convert to C ssize_t")
    return number


def _text(value: Any) -> str:
    """Returns the string that operations are applied to; each byte of bytes is one symbol."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    raise TypeError("expected strings or bytes object")


def _tag(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"Expected str, got {type(value).__name__}")
    return value


class _Record:
    """Named fields that also behave like a tuple: with a length, an index and comparison.

    The fields can be set, so a record is not hashable.
    """

    __slots__: tuple[str, ...] = ()
    _out_of_range = "index out of range"

    def __len__(self) -> int:
        return len(self.__slots__)

    def __iter__(self) -> Iterator[Any]:
        for name in self.__slots__:
            yield getattr(self, name)

    def __getitem__(self, position: int) -> Any:
        position = index(position)
        if not -len(self) <= position < len(self):
            raise IndexError(self._out_of_range)
        return getattr(self, self.__slots__[position])

    def __eq__(self, other: object) -> bool:
        try:
            return len(other) == len(self) and all(self[i] == other[i] for i in range(len(self)))  # type: ignore
        except Exception:  # values that cannot be compared are not equal
            return False

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"


class Editop(_Record):
    """One edit operation: `tag` is "replace", "delete" or "insert".

    A replacement puts `dest[dest_pos]` in place of `src[src_pos]`, a deletion removes
    `src[src_pos]`, and an insertion puts `dest[dest_pos]` before `src[src_pos]`.

    >>> operation = Editop("insert", 6, 5)
    >>> tag, src_pos, dest_pos = operation
    >>> operation == ("insert", 6, 5)
    True
    """

    __slots__ = ("tag", "src_pos", "dest_pos")
    _out_of_range = "Editop index out of range"

    def __init__(self, tag: str, src_pos: int, dest_pos: int) -> None:
        self.tag = _tag(tag)
        self.src_pos = _position(src_pos)
        self.dest_pos = _position(dest_pos)


class Opcode(_Record):
    """One block: `src[src_start:src_end]` becomes `dest[dest_start:dest_end]`.

    `tag` is "equal", "replace", "insert" (no symbols of `src`) or "delete" (no symbols of `dest`).

    >>> Opcode("delete", 0, 1, 0, 0)
    Opcode(tag='delete', src_start=0, src_end=1, dest_start=0, dest_end=0)
    """

    __slots__ = ("tag", "src_start", "src_end", "dest_start", "dest_end")
    _out_of_range = "Opcode index out of range"

    def __init__(self, tag: str, src_start: int, src_end: int, dest_start: int, dest_end: int) -> None:
        self.tag = _tag(tag)
        self.src_start = _position(src_start)
        self.src_end = _position(src_end)
        self.dest_start = _position(dest_start)
        self.dest_end = _position(dest_end)


class MatchingBlock(_Record):
    """Equal parts: `src[a:a + size]` and `dest[b:b + size]`.

    >>> MatchingBlock(a=0, b=3, size=2) == (0, 3, 2)
    True
    """

    __slots__ = ("a", "b", "size")
    _out_of_range = "MatchingBlock index out of range"

    def __init__(self, a: int, b: int, size: int) -> None:
        self.a = _size(a)
        self.b = _size(b)
        self.size = _size(size)


class ScoreAlignment(_Record):
    """A score, and the parts that it belongs to: `src[src_start:src_end]` and
    `dest[dest_start:dest_end]`.

    >>> ScoreAlignment(75.0, 0, 4, 2, 6).score
    75.0
    """

    __slots__ = ("score", "src_start", "src_end", "dest_start", "dest_end")
    _out_of_range = "Opcode index out of range"  # the word is rapidfuzz's

    def __init__(self, score: float, src_start: int, src_end: int, dest_start: int, dest_end: int) -> None:
        self.score = score
        self.src_start = _position(src_start)
        self.src_end = _position(src_end)
        self.dest_start = _position(dest_start)
        self.dest_end = _position(dest_end)

    def __repr__(self) -> str:
        return (
            f"ScoreAlignment(score={self.score}, src_start={self.src_start}, src_end={self.src_end}, "
            f"dest_start={self.dest_start}, dest_end={self.dest_end})"
        )


def _checked_operations(given: Any, src_len: int, dest_len: int) -> list[tuple[str, int, int]]:
    """Returns the 3-tuples of a list of single operations, in order and within the lengths, without
    "equal".
    """
    operations: list[tuple[str, int, int]] = []
    for operation in given:
        if len(operation) != 3:
            raise TypeError(_WRONG_SHAPE)
        tag = operation[0]
        if tag not in _TAGS:
            raise ValueError("Invalid Edit Type")
        src_pos, dest_pos = _size(operation[1]), _size(operation[2])
        # an operation that takes a symbol must stand before the end of its string
        last_src = src_len if tag == "insert" else src_len - 1
        last_dest = dest_len if tag == "delete" else dest_len - 1
        if src_pos > last_src or dest_pos > last_dest:
            raise ValueError(_INVALID)
        if tag != "equal":
            operations.append((tag, src_pos, dest_pos))
    for (_, src, dest), (_, next_src, next_dest) in zip(operations, operations[1:]):
        if next_src < src or next_dest < dest:
            raise ValueError("List of edit operations out of order")
        if (next_src, next_dest) == (src, dest):
            raise ValueError("Duplicated edit operation")
    return operations


def _checked_blocks(given: Any, src_len: int, dest_len: int) -> list[tuple[str, int, int, int, int]]:
    """Returns the 5-tuples of a list of blocks that cover both strings. Neighbours with the same
    tag become one block.
    """
    blocks: list[tuple[str, int, int, int, int]] = []
    for block in given:
        if len(block) != 5:
            raise TypeError(_WRONG_SHAPE)
        tag = block[0]
        if tag not in _TAGS:
            raise ValueError("Invalid Edit Type")
        # By index, because an Opcode cannot be sliced.
        src, src_end, dest, dest_end = (_size(block[at]) for at in range(1, 5))
        of_src, of_dest = src_end - src, dest_end - dest
        if tag == "insert":
            fits = of_src == 0 and of_dest > 0
        elif tag == "delete":
            fits = of_src > 0 and of_dest == 0
        else:
            fits = of_src == of_dest > 0
        if not fits or src_end > src_len or dest_end > dest_len:
            raise ValueError(_INVALID)
        if blocks and (tag, src, dest) == (blocks[-1][0], blocks[-1][2], blocks[-1][4]):
            blocks[-1] = (tag, blocks[-1][1], src_end, blocks[-1][3], dest_end)
        else:
            blocks.append((tag, src, src_end, dest, dest_end))
    if (blocks[0][1], blocks[0][3]) != (0, 0):
        raise ValueError("List of edit operations does not start at position 0")
    if (blocks[-1][2], blocks[-1][4]) != (src_len, dest_len):
        raise ValueError("List of edit operations does not end at the string ends")
    for (_, _, src_end, _, dest_end), (_, src, _, dest, _) in zip(blocks, blocks[1:]):
        if (src, dest) != (src_end, dest_end):
            raise ValueError("List of edit operations is not continuous")
    return blocks


def _blocks_of_operations(
    operations: list[tuple[str, int, int]], src_len: int, dest_len: int
) -> list[tuple[str, int, int, int, int]]:
    """Converts single operations to blocks. The symbols between two operations are "equal", even if
    operations have been removed there.
    """
    blocks: list[tuple[str, int, int, int, int]] = []
    src = dest = 0  # end of the last block
    for tag, src_pos, dest_pos in operations:
        if src < src_pos or dest < dest_pos:
            blocks.append(("equal", src, src_pos, dest, dest_pos))
            src, dest = src_pos, dest_pos
        after_src = src + (tag != "insert")
        after_dest = dest + (tag != "delete")
        if blocks and blocks[-1][0] == tag and (src, dest) == (src_pos, dest_pos):
            blocks[-1] = (tag, blocks[-1][1], after_src, blocks[-1][3], after_dest)
        else:
            blocks.append((tag, src, after_src, dest, after_dest))
        src, dest = after_src, after_dest
    if src < src_len or dest < dest_len:
        blocks.append(("equal", src, src_len, dest, dest_len))
    return blocks


def _operations_of_blocks(blocks: list[tuple[str, int, int, int, int]]) -> list[tuple[str, int, int]]:
    operations: list[tuple[str, int, int]] = []
    for tag, src, src_end, dest, dest_end in blocks:
        if tag == "replace":
            operations.extend((tag, src + i, dest + i) for i in range(src_end - src))
        elif tag == "insert":
            operations.extend((tag, src, position) for position in range(dest, dest_end))
        elif tag == "delete":
            operations.extend((tag, position, dest) for position in range(src, src_end))
    return operations


_Kind = TypeVar("_Kind", bound="_Operations")


class _Operations:
    """Common parts of `Editops` and `Opcodes`: a list of tuples and the lengths of both strings."""

    __slots__ = ("_items", "_src_len", "_dest_len")
    _record: Any = _Record
    _out_of_range = ""

    _items: list[Any]
    _src_len: int
    _dest_len: int

    @classmethod
    def _of(cls: type[_Kind], items: list[Any], src_len: int, dest_len: int) -> _Kind:
        """Creates an object from a list of tuples without checks, for callers that know it is
        valid.
        """
        made = cls.__new__(cls)
        made._items, made._src_len, made._dest_len = items, src_len, dest_len
        return made

    @property
    def src_len(self) -> int:
        """Length of the string that is changed."""
        return self._src_len

    @src_len.setter
    def src_len(self, value: int) -> None:
        self._src_len = _size(value)

    @property
    def dest_len(self) -> int:
        """Length of the resulting string."""
        return self._dest_len

    @dest_len.setter
    def dest_len(self, value: int) -> None:
        self._dest_len = _size(value)

    def as_list(self) -> list[tuple[Any, ...]]:
        """Returns the operations as a list of tuples."""
        return list(self._items)

    def copy(self: _Kind) -> _Kind:
        """Returns a copy with its own list of the same operations."""
        return self._of(list(self._items), self._src_len, self._dest_len)

    def _one(self, position: int) -> Any:
        if not -len(self._items) <= position < len(self._items):
            raise IndexError(self._out_of_range)
        return self._record(*self._items[position])

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        for item in self._items:
            yield self._record(*item)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Operations) or type(other) is not type(self):
            return False
        if (len(self), self._src_len, self._dest_len) != (len(other), other._src_len, other._dest_len):
            return False
        # In parts, because a comparison of two long lists cannot be interrupted.
        return all(self._items[at : at + _PART] == other._items[at : at + _PART] for at in range(0, len(self), _PART))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        items = ", ".join(map(repr, self))
        return f"{type(self).__name__}([{items}], src_len={self._src_len}, dest_len={self._dest_len})"


class Editops(_Operations):
    """The single operations that turn one string into another, from left to right.

    `editops` is a list of 3-tuples or `Editop`, or of 5-tuples or `Opcode`, which are converted.

    >>> operations = Editops([("delete", 1, 1), ("replace", 2, 1)], 3, 2)
    >>> len(operations), operations[-1], operations.src_len
    (2, Editop(tag='replace', src_pos=2, dest_pos=1), 3)
    >>> Editops([("delete", 3, 0)], 3, 2)
    Traceback (most recent call last):
    ...
    ValueError: List of edit operations invalid

    A part of the list can be taken or removed; both lengths stay:

    >>> operations[1:].as_list()
    [('replace', 2, 1)]
    >>> del operations[0]
    >>> operations.as_list()
    [('replace', 2, 1)]
    """

    __slots__ = ()
    _record = Editop
    _out_of_range = "Editops index out of range"

    def __init__(self, editops: Any = None, src_len: int = 0, dest_len: int = 0) -> None:
        if editops is None:  # as in rapidfuzz, the lengths are then ignored
            self._items, self._src_len, self._dest_len = [], 0, 0
            return
        self._src_len, self._dest_len = _size(src_len), _size(dest_len)
        if len(editops) and len(editops[0]) == 5:
            self._items = _operations_of_blocks(_checked_blocks(editops, self._src_len, self._dest_len))
        else:
            self._items = _checked_operations(editops, self._src_len, self._dest_len)

    @classmethod
    def from_opcodes(cls, opcodes: Opcodes) -> Editops:
        """Converts blocks to single operations.

        >>> Editops.from_opcodes(Opcodes([("insert", 0, 0, 0, 2)], 0, 2)).as_list()
        [('insert', 0, 0), ('insert', 0, 1)]
        """
        if not isinstance(opcodes, Opcodes):
            raise TypeError(f"Argument 'opcodes' has incorrect type (expected Opcodes, got {type(opcodes).__name__})")
        return opcodes.as_editops()

    def as_opcodes(self) -> Opcodes:
        """Returns the same operations as blocks, including matches.

        >>> Editops([("replace", 1, 1)], 3, 3).as_opcodes().as_list()
        [('equal', 0, 1, 0, 1), ('replace', 1, 2, 1, 2), ('equal', 2, 3, 2, 3)]
        """
        blocks = _blocks_of_operations(self._items, self._src_len, self._dest_len)
        return Opcodes._of(blocks, self._src_len, self._dest_len)

    def as_matching_blocks(self) -> list[MatchingBlock]:
        """Returns the parts that match, and an empty block at both ends, like `difflib`.

        >>> Editops([("delete", 1, 1)], 3, 2).as_matching_blocks()
        [MatchingBlock(a=0, b=0, size=1), MatchingBlock(a=2, b=1, size=1), MatchingBlock(a=3, b=2, size=0)]
        """
        return self.as_opcodes().as_matching_blocks()

    def inverse(self) -> Editops:
        """Returns the operations that turn the second string into the first.

        >>> Editops([("delete", 0, 0), ("insert", 4, 3)], 4, 4).inverse().as_list()
        [('insert', 0, 0), ('delete', 3, 4)]
        """
        inverse = [(_INVERSE[tag], dest, src) for tag, src, dest in self._items]
        return Editops._of(inverse, self._dest_len, self._src_len)

    def apply(self, source_string: str | bytes, destination_string: str | bytes) -> str:
        """Applies the operations to `source_string`. Inserted symbols come from
        `destination_string`.

        Bytes are treated as the characters of the same numbers; the result is a `str`.

        >>> Editops([("replace", 1, 1)], 3, 3).apply("abc", "xyz")
        'ayc'
        """
        source, destination = _text(source_string), _text(destination_string)
        parts: list[str] = []
        done = 0  # number of symbols of the source that are done
        for tag, src, dest in self._items:
            if src + (tag != "insert") > len(source) or dest + (tag != "delete") > len(destination):
                raise ValueError("an edit operation is outside of the strings")
            parts.append(source[done:src])
            if tag != "delete":
                parts.append(destination[dest])
            done = max(done, src) + (tag != "insert")
        parts.append(source[done:])
        return "".join(parts)

    def remove_subsequence(self, subsequence: Editops) -> Editops:
        """Returns the remaining operations after those of `subsequence` have been applied.

        The operations of `subsequence` must occur here in the same order. The others move by the
        symbols inserted and deleted before them; the lengths stay.

        >>> operations = Editops([("delete", 0, 0), ("replace", 3, 2)], 4, 3)
        >>> operations.remove_subsequence(operations[:1]).as_list()
        [('replace', 2, 2)]
        """
        if not isinstance(subsequence, Editops):
            raise TypeError(
                f"Argument 'subsequence' has incorrect type (expected Editops, got {type(subsequence).__name__})"
            )
        removed = iter(subsequence._items)
        next_removed = next(removed, None)
        shift = 0
        left: list[tuple[str, int, int]] = []
        for operation in self._items:
            tag, src, dest = operation
            if operation == next_removed:
                shift += (tag == "insert") - (tag == "delete")
                next_removed = next(removed, None)
            else:
                left.append((tag, src + shift, dest))
        if next_removed is not None:
            raise ValueError(_NO_SUBSEQUENCE)
        return Editops._of(left, self._src_len, self._dest_len)

    def __getitem__(self, key: int | slice) -> Any:
        if isinstance(key, int):
            return self._one(key)
        if isinstance(key, slice):
            return self._of(self._items[self._forward(key)], self._src_len, self._dest_len)
        raise TypeError("Expected index or slice")

    def __delitem__(self, key: int | slice) -> None:
        if isinstance(key, int):
            self._one(key)  # raises the error for an index out of range
            del self._items[key]
        elif isinstance(key, slice):
            del self._items[self._forward(key)]
        else:
            raise TypeError("Expected index or slice")

    def _forward(self, key: slice) -> slice:
        """Returns the slice itself. Fails if it reverses the order."""
        if key.indices(len(self._items))[2] < 0:
            raise ValueError(_BACKWARDS)
        return key


class Opcodes(_Operations):
    """The blocks that turn one string into another, from left to right, without gaps.

    `opcodes` is a list of 5-tuples or `Opcode`, or of 3-tuples or `Editop`, which are converted.
    Neighbours with the same tag become one block.

    >>> Opcodes([("equal", 0, 1, 0, 1), ("equal", 1, 2, 1, 2), ("insert", 2, 2, 2, 3)], 2, 3).as_list()
    [('equal', 0, 2, 0, 2), ('insert', 2, 2, 2, 3)]
    >>> Opcodes([("equal", 0, 1, 0, 1)], 2, 2)
    Traceback (most recent call last):
    ...
    ValueError: List of edit operations does not end at the string ends
    """

    __slots__ = ()
    _record = Opcode
    _out_of_range = "Opcodes index out of range"

    def __init__(self, opcodes: Any = None, src_len: int = 0, dest_len: int = 0) -> None:
        if opcodes is None:  # as in rapidfuzz, the lengths are then ignored
            self._items, self._src_len, self._dest_len = [], 0, 0
            return
        self._src_len, self._dest_len = _size(src_len), _size(dest_len)
        if len(opcodes) == 0 or len(opcodes[0]) == 3:
            operations = _checked_operations(opcodes, self._src_len, self._dest_len)
            self._items = _blocks_of_operations(operations, self._src_len, self._dest_len)
        else:
            self._items = _checked_blocks(opcodes, self._src_len, self._dest_len)

    @classmethod
    def from_editops(cls, editops: Editops) -> Opcodes:
        """Converts single operations to blocks.

        >>> Opcodes.from_editops(Editops([("delete", 0, 0)], 2, 1)).as_list()
        [('delete', 0, 1, 0, 0), ('equal', 1, 2, 0, 1)]
        """
        if not isinstance(editops, Editops):
            raise TypeError(f"Argument 'editops' has incorrect type (expected Editops, got {type(editops).__name__})")
        return editops.as_opcodes()

    def as_editops(self) -> Editops:
        """Returns the same operations as single operations, without matches.

        >>> Opcodes([("replace", 0, 2, 0, 2)], 2, 2).as_editops().as_list()
        [('replace', 0, 0), ('replace', 1, 1)]
        """
        return Editops._of(_operations_of_blocks(self._items), self._src_len, self._dest_len)

    def as_matching_blocks(self) -> list[MatchingBlock]:
        """Returns the parts that match, and an empty block at both ends, like `difflib`.

        >>> Opcodes([("equal", 0, 2, 0, 2), ("delete", 2, 3, 2, 2)], 3, 2).as_matching_blocks()
        [MatchingBlock(a=0, b=0, size=2), MatchingBlock(a=3, b=2, size=0)]
        """
        matches = []
        for tag, src, src_end, dest, dest_end in self._items:
            # if operations have been removed, the two sides of "equal" may differ in length
            size = min(src_end - src, dest_end - dest)
            if tag == "equal" and size > 0:
                matches.append(MatchingBlock(src, dest, size))
        matches.append(MatchingBlock(self._src_len, self._dest_len, 0))
        return matches

    def inverse(self) -> Opcodes:
        """Returns the blocks that turn the second string into the first.

        >>> Opcodes([("delete", 0, 1, 0, 0), ("equal", 1, 2, 0, 1)], 2, 1).inverse().as_list()
        [('insert', 0, 0, 0, 1), ('equal', 0, 1, 1, 2)]
        """
        inverse = [(_INVERSE[tag], dest, dest_end, src, src_end) for tag, src, src_end, dest, dest_end in self._items]
        return Opcodes._of(inverse, self._dest_len, self._src_len)

    def apply(self, source_string: str | bytes, destination_string: str | bytes) -> str:
        """Applies the operations to `source_string`. Inserted symbols come from
        `destination_string`.

        Bytes are treated as the characters of the same numbers; the result is a `str`.

        >>> Opcodes([("equal", 0, 1, 0, 1), ("insert", 1, 1, 1, 3)], 1, 3).apply("a", "abc")
        'abc'
        """
        source, destination = _text(source_string), _text(destination_string)
        parts: list[str] = []
        for tag, src, src_end, dest, dest_end in self._items:
            if src_end > len(source) or dest_end > len(destination):
                raise ValueError("an edit operation is outside of the strings")
            if tag == "equal":
                parts.append(source[src:src_end])
            elif tag != "delete":
                parts.append(destination[dest:dest_end])
        return "".join(parts)

    def __getitem__(self, key: int) -> Opcode:
        if isinstance(key, int):
            opcode: Opcode = self._one(key)
            return opcode
        raise TypeError("Expected index")
