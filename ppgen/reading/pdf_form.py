"""Turns a PDF with a filled-in form into the texts of its fields, by their full names."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppgen.errors import InputError
from ppgen.reading.limits import UNSEEN, read_bytes, refusal

if TYPE_CHECKING:
    import pikepdf

MAX_BYTES = 5_000_000
"""A larger file is refused before it is opened: people send each other all sorts of PDFs. A sheet has a tenth of it."""
MAX_FIELDS = 5_000
MAX_DEPTH = 20
"""How deep fields may lie inside fields."""
LONGEST_VALUE = 80
"""Characters of a value that are read; a name has 60 at most."""
UNPACKED = 5_000_000
"""A stream that is larger once it is unpacked is not read: a PDF of a megabyte may hold one of gigabytes."""


def read_form_fields(path: Path) -> dict[str, str]:
    """The text of each form field: ``{"p1.france.cards": "5", …}`` (ISO 32000-2, 12.7.4).

    A field's full name joins its own and its parents' partial names with dots; a value is inherited
    from the parent. Fields without a text are empty. Raises InputError for a file that is missing, no
    PDF, encrypted, too large, or without a form.
    """
    import pikepdf  # slow to import

    logging.getLogger("pikepdf").setLevel(logging.CRITICAL)  # what qpdf mends and says of it is nothing to players
    data = read_bytes(path, MAX_BYTES, "give the filled-in score sheet alone")
    try:
        with _bounded(), pikepdf.open(BytesIO(data)) as pdf:
            form = pdf.Root.get("/AcroForm")
            roots = form.get("/Fields") if isinstance(form, pikepdf.Dictionary) else None
            if not isinstance(roots, pikepdf.Array) or not len(roots):
                raise refusal(path, "is a PDF without a form",
                              "give the score sheet that was filled in and saved, not a scan or a printed copy")
            fields: dict[str, str] = {}
            for name, value in _walk(roots):
                if len(fields) >= MAX_FIELDS:
                    raise refusal(path, f"has more than {MAX_FIELDS} form fields",
                                  "give the filled-in score sheet alone")
                if name not in fields or not fields[name]:
                    fields[name] = value
            return fields
    except InputError:
        raise
    except pikepdf.PasswordError as error:
        raise refusal(path, "is protected by a password", "save it without one") from error
    except Exception as error:  # whatever a forged file brings the library to
        raise refusal(path, "is not a PDF that can be read", "save it again in the PDF viewer") from error


@contextmanager
def _bounded() -> Iterator[None]:
    """Keep qpdf from unpacking and building without bounds, as far as this version of pikepdf can be told so."""
    import pikepdf.settings

    limit: Callable[..., dict[str, int]] | None = getattr(pikepdf.settings, "set_qpdf_limits", None)
    if limit is None:
        yield
        return
    before = limit(max_stream_filters=2, **dict.fromkeys(
        ("flate_max_memory", "png_max_memory", "run_length_max_memory", "tiff_max_memory"), UNPACKED))
    try:
        yield
    finally:
        limit(**before)


def _walk(roots: pikepdf.Array) -> Iterator[tuple[str, str]]:
    """The full name and value of each terminal field."""
    import pikepdf

    todo: list[tuple[Any, str, str, int]] = [(kid, "", "", 0) for kid in reversed(_first(roots))]
    steps = 0
    while todo and (steps := steps + 1) <= 4 * MAX_FIELDS:  # a kid may be its own parent in a forged file
        field, prefix, inherited, depth = todo.pop()
        if not isinstance(field, pikepdf.Dictionary) or depth > MAX_DEPTH:
            continue
        part = _text(field.get("/T"))
        name = ".".join(filter(None, (prefix, part)))
        value = _text(field.get("/V")) if "/V" in field else inherited
        kids = field.get("/Kids")
        inner = [kid for kid in _first(kids) if isinstance(kid, pikepdf.Dictionary)
                 and "/T" in kid] if isinstance(kids, pikepdf.Array) else []
        if inner:  # kids without a name are only the places where the field is shown
            todo.extend((kid, name, value, depth + 1) for kid in reversed(inner))
        elif name:
            yield name, value


def _first(array: pikepdf.Array) -> list[Any]:
    """As much of an array as is worth reading; to make a list of all of it may take gigabytes."""
    return [array[number] for number in range(min(len(array), MAX_FIELDS))]


def _text(value: Any) -> str:
    """A text string, which may stand in a stream of its own; anything else is none (12.7.5.3)."""
    import pikepdf

    if isinstance(value, pikepdf.String):
        text = str(value)
    elif isinstance(value, pikepdf.Stream):
        short = len(value.read_raw_bytes()) <= 4 * LONGEST_VALUE  # what /Length says may be a lie
        text = str(pikepdf.String(value.read_bytes())) if short else ""
    elif isinstance(value, pikepdf.Name):
        text = str(value).removeprefix("/")
    else:
        text = ""
    return UNSEEN.sub("", text[:LONGEST_VALUE].replace("\r", " ").replace("\n", " "))
