"""Checks of the classes for edit operations. Each check takes the module with the classes."""

from __future__ import annotations

from typing import Any, Callable, Iterator

import pytest

import cases_rapidfuzz as cases


def operations(module: Any) -> Any:
    return module.Editops(cases.OPERATIONS, *cases.OPERATIONS_LENGTHS)


def blocks(module: Any) -> Any:
    return module.Opcodes(cases.BLOCKS, *cases.OPERATIONS_LENGTHS)


def made(module: Any, case: tuple) -> None:
    kind, given, src_len, dest_len, expected = case
    result = getattr(module, kind)(given, src_len, dest_len)
    assert result.as_list() == expected
    assert [tuple(item) for item in result] == expected
    assert len(result) == len(expected) and bool(result) == bool(expected)
    if given is not None:
        assert (result.src_len, result.dest_len) == (src_len, dest_len)
    assert result == result.copy() and not result != result.copy() and result.copy() is not result
    assert repr(result) == f"{kind}([{', '.join(map(repr, result))}], src_len={result.src_len}, dest_len={result.dest_len})"
    if kind == "Editops":
        assert result.as_opcodes() == module.Opcodes.from_editops(result)
        assert result.as_opcodes().as_editops() == result
        assert result.as_opcodes().as_matching_blocks() == result.as_matching_blocks()
    else:
        assert result.as_editops() == module.Editops.from_opcodes(result)
        assert result.as_editops().as_opcodes() == result


def made_error(module: Any, case: tuple) -> None:
    kind, arguments, error, text = case
    with pytest.raises(error) as caught:
        getattr(module, kind)(*arguments)
    assert text is None or str(caught.value) == text


def index(module: Any, case: tuple) -> None:
    make, expected = case
    whole = make(module)
    for i in range(-len(expected), len(expected)):
        assert whole[i] == expected[i] and tuple(whole[i]) == expected[i]


def bad_index(module: Any, case: tuple) -> None:
    make, position, text = case
    with pytest.raises(IndexError, match=text):
        make(module)[position]


def slice_of(module: Any, case: tuple) -> None:
    whole, part = operations(module), slice(*case)
    assert whole[part].as_list() == cases.OPERATIONS[part]
    assert whole[part] is not whole
    assert (whole[part].src_len, whole[part].dest_len) == cases.OPERATIONS_LENGTHS


def deleted(module: Any, case: tuple) -> None:
    whole, expected, part = operations(module), list(cases.OPERATIONS), slice(*case)
    del whole[part]
    del expected[part]
    assert whole.as_list() == expected
    # The remaining operations can still be converted to opcodes and back.
    assert whole.as_opcodes().as_editops() == whole
    assert module.Opcodes(whole.as_list(), whole.src_len, whole.dest_len) == whole.as_opcodes()


def bad_slice(module: Any, case: tuple) -> None:
    part, text = case
    with pytest.raises(ValueError, match=text):
        operations(module)[slice(*part)]
    with pytest.raises(ValueError, match=text):
        del operations(module)[slice(*part)]


def deleted_one(module: Any, position: int) -> None:
    whole, expected = operations(module), list(cases.OPERATIONS)
    del whole[position]
    del expected[position]
    assert whole.as_list() == expected


def wrong_keys(module: Any, _: None) -> None:
    for make, key, text in [
        (operations, "a", "Expected index or slice"),
        (operations, 1.0, "Expected index or slice"),
        (blocks, "a", "Expected index"),
        (blocks, slice(1), "Expected index"),
    ]:
        with pytest.raises(TypeError, match=text):
            make(module)[key]
    with pytest.raises(TypeError, match="Expected index or slice"):
        del operations(module)["a"]
    for position in cases.BAD_INDICES:
        with pytest.raises(IndexError, match="Editops index out of range"):
            del operations(module)[position]
    with pytest.raises((TypeError, AttributeError)):
        del blocks(module)[0]
    with pytest.raises((TypeError, NotImplementedError, AttributeError)):
        operations(module)[0] = ("delete", 1, 1)


