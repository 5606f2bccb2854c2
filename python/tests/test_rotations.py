"""Tests overlaps and rotations against their definitions."""

import random

import carrywave
import oracles
import pytest

KINDS = {
    "text": lambda string: string,
    "bytes": str.encode,
    "beyond Latin-1": lambda string: string.replace("A", "中"),
    "items": lambda string: [(symbol,) for symbol in string],
}


def lcs_length(a, b):
    return (len(a) + len(b) - oracles.distance(a, b, 2)) // 2


def rotation(b, start):
    return b[start:] + b[:start]


def random_pairs(count, most):
    source = random.Random(7)
    for _ in range(count):
        yield ["".join(source.choices("ACG", k=source.randrange(most))) for _ in range(2)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_nearest_rotation(kind):
    for strings in random_pairs(60, 14):
        a, b = map(KINDS[kind], strings)
        starts = range(max(len(b), 1))
        distance, start = min((oracles.distance(a, rotation(b, start)), start) for start in starts)
        assert carrywave.distance(a, b, circular=True) == distance
        assert carrywave.distance(a, b, circular=True, score_cutoff=2) == min(distance, 3)
        alignment = carrywave.align(a, b, circular=True)
        assert (alignment.distance, alignment.start, alignment.end) == (distance, start, start + len(b))
        assert alignment.cigar == carrywave.align(a, rotation(b, start)).cigar
        assert all(a[i : i + length] == (b + b)[j : j + length] for i, j, length in alignment.runs.tolist())


@pytest.mark.parametrize("kind", KINDS)
def test_the_rotation_with_the_longest_subsequence(kind):
    for strings in random_pairs(60, 14):
        a, b = map(KINDS[kind], strings)
        length, start = max((lcs_length(a, rotation(b, start)), -start) for start in range(max(len(b), 1)))
        lcs = carrywave.lcs(a, b, circular=True)
        assert (lcs.length, lcs.rotation) == (length, -start)
        assert carrywave.lcs_length(a, b, circular=True) == length
        assert len(lcs.subsequence(a)) == length
        assert all(a[i : i + run] == (b + b)[j : j + run] for i, j, run in lcs.runs.tolist())


def best_overlap(a, b):
    """Compares all overlaps."""
    m, n = len(a), len(b)
    best = (0, 0, m, 0, m, 0)
    for i in range(m + 1):
        for j in range(n + 1) if i == 0 else [0]:
            for i_end in range(i, m + 1):
                for j_end in range(j, n + 1) if i_end == m else [n]:
                    if j_end >= j:
                        distance = oracles.distance(a[i:i_end], b[j:j_end])
                        score = i_end - i + j_end - j - 4 * distance
                        if score > 0:
                            best = min(best, (-score, j_end, i_end, i, j, distance)) if best[0] else (-score, j_end, i_end, i, j, distance)
    score, j_end, i_end, i, j, distance = best
    return (-score, distance, i, i_end, j, j_end) if score else (0, 0, m, m, 0, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_best_overlap(kind):
    for strings in random_pairs(40, 9):
        a, b = map(KINDS[kind], strings)
        assert carrywave.overlap(a, b) == best_overlap(a, b)


def test_engines_and_symbols_that_count_as_equal():
    assert carrywave.overlap(b"xxACGT", b"acAtyy", equal=["Aa", "Cc", "GA", "Tt"])[2:] == (2, 6, 0, 4)
    assert carrywave.distance("gattaca", "ACAGATT", circular=True, equal="ignore-case", engine=carrywave.Cpu(1)) == 0
    done = []
    assert carrywave.distance("ab" * 2000, "ba" * 2000, circular=True, progress=lambda *now: done.append(now)) == 0
    assert done[-1][0] == done[-1][1]
    for call in (carrywave.distance, carrywave.align, carrywave.lcs):
        with pytest.raises(ValueError, match="one CPU"):
            call("ab", "ba", circular=True, engine="simt")
    with pytest.raises(ValueError, match="mode global"):
        carrywave.distance("ab", "ba", circular=True, mode="infix")
    with pytest.raises(ValueError, match="carrywave.overlap"):
        carrywave.distance("ab", "ba", mode="overlap")
