"""``ppgen export site``: a folder in which every link leads somewhere, and that is the same each time."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
import zipfile
from html import escape, unescape
from pathlib import Path

import pytest
from click.testing import CliRunner

from ppgen.assets import Assets
from ppgen.cli.program import main
from ppgen.engine.booklets.booklet import FIGURE_SCALE, FigureLabel, WebPageWriter, iter_figures, iter_words
from ppgen.engine.geometry import A4
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.printing.set_booklets import booklet_page
from ppgen.printing.workshop import Workshop
from tests.node import find_node
from tests.pages.conftest import STRANGE, make_site, served

pytestmark = pytest.mark.slow

LINKS = re.compile(r'(?:href|src|data-back(?=="[.]))="([^"]*)"')


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_each_link_is_relative_and_leads_to_a_file_of_the_site(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) == 7  # the entrance, the game, its rules, and a guide for each way of the backs, the table
    for page in pages:
        ids = set(re.findall(r'id="([^"]*)"', page.read_text("utf-8")))
        for link in LINKS.findall(page.read_text("utf-8")):
            name, _, place = unescape(link).partition("#")
            assert not re.match("[a-z]+:|/", name), link
            assert (page.parent / name).is_file() if name else place in ids, (page.name, link)


def test_the_table_links_page_and_rules(site: Path) -> None:
    (table,) = site.glob("table/*.html")
    links = re.search(r'"links": ?(\[\[.*?\]\])', table.read_text("utf-8"))
    assert links and len(addresses := [address for _, address in json.loads(links[1])]) == 2
    assert all((table.parent / address.partition("#")[0]).is_file() for address in addresses)


def test_the_same_deck_gives_the_same_bytes(site: Path, site_deck: Path, tmp_path: Path) -> None:
    make_site(site_deck, tmp_path)  # with faces from the cache: tests/test_surroundings.py draws them twice
    assert contents(site) == contents(tmp_path / "site")


def test_checksums_list_each_other_file(site: Path) -> None:
    files = contents(site)
    lines = files.pop("SHA256SUMS").decode().splitlines()
    assert {name: digest for digest, name in (line.split("  ", 1) for line in lines)} == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def test_what_is_wrong_with_a_deck_is_told_and_nothing_written(site_deck: Path, tmp_path: Path) -> None:
    bad = tmp_path / "deck"
    shutil.copytree(site_deck, bad)
    (bad / "about.md").unlink()
    (bad / "LICENSE").unlink()
    assert "about.md: is missing" in make_site(bad, tmp_path, "--backs", "none", "--title", "Two <cats>")
    page = next((tmp_path / "site").glob("*/index.html")).read_text("utf-8")
    assert "Two &lt;cats&gt;" in page and "LICENCE" not in page
    before = contents(tmp_path / "site")
    file = bad / "card.svg.j2"
    file.write_text(file.read_text("utf-8") + "{{ nobody() }}", "utf-8")
    done = CliRunner().invoke(main, ["export", "site", "--data", str(bad), "-o", str(tmp_path)])
    assert done.exit_code == 1 and f"{file.name}:" in done.output
    assert contents(tmp_path / "site") == before


def test_words_of_a_deck_stay_words(site: Path) -> None:
    for page in site.rglob("*.html"):
        scripts = 1 if page.parent.name == "table" else 0  # its own, which its policy knows by a digest
        assert page.read_text("utf-8").count("<script>") == scripts
    page = next(path for path in site.rglob("index.html") if path.parent != site).read_text("utf-8")
    assert escape(STRANGE) in page and "<strong>cats</strong>" in page


def test_the_files_of_an_earlier_site_go_and_those_of_others_stay(site_deck: Path, tmp_path: Path) -> None:
    make_site(site_deck, tmp_path, "--backs", "duplex", "--backs", "fold")
    folder = tmp_path / "site"
    (folder / "CNAME").write_text("cats.example")
    (folder / "more").symlink_to(site_deck)
    (old,) = folder.glob("files/*/cards-a4-fold.pdf")
    (changed,) = folder.glob("files/*/guide-a4-fold.pdf")
    changed.write_bytes(b"mine")
    outside = tmp_path / "outside"
    outside.write_bytes(b"x")
    with (folder / "SHA256SUMS").open("a") as sums:
        sums.write(f"{hashlib.sha256(b'x').hexdigest()}  ../outside\n")
    make_site(site_deck, tmp_path, "--backs", "duplex")
    assert not old.exists() and changed.read_bytes() == b"mine" and outside.exists()
    assert (folder / "CNAME").read_text() == "cats.example" and (folder / "more").readlink() == site_deck
    assert {path.name for path in tmp_path.iterdir()} == {"site", "outside"}


def test_each_page_links_the_project_and_the_games_other_games(site_deck: Path, tmp_path: Path) -> None:
    make_site(site_deck, tmp_path, "--backs", "none", "--home", "https://example.org/?a&b", "--link",
              "A <b>=starters/a/index.html", "--link", "B=https://b.org/?x=1")
    pages = {path: path.read_text("utf-8") for path in (tmp_path / "site").rglob("*.html")
             if path.parent.parent != tmp_path and path.parent.name != "table"}
    assert pages and all('<a href="https://example.org/?a&amp;b">' in page for page in pages.values())
    assert ('<a href="../starters/a/index.html">A &lt;b&gt;</a>\u00a0· <a href="https://b.org/?x=1">B</a>'
            in pages[tmp_path / "site" / "en" / "index.html"])


@pytest.mark.parametrize("game", ["card-game", "board-game"])
def test_each_word_of_the_rules_is_on_their_page(game: str) -> None:
    workshop = Workshop.open(Assets.at(), "", game)
    for lang in ("de", "ja"):
        texts = workshop.texts(lang)
        parts = workshop.parts(texts, workshop.game.card_size, SheetSpec(paper=A4), ()).parts
        assert workshop.game.rules
        booklet = workshop.game.rules(texts, parts, booklet_page(A4.size), "full")
        writer = WebPageWriter(lambda figure: "figure.webp", lambda face: "face.webp")
        page = unescape(re.sub("<[^>]*>", "", writer.write(booklet.blocks)))
        figure = next(iter_figures(booklet.blocks))
        width, height = (round(side * FIGURE_SCALE * 96 / 25.4) for side in (figure.size.width, figure.size.height))
        assert f' width="{width}" height="{height}"' in writer.write([figure])
        drawn = {part.words for figure in iter_figures(booklet.blocks) for part in figure.parts
                 if isinstance(part, FigureLabel)}
        heads = {booklet.title, booklet.running, texts("rules.book.title")}
        assert [words for _, words in iter_words(booklet) if words not in page and words not in drawn | heads] == []


def test_pages_are_accessible_and_ask_for_nothing_outside_and_browsers_make_the_zip(site: Path, chromium: str) -> None:
    pages = [path.relative_to(site).as_posix() for path in sorted((site / "en").glob("*.html"))
             if not path.name.endswith(("-duplex-full.html", "-none-full.html"))]  # guides of the same form
    assert len(pages) == 3
    with served(site) as address:
        found = find_node(Path(__file__).parent).run("site.mjs", chromium, address, *pages)
    assert {name: found[name] for name in ("violations", "messages", "outside", "wide")} == {
        "violations": [], "messages": [], "outside": [], "wide": []}
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(found["zip"]))) as archive:
        assert archive.testzip() is None and len(archive.namelist()) > 3