def inverse(module: Any, case: tuple) -> None:
    make, expected = case
    turned = make(module).inverse()
    assert turned.as_list() == expected
    assert (turned.src_len, turned.dest_len) == cases.OPERATIONS_LENGTHS[::-1]
    assert turned.inverse() == make(module)


def copies(module: Any, make: Callable) -> None:
    """Checks that changes to returned items and copies do not change the list."""
    whole = make(module)
    before = whole.as_list()
    name = "src_pos" if make is operations else "src_start"
    setattr(whole[0], name, 999)
    setattr(whole.copy()[0], name, 999)
    if make is operations:
        setattr(whole[:][0], name, 999)
    for item in whole:
        setattr(item, name, 999)
    whole.as_list().clear()
    assert whole.as_list() == before
    short = operations(module)
    copy = short.copy()
    del copy[0]
    assert short == operations(module) and copy != short


def empty_matches(module: Any, case: tuple) -> None:
    src_len, dest_len, expected = case
    for kind in (module.Editops, module.Opcodes):
        found = kind([], src_len, dest_len).as_matching_blocks()
        assert found == [module.MatchingBlock(*block) for block in expected] == expected


def matches(module: Any, make: Callable) -> None:
    assert make(module).as_matching_blocks() == cases.MATCHES


def applied(module: Any, case: tuple) -> None:
    s1, s2, expected = case
    for make in (operations, blocks):
        result = make(module).apply(s1, s2)
        assert result == expected and type(result) is str


def applied_longer(module: Any, case: tuple) -> None:
    s1, s2, *expected = case
    assert [operations(module).apply(s1, s2), blocks(module).apply(s1, s2)] == expected


def not_applied(module: Any, case: tuple) -> None:
    for make in (operations, blocks):
        with pytest.raises(TypeError, match=cases.NOT_APPLIED_ERROR):
            make(module).apply(*case)


def removed(module: Any, case: tuple) -> None:
    whole, part, expected = case
    made_of = module.Editops(whole, *cases.OPERATIONS_LENGTHS)
    left = made_of.remove_subsequence(module.Editops(part, *cases.OPERATIONS_LENGTHS))
    assert left.as_list() == expected
    assert (left.src_len, left.dest_len) == cases.OPERATIONS_LENGTHS
    assert made_of.as_list() == whole
    # The lengths of the removed list are ignored.
    assert made_of.remove_subsequence(module.Editops(part, 100, 100)) == left


def not_removed(module: Any, case: tuple) -> None:
    whole, part = (module.Editops(given, 2**32 - 1, 2**32 - 1) for given in case)
    with pytest.raises(ValueError, match="subsequence is not a subsequence"):
        whole.remove_subsequence(part)
    with pytest.raises(ValueError, match="subsequence is not a subsequence"):
        whole.remove_subsequence(operations(module))
    with pytest.raises(TypeError):
        whole.remove_subsequence([])


def wrong_conversions(module: Any, _: None) -> None:
    for convert in (module.Editops.from_opcodes, module.Opcodes.from_editops):
        with pytest.raises(TypeError):
            convert([])
    with pytest.raises(TypeError):
        module.Editops.from_opcodes(operations(module))


def comparisons(module: Any, _: None) -> None:
    assert operations(module) == operations(module) and blocks(module) == blocks(module)
    assert operations(module) != blocks(module) and operations(module) != cases.OPERATIONS
    assert operations(module) != module.Editops(cases.OPERATIONS, 8, 9)
    assert operations(module).as_opcodes() == blocks(module)
    assert blocks(module).as_editops() == operations(module)
    assert module.Editops() == module.Editops() and module.Editops() != module.Opcodes()
    for whole in (operations(module), blocks(module), *operations(module)):
        with pytest.raises(TypeError):
            hash(whole)


