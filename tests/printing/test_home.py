"""``--home``: QR codes of the site's score page on score sheet, box lid and guide, read as a phone does."""

from pathlib import Path

import pypdfium2
import pytest
import zxingcpp

from ppgen.shipped import shipped_root

HOME = "https://example.org/games"
STARTERS = shipped_root() / "data" / "starters"
PARTS = [word for part in ("score-sheet", "box", "guide") for word in ("--only", part)]


def read_codes(path: Path) -> list[str]:
    """The words of the codes on each page, printed at 120 dots per inch."""
    with pypdfium2.PdfDocument(path) as document:
        pages = [page.render(scale=120 / 72, grayscale=True).to_numpy() for page in document]
    return [code.text for page in pages for code in zxingcpp.read_barcodes(page)]


@pytest.mark.slow
@pytest.mark.parametrize(("named", "parts", "address"), [
    (["--game", "board-game", "--ink", "low"], PARTS[:4], f"{HOME}/score/#game=board-game&lang=de"),
    (["--data", str(STARTERS / "tile-laying")], [*PARTS[:2], *PARTS[4:]], f"{HOME}/score/#game=hollowmere&lang=en")])
def test_a_phone_reads_the_address_from_each_of_them(desk, named, parts, address):
    desk.run("build", *named, *parts, "--home", f"{HOME}/")
    files = list((desk.folder / "output").glob("*/*.pdf"))
    assert {path.name.partition("-")[0] for path in files} == {part.partition("-")[0] for part in parts[1::2]}
    for path in files:
        assert set(read_codes(path)) == {address}, path.name
