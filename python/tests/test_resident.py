"""Tests columns of strings in the memory of a GPU: the simulator's, and GPU 0's if there is one."""

import ctypes
import pickle
from ctypes import POINTER, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p

import numpy as np
import pytest
from c_arrow import Array, Structures, i32, i64, new_capsule
from oracles import distance

import carrywave
import carrywave.compat.rapidfuzz as of_rapidfuzz

A = ["kitten", "flaw", "", "wave", "a", "recieve"]
B = ["sitting", "lawn", "gap", "wave", "", "receive"]
EXPECTED = [3, 2, 3, 0, 1, 2]
KINDS = ("distance", "similarity", "normalized_distance", "normalized_similarity")
ENGINES = [carrywave.Simt()] + [carrywave.Gpu(number) for number in range(min(carrywave.gpu_count(), 1))]


@pytest.fixture(params=ENGINES, ids=repr)
def engine(request):
    return request.param


class Uploaded:
    """Bytes in the memory of a GPU, as another library would keep them."""

    def __init__(self, engine, data):
        self.column = carrywave.ResidentColumn(engine, [bytes(data)])
        self.address = self.column.address


class CudaArray:
    """An array of CuPy and the like."""

    def __init__(self, engine, rows, **changed):
        self.memory = Uploaded(engine, b"".join(rows))
        shape = (len(rows), len(rows[0]) if rows else 0)
        data = (self.memory.address, False)
        self.__cuda_array_interface__ = {"shape": shape, "typestr": "|u1", "data": data, "version": 3, **changed}


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


class Managed(ctypes.Structure):
    pass


DELETER = ctypes.CFUNCTYPE(None, POINTER(Managed))
Managed._fields_ = [("tensor", Tensor), ("context", c_void_p), ("deleter", DELETER)]


class DlpackArray:
    """An array of any library, through DLPack."""

    def __init__(self, engine, rows, *, device=2, code=1, bits=8, shape=None, strides=None, offset=0, name=b"dltensor"):
        self.memory = Uploaded(engine, b"#" * offset + b"".join(rows))
        shape = (len(rows), len(rows[0])) if shape is None else shape
        self.shape = (c_int64 * len(shape))(*shape)
        self.strides = (c_int64 * len(strides))(*strides) if strides else None
        self.deleted = 0

        def delete(_):
            self.deleted += 1

        self.deleter = DELETER(delete)
        self.managed = Managed(
            tensor=Tensor(
                data=self.memory.address, device_type=device, ndim=len(shape), code=code, bits=bits, lanes=1,
                shape=self.shape, strides=self.strides, byte_offset=offset,
            ),
            deleter=self.deleter,
        )  # fmt: skip
        self.name = name

    def __dlpack_device__(self):
        return (self.managed.tensor.device_type, 0)

    def __dlpack__(self, *, stream):
        assert stream == -1
        return new_capsule(ctypes.addressof(self.managed), self.name, None)


class DeviceArray(ctypes.Structure):
    _fields_ = [
        ("array", Array),
        ("device_id", c_int64),
        ("device_type", c_int32),
        ("sync_event", c_void_p),
        ("reserved", c_int64 * 3),
    ]


class DeviceColumn(Structures):
    """A column of cuDF: a column of Arrow whose buffers are in the memory of a GPU."""

    def __init__(self, engine, format, length, buffers, *, device=2, **options):
        super().__init__(format, length, buffers, **options)
        self.uploads = [None if data is None else Uploaded(engine, data) for data in buffers]
        for number, upload in enumerate(self.uploads):
            self.addresses[number] = upload and upload.address
        self.device_array = DeviceArray(array=self.array, device_type=device)

    def __arrow_c_device_array__(self, requested_schema=None):
        return (
            new_capsule(ctypes.addressof(self.schema), b"arrow_schema", None),
            new_capsule(ctypes.addressof(self.device_array), b"arrow_device_array", None),
        )


def column(engine, strings, **options):
    """Returns a column of strings, with nulls, behind a row and bytes that do not belong to it."""
    data = [b"" if string is None else string.encode() for string in strings]
    ends = np.cumsum([2, 1, *map(len, data)])
    bits = np.packbits([True, *(string is not None for string in strings)], bitorder="little")
    buffers = [bits.tobytes(), i32(*ends), b"xx#" + b"".join(data)]
    return DeviceColumn(engine, b"u", len(strings), buffers, offset=1, **options)


