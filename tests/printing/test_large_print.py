"""``--large-print``: type of 14 pt or more, as a PDF reader measures it, in all that is read at the table."""

import io
import json

import pikepdf
import pypdfium2
import pytest

from ppgen.assets import Assets
from ppgen.engine.drawing import svg_check
from ppgen.engine.geometry import A4, Format, Size
from ppgen.engine.pdf.form_fields import fill_form
from ppgen.printing.request import PLAIN_SKIN, BuildRequest
from ppgen.printing.set_build import build_set
from ppgen.printing.workshop import Workshop
from tests.pdf_reading import type_on

LETTER = Format("letter", Size(215.9, 279.4))
READ = {"card-game": ("cards", "tablets", "stones", "score-sheet", "rules", "guide"),
        "board-game": ("cards", "aid", "score-sheet", "rules", "guide")}
LEAST_PT = 14.0
MAKER_MM = 15.0
"""Height of the strips at the edges of a sheet that hold labels, scale and marks for whoever prints it."""
VALUES = {"p1.name": "Anna", "p2.name": "Ben", "p3.name": "Cem", "france.FR1": "A", "france.FR2": "B",
          "france.councillors": "A", "england.EN1": "C", "p1.before": "7", "place": "Ulm"}


def workshop(game: str) -> Workshop:
    return Workshop.open(Assets.at(), game=game).in_large_print()


def build(game: str, *parts: str, langs: tuple[str, ...] = ("de",), **options: object) -> dict[str, bytes]:
    request = BuildRequest(langs=langs, parts=parts, large_print=True, skin=PLAIN_SKIN, **{"papers": (A4,), **options})
    return {file.path: file.content for file in build_set(request, workshop(game)).files if file.path.endswith("pdf")}


def edge_distances(page: pypdfium2.PdfPage) -> list[float]:
    """The distance of each character from the nearest edge of the page in mm, in the order of :func:`type_on`."""
    words, (width, height) = page.get_textpage(), page.get_size()
    boxes = (words.get_charbox(at) for at, sign in enumerate(words.get_text_range()) if not sign.isspace())
    return [min(left, bottom, width - right, height - top) / 72 * 25.4 for left, bottom, right, top in boxes]


def small_type(files: dict[str, bytes]) -> dict[str, str]:
    """The signs under 14 pt in each file that has any, with their size. Booklets have no strips for the maker."""
    found = {}
    for path, content in files.items():
        is_booklet = any(f"/{name}-" in path for name in ("rules", "guide"))
        with pypdfium2.PdfDocument(content) as pdf:
            for page in pdf:
                type_sizes = [(sign, round(size, 1)) for sign, size, _ in type_on(page)]
                if min((size for _, size in type_sizes), default=LEAST_PT) >= LEAST_PT:
                    continue
                signs = [(sign, size) for (sign, size), edge in zip(type_sizes, edge_distances(page), strict=True)
                         if size < LEAST_PT and (is_booklet or edge > MAKER_MM)]
                if signs:
                    found[path] = f"{min(size for _, size in signs)} pt: {''.join(sign for sign, _ in signs)[:40]}"
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("game", "parts", "lang", "paper"), [
    ("card-game", READ["card-game"], "de", A4), ("board-game", READ["board-game"][:-2], "ja", LETTER)])
def test_all_that_is_read_has_large_type(game, parts, lang, paper):
    files = build(game, *parts, langs=(lang,), papers=(paper,))
    assert len(files) == len(parts) + 2 * ("guide" in parts), "each part, and rules and guide for the screen"
    assert not small_type(files)
    for path, content in files.items():
        if "/rules-" in path and "screen" not in path:  # whole pages that do not fold
            with pikepdf.open(io.BytesIO(content)) as pdf:
                sizes = [[float(length) / 72 * 25.4 for length in page.mediabox[2:]] for page in pdf.pages]
            assert sizes == [pytest.approx([paper.size.width, paper.size.height], abs=0.01)] * len(sizes)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang"), [("card-game", "fr"), ("board-game", "nl")])
def test_long_words_fit_their_faces_in_large_type(monkeypatch, game, lang):
    monkeypatch.setattr(svg_check, "MIN_TYPE_SIZE", LEAST_PT)
    shop, request = workshop(game), BuildRequest(langs=(lang,), papers=(A4,), large_print=True, skin=PLAIN_SKIN)
    texts = shop.texts(lang)
    studio, only = shop.studio(texts, "full"), READ[game][:-2]
    for part in shop.parts(texts, shop.game.card_size, request.spec(A4), only, pad=request.on_pad(A4)).parts:
        for piece in part.components[::4]:
            for side, wanted in piece.faces():
                face = studio.draw(wanted, 0, f"{piece.id} {side}")
                small = [each for each in svg_check.find_fine_details.__wrapped__(face) if each.kind == "type"]
                assert not small, (piece.id, side)


def test_a_score_sheet_is_left_out_where_the_paper_has_no_room_for_it():
    small = Format("a5", Size(148, 210))
    request = BuildRequest(langs=("en",), papers=(small,), large_print=True, skin=PLAIN_SKIN)
    parts = workshop("card-game").parts(workshop("card-game").texts("en"), request.card_size, request.spec(small), (),
                                        pad=request.on_pad(small))
    assert "tablets" in {part.name for part in parts.parts} and "score-sheet" not in {part.name for part in parts.parts}
    assert any("large print" in problem.what for problem in parts.left_out)


@pytest.mark.slow
def test_a_filled_in_sheet_is_read_like_any_other(desk):
    answers = []
    for large in (True, False):
        shop = workshop("board-game") if large else Workshop.open(Assets.at(), game="board-game")
        request = BuildRequest(langs=("de",), papers=(A4,), parts=("score-sheet",), large_print=large)
        sheet = next(file.content for file in build_set(request, shop).files if file.path.endswith("pdf"))
        (desk.folder / "sheet.pdf").write_bytes(fill_form(sheet, VALUES, shop.fonts))
        answers.append(json.loads(desk.run("score", "sheet.pdf", "--format", "json").stdout))
    assert answers[0] == answers[1]
