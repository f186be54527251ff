"""Turns a PDF with a filled-in form into the texts of its fields, by their full names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppgen.errors import InputError, Problem, shown_path

if TYPE_CHECKING:
    import pikepdf

MAX_BYTES = 50_000_000
"""A larger file is refused before it is opened: people send each other all sorts of PDFs."""
MAX_FIELDS = 5_000
MAX_DEPTH = 20
"""How deep fields may lie inside fields."""
LONGEST_VALUE = 500


def read_form_fields(path: Path) -> dict[str, str]:
    """The text of each form field: ``{"p1.france.cards": "5", …}`` (ISO 32000-2, 12.7.4).

    A field's full name joins its own and its parents' partial names with dots; a value is inherited
    from the parent. Fields without a text are empty. Raises InputError for a file that is missing, no
    PDF, encrypted, too large, or without a form.
    """
    import pikepdf  # slow to import

    place = shown_path(path)

    def refused(what: str, remedy: str = "") -> InputError:
        return InputError([Problem(place=place, what=what, remedy=remedy)])

    try:
        if path.stat().st_size > MAX_BYTES:
            raise refused(f"is larger than {MAX_BYTES // 1_000_000} MB", "give the filled-in score sheet alone")
        with pikepdf.open(path) as pdf:
            form = pdf.Root.get("/AcroForm")
            roots = form.get("/Fields") if isinstance(form, pikepdf.Dictionary) else None
            if not isinstance(roots, pikepdf.Array) or not len(roots):
                raise refused("is a PDF without a form",
                              "give the score sheet that was filled in and saved, not a scan or a printed copy")
            fields: dict[str, str] = {}
            for name, value in _walk(roots):
                if len(fields) >= MAX_FIELDS:
                    raise refused(f"has more than {MAX_FIELDS} form fields", "give the filled-in score sheet alone")
                if name not in fields or not fields[name]:
                    fields[name] = value
            return fields
    except FileNotFoundError as error:
        raise refused("file not found", "mend the name") from error
    except OSError as error:
        raise refused(f"can't be read: {error.strerror}") from error
    except pikepdf.PasswordError as error:
        raise refused("is protected by a password", "save it without one") from error
    except pikepdf.PdfError as error:
        raise refused("is not a PDF that can be read", "save it again in the PDF viewer") from error


def _walk(roots: pikepdf.Array) -> Iterator[tuple[str, str]]:
    """The full name and value of each terminal field."""
    import pikepdf

    todo: list[tuple[Any, str, str, int]] = [(kid, "", "", 0) for kid in reversed(list(roots)[:MAX_FIELDS])]
    steps = 0
    while todo and (steps := steps + 1) <= 4 * MAX_FIELDS:  # a kid may be its own parent in a forged file
        field, prefix, inherited, depth = todo.pop()
        if not isinstance(field, pikepdf.Dictionary) or depth > MAX_DEPTH:
            continue
        part = _text(field.get("/T"))
        name = ".".join(filter(None, (prefix, part)))
        value = _text(field.get("/V")) if "/V" in field else inherited
        kids = field.get("/Kids")
        inner = [kid for kid in list(kids)[:MAX_FIELDS] if isinstance(kid, pikepdf.Dictionary)
                 and "/T" in kid] if isinstance(kids, pikepdf.Array) else []
        if inner:  # kids without a name are only the places where the field is shown
            todo.extend((kid, name, value, depth + 1) for kid in reversed(inner))
        elif name:
            yield name, value


def _text(value: Any) -> str:
    """A text string, which may stand in a stream of its own; anything else is none (12.7.5.3)."""
    import pikepdf

    if isinstance(value, pikepdf.String):
        text = str(value)
    elif isinstance(value, pikepdf.Stream):
        text = str(pikepdf.String(value.read_bytes())) if int(value.get("/Length", 0)) < LONGEST_VALUE else ""
    elif isinstance(value, pikepdf.Name):
        text = str(value).removeprefix("/")
    else:
        text = ""
    return text[:LONGEST_VALUE].replace("\r", " ").replace("\n", " ")