def test_columns_that_stay_on_the_gpu(engine):
    a, b = carrywave.ResidentColumn(engine, A), carrywave.ResidentColumn(engine, B)
    assert (len(a), repr(a)) == (6, "<ResidentColumn of 6 strings>")
    distances = carrywave.cpdist(a, b)
    assert (len(distances), distances.tolist()) == (6, EXPECTED)
    assert (distances.numpy().dtype, distances.numpy().tolist()) == (np.int32, EXPECTED)
    for options in ({"scorer": "indel"}, {"scorer": "osa"}, {"score_cutoff": 1}, {"scorer": "osa", "score_cutoff": 0}):
        assert carrywave.cpdist(a, b, **options).tolist() == carrywave.cpdist(A, B, **options).tolist()
    # The other list is copied.
    assert carrywave.cpdist(a, B).tolist() == carrywave.cpdist(A, b).tolist() == EXPECTED
    assert carrywave.cpdist(a, [*B[:5], None]).tolist() == [*EXPECTED[:5], carrywave.MISSING]
    empty = carrywave.ResidentColumn(engine, [])
    assert carrywave.cpdist(empty, empty).tolist() == []
    with pytest.raises(TypeError):
        pickle.dumps(a)


def test_other_functions_copy_columns_to_the_host(engine):
    a, b = [*A, None, "中文字", "naïve"], [*B, "x", "中字", "naive"]
    columns = [carrywave.ResidentColumn(engine, strings) for strings in (a, b)]
    assert [column.tolist() for column in columns] == [a, b]
    data = [None if string is None else string.encode() for string in a]
    assert carrywave.ResidentColumn(engine, data).tolist() == data
    assert carrywave.ResidentColumn(engine, []).tolist() == []

    def results(a, b):
        yield carrywave.cdist(a, b)
        yield carrywave.cdist(a)
        yield from carrywave.nearest(a, b, top=2)
        yield from carrywave.within(a, score_cutoff=5)
        yield from carrywave.join(a, b, similarity=0.5)
        yield carrywave.clusters(a, 5)

    for mixed in (columns, (a, columns[1]), (columns[0], b)):
        assert [found.tolist() for found in results(*mixed)] == [found.tolist() for found in results(a, b)]


METRICS = ("Levenshtein", "Indel", "LCSseq", "OSA", "DamerauLevenshtein", "Hamming", "Prefix", "Postfix", "Jaro", "JaroWinkler")
RATIOS = ("ratio", "QRatio", "WRatio", "partial_ratio", "token_sort_ratio")
SCORERS = [
    *(pytest.param(getattr(getattr(of_rapidfuzz.distance, name), kind), id=f"{name}-{kind}") for name in METRICS for kind in KINDS),
    *(pytest.param(getattr(of_rapidfuzz.fuzz, name), id=name) for name in RATIOS),
]


@pytest.mark.parametrize("scorer", SCORERS)
def test_scores_of_columns_are_those_of_lists(engine, scorer, request):
    cpdist = of_rapidfuzz.process.cpdist
    a = ["martha", "", "dixon", "wave", "", "中文字", "naïve", "a" * 70, "dwayne", "x" * 64] * 4
    b = ["marhta", "", "dicksonx", "wave", "gap", "中字", "naive", "a" * 69, "duane", "y" + "x" * 63] * 4
    name = request.node.callspec.id
    # Whole numbers have no score for a missing string.
    takes_missing = any(part in name for part in ("normalized", "Jaro", *RATIOS))
    if takes_missing:
        a[3], b[24] = None, None
    columns = [carrywave.ResidentColumn(engine, strings) for strings in (a, b)]
    for options in ({}, {"score_cutoff": 0.8}, {"score_multiplier": 3}, {"dtype": "float32"}):
        if not takes_missing and "score_cutoff" in options:
            options = {"score_cutoff": 3}
        expected = cpdist(a, b, scorer=scorer, **options)
        for x, y in (columns, (columns[0], b)):
            found = cpdist(x, y, scorer=scorer, **options)
            assert (found.dtype, found.tolist()) == (expected.dtype, expected.tolist()), options
    if not takes_missing:
        missing = carrywave.ResidentColumn(engine, [None, *b[1:]])
        with pytest.raises((TypeError, ValueError)):
            cpdist(columns[0], missing, scorer=scorer)
    processed = cpdist(columns[0], columns[1], scorer=scorer, processor=str)
    assert processed.tolist() == cpdist(a, b, scorer=scorer, processor=str).tolist()
    with pytest.raises(ValueError):
        cpdist(columns[0], carrywave.ResidentColumn(engine, b[:3]), scorer=scorer)


