"""Texts of a TOML file are set, and comments, order and everything else stay as they are.

A text that has a line is replaced there; a new one follows the last one of its table, or opens the table at the end of
the file. The result is parsed again: forms that this editor does not write (inline tables) are refused, not mangled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ppgen.errors import InputError, Problems
from ppgen.reading.fields import Fields, Source, parse_toml
from ppgen.reading.file_limits import refuse_file
from ppgen.reading.texts import find_line, flatten_texts

_KEY = re.compile(r"""[ \t]*+(?:[\w.-]++|"[^"\n]*+"|'[^'\n]*+'|[ \t]++)++=[ \t]*+""")
_TEXT = re.compile(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*+"{3,5}|' r"'''(?:[^']|'{1,2}(?!'))*+'{3,5}|"
                   r'"(?:[^"\\\n]|\\.)*+"|' r"'[^'\n]*+'", re.DOTALL)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def set_texts(source: Source, texts: Mapping[str, str]) -> str:
    """Return the text of the file with these texts, by dotted key. Raises InputError if it can't have them."""
    known = read_all_texts(source)
    edited = source.text
    edits = sorted(_edits(source, known, texts), key=lambda edit: edit[0])
    for start, end, words in reversed(edits):  # from the end, so that the places before it stay right
        edited = edited[:start] + words + edited[end:]
    try:
        is_right = read_all_texts(Source(source.path, edited)) == {**known, **texts}
    except InputError:
        is_right = False
    if not is_right:
        raise _refuse(source, next(iter(texts), ""))
    return edited


def delete_text(source: Source, key: str) -> str:
    """Return the text of the file without the line of a text. Raises InputError if it has no line of its own."""
    start, end = _find_text(source, key)
    start, end = source.text.rfind("\n", 0, start) + 1, source.text.find("\n", end) + 1 or len(source.text)
    known = read_all_texts(source)
    del known[key]
    edited = source.text[:start] + source.text[end:]
    try:
        is_right = read_all_texts(Source(source.path, edited)) == known
    except InputError:
        is_right = False
    if not is_right:
        raise _refuse(source, key)
    return edited


def read_all_texts(source: Source) -> dict[str, str]:
    """The texts of a file by dotted key. Raises InputError."""
    return dict(flatten_texts(Fields(source, parse_toml(source), Problems())))


def _edits(source: Source, known: Mapping[str, str], texts: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """Yield the places to replace, with what is written there; new texts are grouped by table."""
    new: dict[str, list[str]] = {}
    for key, text in texts.items():
        if key in known:
            start, end = _find_text(source, key)
            yield start, end, _quote(text, source.text.startswith(('"""', "'''"), start))
        else:
            table, _, name = key.rpartition(".")
            new.setdefault(table, []).append(f"{_quote_name(name)} = {_quote(text, False)}\n")
    appended = []
    for table, lines in new.items():
        ends = [_find_text(source, key)[1] for key in known if key.rpartition(".")[0] == table]
        if ends:
            end = source.text.find("\n", max(ends)) + 1
            place = end or len(source.text)
            yield place, place, ("" if end else "\n") + "".join(lines)
        elif table:
            header = ".".join(map(_quote_name, table.split(".")))
            if empty := re.search(rf"^[ \t]*+\[{re.escape(header)}\].*+\n?", source.text, re.MULTILINE):
                lines = lines if empty[0].endswith("\n") else ["\n", *lines]
                yield empty.end(), empty.end(), "".join(lines)
                continue
            appended.append(f"[{header}]\n{''.join(lines)}")
        else:
            yield 0, 0, "".join([*lines, "\n" if source.text else ""])
    if appended:
        ending = source.text and ("\n" if source.text.endswith("\n") else "\n\n")
        yield len(source.text), len(source.text), ending + "\n".join(appended)


def _find_text(source: Source, key: str) -> tuple[int, int]:
    """The place of a text in the file, with its quotes. Raises InputError if it has no line of its own."""
    line = find_line(source, key)
    start = 0
    for _ in range(line - 1):
        start = source.text.find("\n", start) + 1
    head = _KEY.match(source.text, start)
    text = _TEXT.match(source.text, head.end()) if head else None
    if not text:
        raise _refuse(source, key)
    return text.span()


def _refuse(source: Source, key: str) -> InputError:
    return refuse_file(source.path, "is written in a form that ppgen can't change",
                       'give each text a line of its own, key = "text", under its [table]', find_line(source, key), key)


def _quote_name(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quote(name, False)


def _quote(text: str, is_long: bool) -> str:
    escapes = {letter: escape for letter, escape in _ESCAPES.items() if not is_long or letter not in "\n\t"}
    quoted = "".join(escapes.get(letter, letter) for letter in text)
    return f'"""\n{quoted}"""' if is_long else f'"{quoted}"'
