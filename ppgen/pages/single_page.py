"""Web pages in one file: fonts, script and style, content security policy, placeholders and data."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import zlib
from collections.abc import Iterable, Mapping

# --- WOFF fonts (WOFF File Format 1.0), half as large as TrueType ---

_HEADER, _ENTRY, _TABLE = ">4sIIHHIHHIIIII", ">4sIIII", ">4sIII"


def woff(program: bytes) -> bytes:
    """Convert a TrueType program to WOFF, with each table compressed. The same input gives the same bytes."""
    flavour, count = struct.unpack(">IH", program[:6])
    entries, tables = b"", b""
    offset, unpacked = 44 + 20 * count, 12 + 16 * count
    for number in range(count):
        tag, checksum, start, length = struct.unpack(_TABLE, program[12 + 16 * number:28 + 16 * number])
        table = program[start:start + length]
        packed = min(table, zlib.compress(table, 9), key=len)  # of the same length, it counts as not compressed
        entries += struct.pack(_ENTRY, tag, offset + len(tables), len(packed), length, checksum)
        tables += packed + bytes(-len(packed) % 4)
        unpacked += length + -length % 4
    header = struct.pack(_HEADER, b"wOFF", flavour, offset + len(tables), count, 0, unpacked, 1, 0, 0, 0, 0, 0, 0)
    return header + entries + tables


# Script and style: modules joined in order; scripts are minified
#
# The modules are plain scripts in the scope of one function. The page's policy allows the results by their hashes.

def join_scripts(modules: Iterable[str], starts: Iterable[str]) -> str:
    """Join modules (rjsmin allows no template in a template's placeholder) to a script that starts the pages."""
    import rjsmin  # needed by this export only

    pages = ", ".join(f"{name}()" for name in starts)
    whole = "\n".join(('(() => {\n"use strict";', *modules, f"start([{pages}]);\n}})();"))
    return str(rjsmin.jsmin(whole)) + "\n"


def join_styles(modules: Iterable[str], font: bytes) -> str:
    """Join modules to one style with the embedded font KK."""
    joined = "\n".join(modules).strip()
    source = f"data:font/woff;base64,{base64.b64encode(woff(font)).decode()}"
    return f"@font-face{{font-family:KK;font-weight:700;src:url({source})}}\n{joined}\n"


def policy(script: str, style: str, *sources: str) -> str:
    """Return the content security policy of a page with this script and style, and further ``sources``."""
    return "; ".join(("default-src 'none'", f"script-src {_hash(script)}", f"style-src {_hash(style)}", *sources,
                      "base-uri 'none'", "form-action 'none'"))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# --- Skeleton ---

_PLACE = re.compile(r"\{\{(\w+)\}\}")


def fill_in(skeleton: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda match: values[match[1]], skeleton)


def data_block(name: str, data: object) -> str:
    """Write data for the script to read from the element with this id."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'