def test_scores_of_many_rows(engine):
    # Several threads write parts of the scores.
    a, b = [f"name {row % 71}" for row in range(9000)], [f"nmae {row % 67}" for row in range(9000)]
    for row in (4095, 4096, 8191, 8999):
        a[row], b[row - 1], b[row - 9] = "a" * 65, "naïve", None
    columns = [carrywave.ResidentColumn(engine, strings) for strings in (a, b)]
    for dtype in ("float32", "float64", "int8"):
        options = {"scorer": of_rapidfuzz.distance.JaroWinkler.similarity, "score_multiplier": 100, "dtype": dtype}
        assert of_rapidfuzz.process.cpdist(*columns, **options).tolist() == of_rapidfuzz.process.cpdist(a, b, **options).tolist()


def test_text_beyond_ascii(engine):
    a, b = ["straße", "中文字", "résumé", None, "Ā"], ["strasse", "中字", "resume", "x", "ā"]
    column = carrywave.ResidentColumn(engine, a)
    assert carrywave.cpdist(column, b).tolist() == carrywave.cpdist(a, b).tolist() == [2, 1, 2, carrywave.MISSING, 1]
    assert carrywave.cpdist(column, b, score_cutoff=1).tolist() == carrywave.cpdist(a, b, score_cutoff=1).tolist()
    with pytest.raises(ValueError, match="UTF-8"):
        carrywave.ResidentColumn(engine, ["\ud800"])
    # Bytes that are no text, in a string and in a null.
    for bits, expected in ((None, None), (b"\x02", [carrywave.MISSING, 1])):
        given = DeviceColumn(engine, b"u", 2, [bits, i32(0, 1, 3), b"\xff\xc3\xa9"])
        if expected:
            assert carrywave.cpdist(given, ["x", "e"], engine=engine).tolist() == expected
        else:
            with pytest.raises(ValueError, match="UTF-8"):
                carrywave.cpdist(given, ["x", "e"], engine=engine)


@pytest.mark.parametrize("every", [2, 40])
def test_some_rows_beyond_ascii(engine, every):
    # Few rows are copied one by one.
    count = 400
    a = ["naïve" if row % every == 1 else f"row {row}" for row in range(count)]
    b = [None if row % 50 == 1 else "中文" if row % every == 3 else f"now {row // 2}" for row in range(count)]
    columns = [carrywave.ResidentColumn(engine, strings) for strings in (a, b)]
    for options in ({}, {"scorer": "indel", "score_cutoff": 3}, {"score_cutoff": 1}):
        expected = carrywave.cpdist(a, b, **options).tolist()
        # The second call knows the rows.
        for _ in range(2):
            assert carrywave.cpdist(*columns, **options).tolist() == expected
        assert carrywave.cpdist(columns[0], b, **options).tolist() == expected
    # Only text has characters.
    data = [[None if string is None else string.encode() for string in strings] for strings in (a, b)]
    columns = [carrywave.ResidentColumn(engine, strings) for strings in data]
    assert carrywave.cpdist(*columns).tolist() == carrywave.cpdist(*data).tolist()


def test_text_and_bytes_are_not_mixed(engine):
    text, data = carrywave.ResidentColumn(engine, ["wave"]), carrywave.ResidentColumn(engine, [b"wane"])
    with pytest.raises(TypeError, match="encode or decode"):
        carrywave.cpdist(text, data)
    assert carrywave.cpdist(text, data, mixed=True).tolist() == [1]
    with pytest.raises(TypeError):
        carrywave.ResidentColumn(engine, ["wave", b"wave"])
    with pytest.raises(TypeError):
        carrywave.ResidentColumn(engine, [[1, 2]])


def test_columns_of_cudf(engine):
    strings = [*A[:3], None, *A[4:]]
    expected = carrywave.cpdist(strings, B).tolist()
    assert carrywave.cpdist(column(engine, strings), B, engine=engine).tolist() == expected
    given = column(engine, strings)
    resident = carrywave.ResidentColumn(engine, given)
    assert carrywave.cpdist(B, resident).tolist() == expected
    assert carrywave.cpdist(column(engine, ["é"]), ["e"], engine=engine).tolist() == [1]
    wide = DeviceColumn(engine, b"Z", 2, [None, i64(0, 4, 9), b"wavecarry"])
    assert carrywave.cpdist(wide, [b"wave", b"curry"], engine=engine).tolist() == [0, 1]
    fixed = DeviceColumn(engine, b"w:3", 2, [None, b"...ACGAGG"], offset=1)
    assert carrywave.cpdist(fixed, [b"ACG", b"ACG"], engine=engine).tolist() == [0, 1]
    nothing = DeviceColumn(engine, b"u", 0, [None, None, None])
    assert carrywave.cpdist(nothing, [], engine=engine).tolist() == []


