"""PDF form reader: the texts of the fields of a filled-in form, by their full names."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppgen.errors import InputError, Phrase
from ppgen.reading.fields import INVISIBLE, read_bytes, refuse_file

if TYPE_CHECKING:
    import pikepdf

MAX_BYTES = 5_000_000  # before the file is opened: users pass around all sorts of PDFs; a sheet has a tenth of it
MAX_FIELDS = 5_000
MAX_DEPTH = 20  # nesting of fields
MAX_VALUE_LENGTH = 80  # characters of a value that are read; a name has at most 60
MAX_UNPACKED_BYTES = 5_000_000  # size limit of an unpacked stream: a PDF of a megabyte may hold one of gigabytes


def read_form_fields(path: Path) -> dict[str, str]:
    """Read the text of each form field: ``{"p1.france.cards": "5", …}`` (ISO 32000-2, 12.7.4).

    A field's full name joins the partial names of its parents and its own with dots; a value is inherited from the
    parent. Fields without a text are empty. Raises InputError for a file that is missing, not a PDF, encrypted, too
    large, or without a form.
    """
    import pikepdf  # slow to import

    logging.getLogger("pikepdf").setLevel(logging.CRITICAL)  # qpdf's notes on repairs are not for players
    data = read_bytes(path, MAX_BYTES, Phrase("sheet_alone"))
    try:
        with _limit_qpdf(), pikepdf.open(BytesIO(data)) as pdf:
            form = pdf.Root.get("/AcroForm")
            roots = form.get("/Fields") if isinstance(form, pikepdf.Dictionary) else None
            if not isinstance(roots, pikepdf.Array) or not len(roots):
                raise refuse_file(path, Phrase("no_form"), Phrase("saved_sheet"))
            fields: dict[str, str] = {}
            for name, value in _walk(roots):
                if len(fields) >= MAX_FIELDS:
                    raise refuse_file(path, Phrase("many_fields", number=MAX_FIELDS), Phrase("sheet_alone"))
                if name not in fields or not fields[name]:
                    fields[name] = value
            return fields
    except InputError:
        raise
    except pikepdf.PasswordError as error:
        raise refuse_file(path, Phrase("protected"), Phrase("save_without_password")) from error
    except Exception as error:  # forged files make the library raise anything
        raise refuse_file(path, Phrase("not_pdf"), Phrase("save_pdf_again")) from error


@contextmanager
def _limit_qpdf() -> Iterator[None]:
    """Limit what qpdf unpacks and builds, if this version of pikepdf has the setting."""
    import pikepdf.settings

    set_limits: Callable[..., dict[str, int]] | None = getattr(pikepdf.settings, "set_qpdf_limits", None)
    if set_limits is None:
        yield
        return
    before = set_limits(max_stream_filters=2, **dict.fromkeys(
        ("flate_max_memory", "png_max_memory", "run_length_max_memory", "tiff_max_memory"), MAX_UNPACKED_BYTES))
    try:
        yield
    finally:
        set_limits(**before)


def _walk(roots: pikepdf.Array) -> Iterator[tuple[str, str]]:
    """The full name and value of each terminal field."""
    import pikepdf

    todo: list[tuple[Any, str, str, int]] = [(kid, "", "", 0) for kid in reversed(_first(roots))]
    steps = 0
    while todo and (steps := steps + 1) <= 4 * MAX_FIELDS:  # in a forged file a kid may be its own parent
        field, prefix, inherited, depth = todo.pop()
        if not isinstance(field, pikepdf.Dictionary) or depth > MAX_DEPTH:
            continue
        part = _text(field.get("/T"))
        name = ".".join(filter(None, (prefix, part)))
        value = _text(field.get("/V")) if "/V" in field else inherited
        kids = field.get("/Kids")
        inner = [kid for kid in _first(kids) if isinstance(kid, pikepdf.Dictionary)
                 and "/T" in kid] if isinstance(kids, pikepdf.Array) else []
        if inner:  # kids without a name are only the widgets of the field
            todo.extend((kid, name, value, depth + 1) for kid in reversed(inner))
        elif name:
            yield name, value


def _first(array: pikepdf.Array) -> list[Any]:
    """The first :data:`MAX_FIELDS` entries of an array; a list of all of them may take gigabytes."""
    return [array[number] for number in range(min(len(array), MAX_FIELDS))]


def _text(value: Any) -> str:
    """A text string, which may be a stream of its own (12.7.5.3); empty for anything else."""
    import pikepdf

    text = str(value) if isinstance(value, pikepdf.String) else ""
    if isinstance(value, pikepdf.Stream) and len(value.read_raw_bytes()) <= 4 * MAX_VALUE_LENGTH:  # not /Length
        text = str(pikepdf.String(value.read_bytes()))
    elif isinstance(value, pikepdf.Name):
        text = str(value).removeprefix("/")
    return INVISIBLE.sub("", text[:MAX_VALUE_LENGTH].replace("\r", " ").replace("\n", " "))
