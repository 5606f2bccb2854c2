"""Finds near-duplicates of a corpus: exactly, or by MinHash followed by exact distances.

    python examples/python/near_duplicates.py                          # lines of this project's sources
    python examples/python/near_duplicates.py --cutoff 10 my_texts.txt
    python examples/python/near_duplicates.py --minhash my_texts.txt   # needs datasketch

A text is a line. `carrywave.clusters` joins texts that are within the cutoff of one another, and
then their clusters. It misses no pair, and its time grows with the number of pairs that have
something in common. MinHash, for large corpora, proposes pairs that share many pieces of five
letters, in time that grows with the number of texts. It proposes some pairs that are not near and
misses some that are. `carrywave.cpdist` then removes the pairs that are not near.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

import carrywave

REPOSITORY = Path(__file__).parents[2]


def corpus(paths: list[Path]) -> list[str]:
    """Returns the distinct lines of at least 40 letters."""
    lines = (line.strip() for path in paths for line in path.read_text(encoding="utf-8", errors="replace").splitlines())
    return list(dict.fromkeys(line for line in lines if len(line) >= 40))


def exact(texts: list[str], cutoff: int) -> list[list[int]]:
    """Returns the clusters of near-duplicates."""
    members = defaultdict(list)
    for number, first in enumerate(carrywave.clusters(texts, cutoff).tolist()):
        members[first].append(number)
    return [cluster for cluster in members.values() if len(cluster) > 1]


def proposed(texts: list[str], similarity: float) -> list[tuple[int, int]]:
    """Returns the pairs that MinHash considers similar: pairs in one bucket of a hash table."""
    from datasketch import MinHash, MinHashLSH

    table = MinHashLSH(threshold=similarity, num_perm=64)
    pieces = [{text[at : at + 5].encode() for at in range(len(text) - 4)} for text in texts]
    pairs = []
    for number, sketch in enumerate(MinHash.generator(pieces, num_perm=64)):
        pairs += [(other, number) for other in table.query(sketch)]
        table.insert(number, sketch)
    return pairs


def verified(texts: list[str], pairs: list[tuple[int, int]], cutoff: int) -> set[tuple[int, int]]:
    """Returns the pairs whose distance is within the cutoff."""
    distances = carrywave.cpdist([texts[a] for a, _ in pairs], [texts[b] for _, b in pairs], score_cutoff=cutoff)
    return {pairs[row] for row in np.flatnonzero(distances <= cutoff)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="texts, a line each")
    parser.add_argument("--cutoff", type=int, default=6, help="edits between near-duplicates at most")
    parser.add_argument("--minhash", action="store_true", help="propose pairs by MinHash too, and compare")
    parser.add_argument("--similarity", type=float, default=0.5, help="the Jaccard similarity that MinHash looks for")
    options = parser.parse_args()
    texts = corpus(options.files or sorted((REPOSITORY / "gpu-kernels/src").rglob("*.rs")))

    begin = time.perf_counter()
    clusters = exact(texts, options.cutoff)
    seconds = time.perf_counter() - begin
    print(f"{len(texts)} texts, {len(clusters)} clusters of near-duplicates, {seconds:.3f} s")
    for cluster in sorted(clusters, key=len, reverse=True)[:3]:
        print(f"\n{len(cluster)} texts:")
        for number in cluster[:4]:
            print(f"    {texts[number]}")

    if options.minhash:
        near = carrywave.within(texts, options.cutoff)
        all_near = set(zip(near.a.tolist(), near.b.tolist(), strict=True))
        begin = time.perf_counter()
        pairs = proposed(texts, options.similarity)
        between = time.perf_counter()
        found = verified(texts, pairs, options.cutoff)
        print(
            f"\nMinHash proposes {len(pairs)} pairs in {between - begin:.3f} s; {len(found)} are near, told in {time.perf_counter() - between:.3f} s"
        )
        assert found <= all_near
        print(f"it finds {len(found)} of the {len(all_near)} pairs that there are")


if __name__ == "__main__":
    main()