def test_arrays_of_rows(engine):
    rows, others = [b"ACGT", b"TTTT", b"GATA"], [b"ACGA", b"TTTT", b"ATAG"]
    expected = [distance(x, y) for x, y in zip(rows, others)]
    for make in (CudaArray, DlpackArray):
        array = make(engine, rows)
        assert carrywave.cpdist(array, others, engine=engine).tolist() == expected, make
        assert carrywave.cpdist(make(engine, others), array, engine=engine).tolist() == expected, make
    array = DlpackArray(engine, rows, offset=5, strides=(4, 1))
    assert carrywave.cpdist(array, others, engine=engine).tolist() == expected
    # The array is kept as long as the column, and freed then.
    column = carrywave.ResidentColumn(engine, array := DlpackArray(engine, rows))
    assert array.deleted == 0
    assert carrywave.cpdist(column, others).tolist() == expected
    del column
    assert array.deleted == 1
    assert carrywave.cpdist(CudaArray(engine, []), [], engine=engine).tolist() == []


def wrong_objects(engine):
    """Returns objects that do not keep to their interface, or whose memory is not there."""
    rows = [b"ACGT", b"TTTT"]
    huge = 1 << 40
    yield "address", CudaArray(engine, rows, data=(16, False))
    yield "size", CudaArray(engine, rows, shape=(huge, 4))
    yield "overflow", CudaArray(engine, rows, shape=(huge, huge))
    yield "product", CudaArray(engine, rows, shape=(1 << 62, 1 << 62))
    yield "type", CudaArray(engine, rows, typestr="<i4")
    yield "dimensions", CudaArray(engine, rows, shape=(8,))
    yield "negative", CudaArray(engine, rows, shape=(-2, 4))
    yield "strides", CudaArray(engine, rows, strides=(8, 1))
    yield "no type", CudaArray(engine, rows, typestr=None)
    yield "no shape", CudaArray(engine, rows, shape=None)
    yield "no data", CudaArray(engine, rows, data=None)
    yield "dlpack type", DlpackArray(engine, rows, code=0)
    yield "dlpack bits", DlpackArray(engine, rows, bits=16)
    yield "dlpack dimensions", DlpackArray(engine, rows, shape=(8,))
    yield "dlpack negative", DlpackArray(engine, rows, shape=(-2, 4))
    yield "dlpack size", DlpackArray(engine, rows, shape=(huge, huge))
    yield "dlpack strides", DlpackArray(engine, rows, strides=(1, 2))
    yield "dlpack name", DlpackArray(engine, rows, name=b"tensor")
    yield "falling", DeviceColumn(engine, b"u", 2, [None, i32(0, 4, 2), b"wavecarry"])
    yield "negative offset", DeviceColumn(engine, b"u", 2, [None, i32(-1, 4, 9), b"wavecarry"])
    yield "negative wide offset", DeviceColumn(engine, b"U", 2, [None, i64(-1, 4, 9), b"wavecarry"])
    yield "behind the bytes", DeviceColumn(engine, b"u", 2, [None, i32(0, 4, 1 << 30), b"wavecarry"])
    yield "rows", DeviceColumn(engine, b"u", 1 << 40, [None, i32(0, 4, 9), b"wavecarry"])
    yield "length", DeviceColumn(engine, b"u", -1, [None, i32(0, 4, 9), b"wavecarry"])
    yield "no offsets", DeviceColumn(engine, b"u", 2, [None, None, b"wavecarry"])
    yield "no bytes", DeviceColumn(engine, b"u", 2, [None, i32(0, 4, 9), None])
    yield "buffers", DeviceColumn(engine, b"u", 2, [None, i32(0, 4, 9)])
    yield "validity", DeviceColumn(engine, b"u", 200, [b"\x01", i32(*range(201)), b"x" * 200], null_count=1)
    yield "no validity", DeviceColumn(engine, b"u", 2, [None, i32(0, 4, 9), b"wavecarry"], null_count=1)
    yield "views", DeviceColumn(engine, b"vu", 1, [None, b"\x04\0\0\0wave" + bytes(8)])
    yield "integers", DeviceColumn(engine, b"i", 2, [None, i32(1, 2)])


