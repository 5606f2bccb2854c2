"""Ray: distances of candidate pairs and search in a genome over Ray Data, by `carrywave.ray`.

    pip install "carrywave[ray]"
    python examples/python/engines/with_ray.py

A test of the package runs this example.
"""

from __future__ import annotations

from pathlib import Path

import ray

import carrywave.ray

DATA = Path(__file__).parents[3] / "data"


def main() -> None:
    # Its own nodes, also beside a cluster of this machine: `ray.init()` alone joins that one and refuses `num_cpus`.
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    pairs = ray.data.from_items([{"a": "kitten", "b": "sitting"}, {"a": "carry", "b": "wave"}, {"a": "wave", "b": "waves"}])
    carrywave.ray.distances(pairs, score_cutoff=3).show()

    genomes = carrywave.ray.read_fasta(DATA)
    guides = [b"GCACCTACGTTCAATATTACNGG", b"TTGCCTAGCCACACCCCCACNGG"]
    # Two actors. On a machine with GPUs, engine="gpu" gives each actor a GPU of its own.
    hits = carrywave.ray.search(genomes, guides, 2, column="sequence", keep=["name"], alphabet="iupac", both_strands=True, concurrency=2)
    print(hits.to_pandas())


if __name__ == "__main__":
    main()
