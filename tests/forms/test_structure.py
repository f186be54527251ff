"""The form's structure is that of ISO 32000-1, 12.7, and changes nothing on paper."""

from __future__ import annotations

import io
import re
import subprocess
from collections import Counter
from contextlib import nullcontext
from itertools import accumulate

import pikepdf
import pytest

from ppgen.assets import Assets
from ppgen.engine.pdf.form_fields import _mark_words
from ppgen.games.card_game.deck import MAX_PLAYERS
from ppgen.printing.workshop import Workshop
from tests.node import tool
from tests.pdf_reading import tags

from .conftest import fields_of, sheet_of

COUNTS = ("ships", "carriages", "minus_two")
POINTS = ("country_subtotal", "symbol_subtotal", "carry", "chain_points", "law_points", "total")


def computes(field: pikepdf.Object) -> bool:
    return "/C" in field.get("/AA", {})


def expected_names(deck) -> set[str]:
    names = {"date", "place"}
    for player in range(1, MAX_PLAYERS + 1):
        keys = ["name", *COUNTS, *POINTS]
        for country in deck.countries:
            keys += [f"{country.id}.{key}" for key in ("cards", "symbols", "country_points", "symbol_points")]
        names |= {f"p{player}.{key}" for key in keys}
    return names


def test_every_box_has_its_field(fields, deck):
    assert set(fields) == expected_names(deck)


def test_fields_are_free_of_overlaps_and_on_the_page(fields, opened):
    width, height = (float(edge) for edge in opened.pages[0].mediabox[2:])
    boxes = [[float(edge) for edge in field.Rect] for field in fields.values()]
    for n, (left, bottom, right, top) in enumerate(boxes):
        assert 0 < left < right < width and 0 < bottom < top < height
        assert not [other for other in boxes[n + 1:]
                    if left < other[2] and other[0] < right and bottom < other[3] and other[1] < top]


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
    words = b"q 1 0 0 -1 0 9 cm\nBT\n1 0 0 1 0 0 Tm\n/f0 3 Tf\n<00>Tj" + ending
    document = pikepdf.Pdf.new()
    face = document.make_stream(b"/Artifact BMC\n" + words + b"EMC", BBox=[0, 0, 9, 9])
    with nullcontext() if ending == b"\nET\nQ\n" else pytest.raises(AssertionError, match="no tag"):
        assert len(_mark_words(face, 3.0)) == 1
        assert face.read_bytes().count(b"/MCID") == 1


@pytest.fixture
def tabbed(fields, opened) -> list[str]:
    """The fields in the order of the Tab key where viewers don't go by the structure."""
    assert opened.pages[0].obj.Tabs == "/S"
    names = {field.objgen: name for name, field in fields.items()}
    return [names[widget.objgen] for widget in opened.pages[0].Annots]


def test_tab_goes_country_by_country_and_to_computed_points_last(fields, tabbed):
    assert tabbed[:2] == ["p1.name", "p2.name"]
    assert tabbed[5:9] == ["p1.france.cards", "p1.france.symbols", "p2.france.cards", "p2.france.symbols"]
    assert tabbed[15] == "p1.saxony.cards"
    typed = [name for name in tabbed if not computes(fields[name])]
    assert tabbed[:len(typed)] == typed
    assert typed[-17:-13] == ["p1.ships", "p1.carriages", "p2.ships", "p2.carriages"]
    assert typed[-7:] == [*(f"p{n}.minus_two" for n in range(1, 6)), "date", "place"]


def test_calculation_order_is_that_of_the_sheet(fields, opened):
    order = [next(name for name, field in fields.items() if field.objgen == entry.objgen)
             for entry in opened.Root.AcroForm.CO]
    assert set(order) == {name for name, field in fields.items() if computes(field)}
    for name in order:  # nothing is read before it is computed
        read = re.findall(r'"(p\d\.[a-z_.]+)"', str(fields[name].AA.C.JS))
        assert all(order.index(other) < order.index(name) for other in read if other in order)


def test_fields_speak_to_screen_readers(fields, workshop):
    tooltips = [str(field.TU) for field in fields.values()]
    assert len(set(tooltips)) == len(tooltips)
    assert str(fields["p2.france.cards"].TU).startswith("Spieler 2, Frankreich")
    with pikepdf.open(io.BytesIO(sheet_of(workshop, langs=("en",)))) as english:
        assert str(fields_of(english)["p2.france.cards"].TU).startswith("Player 2, France")


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
