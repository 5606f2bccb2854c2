"""Tests barcodes against the distances of all barcodes at all places, and molecules against UMI-tools' rule."""

import pickle
import random
from collections import Counter, defaultdict

import carrywave
import numpy as np
import oracles
import pytest


def by_definition(barcodes, read, errors, margin, starts, mismatches_only):
    """Returns the barcode, errors, start, end and whether the read is ambiguous, or None."""
    found = []
    for number, barcode in enumerate(barcodes):
        for start in starts:
            if start >= len(read):
                continue
            if mismatches_only:
                part = read[start : start + len(barcode)]
                if len(part) == len(barcode):
                    found.append((sum(x != y for x, y in zip(barcode, part, strict=True)), number, start, 0, len(part), start + len(part)))
                continue
            for end in range(start, len(read) + 1):
                length = end - start
                found.append((oracles.distance(barcode, read[start:end]), number, start, abs(length - len(barcode)), length, end))
    if not found or min(found)[0] > errors:
        return None
    least, number, start, _, _, end = min(found)
    others = [other[0] for other in found if other[1] != number]
    return (number, least, start, end, bool(others) and min(others) < least + margin)


@pytest.mark.parametrize("place", [0, 2, (1, 3), "anywhere"])
@pytest.mark.parametrize("mismatches_only", [False, True])
@pytest.mark.parametrize(("errors", "margin"), [(0, 1), (1, 1), (2, 2)])
def test_reads_by_the_definition(place, mismatches_only, errors, margin):
    source = random.Random(f"{place} {mismatches_only} {errors}")
    barcodes = sorted({"".join(source.choices("ACGT", k=source.choice([7, 8]))) for _ in range(9)})
    reads = []
    for _ in range(60):
        before = "".join(source.choices("ACGTN", k=source.randrange(4)))
        reads.append(before + oracles.mutated(source, source.choice(barcodes), source.randrange(4), "ACGTN") + "GA")
    reads.append("")
    starts = {0: [0], 2: [2], (1, 3): [1, 2, 3], "anywhere": range(99)}[place]
    prepared = carrywave.Barcodes(barcodes, errors=errors, margin=margin, mismatches_only=mismatches_only, place=place)
    expected = [by_definition(barcodes, read, errors, margin, starts, mismatches_only) for read in reads]
    assert [prepared.nearest(read) for read in reads] == expected
    found = prepared.assign(reads)
    nothing = (-1, carrywave.MISSING, -1, -1, False)
    assert list(zip(*(column.tolist() for column in found), strict=True)) == [row or nothing for row in expected]
    assert found.assigned.tolist() == [row[0] if row and not row[4] else -1 for row in expected]
    assert len({row is None for row in expected}) == 2


def test_lists_of_any_kind():
    prepared = carrywave.Barcodes(iter(["ACGTACGT", "TTGCATGC"]))
    assert len(prepared) == len(pickle.loads(pickle.dumps(prepared))) == 2
    reads = ["ACGTACGTA", "TTGCATG", "GGGGGGGG"]
    expected = prepared.assign(reads)
    assert prepared.assign([read.encode() for read in reads]) == expected
    assert prepared.assign(np.array(reads)) == expected
    assert prepared.assign(tuple(bytearray(read.encode()) for read in reads)) == expected
    assert prepared.assign([*reads, None])[0].tolist() == [0, 1, -1, -1]
    assert carrywave.Barcodes([b"ACGTACGT", b"TTGCATGC"]).assign(reads) == expected
    assert prepared.nearest(b"TTGCATGC") == (1, 0, 0, 8, False)
    many = reads * 20000
    done = []
    assert prepared.assign(many, progress=lambda *now: done.append(now)).barcode.tolist() == [0, 1, -1] * 20000
    assert done[-1] == (60000, 60000)
    assert len(prepared.assign([]).barcode) == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"barcodes": []}, "empty"),
        ({"barcodes": ["ACGN"]}, "N"),
        ({"barcodes": ["ACGT", "acgt"]}, "same"),
        ({"margin": 0}, "margin"),
        ({"errors": 30}, "30"),
        ({"place": (3, 1)}, "window"),
        ({"place": "everywhere"}, "anywhere"),
    ],
)
def test_wrong_options(options, words):
    with pytest.raises(ValueError, match=words):
        carrywave.Barcodes(**{"barcodes": ["ACGTACGT"], **options})
    with pytest.raises(ValueError, match="ASCII"):
        carrywave.Barcodes(["ACGTACGT"]).assign(["ACGTé"])
    with pytest.raises(ValueError, match="ASCII"):
        carrywave.Barcodes(["ACGTACGT"]).nearest("ACGTé")
    with pytest.raises(TypeError):
        carrywave.Barcodes(["ACGTACGT"]).assign("ACGT")


def directional(counts):
    """Returns the number of clusters of UMIs by the rule of UMI-tools."""
    free = dict(counts)
    clusters = 0
    for umi in sorted(counts, key=lambda umi: (-counts[umi], umi)):
        if umi not in free:
            continue
        clusters += 1
        queue = [umi]
        while queue:
            own = queue.pop()
            free.pop(own, None)
            queue += [
                other
                for other in free
                if sum(x != y for x, y in zip(own, other, strict=True)) == 1 and counts[own] >= 2 * counts[other] - 1
            ]
    return clusters


def test_molecules():
    source = random.Random(11)
    barcodes, umis, expected = [], [], defaultdict(Counter)
    for _ in range(3000):
        barcode = source.randrange(-1, 5)
        umi = "".join(source.choices("ACG", [5, 2, 1], k=4)) if source.random() < 0.97 else source.choice(["ACN", "ACGN", None, "AC"])
        barcodes.append(barcode)
        umis.append(umi)
        if barcode >= 0 and umi and len(umi) == 4 and "N" not in umi:
            expected[barcode][umi] += 1
    found = carrywave.molecules(barcodes, umis)
    rows = [(barcode, sum(counts.values()), len(counts), directional(counts)) for barcode, counts in sorted(expected.items())]
    assert list(zip(*(column.tolist() for column in found), strict=True)) == rows
    assert found == carrywave.molecules(np.array(barcodes, np.int32), umis, length=4)
    assert any(0 < molecules < umis for _, _, umis, molecules in rows)
    assert [len(column) for column in carrywave.molecules([], [])] == [0] * 4
    for wrong in ({"length": 0}, {"length": 32}, {"barcodes": [1, 2]}):
        with pytest.raises(ValueError):
            carrywave.molecules(**{"barcodes": [1], "umis": ["ACGT"], **wrong})
    with pytest.raises(TypeError):
        carrywave.molecules([1.5], ["ACGT"])
