"""Turns a TrueType program into a WOFF file, half as large (WOFF File Format 1.0)."""

from __future__ import annotations

import struct
import zlib

_HEADER, _ENTRY, _TABLE = ">4sIIHHIHHIIIII", ">4sIIII", ">4sIII"


def woff(program: bytes) -> bytes:
    """The font, each of its tables packed. The same input gives the same bytes."""
    flavour, count = struct.unpack(">IH", program[:6])
    entries, tables = b"", b""
    offset, unpacked = 44 + 20 * count, 12 + 16 * count
    for number in range(count):
        tag, checksum, start, length = struct.unpack(_TABLE, program[12 + 16 * number:28 + 16 * number])
        table = program[start:start + length]
        packed = min(zlib.compress(table, 9), table, key=len)
        entries += struct.pack(_ENTRY, tag, offset + len(tables), len(packed), length, checksum)
        tables += packed + bytes(-len(packed) % 4)
        unpacked += length + -length % 4
    header = struct.pack(_HEADER, b"wOFF", flavour, offset + len(tables), count, 0, unpacked, 1, 0, 0, 0, 0, 0, 0)
    return header + entries + tables
