"""The form's structure is that of ISO 32000-1, 12.7, and changes nothing on paper."""

from __future__ import annotations

import io
import subprocess
from collections import Counter
from contextlib import nullcontext
from itertools import accumulate

import pikepdf
import pytest

from ppgen.assets import Assets
from ppgen.engine.pdf.form_fields import _mark_words
from ppgen.printing.workshop import Workshop
from tests.node import tool
from tests.pdf_reading import tags

from .conftest import sheet_of


def test_its_words_and_fields_are_read_from_the_top(fields, opened):
    """A title; then row by row the words before the fields, and each field as a form."""
    found = [*tags(opened.Root.StructTreeRoot.K)]
    kinds = Counter(kind for kind, _ in found)
    assert [kind for kind, _ in found[:4]] == ["/Document", "/H1", "/P", "/Table"]
    assert (kinds["/Form"], kinds["/TD"], kinds["/Table"]) == (len(fields), len(fields), 2)
    names = {field.objgen: name for name, field in fields.items()}
    first = next(row for kind, row in found if kind == "/TR" and len(row.K) == 21)
    assert [str(cell.S) for cell in first.K] == ["/TH", *["/TD"] * 20]
    assert [names[cell.K[0].K.Obj.objgen] for cell in first.K[1:4]] == [
        "p1.france.cards", "p1.france.country_points", "p1.france.symbols"]
    for table in (node for kind, node in found if kind == "/Table"):
        assert len({sum(int(cell.A.ColSpan) for cell in row.K) for row in table.K}) == 1
    parents = opened.Root.StructTreeRoot.ParentTree.Nums
    assert all(parents[2 * int(field.StructParent) + 1].K.Obj.objgen == field.objgen for field in fields.values())


@pytest.mark.parametrize("ending", [b"\nET\nQ\n", b"\nET Q\n", b" ET\nQ\n"])
def test_no_word_loses_its_tag_without_an_error(ending):
    """Words are found as typst writes them now: with its next version all of them, or a build fails."""
    words = b"q\n1 0 0 -1 0 9 cm\nBT\n1 0 0 1 0 0 Tm\n/f0 3 Tf\n<00>Tj" + ending
    document = pikepdf.Pdf.new()
    face = document.make_stream(b"/Artifact BMC\n" + words + b"EMC", BBox=[0, 0, 9, 9])
    with nullcontext() if ending == b"\nET\nQ\n" else pytest.raises(AssertionError, match="no tag"):
        assert len(_mark_words(face, 3.0)) == 1
        assert face.read_bytes().count(b"/MCID") == 1


def test_every_field_has_an_appearance_and_is_printed(fields):
    assert all(b"Tj" not in field.AP.N.read_bytes() and int(field.F) == 4 for field in fields.values())


def test_the_font_to_type_in_is_embedded_and_has_accents(opened):
    (font,) = opened.Root.AcroForm.DR.Font.values()
    assert len(font.FontDescriptor.FontFile2.read_bytes()) > 10_000
    widths = [int(width) for width in font.Widths]
    assert all(widths[ord(letter) - 32] for letter in "0123456789+-ÅØåøÄÖÜäöüßéç")
    others = {str(entry) for entry in font.Encoding.Differences if not str(entry).isdigit()}
    assert {"/Ccaron", "/Lslash", "/omacron"} <= others  # Č Ł ō


def test_qpdf_and_pdffonts_find_nothing_wrong(score_sheet, tmp_path):
    file = tmp_path / "sheet.pdf"
    file.write_bytes(score_sheet)
    subprocess.run([tool("qpdf"), "--check", file], check=True, capture_output=True)
    lines = subprocess.run([tool("pdffonts"), file], check=True, capture_output=True, text=True).stdout.splitlines()
    assert all(line.split()[-5] == "yes" for line in lines[2:])  # embedded


@pytest.mark.parametrize("game", ["card-game", "board-game"])
def test_each_cell_belongs_to_the_column_that_stands_above_it(game, workshop):
    """Column for column, from the left edge of the longest row's cells; none goes beyond the next one's."""
    sheet = sheet_of(workshop) if game == "card-game" else sheet_of(Workshop.open(Assets.at(), game=game))
    with pikepdf.open(io.BytesIO(sheet)) as pdf:
        tables = [node for kind, node in tags(pdf.Root.StructTreeRoot.K) if kind == "/Table"]
        assert tables
        for table in tables:
            rows = []
            for row in table.K:
                columns = list(accumulate((int(cell.A.ColSpan) for cell in row.K), initial=0))
                cells = [(column, [float(edge) for edge in cell.K[0].K.Obj.Rect])
                         for column, cell in zip(columns, row.K, strict=False)
                         if len(cell.K) and cell.K[0].get("/K") is not None and "/Obj" in cell.K[0].K]
                rows.append((cells, columns[-1]))
            assert len({width for _, width in rows}) == 1
            longest, _ = max(rows, key=lambda row: len(row[0]))
            lefts = {column: box[0] for column, box in longest}
            for cells in (cells for cells, _ in rows if len(cells) > 2):  # not those of date and place
                for column, (left, *_) in cells:
                    later = [edge for other, edge in lefts.items() if other > column]
                    assert lefts.get(column, 0) < left + 6 and all(left < edge + 1 for edge in later)
