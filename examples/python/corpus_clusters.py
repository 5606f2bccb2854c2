"""Groups the near-duplicates of a corpus: from a Parquet file of texts to one of clusters.

    pip install "carrywave[arrow]" datasketch
    python examples/python/corpus_clusters.py                  # lines of this project's sources
    python examples/python/corpus_clusters.py corpus.parquet --column text --cutoff 20 --output clusters.parquet
    python examples/python/corpus_clusters.py corpus.parquet --minhash

The output has a row for each text: its number `row`, and `cluster`, the number of the first text of
its cluster. By default, `carrywave.clusters` reads the column in place and compares the texts that
share a piece; it misses no pair within the cutoff. `--minhash` compares the pairs that MinHash of
datasketch proposes, which takes less time for large corpora and misses some pairs.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as parquet
from near_duplicates import REPOSITORY, corpus, proposed, verified

import carrywave


def connected(count: int, pairs: set[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """Returns for each text the first text that a chain of pairs leads to."""
    first = list(range(count))

    def root(text: int) -> int:
        while first[text] != text:
            first[text] = first[first[text]]
            text = first[text]
        return text

    for a, b in pairs:
        low, high = sorted((root(a), root(b)))
        first[high] = low
    return np.array([root(text) for text in range(count)], np.int64)


def by_minhash(texts: pa.ChunkedArray, cutoff: int, similarity: float) -> npt.NDArray[np.int64]:
    """Returns the clusters by the proposed pairs that are within the cutoff; -1 for a null."""
    strings = texts.drop_null().to_pylist()
    rows = np.flatnonzero(texts.is_valid().to_numpy())
    numbers = np.full(len(texts), -1)
    numbers[rows] = rows[connected(len(strings), verified(strings, proposed(strings, similarity), cutoff))]
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("input", nargs="?", type=Path, help="a Parquet file")
    parser.add_argument("--column", default="text", help="the column of texts")
    parser.add_argument("--cutoff", type=int, default=6, help="edits between near-duplicates at most")
    parser.add_argument("--minhash", action="store_true", help="compare only pairs that MinHash proposes")
    parser.add_argument("--similarity", type=float, default=0.5, help="the Jaccard similarity that MinHash looks for")
    parser.add_argument("--output", type=Path, help="a Parquet file; by default in a new temporary folder")
    options = parser.parse_args()
    options.output = options.output or Path(tempfile.mkdtemp(), "clusters.parquet")
    if options.input is None:
        options.input = options.output.with_name("corpus.parquet")
        parquet.write_table(pa.table({options.column: corpus(sorted((REPOSITORY / "gpu-kernels/src").rglob("*.rs")))}), options.input)

    texts = parquet.read_table(options.input, columns=[options.column])[options.column]
    begin = time.perf_counter()
    numbers = by_minhash(texts, options.cutoff, options.similarity) if options.minhash else carrywave.clusters(texts, options.cutoff)
    seconds = time.perf_counter() - begin
    table = pa.table({"row": np.arange(len(numbers)), "cluster": pa.array(numbers, mask=numbers < 0)})
    parquet.write_table(table, options.output)
    sizes = np.unique(numbers[numbers >= 0], return_counts=True)[1]
    print(f"{len(texts)} texts, {np.count_nonzero(sizes > 1)} clusters of at least two in {seconds:.3f} s: {options.output}")


if __name__ == "__main__":
    main()
