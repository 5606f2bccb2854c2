"""Search and distances over Ray Data: the rows of a dataset go in batches to actors, each of which
keeps an engine open.

`search` finds patterns in a column of texts. `distances` compares two columns of strings, for
example to verify candidate pairs from MinHash or any other blocking. `read_fasta` makes a dataset
of FASTA and FASTQ files; Ray itself reads Parquet and lines of text, with `ray.data.read_parquet`
and `ray.data.read_text`.

    import carrywave.ray, ray

    pairs = ray.data.read_parquet("candidates")
    near = carrywave.ray.distances(pairs, "left", "right", score_cutoff=20, filter=True, concurrency=4)
    near.write_parquet("near")

Ray controls the distribution: where actors run, what happens when one of them dies (Ray starts
another and gives it the batch again), and the order of the rows. Rows come back as they are done,
or in the order of the dataset with
`ray.data.DataContext.get_current().execution_options.preserve_order = True`.

A row is never split: a text of a gigabyte is the work of one actor.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _carrywave
from ._files import read
from ._search import Searcher
from .arrow import distance_batch, search_batch

if TYPE_CHECKING:
    import pyarrow as pa
    import ray.data
    from typing_extensions import Unpack

    from ._types import Engine, Scorer, SearchOptions, Strings, Text

__all__ = ["distances", "read_fasta", "search"]

GPU_BATCH = 1 << 14
"""Rows per batch for an actor with a GPU, unless the caller gives a number."""

SEQUENCE_FILES = re.compile(r"\.(fa|fasta|fna|ffn|faa|frn|fq|fastq)(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)
"""Names of the files that are read in a folder."""

FILE_BLOCK = 1 << 26
"""Symbols after which the records of a file continue in another block."""


def _ray_data() -> Any:
    try:
        import ray.data
    except ImportError as error:
        raise ImportError("datasets of Ray need it and pyarrow: pip install carrywave[ray]") from error
    return ray.data


def _engine(engine: Any, num_cpus: float) -> Any:
    """Returns the engine of an actor: for "cpu" as many threads as Ray gives it CPUs, for "gpu" the
    GPU that Ray assigns to it.
    """
    if engine == "cpu":
        return _carrywave.Cpu(max(1, int(num_cpus)))
    if engine == "gpu":
        return _carrywave.Gpu()
    return engine


class _Searching:
    """An actor that searches. It prepares the patterns once."""

    def __init__(self, patterns: Any, k: int | None, engine: Any, num_cpus: float, options: dict[str, Any], batch_options: dict[str, Any]) -> None:
        self._searcher = Searcher(patterns, k, engine=_engine(engine, num_cpus), **options)
        self._options = batch_options

    def __call__(self, batch: pa.Table) -> pa.Table:
        return search_batch(batch, self._searcher, **self._options)


class _Comparing:
    """An actor that compares pairs."""

    def __init__(self, engine: Any, num_cpus: float, options: dict[str, Any]) -> None:
        self._engine = _engine(engine, num_cpus)
        self._options = options

    def __call__(self, batch: pa.Table) -> pa.Table:
        return distance_batch(batch, engine=self._engine, **self._options)


def _mapped(
    dataset: ray.data.Dataset,
    actor: type,
    arguments: dict[str, Any],
    engine: Any,
    concurrency: int | tuple[int, int] | None,
    num_cpus: float | None,
    num_gpus: float | None,
    batch_size: int | None,
    same_rows: bool,
    ray_options: dict[str, Any] | None,
) -> ray.data.Dataset:
    data = _ray_data()
    if num_gpus is None and engine == "gpu":
        num_gpus = 1
    if batch_size is None and num_gpus:
        batch_size = GPU_BATCH
    if num_cpus is None:
        num_cpus = 1
    least, most = concurrency if isinstance(concurrency, tuple) else (concurrency or 1, concurrency)
    return dataset.map_batches(
        actor,
        fn_constructor_kwargs={**arguments, "engine": engine, "num_cpus": num_cpus},
        batch_format="pyarrow",
        batch_size=batch_size,
        compute=data.ActorPoolStrategy(min_size=least, max_size=most),
        num_cpus=num_cpus,
        num_gpus=num_gpus,
        udf_modifying_row_count=not same_rows,
        **(ray_options or {}),
    )


def search(
    dataset: ray.data.Dataset,
    patterns: Text | Strings,
    k: int | None = None,
    *,
    column: str = "text",
    keep: Iterable[str] | None = None,
    part: str | None = None,
    engine: Engine = "cpu",
    concurrency: int | tuple[int, int] | None = None,
    num_cpus: float | None = None,
    num_gpus: float | None = None,
    batch_size: int | None = None,
    ray_options: dict[str, Any] | None = None,
    **options: Unpack[SearchOptions],
) -> ray.data.Dataset:
    """Returns the hits of patterns in a column of texts: a row for each, with the columns of
    `carrywave.arrow.search_batch`.

    `concurrency` is the number of actors, or a tuple of minimum and maximum; by default, Ray starts
    as many as there is room for. An actor has `num_cpus` CPUs (1), and with `engine="gpu"` one GPU:
    `num_gpus=0.5` lets two actors share it. A batch is a block of the dataset unless `batch_size`
    gives the number of rows; on GPUs the default is 16,384, and should be smaller for long texts.
    `ray_options` go to Ray's `map_batches`; all other options are those of `carrywave.Searcher`.

    >>> import ray, carrywave.ray
    >>> texts = ray.data.from_items([{"id": 1, "text": "one wave"}])
    >>> carrywave.ray.search(texts, ["wave"], 1).take_all()
    [{'id': 1, 'pattern': 0, 'start': 4, 'end': 8, 'strand': 1, 'errors': 0}]
    """
    if isinstance(patterns, Iterator):
        patterns = list(patterns)
    # Reports errors in patterns and options here, and not in an actor. An algorithm of GPUs is not
    # checked, because the CPU may not have it.
    checked = options.copy()
    checked.pop("algorithm", None)
    Searcher(patterns, k, **checked)
    batch_options = {"column": column, "keep": None if keep is None else list(keep), "part": part}
    arguments = {"patterns": patterns, "k": k, "options": options, "batch_options": batch_options}
    return _mapped(dataset, _Searching, arguments, engine, concurrency, num_cpus, num_gpus, batch_size, False, ray_options)


def distances(
    dataset: ray.data.Dataset,
    a: str = "a",
    b: str = "b",
    *,
    score_cutoff: int | None = None,
    scorer: Scorer = "levenshtein",
    name: str = "distance",
    filter: bool = False,
    engine: Engine = "cpu",
    concurrency: int | tuple[int, int] | None = None,
    num_cpus: float | None = None,
    num_gpus: float | None = None,
    batch_size: int | None = None,
    ray_options: dict[str, Any] | None = None,
) -> ray.data.Dataset:
    """Returns the dataset with an additional column: the distance of the strings in columns `a` and
    `b`, as computed by `carrywave.arrow.distance_batch`.

    With `filter=True`, only pairs within `score_cutoff` remain. The other arguments are those of
    `search`.

    >>> import ray, carrywave.ray
    >>> pairs = ray.data.from_items([{"a": "wave", "b": "waves"}])
    >>> carrywave.ray.distances(pairs, score_cutoff=2).take_all()
    [{'a': 'wave', 'b': 'waves', 'distance': 1}]
    """
    options = {"a": a, "b": b, "score_cutoff": score_cutoff, "scorer": scorer, "name": name, "filter": filter}
    return _mapped(dataset, _Comparing, {"options": options}, engine, concurrency, num_cpus, num_gpus, batch_size, not filter, ray_options)


def read_fasta(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, include_paths: bool = False) -> ray.data.Dataset:
    """Returns the records of FASTA and FASTQ files, compressed or not: a row for each, with the
    columns `name`, `comment` and `sequence` (bytes).

    Each file is read by one task with `carrywave.read`, and each record is one row, however long it
    is. A path may be a folder, whose files with extensions such as `.fa`, `.fasta` and `.fq` are
    read, or a URI that pyarrow opens, such as `s3://bucket/file.fa.gz`. `include_paths=True` adds a
    column `path`.
    """
    data = _ray_data()
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files = [file for path in given for file in _files(os.fspath(path))]
    rows = data.from_items([{"path": file} for file in files], override_num_blocks=max(1, len(files)))
    records: ray.data.Dataset = rows.map_batches(_records, fn_kwargs={"include_paths": include_paths}, batch_format="pyarrow", batch_size=1)
    return records


def _files(path: str) -> list[str]:
    """Returns the sequence files of a folder, in order, and any other path unchanged."""
    if "://" in path or not os.path.isdir(path):
        return [path if "://" in path else os.path.abspath(path)]
    found = [str(file.absolute()) for file in sorted(Path(path).iterdir()) if SEQUENCE_FILES.search(file.name)]
    if not found:
        raise FileNotFoundError(f"there are no files of sequences in {path}")
    return found


def _records(batch: pa.Table, include_paths: bool) -> Iterator[pa.Table]:
    """Yields the records of files, in tables of a limited size."""
    import pyarrow as pa

    names = ["name", "comment", "sequence", *(["path"] if include_paths else [])]
    # A block may have more than 2 GB of symbols.
    schema = pa.schema([(name, pa.large_binary() if name == "sequence" else pa.string()) for name in names])
    rows: list[tuple[Any, ...]] = []
    symbols = 0

    def table() -> pa.Table:
        columns = zip(*rows, strict=True) if rows else [[] for _ in names]
        return pa.table([pa.array(list(column), field.type) for column, field in zip(columns, schema, strict=True)], schema=schema)

    for path in batch["path"].to_pylist():
        for record in _read(path):
            rows.append((*record, path) if include_paths else tuple(record))
            symbols += len(record.symbols)
            if symbols >= FILE_BLOCK:
                yield table()
                rows, symbols = [], 0
    if rows or symbols == 0:
        yield table()


def _read(path: str) -> Any:
    if "://" not in path:
        return read(path)
    from pyarrow.fs import FileSystem

    # The reader only takes local files.
    filesystem, inside = FileSystem.from_uri(path)
    with tempfile.TemporaryDirectory() as folder:
        local = Path(folder, Path(inside).name)
        with filesystem.open_input_file(inside) as source, open(local, "wb") as target:
            shutil.copyfileobj(source, target)
        return read(local)
