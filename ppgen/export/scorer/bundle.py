"""Turns modules into one script and one style: joined in their order, without remarks and indents.

The modules are plain scripts that share one function's scope; the page's policy names what becomes of them by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable

from ppgen.export.scorer.woff import woff

_REMARK, _EMPTY = re.compile(r"^\s*//.*$", re.MULTILINE), re.compile(r"\n\s*")
_STRING = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)""")
_AROUND = re.compile(r" *(=>|[=!]==|[<>]=|&&|\|\||\.{3}|[=<>?:*,;{}()\[\]]) *")
_OPEN = ("{", "(", "[", ",", ";", "&&", "||", "=>")
"""After these no line need end."""
_STYLE_REMARK, _STYLE_SPACE = re.compile(r"/\*.*?\*/", re.DOTALL), re.compile(r"\s*([{};])\s*|(?<=[:,])\s+")


def script_of(modules: Iterable[str], starts: Iterable[str]) -> str:
    """One script of all modules that starts with the pages which these functions make."""
    lines = map(_squeezed, _EMPTY.sub("\n", _REMARK.sub("", "\n".join(modules))).splitlines())
    joined = "".join(line if line.endswith(_OPEN) and "//" not in line else f"{line}\n" for line in lines)
    pages = ", ".join(f"{name}()" for name in starts)
    return f'(() => {{\n"use strict";\n{joined.strip()}\nstart([{pages}]);\n}})();\n'


def _squeezed(line: str) -> str:
    """The line without spaces around signs; one with a pattern, a remark or texts within texts stays as it is."""
    parts = _STRING.split(line)
    code, texts = parts[::2], parts[1::2]
    if any("/" in part or "`" in part for part in code) or any(
            text.startswith("`") and text.count("${") != text.count("}") for text in texts):
        return line
    return "".join(part if number % 2 else _AROUND.sub(r"\1", part) for number, part in enumerate(parts))


def style_of(modules: Iterable[str], font: bytes) -> str:
    """One style of all modules, with the font KK in it."""
    lines = _EMPTY.sub("\n", _STYLE_REMARK.sub("", "\n".join(modules)))
    joined = _STYLE_SPACE.sub(lambda found: found[1] or "", lines).strip()
    source = f"data:font/woff;base64,{base64.b64encode(woff(font)).decode()}"
    return f"@font-face{{font-family:KK;font-weight:700;src:url({source})}}\n{joined}\n"


def policy(script: str, style: str) -> str:
    """The content security policy of a page that runs this script with this style, and nothing else."""
    return "; ".join((
        "default-src 'none'", f"script-src {_hash(script)}", f"style-src {_hash(style)}", "img-src data: blob:",
        "font-src data:", "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'"))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