def lengths(module: Any, make: Callable) -> None:
    whole = make(module)
    whole.src_len, whole.dest_len = 20, 30
    assert (whole.src_len, whole.dest_len) == (20, 30)
    with pytest.raises(OverflowError):
        whole.src_len = -1
    with pytest.raises(TypeError):
        whole.dest_len = "a"


def record(module: Any, case: tuple) -> None:
    kind, values, names, text, range_error = case
    item = getattr(module, kind)(*values)
    assert item == getattr(module, kind)(**dict(zip(names, values)))
    assert tuple(item) == values and len(item) == len(values)
    assert tuple(getattr(item, name) for name in names) == values
    assert all(item[i] == values[i] for i in range(-len(values), len(values)))
    assert repr(item) == text
    assert item == values and item == list(values) and not item != values
    assert item != values[:-1] and item != (*values, 0) and item != 1 and item != "abc" and item != None  # noqa: E711
    assert item != tuple(reversed(values))
    for position in (len(values), -len(values) - 1):
        with pytest.raises(IndexError, match=range_error):
            item[position]
    with pytest.raises(TypeError):
        item["a"]
    with pytest.raises(TypeError):
        item[0:2]
    setattr(item, names[-1], 77)
    assert item[-1] == 77
    with pytest.raises(AttributeError):
        item.other = 1


def _all() -> Iterator[tuple[str, Callable[[Any, Any], None], Any]]:
    for i, case in enumerate(cases.MADE + cases.MADE_OBSERVED):
        yield f"made-{i}", made, case
    for i, case in enumerate(cases.MADE_ERRORS):
        yield f"made_error-{i}", made_error, case
    yield "index-operations", index, (operations, cases.OPERATIONS)
    yield "index-blocks", index, (blocks, cases.BLOCKS)
    for position in cases.BAD_INDICES:
        yield f"bad_index-operations-{position}", bad_index, (operations, position, "Editops index out of range")
    for position in cases.BAD_BLOCK_INDICES:
        yield f"bad_index-blocks-{position}", bad_index, (blocks, position, "Opcodes index out of range")
    for i, case in enumerate(cases.SLICES):
        yield f"slice-{i}", slice_of, case
    for i, case in enumerate(cases.DELETED_SLICES):
        yield f"deleted-{i}", deleted, case
    for position in range(-5, 5):
        yield f"deleted_one-{position}", deleted_one, position
    for i, case in enumerate(cases.BAD_SLICES):
        yield f"bad_slice-{i}", bad_slice, case
    yield "wrong_keys", wrong_keys, None
    yield "inverse-operations", inverse, (operations, cases.OPERATIONS_INVERSE)
    yield "inverse-blocks", inverse, (blocks, cases.BLOCKS_INVERSE)
    for i, case in enumerate(cases.EMPTY_MATCHES):
        yield f"empty_matches-{i}", empty_matches, case
    for make in (operations, blocks):
        yield f"copies-{make.__name__}", copies, make
        yield f"matches-{make.__name__}", matches, make
        yield f"lengths-{make.__name__}", lengths, make
    for i, case in enumerate(cases.APPLIED):
        yield f"applied-{i}", applied, case
    yield "applied_longer", applied_longer, cases.APPLIED_LONGER
    for i, case in enumerate(cases.NOT_APPLIED):
        yield f"not_applied-{i}", not_applied, case
    for i, (part, expected) in enumerate(cases.REMOVED):
        yield f"removed-{i}", removed, (cases.REMOVED_FROM, part, expected)
    for i, (part, expected) in enumerate(cases.REMOVED_OBSERVED):
        yield f"removed_observed-{i}", removed, (cases.OPERATIONS, part, expected)
    for i, case in enumerate(cases.NOT_REMOVED):
        yield f"not_removed-{i}", not_removed, case
    yield "wrong_conversions", wrong_conversions, None
    yield "comparisons", comparisons, None
    for case in cases.RECORDS:
        yield f"record-{case[0]}", record, case


CHECKS = [pytest.param(check, case, id=name) for name, check, case in _all()]
