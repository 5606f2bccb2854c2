"""The structures of Arrow's C data interface, filled by hand."""

import ctypes
import struct
from ctypes import POINTER, c_char_p, c_int64, c_void_p


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, POINTER(Schema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, POINTER(Array))
Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", c_void_p),
    ("dictionary", POINTER(Schema)),
    ("release", RELEASE_SCHEMA),
    ("private_data", c_void_p),
]
Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", c_void_p),
    ("dictionary", POINTER(Array)),
    ("release", RELEASE_ARRAY),
    ("private_data", c_void_p),
]


@RELEASE_SCHEMA
def release_schema(schema):
    schema.contents.release = RELEASE_SCHEMA()


@RELEASE_ARRAY
def release_array(array):
    array.contents.release = RELEASE_ARRAY()


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]


class Structures:
    """The structures of a column of one chunk. A buffer is bytes, or None as a null address."""

    def __init__(self, format, length, buffers, *, offset=0, null_count=-1, n_buffers=None, dictionary=None, no_buffers=False):
        self.kept = [None if data is None else ctypes.create_string_buffer(data, max(len(data), 1)) for data in buffers]
        addresses = [None if data is None else ctypes.addressof(data) for data in self.kept]
        self.addresses = (c_void_p * max(len(buffers), 1))(*addresses)
        self.dictionary = dictionary
        self.schema = Schema(format=format, release=release_schema)
        self.array = Array(
            length=length,
            null_count=null_count,
            offset=offset,
            n_buffers=len(buffers) if n_buffers is None else n_buffers,
            buffers=None if no_buffers else self.addresses,
            release=release_array,
        )
        if dictionary:
            self.schema.dictionary = ctypes.pointer(dictionary.schema)
            self.array.dictionary = ctypes.pointer(dictionary.array)


class Column(Structures):
    """A column in the memory of the host."""

    def __arrow_c_array__(self, requested_schema=None):
        return (
            new_capsule(ctypes.addressof(self.schema), b"arrow_schema", None),
            new_capsule(ctypes.addressof(self.array), b"arrow_array", None),
        )


def i32(*numbers):
    return struct.pack(f"={len(numbers)}i", *numbers)


def i64(*numbers):
    return struct.pack(f"={len(numbers)}q", *numbers)
