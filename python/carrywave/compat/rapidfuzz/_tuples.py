"""Edit operations as plain tuples: checks of given lists, and conversion between the two forms.

A single operation is the tuple (tag, src_pos, dest_pos), and a block is the tuple (tag, src_start,
src_end, dest_start, dest_end). The error messages are those of rapidfuzz, because programs test for
them.
"""

from __future__ import annotations

from itertools import repeat
from typing import Any

from ._records import checked_size

_TAGS = frozenset(("equal", "replace", "insert", "delete"))
_INVALID = "List of edit operations invalid"
_WRONG_SHAPE = "Expected list of 3-tuples, or a list of 5-tuples"


def _checked_tag(given: Any, size: int) -> Any:
    """Returns the tag of an operation or a block, which has `size` items."""
    if len(given) != size:
        raise TypeError(_WRONG_SHAPE)
    if given[0] not in _TAGS:
        raise ValueError("Invalid Edit Type")
    return given[0]


def checked_operations(given: Any, src_len: int, dest_len: int) -> list[tuple[str, int, int]]:
    """Returns the 3-tuples of a list of single operations, in order and within the lengths, without
    "equal".
    """
    operations: list[tuple[str, int, int]] = []
    for operation in given:
        tag = _checked_tag(operation, 3)
        src_pos, dest_pos = checked_size(operation[1]), checked_size(operation[2])
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


def checked_blocks(given: Any, src_len: int, dest_len: int) -> list[tuple[str, int, int, int, int]]:
    """Returns the 5-tuples of a list of blocks that cover both strings. Neighbours with the same
    tag become one block.
    """
    blocks: list[tuple[str, int, int, int, int]] = []
    for block in given:
        tag = _checked_tag(block, 5)
        # By index, because an Opcode cannot be sliced.
        src, src_end, dest, dest_end = (checked_size(block[at]) for at in range(1, 5))
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


def blocks_of_operations(
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


def operations_of_blocks(blocks: list[tuple[str, int, int, int, int]]) -> list[tuple[str, int, int]]:
    """Converts blocks to single operations, without matches."""
    operations: list[tuple[str, int, int]] = []
    for tag, src, src_end, dest, dest_end in blocks:
        if tag == "equal":
            continue
        if src_end - src < 2 and dest_end - dest < 2:
            operations.append((tag, src, dest))
        elif tag == "replace":
            operations.extend(zip(repeat(tag), range(src, src_end), range(dest, dest_end)))
        elif tag == "insert":
            operations.extend(zip(repeat(tag), repeat(src), range(dest, dest_end)))
        else:
            operations.extend(zip(repeat(tag), range(src, src_end), repeat(dest)))
    return operations