@pytest.mark.parametrize("number", range(31))
def test_wrong_objects_raise(engine, number):
    what, wrong = list(wrong_objects(engine))[number]
    with pytest.raises((TypeError, ValueError, OverflowError, BufferError, MemoryError, carrywave.Error)):
        carrywave.ResidentColumn(engine, wrong)
        pytest.fail(what)
    # The engine still works.
    assert carrywave.cpdist(carrywave.ResidentColumn(engine, ["wave"]), ["wane"]).tolist() == [1]


def test_what_cannot_be_compared(engine):
    column = carrywave.ResidentColumn(engine, A)
    with pytest.raises(ValueError, match="6 and 2 strings"):
        carrywave.cpdist(column, B[:2])
    with pytest.raises(ValueError, match="same GPU"):
        carrywave.cpdist(column, carrywave.ResidentColumn(carrywave.Simt(), B))
    for host in ("cpu", "auto"):
        with pytest.raises(ValueError):
            carrywave.ResidentColumn(host, A)


def test_only_gpus_hand_their_memory_on():
    simulated = carrywave.cpdist(carrywave.ResidentColumn("simt", A), B)
    for use in (lambda: simulated.__dlpack__(), simulated.__dlpack_device__, lambda: simulated.__cuda_array_interface__):
        with pytest.raises(BufferError, match="simulated"):
            use()


@pytest.mark.skipif(carrywave.gpu_count() == 0, reason="there is no GPU")
def test_other_libraries_use_the_distances():
    gpu = carrywave.Gpu()
    torch, cupy = pytest.importorskip("torch"), pytest.importorskip("cupy")
    rows = torch.tensor(list(b"ACGTTTTTGATA"), dtype=torch.uint8, device="cuda").reshape(3, 4)
    others = cupy.asarray(np.frombuffer(b"ACGATTTTATAG", np.uint8).reshape(3, 4))
    distances = carrywave.cpdist(rows, others, engine=gpu)
    expected = [1, 0, 2]
    assert distances.tolist() == expected
    assert torch.from_dlpack(distances).tolist() == cupy.from_dlpack(distances).tolist() == expected
    assert cupy.asarray(distances).tolist() == torch.as_tensor(distances, device="cuda").tolist() == expected
    kept = torch.from_dlpack(distances)
    del distances
    assert kept.sum().item() == 3
    with pytest.raises(carrywave.Error, match="not memory"):
        carrywave.cpdist(CudaArray(gpu, [b"ACGT"], data=(np.zeros(4, np.uint8).ctypes.data, False)), [b"ACGT"], engine=gpu)


@pytest.mark.parametrize("layout", ["string", "large_string", "binary", "string_view"])
def test_columns_of_the_host_on_a_gpu(engine, layout):
    pa = pytest.importorskip("pyarrow")
    a = ["wave", None, "", "naïve", "中文", "carry"] * 40
    b = ["wane", "x", "y", "naive", "中", None] * 40
    if layout == "binary":
        a, b = ([None if string is None else string.encode() for string in strings] for strings in (a, b))
    expected = {options: carrywave.cpdist(a, b, scorer=options).tolist() for options in ("levenshtein", "osa")}
    type = getattr(pa, layout)()
    chunked = pa.chunked_array([pa.array([], type), pa.array(a[:7], type)[:0], pa.array(a[:100], type), pa.array(["#", *a[100:]] if layout != "binary" else [b"#", *a[100:]], type)[1:]])
    for of_a in (pa.array(a, type), chunked):
        for scorer, distances in expected.items():
            assert carrywave.cpdist(of_a, pa.array(b, type), scorer=scorer, engine=engine).tolist() == distances
            assert carrywave.cpdist(of_a, b, scorer=scorer, engine=engine).tolist() == distances
    cutoff = carrywave.cpdist(a, b, score_cutoff=0).tolist()
    assert carrywave.cpdist(chunked, pa.array(b, type), score_cutoff=0, engine=engine).tolist() == cutoff
    # The host computes short texts beyond ASCII, and the GPU longer ones.
    if layout == "string":
        long_a, long_b = ["é" * 400, "wave"], ["è" + "é" * 399, "wane"]
        assert carrywave.cpdist(pa.array(long_a), pa.array(long_b), engine=engine).tolist() == [1, 1]
    with pytest.raises(ValueError, match="strings"):
        carrywave.cpdist(chunked, pa.array(b[:3], type), engine=engine)
    if layout != "binary":
        with pytest.raises(TypeError, match="encode or decode"):
            carrywave.cpdist(chunked, pa.array([b"wave"] * 240), engine=engine)
